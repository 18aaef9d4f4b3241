import type { ReactNode } from 'react'
import { Timestamp } from './timestamp.tsx'

/**
 * Layout of a page's content: title, description, age of the data and page-level actions. `asOf` is an ISO timestamp.
 */
export function Page({
  title,
  description,
  asOf,
  actions,
  narrow = false,
  children,
}: {
  title: string
  description?: ReactNode
  asOf?: string | undefined
  actions?: ReactNode
  narrow?: boolean
  children: ReactNode
}) {
  return (
    <div className={narrow ? 'mx-auto max-w-md' : 'mx-auto max-w-6xl'}>
      <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 tabIndex={-1} className="text-2xl tracking-tight">
            {title}
          </h1>
          {description !== undefined && <p className="mt-1 max-w-prose text-ink-soft">{description}</p>}
          {asOf !== undefined && (
            <p className="mt-1 text-sm text-ink-soft">
              Updated <Timestamp iso={asOf} />
            </p>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">{children}</div>
    </div>
  )
}
