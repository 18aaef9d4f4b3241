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
    <nav aria-label={label} className="flex w-fit max-w-full flex-wrap gap-0.5 rounded-control bg-sunken p-0.5 text-sm">
      {options.map(([value, text]) => (
        <Link
          key={value}
          to={hrefFor(value)}
          preventScrollReset
          aria-current={value === selected ? 'true' : undefined}
          className="rounded-badge px-3 py-1 text-ink-soft no-underline hover:text-ink aria-[current]:bg-raised aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-card"
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
