import { isRetired, lifeStage, type LifeDates } from './life-stage.ts'
import { median } from './priors.ts'
import { WINDOW_DAYS } from './usable-sales.ts'

/**
 * One item's contribution to market growth: its usable sales, dates, theme and noise scale. Typed arrays, because the
 * sales of the whole sample are in memory at once.
 */
export type MarketItem = {
  sales: { days: Int32Array; logPrices: Float64Array }
  dates: LifeDates
  theme: string
  scale: number
}

/** Log growth per day: by life stage, by theme, and by calendar period for on-shelf and retired sets. */
export type MarketGrowth = {
  /** The last day of the sales that it was fitted to. */
  asOf: number
  byStage: ReadonlyMap<string, number>
  byTheme: ReadonlyMap<string, number>
  /** Indexed by age on that day, in blocks of 15 days. */
  byCalendar: { onShelf: Float64Array; retired: Float64Array }
}

type GrowthSample = { stage: string; theme: string; retired: boolean; perDay: number; weight: number }

const SAMPLE_BLOCK_DAYS = 60
const MIN_SALES = 2
const STAGE_SHRINK = 40
const THEME_SHRINK = 120
const CALENDAR_DAYS = 15
const CALENDAR_BLOCKS = WINDOW_DAYS / CALENDAR_DAYS
const CALENDAR_SHRINK = 160
/** True variance of 60-day growth between items of the same stage. */
const CHANGE_VARIANCE = 0.005

/**
 * Fits growth to the sales of the whole market. Published values aren't used, to avoid a feedback loop: revised growth
 * shifts them by months of growth, which is more than the revision itself.
 */
export function fitMarketGrowth(members: readonly MarketItem[], asOf: number): MarketGrowth {
  const changes = members.flatMap((member) => growthSamples(member, asOf))
  const byStage = new Map<string, number>()
  for (const [stage, own] of Map.groupBy(changes, (change) => change.stage)) {
    byStage.set(stage, shrunkWeightedMedian(own, STAGE_SHRINK))
  }
  const byTheme = new Map<string, number>()
  const retired = changes.filter((change) => change.retired)
  for (const [theme, own] of Map.groupBy(retired, (change) => change.theme)) {
    const beyondStage = own.map((change) => ({ ...change, perDay: change.perDay - byStage.get(change.stage)! }))
    byTheme.set(theme, shrunkWeightedMedian(beyondStage, THEME_SHRINK))
  }
  const none = new Float64Array(CALENDAR_BLOCKS)
  const byCalendar = fitCalendarGrowth(
    members,
    { asOf, byStage, byTheme, byCalendar: { onShelf: none, retired: none } },
    asOf,
  )
  return { asOf, byStage, byTheme, byCalendar }
}

/**
 * Returns the expected log growth of an item up to `asOf`, indexed by age in days. Nothing is known yet about the calendar
 * periods after the fit.
 */
export function growthByAge(
  { asOf: fittedOn, byStage, byTheme, byCalendar }: MarketGrowth,
  dates: LifeDates,
  theme: string,
  asOf: number,
): Float64Array {
  const growth = new Float64Array(WINDOW_DAYS + 1)
  const ofTheme = byTheme.get(theme) ?? 0
  let stage = ''
  let ofStage = 0
  for (let age = 0; age < WINDOW_DAYS; age++) {
    const day = asOf - age
    const retired = isRetired(dates, day)
    const stageThen = lifeStage(dates, day)
    if (stageThen !== stage) {
      stage = stageThen
      ofStage = byStage.get(stage) ?? 0
    }
    const calendar =
      (retired ? byCalendar.retired : byCalendar.onShelf)[Math.floor((fittedOn - day) / CALENDAR_DAYS)] ?? 0
    growth[age + 1] = growth[age]! + ofStage + (retired ? ofTheme : 0) + calendar
  }
  return growth
}

function growthSamples({ sales, dates, theme, scale }: MarketItem, asOf: number): GrowthSample[] {
  const blocks: number[][] = Array.from({ length: WINDOW_DAYS / SAMPLE_BLOCK_DAYS }, () => [])
  for (const [index, day] of sales.days.entries())
    blocks[Math.floor((asOf - day) / SAMPLE_BLOCK_DAYS)]!.push(sales.logPrices[index]!)
  return blocks.flatMap((later, index) => {
    const earlier = blocks[index + 1]
    if (earlier === undefined || later.length < MIN_SALES || earlier.length < MIN_SALES) return []
    const between = asOf - (index + 1) * SAMPLE_BLOCK_DAYS
    const perDay = (median(later) - median(earlier)) / SAMPLE_BLOCK_DAYS
    const weight = 1 / (1 + (scale ** 2 / CHANGE_VARIANCE) * (1 / later.length + 1 / earlier.length))
    return [{ stage: lifeStage(dates, between), theme, retired: isRetired(dates, between), perDay, weight }]
  })
}

// Residuals of the sales from their item's median, after removing stage and theme growth: what sales of the same period have
// in common is growth of the market. Each item counts once per period, so that many fake sales of one item can't move it.
function fitCalendarGrowth(
  members: readonly MarketItem[],
  knownGrowth: MarketGrowth,
  asOf: number,
): MarketGrowth['byCalendar'] {
  const residuals = { onShelf: emptyBlocks(), retired: emptyBlocks() }
  for (const { sales, dates, theme } of members) {
    if (sales.days.length < 2 * MIN_SALES) continue
    const growth = growthByAge(knownGrowth, dates, theme, asOf)
    const detrended = sales.logPrices.map((logPrice, index) => logPrice + growth[asOf - sales.days[index]!]!)
    const middle = median(detrended)
    const own = { onShelf: emptyBlocks(), retired: emptyBlocks() }
    for (const [index, day] of sales.days.entries()) {
      const family = isRetired(dates, day) ? own.retired : own.onShelf
      family[Math.floor((asOf - day) / CALENDAR_DAYS)]!.push(detrended[index]! - middle)
    }
    addMedians(own.onShelf, residuals.onShelf)
    addMedians(own.retired, residuals.retired)
  }
  return { onShelf: levelsToDailyGrowth(residuals.onShelf), retired: levelsToDailyGrowth(residuals.retired) }
}

function addMedians(from: number[][], to: number[][]): void {
  for (const [block, values] of from.entries()) if (values.length > 0) to[block]!.push(median(values))
}

function emptyBlocks(): number[][] {
  return Array.from({ length: CALENDAR_BLOCKS }, () => [])
}

// A level applies to the middle of its block, so growth is interpolated from the middle of one block to the middle of
// the next, and extrapolated from the newest block to today.
function levelsToDailyGrowth(blocks: number[][]): Float64Array {
  const levels = blocks.map((residuals) => (residuals.length === 0 ? 0 : shrunkMedian(residuals, CALENDAR_SHRINK)))
  const growth = new Float64Array(CALENDAR_BLOCKS)
  for (let block = 0; block + 1 < CALENDAR_BLOCKS; block++) {
    const perDay = (levels[block]! - levels[block + 1]!) / CALENDAR_DAYS
    growth[block]! += block === 0 ? perDay : perDay / 2
    growth[block + 1]! += perDay / 2
  }
  return growth
}

function shrunkMedian(values: readonly number[], weight: number): number {
  return (median(values) * values.length) / (values.length + weight)
}

function shrunkWeightedMedian(changes: readonly GrowthSample[], shrink: number): number {
  const sorted = changes.toSorted((a, b) => a.perDay - b.perDay)
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  let below = 0
  const middle = sorted.find(({ weight }) => (below += weight) >= total / 2)
  return ((middle?.perDay ?? 0) * total) / (total + shrink)
}
