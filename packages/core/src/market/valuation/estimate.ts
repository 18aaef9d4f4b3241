import {
  inferPosterior,
  applyPrior,
  quantile,
  standardDeviation,
  type Posterior,
  type ValueDynamics,
} from './posterior.ts'
import { limitMove, type Anchor } from './move-guard.ts'
import { noiseTable, T4_MAD, type NoiseTable } from './price-noise.ts'
import { median, type Prior } from './priors.ts'
import { sellerWeights } from './seller-weights.ts'
import { latestSales, usableSales, type MarketSale } from './usable-sales.ts'

export type DataTier = 'market' | 'thin' | 'modelled' | 'none'

/**
 * Price model shared by all items in a condition. `scale` is the scale of the t4 noise of one sale; a tenth of all sales
 * are more than `p90` scales above the value, and as many below.
 */
export type PriceModel = { scale: number; p90: number; noise: NoiseTable; motion: ValueDynamics }

/** Estimator input for one item in one condition. */
export type EstimateInput = {
  sales: readonly MarketSale[]
  asOf: number
  /** Expected value without sales; null if nothing is known about the item. */
  prior: Prior | null
  /** Expected log growth up to `asOf`, indexed by age in days. */
  growth: Float64Array
  /** Values published in the last six months, oldest first. */
  previous: readonly PublishedValue[]
}

export type PublishedValue = { valueCents: number; tier: DataTier; daysAgo: number }

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
  /** The sales imply a larger move than their evidence supports, so that the value goes only a part of the way. */
  held: boolean
}

/** Fit of an item's own sales, before any prior is applied. Prices are logs, adjusted for growth up to the present. */
export type SalesFit = {
  sales: MarketSale[]
  weights: Float64Array
  logPrices: Float64Array
  /** Center of the posterior grid. */
  centre: number
  posterior: Posterior
}

// One jump in two years. With 0.003, a jump of a rarely sold set took 50 % longer to show (market `all`), and its error was
// 5 % larger; on calm markets both are the same (seeds 2001 to 2003).
const MOTION: ValueDynamics = { weeklyVolatility: 0.013, weeklyJumpProbability: 0.01, jumpScale: 0.25 }
const MIN_SALES_FOR_CENTRE = 5
const HALF_LIFE = 120
const WEEK = 7
/** A sale within this many noise scales of the value is an inlier. */
export const INLIER_SCALES = 3
/** Of Student's t with 4 degrees of freedom. */
export const T4_P90 = 1.533
const NORMAL_P90 = 1.2816
// Without sales the posterior is only as reliable as the prior's own spread. With half of this inflation, ranges in a market
// with one sale per month covered up to 1.4 points fewer of the next sales (market `sparse`, seeds 2001 to 2003).
const SPARSE_INFLATION = 1
/** How far a value may move without support, by the age of the earlier value, and a first value from its prior. */
const MAX_MOVES = [
  { days: 60, maxMove: 0.08 },
  { days: 120, maxMove: 0.15 },
  { days: Infinity, maxMove: 0.2 },
]
const MAX_FIRST_MOVE = 0.22
/** An item's own noise counts as much as the noise of all items if it has this many sales. */
const SCALE_SHRINK = 15
const MIN_SCALE_RATIO = 0.5
const MARKET_THRESHOLDS = { effectiveSales: 5, sellers: 3 }
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
  held: false,
}

/** Creates the price model of a condition; create it once and use it for every item. */
export function createPriceModel(scale: number, p90 = T4_P90): PriceModel {
  return { scale, p90, noise: noiseTable(scale), motion: MOTION }
}

/** Estimates the value of one item in one condition as of a day, from its own sales and its prior. */
export function estimateItem(input: EstimateInput, model: PriceModel): Valuation {
  return concludeValuation(fitSales(input, model), input, input.prior === null ? [] : [input.prior], model)
}

/** Fits an item's own sales; `fallbackCentre` centers the grid when the item has neither sales nor a prior. */
export function fitSales(
  { sales: all, asOf, prior, growth }: EstimateInput,
  model: PriceModel,
  fallbackCentre = 0,
): SalesFit {
  const sales = usableSales(latestSales(all, asOf), asOf)
  const weights = sellerWeights(sales)
  // Adjust each price to today by the expected growth of the item's life stage.
  const logPrices = Float64Array.from(sales, ({ day, unitCents }) => Math.log(unitCents) + growth[asOf - day]!)
  const middle = sales.length === 0 ? fallbackCentre : median(logPrices)
  const centre = prior === null || sales.length >= MIN_SALES_FOR_CENTRE ? middle : prior.logValue
  return fitWithWeights({ sales, logPrices, centre }, weights, asOf, model)
}

/** Refits the same sales with different weights. */
export function fitWithWeights(
  { sales, logPrices, centre }: Pick<SalesFit, 'sales' | 'logPrices' | 'centre'>,
  weights: Float64Array,
  asOf: number,
  { noise, motion }: PriceModel,
): SalesFit {
  const evidence = sales.map(({ day }, index) => ({
    age: asOf - day,
    logPrice: logPrices[index]!,
    weight: weights[index]!,
  }))
  return { sales, weights, logPrices, centre, posterior: inferPosterior(centre, evidence, noise, motion) }
}

/** Combines the item's own sales with priors into a valuation; its tier is 'none' if there are neither. */
export function concludeValuation(
  own: SalesFit,
  input: EstimateInput,
  priors: readonly Prior[],
  model: PriceModel,
): Valuation {
  if (own.sales.length === 0 && priors.length === 0) return NO_VALUATION
  const posterior = priors.reduce(applyPrior, own.posterior)
  const unconstrained = quantile(posterior, 0.5)
  const logValue = limitMove(unconstrained, anchorsOf(input), own, input.asOf)
  const held = logValue !== unconstrained
  // A held value rests on the sales that pull at it.
  const support = measureSupport(own, unconstrained, input.asOf, model.scale)
  const uncertainty = standardDeviation(posterior) * (1 + SPARSE_INFLATION / (1 + support.effectiveSales))
  const halfWidth = Math.hypot(model.p90 * itemScale(own, input.asOf, model.scale), NORMAL_P90 * uncertainty)
  return {
    valueCents: toCents(logValue),
    lowCents: toCents(Math.min(logValue, unconstrained) - halfWidth),
    highCents: toCents(Math.max(logValue, unconstrained) + halfWidth),
    tier: held && tierOf(support) === 'market' ? 'thin' : tierOf(support),
    ...support,
    held,
  }
}

/**
 * Returns what a value is compared with: earlier values, or the prior if none of them had sales of its own. Neither keeping
 * its value nor moving with the market needs the support of an item's own sales.
 */
function anchorsOf({ previous, prior, growth }: EstimateInput): Anchor[] {
  const anchors = previous
    .filter(({ tier }) => tier !== 'modelled')
    .map(({ valueCents, daysAgo }) => {
      const before = Math.log(valueCents)
      const withMarket = before + growth[Math.min(Math.max(daysAgo, 0), growth.length - 1)]!
      const { maxMove } = MAX_MOVES.find(({ days }) => daysAgo < days)!
      return { low: Math.min(before, withMarket), high: Math.max(before, withMarket), maxMove }
    })
  if (anchors.length > 0 || prior === null) return anchors
  return [{ low: prior.logValue, high: prior.logValue, maxMove: MAX_FIRST_MOVE }]
}

/** Returns the noise scale of an item: that of its own sales, shrunk toward the scale of all items. */
function itemScale({ sales, logPrices, posterior }: SalesFit, asOf: number, scale: number): number {
  if (sales.length === 0) return scale
  const residuals = sales.map(({ day }, index) =>
    Math.abs(logPrices[index]! - posterior.weeklyMedians[Math.floor((asOf - day) / WEEK)]!),
  )
  const own = Math.max(median(residuals) / T4_MAD, MIN_SCALE_RATIO * scale)
  return scale * (own / scale) ** (sales.length / (sales.length + SCALE_SHRINK))
}

function measureSupport({ sales, weights, logPrices }: SalesFit, logValue: number, asOf: number, scale: number) {
  // Where the source names no sellers, sales on different days count as those of different sellers.
  const sellers = new Set<string>()
  let effectiveSales = 0
  let acceptedUnits = 0
  let lastSaleDay: number | null = null
  for (const [index, { day, quantity, seller }] of sales.entries()) {
    if (Math.abs(logPrices[index]! - logValue) > INLIER_SCALES * scale) continue
    effectiveSales += weights[index]! * Math.exp((-Math.LN2 * (asOf - day)) / HALF_LIFE)
    acceptedUnits += quantity
    lastSaleDay = day
    sellers.add(seller ?? `day ${day}`)
  }
  return { effectiveSales, acceptedUnits, sellers: sellers.size, lastSaleDay }
}

function tierOf({ effectiveSales, sellers }: { effectiveSales: number; sellers: number }): DataTier {
  if (effectiveSales >= MARKET_THRESHOLDS.effectiveSales && sellers >= MARKET_THRESHOLDS.sellers) return 'market'
  return effectiveSales >= THIN_THRESHOLDS.effectiveSales ? 'thin' : 'modelled'
}

function toCents(logValue: number): number {
  return Math.max(1, Math.round(Math.exp(logValue)))
}
