import { setTimeout as sleep } from 'node:timers/promises'
import { connectionConfig } from '@brickmark/core/db/primary-discovery'
import { Client, type ClientResult } from '../../support/http-client.ts'
import { atLeast, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import { quantile } from '../../support/quantile.ts'

/** A lock blocks every private read. Other requests are unaffected, and private requests are rejected quickly. */
export const lockContention = {
  name: 'lock-contention',
  summary:
    'locks a private table under load: other endpoints p99 < 500 ms, rejections within 300 ms, immediate recovery',
  options: {
    seconds: { default: 10, description: 'duration of the lock in seconds' },
    private: { default: 40, description: 'private requests in flight' },
    public: { default: 8, description: 'other requests in flight' },
  },
  mutantOptions: { seconds: 3, private: 30, public: 4 },
  mutants: [
    {
      name: 'no-lock-timeout',
      description: 'a read waits for a lock until the statement timeout',
      // The timeout is a setting of the database role, which all mutants share, so this one asks for another.
      edits: [
        {
          file: 'packages/core/src/db/database.ts',
          find: "    application_name: 'brickmark',\n",
          replace: "    application_name: 'brickmark',\n    options: '-c lock_timeout=0',\n",
        },
      ],
    },
    {
      name: 'one-pool',
      description: 'charges and reads share one connection pool',
      edits: [
        {
          file: 'apps/api/server.ts',
          find: 'new AdmissionController(admissionPool,',
          replace: 'new AdmissionController(readPool,',
        },
      ],
    },
  ],
  run,
} satisfies Scenario

const KEYS = 20

async function run({ options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { seconds = 1, private: privateClients = 1, public: publicClients = 1 } = options
  const environment = await openEnvironment({ nodes: 1, synchronousCommit: false, maxSeconds: 120 + seconds })
  const keys = await Promise.all(Array.from({ length: KEYS }, () => environment.createAccount({ limit: 1_000_000 })))
  const client = new Client(environment.nodes[0]!.port, privateClients + publicClients + 1)
  const sets = environment.market.sets.slice(0, 50).map((set) => set.set_number)
  let sent = 0
  const send = (path: string): Promise<ClientResult> => {
    const { key } = keys[sent++ % KEYS]!
    return client.request({ method: 'GET', target: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } })
  }
  const sendPrivate = () => send('/brickfolio/entries')
  const sendPublic = () => send(`/set/${sets[sent % sets.length]}`)
  for (let n = 0; n < KEYS; n++) await sendPrivate()

  const { Client: Connection, connectionString } = connectionConfig(environment.url)
  const locker = new Connection({ connectionString })
  await locker.connect()
  await locker.query('begin; lock table portfolio.lot in access exclusive mode')
  log(`portfolio.lot is locked for ${seconds} s`)
  const until = performance.now() + seconds * 1000
  const [blocked, others] = await Promise.all([
    runUntil(until, privateClients, sendPrivate),
    runUntil(until, publicClients, sendPublic),
  ])
  await locker.query('rollback')
  const released = performance.now()
  while ((await sendPrivate()).response?.status !== 200 && performance.now() - released < 10_000) await sleep(20)
  const recoveryMs = Math.round(performance.now() - released)
  await locker.end()
  client.close()

  const slowest = Math.round(Math.max(...blocked.map(({ ms }) => ms)))
  const p99 = Math.round(
    quantile(
      others.map(({ ms }) => ms),
      0.99,
    ),
  )
  return {
    checks: [
      atLeast('private requests during the lock', privateClients, blocked.length),
      none(
        'private requests not rejected with 503',
        blocked.filter((result) => result.response?.status !== 503).length,
      ),
      atMost('slowest rejection, ms', 300, slowest),
      none('other requests failed', others.filter((other) => other.response?.status !== 200).length),
      atMost('other requests p99, ms', 500, p99),
      atMost('first success after the lock’s release, ms', 1000, recoveryMs),
    ],
    measurements: { 'private requests': blocked.length, 'other requests': others.length },
    failures: [
      ...new Set(
        blocked
          .filter((result) => result.response?.status !== 503)
          .map(({ response, error }) => error ?? `${response?.status} ${response?.text}`),
      ),
    ].slice(0, 3),
  }
}

/** Keeps `lanes` requests in flight until the deadline. */
async function runUntil(deadline: number, lanes: number, send: () => Promise<ClientResult>): Promise<ClientResult[]> {
  const results: ClientResult[] = []
  const worker = async () => {
    while (performance.now() < deadline) results.push(await send())
  }
  await Promise.all(Array.from({ length: lanes }, worker))
  return results
}
