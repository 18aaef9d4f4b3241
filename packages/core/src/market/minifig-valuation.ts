import type { SaleStore } from './sale-store.ts'
import { createPriceModel, type Valuation, estimateItem } from './valuation/estimate.ts'
import type { MarketFit } from './valuation/model-fit.ts'
import { T4_MAD } from './valuation/price-noise.ts'
import { type RatioSample, median, lookUpPrior, fitPriors } from './valuation/priors.ts'
import { type MarketSale, usableSales, WINDOW_DAYS } from './valuation/usable-sales.ts'

export type MinifigFit = MarketFit['minifigs']

/** The catalog attributes of a minifig that its value depends on. */
export type MinifigAttributes = { minifig_number: string; category: string | null; year_released: number | null }

export type ValuedMinifig = { attributes: MinifigAttributes; sales: MarketSale[]; valuation: Valuation }

/** Minifigs have no list price and no shelf life, so no growth is modeled for them. */
const NO_GROWTH = new Float64Array(WINDOW_DAYS + 1)

const INITIAL_FIT: MinifigFit = { priors: null, scale: 0.17 }

/** Values minifigs as of a day, using the prior of their category and release year. */
export function valueMinifigs(
  { attributes, store }: { attributes: readonly MinifigAttributes[]; store: SaleStore },
  fit: MinifigFit | undefined,
  asOf: number,
  knownOn: number,
): ValuedMinifig[] {
  const { priors, scale } = fit ?? INITIAL_FIT
  const model = createPriceModel(scale)
  return attributes.map((minifig) => {
    const sales = store.salesOf(minifig.minifig_number, 'used', asOf, knownOn)
    const prior = priors === null ? null : lookUpPrior(priors, priorGroups(minifig), 0)
    const valuation = estimateItem({ sales, asOf, prior, growth: NO_GROWTH, previous: [] }, model)
    return { attributes: minifig, sales, valuation }
  })
}

/** Fits priors by category and release year, and the noise scale, to a round of minifig values, added one by one. */
export class MinifigFitter {
  readonly #asOf: number
  readonly #ratios: RatioSample[] = []
  readonly #residuals: number[] = []

  constructor(asOf: number) {
    this.#asOf = asOf
  }

  add({ attributes, sales, valuation: { tier, valueCents } }: ValuedMinifig): void {
    if (valueCents === null || tier === 'modelled') return
    this.#ratios.push({ groups: priorGroups(attributes), logRatio: Math.log(valueCents) })
    for (const sale of usableSales(sales, this.#asOf))
      this.#residuals.push(Math.abs(Math.log(sale.unitCents / valueCents)))
  }

  fit(): MinifigFit {
    const scale = this.#residuals.length === 0 ? INITIAL_FIT.scale : median(this.#residuals) / T4_MAD
    return { priors: fitPriors(this.#ratios), scale }
  }
}

function priorGroups({ category, year_released }: MinifigAttributes): string[] {
  return [category ?? 'unknown', String(year_released ?? 'unknown')]
}
