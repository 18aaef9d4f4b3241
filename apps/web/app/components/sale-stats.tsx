import type { SaleSums, sumsResult } from '@brickmark/core/portfolio/ledger-sale'
import { Figure } from './card.tsx'
import { Delta, Money } from './money.tsx'

/** What sales come to together. */
export function SaleFigures({ sums, result }: { sums: SaleSums; result: ReturnType<typeof sumsResult> }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <Figure label="Sold" hint={`${sums.sales.toLocaleString('en-US')} ${sums.sales === 1 ? 'sale' : 'sales'}`}>
        {sums.units.toLocaleString('en-US')} {sums.units === 1 ? 'unit' : 'units'}
      </Figure>
      <Figure label="Net" hint="Gross less fees and shipping">
        <Money cents={result.net} />
      </Figure>
      <Figure
        label="Profit"
        hint={
          <>
            Net less a cost of <Money cents={sums.unknown === sums.sales ? null : sums.cost} />
          </>
        }
      >
        <Delta cents={result.profit} />
      </Figure>
      <Figure label="ROI" hint="Profit by cost">
        <Delta ratio={result.roiPct === null ? null : result.roiPct / 100} />
      </Figure>
    </div>
  )
}

/** That some sales are in no profit, because nobody knows what they cost. */
export function UnknownCost({ sales, unknown }: { sales: number; unknown: number }) {
  if (unknown === 0) return null
  return (
    <p className="text-sm text-ink-soft">
      Of {unknown.toLocaleString('en-US')} of {sales.toLocaleString('en-US')} {sales === 1 ? 'sale' : 'sales'} the cost
      is not known: counted in gross, fees and net, left out of profit and ROI.
    </p>
  )
}
