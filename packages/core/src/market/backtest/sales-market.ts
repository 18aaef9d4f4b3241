import type { Condition } from '../../catalog/condition.ts'
import { PACKED_FIELDS } from '../../source/market-sale.ts'
import { SaleStore } from '../values/sale-store.ts'
import type { SetAttributesRow } from '../values/set-sales.ts'
import type { PricedSale } from './simple-methods.ts'

/** The sales of one set in one condition, packed and oldest first. */
export type PackedItem = { number: string; condition: Condition; sales: Int32Array }

/** Recorded sales of sets: what a backtest runs on. */
export type SalesMarket = { sets: SetAttributesRow[]; items: PackedItem[] }

const FLAG_FIELD = 5
const RETURNED_FIELD = 7
export const NEVER = 2 ** 31 - 1

export function toSaleStore({ items }: SalesMarket): SaleStore {
  const store = new SaleStore()
  for (const { number, condition, sales } of items) store.add(number, condition, sales)
  return store
}

/** Returns the first and last day of the sales; undefined if there are none. */
export function daysOfSales({ items }: SalesMarket): { first: number; last: number } | undefined {
  let first = Infinity
  let last = -Infinity
  for (const { sales } of items) {
    if (sales.length === 0) continue
    first = Math.min(first, sales[0]!)
    last = Math.max(last, sales[sales.length - PACKED_FIELDS]!)
  }
  return first <= last ? { first, last } : undefined
}

/** Keeps a random share of the sales; the same ones for the same seed. */
export function keepShare(market: SalesMarket, share: number, seed: number): SalesMarket {
  if (share === 1) return market
  const random = uniform(seed)
  const items = market.items.map((item) => {
    const kept: number[] = []
    for (let offset = 0; offset < item.sales.length; offset += PACKED_FIELDS)
      if (random() < share) kept.push(...item.sales.subarray(offset, offset + PACKED_FIELDS))
    return { ...item, sales: Int32Array.from(kept) }
  })
  return { sets: market.sets, items }
}

/** Returns what an item really sold for, oldest first: its sales that were neither flagged nor returned. */
export function outcomesOf({ sales }: PackedItem): PricedSale[] {
  const outcomes: PricedSale[] = []
  for (let offset = 0; offset < sales.length; offset += PACKED_FIELDS) {
    if (sales[offset + FLAG_FIELD] !== 0 || sales[offset + RETURNED_FIELD] !== NEVER) continue
    outcomes.push({ day: sales[offset]!, logPrice: Math.log(sales[offset + 1]!) })
  }
  return outcomes
}

/** Returns a function that looks up what an item sold for, oldest first. */
export function indexOutcomes({ items }: SalesMarket): (number: string, condition: Condition) => readonly PricedSale[] {
  const outcomes = new Map(items.map((item) => [`${item.condition} ${item.number}`, outcomesOf(item)]))
  return (number, condition) => outcomes.get(`${condition} ${number}`) ?? []
}

/** A linear congruential generator: small, and the same on every machine. */
function uniform(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
