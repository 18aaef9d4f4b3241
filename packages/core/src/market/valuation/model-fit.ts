import { type Condition, CONDITIONS } from '../../catalog/condition.ts'
import { estimatePair } from './condition-pair.ts'
import { INLIER_SCALES, type EstimateInput, type PriceModel, createPriceModel, type Valuation } from './estimate.ts'
import { growthByAge, type MarketGrowth, fitMarketGrowth } from './growth.ts'
import { type LifeDates, lifeStage } from './life-stage.ts'
import { T4_MAD } from './price-noise.ts'
import { type RatioSample, median, type Prior, lookUpPrior, fitPriors, type PriorTable } from './priors.ts'
import { type MarketSale, usableSales } from './usable-sales.ts'

const DEFAULT_SCALE: Record<Condition, number> = { sealed: 0.1, used: 0.17 }

const SCALE_DAYS = 60

const INITIAL_RATIO_DAYS = 180

/** The catalog attributes of a set as known on a day. */
export type SetAttributes = { theme: string; listCents: number | null; dates: LifeDates }

/** A set and its sales as known on a day. */
export type SetWithSales = { attributes: SetAttributes; sales: Record<Condition, readonly MarketSale[]> }

export type ValuedSet = SetWithSales & { valuation: Record<Condition, Valuation> }

/** Parameters fitted on one round for the next: priors relative to list price, used/sealed ratios and noise scales. */
export type ModelFit = {
  priors: Record<Condition, PriorTable | null>
  usedRatios: PriorTable | null
  scales: Record<Condition, number>
}

/** Fits the model before any value was published, using the median of each set's own sales as its value. */
export function initialFit(sets: readonly SetWithSales[], day: number): ModelFit {
  const ratiosOf = (condition: Condition) =>
    sets.flatMap(({ attributes, sales }) => {
      const recent = usableSales(sales[condition], day).filter((sale) => sale.day > day - INITIAL_RATIO_DAYS)
      if (attributes.listCents === null || recent.length < 3) return []
      return [toListPriceRatio(attributes, day, median(recent.map((sale) => Math.log(sale.unitCents))))]
    })
  return {
    priors: { sealed: fitPriors(ratiosOf('sealed')), used: fitPriors(ratiosOf('used')) },
    usedRatios: null,
    scales: DEFAULT_SCALE,
  }
}

/** Fits the model to a round of values. */
export function fitModel(sets: readonly ValuedSet[], day: number): ModelFit {
  const ratiosOf = (condition: Condition) =>
    sets.flatMap(({ attributes, valuation }) => {
      const { valueCents, tier } = valuation[condition]
      if (attributes.listCents === null || valueCents === null || tier === 'modelled') return []
      return [toListPriceRatio(attributes, day, Math.log(valueCents))]
    })
  return {
    priors: { sealed: fitPriors(ratiosOf('sealed')), used: fitPriors(ratiosOf('used')) },
    usedRatios: fitPriors(usedToSealedRatios(sets)),
    scales: { sealed: fitNoiseScale(sets, 'sealed', day), used: fitNoiseScale(sets, 'used', day) },
  }
}

/** Fits market growth to the sales of all sets up to a day. */
export function fitGrowthFromSets(sets: readonly SetWithSales[], day: number): MarketGrowth {
  const members = sets.flatMap(({ attributes, sales }) =>
    CONDITIONS.map((condition) => ({
      sales: usableSales(sales[condition], day),
      dates: attributes.dates,
      theme: attributes.theme,
      scale: DEFAULT_SCALE[condition],
    })),
  )
  return fitMarketGrowth(members, day)
}

export type PreviousValue = EstimateInput['previous']

/** Values sets with a previously fitted model. */
export class SetValuer {
  readonly models: Record<Condition, PriceModel>
  readonly #fit: ModelFit
  readonly #growth: MarketGrowth

  constructor(fit: ModelFit, growth: MarketGrowth) {
    this.#fit = fit
    this.#growth = growth
    this.models = { sealed: createPriceModel(fit.scales.sealed), used: createPriceModel(fit.scales.used) }
  }

  /** Values a set as of a day; `previous` has the values published about a month before. */
  value(set: SetWithSales, asOf: number, previous: Record<Condition, PreviousValue>): Record<Condition, Valuation> {
    return estimatePair(this.inputsOf(set, asOf, previous), this.typicalUsedRatio(set.attributes), this.models)
  }

  /** Returns the estimator inputs of a set in both conditions. */
  inputsOf(
    { attributes, sales }: SetWithSales,
    asOf: number,
    previous: Record<Condition, PreviousValue>,
  ): Record<Condition, EstimateInput> {
    const growth = growthByAge(this.#growth, attributes.dates, attributes.theme, asOf)
    const inputOf = (condition: Condition) => ({
      sales: sales[condition],
      asOf,
      prior: this.#priorOf(attributes, condition, asOf),
      growth,
      previous: previous[condition],
    })
    return { sealed: inputOf('sealed'), used: inputOf('used') }
  }

  /** Returns the typical log ratio of used to sealed values for a set's theme; null until it has been fitted. */
  typicalUsedRatio({ theme }: SetAttributes): Prior | null {
    const { usedRatios } = this.#fit
    return usedRatios === null ? null : lookUpPrior(usedRatios, [theme], 0)
  }

  #priorOf({ dates, theme, listCents }: SetAttributes, condition: Condition, asOf: number): Prior | null {
    const priors = this.#fit.priors[condition]
    if (priors === null || listCents === null) return null
    return lookUpPrior(priors, [lifeStage(dates, asOf), theme], Math.log(listCents))
  }
}

function toListPriceRatio({ dates, theme, listCents }: SetAttributes, day: number, logValue: number): RatioSample {
  return { groups: [lifeStage(dates, day), theme], logRatio: logValue - Math.log(listCents!) }
}

function usedToSealedRatios(sets: readonly ValuedSet[]): RatioSample[] {
  return sets.flatMap(({ attributes, valuation: { sealed, used } }) => {
    if (sealed.tier !== 'market' || used.tier !== 'market') return []
    return [{ groups: [attributes.theme], logRatio: Math.log(used.valueCents! / sealed.valueCents!) }]
  })
}

function fitNoiseScale(sets: readonly ValuedSet[], condition: Condition, day: number): number {
  const residuals: number[] = []
  for (const { sales, valuation } of sets) {
    const { tier, valueCents } = valuation[condition]
    if (tier !== 'market') continue
    for (const sale of usableSales(sales[condition], day)) {
      if (sale.day > day - SCALE_DAYS) residuals.push(Math.abs(Math.log(sale.unitCents / valueCents!)))
    }
  }
  return residuals.length === 0 ? DEFAULT_SCALE[condition] : median(residuals) / T4_MAD
}

/** Counts units, sales and distinct sellers between two days (inclusive) at prices consistent with a value. */
export function countInlierSales(
  sales: readonly MarketSale[],
  valueCents: number,
  scale: number,
  from: number,
  to: number,
): { units: number; sales: number; sellers: number } {
  const sellers = new Set<string | null>()
  let units = 0
  let accepted = 0
  for (const sale of usableSales(sales, to)) {
    if (sale.day < from || Math.abs(Math.log(sale.unitCents / valueCents)) > INLIER_SCALES * scale) continue
    units += sale.quantity
    accepted++
    sellers.add(sale.seller)
  }
  return { units, sales: accepted, sellers: sellers.size }
}

/** All parameters fitted on a month: sets, market growth and minifigs. */
export type MarketFit = {
  sets: ModelFit
  growth: MarketGrowth
  minifigs: { priors: PriorTable | null; scale: number }
}

/** Makes `JSON.stringify` preserve maps and typed arrays. */
export function replacer(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { map: [...(value as Map<string, unknown>)] }
  if (value instanceof Float64Array) return { floats: [...value] }
  return value
}

/** Restores the maps and typed arrays written with `replacer`. */
export function reviver(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if ('map' in value) return new Map(value.map as [string, unknown][])
  return 'floats' in value ? Float64Array.from(value.floats as number[]) : value
}
