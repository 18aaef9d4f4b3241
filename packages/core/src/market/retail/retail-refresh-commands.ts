import type { MarketContext } from '../../db/context.ts'
import type { Database } from '../../db/database.ts'
import { formatDay } from '../../primitives/calendar.ts'
import { numberOrNull } from '../../primitives/money.ts'
import { findObservations, findProductSets, toObservation } from '../../source/retail-observation-queries.ts'
import type { Product, StoredRetailObservation } from '../../source/retail-observation.ts'
import { claimQueuedProducts } from '../values/valuation-queue-commands.ts'
import { type FbaFeeSchedule, netFba, scheduleInForce } from '../fees/fba-fees.ts'
import { findFeeSchedules } from '../fees/fee-schedule-queries.ts'
import { appendChange, applyInOrder, type RetailDayState } from './retail-day.ts'
import {
  deleteRetailStates,
  type NewRetailDays,
  type NewRetailExit,
  type NewRetailState,
  publishRetailDays,
  publishRetailExits,
  publishRetailStates,
  saveRetailAccumulators,
} from './retail-state-commands.ts'
import { findRetailAccumulators } from './retail-state-queries.ts'
import {
  initialAccumulator,
  applyObservation,
  dedupeAndSort,
  type RetailAccumulator,
  type RetailState,
  toRetailState,
} from './retail-state.ts'

const BATCH_SIZE = 500

/** `days` has the days of new changes, or of all changes if the product was rebuilt. */
type ProductUpdate = Product & {
  accumulator: RetailAccumulator
  arrival: number
  days: readonly RetailDayState[]
  rebuilt: boolean
  /** Whether the licenses of these observations allow values to be computed from them, and how long to show them. */
  feedsValues: boolean
  maxDisplayMs: number | null
}

/** The strictest of the licenses behind some observations. */
function licenseOf(observations: StoredRetailObservation[]): Pick<ProductUpdate, 'feedsValues' | 'maxDisplayMs'> {
  const limits = observations.flatMap(({ max_display_ms: ms }) => (ms === null ? [] : [ms]))
  return {
    feedsValues: observations.every((observation) => observation.feeds_values),
    maxDisplayMs: limits.length === 0 ? null : Math.min(...limits),
  }
}

/**
 * Applies new observations to up to 500 dirty products in one transaction and returns the number of products.
 * New observations in order are applied incrementally. A product with an observation out of order, without new ones or
 * without progress is rebuilt from all that count.
 */
export async function refreshRetail({ db, now }: MarketContext): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const products = await claimQueuedProducts(transaction, BATCH_SIZE)
    if (products.length === 0) return 0
    const updates = await applyNewObservations(transaction, products)
    await saveRetailAccumulators(transaction, updates)
    await publish(transaction, updates, now())
    return products.length
  })
}

async function applyNewObservations(db: Database, products: Product[]): Promise<ProductUpdate[]> {
  const known = new Map((await findRetailAccumulators(db, products)).map((row) => [keyOf(row), row]))
  const after = products.map((product) => ({ ...product, after: known.get(keyOf(product))?.arrival ?? 0 }))
  const fresh = Map.groupBy(await findObservations(db, after), keyOf)
  const needsRebuild: Product[] = []
  const updates: ProductUpdate[] = []
  for (const product of products) {
    const before = known.get(keyOf(product))
    const observations = fresh.get(keyOf(product)) ?? []
    const next =
      before === undefined || observations.length === 0
        ? undefined
        : applyInOrder(before.accumulator as RetailAccumulator, observations.map(toObservation))
    if (next === undefined || !next.accumulator.tracksDailyChanges) needsRebuild.push(product)
    else
      updates.push({
        ...product,
        ...next,
        arrival: observations.at(-1)!.arrival,
        rebuilt: false,
        ...licenseOf(observations),
      })
  }
  return [...updates, ...(await rebuildProducts(db, needsRebuild))]
}

async function rebuildProducts(db: Database, products: Product[]): Promise<ProductUpdate[]> {
  if (products.length === 0) return []
  const all = await findObservations(
    db,
    products.map((product) => ({ ...product, after: 0 })),
  )
  const byProduct = Map.groupBy(all, keyOf)
  return products.map((product) => {
    const observations = byProduct.get(keyOf(product)) ?? []
    let [accumulator, days]: [RetailAccumulator, readonly RetailDayState[]] = [initialAccumulator, []]
    for (const observation of dedupeAndSort(observations.map(toObservation))) {
      const next = applyObservation(accumulator, observation)
      days = appendChange(days, accumulator, next)
      accumulator = next
    }
    return {
      ...product,
      accumulator,
      days,
      arrival: observations.at(-1)?.arrival ?? 0,
      rebuilt: true,
      ...licenseOf(observations),
    }
  })
}

async function publish(db: Database, updates: ProductUpdate[], now: Date): Promise<void> {
  const schedules = (await findFeeSchedules(db, 'retailer_a')) as FbaFeeSchedule[]
  const today = now.toISOString().slice(0, 10)
  const setByProduct = new Map((await findProductSets(db, updates)).map((row) => [keyOf(row), row]))
  const states: NewRetailState[] = []
  const exits: NewRetailExit[] = []
  const days: NewRetailDays[] = []
  const hidden: ProductSet[] = []
  for (const product of updates) {
    const state = toRetailState(product.accumulator)
    const set = setByProduct.get(keyOf(product))
    if (set === undefined) continue
    if (state === null) {
      hidden.push(set)
      continue
    }
    states.push(toNewState(set, state, product.maxDisplayMs))
    days.push(toNewDays(set, product))
    if (product.retailer === 'retailer_a') exits.push(toNewExit(set, state, scheduleInForce(schedules, today), today))
  }
  await publishRetailStates(db, states)
  await publishRetailExits(db, exits)
  await publishRetailDays(db, days)
  await deleteRetailStates(db, hidden)
}

type ProductSet = Awaited<ReturnType<typeof findProductSets>>[number]

function toNewState(set: ProductSet, state: RetailState, maxDisplayMs: number | null): NewRetailState {
  return {
    set_number: set.set_number,
    retailer: set.retailer,
    price_cents: state.price,
    last_price_cents: state.lastPrice,
    list_price_cents: state.listPrice,
    seller_type: state.sellerType,
    in_stock: state.inStock,
    changed_at: state.changedAt === null ? null : new Date(state.changedAt).toISOString(),
    last_change_cents: state.lastChange,
    flip_1p_to_3p: state.flip1pTo3p,
    at_lowest: state.atLowest,
    lowest_cents: state.lowest,
    product_url: set.product_url,
    last_checked_at: new Date(state.lastCheckedAt).toISOString(),
    shown_until: maxDisplayMs === null ? null : new Date(state.lastCheckedAt + maxDisplayMs).toISOString(),
  }
}

function toNewExit(
  set: ProductSet,
  state: RetailState,
  schedule: FbaFeeSchedule | undefined,
  today: string,
): NewRetailExit {
  const box = {
    widthIn: numberOrNull(set.box_width_in),
    heightIn: numberOrNull(set.box_height_in),
    depthIn: numberOrNull(set.box_depth_in),
    weightLbs: numberOrNull(set.box_weight_lbs),
  }
  const net = schedule === undefined ? null : netFba(state.lowestFba ?? state.buyBox, box, schedule, today)
  return {
    set_number: set.set_number,
    lowest_fba_cents: state.lowestFba,
    fba_sellers: state.fbaSellers,
    buy_box_cents: state.buyBox,
    net_fba_cents: net,
  }
}

function toNewDays({ set_number, retailer }: ProductSet, { days, rebuilt, feedsValues }: ProductUpdate): NewRetailDays {
  return {
    set_number,
    retailer,
    rebuilt,
    days: days.map(({ day, price, sellerType }) => ({
      day: formatDay(day),
      price_cents: price,
      seller_type: sellerType,
      feeds_values: feedsValues,
    })),
  }
}

function keyOf({ retailer, product_id }: Product): string {
  return `${retailer} ${product_id}`
}
