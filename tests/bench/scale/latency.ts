import { median, quantile, round3 } from '../statistics.ts'
import { scatteredAccountId, type ScaleTarget } from './target.ts'

type Latency = { p50_ms: number; p99_ms: number }

/** A request to measure, from a different account each time unless `account` selects one. */
export type LatencyProbe = { name: string; path: string; account?: (target: ScaleTarget) => number }

const ROUNDS = 5

/** Latencies by probe, then by target. */
export type Latencies = Record<string, Record<string, Latency>>

/**
 * Interleaves all targets and probes request by request, so that background load affects them equally. Each request
 * comes from an account that has been idle for long, so its rows are cached only by chance. An uncounted request before
 * it authenticates the key. The p50 is the median of five rounds.
 */
export async function measureLatencies(
  targets: ScaleTarget[],
  questions: LatencyProbe[],
  requests: number,
): Promise<Latencies> {
  const cells = questions.flatMap((question) => targets.map((side) => ({ question, side, rounds: [] as number[][] })))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { rounds } of cells) rounds.push([])
    for (let n = 0; n < requests; n++) {
      for (const { question, side, rounds } of cells) {
        const account = question.account?.(side) ?? scatteredAccountId(round * requests + n, side.population)
        await side.request(account, '/set/90000-1')
        rounds[round]!.push((await side.request(account, question.path)).ms)
      }
    }
  }
  const latencies: Latencies = {}
  for (const { question, side, rounds } of cells) {
    // The first round is a warm-up.
    const [, ...counted] = rounds
    latencies[question.name] = { ...latencies[question.name], [side.name]: summarizeLatency(counted) }
  }
  return latencies
}

function summarizeLatency(rounds: number[][]): Latency {
  return {
    p50_ms: round3(median(rounds.map((samples) => median(samples)))),
    p99_ms: round3(quantile(rounds.flat(), 0.99)),
  }
}

/** Counts the requests for which two targets return different data. */
export async function countMismatches(
  target: ScaleTarget,
  other: ScaleTarget,
  paths: string[],
  accounts: number,
): Promise<number> {
  let differences = 0
  for (let n = 0; n < accounts; n++) {
    for (const path of paths) {
      const account = scatteredAccountId(n, target.population)
      const [a, b] = await Promise.all([target.request(account, path), other.request(account, path)])
      if (dataOf(a.text) !== dataOf(b.text)) differences++
    }
  }
  return differences
}

function dataOf(text: string): string {
  return JSON.stringify((JSON.parse(text) as { data: unknown }).data)
}
