import { atLeast, atMost, type Goal } from '../report.ts'
import { round3 } from '../statistics.ts'
import type { ScaleResults } from './results.ts'
import { GIANT_LOTS } from './population.ts'

/** Evaluates the goals on the results of a run. */
export function evaluateGoals({
  populations,
  latency,
  giant,
  rss_mb,
  requests,
  processes,
  partitioned,
}: ScaleResults): Goal[] {
  const { small, big } = populations
  const lots = `${big.accounts * big.lots} lots ÷ ${small.accounts * small.lots}`
  const giantMs = (name: string) => giant[name]!['big']!.p50_ms
  const last = rss_mb.at(-1)!
  return [
    ...Object.entries(latency).map(([name, sides]) =>
      atMost(`${name} p50: ${lots}`, 1.3, round3(sides['big']!.p50_ms / sides['small']!.p50_ms)),
    ),
    atMost(
      `analytics 1y of ${GIANT_LOTS} lots ÷ entries of 250`,
      5,
      round3(giantMs('analytics') / giantMs('first_entries')),
    ),
    atMost(`memory of an API process after ${requests} requests, MB`, 400, last),
    atMost('memory after all requests ÷ after half of them', 1.1, round3(last / rss_mb[5]!)),
    atLeast(
      'two API processes ÷ one, by CPU time per request',
      1.8,
      round3((2 * processes.one.node_cpu_us) / processes.two.node_cpu_us),
    ),
    atMost('responses that differ with partitioned tables', 0, partitioned.differences),
  ]
}
