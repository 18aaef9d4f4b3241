import type { SaleTotals, totalsResult } from '@brickmark/core/portfolio/sale'
import { countOf } from '../ui/count-of.ts'
import { Equation, type Term } from '../ui/equation.tsx'
import { Delta, Money } from '../ui/money.tsx'
import { StatRow, type StatCell } from '../ui/stat-row.tsx'

type Totals = { totals: SaleTotals; result: ReturnType<typeof totalsResult> }

/** Totals of sales as a row of figures that add up to the profit. */
export function SalesStats({ totals, result }: Totals) {
  const { sales, units, gross, fees, shipping, cost, salesWithoutCost, netWithoutCost } = totals
  const known: StatCell[] = [
    { sign: '−', label: 'Cost', figure: <Money cents={cost} />, detail: 'What you paid' },
    ...(salesWithoutCost === 0
      ? []
      : [
          {
            sign: '−' as const,
            label: 'No known cost',
            figure: <Money cents={netWithoutCost} />,
            detail: `Net of ${countOf(salesWithoutCost, 'sale')}`,
          },
        ]),
    {
      sign: '=',
      label: 'Realized profit',
      figure: <Delta cents={result.profit} />,
      detail: result.roiPct !== null && (
        <>
          <Delta ratio={result.roiPct / 100} /> on cost
        </>
      ),
    },
  ]
  return (
    <StatRow
      label="Totals"
      cells={[
        {
          label: 'Sold for',
          figure: <Money cents={gross} />,
          detail: `${countOf(units, 'copy', 'copies')} in ${countOf(sales, 'sale')}`,
        },
        { sign: '−', label: 'Fees', figure: <Money cents={fees} /> },
        { sign: '−', label: 'Shipping', figure: <Money cents={shipping} /> },
        ...(result.profit === null
          ? [
              {
                sign: '=' as const,
                label: 'Net proceeds',
                figure: <Money cents={result.net} />,
                detail: 'No cost is known, so there is no profit',
              },
            ]
          : known),
      ]}
    />
  )
}

/** The same sum as lines. */
export function SalesSum({ totals, result }: Totals) {
  const { units, gross, fees, shipping, cost, salesWithoutCost, netWithoutCost } = totals
  const known: Term[] = [
    { sign: '−', label: 'What they cost you', amount: <Money cents={cost} /> },
    ...(salesWithoutCost === 0
      ? []
      : [
          {
            sign: '−' as const,
            label: `Net of ${countOf(salesWithoutCost, 'sale')} with no known cost`,
            amount: <Money cents={netWithoutCost} />,
          },
        ]),
  ]
  return (
    <Equation
      terms={[
        { label: `${countOf(units, 'copy', 'copies')} sold for`, amount: <Money cents={gross} /> },
        { sign: '−', label: 'Fees', amount: <Money cents={fees} /> },
        { sign: '−', label: 'Shipping', amount: <Money cents={shipping} /> },
        ...(result.profit === null ? [] : known),
      ]}
      result={
        result.profit === null
          ? { label: 'Net proceeds', amount: <Money cents={result.net} /> }
          : { label: 'Realized profit', amount: <Delta cents={result.profit} /> }
      }
    />
  )
}
