import { dayNumber, formatDay } from '@brickmark/core/primitives/calendar'
import { firstPartyPeriods, stateOnDays, type RetailDayState } from '@brickmark/core/market/retail/retail-day'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Chart } from '../ui/chart.tsx'
import { formatUsd, formatUsdCompact } from '@brickmark/core/primitives/format-money'
import { Money, PriceChange } from '../ui/money.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { PriceBadges } from '../ui/price-changes.tsx'

export type RetailerPrice = {
  name: string
  price: number | null
  discount: number | null
  inStock: boolean | null
  sellerType: string | null
  change: number | null
  lowest: number | null
  /** For how many days prices are known of which this one is the lowest; null if it isn't a low. */
  lowestInDays: number | null
  flipped: boolean
  url: string
  checkedAt: string
  changes: RetailDayState[]
}

/**
 * Current price and price history at one retailer, shaded while the retailer itself was the seller, from day `from` on.
 */
export function RetailerCard({ retailer, from }: { retailer: RetailerPrice; from: number }) {
  return (
    <Card title={retailer.name} actions={<a href={retailer.url}>View at retailer</a>}>
      <div className="mb-3 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <p className="text-2xl font-semibold tracking-tight">
          <Money cents={retailer.price} />
        </p>
        <p className="text-sm text-ink-soft">{sellerLabel(retailer)}</p>
        <PriceBadges lowestInDays={retailer.lowestInDays} thirdPartyOnly={retailer.flipped} />
      </div>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm sm:grid-cols-[auto_auto_auto_1fr]">
        <DefinitionRow
          name={retailer.discount !== null && retailer.discount < 0 ? 'Above list price' : 'Below list price'}
        >
          {retailer.discount === null ? <Money cents={null} /> : `${Math.abs(retailer.discount)}%`}
        </DefinitionRow>
        <DefinitionRow name="Last price change">
          <PriceChange cents={retailer.change} />
        </DefinitionRow>
        <DefinitionRow name="Lowest price seen">
          <Money cents={retailer.lowest} />
        </DefinitionRow>
        <DefinitionRow name="Last checked">
          <Timestamp iso={retailer.checkedAt} />
        </DefinitionRow>
      </dl>
      <PriceHistory retailer={retailer} from={from} />
    </Card>
  )
}

function PriceHistory({ retailer, from }: { retailer: RetailerPrice; from: number }) {
  const { changes, name } = retailer
  if (changes.length === 0) return <p className="text-sm text-ink-soft">No price history yet.</p>
  // Ends at the last check; later prices are unknown.
  const first = Math.max(from, changes[0]!.day)
  const last = Math.max(first, dayNumber(retailer.checkedAt))
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const points = stateOnDays(days, changes).map((standing, index) => ({
    x: formatDay(days[index]!),
    values: { price: standing?.price ?? null },
  }))
  const changed = new Set([days[0], ...changes.map(({ day }) => day), last])
  return (
    <Chart
      title={`Price at ${name}`}
      points={points}
      tablePoints={points.filter((_, index) => changed.has(days[index]))}
      series={[{ key: 'price', label: 'Price', kind: 'line', tone: 'accent', step: true }]}
      format={formatUsd}
      formatTick={formatUsdCompact}
      highlights={firstPartyPeriods(days, changes).map(({ from, to }) => ({
        from: formatDay(from),
        to: formatDay(to),
        label: `sold by ${name}`,
      }))}
    />
  )
}

function sellerLabel({ inStock, sellerType }: RetailerPrice) {
  if (inStock === false) return 'Out of stock'
  if (sellerType === 'retailer') return <Badge tone="accent">Sold by retailer</Badge>
  if (sellerType === 'third_party') return <Badge>Third-party sellers only</Badge>
  return 'Seller unknown'
}

function DefinitionRow({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
