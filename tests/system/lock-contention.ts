import { setTimeout } from 'node:timers/promises'
import { connectionConfig } from '@brickmark/core/db/primary-discovery'
import { Client, type ClientResult } from '../support/http-client.ts'
import { atLeast, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { quantile } from '../support/quantile.ts'

/** T15: a lock keeps every private read from ending. Nobody else notices, and those who do are told quickly. */
export const lockContention: Scenario = {
  name: 'lock-contention',
  covers: ['T15'],
  summary:
    'locks a private table under load: other endpoints p99 < 500 ms, refusals within 300 ms, normal at once after',
  options: {
    seconds: { default: 10, description: 'how long the table is locked' },
    private: { default: 40, description: 'private requests under way at once' },
    public: { default: 8, description: 'other requests under way at once' },
  },
  mutantOptions: { seconds: 3, private: 30, public: 4 },
  mutants: [
    {
      name: 'no-lock-timeout',
      description: 'a read waits for a lock as long as a statement may take',
      edits: [{ file: 'apps/api/server.ts', find: '    lockTimeoutMs: LOCK_TIMEOUT_MS,\n', replace: '' }],
    },
    {
      name: 'one-pool',
      description: 'charges and reads share their connections',
      edits: [
        { file: 'apps/api/server.ts', find: '    lockTimeoutMs: LOCK_TIMEOUT_MS,\n', replace: '' },
        {
          file: 'apps/api/server.ts',
          find: 'new AdmissionController(admissionPool,',
          replace: 'new AdmissionController(readPool,',
        },
      ],
    },
  ],
  run,
}

const KEYS = 20

async function run({ options, openEnvironment: openStage, log }: ScenarioContext): Promise<ScenarioResult> {
  const { seconds = 1, private: privateClients = 1, public: publicClients = 1 } = options
  const stage = await openStage({ nodes: 1, synchronousCommit: false, maxSeconds: 120 + seconds })
  const keys = await Promise.all(Array.from({ length: KEYS }, () => stage.createAccount({ limit: 1_000_000 })))
  const client = new Client(stage.nodes[0]!.port, privateClients + publicClients + 1)
  const sets = stage.market.sets.slice(0, 50).map((set) => set.set_number)
  let asked = 0
  const ask = (path: string): Promise<ClientResult> => {
    const { key } = keys[asked++ % KEYS]!
    return client.request({ method: 'GET', target: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } })
  }
  const askPrivate = () => ask('/brickfolio/entries')
  const askPublic = () => ask(`/set/${sets[asked % sets.length]}`)
  for (let n = 0; n < KEYS; n++) await askPrivate()

  const { Client: Connection, connectionString } = connectionConfig(stage.url)
  const locker = new Connection({ connectionString })
  await locker.connect()
  await locker.query('begin; lock table portfolio.holding in access exclusive mode')
  log(`portfolio.holding is locked for ${seconds} s`)
  const until = performance.now() + seconds * 1000
  const [refused, others] = await Promise.all([
    runUntil(until, privateClients, askPrivate),
    runUntil(until, publicClients, askPublic),
  ])
  await locker.query('rollback')
  const released = performance.now()
  while ((await askPrivate()).response?.status !== 200 && performance.now() - released < 10_000) await setTimeout(20)
  const recoveryMs = Math.round(performance.now() - released)
  await locker.end()
  client.close()

  const slowest = Math.round(Math.max(...refused.map(({ ms }) => ms)))
  const p99 = Math.round(
    quantile(
      others.map(({ ms }) => ms),
      0.99,
    ),
  )
  return {
    checks: [
      atLeast('private requests while the table was locked', privateClients, refused.length),
      none(
        'of them neither answered nor refused with 503',
        refused.filter((one) => one.response?.status !== 503).length,
      ),
      atMost('slowest refusal, ms', 300, slowest),
      none('other requests that failed', others.filter((other) => other.response?.status !== 200).length),
      atMost('other requests p99, ms', 500, p99),
      atMost('first answer after the lock was released, ms', 1000, recoveryMs),
    ],
    measurements: { refused: refused.length, others: others.length },
    failures: [
      ...new Set(
        refused
          .filter((one) => one.response?.status !== 503)
          .map(({ response, error }) => error ?? `${response?.status} ${response?.text}`),
      ),
    ].slice(0, 3),
  }
}

/** So many at a time, each again when it was answered, until then. */
async function runUntil(until: number, lanes: number, ask: () => Promise<ClientResult>): Promise<ClientResult[]> {
  const replies: ClientResult[] = []
  const worker = async () => {
    while (performance.now() < until) replies.push(await ask())
  }
  await Promise.all(Array.from({ length: lanes }, worker))
  return replies
}
