import { Link } from 'react-router'

/** Segmented control made of links, to switch between views of the same data. */
export function SegmentedLinks({
  label,
  selected,
  options,
  hrefFor,
}: {
  label: string
  selected: string
  options: [value: string, label: string][]
  hrefFor: (value: string) => string
}) {
  return (
    <nav aria-label={label} className="flex overflow-hidden rounded-control border border-line-strong text-sm">
      {options.map(([value, text]) => (
        <Link
          key={value}
          to={hrefFor(value)}
          preventScrollReset
          aria-current={value === selected ? 'true' : undefined}
          className="border-l border-line px-3 py-1 text-ink no-underline first:border-l-0 hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:font-semibold aria-[current]:text-accent"
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
