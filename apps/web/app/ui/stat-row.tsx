import type { ReactNode } from 'react'

export type StatCell = {
  label: string
  figure: ReactNode
  detail?: ReactNode
  /** How the figure relates to the one before it, if they add up. */
  sign?: '=' | '+' | '−'
}

/** Figures side by side, two per row on narrow screens. A sign between two of them says how they add up. */
export function StatRow({ label, cells }: { label: string; cells: StatCell[] }) {
  return (
    <section aria-label={label} className="stat-row rounded-card border border-line bg-card shadow-card">
      {cells.map(({ label, figure, detail, sign }) => (
        <div key={label}>
          {sign !== undefined && (
            <span className="sign" aria-hidden="true">
              {sign}
            </span>
          )}
          <p className="text-sm text-ink-soft">{label}</p>
          <p className="text-xl font-semibold tracking-tight">{figure}</p>
          {detail !== undefined && <p className="text-xs text-ink-soft">{detail}</p>}
        </div>
      ))}
    </section>
  )
}
