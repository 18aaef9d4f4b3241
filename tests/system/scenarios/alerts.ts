import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { countUnreadChanges, resetPrices } from '../../support/alerts.ts'
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

const RULES = 'packages/core/src/alert/rule.ts'
const COMMANDS = 'packages/core/src/alert/alert-commands.ts'

/**
 * Writers change prices in transactions that commit out of order, while workers are killed. Afterwards, every rule must have
 * alerted exactly when its own copy of the price history says so.
 */
export const alerts = {
  name: 'alerts',
  summary: 'applies rules to price changes while workers are killed: no alert is missed, none is sent twice',
  options: {
    rules: { default: 100_000, description: 'alert rules' },
    changes: { default: 10_000, description: 'changes of a price' },
    kills: { default: 100, description: 'workers killed with SIGKILL' },
    samples: { default: 100, description: 'single changes whose alert is timed' },
  },
  mutantOptions: { rules: 500, changes: 1500, kills: 1, samples: 1 },
  mutants: [
    {
      name: 'ids-only',
      description: 'reads changes while transactions that started earlier are still running',
      edits: [
        {
          file: 'packages/core/src/alert/change-queries.ts',
          find: '\n       and transaction_id < pg_snapshot_xmin(pg_current_snapshot())',
          replace: '',
        },
      ],
    },
    {
      name: 'no-hysteresis',
      description: 'a rule can alert again as soon as it isn’t met',
      edits: [{ file: RULES, find: 'after > threshold * (1 + HYSTERESIS)', replace: 'after > threshold' }],
    },
    {
      name: 'forgetful',
      description: 'forgets from one batch to the next which rules have alerted',
      edits: [{ file: COMMANDS, find: 'toJsonb(outcome.met())', replace: "'[]'" }],
    },
    {
      name: 'late-rule',
      description: 'applies a rule only once a second has passed since it was created',
      edits: [
        {
          file: COMMANDS,
          find: 'change.atUs < rule.created_at_us',
          replace: 'change.atUs < rule.created_at_us + 1_000_000',
        },
      ],
    },
    {
      name: 'targets-only-shown',
      description: 'has no rule for the target of a watched set',
      edits: [
        {
          file: 'packages/core/migrations/0033-target-rules.sql',
          find: 'if new.target_cents is not null then',
          replace: 'if new.target_cents is null and new.target_cents is not null then',
        },
      ],
    },
  ],
  run,
} satisfies Scenario

type PriceRule = { id: number; set_number: string; threshold: number }

const WRITERS = 4
const SETS = 200
const RULES_PER_ACCOUNT = 500
const START_CENTS = 5000
/** From starting a worker to its first batch, and then some. */
const WORKER_LIFE_MS = { min: 50, max: 1500 }
/** A hundred thousand rules on two hundred sets make a hundred alerts of every change. */
const DRAIN_TIMEOUT_MS = 900_000

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { rules: ruleCount = 1, changes = 1, kills = 1, samples = 1 } = options
  const environment = await openEnvironment({ nodes: 0, maxSeconds: 900 + 5 * kills, synchronousCommit: false })
  const { db, root } = environment
  const random = new SeededRandom(seed)
  const workerUrl = asRole(environment.url, 'brickmark_worker')
  const numbers = await resetPrices(db, SETS, START_CENTS)
  // The first worker starts the feed: what came before it isn't read.
  const first = await startWorkerNode(root, workerUrl)
  await waitForCursor(db)
  await first.kill()
  const accountIds: number[] = []
  for (let left = ruleCount; left > 0; left -= RULES_PER_ACCOUNT)
    accountIds.push((await environment.createAccount()).accountId)
  // None is left out here: how many an account gets in a day is another test.
  await sql`update account.plan set max_alerts_per_day = 1000000000`.execute(db)
  const rules = await addRules(db, accountIds, numbers, ruleCount, random)
  log(`${rules.length} rules on ${numbers.length} sets`)

  const history = new Map(numbers.map((number) => [number, [START_CENTS] as (number | null)[]]))
  let isWriting = true
  const started = performance.now()
  const writing = writePrices(db, history, changes, random).finally(() => (isWriting = false))
  let killed = 0
  while (killed < kills || isWriting) {
    const worker = await startWorkerNode(root, workerUrl)
    await sleep(random.int(WORKER_LIFE_MS.min, WORKER_LIFE_MS.max))
    await worker.kill()
    killed++
  }
  await writing
  const worker = await startWorkerNode(root, workerUrl)
  await drain(db)
  log(`${changes} changes, ${killed} workers killed in ${Math.round((performance.now() - started) / 1000)} s`)
  const { missed, extra, expected } = await compare(db, rules, history)
  const delays = await timeAlerts(db, rules, samples)
  await worker.stop()
  const p99 = Math.round(quantile(delays, 0.99))
  return {
    checks: [
      atLeast('rules of targets', Math.floor(ruleCount / 10), await countTargets(db)),
      atLeast('alerts expected', 50, expected),
      atLeast('workers killed', kills, killed),
      none('alerts missed', missed.length),
      none('alerts twice or without a crossing', extra.length),
      none('single changes without an alert', delays.filter((ms) => ms === Infinity).length),
      timing(atMost('from a committed change to its alert, p99 in ms', 10_000, p99)),
    ],
    measurements: {
      rules: rules.length,
      changes,
      alerts: expected,
      'median ms': Math.round(quantile(delays, 0.5)),
      'bytes per row, with indexes': await measureRows(db),
    },
    failures: [...missed.map((one) => `missed: ${one}`), ...extra.map((one) => `extra: ${one}`)].slice(0, 5),
  }
}

/** Adds rules with thresholds below the initial price. A fifth of them are the targets of watched sets. */
async function addRules(
  db: Database,
  accountIds: number[],
  numbers: string[],
  count: number,
  random: SeededRandom,
): Promise<PriceRule[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    is_target: index % 5 === 0,
    account_id: accountIds[index % accountIds.length]!,
    set_number: random.pick(numbers),
    threshold: random.int(3500, 4900),
  }))
  const given = sql`
    jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (is_target boolean, account_id bigint, set_number text, threshold integer)`
  await sql`
    insert into portfolio.watched_item (account_id, set_number, target_cents)
    select account_id, set_number, threshold from ${given} where is_target
    on conflict do nothing`.execute(db)
  await sql`
    insert into alert.rule (account_id, kind, set_number, threshold)
    select account_id, 'price_at_most', set_number, threshold from ${given} where not is_target
    on conflict do nothing`.execute(db)
  const { rows: added } = await sql<PriceRule>`
    select id, set_number, threshold from alert.rule where account_id = any (${accountIds}::bigint[])`.execute(db)
  return added
}

async function countTargets(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from alert.rule where watched_item_id is not null`.execute(db)
  return rows[0]!.count
}

/**
 * Changes prices from several connections, each of its own sets. A transaction changes two prices with a pause in between, in
 * which transactions that started later commit.
 */
async function writePrices(
  db: Database,
  history: Map<string, (number | null)[]>,
  changes: number,
  random: SeededRandom,
): Promise<void> {
  const numbers = [...history.keys()]
  let left = changes
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const own = numbers.filter((__, index) => index % WRITERS === writer)
      while (left > 0) {
        left -= 2
        const pair = [random.pick(own), random.pick(own)].map((number) => ({ number, price: nextPrice(random) }))
        const pause = random.int(0, 8)
        await db.transaction().execute(async (tx) => {
          for (const { number, price } of pair) {
            await sql`
              update market.retail_state set price_cents = ${price}, in_stock = ${price !== null}
               where set_number = ${number} and retailer = 'retailer_a'`.execute(tx)
            await sleep(pause)
          }
        })
        for (const { number, price } of pair) history.get(number)!.push(price)
      }
    }),
  )
}

/** Mostly near the thresholds, sometimes far away, sometimes sold out. */
function nextPrice(random: SeededRandom): number | null {
  const kind = random.int(1, 20)
  if (kind === 1) return null
  return kind < 6 ? random.int(2000, 7000) : random.int(3400, 5000)
}

/** The prices at which a rule alerts, computed here from the description of the rules, not by their code. */
function expectedAlerts(threshold: number, prices: readonly (number | null)[]): number[] {
  const found: number[] = []
  let isArmed = true
  for (let index = 1; index < prices.length; index++) {
    const [before, price] = [prices[index - 1]!, prices[index]!]
    if (price === null) continue
    if (price > threshold) {
      if (price > threshold * 1.02) isArmed = true
      continue
    }
    const isCrossing = before === null || before > threshold
    if (isArmed && isCrossing) found.push(price)
    if (isCrossing) isArmed = false
  }
  return found
}

async function compare(db: Database, rules: PriceRule[], history: Map<string, (number | null)[]>) {
  const { rows } = await sql<{ rule_id: number; prices: number[] }>`
    select rule_id, array_agg((facts ->> 'price')::integer order by change_id) as prices from alert.alert
     group by rule_id`.execute(db)
  const found = new Map(rows.map((row) => [row.rule_id, row.prices]))
  const missed: string[] = []
  const extra: string[] = []
  let expected = 0
  for (const { id, set_number, threshold } of rules) {
    const own = expectedAlerts(threshold, history.get(set_number)!)
    const actual = found.get(id) ?? []
    expected += own.length
    if (own.join() === actual.join()) continue
    const about = `rule ${id} at ${threshold} on ${set_number}: expected ${own.join()}, got ${actual.join()}`
    if (actual.length < own.length) missed.push(about)
    else extra.push(about)
  }
  return { missed, extra, expected }
}

/** Crosses single thresholds and returns how long each alert took in ms; infinity if there was none. */
async function timeAlerts(db: Database, rules: PriceRule[], samples: number): Promise<number[]> {
  const delays: number[] = []
  const seen = new Map<string, PriceRule>()
  for (const rule of rules) if (!seen.has(rule.set_number)) seen.set(rule.set_number, rule)
  const targets = [...seen.values()]
  for (let sample = 0; sample < samples; sample++) {
    const { id, set_number, threshold } = targets[sample % targets.length]!
    const setPrice = (cents: number) =>
      sql`update market.retail_state set price_cents = ${cents}, in_stock = true
           where set_number = ${set_number} and retailer = 'retailer_a'`.execute(db)
    const countAlerts = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) from alert.alert where rule_id = ${id}`.execute(db)
      return rows[0]!.count
    }
    await setPrice(threshold * 2)
    await drain(db)
    const before = await countAlerts()
    await setPrice(threshold - 1)
    const committed = performance.now()
    let delay = Infinity
    while (performance.now() - committed < 20_000) {
      if ((await countAlerts()) > before) {
        delay = performance.now() - committed
        break
      }
      await sleep(5)
    }
    delays.push(delay)
  }
  return delays
}

async function measureRows(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ rule: number; met_rule: number; alert: number; change: number }>`
    select pg_total_relation_size('alert.rule') / (select count(*) from alert.rule) as rule,
           pg_total_relation_size('alert.met_rule') / greatest(1, (select count(*) from alert.met_rule)) as met_rule,
           pg_total_relation_size('alert.alert') / greatest(1, (select count(*) from alert.alert)) as alert,
           (select sum(pg_total_relation_size(inhrelid))::bigint from pg_inherits where inhparent = 'change.change'::regclass)
             / (select count(*) from change.change) as change`.execute(db)
  return rows[0]!
}

async function waitForCursor(db: Database): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const { rows } = await sql`select from change.cursor where reader = 'alerts'`.execute(db)
    if (rows.length > 0) return
    await sleep(20)
  }
  throw new Error('No worker has read the feed within 20 s.')
}

/** Waits until every change has been read. */
async function drain(db: Database): Promise<void> {
  const deadline = Date.now() + DRAIN_TIMEOUT_MS
  for (;;) {
    const left = await countUnreadChanges(db)
    if (left === 0) return
    if (Date.now() > deadline) throw new Error(`${left} changes are still unread.`)
    await sleep(20)
  }
}
