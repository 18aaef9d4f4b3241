import { randomStream } from '../synthetic/random.ts'
import { randomBuyer, washSales, withKnownParties, type SyntheticSale } from '../synthetic/sales.ts'
import type { MarketShape } from '../synthetic/market-shape.ts'
import type { DataTier } from '@brickmark/core/market/valuation/estimate'
import { retiredItems, simulateItem, valueItem } from './item-simulation.ts'
import type { BacktestMarket, Item } from './market.ts'
import type { Round } from './rounds.ts'

const SLOW_WALK = { rate: 4, days: 180, fakes: 80, factor: 1.115 }
const BURST = { rate: 8, days: 30, fakes: 10, factor: 2 }
const FIRST_VALUE = { fakes: 10, factor: 3, days: 30 }
const ANONYMOUS = { sellers: 'unknown', buyers: 'unknown' } as const

/** Results of attacks on single sets, as a share of the value without the attack; the 90th percentile of 15 sets. */
export type TargetedAttacks = {
  /** One seller's 80 fake sales in six months, each a little above the published value; 4 genuine sales a month. */
  slowWalk: number
  /** Ten fake sales at twice the value within 30 days, beside 8 genuine sales a month. */
  sixSellers: number
  anonymous: number
  /** Ten fake sales at three times the prior, by three new sellers, of a set without other sales. */
  firstValue: { shift: number; marketTier: number; coversPrior: number }
}

export function simulateTargetedAttacks(market: BacktestMarket, round: Round, seed: number): TargetedAttacks {
  const items = retiredItems(market, round.day + 1)
  const anonymousMarket: BacktestMarket = { ...market, shape: { ...market.shape, ...ANONYMOUS } }
  const first = items.map((item) => attackFirstValue(market, round, item, seed))
  return {
    slowWalk: p90(items.map((item) => attackSlowly(market, round, item, seed))),
    sixSellers: p90(items.map((item) => attackQuickly(market, round, item, seed, 'puppet'))),
    anonymous: p90(items.map((item) => attackQuickly(anonymousMarket, round, item, seed, 'nobody'))),
    firstValue: {
      shift: p90(first.map(({ shift }) => shift)),
      marketTier: first.filter(({ tier }) => tier === 'market').length / first.length,
      coversPrior: first.filter(({ coversPrior }) => coversPrior).length / first.length,
    },
  }
}

function attackSlowly(market: BacktestMarket, round: Round, item: Item, seed: number): number {
  const { rate, days, fakes, factor } = SLOW_WALK
  const fromDay = round.day + 1
  const label = `slow walk ${seed}`
  const plain = simulateItem(market, item, { label, rate, fromDay, days, factor: 1 })
  const attacked = { ...plain, sales: [...plain.sales] }
  const random = randomStream(seed, `${label} ${item.number}`)
  const establishedMarket = withEstablished(market, ['walker'], round.day)
  const valueAttacked = (day: number) => valueItem(establishedMarket, round, attacked, day).valueCents
  let published = valueAttacked(round.day)
  for (let day = fromDay; day < fromDay + days; day++) {
    const due = Math.floor(((day - fromDay + 1) * fakes) / days) - Math.floor(((day - fromDay) * fakes) / days)
    for (let count = 0; count < due && published !== null; count++) {
      const [fake] = washSales(random, toSubject(attacked), {
        days: [day],
        factor: 1,
        sellers: ['walker'],
        buyers: [randomBuyer(random)],
      })
      const sale = { ...fake!, arrivalDay: day, unitCents: Math.round(published * factor) }
      attacked.sales.push(withKnownParties(sale, market.shape))
    }
    published = valueAttacked(day)
  }
  const honest = valueItem(market, round, plain, fromDay + days - 1).valueCents
  return published === null || honest === null ? 0 : published / honest - 1
}

function attackQuickly(market: BacktestMarket, round: Round, item: Item, seed: number, prefix: string): number {
  const { rate, days, fakes, factor } = BURST
  const fromDay = round.day + 1
  const sellers = Array.from({ length: 6 }, (_, index) => `${prefix} ${index}`)
  const plain = simulateItem(market, item, { label: `${prefix} ${seed}`, rate, fromDay, days, factor: 1 })
  const random = randomStream(seed, `${prefix} ${item.number}`)
  const attack = washSales(random, toSubject(plain), {
    days: Array.from({ length: fakes }, () => fromDay + random.int(0, days - 1)),
    factor,
    sellers,
    buyers: Array.from({ length: fakes }, () => randomBuyer(random)),
  })
  const attacked = { ...plain, sales: [...plain.sales, ...report(attack, market.shape)] }
  const establishedMarket = withEstablished(market, sellers, round.day)
  let shift = 0
  for (let day = fromDay; day <= fromDay + days; day++) {
    const honest = valueItem(market, round, plain, day).valueCents
    const published = valueItem(establishedMarket, round, attacked, day).valueCents
    if (honest !== null && published !== null) shift = Math.max(shift, Math.abs(published / honest - 1))
  }
  return shift
}

function attackFirstValue(
  market: BacktestMarket,
  round: Round,
  item: Item,
  seed: number,
): { shift: number; tier: DataTier; coversPrior: boolean } {
  const random = randomStream(seed, `first value ${item.number}`)
  const unsold = { ...item, sales: [] as SyntheticSale[] }
  const prior = valueItem(market, round, unsold, round.day).valueCents!
  const { fakes, factor, days } = FIRST_VALUE
  const attack = washSales(random, toSubject(item), {
    days: Array.from({ length: fakes }, () => round.day - random.int(0, days - 1)),
    factor,
    sellers: ['new 1', 'new 2', 'new 3'],
    buyers: Array.from({ length: fakes }, () => randomBuyer(random)),
  }).map((sale) => ({ ...sale, unitCents: Math.round(prior * factor) }))
  const attacked = { ...item, sales: report(attack, market.shape) }
  const { valueCents, lowCents, highCents, tier } = valueItem(market, round, attacked, round.day)
  return { shift: Math.abs(valueCents! / prior - 1), tier, coversPrior: lowCents! <= prior && highCents! >= prior }
}

function report(sales: SyntheticSale[], shape: MarketShape): SyntheticSale[] {
  return sales.map((sale) => withKnownParties({ ...sale, arrivalDay: sale.day }, shape))
}

function toSubject({ number, path }: Item) {
  return { item: number, condition: 'sealed' as const, path }
}

function withEstablished(market: BacktestMarket, parties: string[], day: number): BacktestMarket {
  return {
    ...market,
    establishedFrom: new Map([...market.establishedFrom, ...parties.map((party) => [party, day] as const)]),
  }
}

function p90(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(0.9 * values.length)] ?? NaN
}
