import { setTimeout } from 'node:timers/promises'
import { connectionTo } from '@brickmark/core/db/primary-discovery'
import { Client, type Reply } from '../support/http-client.ts'
import { atLeast, none, within, type Proof, type ProofContext, type ProofResult } from './scenario.ts'
import { quantile } from '../support/quantile.ts'

/** T15: a lock keeps every private read from ending. Nobody else notices, and those who do are told quickly. */
export const exhaustion: Proof = {
  name: 'exhaustion',
  covers: ['T15'],
  summary:
    'locks a private table under load: other endpoints p99 < 500 ms, refusals within 300 ms, normal at once after',
  options: {
    seconds: { default: 10, what: 'how long the table is locked' },
    private: { default: 40, what: 'private requests under way at once' },
    public: { default: 8, what: 'other requests under way at once' },
  },
  smallLoad: { seconds: 3, private: 30, public: 4 },
  plants: [
    {
      name: 'patient-reads',
      what: 'a read waits for a lock as long as a statement may take',
      edits: [{ file: 'apps/api/server.ts', find: 'lockTimeoutMs: LOCK_MS, ', replace: '' }],
    },
    {
      name: 'one-pool',
      what: 'charges and reads share their connections',
      edits: [
        { file: 'apps/api/server.ts', find: 'lockTimeoutMs: LOCK_MS, ', replace: '' },
        { file: 'apps/api/server.ts', find: 'new Admission(admissionPool,', replace: 'new Admission(readPool,' },
      ],
    },
  ],
  run,
}

const KEYS = 20

async function run({ options, stage: openStage, say }: ProofContext): Promise<ProofResult> {
  const { seconds = 1, private: privately = 1, public: publicly = 1 } = options
  const stage = await openStage({ nodes: 1, durable: false, seconds: 120 + seconds })
  const keys = await Promise.all(Array.from({ length: KEYS }, () => stage.account({ limit: 1_000_000 })))
  const client = new Client(stage.nodes[0]!.port, privately + publicly + 1)
  const sets = stage.market.sets.slice(0, 50).map((set) => set.set_number)
  let asked = 0
  const ask = (path: string): Promise<Reply> => {
    const { key } = keys[asked++ % KEYS]!
    return client.ask({ method: 'GET', target: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } })
  }
  const askPrivate = () => ask('/brickfolio/entries')
  const askPublic = () => ask(`/set/${sets[asked % sets.length]}`)
  for (let n = 0; n < KEYS; n++) await askPrivate()

  const { Client: Connection, connectionString } = connectionTo(stage.url)
  const locker = new Connection({ connectionString })
  await locker.connect()
  await locker.query('begin; lock table portfolio.holding in access exclusive mode')
  say(`portfolio.holding is locked for ${seconds} s`)
  const until = performance.now() + seconds * 1000
  const [refused, others] = await Promise.all([
    meanwhile(until, privately, askPrivate),
    meanwhile(until, publicly, askPublic),
  ])
  await locker.query('rollback')
  const released = performance.now()
  while ((await askPrivate()).answer?.status !== 200 && performance.now() - released < 10_000) await setTimeout(20)
  const backMs = Math.round(performance.now() - released)
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
    goals: [
      atLeast('private requests while the table was locked', privately, refused.length),
      none('of them neither answered nor refused with 503', refused.filter((one) => one.answer?.status !== 503).length),
      within('slowest refusal, ms', 300, slowest),
      none('other requests that failed', others.filter((one) => one.answer?.status !== 200).length),
      within('other requests p99, ms', 500, p99),
      within('first answer after the lock was released, ms', 1000, backMs),
    ],
    figures: { refused: refused.length, others: others.length },
    failures: [
      ...new Set(
        refused
          .filter((one) => one.answer?.status !== 503)
          .map(({ answer, problem }) => problem ?? `${answer?.status} ${answer?.text}`),
      ),
    ].slice(0, 3),
  }
}

/** So many at a time, each again when it was answered, until then. */
async function meanwhile(until: number, lanes: number, ask: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = []
  const lane = async () => {
    while (performance.now() < until) replies.push(await ask())
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return replies
}
