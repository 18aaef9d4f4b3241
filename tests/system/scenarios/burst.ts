import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../support/quantile.ts'
import type { BurstOrder, BurstResult } from './burst/sender.ts'
import { RawConnectionPool, type StatusResult } from '../harness/raw-connections.ts'
import { atMost, none, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'

/**
 * One key sends all requests of a day at once: all are answered, and over a minute, other keys don't notice. Reading a
 * thousand requests that arrive together keeps the process busy for some 70 ms.
 */
export const burst = {
  name: 'burst',
  summary: 'one key sends its 1,000 requests at once: all are answered, and other keys’ p99 grows by at most 20 %',
  options: {
    seconds: { default: 60, description: 'length of a period, in seconds; there is one burst in every second period' },
    rounds: { default: 2, description: 'pairs of periods, one without and one with a burst' },
    rate: { default: 200, description: 'requests per second of the other keys' },
  },
  mutantOptions: { seconds: 5, rounds: 1, rate: 100 },
  mutants: [
    {
      name: 'short-queue',
      description: 'queues only 90 requests of a key',
      edits: [
        {
          file: 'apps/api/admission/key-concurrency-limiter.ts',
          find: 'export const MAX_QUEUED_PER_KEY = 1000',
          replace: 'export const MAX_QUEUED_PER_KEY = 90',
        },
      ],
    },
  ],
  run,
} satisfies Scenario

const OTHER_KEYS = 20
const REQUESTS = 1000
const SENDER = new URL('./burst/sender.ts', import.meta.url)

async function run({ options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { seconds = 1, rounds = 1, rate = 1 } = options
  const environment = await openEnvironment({
    nodes: 1,
    synchronousCommit: false,
    maxSeconds: 120 + 2 * rounds * seconds,
  })
  const accounts = await Promise.all(
    Array.from({ length: OTHER_KEYS + rounds }, () => environment.createAccount({ limit: 1_000_000 })),
  )
  const { port } = environment.nodes[0]!
  const path = `/api/v1/set/${environment.market.sets[0]!.set_number}`
  const steady = await RawConnectionPool.open(port, 50)

  /** Sends the other keys' requests for one period. */
  const runPeriod = async (length = seconds): Promise<StatusResult[]> => {
    const results: Promise<StatusResult>[] = []
    const started = performance.now()
    for (let index = 0; index < rate * length; index++) {
      const delay = started + (index / rate) * 1000 - performance.now()
      if (delay > 0) await sleep(delay)
      results.push(steady.get(path, { authorization: `Bearer ${accounts[index % OTHER_KEYS]!.key}` }))
    }
    return Promise.all(results)
  }

  await runPeriod(5)
  const [without, during]: [StatusResult[], StatusResult[]] = [[], []]
  const bursts: BurstResult[] = []
  for (let round = 0; round < rounds; round++) {
    without.push(...(await runPeriod()))
    const key = accounts[OTHER_KEYS + round]!.key
    const sender = fork(SENDER)
    sender.send({ port, path, key, requests: REQUESTS } satisfies BurstOrder)
    await once(sender, 'message')
    const period = runPeriod()
    await sleep(1000)
    sender.send('go')
    const [burst] = (await once(sender, 'message')) as [BurstResult]
    bursts.push(burst)
    during.push(...(await period))
    log(`round ${round + 1}: ${REQUESTS} requests in ${burst.ms.toFixed(0)} ms`)
  }
  steady.close()

  const p99 = (results: StatusResult[]) =>
    quantile(
      results.map((result) => result.ms),
      0.99,
    )
  const failed = [...without, ...during, ...bursts.flatMap(({ results }) => results)].filter(
    ({ status }) => status !== 200,
  )
  return {
    checks: [
      none('responses other than 200', failed.length),
      atMost('slowest burst, in ms', 10_000, Math.round(Math.max(...bursts.map(({ ms }) => ms)))),
      atMost('p99 of other keys, with ÷ without a burst', 1.2, Number((p99(during) / p99(without)).toFixed(2))),
    ],
    measurements: {
      'p99 of other keys without a burst, in ms': Number(p99(without).toFixed(1)),
      'p99 of other keys with a burst, in ms': Number(p99(during).toFixed(1)),
      'slowest request of other keys with a burst, in ms': Math.round(Math.max(...during.map(({ ms }) => ms))),
    },
    failures: [...new Set(failed.map((result) => result.problem ?? `status ${result.status}`))],
  }
}
