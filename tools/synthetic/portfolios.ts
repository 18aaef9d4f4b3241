import { usdText } from '@brickmark/core/primitives/money'
import { dayOf, dayText } from '@brickmark/core/primitives/calendar'
import { inventSales } from './portfolio-sales.ts'
import { at, randomStream, type Random } from './random.ts'
import { trueValue } from './value-path.ts'
import type { BrickfolioRow, DemoMarket, DemoPortfolio, HoldingRow } from './types.ts'

export type PortfolioName = 'reseller' | 'second' | 'hobby'

/** `sellOut`: how many of the lots, the first ones, may be sold to the last unit; the others stay in the shelf. */
type Plan = { brickfolios: [string, string | null][]; lots: number; sellOut: number; sales: number }

const PLANS: Record<PortfolioName, Plan> = {
  reseller: {
    brickfolios: [
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
    brickfolios: [
      ['Inventory', null],
      ['Retiring soon', 'Bought in the last weeks on sale.'],
      ['Display', 'Ours to keep.'],
    ],
    lots: 78,
    sellOut: 10,
    sales: 20,
  },
  hobby: { brickfolios: [['My sets', null]], lots: 8, sellOut: 0, sales: 0 },
}

const YEARS_HELD = 3
const UNVALUED_EVERY = 40
// Every fifth lot is more of the lot before it, so that one sale can take units from two.
const TWIN_EVERY = 5
const QUANTITIES = [1, 1, 1, 1, 2, 2, 3, 4, 6]
const NOTES = ['Box corner dented', 'Bought with a coupon', 'Two boxes taped together', 'Missing sticker sheet']

/** What one account holds and sold: the same for the same seed and name. */
export function inventPortfolio(seed: number, name: PortfolioName, market: DemoMarket, today: Date): DemoPortfolio {
  const random = randomStream(seed, `portfolio ${name}`)
  const plan = PLANS[name]
  const bought = buyLots(random, plan, market, dayOf(today))
  const { sales, saleLots } = inventSales(random, plan, bought, market, dayOf(today))
  const sold = bought.map(() => 0)
  for (const lot of saleLots) sold[lot.holding] = at(sold, lot.holding) + lot.quantity
  const holdings = bought.map((lot, place): HoldingRow => {
    const quantity = lot.quantity - at(sold, place)
    return { ...lot, quantity, status: quantity > 0 && random.chance(0.15) ? 'listed' : 'owned' }
  })
  return { brickfolios: openBrickfolios(plan, dayOf(today)), holdings, sales, saleLots }
}

function openBrickfolios(plan: Plan, todayDay: number): BrickfolioRow[] {
  return plan.brickfolios.map(([name, description], place) => ({
    name,
    description,
    is_default: place === 0,
    created_at: `${dayText(todayDay - YEARS_HELD * 366 + place * 45)}T09:00:00.000Z`,
  }))
}

type Goods = Pick<HoldingRow, 'set_number' | 'condition'>

function buyLots(random: Random, plan: Plan, market: DemoMarket, todayDay: number): HoldingRow[] {
  const released = market.setValues.filter(({ set_number }) => releaseOf(market, set_number) < todayDay - 60)
  const sealed = released.filter(({ condition }) => condition === 'sealed')
  const used = released.filter(({ condition }) => condition === 'used')
  const unvalued = released.filter(({ value_usd }) => value_usd === null)
  const lots: HoldingRow[] = []
  for (let place = 0; place < plan.lots; place++) {
    const before = lots.at(-1)
    const isTwin = before !== undefined && place % TWIN_EVERY === TWIN_EVERY - 1
    const isUnvalued = place % UNVALUED_EVERY === 5 && unvalued.length > 0
    const goods = isTwin ? before : random.pick(isUnvalued ? unvalued : random.chance(0.85) ? sealed : used)
    const lot = buyLot(random, plan, goods, market, todayDay)
    lots.push(place === 0 ? gift(lot) : lot)
  }
  return lots
}

function releaseOf(market: DemoMarket, set_number: string): number {
  return market.lives.get(set_number)?.releaseDay ?? Infinity
}

function gift(lot: HoldingRow): HoldingRow {
  return { ...lot, quantity: 2, purchase_price_usd: usdText(0), notes: 'A gift' }
}

function buyLot(random: Random, plan: Plan, goods: Goods, market: DemoMarket, todayDay: number): HoldingRow {
  const { set_number, condition } = goods
  const day = random.int(Math.max(releaseOf(market, set_number), todayDay - YEARS_HELD * 365), todayDay - 7)
  const value = trueValue(market, set_number, condition, day)
  const lot: HoldingRow = {
    brickfolio: random.chance(0.5) ? 0 : random.int(0, plan.brickfolios.length - 1),
    set_number,
    condition,
    status: 'owned',
    quantity: random.pick(QUANTITIES),
    purchase_price_usd: usdText(Math.round(value * (0.62 + 0.43 * random.uniform()))),
    purchase_date: dayText(day),
    notes: random.chance(0.08) ? random.pick(NOTES) : null,
    created_at: `${dayText(day)}T12:00:00.000Z`,
  }
  return random.chance(0.03) ? gift(lot) : lot
}
