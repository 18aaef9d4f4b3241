import { type Condition, CONDITIONS } from '../../catalog/condition.ts'
import { estimatePair } from './condition-pair.ts'
import { type Dynamics, fitDynamics, type Volatility } from './dynamics.ts'
import {
  createPriceModel,
  type EstimateInput,
  INLIER_SCALES,
  MODEL_WIDTHS,
  type PriceModel,
  type RangeWidths,
  type Valuation,
} from './estimate.ts'
import { growthByAge, type MarketGrowth, type MarketItem, fitMarketGrowth } from './growth.ts'
import { type LifeDates, lifeStage } from './life-stage.ts'
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

/** A volatility of 2.6 % per week, and three times as much around the release. */
const DEFAULT_VOLATILITY: Volatility = { base: 1e-4, release: 1e-3 }

const DEFAULT_DYNAMICS: Record<Condition, Dynamics> = {
  sealed: { scale: 0.11, volatility: DEFAULT_VOLATILITY },
  used: { scale: 0.23, volatility: DEFAULT_VOLATILITY },
}

/** Ratios are fitted to the median of a set's sales in this many days, if there are enough. */
const RATIO_DAYS = 180
const MIN_RATIO_SALES = 3

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
 * Parameters of the set model: priors relative to list price, ratios to the retail price and of used to sealed values, how
 * prices scatter and move, and how wide ranges must be. They are fitted to sales, never to values.
 */
export type ModelFit = {
  priors: Record<Condition, PriorTable | null>
  /** Of sealed prices to the retail price of sets on the shelf. */
  retailRatios: PriorTable | null
  usedRatios: PriorTable | null
  dynamics: Record<Condition, Dynamics>
  widths: Record<Condition, RangeWidths>
}

/**
 * Fits growth and dynamics to a sample of the market. Sets are added one by one, and little of each is kept, so that their
 * sales needn't be in memory together.
 */
export class MarketSample {
  readonly #day: number
  readonly #items: Record<Condition, MarketItem[]> = { sealed: [], used: [] }
  readonly #ratios: RatioFitter

  constructor(day: number) {
    this.#day = day
    this.#ratios = new RatioFitter(day)
  }

  add(set: SetWithSales): void {
    const { dates, theme } = set.attributes
    for (const condition of CONDITIONS) {
      const usable = usableSales(set.sales[condition], this.#day)
      const logPrices = Float64Array.from(usable, (sale) => Math.log(sale.unitCents))
      const days = Int32Array.from(usable, (sale) => sale.day)
      this.#items[condition].push({
        sales: { days, logPrices },
        dates,
        theme,
        scale: DEFAULT_DYNAMICS[condition].scale,
      })
    }
    this.#ratios.add(set)
  }

  fitGrowth(): MarketGrowth {
    return fitMarketGrowth([...this.#items.sealed, ...this.#items.used], this.#day)
  }

  fitDynamics(): Record<Condition, Dynamics> {
    const fitCondition = (condition: Condition) =>
      fitDynamics(
        this.#items[condition].map(({ sales, dates }) => ({ ...sales, releaseDay: dates.releaseDay })),
        DEFAULT_DYNAMICS[condition],
      )
    return { sealed: fitCondition('sealed'), used: fitCondition('used') }
  }

  fitRatios(): ReturnType<RatioFitter['fit']> {
    return this.#ratios.fit()
  }

  /** Returns the model of a market before its first month is finalized. */
  fitInitialModel(): ModelFit {
    return {
      ...this.fitRatios(),
      dynamics: DEFAULT_DYNAMICS,
      widths: { sealed: MODEL_WIDTHS, used: MODEL_WIDTHS },
    }
  }
}

export function sampleMarket(sets: readonly SetWithSales[], day: number): MarketSample {
  const sample = new MarketSample(day)
  for (const set of sets) sample.add(set)
  return sample
}

/** Fits the typical ratios of prices to list prices, to retail prices and of used to sealed copies; sets are added one by one. */
export class RatioFitter {
  readonly #day: number
  readonly #listRatios: Record<Condition, RatioSample[]> = { sealed: [], used: [] }
  readonly #retailRatios: RatioSample[] = []
  readonly #usedRatios: RatioSample[] = []

  constructor(day: number) {
    this.#day = day
  }

  add({ attributes, sales }: SetWithSales): void {
    const recent = { sealed: this.#recentMedian(sales.sealed), used: this.#recentMedian(sales.used) }
    for (const condition of CONDITIONS) {
      const logPrice = recent[condition]
      if (logPrice !== null && attributes.listCents !== null)
        this.#listRatios[condition].push(toListPriceRatio(attributes, this.#day, logPrice))
    }
    if (recent.sealed === null) return
    if (attributes.retailCents !== null)
      this.#retailRatios.push({ groups: [ON_SHELF], logRatio: recent.sealed - Math.log(attributes.retailCents) })
    if (recent.used !== null)
      this.#usedRatios.push({ groups: [attributes.theme], logRatio: recent.used - recent.sealed })
  }

  fit(): Pick<ModelFit, 'priors' | 'retailRatios' | 'usedRatios'> {
    return {
      priors: { sealed: fitPriors(this.#listRatios.sealed), used: fitPriors(this.#listRatios.used) },
      retailRatios: this.#retailRatios.length < MIN_RETAIL_RATIOS ? null : fitPriors(this.#retailRatios),
      usedRatios: fitPriors(this.#usedRatios),
    }
  }

  #recentMedian(sales: readonly MarketSale[]): number | null {
    const recent = usableSales(sales, this.#day).filter(({ day }) => day > this.#day - RATIO_DAYS)
    return recent.length < MIN_RATIO_SALES ? null : median(recent.map(({ unitCents }) => Math.log(unitCents)))
  }
}

/** Values sets with a previously fitted model. */
export class SetValuer {
  readonly models: Record<Condition, PriceModel>
  readonly #fit: ModelFit
  readonly #growth: MarketGrowth

  constructor(fit: ModelFit, growth: MarketGrowth) {
    this.#fit = fit
    this.#growth = growth
    this.models = {
      sealed: createPriceModel(fit.dynamics.sealed, fit.widths.sealed),
      used: createPriceModel(fit.dynamics.used, fit.widths.used),
    }
  }

  /** Values a set as of a day. */
  value(set: SetWithSales, asOf: number): Record<Condition, Valuation> {
    return estimatePair(this.inputsOf(set, asOf), this.typicalUsedRatio(set.attributes), this.models)
  }

  /** Returns the estimator inputs of a set in both conditions. */
  inputsOf({ attributes, sales }: SetWithSales, asOf: number): Record<Condition, EstimateInput> {
    const growth = growthByAge(this.#growth, attributes.dates, attributes.theme, asOf)
    const inputOf = (condition: Condition) => ({
      sales: sales[condition],
      asOf,
      releaseDay: attributes.dates.releaseDay,
      prior: this.#priorOf(attributes, condition, asOf),
      growth,
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
    const { retailRatios } = this.#fit
    return retailRatios === null || retailCents === null
      ? null
      : lookUpPrior(retailRatios, [ON_SHELF], Math.log(retailCents))
  }
}

/** Fits how wide ranges must be: values sets on earlier days and compares the ranges with the sales that followed. */
export class WidthFitter {
  readonly #valuer: SetValuer
  readonly #ratios: Record<Condition, Record<keyof RangeWidths, number[]>> = {
    sealed: { market: [], thin: [], modelled: [] },
    used: { market: [], thin: [], modelled: [] },
  }

  constructor(valuer: SetValuer) {
    this.#valuer = valuer
  }

  add(set: SetWithSales, day: number): void {
    for (const daysBefore of WIDTH_ORIGINS) {
      const origin = day - daysBefore
      const valuation = this.#valuer.value(set, origin)
      for (const condition of CONDITIONS) {
        const { valueCents, lowCents, highCents, tier } = valuation[condition]
        if (valueCents === null || tier === 'none') continue
        const next = usableSales(set.sales[condition], Math.min(day, origin + WIDTH_HORIZON)).find(
          (sale) => sale.day > origin,
        )
        if (next === undefined) continue
        const width = this.#valuer.models[condition].widths[tier]
        const halfWidth = Math.log(highCents! / lowCents!) / 2 / width
        this.#ratios[condition][tier].push(Math.abs(Math.log(next.unitCents / valueCents)) / halfWidth)
      }
    }
  }

  fit(): Record<Condition, RangeWidths> {
    const fitCondition = ({ market, thin, modelled }: Record<keyof RangeWidths, number[]>): RangeWidths => ({
      market: fitWidth(market),
      thin: fitWidth(thin),
      modelled: fitWidth(modelled),
    })
    return { sealed: fitCondition(this.#ratios.sealed), used: fitCondition(this.#ratios.used) }
  }
}

/** Fits the model to sets as known on a day. `earlierFit` is the fit of an earlier day, whose ratios the ranges are fitted with. */
export function fitSets(sets: readonly SetWithSales[], day: number, earlierFit?: ModelFit): ModelFit {
  const sample = sampleMarket(sets, day)
  const dynamics = sample.fitDynamics()
  const widths = new WidthFitter(
    new SetValuer({ ...(earlierFit ?? sample.fitInitialModel()), dynamics }, sample.fitGrowth()),
  )
  for (const set of sets) widths.add(set, day)
  return { ...sample.fitRatios(), dynamics, widths: widths.fit() }
}

/** Days before a fit on which sets are valued again to see how wide ranges must be. */
const WIDTH_ORIGINS = [28, 56, 84, 112, 140, 168]
const WIDTH_HORIZON = 30
const WIDTH_SHRINK = 8
const RANGE_SHARE = 0.8

/** Returns the width that would have covered four of five sales, shrunk toward 1 with the weight of 8 sales. */
function fitWidth(ratios: number[]): number {
  const sorted = Float64Array.from(ratios).sort()
  const own = sorted[Math.floor(RANGE_SHARE * sorted.length)] ?? 1
  return (sorted.length * own + WIDTH_SHRINK) / (sorted.length + WIDTH_SHRINK)
}

function toListPriceRatio({ dates, theme, listCents }: SetAttributes, day: number, logValue: number): RatioSample {
  return { groups: [lifeStage(dates, day), theme], logRatio: logValue - Math.log(listCents!) }
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
  minifigs: { priors: PriorTable | null; dynamics: Dynamics }
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
