import { Link } from 'react-router'

/** Links to the filters of a list, each with the number of its rows. */
export function FilterLinks<Name extends string>({
  selected,
  filters,
  hrefFor,
}: {
  selected: Name
  filters: [name: Name, label: string, count: number][]
  hrefFor: (name: Name) => string
}) {
  return (
    <nav aria-label="Filter" className="flex flex-wrap gap-2">
      {filters.map(([name, label, count]) => (
        <Link
          key={name}
          to={hrefFor(name)}
          preventScrollReset
          aria-current={name === selected ? 'true' : undefined}
          className="rounded-full border border-line-strong px-3 py-1 text-sm text-ink no-underline hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent-soft aria-[current]:text-accent"
        >
          {label} {count.toLocaleString('en-US')}
        </Link>
      ))}
    </nav>
  )
}
