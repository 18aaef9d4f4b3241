import { type Condition, CONDITIONS } from '../../catalog/condition.ts'
import { valuePair } from './condition-pair.ts'
import { ACCEPT_SCALES, type ItemInput, type PriceModel, priceModel, type Valuation } from './estimate.ts'
import { growthByAge, type MarketGrowth, marketGrowth } from './growth.ts'
import { type LifeDates, lifeStage } from './life-stage.ts'
import { T4_MAD } from './price-noise.ts'
import { type KnownRatio, median, type Prior, priorOf, priorsOf, type PriorTable } from './priors.ts'
import { type SaleObservation, usableSales } from './usable-sales.ts'

const FIRST_SCALE: Record<Condition, number> = { sealed: 0.1, used: 0.17 }

const SCALE_DAYS = 60

const FIRST_RATIO_DAYS = 180

/** What the catalog tells of a set on a day. */
export type SetFacts = { theme: string; listCents: number | null; dates: LifeDates }

/** A set and the sales of it that are known on a day. */
export type SoldSet = { facts: SetFacts; sales: Record<Condition, readonly SaleObservation[]> }

export type ValuedSet = SoldSet & { valuation: Record<Condition, Valuation> }

/** What the values of one round teach about the next: how such sets compare to their list price, used to sealed, and
 * how far single sales stray. */
export type Lessons = {
  priors: Record<Condition, PriorTable | null>
  usedRatios: PriorTable | null
  scales: Record<Condition, number>
}

/** Before anything was ever published, the median of each set's own sales stands in for its value. */
export function firstLessons(sets: readonly SoldSet[], day: number): Lessons {
  const ratiosOf = (condition: Condition) =>
    sets.flatMap(({ facts, sales }) => {
      const recent = usableSales(sales[condition], day).filter((sale) => sale.day > day - FIRST_RATIO_DAYS)
      if (facts.listCents === null || recent.length < 3) return []
      return [ratio(facts, day, median(recent.map((sale) => Math.log(sale.unitCents))))]
    })
  return {
    priors: { sealed: priorsOf(ratiosOf('sealed')), used: priorsOf(ratiosOf('used')) },
    usedRatios: null,
    scales: FIRST_SCALE,
  }
}

/** What a round of values teaches. */
export function lessonsOf(sets: readonly ValuedSet[], day: number): Lessons {
  const ratiosOf = (condition: Condition) =>
    sets.flatMap(({ facts, valuation }) => {
      const { valueCents, tier } = valuation[condition]
      if (facts.listCents === null || valueCents === null || tier === 'modelled') return []
      return [ratio(facts, day, Math.log(valueCents))]
    })
  return {
    priors: { sealed: priorsOf(ratiosOf('sealed')), used: priorsOf(ratiosOf('used')) },
    usedRatios: priorsOf(usedToSealed(sets)),
    scales: { sealed: scaleOf(sets, 'sealed', day), used: scaleOf(sets, 'used', day) },
  }
}

/** How the whole market grew, by its sales up to a day. */
export function growthOf(sets: readonly SoldSet[], day: number): MarketGrowth {
  const members = sets.flatMap(({ facts, sales }) =>
    CONDITIONS.map((condition) => ({
      sales: usableSales(sales[condition], day),
      dates: facts.dates,
      theme: facts.theme,
      scale: FIRST_SCALE[condition],
    })),
  )
  return marketGrowth(members, day)
}

export type Published = ItemInput['previous']

/** Values sets one after another with what was learnt before. */
export class Appraiser {
  readonly models: Record<Condition, PriceModel>
  readonly #lessons: Lessons
  readonly #growth: MarketGrowth

  constructor(lessons: Lessons, growth: MarketGrowth) {
    this.#lessons = lessons
    this.#growth = growth
    this.models = { sealed: priceModel(lessons.scales.sealed), used: priceModel(lessons.scales.used) }
  }

  /** The values of a set as of a day; `previous` is what was published about a month before. */
  value(set: SoldSet, asOf: number, previous: Record<Condition, Published>): Record<Condition, Valuation> {
    return valuePair(this.inputsOf(set, asOf, previous), this.usedRatioOf(set.facts), this.models)
  }

  /** What goes into the values of a set. */
  inputsOf(
    { facts, sales }: SoldSet,
    asOf: number,
    previous: Record<Condition, Published>,
  ): Record<Condition, ItemInput> {
    const growth = growthByAge(this.#growth, facts.dates, facts.theme, asOf)
    const inputOf = (condition: Condition) => ({
      sales: sales[condition],
      asOf,
      prior: this.#priorOf(facts, condition, asOf),
      growth,
      previous: previous[condition],
    })
    return { sealed: inputOf('sealed'), used: inputOf('used') }
  }

  /** How used copies of such sets usually compare to sealed ones; null before anything is known of that. */
  usedRatioOf({ theme }: SetFacts): Prior | null {
    const { usedRatios } = this.#lessons
    return usedRatios === null ? null : priorOf(usedRatios, [theme], 0)
  }

  #priorOf({ dates, theme, listCents }: SetFacts, condition: Condition, asOf: number): Prior | null {
    const priors = this.#lessons.priors[condition]
    if (priors === null || listCents === null) return null
    return priorOf(priors, [lifeStage(dates, asOf), theme], Math.log(listCents))
  }
}

function ratio({ dates, theme, listCents }: SetFacts, day: number, logValue: number): KnownRatio {
  return { groups: [lifeStage(dates, day), theme], logRatio: logValue - Math.log(listCents!) }
}

function usedToSealed(sets: readonly ValuedSet[]): KnownRatio[] {
  return sets.flatMap(({ facts, valuation: { sealed, used } }) => {
    if (sealed.tier !== 'market' || used.tier !== 'market') return []
    return [{ groups: [facts.theme], logRatio: Math.log(used.valueCents! / sealed.valueCents!) }]
  })
}

function scaleOf(sets: readonly ValuedSet[], condition: Condition, day: number): number {
  const misses: number[] = []
  for (const { sales, valuation } of sets) {
    const { tier, valueCents } = valuation[condition]
    if (tier !== 'market') continue
    for (const sale of usableSales(sales[condition], day)) {
      if (sale.day > day - SCALE_DAYS) misses.push(Math.abs(Math.log(sale.unitCents / valueCents!)))
    }
  }
  return misses.length === 0 ? FIRST_SCALE[condition] : median(misses) / T4_MAD
}

/** How many units, and of how many sellers, sold between two days at prices that agree with a value. */
export function acceptedBetween(
  sales: readonly SaleObservation[],
  valueCents: number,
  scale: number,
  from: number,
  to: number,
): { units: number; sales: number; sellers: number } {
  const sellers = new Set<string | null>()
  let units = 0
  let accepted = 0
  for (const sale of usableSales(sales, to)) {
    if (sale.day < from || Math.abs(Math.log(sale.unitCents / valueCents)) > ACCEPT_SCALES * scale) continue
    units += sale.quantity
    accepted++
    sellers.add(sale.seller)
  }
  return { units, sales: accepted, sellers: sellers.size }
}

/** Everything a month teaches: about sets, how the market grew, and about minifigs. */
export type MarketLessons = {
  sets: Lessons
  growth: MarketGrowth
  minifigs: { priors: PriorTable | null; scale: number }
}

/** JSON knows neither maps nor typed arrays. */
export function dress(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { map: [...(value as Map<string, unknown>)] }
  if (value instanceof Float64Array) return { floats: [...value] }
  return value
}

export function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if ('map' in value) return new Map(value.map as [string, unknown][])
  return 'floats' in value ? Float64Array.from(value.floats as number[]) : value
}
