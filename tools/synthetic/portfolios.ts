import { utcDayOf, formatDay } from '@brickmark/core/primitives/calendar'
import { generatePortfolioSales } from './portfolio-sales.ts'
import { elementAt, randomStream, type Random } from './random.ts'
import { trueValue } from './value-path.ts'
import type { BoughtLot, CollectionRow, SyntheticMarket, SyntheticPortfolio, LotRow } from './types.ts'

export type PortfolioName = 'reseller' | 'second' | 'hobby'

/** The first `sellOut` lots may be sold out completely; the others keep at least one unit. */
type PortfolioPlan = { collections: [string, string | null][]; lots: number; sellOut: number; sales: number }

const PLANS: Record<PortfolioName, PortfolioPlan> = {
  reseller: {
    collections: [
      ['Main shelf', 'Everything bought for resale.'],
      ['Long hold', 'Not before three years after retirement.'],
      ['Clearance finds', null],
      ['Garage', 'Used and opened boxes.'],
    ],
    lots: 190,
    sellOut: 30,
    sales: 56,
  },
  second: {
    collections: [
      ['Inventory', null],
      ['Retiring soon', 'Bought in the last weeks on sale.'],
      ['Display', 'Ours to keep.'],
    ],
    lots: 78,
    sellOut: 10,
    sales: 20,
  },
  hobby: { collections: [['My sets', null]], lots: 8, sellOut: 0, sales: 0 },
}

const YEARS_HELD = 3
const UNVALUED_EVERY = 40
// Every fifth lot repeats the set of the lot before it, so that one sale can consume units of two lots.
const REPEAT_LOT_EVERY = 5
const UNKNOWN_COST_EVERY = 40
const QUANTITIES = [1, 1, 1, 1, 2, 2, 3, 4, 6]
const NOTES = ['Box corner dented', 'Bought with a coupon', 'Two boxes taped together', 'Missing sticker sheet']

/** Generates the lots and sales of one account; deterministic for a given seed and name. */
export function generatePortfolio(
  seed: number,
  name: PortfolioName,
  market: SyntheticMarket,
  today: Date,
): SyntheticPortfolio {
  const random = randomStream(seed, `portfolio ${name}`)
  const plan = PLANS[name]
  const bought = buyLots(random, plan, market, utcDayOf(today))
  const { sales, saleLots } = generatePortfolioSales(random, plan, bought, market, utcDayOf(today))
  const sold = bought.map(() => 0)
  for (const lot of saleLots) sold[lot.lotIndex] = elementAt(sold, lot.lotIndex) + lot.quantity
  const lots = bought.map((lot, index): LotRow => {
    const quantity = lot.quantity - elementAt(sold, index)
    const status = quantity > 0 && random.chance(0.15) ? 'listed' : 'owned'
    return { ...(quantity === lot.quantity ? forgetPurchase(lot, index) : lot), quantity, status }
  })
  return { collections: generateCollections(plan, utcDayOf(today)), lots, sales, saleLots }
}

/** Some owners don't know what they paid, and some of those not even when. */
function forgetPurchase(lot: BoughtLot, index: number): LotRow {
  if (index % UNKNOWN_COST_EVERY !== UNKNOWN_COST_EVERY - 1) return lot
  const isDateKnown = index % (2 * UNKNOWN_COST_EVERY) === UNKNOWN_COST_EVERY - 1
  return { ...lot, purchase_price_cents: null, purchase_date: isDateKnown ? lot.purchase_date : null }
}

function generateCollections(plan: PortfolioPlan, todayDay: number): CollectionRow[] {
  return plan.collections.map(([name, description], index) => ({
    name,
    description,
    is_default: index === 0,
    created_at: `${formatDay(todayDay - YEARS_HELD * 366 + index * 45)}T09:00:00.000Z`,
  }))
}

type SetInCondition = Pick<LotRow, 'set_number' | 'condition'>

function buyLots(random: Random, plan: PortfolioPlan, market: SyntheticMarket, todayDay: number): BoughtLot[] {
  const released = market.setValues.filter(({ set_number }) => releaseOf(market, set_number) < todayDay - 60)
  const sealed = released.filter(({ condition }) => condition === 'sealed')
  const used = released.filter(({ condition }) => condition === 'used')
  const unvalued = released.filter(({ value_cents }) => value_cents === null)
  const lots: BoughtLot[] = []
  for (let index = 0; index < plan.lots; index++) {
    const before = lots.at(-1)
    const isRepeat = before !== undefined && index % REPEAT_LOT_EVERY === REPEAT_LOT_EVERY - 1
    const isUnvalued = index % UNVALUED_EVERY === 5 && unvalued.length > 0
    const goods = isRepeat ? before : random.pick(isUnvalued ? unvalued : random.chance(0.85) ? sealed : used)
    const lot = buyLot(random, plan, goods, market, todayDay)
    lots.push(index === 0 ? asGift(lot) : lot)
  }
  return lots
}

function releaseOf(market: SyntheticMarket, set_number: string): number {
  return market.lifecycles.get(set_number)?.releaseDay ?? Infinity
}

function asGift(lot: BoughtLot): BoughtLot {
  return { ...lot, quantity: 2, purchase_price_cents: 0, notes: 'A gift' }
}

function buyLot(
  random: Random,
  plan: PortfolioPlan,
  setInCondition: SetInCondition,
  market: SyntheticMarket,
  todayDay: number,
): BoughtLot {
  const { set_number, condition } = setInCondition
  const day = random.int(Math.max(releaseOf(market, set_number), todayDay - YEARS_HELD * 365), todayDay - 7)
  const value = trueValue(market, set_number, condition, day)
  const lot: BoughtLot = {
    collection: random.chance(0.5) ? 0 : random.int(0, plan.collections.length - 1),
    set_number,
    condition,
    status: 'owned',
    quantity: random.pick(QUANTITIES),
    purchase_price_cents: Math.round(value * (0.62 + 0.43 * random.uniform())),
    purchase_date: formatDay(day),
    notes: random.chance(0.08) ? random.pick(NOTES) : null,
    created_at: `${formatDay(day)}T12:00:00.000Z`,
  }
  return random.chance(0.03) ? asGift(lot) : lot
}
