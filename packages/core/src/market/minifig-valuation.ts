import type { SaleBook } from './sale-store.ts'
import { priceModel, type Valuation, valueItem } from './valuation/estimate.ts'
import type { MarketLessons } from './valuation/model-fit.ts'
import { T4_MAD } from './valuation/price-noise.ts'
import { type KnownRatio, median, priorOf, priorsOf } from './valuation/priors.ts'
import { type SaleObservation, usableSales, WINDOW_DAYS } from './valuation/usable-sales.ts'

type MinifigLessons = MarketLessons['minifigs']

/** The catalog attributes of a minifig that its value depends on. */
export type Facts = { minifig_number: string; category: string | null; year_released: number | null }

export type ValuedMinifig = { facts: Facts; sales: SaleObservation[]; valuation: Valuation }

/** Minifigs have no list price and no shelf life: nothing is known of how they grow. */
const NO_GROWTH = new Float64Array(WINDOW_DAYS + 1)

const FIRST_LESSONS: MinifigLessons = { priors: null, scale: 0.17 }

/** The values of minifigs as of a day, with the prior of their category and year. */
export function appraiseMinifigs(
  { facts, book }: { facts: Facts[]; book: SaleBook },
  lessons: MinifigLessons | undefined,
  asOf: number,
  knownOn: number,
): ValuedMinifig[] {
  const { priors, scale } = lessons ?? FIRST_LESSONS
  const model = priceModel(scale)
  return facts.map((one) => {
    const sales = book.salesOf(one.minifig_number, 'used', asOf, knownOn)
    const prior = priors === null ? null : priorOf(priors, groupsOf(one), 0)
    const valuation = valueItem({ sales, asOf, prior, growth: NO_GROWTH, previous: null }, model)
    return { facts: one, sales, valuation }
  })
}

/** What the values of minifigs teach about others of their category and year. */
export function minifigLessons(valued: ValuedMinifig[], asOf: number): MinifigLessons {
  const known: KnownRatio[] = []
  const misses: number[] = []
  for (const { facts, sales, valuation } of valued) {
    const { tier, valueCents } = valuation
    if (valueCents === null || tier === 'modelled') continue
    known.push({ groups: groupsOf(facts), logRatio: Math.log(valueCents) })
    for (const sale of usableSales(sales, asOf)) misses.push(Math.abs(Math.log(sale.unitCents / valueCents)))
  }
  return { priors: priorsOf(known), scale: misses.length === 0 ? FIRST_LESSONS.scale : median(misses) / T4_MAD }
}

function groupsOf({ category, year_released }: Facts): string[] {
  return [category ?? 'unknown', String(year_released ?? 'unknown')]
}
