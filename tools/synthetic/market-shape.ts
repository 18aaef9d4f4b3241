import type { DailyPath } from './daily-path.ts'
import { randomStream, type Random } from './random.ts'
import type { Condition, SetLifecycle } from './types.ts'

/** How a market differs from the one that the estimator was first built with. */
export type MarketShape = {
  /** Sales per month of a typical set. */
  medianRate: number
  sellers: 'known' | 'unknown'
  /** 'one-time': each buyer is one of five million. */
  buyers: 'known' | 'unknown' | 'one-time'
  /** Heavier and skewed noise, with a scale of its own for each set. */
  heavyNoise: boolean
  /** Volatile periods, a crash of the whole market, and jumps of single sets. */
  regimes: boolean
  /** Shipping in some prices, price levels of sellers and regions, incomplete used copies. */
  dirtyPrices: boolean
  /** Retailers discount some sets for good, which lowers their value until they are retired. */
  discounts: boolean
}

const BASE_SHAPE: MarketShape = {
  medianRate: 4,
  sellers: 'known',
  buyers: 'known',
  heavyNoise: false,
  regimes: false,
  dirtyPrices: false,
  discounts: false,
}
const FULL_SHAPE: MarketShape = { ...BASE_SHAPE, medianRate: 1, heavyNoise: true, regimes: true, dirtyPrices: true }

/** Markets by name. */
export const MARKET_SHAPES = {
  base: BASE_SHAPE,
  'no-buyer': { ...BASE_SHAPE, buyers: 'unknown' },
  anonymous: { ...BASE_SHAPE, sellers: 'unknown', buyers: 'unknown' },
  'one-time-buyers': { ...BASE_SHAPE, buyers: 'one-time' },
  heavy: { ...BASE_SHAPE, heavyNoise: true },
  regimes: { ...BASE_SHAPE, regimes: true },
  dirty: { ...BASE_SHAPE, dirtyPrices: true },
  sparse: { ...BASE_SHAPE, medianRate: 1 },
  all: FULL_SHAPE,
  'all-anonymous': { ...FULL_SHAPE, sellers: 'unknown', buyers: 'unknown' },
  discounts: { ...BASE_SHAPE, medianRate: 1, discounts: true },
} satisfies Record<string, MarketShape>

export type MarketName = keyof typeof MARKET_SHAPES

/** Scale of the noise of a sale's log price around the true value. */
const SALE_NOISE = { sealed: 0.11, used: 0.23 } as const

/** The noise of one item's genuine sales. */
export type SaleNoise = () => number

const SCALE_SPREAD = 0.4
const TAIL_SPREAD = 0.5
/** Bargains are further below the value than high prices are above it. */
const SKEW = 1.4
const SELLER_LEVEL_SD = 0.06
const REGION_LEVELS = [-0.05, 0, 0, 0.05]
const SHIPPING_SHARE = 0.3
const INCOMPLETE_SHARE = 0.25
/** Draws from which the median of an item's prices is computed. */
const MEDIAN_DRAWS = 1501

/** Returns the noise of an item in a condition. `cents` is its typical price, which shipping is compared with. */
export function saleNoise(shape: MarketShape, random: Random, condition: Condition, cents: number): SaleNoise {
  const scale = SALE_NOISE[condition] * (shape.heavyNoise ? random.lognormal(1, SCALE_SPREAD) : 1)
  const draw = (random: Random) => {
    const noise = scale * (shape.heavyNoise ? heavyTail(random) : random.studentT4())
    return shape.dirtyPrices ? noise + dirt(random, condition, cents) : noise
  }
  if (!shape.dirtyPrices) return () => draw(random)
  // Shipping raises prices, and incomplete copies lower them. The true value is the median of what is paid.
  const stream = randomStream(0, `median of ${condition} ${cents} ${scale}`)
  const median = Array.from({ length: MEDIAN_DRAWS }, () => draw(stream)).sort((a, b) => a - b)[MEDIAN_DRAWS >> 1]!
  return () => draw(random) - median
}

function heavyTail(random: Random): number {
  const noise = random.studentT4() * random.lognormal(1, TAIL_SPREAD)
  return noise < 0 ? SKEW * noise : noise
}

function dirt(random: Random, condition: Condition, cents: number): number {
  const shipping = random.chance(SHIPPING_SHARE) ? Math.log(1 + random.int(400, 1400) / cents) : 0
  const incomplete = condition === 'used' && random.chance(INCOMPLETE_SHARE) ? -0.05 - 0.25 * random.uniform() : 0
  return random.pick(REGION_LEVELS) + shipping + incomplete
}

const sellerLevels = new Map<string, number>()

/** Returns by how much a seller's log prices are above or below those of others. */
export function sellerLevel({ dirtyPrices }: MarketShape, seller: string): number {
  if (!dirtyPrices) return 0
  let level = sellerLevels.get(seller)
  if (level === undefined) {
    level = randomStream(0, `level of ${seller}`).normal(0, SELLER_LEVEL_SD)
    sellerLevels.set(seller, level)
  }
  return level
}

const DISCOUNTED_SHARE = 0.4
const MAX_DISCOUNT = 0.35
/** After its retirement, a discounted set catches up with others in this many days. */
const CATCH_UP_DAYS = 360
const RETAIL_NOISE = 0.03

/** Returns the log of what retailers charge for a set relative to its list price, forever the same; deterministic. */
function retailLevel({ discounts }: MarketShape, seed: number, item: string): number {
  const random = randomStream(seed, `discount of ${item}`)
  if (!discounts || !random.chance(DISCOUNTED_SHARE)) return 0
  return Math.log(1 - MAX_DISCOUNT * random.uniform())
}

/** Returns what a retailer charges for a set on the shelf. */
export function retailPrice(shape: MarketShape, seed: number, item: string, listCents: number): number {
  const noise = randomStream(seed, `retail price of ${item}`).normal(0, RETAIL_NOISE)
  return Math.round(listCents * Math.exp(retailLevel(shape, seed, item) + noise))
}

/** Lowers the true values of discounted sets until they are retired. */
export function addDiscounts(
  shape: MarketShape,
  seed: number,
  paths: Map<string, DailyPath>,
  lifecycles: Map<string, SetLifecycle>,
): Map<string, DailyPath> {
  return new Map(
    [...paths].map(([item, { firstDay, sealed, used }]) => {
      const level = retailLevel(shape, seed, item)
      const { retireDay } = lifecycles.get(item)!
      const shift = (_: number, index: number) =>
        level * Math.min(1, Math.max(0, 1 - (firstDay + index - retireDay) / CATCH_UP_DAYS))
      const lower = (values: Float64Array) => values.map((value, index) => value + shift(value, index))
      return [item, { firstDay, sealed: lower(sealed), used: lower(used) }]
    }),
  )
}

/** Real prices of similar sets differ by 0.24 to 0.52, and values move by 1 to 4 % per week. */
const LEVEL_SPREAD = 0.3
const WEEKLY_VOLATILITY = { median: 0.02, spread: 0.4 }
/** What the first buyers pay beyond the later value, and how many days that takes to fade. */
const RELEASE = { mean: 0.1, sd: 0.2, days: 20 }

/** Gives each set a price level of its own, a volatility of its own, and a fast first month; deterministic per seed. */
export function addItemMoves(seed: number, paths: Map<string, DailyPath>): Map<string, DailyPath> {
  return new Map(
    [...paths].map(([item, { firstDay, sealed, used }]) => {
      const random = randomStream(seed, `moves of ${item}`)
      const level = random.normal(0, LEVEL_SPREAD)
      const release = random.normal(RELEASE.mean, RELEASE.sd)
      const dailySd = random.lognormal(WEEKLY_VOLATILITY.median, WEEKLY_VOLATILITY.spread) / Math.sqrt(7)
      let walk = 0
      const shift = sealed.map((_, day) => {
        walk += random.normal(0, dailySd)
        return level + walk + release * Math.exp(-day / RELEASE.days)
      })
      const add = (values: Float64Array) => values.map((value, day) => value + shift[day]!)
      return [item, { firstDay, sealed: add(sealed), used: add(used) }]
    }),
  )
}

const JUMP_SHARE = 0.35
const JUMPS = [Math.log(1.4), Math.log(0.75)]
const WILD_DAILY_SHOCK = 0.012
const CRASH = { depth: -0.15, fallDays: 20, recoveryDays: 120, lastingShare: 0.5 }

/** Adds volatile periods, jumps and a crash of the whole market to the true values; deterministic per seed. */
export function addRegimes(seed: number, paths: Map<string, DailyPath>, lastDay: number): Map<string, DailyPath> {
  const crashDay = lastDay - randomStream(seed, 'crash').int(90, 700)
  return new Map(
    [...paths].map(([item, { firstDay, sealed, used }]) => {
      const random = randomStream(seed, `regimes ${item}`)
      const shift = regimeShift(random, firstDay, sealed.length, crashDay, lastDay)
      return [
        item,
        {
          firstDay,
          sealed: sealed.map((value, day) => value + shift[day]!),
          used: used.map((value, day) => value + 0.9 * shift[day]!),
        },
      ]
    }),
  )
}

function regimeShift(random: Random, firstDay: number, days: number, crashDay: number, lastDay: number): Float64Array {
  const shift = new Float64Array(days)
  const jumpDay = random.chance(JUMP_SHARE) ? lastDay - random.int(30, 900) : Infinity
  const jump = random.pick(JUMPS)
  let walk = 0
  let wild = false
  let changeDay = firstDay + random.int(0, 300)
  for (let index = 0; index < days; index++) {
    const day = firstDay + index
    if (day >= changeDay) {
      wild = !wild
      changeDay = day + (wild ? random.int(30, 90) : random.int(120, 360))
    }
    if (wild) walk += random.normal(0, WILD_DAILY_SHOCK)
    shift[index] = walk + (day >= jumpDay ? jump : 0) + crashShift(day - crashDay)
  }
  return shift
}

function crashShift(days: number): number {
  const { depth, fallDays, recoveryDays, lastingShare } = CRASH
  if (days < 0) return 0
  if (days < fallDays) return (depth * days) / fallDays
  const recovered = Math.min(1, (days - fallDays) / recoveryDays) * (1 - lastingShare)
  return depth * (1 - recovered)
}
