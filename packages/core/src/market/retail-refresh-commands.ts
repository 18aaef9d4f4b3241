import type { Engine } from '../db/context.ts'
import type { Database } from '../db/database.ts'
import { dayText } from '../primitives/calendar.ts'
import { numberOrNull, usdText } from '../primitives/money.ts'
import { findObservations, findProductSets, observationOf } from '../source/retail-observation-queries.ts'
import type { Product } from '../source/retail-observation.ts'
import { takeDirtyProducts } from './dirty-item-commands.ts'
import { type FbaFeeSchedule, netFba, scheduleOn } from './fba-fees.ts'
import { findFeeSchedules } from './fee-schedule-queries.ts'
import { addChange, addInOrder, type RetailDay } from './retail-day.ts'
import {
  type PublishedDays,
  type PublishedExit,
  type PublishedState,
  publishRetailDays,
  publishRetailExits,
  publishRetailStates,
  saveFolds,
} from './retail-state-commands.ts'
import { findFolds } from './retail-state-queries.ts'
import { emptyFold, fold, ordered, type RetailFold, type RetailState, stateOf } from './retail-state.ts'

const PRODUCTS_AT_ONCE = 500

/** `days` are those of new changes, or of all changes when the product was computed `anew`. */
type Folded = Product & { fold: RetailFold; arrival: number; days: readonly RetailDay[]; anew: boolean }

/**
 * Brings the state of up to 500 products up to date with their observations, in one transaction; returns how many. What
 * came in order is added to what is known; a late observation has its product computed anew from all of them.
 */
export async function refreshRetail({ db, now }: Engine): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const products = await takeDirtyProducts(transaction, PRODUCTS_AT_ONCE)
    if (products.length === 0) return 0
    const folded = await foldProducts(transaction, products)
    await saveFolds(transaction, folded)
    await publish(transaction, folded, now())
    return products.length
  })
}

async function foldProducts(db: Database, products: Product[]): Promise<Folded[]> {
  const known = new Map((await findFolds(db, products)).map((row) => [keyOf(row), row]))
  const after = products.map((product) => ({ ...product, after: known.get(keyOf(product))?.arrival ?? 0 }))
  const fresh = Map.groupBy(await findObservations(db, after), keyOf)
  const late: Product[] = []
  const folded: Folded[] = []
  for (const product of products) {
    const before = known.get(keyOf(product))
    const observations = fresh.get(keyOf(product)) ?? []
    const next = addInOrder((before?.fold as RetailFold | undefined) ?? emptyFold, observations.map(observationOf))
    if (next === undefined || !next.fold.daysKept) late.push(product)
    else
      folded.push({ ...product, ...next, arrival: observations.at(-1)?.arrival ?? before?.arrival ?? 0, anew: false })
  }
  return [...folded, ...(await foldAnew(db, late))]
}

async function foldAnew(db: Database, products: Product[]): Promise<Folded[]> {
  if (products.length === 0) return []
  const all = await findObservations(
    db,
    products.map((product) => ({ ...product, after: 0 })),
  )
  const byProduct = Map.groupBy(all, keyOf)
  return products.map((product) => {
    const observations = byProduct.get(keyOf(product)) ?? []
    let [sum, days]: [RetailFold, readonly RetailDay[]] = [emptyFold, []]
    for (const observation of ordered(observations.map(observationOf))) {
      const next = fold(sum, observation)
      days = addChange(days, sum, next)
      sum = next
    }
    return { ...product, fold: sum, days, arrival: observations.at(-1)?.arrival ?? 0, anew: true }
  })
}

async function publish(db: Database, folded: Folded[], now: Date): Promise<void> {
  const schedules = (await findFeeSchedules(db, 'retailer_a')) as FbaFeeSchedule[]
  const today = now.toISOString().slice(0, 10)
  const shown = new Map((await findProductSets(db, folded)).map((row) => [keyOf(row), row]))
  const states: PublishedState[] = []
  const exits: PublishedExit[] = []
  const days: PublishedDays[] = []
  for (const product of folded) {
    const state = stateOf(product.fold)
    const set = shown.get(keyOf(product))
    if (state === null || set === undefined) continue
    states.push(publishedState(set, state))
    days.push(publishedDays(set, product))
    if (product.retailer === 'retailer_a') exits.push(publishedExit(set, state, scheduleOn(schedules, today), today))
  }
  await publishRetailStates(db, states)
  await publishRetailExits(db, exits)
  await publishRetailDays(db, days)
}

type ShownProduct = Awaited<ReturnType<typeof findProductSets>>[number]

function publishedState(set: ShownProduct, state: RetailState): PublishedState {
  return {
    set_number: set.set_number,
    retailer: set.retailer,
    price_usd: usdTextOrNull(state.price),
    list_price_usd: usdTextOrNull(state.listPrice),
    seller_type: state.sellerType,
    in_stock: state.inStock,
    changed_at: state.changedAt === null ? null : new Date(state.changedAt).toISOString(),
    last_change_usd: usdTextOrNull(state.lastChange),
    flip_1p_to_3p: state.flip1pTo3p,
    at_lowest: state.atLowest,
    lowest_usd: usdTextOrNull(state.lowest),
    product_url: set.product_url,
    last_checked_at: new Date(state.lastCheckedAt).toISOString(),
  }
}

function publishedExit(
  set: ShownProduct,
  state: RetailState,
  schedule: FbaFeeSchedule | undefined,
  today: string,
): PublishedExit {
  const box = {
    widthIn: numberOrNull(set.box_width_in),
    heightIn: numberOrNull(set.box_height_in),
    depthIn: numberOrNull(set.box_depth_in),
    weightLbs: numberOrNull(set.box_weight_lbs),
  }
  const net = schedule === undefined ? null : netFba(state.lowestFba ?? state.buyBox, box, schedule, today)
  return {
    set_number: set.set_number,
    lowest_fba_usd: usdTextOrNull(state.lowestFba),
    fba_sellers: state.fbaSellers,
    buy_box_usd: usdTextOrNull(state.buyBox),
    net_fba_usd: usdTextOrNull(net),
  }
}

function publishedDays({ set_number, retailer }: ShownProduct, { days, anew }: Folded): PublishedDays {
  return {
    set_number,
    retailer,
    anew,
    days: days.map(({ day, price, sellerType }) => ({
      day: dayText(day),
      price_usd: usdTextOrNull(price),
      seller_type: sellerType,
    })),
  }
}

function keyOf({ retailer, product_id }: Product): string {
  return `${retailer} ${product_id}`
}

function usdTextOrNull(amount: number | null): string | null {
  return amount === null ? null : usdText(amount)
}
