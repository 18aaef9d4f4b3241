import { computeAccuracy, bias, BUCKETS, coverage, nextSaleErrors, type Score } from './accuracy.ts'
import type { Jump } from './jumps.ts'
import type { Shift } from './manipulation.ts'

/** What a backtest measured, beside what the simple methods reach. */
export type BacktestSummary = ReturnType<typeof summarize>

export function summarize(scores: Score[], shifts: Record<string, Shift[]>, jumps: Jump[]) {
  return {
    conditions: (['sealed', 'used'] as const).map((condition) => {
      const own = scores.filter((score) => score.condition === condition)
      return {
        condition,
        all: computeAccuracy(own),
        buckets: BUCKETS.map(({ name, min, max }) => ({
          sales: name,
          ...computeAccuracy(own.filter(({ sales }) => sales >= min && sales <= max)),
        })),
        nextSale: nextSaleErrors(own),
        coverage: coverage(own, 'nextGenuine'),
        coverageAsRecorded: coverage(own, 'nextRecorded'),
        bias: bias(own),
      }
    }),
    coverageThin: coverage(
      scores.filter(({ sales }) => sales <= 2),
      'nextGenuine',
    ),
    manipulation: Object.entries(shifts).map(([attack, shifted]) => ({
      attack,
      at3to9: p90(shifted.filter(({ sales }) => sales < 10)),
      at10up: p90(shifted.filter(({ sales }) => sales >= 10)),
    })),
    jumps,
  }
}

/** The shift, in per cent, that one item in ten exceeds. */
function p90(shifts: Shift[]): { ours: number; median6: number } {
  const at = (values: number[]) => 100 * (values.sort((a, b) => a - b)[Math.floor(0.9 * values.length)] ?? NaN)
  return { ours: at(shifts.map(({ ours }) => ours)), median6: at(shifts.map(({ median6 }) => median6)) }
}
