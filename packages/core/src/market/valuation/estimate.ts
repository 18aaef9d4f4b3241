import { believe, combine, quantile, spreadOf, type Belief, type Motion } from './posterior.ts'
import { isUnsupported } from './move-guard.ts'
import { noiseTable, type NoiseTable } from './price-noise.ts'
import { median, type Prior } from './priors.ts'
import { sellerWeights } from './seller-weights.ts'
import { newestSales, usableSales, type SaleObservation } from './usable-sales.ts'

export type DataTier = 'market' | 'thin' | 'modelled' | 'none'

/** How prices of all items of a condition behave. `scale` is that of the t4 noise of one sale. */
export type PriceModel = { scale: number; noise: NoiseTable; motion: Motion }

/** One item in one condition. */
export type ItemInput = {
  sales: readonly SaleObservation[]
  asOf: number
  /** What to expect without sales; null when nothing is known of the item. */
  prior: Prior | null
  /** Expected log growth up to `asOf`, by age in days. */
  growth: Float64Array
  /** What was published 30 days before `asOf`. */
  previous: { valueCents: number; tier: DataTier } | null
}

export type Valuation = {
  valueCents: number | null
  /** An 80 % interval for the next sale. */
  lowCents: number | null
  highCents: number | null
  tier: DataTier
  effectiveSales: number
  acceptedUnits: number
  sellers: number
  /** The sales ask for a larger move than the people behind them allow: the value stays where it was. */
  held: boolean
}

/** What an item's own sales say, before any other opinion. Prices are logs, carried to the present. */
export type Study = {
  sales: SaleObservation[]
  weights: Float64Array
  logPrices: Float64Array
  /** The middle of the values that are held possible. */
  centre: number
  belief: Belief
}

const MOTION: Motion = { wanderPerWeek: 0.013, jumpPerWeek: 0.003, jumpScale: 0.25 }
const CENTRE_SALES = 5
const HALF_LIFE = 120
/** A sale so many scales from the value, or nearer, agrees with it. */
export const ACCEPT_SCALES = 3
const T4_EIGHTY = 1.533
const NORMAL_EIGHTY = 1.2816
// A belief without sales is only as good as the prior's own spread: without this, ranges at 0-2 sales held 73.6 % of next
// sales on one seed in nine.
const THIN_DOUBT = 0.5
const MARKET = { effectiveSales: 5, sellers: 3 }
const THIN = { effectiveSales: 1.5 }
const NOTHING: Valuation = {
  valueCents: null,
  lowCents: null,
  highCents: null,
  tier: 'none',
  effectiveSales: 0,
  acceptedUnits: 0,
  sellers: 0,
  held: false,
}

/** The model of a condition, made once and used for every item. */
export function priceModel(scale: number): PriceModel {
  return { scale, noise: noiseTable(scale), motion: MOTION }
}

/** The value of one item in one condition as of a day, from its own sales and its prior. */
export function valueItem(input: ItemInput, model: PriceModel): Valuation {
  return conclude(study(input, model), input, input.prior === null ? [] : [input.prior], model)
}

/** What the sales of an item say; `elsewhere` is where to look for its value when it has neither sale nor prior. */
export function study({ sales: all, asOf, prior, growth }: ItemInput, model: PriceModel, elsewhere = 0): Study {
  const sales = usableSales(newestSales(all, asOf), asOf)
  const weights = sellerWeights(sales)
  // Each price as it would be today had it grown as its stage of life does.
  const logPrices = Float64Array.from(sales, ({ day, unitCents }) => Math.log(unitCents) + growth[asOf - day]!)
  const middle = sales.length === 0 ? elsewhere : median(logPrices)
  const centre = prior === null || sales.length >= CENTRE_SALES ? middle : prior.logValue
  return weigh({ sales, logPrices, centre }, weights, asOf, model)
}

/** The same sales, weighed anew. */
export function weigh(
  { sales, logPrices, centre }: Pick<Study, 'sales' | 'logPrices' | 'centre'>,
  weights: Float64Array,
  asOf: number,
  { noise, motion }: PriceModel,
): Study {
  const evidence = sales.map(({ day }, place) => ({
    age: asOf - day,
    logPrice: logPrices[place]!,
    weight: weights[place]!,
  }))
  return { sales, weights, logPrices, centre, belief: believe(centre, evidence, noise, motion) }
}

/** The value after all opinions beside the item's own sales; none without either. */
export function conclude(own: Study, input: ItemInput, opinions: readonly Prior[], model: PriceModel): Valuation {
  if (own.sales.length === 0 && opinions.length === 0) return NOTHING
  const belief = opinions.reduce(combine, own.belief)
  const free = quantile(belief, 0.5)
  const previous = input.previous === null || input.previous.tier === 'modelled' ? null : input.previous
  const held = previous !== null && isUnsupported(Math.log(previous.valueCents), free, own, input.asOf)
  const logValue = held ? Math.log(previous.valueCents) : free
  const support = supportOf(own, logValue, input.asOf, model.scale)
  const doubt = spreadOf(belief) * (1 + THIN_DOUBT / (1 + support.effectiveSales))
  const reach = Math.hypot(T4_EIGHTY * model.scale, NORMAL_EIGHTY * doubt)
  return {
    valueCents: toCents(logValue),
    lowCents: toCents(Math.min(logValue, free) - reach),
    highCents: toCents(Math.max(logValue, free) + reach),
    tier: tierOf(support),
    ...support,
    held,
  }
}

function supportOf({ sales, weights, logPrices }: Study, logValue: number, asOf: number, scale: number) {
  const sellers = new Set<string | null>()
  let effectiveSales = 0
  let acceptedUnits = 0
  for (const [place, { day, quantity, seller }] of sales.entries()) {
    if (Math.abs(logPrices[place]! - logValue) > ACCEPT_SCALES * scale) continue
    effectiveSales += weights[place]! * Math.exp((-Math.LN2 * (asOf - day)) / HALF_LIFE)
    acceptedUnits += quantity
    sellers.add(seller)
  }
  return { effectiveSales, acceptedUnits, sellers: sellers.size }
}

function tierOf({ effectiveSales, sellers }: { effectiveSales: number; sellers: number }): DataTier {
  if (effectiveSales >= MARKET.effectiveSales && sellers >= MARKET.sellers) return 'market'
  return effectiveSales >= THIN.effectiveSales ? 'thin' : 'modelled'
}

function toCents(logValue: number): number {
  return Math.max(1, Math.round(Math.exp(logValue)))
}
