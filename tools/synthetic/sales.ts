import { CONDITIONS } from '@brickmark/core/catalog/condition'
import { samplePrice, type SaleFlag, type SaleLabel } from './contamination.ts'
import type { DailyPath } from './daily-path.ts'
import { MARKET_SHAPES, saleNoise, sellerLevel, type MarketShape, type SaleNoise } from './market-shape.ts'
import { elementAt, randomStream, type Random } from './random.ts'
import type { Condition } from './types.ts'

/** A sale as a source would report it, plus its true label. Days since 1970-01-01. */
export type SyntheticSale = {
  /** The source's own id; a row sent twice has the same id. */
  saleId: string
  item: string
  condition: Condition
  day: number
  /** The day the row arrived: usually within two days of the sale, sometimes months later. */
  arrivalDay: number
  unitCents: number
  quantity: number
  /** Null if the source doesn't say. */
  seller: string | null
  buyer: string | null
  flag: SaleFlag | null
  label: SaleLabel
}

/** A returned sale; known from `day` on. */
type SyntheticReturn = { saleId: string; day: number }

export type SyntheticSales = { sales: SyntheticSale[]; returns: SyntheticReturn[] }

export type SalesOptions = { firstDay: number; lastDay: number; shape?: MarketShape }

const SELLERS = 400
const BUYERS = 20_000
const ONE_TIME_BUYERS = 5_000_000
const MONTH = 30.4
const SHARES = { washTradeRing: 0.04, returned: 0.02, late: 0.04, resent: 0.01, repeated: 0.005 }

/** Generates the sales of all items from `firstDay` to `lastDay`, in order of arrival; deterministic per seed. */
export function generateSales(seed: number, paths: Map<string, DailyPath>, options: SalesOptions): SyntheticSales {
  const allSales: SyntheticSales = { sales: [], returns: [] }
  for (const [item, path] of paths) {
    const random = randomStream(seed, `sales ${item}`)
    const sealedRate = sampleRate(random, (options.shape ?? MARKET_SHAPES.base).medianRate)
    const rates = { sealed: sealedRate, used: sealedRate * random.lognormal(1, 0.4) }
    for (const condition of CONDITIONS) {
      const generated = generateItemSales(random, { item, condition, path }, rates[condition], options)
      allSales.sales.push(...generated.sales)
      allSales.returns.push(...generated.returns)
    }
  }
  allSales.sales.sort((a, b) => a.arrivalDay - b.arrivalDay || (a.saleId < b.saleId ? -1 : 1))
  return allSales
}

const BESTSELLERS = { share: 0.01, minFactor: 20, maxFactor: 300, maxRate: 3000 }

/** Samples the sales per month of a set: a few sell every day, very few a hundred times a day. */
function sampleRate(random: Random, medianRate: number): number {
  const rate = random.lognormal(medianRate, 0.9)
  if (!random.chance(BESTSELLERS.share)) return rate
  const { minFactor, maxFactor, maxRate } = BESTSELLERS
  return Math.min(maxRate, rate * minFactor * (maxFactor / minFactor) ** random.uniform())
}

type SaleSubject = { item: string; condition: Condition; path: DailyPath }
type NoiseOf = Record<Condition, SaleNoise>

/** Generates the sales of one item in one condition at `rate` sales per month, including contamination. */
export function generateItemSales(
  random: Random,
  subject: SaleSubject,
  rate: number,
  { firstDay, lastDay, shape = MARKET_SHAPES.base }: SalesOptions,
): SyntheticSales {
  const generatedSales: SyntheticSales = { sales: [], returns: [] }
  const cents = Math.exp(subject.path[subject.condition].at(-1)!)
  const noiseOf = {
    sealed: saleNoise(shape, random, 'sealed', cents),
    used: saleNoise(shape, random, 'used', cents),
  }
  for (let day = Math.max(firstDay, subject.path.firstDay); day <= lastDay; day++) {
    for (let count = random.poisson(rate / MONTH); count > 0; count--) {
      const sale = generateSale(random, subject, day, shape, noiseOf)
      generatedSales.sales.push(sale, ...duplicatesOf(random, sale))
      if (random.chance(SHARES.returned))
        generatedSales.returns.push({ saleId: sale.saleId, day: day + random.int(3, 40) })
    }
  }
  if (random.chance(SHARES.washTradeRing))
    generatedSales.sales.push(...washTradeRing(random, subject, { firstDay, lastDay }))
  return { ...generatedSales, sales: generatedSales.sales.map((sale) => withKnownParties(sale, shape)) }
}

/** Generates fake sales at `factor` times the true value, cycling through `sellers` and `buyers`. */
export function washSales(
  random: Random,
  { item, condition, path }: SaleSubject,
  plan: { days: number[]; factor: number; sellers: string[]; buyers: string[] },
): SyntheticSale[] {
  return plan.days.map((day, index) => ({
    ...generateEvent(random, { item, condition }, day, elementAt(plan.sellers, index % plan.sellers.length)),
    buyer: elementAt(plan.buyers, index % plan.buyers.length),
    unitCents: toCents(trueLogValueAt(path, condition, day) + Math.log(plan.factor) + random.normal(0, 0.02)),
    quantity: 1,
    flag: null,
    label: 'wash',
  }))
}

/** Returns a sale as a source of this market reports it. */
export function withKnownParties(sale: SyntheticSale, { sellers, buyers }: MarketShape): SyntheticSale {
  return {
    ...sale,
    seller: sellers === 'unknown' ? null : sale.seller,
    buyer: buyers === 'unknown' ? null : sale.buyer,
  }
}

/** Picks a seller; a few of them make most of the sales. */
export function randomSeller(random: Random): string {
  return `seller-${random.zipf(SELLERS)}`
}

/** Picks a buyer. */
export function randomBuyer(random: Random, buyers = BUYERS): string {
  return `buyer-${random.int(1, buyers)}`
}

function generateSale(
  random: Random,
  { item, condition, path }: SaleSubject,
  day: number,
  shape: MarketShape,
  noiseOf: NoiseOf,
): SyntheticSale {
  const truth = { sealed: trueLogValueAt(path, 'sealed', day), used: trueLogValueAt(path, 'used', day) }
  const { logPrice, label, flag } = samplePrice(random, truth, condition, noiseOf)
  const seller = randomSeller(random)
  return {
    ...generateEvent(random, { item, condition }, day, seller),
    buyer: randomBuyer(random, shape.buyers === 'one-time' ? ONE_TIME_BUYERS : BUYERS),
    unitCents: toCents(logPrice + sellerLevel(shape, seller)),
    quantity: random.chance(0.96) ? 1 : random.int(2, 4),
    flag,
    label,
  }
}

function generateEvent(
  random: Random,
  { item, condition }: Pick<SaleSubject, 'item' | 'condition'>,
  day: number,
  seller: string,
) {
  const arrivalDay = day + (random.chance(SHARES.late) ? random.int(10, 90) : random.int(0, 2))
  return { saleId: random.hex(16), item, condition, day, arrivalDay, seller }
}

// The same row sent again, or the same two parties trading again because the first deal fell through.
function duplicatesOf(random: Random, sale: SyntheticSale): SyntheticSale[] {
  if (random.chance(SHARES.resent)) return [{ ...sale, arrivalDay: sale.arrivalDay + random.int(0, 20) }]
  if (!random.chance(SHARES.repeated)) return []
  const delay = random.int(1, 20)
  const { day, arrivalDay } = sale
  const unitCents = Math.max(1, Math.round(sale.unitCents * random.lognormal(1, 0.02)))
  return [
    {
      ...sale,
      saleId: random.hex(16),
      day: day + delay,
      arrivalDay: arrivalDay + delay,
      unitCents,
      label: 'repeated',
    },
  ]
}

function washTradeRing(random: Random, subject: SaleSubject, { firstDay, lastDay }: SalesOptions): SyntheticSale[] {
  const start = random.int(Math.max(firstDay, subject.path.firstDay), lastDay)
  const count = random.int(4, 12)
  const days = Array.from({ length: count }, () => Math.min(lastDay, start + random.int(0, 30)))
  const fresh = random.chance(0.5)
  const seller = () => (fresh ? `ring-${random.hex(6)}` : randomSeller(random))
  return washSales(random, subject, {
    days,
    factor: 1.4 + 1.1 * random.uniform(),
    sellers: Array.from({ length: random.int(1, 3) }, seller),
    buyers: Array.from({ length: random.int(1, 5) }, () => randomBuyer(random)),
  })
}

function trueLogValueAt(path: DailyPath, condition: Condition, day: number): number {
  const value = path[condition][day - path.firstDay]
  if (value === undefined) throw new Error(`The item was not released on day ${day}.`)
  return value
}

function toCents(logPrice: number): number {
  return Math.max(1, Math.round(Math.exp(logPrice)))
}
