import { dayNumber, formatDay } from '@brickmark/core/primitives/calendar'
import { estimateFees } from './fees.ts'
import { elementAt, type Random } from './random.ts'
import { trueValue } from './value-path.ts'
import type { SyntheticMarket, BoughtLot, Platform, SaleLotRow, SaleRow } from './types.ts'

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
type LotAllocation = { lotIndex: number; lot: BoughtLot; quantity: number }
type SalesPlan = { sellOut: number; sales: number }

/** Generates sales from the bought lots; no unit is sold twice or before its purchase. */
export function generatePortfolioSales(
  random: Random,
  { sellOut, sales: count }: SalesPlan,
  bought: BoughtLot[],
  market: SyntheticMarket,
  todayDay: number,
): Sales {
  // The other lots keep one unit, so that the account holds the planned number of lots.
  const left = bought.map(({ quantity }, index) => (index < sellOut ? quantity : quantity - 1))
  const result: Sales = { sales: [], saleLots: [] }
  for (let sale = 0; sale < count; sale++) {
    const allocations =
      sale === 0 ? [allocateFrom(bought, 0, 1)] : chooseAllocations(random, bought, left, sellOut, todayDay)
    const known = sale % UNKNOWN_COST_EVERY !== UNKNOWN_COST_EVERY - 1
    result.sales.push(toSale(random, allocations, known, market, todayDay))
    if (!known) continue
    for (const { lotIndex, quantity } of allocations) {
      left[lotIndex] = elementAt(left, lotIndex) - quantity
      result.saleLots.push({ sale, lotIndex, quantity })
    }
  }
  return result
}

function chooseAllocations(
  random: Random,
  bought: BoughtLot[],
  left: number[],
  sellOut: number,
  todayDay: number,
): LotAllocation[] {
  const sellable = left.flatMap((units, index) =>
    units > 0 && isOldEnoughToSell(bought, index, todayDay) ? [index] : [],
  )
  const first = sellable.filter((index) => index < sellOut)
  const index = random.pick(first.length > 0 && random.chance(0.75) ? first : sellable)
  const units = elementAt(left, index)
  const allocation = allocateFrom(bought, index, random.chance(0.6) ? units : random.int(1, units))
  const nextLot = bought[index + 1]
  const isSameSet = nextLot?.set_number === allocation.lot.set_number && nextLot.condition === allocation.lot.condition
  return isSameSet && sellable.includes(index + 1) ? [allocation, allocateFrom(bought, index + 1, 1)] : [allocation]
}

function isOldEnoughToSell(bought: BoughtLot[], index: number, todayDay: number): boolean {
  return dayNumber(elementAt(bought, index).purchase_date) < todayDay - 30
}

function allocateFrom(bought: BoughtLot[], lotIndex: number, quantity: number): LotAllocation {
  return { lotIndex, lot: elementAt(bought, lotIndex), quantity }
}

function toSale(
  random: Random,
  allocations: LotAllocation[],
  known: boolean,
  market: SyntheticMarket,
  todayDay: number,
): SaleRow {
  const { set_number, condition } = elementAt(allocations, 0).lot
  const newest = Math.max(...allocations.map(({ lot }) => dayNumber(lot.purchase_date)))
  const day = random.int(Math.min(Math.max(newest + 14, todayDay - TWO_YEARS), todayDay - 1), todayDay - 1)
  const quantity = allocations.reduce((sum, allocation) => sum + allocation.quantity, 0)
  const cost = allocations.reduce(
    (sum, allocation) => sum + allocation.quantity * allocation.lot.purchase_price_cents,
    0,
  )
  const unit = Math.round(trueValue(market, set_number, condition, day) * random.lognormal(1.03, 0.09))
  const platform = random.pick(PLATFORMS)
  const { platformCents, paymentCents } = estimateFees(platform, unit * quantity)
  const shipping = platform === 'local' ? 0 : random.int(420, 1350) + 250 * (quantity - 1)
  return {
    set_number,
    platform,
    sale_date: formatDay(day),
    quantity,
    gross_proceeds_cents: unit * quantity,
    platform_fees_cents: platformCents,
    payment_fees_cents: paymentCents,
    shipping_cost_cents: shipping,
    cost_cents: known ? cost : null,
  }
}
