import type { ReactNode } from 'react'

/** A figure in a table, with a detail below it. */
export function Figure({ children, detail }: { children: ReactNode; detail: ReactNode }) {
  return (
    <span className="grid">
      <span className="font-medium text-ink">{children}</span>
      {detail && <span className="text-xs font-normal whitespace-nowrap text-ink-soft">{detail}</span>}
    </span>
  )
}
