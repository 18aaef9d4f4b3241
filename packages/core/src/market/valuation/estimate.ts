import { varianceBetween, type Dynamics, type Volatility } from './dynamics.ts'
import {
  applyPrior,
  filterSales,
  moveValue,
  priorPosterior,
  quantile,
  standardDeviation,
  type Posterior,
} from './posterior.ts'
import { noiseTable, type NoiseTable } from './price-noise.ts'
import { median, type Prior } from './priors.ts'
import { sellerWeights } from './seller-weights.ts'
import { latestSales, usableSales, type MarketSale } from './usable-sales.ts'

export type DataTier = 'market' | 'thin' | 'modelled' | 'none'

/** By how much ranges have to be wider than the model says, by tier, so that four of five next sales are within them. */
export type RangeWidths = Record<Exclude<DataTier, 'none'>, number>

export const MODEL_WIDTHS: RangeWidths = { market: 1, thin: 1, modelled: 1 }

/** Price model shared by all items in a condition. */
export type PriceModel = { scale: number; noise: NoiseTable; volatility: Volatility; widths: RangeWidths }

/** Estimator input for one item in one condition. */
export type EstimateInput = {
  sales: readonly MarketSale[]
  asOf: number
  /** Values move more around it; null if unknown. */
  releaseDay: number | null
  /** Expected value without sales; null if nothing is known about the item. */
  prior: Prior | null
  /** Expected log growth up to `asOf`, indexed by age in days. */
  growth: Float64Array
}

export type Valuation = {
  valueCents: number | null
  /** 80 % prediction interval for the next sale. */
  lowCents: number | null
  highCents: number | null
  tier: DataTier
  effectiveSales: number
  acceptedUnits: number
  sellers: number
  lastSaleDay: number | null
  /** Too few sellers contradict what similar items sell for. */
  doubtful: boolean
}

/** Fit of an item's sales in one condition. Prices are logs, adjusted for growth up to the present. */
export type SalesFit = {
  sales: MarketSale[]
  weights: Float64Array
  logPrices: Float64Array
  /** Of the value on the day of the valuation. */
  posterior: Posterior
  /** The value as estimated on the day of each sale. */
  medians: Float64Array
}

const MIN_SALES_FOR_MEDIAN = 3
const HALF_LIFE = 120
/** A sale within this many noise scales of the value is an inlier. */
export const INLIER_SCALES = 3
/** Of Student's t with 4 degrees of freedom. */
const T4_P90 = 1.533
const NORMAL_P90 = 1.2816
/** Median absolute deviation of Student's t with 4 degrees of freedom, in scales. */
const T4_MAD = 0.741
/** An item's own noise counts as much as the noise of all items if it has this many sales. */
const SCALE_SHRINK = 6
const MIN_SCALE_RATIO = 0.5
const MARKET_THRESHOLDS = { effectiveSales: 5, sellers: 3 }
/** A value this many deviations from what similar items sell for needs this many sellers to be believed. */
const DOUBT_SDS = 1.5
const MIN_SELLERS_AGAINST_PRIOR = 5
/** A seller who has traded nothing else may have been made up. */
const NEW_SELLER_WEIGHT = 0.5
const THIN_THRESHOLDS = { effectiveSales: 1.5 }
const NO_VALUATION: Valuation = {
  valueCents: null,
  lowCents: null,
  highCents: null,
  tier: 'none',
  effectiveSales: 0,
  acceptedUnits: 0,
  sellers: 0,
  lastSaleDay: null,
  doubtful: false,
}

/** Creates the price model of a condition; create it once and use it for every item. */
export function createPriceModel({ scale, volatility }: Dynamics, widths: RangeWidths = MODEL_WIDTHS): PriceModel {
  return { scale, noise: noiseTable(scale), volatility, widths }
}

/** Estimates the value of one item in one condition as of a day, from its own sales and its prior. */
export function estimateItem(input: EstimateInput, model: PriceModel): Valuation {
  return concludeValuation(fitSales(input, model), input, null, model)
}

/** Fits an item's sales, starting from its prior. */
export function fitSales(input: EstimateInput, model: PriceModel): SalesFit {
  const { asOf, growth } = input
  const sales = usableSales(latestSales(input.sales, asOf), asOf)
  // Adjust each price to today by the expected growth of the item's life stage.
  const logPrices = Float64Array.from(sales, ({ day, unitCents }) => Math.log(unitCents) + growth[asOf - day]!)
  const weights = sellerWeights(sales)
  return fitWithWeights({ sales, logPrices }, weights, input, model)
}

/** Fits sales with given weights. */
export function fitWithWeights(
  { sales, logPrices }: Pick<SalesFit, 'sales' | 'logPrices'>,
  weights: Float64Array,
  { asOf, releaseDay, prior }: Pick<EstimateInput, 'asOf' | 'releaseDay' | 'prior'>,
  { noise, volatility }: PriceModel,
): SalesFit {
  const observations = sales.map(({ day }, index) => ({
    logPrice: logPrices[index]!,
    weight: weights[index]!,
    variance: varianceBetween(volatility, releaseDay, sales[index - 1]?.day ?? day, day),
  }))
  const start = priorPosterior(centerOf(logPrices) ?? prior?.logValue ?? 0, prior)
  const { posterior, medians } = filterSales(start, observations, noise)
  moveValue(posterior, varianceBetween(volatility, releaseDay, sales.at(-1)?.day ?? asOf, asOf))
  return { sales, weights, logPrices, posterior, medians }
}

/** Returns what the grid is centered on: the median price, or the newest of one or two. */
function centerOf(logPrices: Float64Array): number | undefined {
  return logPrices.length < MIN_SALES_FOR_MEDIAN ? logPrices.at(-1) : median(logPrices)
}

/**
 * Turns a fit into a valuation, together with what the other condition says about the value. Its tier is 'none' if nothing
 * is known.
 */
export function concludeValuation(
  ownFit: SalesFit,
  { asOf, prior }: Pick<EstimateInput, 'asOf' | 'prior'>,
  other: Prior | null,
  model: PriceModel,
): Valuation {
  if (ownFit.sales.length === 0 && prior === null && other === null) return NO_VALUATION
  const posterior = other === null ? ownFit.posterior : applyPrior(ownFit.posterior, other)
  const logValue = quantile(posterior, 0.5)
  const { independentSellers, ...support } = measureSupport(ownFit, logValue, asOf, model.scale)
  const tier = tierOf(support)
  const noise = T4_P90 * itemScale(ownFit, model.scale)
  const halfWidth = model.widths[tier] * Math.hypot(noise, NORMAL_P90 * standardDeviation(posterior))
  const contradicted = prior !== null && contradicts(logValue, prior) ? prior : null
  const doubtful = contradicted !== null && independentSellers > 0 && independentSellers < MIN_SELLERS_AGAINST_PRIOR
  // A value in doubt may turn out to be that of similar items.
  const alternative = doubtful ? contradicted.logValue : logValue
  return {
    valueCents: toCents(logValue),
    lowCents: toCents(Math.min(logValue, alternative) - halfWidth),
    highCents: toCents(Math.max(logValue, alternative) + halfWidth),
    tier: doubtful && tier === 'market' ? 'thin' : tier,
    ...support,
    doubtful,
  }
}

function contradicts(logValue: number, prior: Prior): boolean {
  return Math.abs(logValue - prior.logValue) > DOUBT_SDS * prior.sd
}

/** Returns the noise scale of an item: that of its own sales, shrunk toward the scale of all items. */
function itemScale({ logPrices, medians }: SalesFit, scale: number): number {
  if (logPrices.length < 2) return scale
  const residuals = logPrices.subarray(1).map((logPrice, index) => Math.abs(logPrice - medians[index]!))
  const own = Math.max(median(residuals) / T4_MAD, MIN_SCALE_RATIO * scale)
  return scale * (own / scale) ** (residuals.length / (residuals.length + SCALE_SHRINK))
}

function measureSupport({ sales, weights, logPrices }: SalesFit, logValue: number, asOf: number, scale: number) {
  const named = new Map<string, number>()
  const unnamedDays = new Set<number>()
  let effectiveSales = 0
  let acceptedUnits = 0
  let lastSaleDay: number | null = null
  for (const [index, { day, quantity, seller, sellerEstablished }] of sales.entries()) {
    if (Math.abs(logPrices[index]! - logValue) > INLIER_SCALES * scale) continue
    effectiveSales += weights[index]! * Math.exp((-Math.LN2 * (asOf - day)) / HALF_LIFE)
    acceptedUnits += quantity
    lastSaleDay = day
    if (seller === null) unnamedDays.add(day)
    else named.set(seller, sellerEstablished ? 1 : NEW_SELLER_WEIGHT)
  }
  // Where the source names no sellers, sales on different days count as those of different sellers.
  const sellers = named.size + unnamedDays.size
  // Unnamed sellers may or may not be new, so a value is never in doubt if none of its sellers is named.
  const independentSellers =
    named.size === 0 ? 0 : named.values().reduce((sum, weight) => sum + weight, unnamedDays.size)
  return { effectiveSales, acceptedUnits, sellers, lastSaleDay, independentSellers }
}

function tierOf({ effectiveSales, sellers }: { effectiveSales: number; sellers: number }): keyof RangeWidths {
  if (effectiveSales >= MARKET_THRESHOLDS.effectiveSales && sellers >= MARKET_THRESHOLDS.sellers) return 'market'
  return effectiveSales >= THIN_THRESHOLDS.effectiveSales ? 'thin' : 'modelled'
}

function toCents(logValue: number): number {
  return Math.max(1, Math.round(Math.exp(logValue)))
}
