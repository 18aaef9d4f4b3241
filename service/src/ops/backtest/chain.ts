import type { Condition } from '../../demo/types.ts'
import { priceModel, valueItem, type PriceModel, type Valuation } from '../../domain/valuation/estimate.ts'
import { expectedGrowth, lifeStage, type GrowthStretch } from '../../domain/valuation/life-stage.ts'
import { growthsOf, median, priorOf, priorsOf, type KnownRatio, type Prior } from '../../domain/valuation/priors.ts'
import { usableSales, WINDOW_DAYS, type SaleObservation } from '../../domain/valuation/usable-sales.ts'
import { datesOn, seenBy, type BacktestMarket, type Item } from './market.ts'

const CONDITIONS = ['sealed', 'used'] as const
const FIRST_SCALE = { sealed: 0.1, used: 0.17 }
const T4_MAD = 0.741
const GROWTH_MONTHS = 6

/** Everything known of one item on one day: what goes into its value, and the value. */
export type Appraisal = {
  item: Item
  seen: SaleObservation[]
  prior: Prior | null
  growth: GrowthStretch[]
  previous: { valueCents: number; tier: Valuation['tier'] } | null
  model: PriceModel
  valuation: Valuation
}

export type Round = { day: number; appraisals: Map<Item, Appraisal> }

type Change = { stage: string; perDay: number }

/** Values of all items on each of some ascending days, each round knowing no more than what had arrived by its day. */
export function* appraise(market: BacktestMarket, days: readonly number[]): Generator<Round> {
  let before: Round | undefined
  const changes: Record<Condition, Change[][]> = { sealed: [], used: [] }
  for (const day of days) {
    const round: Round = { day, appraisals: new Map() }
    for (const condition of CONDITIONS) {
      const items = market.items.filter((item) => item.condition === condition && item.path.firstDay <= day)
      const seen = new Map(items.map((item) => [item, seenBy(item.sales, day, market)]))
      const priors = priorsOf(before === undefined ? rawRatios(seen, day) : knownRatios(before, condition))
      const growths = growthsOf(changes[condition].slice(-GROWTH_MONTHS).flat())
      const model = priceModel(condition, before === undefined ? FIRST_SCALE[condition] : scaleOf(before, condition))
      for (const item of items) {
        const dates = datesOn(item, day)
        const groups = [lifeStage(dates, day), item.theme]
        const input = {
          sales: seen.get(item)!,
          asOf: day,
          prior: item.listCents === null || priors === null ? null : priorOf(priors, groups, Math.log(item.listCents)),
          growth: expectedGrowth(growths, dates, day - WINDOW_DAYS),
          previous: publishedOf(before?.appraisals.get(item)),
        }
        const valuation = valueItem(input, model)
        round.appraisals.set(item, { item, ...input, seen: input.sales, model, valuation } as Appraisal)
      }
      if (before !== undefined) changes[condition].push(changesBetween(before, round, condition))
    }
    yield round
    before = round
  }
}

function publishedOf(appraisal: Appraisal | undefined): Appraisal['previous'] {
  if (appraisal === undefined || appraisal.valuation.valueCents === null) return null
  return { valueCents: appraisal.valuation.valueCents, tier: appraisal.valuation.tier }
}

// Before anything was ever published, the median of each item's sales stands in for its value.
function rawRatios(seen: Map<Item, SaleObservation[]>, day: number): KnownRatio[] {
  return [...seen].flatMap(([item, sales]) => {
    const usable = usableSales(sales, day).filter((sale) => sale.day > day - 180)
    if (item.listCents === null || usable.length < 3) return []
    const value = median(usable.map((sale) => Math.log(sale.unitCents)))
    return [{ groups: [lifeStage(datesOn(item, day), day), item.theme], logRatio: value - Math.log(item.listCents) }]
  })
}

function knownRatios({ day, appraisals }: Round, condition: Condition): KnownRatio[] {
  return [...appraisals.values()].flatMap(({ item, valuation: { valueCents, tier } }) => {
    if (item.condition !== condition || item.listCents === null || valueCents === null || tier === 'modelled') return []
    return [{ groups: [lifeStage(datesOn(item, day), day), item.theme], logRatio: Math.log(valueCents / item.listCents) }]
  })
}

function changesBetween(before: Round, now: Round, condition: Condition): Change[] {
  return [...now.appraisals.values()].flatMap(({ item, valuation }) => {
    const earlier = before.appraisals.get(item)?.valuation
    if (item.condition !== condition || valuation.tier !== 'market' || earlier?.tier !== 'market') return []
    const perDay = Math.log(valuation.valueCents! / earlier.valueCents!) / (now.day - before.day)
    return [{ stage: lifeStage(datesOn(item, before.day), before.day), perDay }]
  })
}

function scaleOf({ day, appraisals }: Round, condition: Condition): number {
  const misses: number[] = []
  for (const { item, seen, valuation } of appraisals.values()) {
    if (item.condition !== condition || valuation.tier !== 'market') continue
    for (const sale of usableSales(seen, day)) {
      if (sale.day > day - 60) misses.push(Math.abs(Math.log(sale.unitCents / valuation.valueCents!)))
    }
  }
  return misses.length < 100 ? FIRST_SCALE[condition] : median(misses) / T4_MAD
}
