import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueAllItems } from '@brickmark/core/market/values/valuation-queue-commands'
import { WorkerMetrics } from '@brickmark/worker/metrics'
import { addSet, addValue } from './support/fixtures.ts'
import { startTestMarket, type TestMarket } from './support/market.ts'

/** The gauges that a worker reads from the database when Prometheus scrapes it. */

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
})
afterAll(() => market.stop())

function startMetrics(): WorkerMetrics {
  const metrics = new WorkerMetrics()
  metrics.registerGauges(market.db, ['fit-growth', 'finalize-months'])
  return metrics
}

/** Returns the values in a scrape of a worker, a new one unless given, by series. */
async function scrape(metrics = startMetrics()): Promise<Map<string, number>> {
  const text = await metrics.registry.metrics()
  return new Map(
    [...text.matchAll(/^(brickmark_\S+) (\S+)$/gm)].map(([, series, value]) => [series!, Number(value)] as const),
  )
}

test('the first scrape has the values of the database', async () => {
  for (let n = 1; n <= 3; n++) await addSet(market.superuserDb, { set_number: `9000${n}-1` })
  await queueAllItems(market.superuserDb)
  await sql`update source.valuation_queue set marked_at = now() - interval '5 minutes' where item_number = '90002-1'`.execute(
    market.superuserDb,
  )
  const scraped = await scrape()
  expect(scraped.get('brickmark_queued_items')).toBe(3)
  expect(scraped.get('brickmark_oldest_queued_seconds{kind="retail"}')).toBe(0)
  expect(scraped.get('brickmark_oldest_queued_seconds{kind="value"}')).toBeGreaterThanOrEqual(300)
  expect(scraped.get('brickmark_database_connection_ratio')).toBeGreaterThan(0)
  expect(scraped.get('brickmark_synchronous_standbys')).toBe(0)
  expect(scraped.get('brickmark_transaction_id_age_ratio')).toBeGreaterThan(0)
})

test('a job is as old as its last success, or as its schedule', async () => {
  const { superuserDb } = market
  await sql`select pgboss.create_queue(name, '{"policy": "exclusive"}')
              from (values ('fit-growth'), ('finalize-months'), ('poll-removed')) as queue (name)`.execute(superuserDb)
  await sql`
    insert into pgboss.schedule (name, cron, created_on)
    values ('fit-growth', '0 0 * * *', now() - interval '9 days'),
           ('finalize-months', '0 0 * * *', now() - interval '2 hours'),
           ('poll-removed', '0 0 * * *', now() - interval '90 days')`.execute(superuserDb)
  await sql`
    insert into pgboss.job (name, state, policy, completed_on, keep_until)
    values ('fit-growth', 'completed', 'exclusive', now() - interval '27 hours', now() + interval '1 day'),
           ('fit-growth', 'failed', 'exclusive', now() - interval '1 hour', now() + interval '1 day')`.execute(
    superuserDb,
  )
  await sql`update pgboss.version set cron_on = now() - interval '6 minutes'`.execute(superuserDb)
  const scraped = await scrape()
  const hours = (name: string) => (scraped.get(`brickmark_job_age_seconds{name="${name}"}`) ?? Number.NaN) / 3600
  expect(hours('fit-growth')).toBeCloseTo(27, 1)
  expect(hours('finalize-months')).toBeCloseTo(2, 1)
  // Its connector isn't configured any more, so nothing is overdue.
  expect(hours('poll-removed')).toBeNaN()
  expect(scraped.get('brickmark_scheduler_age_seconds')).toBeGreaterThanOrEqual(360)
})

test('a scheduler that has never run has no age', async () => {
  await sql`update pgboss.version set cron_on = null`.execute(market.superuserDb)
  expect((await scrape()).has('brickmark_scheduler_age_seconds')).toBe(false)
})

test('a value has moved if it is gone, or further than 25 % from where it was a day ago', async () => {
  const { superuserDb } = market
  const numbers = ['90001-1', '90002-1', '90003-1']
  for (const set_number of numbers) await addValue(superuserDb, { set_number, value_cents: 10_000 })
  await addValue(superuserDb, { set_number: '90003-1', condition: 'used', value_cents: 10_000 })
  const letADayPass = () => sql`update change.change set at = at - interval '25 hours'`.execute(superuserDb)
  await letADayPass()
  const publish = (set: string, cents: number | null) =>
    sql`update market.set_value set value_cents = ${cents}, range_low_cents = ${cents}, range_high_cents = ${cents},
             data_tier = ${cents === null ? 'none' : 'thin'}
         where set_number = ${set} and condition = 'sealed'`.execute(superuserDb)
  expect((await scrape()).get('brickmark_values_moved')).toBe(0)
  expect((await scrape()).get('brickmark_values')).toBe(4)
  // A value that is new hasn't moved.
  await addSet(superuserDb, { set_number: '90004-1' })
  await addValue(superuserDb, { set_number: '90004-1', value_cents: 10_000 })
  await publish('90004-1', 20_000)
  await publish('90001-1', 12_400)
  expect((await scrape()).get('brickmark_values_moved')).toBe(0)
  // In small steps, and back.
  await publish('90001-1', 13_000)
  await publish('90002-1', 2_000)
  expect((await scrape()).get('brickmark_values_moved')).toBe(2)
  await publish('90002-1', 9_000)
  expect((await scrape()).get('brickmark_values_moved')).toBe(1)
  await publish('90003-1', null)
  const scraped = await scrape()
  expect(scraped.get('brickmark_values_moved')).toBe(2)
  expect(scraped.get('brickmark_values')).toBe(4)
  await letADayPass()
  expect((await scrape()).get('brickmark_values_moved')).toBe(0)
})

test('a value that cannot be read is left out, and the rest of the scrape stands', async () => {
  await sql`alter table source.valuation_queue rename to hidden`.execute(market.superuserDb)
  try {
    const metrics = startMetrics()
    await scrape(metrics)
    const scraped = await scrape(metrics)
    expect(scraped.has('brickmark_queued_items')).toBe(false)
    // Counted in the scrape after the one that failed.
    expect(scraped.get('brickmark_failed_gauge_reads_total{name="brickmark_queued_items"}')).toBeGreaterThan(0)
    expect(scraped.get('brickmark_database_connection_ratio')).toBeGreaterThan(0)
  } finally {
    await sql`alter table source.hidden rename to valuation_queue`.execute(market.superuserDb)
  }
})
