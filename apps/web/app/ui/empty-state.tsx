import type { ReactNode } from 'react'

/** Placeholder for an empty page, with an explanation and the first action to take. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="rounded-card border border-dashed border-line-strong px-6 py-10 text-center">
      <p className="text-lg font-semibold">{title}</p>
      <div className="mx-auto mt-1 max-w-prose text-ink-soft">{children}</div>
      {action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
