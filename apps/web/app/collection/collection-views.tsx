import { X } from 'lucide-react'
import { Form, Link } from 'react-router'
import { MAX_VIEW_NAME } from '@brickmark/core/portfolio/lot-view-commands'
import type { findLotViews } from '@brickmark/core/portfolio/lot-view-queries'
import { Button } from '../ui/button.tsx'
import { COMMON_VIEWS, toViewQuery } from './lot-list.ts'

type Views = Awaited<ReturnType<typeof findLotViews>>

/** Links to the views of a collection with how many lots each has, and to those its owner saved. */
export function CollectionViews({ here, views, search }: { here: string; views: Views; search: URLSearchParams }) {
  const current = toViewQuery(search)
  const common = COMMON_VIEWS.map(([label, query], index) => ({ label, query, count: views.counts[index]! })).filter(
    ({ query, count }) => query === '' || count > 0 || query === current,
  )
  const saved = views.saved.find(({ query }) => query === current)
  const isOwn = current !== '' && saved === undefined && !COMMON_VIEWS.some(([, query]) => query === current)
  return (
    <nav aria-label="Views" className="flex flex-wrap items-center gap-x-5 gap-y-1 border-b border-line text-sm">
      {common.map(({ label, query, count }) => (
        <ViewLink key={label} to={query === '' ? here : `${here}?${query}`} isCurrent={query === current}>
          {label} <span className="text-ink-soft tabular-nums">{count.toLocaleString('en-US')}</span>
        </ViewLink>
      ))}
      {views.saved.map(({ id, name, query }) => (
        <ViewLink key={id} to={`${here}?${query}`} isCurrent={query === current}>
          {name}
        </ViewLink>
      ))}
      {saved && (
        <Form method="post" action={here} preventScrollReset>
          <input type="hidden" name="intent" value="delete-view" />
          <input type="hidden" name="view" value={saved.id} />
          <button className="flex min-h-8 items-center gap-1 text-ink-soft hover:text-ink">
            <X aria-hidden="true" className="size-3.5" /> Delete view
          </button>
        </Form>
      )}
      {isOwn && (
        <details className="relative">
          <summary className="min-h-8 cursor-pointer list-none content-center text-accent">+ Save view</summary>
          <Form
            method="post"
            preventScrollReset
            className="absolute left-0 z-10 mt-1 flex gap-2 rounded-card border border-line bg-raised p-3 shadow-floating max-sm:right-0 max-sm:w-64"
          >
            <input type="hidden" name="intent" value="save-view" />
            <input
              name="view-name"
              aria-label="Name of the view"
              placeholder="Name"
              required
              maxLength={MAX_VIEW_NAME}
              className="min-w-0 rounded-control border border-line-strong bg-card px-2 py-1 text-ink"
            />
            <Button>Save</Button>
          </Form>
        </details>
      )}
    </nav>
  )
}

function ViewLink({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: React.ReactNode }) {
  return (
    <Link
      to={to}
      preventScrollReset
      aria-current={isCurrent ? 'true' : undefined}
      className="-mb-px flex min-h-8 items-center gap-1.5 border-b-2 border-transparent text-ink-soft no-underline hover:text-ink aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-ink"
    >
      {children}
    </Link>
  )
}
