import type { ReactNode } from 'react'

/** A sum as a row of figures with the signs between them; a column on phones. */
export function EquationRow({ terms }: { terms: { sign?: '+' | '−' | '='; label: ReactNode; amount: ReactNode }[] }) {
  return (
    <dl className="grid gap-1 sm:flex sm:flex-wrap sm:gap-x-2 sm:gap-y-3">
      {terms.map(({ sign = '', label, amount }, index) => (
        <div
          key={index}
          data-sign={sign}
          className={`grid grid-cols-[1rem_1fr_auto] items-baseline before:text-ink-faint before:content-[attr(data-sign)] sm:before:row-span-2 sm:before:self-end ${sign === '' ? 'sm:grid-cols-[0_auto]' : 'sm:grid-cols-[1rem_auto]'} ${sign === '=' ? 'font-semibold' : ''}`}
        >
          <dt className="text-xs font-normal text-ink-soft">{label}</dt>
          <dd className="text-ink">{amount}</dd>
        </div>
      ))}
    </dl>
  )
}
