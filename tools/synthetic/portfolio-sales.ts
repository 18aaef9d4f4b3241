import { cents, usdText } from '@brickmark/core/primitives/money'
import { dayNumber, dayText } from '@brickmark/core/primitives/calendar'
import { feesOf } from './fees.ts'
import { at, type Random } from './random.ts'
import { trueValue } from './value-path.ts'
import type { DemoMarket, HoldingRow, Platform, SaleLotRow, SaleRow } from './types.ts'

const UNKNOWN_COST_EVERY = 10
const TWO_YEARS = 729
const PLATFORMS: Platform[] = [
  'ebay',
  'ebay',
  'ebay',
  'bricklink',
  'bricklink',
  'amazon',
  'walmart',
  'facebook',
  'mercari',
  'whatnot',
  'local',
  'other',
]

type Sales = { sales: SaleRow[]; saleLots: SaleLotRow[] }
type Take = { holding: number; lot: HoldingRow; quantity: number }
type Limits = { sellOut: number; sales: number }

/** Sales from the lots as bought: none takes a unit twice, or before it was bought. */
export function inventSales(
  random: Random,
  { sellOut, sales: count }: Limits,
  bought: HoldingRow[],
  market: DemoMarket,
  todayDay: number,
): Sales {
  // The other lots keep one unit, so that an account holds as many lots as was planned.
  const left = bought.map(({ quantity }, place) => (place < sellOut ? quantity : quantity - 1))
  const result: Sales = { sales: [], saleLots: [] }
  for (let sale = 0; sale < count; sale++) {
    const takes = sale === 0 ? [takeFrom(bought, 0, 1)] : chooseUnits(random, bought, left, sellOut, todayDay)
    const known = sale % UNKNOWN_COST_EVERY !== UNKNOWN_COST_EVERY - 1
    result.sales.push(sell(random, takes, known, market, todayDay))
    if (!known) continue
    for (const { holding, quantity } of takes) {
      left[holding] = at(left, holding) - quantity
      result.saleLots.push({ sale, holding, quantity })
    }
  }
  return result
}

function chooseUnits(random: Random, bought: HoldingRow[], left: number[], sellOut: number, todayDay: number): Take[] {
  const ripe = left.flatMap((units, place) => (units > 0 && isRipe(bought, place, todayDay) ? [place] : []))
  const first = ripe.filter((place) => place < sellOut)
  const place = random.pick(first.length > 0 && random.chance(0.75) ? first : ripe)
  const units = at(left, place)
  const take = takeFrom(bought, place, random.chance(0.6) ? units : random.int(1, units))
  const twin = bought[place + 1]
  const sameGoods = twin?.set_number === take.lot.set_number && twin.condition === take.lot.condition
  return sameGoods && ripe.includes(place + 1) ? [take, takeFrom(bought, place + 1, 1)] : [take]
}

function isRipe(bought: HoldingRow[], place: number, todayDay: number): boolean {
  return dayNumber(at(bought, place).purchase_date) < todayDay - 30
}

function takeFrom(bought: HoldingRow[], holding: number, quantity: number): Take {
  return { holding, lot: at(bought, holding), quantity }
}

function sell(random: Random, takes: Take[], known: boolean, market: DemoMarket, todayDay: number): SaleRow {
  const { set_number, condition } = at(takes, 0).lot
  const newest = Math.max(...takes.map(({ lot }) => dayNumber(lot.purchase_date)))
  const day = random.int(Math.min(Math.max(newest + 14, todayDay - TWO_YEARS), todayDay - 1), todayDay - 1)
  const quantity = takes.reduce((sum, take) => sum + take.quantity, 0)
  const cost = takes.reduce((sum, take) => sum + take.quantity * cents(take.lot.purchase_price_usd), 0)
  const unit = Math.round(trueValue(market, set_number, condition, day) * random.lognormal(1.03, 0.09))
  const platform = random.pick(PLATFORMS)
  const { platformCents, paymentCents } = feesOf(platform, unit * quantity)
  const shipping = platform === 'local' ? 0 : random.int(420, 1350) + 250 * (quantity - 1)
  return {
    set_number,
    platform,
    sale_date: dayText(day),
    quantity,
    gross_proceeds_usd: usdText(unit * quantity),
    platform_fees_usd: usdText(platformCents),
    payment_fees_usd: usdText(paymentCents),
    shipping_cost_usd: usdText(shipping),
    cost_usd: known ? usdText(cost) : null,
  }
}
