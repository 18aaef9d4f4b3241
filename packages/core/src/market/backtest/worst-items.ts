import type { Condition } from '../../catalog/condition.ts'
import { compare, type Score } from './scores.ts'

/** An item whose values were worse than those of the simple method that is best for all items. */
export type WorstItem = { number: string; condition: Condition; cases: number; ours: number; simple: number }

const COUNT = 10
const MIN_CASES = 8

/** Returns the items with the largest mean error beyond that of the simple method, in percent; at most ten. */
export function worstItems(scores: readonly Score[], { minCases = MIN_CASES } = {}): WorstItem[] {
  const overall = compare(scores, 'nextSale')
  if (overall === undefined) return []
  const method = overall.best.mean
  return [...Map.groupBy(scores, ({ number, condition }) => `${condition} ${number}`).values()]
    .filter((own) => own.length >= minCases)
    .map((own) => {
      const { ours, simple } = compare(own, 'nextSale')!
      const { number, condition } = own[0]!
      return { number, condition, cases: own.length, ours: ours.mean, simple: simple[method].mean }
    })
    .sort((a, b) => b.ours - b.simple - (a.ours - a.simple))
    .slice(0, COUNT)
}
