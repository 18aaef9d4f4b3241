import type { LotSummary } from '@brickmark/core/portfolio/portfolio-totals'
import { Equation, type Term } from '../ui/equation.tsx'
import { countOf } from '../ui/count-of.ts'
import { Delta, Money } from '../ui/money.tsx'

/** The value of lots as a sum: cost basis, gain, and copies without a purchase price. */
export function LotsSum({ label, summary }: { label: string; summary: LotSummary }) {
  const { value, cost, gain, valueWithoutCost, excluded } = summary
  const known: Term[] = [
    { label: 'Cost basis', amount: <Money cents={cost} /> },
    { sign: '+', label: 'Unrealized gain', amount: <Delta cents={gain} /> },
  ]
  const unpricedTerm: Term = {
    ...(cost !== null && { sign: '+' }),
    label: `${countOf(excluded.withoutCost, 'copy', 'copies')} without a purchase price`,
    amount: <Money cents={valueWithoutCost} />,
  }
  return (
    <Equation
      terms={[...(cost === null ? [] : known), ...(excluded.withoutCost > 0 ? [unpricedTerm] : [])]}
      result={{ label, amount: <Money cents={value} /> }}
    />
  )
}
