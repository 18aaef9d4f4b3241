import type { SaleTotals, totalsResult } from '@brickmark/core/portfolio/sale'
import { Stat } from '../ui/card.tsx'
import { Delta, Money } from '../ui/money.tsx'

/** Totals of several sales. */
export function SaleStats({ totals, result }: { totals: SaleTotals; result: ReturnType<typeof totalsResult> }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <Stat label="Sold" detail={`${totals.sales.toLocaleString('en-US')} ${totals.sales === 1 ? 'sale' : 'sales'}`}>
        {totals.units.toLocaleString('en-US')} {totals.units === 1 ? 'unit' : 'units'}
      </Stat>
      <Stat label="Net proceeds" detail="Gross minus fees and shipping">
        <Money cents={result.net} />
      </Stat>
      <Stat
        label="Profit"
        detail={
          <>
            Net proceeds minus cost of <Money cents={totals.unknownCostCount === totals.sales ? null : totals.cost} />
          </>
        }
      >
        <Delta cents={result.profit} />
      </Stat>
      <Stat label="ROI" detail="Profit ÷ cost">
        <Delta ratio={result.roiPct === null ? null : result.roiPct / 100} />
      </Stat>
    </div>
  )
}

/** Notes how many sales are excluded from the profit because their cost is unknown. */
export function UnknownCostNote({ sales, unknownCostCount }: { sales: number; unknownCostCount: number }) {
  if (unknownCostCount === 0) return null
  return (
    <p className="text-sm text-ink-soft">
      {unknownCostCount.toLocaleString('en-US')} of {sales.toLocaleString('en-US')} {sales === 1 ? 'sale' : 'sales'}{' '}
      {unknownCostCount === 1 ? 'has no cost, so it isn’t' : 'have no cost, so they aren’t'} included in profit or ROI.
    </p>
  )
}
