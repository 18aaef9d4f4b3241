import type { SaleStore } from './sale-store.ts'
import { type Dynamics, fitDynamics, type PriceSeries } from '../valuation/dynamics.ts'
import { createPriceModel, type Valuation, estimateItem } from '../valuation/estimate.ts'
import type { MarketFit } from '../valuation/model-fit.ts'
import { type RatioSample, median, lookUpPrior, fitPriors } from '../valuation/priors.ts'
import { type MarketSale, usableSales, WINDOW_DAYS } from '../valuation/usable-sales.ts'

export type MinifigFit = MarketFit['minifigs']

/** The catalog attributes of a minifig that its value depends on. */
export type MinifigAttributes = { minifig_number: string; category: string | null; year_released: number | null }

export type ValuedMinifig = { attributes: MinifigAttributes; sales: MarketSale[]; valuation: Valuation }

/** Minifigs have no list price and no shelf life, so no growth is modeled for them. */
const NO_GROWTH = new Float64Array(WINDOW_DAYS + 1)

const DEFAULT_DYNAMICS: Dynamics = { scale: 0.2, volatility: { base: 1e-4, release: 1e-3 } }
const INITIAL_FIT: MinifigFit = { priors: null, dynamics: DEFAULT_DYNAMICS }
const MIN_PRIOR_SALES = 3
/** Dynamics show in this many minifigs. */
const MAX_SERIES = 200

/** Values minifigs as of a day, using the prior of their category and release year. */
export function valueMinifigs(
  { attributes, store }: { attributes: readonly MinifigAttributes[]; store: SaleStore },
  fit: MinifigFit | undefined,
  asOf: number,
  knownOn: number,
): ValuedMinifig[] {
  const { priors, dynamics } = fit ?? INITIAL_FIT
  const model = createPriceModel(dynamics)
  return attributes.map((minifig) => {
    const sales = store.salesOf(minifig.minifig_number, 'used', asOf, knownOn)
    const prior = priors === null ? null : lookUpPrior(priors, priorGroups(minifig), 0)
    const valuation = estimateItem({ sales, asOf, releaseDay: null, prior, growth: NO_GROWTH }, model)
    return { attributes: minifig, sales, valuation }
  })
}

/** Fits priors by category and release year, noise and volatility to the sales of minifigs, added one by one. */
export class MinifigFitter {
  readonly #asOf: number
  readonly #ratios: RatioSample[] = []
  readonly #series: PriceSeries[] = []

  constructor(asOf: number) {
    this.#asOf = asOf
  }

  add({ attributes, sales }: Pick<ValuedMinifig, 'attributes' | 'sales'>): void {
    const usable = usableSales(sales, this.#asOf)
    if (usable.length < MIN_PRIOR_SALES) return
    const logPrices = Float64Array.from(usable, ({ unitCents }) => Math.log(unitCents))
    this.#ratios.push({ groups: priorGroups(attributes), logRatio: median(logPrices) })
    if (this.#series.length < MAX_SERIES)
      this.#series.push({ days: Int32Array.from(usable, ({ day }) => day), logPrices, releaseDay: null })
  }

  fit(): MinifigFit {
    return { priors: fitPriors(this.#ratios), dynamics: fitDynamics(this.#series, DEFAULT_DYNAMICS) }
  }
}

function priorGroups({ category, year_released }: MinifigAttributes): string[] {
  return [category ?? 'unknown', String(year_released ?? 'unknown')]
}
