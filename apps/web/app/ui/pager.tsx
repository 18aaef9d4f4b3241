import { ButtonLink } from './button.tsx'

/** Previous/next links for a list. `to` returns the path for an offset. */
export function Pager({
  offset,
  limit,
  total,
  to,
}: {
  offset: number
  limit: number
  total: number
  to: (offset: number) => string
}) {
  if (total <= limit && offset === 0) return null
  const last = Math.min(offset + limit, total)
  return (
    <nav aria-label="Pagination" className="mt-3 flex flex-wrap items-center justify-between gap-2 text-sm">
      <p className="text-ink-soft">
        {offset + 1}–{last} of {total.toLocaleString('en-US')}
      </p>
      <div className="flex gap-2">
        {offset > 0 && <ButtonLink to={to(Math.max(0, offset - limit))}>Previous</ButtonLink>}
        {last < total && <ButtonLink to={to(offset + limit)}>Next</ButtonLink>}
      </div>
    </nav>
  )
}
