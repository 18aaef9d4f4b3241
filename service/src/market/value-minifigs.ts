import type { Database } from '../db/database.ts'
import { findMinifigFacts } from '../db/read/item-facts.ts'
import { publishMinifigValues } from '../db/write/value.ts'
import { valueItem, priceModel, type Valuation } from '../domain/valuation/estimate.ts'
import { T4_MAD } from '../domain/valuation/price-noise.ts'
import { median, priorOf, priorsOf, type KnownRatio } from '../domain/valuation/priors.ts'
import { usableSales, WINDOW_DAYS, type SaleObservation } from '../domain/valuation/usable-sales.ts'
import type { MarketLessons } from './lesson-store.ts'
import { SaleBook } from './sale-book.ts'

type MinifigLessons = MarketLessons['minifigs']
type Facts = Awaited<ReturnType<typeof findMinifigFacts>>[number]
type ValuedMinifig = { facts: Facts; sales: SaleObservation[]; valuation: Valuation }

/** Minifigs have no list price and no shelf life: nothing is known of how they grow. */
const NO_GROWTH = new Float64Array(WINDOW_DAYS + 1)
const FIRST_LESSONS: MinifigLessons = { priors: null, scale: 0.17 }

/** All minifigs and their sales since a day. */
export async function readMinifigs(db: Database, since: number): Promise<{ facts: Facts[]; book: SaleBook }> {
  const facts = await findMinifigFacts(db)
  const numbers = facts.map((one) => one.minifig_number)
  return { facts, book: await SaleBook.read(db, 'minifig', numbers, since) }
}

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

export async function publishMinifigs(db: Database, valued: ValuedMinifig[], now: Date): Promise<void> {
  const rows = valued.map(({ facts, valuation }) => ({ number: facts.minifig_number, valuation }))
  await publishMinifigValues(db, rows, now)
}

function groupsOf({ category, year_released }: Facts): string[] {
  return [category ?? 'unknown', String(year_released ?? 'unknown')]
}
