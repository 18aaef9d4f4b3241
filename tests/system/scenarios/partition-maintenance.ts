import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { maintainPartitions } from '@brickmark/core/db/partition-commands'
import { asRole } from '../../support/database.ts'
import type { Observation } from './admission/invariants.ts'
import { get, type Call, type LimitedKey } from './admission/calls.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import { SeededRandom } from '../harness/random.ts'
import { reconcileCharges } from '../harness/reconcile-charges.ts'
import { atLeast, atMost, none, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'
import { TrafficGenerator } from '../harness/traffic-generator.ts'

const TARGET_LOAD = 0.7
const WARM_S = 1
const YESTERDAYS_CREDITS = 7
const PARTITIONED = ['account.api_key_quota_history', 'account.api_key_usage']

const DROP_FUNCTION = `create function maintenance.drop_expired_partitions(partitioned_table text) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC'`

/**
 * The nightly maintenance drops partitions while a backup holds locks on them and while keys are charged for the first
 * time of a day, which is when a charge writes to a partitioned table. No charge fails, and no day is lost.
 */
export const partitionMaintenance = {
  name: 'partition-maintenance',
  summary: 'drops partitions behind the locks of a pg_dump, with first charges of a day at 0.7 of capacity: none fails',
  options: {
    keys: { default: 4000, description: 'keys that were last charged yesterday' },
    clients: { default: 32, description: 'requests in flight' },
    seconds: { default: 12, description: 'duration of the load and of the locks in seconds' },
  },
  mutantOptions: { keys: 1500, seconds: 5 },
  mutants: [
    {
      name: 'patient-maintenance',
      description: 'maintenance waits for its locks, and every first charge of a day waits behind it',
      edits: [
        {
          file: 'packages/core/migrations/0002-maintenance.sql',
          find: `${DROP_FUNCTION} set lock_timeout = '100ms'`,
          replace: `${DROP_FUNCTION} set lock_timeout = '10s'`,
        },
      ],
    },
    {
      name: 'forgotten-day',
      description: 'the first charge of a day overwrites the previous day',
      edits: [
        {
          file: 'packages/core/migrations/0007-account.sql',
          find: 'when (old.day <> new.day and',
          replace: 'when (old.day < new.day - 1 and',
        },
      ],
    },
  ],
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { keys: count = 1, clients = 1, seconds = 1 } = options
  const environment = await openEnvironment({ nodes: 1, synchronousCommit: true, maxSeconds: 180 + 3 * seconds })
  const choice = {
    random: new SeededRandom(seed),
    nodes: 1,
    sets: environment.market.sets.slice(0, 50).map((set) => set.set_number),
  }
  const [warmUp, keys] = [await createUnlimitedKeys(environment, 100), await createUnlimitedKeys(environment, count)]
  const call = (key: LimitedKey): Call => get(key, choice, `/set/${choice.random.pick(choice.sets)}`, 1, 200)
  const ports = environment.nodes.map((node) => node.port)
  const send = async (next: () => Call, durationS: number, rate?: number): Promise<Observation[]> => {
    const traffic = new TrafficGenerator(ports, { next, clients, ...(rate !== undefined && { rate }) })
    await sleep(durationS * 1000)
    return traffic.stop()
  }
  const warm = () => call(choice.random.pick(warmUp))
  await send(warm, WARM_S)
  const capacity = (await send(warm, 2)).length / 2
  log(`${Math.round(capacity)} requests per second`)

  await pretendYesterday(environment, keys)
  const dump = await lockLikePgDump(environment)
  const maintenance = maintainRepeatedly(environment, seconds)
  // Every key once, at a rate that reaches all of them, then keys at random.
  const pending = keys.values()
  const observations = await send(
    () => call(pending.next().value ?? choice.random.pick(keys)),
    seconds,
    capacity * TARGET_LOAD,
  )
  const attempts = await maintenance
  await dump()
  const dropped = await maintain(environment)
  const failed = observations.filter(({ status }) => status !== 200)
  const lost = await countWrongHistory(environment, observations)
  const { lost: lostCredits, unaccounted, duplicates } = reconcileCharges(observations, await environment.creditsUsed())
  return {
    checks: [
      atLeast('first charges of a day', Math.min(count, 1000), new Set(observations.map((o) => o.call.key.keyId)).size),
      atLeast('attempts to drop a partition behind the locks', 3, attempts),
      none('requests failed', failed.length),
      none('keys whose previous day was lost', lost),
      none('credits lost, unaccounted for or granted twice', lostCredits + unaccounted + duplicates),
      atLeast('partitions dropped once the locks were gone', PARTITIONED.length, dropped),
      atMost(
        'slowest response, ms',
        1000,
        Math.round(Math.max(...observations.map(({ sentAt, receivedAt }) => receivedAt - sentAt))),
      ),
    ],
    measurements: { requests: observations.length, 'requests per second at capacity': Math.round(capacity) },
    failures: failed.slice(0, 3).map(({ status, call }) => `${call.name}: ${status}`),
  }
}

/** Gives every key a counter of yesterday, and adds partitions that have expired. */
async function pretendYesterday({ db }: TestEnvironment, keys: LimitedKey[]): Promise<void> {
  await sql`
    insert into account.api_key_quota (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
    select account_id, id, (now() at time zone 'utc')::date - 1, ${YESTERDAYS_CREDITS}, 100000000, 1, 1, 1
      from account.api_key where id = any(${keys.map((key) => key.keyId)}::bigint[])`.execute(db)
  await db.transaction().execute(async (transaction) => {
    await sql`set local role brickmark_maintenance`.execute(transaction)
    for (const table of PARTITIONED) {
      await sql`
        select maintenance.add_partitions(${table}::regclass, current_date - 150, current_date - 150, '1 month')`.execute(
        transaction,
      )
    }
  })
}

/** Locks every table as pg_dump does, until the returned function is called. */
async function lockLikePgDump(environment: TestEnvironment): Promise<() => Promise<void>> {
  const pool = openPool(environment.url, { size: 1, statementTimeoutMs: 60_000 })
  const client = await pool.connect()
  await client.query('begin')
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('account', 'source', 'portfolio')`,
  )
  await client.query(`lock table ${rows.map((row) => row.name).join(', ')} in access share mode`)
  return async () => {
    await client.query('rollback')
    client.release()
    await pool.end()
  }
}

/** Runs one attempt of the maintenance after another, as the worker. Returns how many gave up. */
async function maintainRepeatedly(environment: TestEnvironment, seconds: number): Promise<number> {
  const pool = openPool(asRole(environment.url, 'brickmark_worker'), { size: 1, statementTimeoutMs: 60_000 })
  const until = performance.now() + seconds * 1000
  let attempts = 0
  while (performance.now() < until) {
    for (const table of PARTITIONED) {
      const maintained = pool.query(
        'select maintenance.create_partitions($1), maintenance.drop_expired_partitions($1)',
        [table],
      )
      await maintained.catch(() => attempts++)
    }
    await sleep(100)
  }
  await pool.end()
  return attempts
}

async function maintain(environment: TestEnvironment): Promise<number> {
  const db = openDatabase(openPool(asRole(environment.url, 'brickmark_worker'), { size: 1 }))
  const changed = await maintainPartitions(db)
  await db.destroy()
  return PARTITIONED.reduce((sum, table) => sum + (changed[table] ?? 0), 0)
}

/** Counts keys that were charged today and whose counter of yesterday isn't in the history. */
async function countWrongHistory({ db }: TestEnvironment, observations: Observation[]): Promise<number> {
  const charged = [...new Set(observations.filter((o) => o.status === 200).map((o) => o.call.key.keyId))]
  const { rows } = await sql<{ kept: number }>`
    select count(*)::integer as kept from account.api_key_quota_history
     where api_key_id = any(${charged}::bigint[]) and used = ${YESTERDAYS_CREDITS}
       and day = (now() at time zone 'utc')::date - 1`.execute(db)
  return charged.length - rows[0]!.kept
}
