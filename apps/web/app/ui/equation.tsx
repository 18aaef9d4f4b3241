import type { ReactNode } from 'react'

export type Term = { sign?: '+' | '−'; label: ReactNode; amount: ReactNode }

/** A sum as lines: its terms with their signs, and the result. */
export function Equation({ terms, result }: { terms: Term[]; result: { label: ReactNode; amount: ReactNode } }) {
  return (
    <dl className="text-sm">
      {terms.map((term, index) => (
        <Line key={index} {...term} />
      ))}
      <Line sign="=" {...result} className="mt-1 border-t border-line pt-2 font-semibold text-ink" />
    </dl>
  )
}

function Line({
  sign,
  label,
  amount,
  className = '',
}: {
  sign?: '+' | '−' | '='
  label: ReactNode
  amount: ReactNode
  className?: string
}) {
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)_auto] gap-1 py-1 ${className}`}>
      <dt className="flex">
        <span aria-hidden="true" className="w-5 shrink-0 text-ink-faint">
          {sign}
        </span>
        <span>{label}</span>
      </dt>
      <dd className="font-medium text-ink">{amount}</dd>
    </div>
  )
}
