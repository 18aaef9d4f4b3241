import {
  shelfError,
  computeAccuracy,
  bias,
  BUCKETS,
  coverage,
  nextSaleErrors,
  worstBias,
  type Score,
} from './accuracy.ts'
import type { Jump } from './jumps.ts'
import type { Shift } from './manipulation.ts'
import type { TargetedAttacks } from './targeted-attacks.ts'

/** The measurements of a backtest, including those of the baselines. */
export type BacktestSummary = ReturnType<typeof summarize>

export function summarize(scores: Score[], shifts: Record<string, Shift[]>, jumps: Jump[], targeted: TargetedAttacks) {
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
        onShelf: shelfError(own),
        coverage: coverage(own, 'nextGenuine'),
        coverageAsRecorded: coverage(own, 'nextRecorded'),
        bias: bias(own),
        worstBias: worstBias(own),
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
    targeted,
  }
}

/** Returns the 90th percentile of the shifts, in percent. */
function p90(shifts: Shift[]): { ours: number; median6: number } {
  const p90Of = (values: number[]) => 100 * (values.sort((a, b) => a - b)[Math.floor(0.9 * values.length)] ?? NaN)
  return { ours: p90Of(shifts.map(({ ours }) => ours)), median6: p90Of(shifts.map(({ median6 }) => median6)) }
}
