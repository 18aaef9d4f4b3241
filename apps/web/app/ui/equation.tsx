import type { ReactNode } from 'react'

export type Term = { sign?: '+' | '−'; label: ReactNode; amount: ReactNode }

/** A sum as lines: its terms with their signs, and the result. */
export function Equation({ terms, result }: { terms: Term[]; result: { label: ReactNode; amount: ReactNode } }) {
  return (
    <dl className="text-sm">
      {terms.map((term, index) => (
        <Line key={index} {...term} />
      ))}
      <div className="mt-1 border-t border-line pt-1 font-semibold text-ink">
        <Line sign="=" {...result} />
      </div>
    </dl>
  )
}

function Line({ sign, label, amount }: { sign?: '+' | '−' | '='; label: ReactNode; amount: ReactNode }) {
  return (
    <div className="grid grid-cols-[1rem_minmax(0,1fr)_auto] gap-1 py-1">
      <span aria-hidden="true" className="text-ink-faint">
        {sign}
      </span>
      <dt>{label}</dt>
      <dd className="font-medium text-ink">{amount}</dd>
    </div>
  )
}
