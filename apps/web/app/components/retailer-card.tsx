import { dayNumber, dayText } from '@brickmark/core/primitives/calendar'
import { soldByRetailer, standingOn, type RetailDay } from '@brickmark/core/market/retail-day'
import { Badge } from './badge.tsx'
import { Card } from './card.tsx'
import { Chart } from './chart.tsx'
import { inDollars, inShortDollars, Money, PriceChange } from './money.tsx'
import { Time } from './page.tsx'
import { Marks } from './price-changes.tsx'

export type Shop = {
  name: string
  price: number | null
  discount: number | null
  inStock: boolean | null
  sellerType: string | null
  change: number | null
  lowest: number | null
  atLowest: boolean
  flipped: boolean
  url: string
  checkedAt: string
  changes: RetailDay[]
}

/** What one retailer asks and asked, shaded while it sold itself. `from` is the first day to show. */
export function RetailCard({ shop, from }: { shop: Shop; from: number }) {
  return (
    <Card title={shop.name} actions={<a href={shop.url}>Open at the retailer</a>}>
      <div className="mb-3 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <p className="text-2xl font-semibold tracking-tight">
          <Money cents={shop.price} />
        </p>
        <p className="text-sm text-ink-soft">{sellerInWords(shop)}</p>
        <Marks atLowest={shop.atLowest} flipped={shop.flipped} />
      </div>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm sm:grid-cols-[auto_auto_auto_1fr]">
        <Fact name={shop.discount !== null && shop.discount < 0 ? 'Over its list price' : 'Under its list price'}>
          {shop.discount === null ? <Money cents={null} /> : `${Math.abs(shop.discount)} %`}
        </Fact>
        <Fact name="Last change">
          <PriceChange cents={shop.change} />
        </Fact>
        <Fact name="Lowest seen">
          <Money cents={shop.lowest} />
        </Fact>
        <Fact name="Last seen">
          <Time iso={shop.checkedAt} />
        </Fact>
      </dl>
      <PriceHistory shop={shop} from={from} />
    </Card>
  )
}

function PriceHistory({ shop, from }: { shop: Shop; from: number }) {
  const { changes, name } = shop
  if (changes.length === 0) return <p className="text-sm text-ink-soft">No price history yet.</p>
  // Until it was last seen: after that nothing is known.
  const first = Math.max(from, changes[0]!.day)
  const last = Math.max(first, dayNumber(shop.checkedAt))
  const days = Array.from({ length: last - first + 1 }, (_, place) => first + place)
  const points = standingOn(days, changes).map((standing, place) => ({
    x: dayText(days[place]!),
    values: { price: standing?.price ?? null },
  }))
  const changed = new Set([days[0], ...changes.map(({ day }) => day), last])
  return (
    <Chart
      title={`Price at ${name}`}
      points={points}
      listed={points.filter((_, place) => changed.has(days[place]))}
      series={[{ key: 'price', label: 'Price', kind: 'line', tone: 'accent', step: true }]}
      format={inDollars}
      formatTick={inShortDollars}
      shades={soldByRetailer(days, changes).map(({ from, to }) => ({
        from: dayText(from),
        to: dayText(to),
        label: `${name} itself sells`,
      }))}
    />
  )
}

function sellerInWords({ inStock, sellerType }: Shop) {
  if (inStock === false) return 'Sold out'
  if (sellerType === 'retailer') return <Badge tone="accent">Sold by the retailer itself</Badge>
  if (sellerType === 'third_party') return <Badge>Sold by third parties only</Badge>
  return 'It is not known who sells it'
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
