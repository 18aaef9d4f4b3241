import { type Condition, CONDITIONS } from '../../catalog/condition.ts'
import { estimatePair } from './condition-pair.ts'
import {
  INLIER_SCALES,
  T4_P90,
  type EstimateInput,
  type PriceModel,
  createPriceModel,
  type Valuation,
} from './estimate.ts'
import { growthByAge, type MarketGrowth, type MarketItem, fitMarketGrowth } from './growth.ts'
import { type LifeDates, lifeStage } from './life-stage.ts'
import { T4_MAD } from './price-noise.ts'
import {
  type RatioSample,
  combinePriors,
  median,
  type Prior,
  lookUpPrior,
  fitPriors,
  type PriorTable,
} from './priors.ts'
import { type MarketSale, usableSales } from './usable-sales.ts'

const DEFAULT_SCALE: Record<Condition, number> = { sealed: 0.1, used: 0.17 }

const SCALE_DAYS = 60

const INITIAL_RATIO_DAYS = 180

const MIN_RETAIL_RATIOS = 20
/** The only group of retail ratios. */
const ON_SHELF = 'on shelf'

/** The catalog attributes of a set as known on a day. */
export type SetAttributes = {
  theme: string
  listCents: number | null
  /** What a retailer that still sells the set itself charges. */
  retailCents: number | null
  dates: LifeDates
}

/** A set and its sales as known on a day. */
export type SetWithSales = { attributes: SetAttributes; sales: Record<Condition, readonly MarketSale[]> }

export type ValuedSet = SetWithSales & { valuation: Record<Condition, Valuation> }

/**
 * Parameters fitted on one round for the next: priors relative to list price, ratios to the retail price and of used to
 * sealed values, and noise scales.
 */
export type ModelFit = {
  priors: Record<Condition, PriorTable | null>
  /** Of sealed values to the retail price of sets on the shelf; null until it has been fitted. */
  retailRatios?: PriorTable | null
  usedRatios: PriorTable | null
  scales: Record<Condition, number>
  /** The 90th percentile of the noise, in scales. */
  p90s: Record<Condition, number>
}

/**
 * Fits growth, and a first model before any value was published, to a sample of the market. Sets are added one by one,
 * and little of each is kept, so that their sales needn't be in memory together.
 */
export class MarketSample {
  readonly #day: number
  readonly #items: MarketItem[] = []
  readonly #ratios: Record<Condition, RatioSample[]> = { sealed: [], used: [] }

  constructor(day: number) {
    this.#day = day
  }

  add({ attributes, sales }: SetWithSales): void {
    const { dates, theme } = attributes
    for (const condition of CONDITIONS) {
      const usable = usableSales(sales[condition], this.#day)
      const logPrices = Float64Array.from(usable, (sale) => Math.log(sale.unitCents))
      const days = Int32Array.from(usable, (sale) => sale.day)
      this.#items.push({ sales: { days, logPrices }, dates, theme, scale: DEFAULT_SCALE[condition] })
      const recent = logPrices.filter((_, index) => days[index]! > this.#day - INITIAL_RATIO_DAYS)
      if (attributes.listCents !== null && recent.length >= 3)
        this.#ratios[condition].push(toListPriceRatio(attributes, this.#day, median(recent)))
    }
  }

  fitGrowth(): MarketGrowth {
    return fitMarketGrowth(this.#items, this.#day)
  }

  /** Uses the median of each set's own sales as its value. */
  fitInitialModel(): ModelFit {
    return {
      priors: { sealed: fitPriors(this.#ratios.sealed), used: fitPriors(this.#ratios.used) },
      usedRatios: null,
      scales: DEFAULT_SCALE,
      p90s: { sealed: T4_P90, used: T4_P90 },
    }
  }
}

export function sampleMarket(sets: readonly SetWithSales[], day: number): MarketSample {
  const sample = new MarketSample(day)
  for (const set of sets) sample.add(set)
  return sample
}

/** Fits the model to a round of values, added one by one. */
export class ModelFitter {
  readonly #day: number
  readonly #ratios: Record<Condition, RatioSample[]> = { sealed: [], used: [] }
  readonly #retailRatios: RatioSample[] = []
  readonly #usedRatios: RatioSample[] = []
  readonly #residuals: Record<Condition, number[]> = { sealed: [], used: [] }

  constructor(day: number) {
    this.#day = day
  }

  add({ attributes, sales, valuation }: ValuedSet): void {
    for (const condition of CONDITIONS) {
      const { valueCents, tier } = valuation[condition]
      if (valueCents === null || tier === 'modelled') continue
      if (attributes.listCents !== null)
        this.#ratios[condition].push(toListPriceRatio(attributes, this.#day, Math.log(valueCents)))
      if (tier !== 'market') continue
      for (const sale of usableSales(sales[condition], this.#day)) {
        if (sale.day > this.#day - SCALE_DAYS)
          this.#residuals[condition].push(Math.abs(Math.log(sale.unitCents / valueCents)))
      }
    }
    const { sealed, used } = valuation
    if (sealed.tier === 'market' && attributes.retailCents !== null)
      this.#retailRatios.push({ groups: [ON_SHELF], logRatio: Math.log(sealed.valueCents! / attributes.retailCents) })
    if (sealed.tier === 'market' && used.tier === 'market')
      this.#usedRatios.push({
        groups: [attributes.theme],
        logRatio: Math.log(used.valueCents! / sealed.valueCents!),
      })
  }

  fit(): ModelFit {
    const sealed = fitNoise(this.#residuals.sealed, DEFAULT_SCALE.sealed)
    const used = fitNoise(this.#residuals.used, DEFAULT_SCALE.used)
    return {
      priors: { sealed: fitPriors(this.#ratios.sealed), used: fitPriors(this.#ratios.used) },
      retailRatios: this.#retailRatios.length < MIN_RETAIL_RATIOS ? null : fitPriors(this.#retailRatios),
      usedRatios: fitPriors(this.#usedRatios),
      scales: { sealed: sealed.scale, used: used.scale },
      p90s: { sealed: sealed.p90, used: used.p90 },
    }
  }
}

export function fitModel(sets: readonly ValuedSet[], day: number): ModelFit {
  const fitter = new ModelFitter(day)
  for (const set of sets) fitter.add(set)
  return fitter.fit()
}

export type PreviousValues = EstimateInput['previous']

/** Values sets with a previously fitted model. */
export class SetValuer {
  readonly models: Record<Condition, PriceModel>
  readonly #fit: ModelFit
  readonly #growth: MarketGrowth

  constructor(fit: ModelFit, growth: MarketGrowth) {
    this.#fit = fit
    this.#growth = growth
    this.models = {
      sealed: createPriceModel(fit.scales.sealed, fit.p90s?.sealed),
      used: createPriceModel(fit.scales.used, fit.p90s?.used),
    }
  }

  /** Values a set as of a day; `previous` has the values published in the last six months. */
  value(set: SetWithSales, asOf: number, previous: Record<Condition, PreviousValues>): Record<Condition, Valuation> {
    return estimatePair(this.inputsOf(set, asOf, previous), this.typicalUsedRatio(set.attributes), this.models)
  }

  /** Returns the estimator inputs of a set in both conditions. */
  inputsOf(
    { attributes, sales }: SetWithSales,
    asOf: number,
    previous: Record<Condition, PreviousValues>,
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

  #priorOf(attributes: SetAttributes, condition: Condition, asOf: number): Prior | null {
    const { dates, theme, listCents } = attributes
    const priors = this.#fit.priors[condition]
    const listed =
      priors === null || listCents === null
        ? null
        : lookUpPrior(priors, [lifeStage(dates, asOf), theme], Math.log(listCents))
    const retail = condition === 'sealed' ? this.#retailPrior(attributes) : null
    return listed === null || retail === null ? (listed ?? retail) : combinePriors(listed, retail)
  }

  /** Buyers rarely pay much more for a sealed set than retailers charge. */
  #retailPrior({ retailCents }: SetAttributes): Prior | null {
    const ratios = this.#fit.retailRatios ?? null
    return ratios === null || retailCents === null ? null : lookUpPrior(ratios, [ON_SHELF], Math.log(retailCents))
  }
}

function toListPriceRatio({ dates, theme, listCents }: SetAttributes, day: number, logValue: number): RatioSample {
  return { groups: [lifeStage(dates, day), theme], logRatio: logValue - Math.log(listCents!) }
}

const MIN_RESIDUALS = 50

/** Fits the scale of the noise, and how heavy its tails are: prices of some markets scatter more than Student's t. */
function fitNoise(residuals: readonly number[], defaultScale: number): { scale: number; p90: number } {
  if (residuals.length === 0) return { scale: defaultScale, p90: T4_P90 }
  const scale = median(residuals) / T4_MAD
  if (residuals.length < MIN_RESIDUALS) return { scale, p90: T4_P90 }
  const eightyPercent = Float64Array.from(residuals).sort()[Math.floor(0.8 * residuals.length)]!
  return { scale, p90: Math.max(T4_P90, eightyPercent / scale) }
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
