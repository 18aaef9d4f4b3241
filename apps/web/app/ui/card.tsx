import type { ReactNode } from 'react'

/** Section of a page with an optional heading and actions to the right of it. */
export function Card({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="rounded-card border border-line bg-card p-4 shadow-card sm:p-5">
      {title !== undefined && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-lg">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

/** Labeled number, meant for a grid of several. */
export function Stat({ label, children, detail }: { label: string; children: ReactNode; detail?: ReactNode }) {
  return (
    <div className="rounded-card border border-line bg-card px-4 py-3 shadow-card">
      <p className="text-sm text-ink-soft">{label}</p>
      <p className="mt-0.5 text-xl font-semibold tracking-tight">{children}</p>
      {detail !== undefined && <p className="mt-0.5 text-sm text-ink-soft">{detail}</p>}
    </div>
  )
}
