import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { deriveSecret } from '@brickmark/core/webhook/signature'
import { asRole } from '../../support/database.ts'
import { quantile } from '../../support/quantile.ts'
import { SeededRandom } from '../harness/random.ts'
import {
  atLeast,
  atMost,
  none,
  timing,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { startWorkerNode } from './valuation-pipeline/worker-node.ts'
import { startReceiver, type Behavior, type Receiver } from './webhooks/receiver.ts'

const SENDER = 'apps/worker/webhooks/webhook-sender.ts'
const LOOP = 'apps/worker/webhooks/delivery-loop.ts'

/**
 * Events go to receivers that answer, are slow, fail, redirect, are gone, hang or have a private address, while workers are
 * killed. Every event must have arrived with a valid signature, or still be waiting for its next attempt.
 */
export const webhooks = {
  name: 'webhooks',
  summary:
    'sends events to good and bad receivers while workers are killed: no event is lost, bad ones delay no others',
  options: {
    events: { default: 1_000_000, description: 'events' },
    kills: { default: 20, description: 'workers killed with SIGKILL' },
    samples: { default: 300, description: 'single events whose delivery is timed, with and without a dead endpoint' },
  },
  mutantOptions: { events: 2000, kills: 1, samples: 20 },
  mutants: [
    {
      name: 'any-status',
      description: 'counts every response as a success',
      edits: [
        {
          file: 'packages/core/src/webhook/delivery.ts',
          find: 'statusCode !== null && statusCode >= 200 && statusCode < 300',
          replace: 'statusCode !== null',
        },
      ],
    },
    {
      name: 'any-address',
      description: 'connects to private addresses',
      edits: [
        {
          file: 'apps/worker/webhooks/public-address.ts',
          find: "if (address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(PUBLIC_IPV6))) return true",
          replace: "if (address.range() !== 'multicast') return true",
        },
      ],
    },
    {
      name: 'new-id',
      description: 'gives every attempt a new id',
      edits: [
        {
          file: SENDER,
          find: 'id: messageId(delivery.id), body',
          replace: 'id: messageId(crypto.randomUUID()), body',
        },
      ],
    },
    {
      name: 'one-at-a-time',
      description: 'serves one endpoint after the other',
      edits: [{ file: LOOP, find: 'const MAX_ENDPOINTS = 200', replace: 'const MAX_ENDPOINTS = 1' }],
    },
    {
      name: 'forgets-lease',
      description: 'never takes over the endpoints of a worker that died',
      edits: [{ file: LOOP, find: 'const LEASE_SECONDS = 30', replace: 'const LEASE_SECONDS = 86_400' }],
    },
  ],
  run,
} satisfies Scenario

const KEY = 'k'.repeat(32)
const GOOD_ENDPOINTS = 12
/** How much of the events each kind of receiver gets. The good ones share the rest. */
const SHARES: Partial<Record<Behavior, number>> = {
  slow: 0.01,
  failing: 0.005,
  redirecting: 0.005,
  gone: 0.001,
  hanging: 0.001,
  private: 0.002,
}
const EVENTS_PER_INSERT = 5000
const WORKER_LIFE_MS = { min: 500, max: 3000 }
/** A killed worker's endpoints are taken over after half a minute. */
const DRAIN_SECONDS_PER_1000_EVENTS = 4
const MIN_DRAIN_SECONDS = 180

type Endpoint = { accountId: number; id: number; behavior: Behavior; receiver: Receiver }

async function run({ seed, options, openEnvironment, onTeardown, log }: ScenarioContext): Promise<ScenarioResult> {
  const { events = 1, kills = 1, samples = 1 } = options
  const drainSeconds = MIN_DRAIN_SECONDS + (events / 1000) * DRAIN_SECONDS_PER_1000_EVENTS
  const environment = await openEnvironment({ nodes: 0, maxSeconds: 300 + 2 * drainSeconds, synchronousCommit: false })
  const { db, root } = environment
  const random = new SeededRandom(seed)
  const behaviors: Behavior[] = [
    ...Array.from({ length: GOOD_ENDPOINTS }, () => 'good' as const),
    ...(Object.keys(SHARES) as Behavior[]),
  ]
  const endpoints: Endpoint[] = []
  for (const behavior of behaviors) {
    const { accountId } = await environment.createAccount()
    endpoints.push(await addEndpoint(db, accountId, behavior, onTeardown))
  }
  const startWorker = () =>
    startWorkerNode(root, asRole(environment.url, 'brickmark_worker'), {
      WEBHOOK_KEY: KEY,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    })
  const good = endpoints.filter(({ behavior }) => behavior === 'good')
  const started = performance.now()
  const adding = addEvents(db, endpoints, events)
  for (let killed = 0; killed < kills; killed++) {
    const worker = await startWorker()
    // Every other one while it is definitely sending.
    if (killed % 2 === 0) await waitUntilSending(db, good)
    else await sleep(random.int(WORKER_LIFE_MS.min, WORKER_LIFE_MS.max))
    await worker.kill()
  }
  await adding
  const worker = await startWorker()
  const reachable = endpoints.filter(({ behavior }) => behavior === 'good' || behavior === 'slow')
  await drain(db, reachable, drainSeconds)
  const seconds = (performance.now() - started) / 1000
  log(`${events} events in ${Math.round(seconds)} s`)
  const outcome = await compare(db, endpoints)
  const storage = await measureStorage(db)

  const dead = endpoints.find(({ behavior }) => behavior === 'hanging')!
  await sql`update webhook.endpoint set disabled_at = now(), disabled_reason = 'owner' where id = ${dead.id}`.execute(
    db,
  )
  const usual = await timeDeliveries(db, good, samples)
  await sql`update webhook.endpoint set disabled_at = null, disabled_reason = null where id = ${dead.id}`.execute(db)
  await addDeliveries(db, dead, 1000)
  const besideDead = await timeDeliveries(db, good, samples)
  await worker.stop()
  const [p99, p99BesideDead] = [quantile(usual, 0.99), quantile(besideDead, 0.99)].map(Math.round) as [number, number]
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const receivedBy = (behavior: Behavior) =>
    sum(endpoints.filter((endpoint) => endpoint.behavior === behavior).map(({ receiver }) => receiver.requests()))
  const redirected = endpoints.find(({ behavior }) => behavior === 'redirecting')!.receiver.redirected()
  return {
    checks: [
      none('events that a good or slow receiver never got', outcome.lost),
      none('events of other receivers that are neither waiting nor failed', outcome.dropped),
      none(
        'messages with an unknown id, or another body than before',
        sum(endpoints.map(({ receiver }) => receiver.strange())),
      ),
      none('messages with an invalid signature', sum(endpoints.map(({ receiver }) => receiver.unsigned()))),
      none('requests to the target of a redirect', redirected),
      none('connections to a private address', receivedBy('private')),
      atLeast('requests to a failing receiver', 1, receivedBy('failing')),
      none('requests to a receiver after it said it was gone', Math.max(0, receivedBy('gone') - 10)),
      none('single events without a delivery', [...usual, ...besideDead].filter((ms) => ms === Infinity).length),
      timing(atMost('delay that a dead endpoint causes others, p99 in ms', 1000, p99BesideDead - p99)),
    ],
    measurements: {
      events,
      'events/s': Math.round(events / seconds),
      'sent twice': outcome.twice,
      'p99 ms': p99,
      'p99 ms beside a dead endpoint': p99BesideDead,
      'bytes per event': Math.round(storage / events),
    },
    failures: outcome.examples,
  }
}

async function addEndpoint(
  db: Database,
  accountId: number,
  behavior: Behavior,
  onTeardown: ScenarioContext['onTeardown'],
): Promise<Endpoint> {
  const salt = randomBytes(16)
  const receiver = await startReceiver(behavior, deriveSecret(KEY, salt))
  onTeardown(() => receiver.stop())
  const { id } = await db
    .insertInto('webhook.endpoint')
    .values({ account_id: accountId, url: receiver.url, salt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { accountId, id, behavior, receiver }
}

/** Adds events in small transactions, a share for each endpoint. */
async function addEvents(db: Database, endpoints: Endpoint[], events: number): Promise<void> {
  const others = Object.values(SHARES).reduce((sum, share) => sum + share, 0)
  const left = endpoints.map(({ behavior }) =>
    Math.ceil(events * (behavior === 'good' ? (1 - others) / GOOD_ENDPOINTS : SHARES[behavior]!)),
  )
  while (left.some((count) => count > 0)) {
    for (const [index, endpoint] of endpoints.entries()) {
      const count = Math.min(left[index]!, EVENTS_PER_INSERT)
      left[index]! -= count
      if (count > 0) await addDeliveries(db, endpoint, count)
    }
  }
}

/** Adds events as `alert.record_alerts` does. */
async function addDeliveries(db: Database, { accountId, id }: Endpoint, count: number): Promise<string[]> {
  const data = {
    rule_id: 1,
    item_kind: 'set',
    item_number: '90001-1',
    title: 'Tidewater Lighthouse',
    retailer: 'retailer_a',
    retailer_name: 'Retailer A',
    facts: { price: 3999, threshold: 4200 },
  }
  const { rows } = await sql<{ event_id: string }>`
    with added as (
      insert into webhook.event (account_id, type, data)
      select ${accountId}, 'alert.price_at_most', ${JSON.stringify(data)}::jsonb || jsonb_build_object('alert_id', n)
        from generate_series(1, ${count}) as n
      returning account_id, id
    ), deliveries as (
      insert into webhook.delivery (account_id, event_id, endpoint_id) select account_id, id, ${id} from added
      returning event_id
    ), due as (
      update webhook.endpoint set next_attempt_at = least(next_attempt_at, now()) where id = ${id}
    )
    select event_id from deliveries`.execute(db)
  return rows.map(({ event_id }) => event_id)
}

/** Waits until a worker has claimed one of these endpoints, but not for long. */
async function waitUntilSending(db: Database, endpoints: Endpoint[]): Promise<void> {
  const ids = endpoints.map(({ id }) => id)
  for (const deadline = Date.now() + WORKER_LIFE_MS.max; Date.now() < deadline; await sleep(2)) {
    const { rows } = await sql`
      select from webhook.endpoint where id = any (${ids}) and leased_until > now()`.execute(db)
    if (rows.length > 0) return
  }
}

/** Waits until everything has been delivered to these endpoints. */
async function drain(db: Database, endpoints: Endpoint[], maxSeconds: number): Promise<void> {
  const ids = endpoints.map(({ id }) => id)
  const deadline = Date.now() + maxSeconds * 1000
  for (;;) {
    const { rows } = await sql<{ waiting: boolean }>`
      select exists (select from webhook.delivery where endpoint_id = any (${ids}) and status = 'waiting') as waiting`.execute(
      db,
    )
    if (!rows[0]!.waiting || Date.now() > deadline) return
    await sleep(1000)
  }
}

/** Compares what receivers got with what was sent to them. */
async function compare(db: Database, endpoints: Endpoint[]) {
  let [lost, dropped, twice] = [0, 0, 0]
  const examples: string[] = []
  for (const { id, behavior, receiver } of endpoints) {
    const { rows } = await sql<{ event_id: string; status: string }>`
      select d.event_id, d.status from webhook.delivery d where d.endpoint_id = ${id}`.execute(db)
    const isReachable = behavior === 'good' || behavior === 'slow'
    for (const { event_id, status } of rows) {
      const isArrived = receiver.hasReceived(event_id)
      if (isReachable ? isArrived : status !== 'delivered') continue
      if (isReachable) lost++
      else dropped++
      if (examples.length < 5) examples.push(`${behavior}: event ${event_id} is ${status}, received: ${isArrived}`)
    }
    receiver.expectOnly(new Set(rows.map((row) => row.event_id)))
    if (isReachable) twice += receiver.requests() - rows.length
  }
  return { lost, dropped, twice, examples }
}

/** Adds single events and returns how long each took to arrive in ms; infinity if it didn't. */
async function timeDeliveries(db: Database, endpoints: Endpoint[], samples: number): Promise<number[]> {
  const delays: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const endpoint = endpoints[sample % endpoints.length]!
    const [eventId] = await addDeliveries(db, endpoint, 1)
    const committed = performance.now()
    let delay = Infinity
    while (performance.now() - committed < 30_000) {
      if (endpoint.receiver.hasReceived(eventId!)) {
        delay = performance.now() - committed
        break
      }
      await sleep(2)
    }
    delays.push(delay)
    // The others would only be waited for as long.
    if (delay === Infinity) break
  }
  return delays
}

async function measureStorage(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(c.oid))::bigint as bytes from pg_class c
     where c.relnamespace = 'webhook'::regnamespace and c.relkind = 'r' and c.relname <> 'endpoint'`.execute(db)
  return rows[0]!.bytes
}
