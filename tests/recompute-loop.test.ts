import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { queueAllItems } from '@brickmark/core/market/values/valuation-queue-commands'
import { WorkerMetrics } from '@brickmark/worker/metrics'
import { startRecomputeLoop } from '@brickmark/worker/recompute-loop'
import { asRole } from './support/database.ts'
import { addSet, addValue } from './support/fixtures.ts'
import { startTestMarket } from './support/market.ts'

/** Sets that are valued in one transaction. */
const BATCH_SIZE = 500

test('a worker that is busy for long reports progress', async () => {
  const market = await startTestMarket()
  onTestFinished(() => market.stop())
  const { superuserDb } = market
  for (let n = 0; n < BATCH_SIZE; n++) await addSet(superuserDb, { set_number: `${90_000 + n}-1` })
  await queueAllItems(superuserDb)
  await addSet(superuserDb, { set_number: '99999-1' })
  await addValue(superuserDb, { set_number: '99999-1' })
  await queueAllItems(superuserDb)

  await superuserDb.transaction().execute(async (transaction) => {
    // The last set, which is a batch of its own, waits for this lock, as it would for any slow statement.
    await sql`select from market.set_value for update`.execute(transaction)
    const metrics = new WorkerMetrics()
    const recomputed = metrics.registry.getSingleMetric('brickmark_market_recomputed_timestamp_seconds')!
    const loop = startRecomputeLoop(asRole(market.url, 'brickmark_worker'), market, metrics)
    onTestFinished(() => loop.stop())
    await expect.poll(async () => (await recomputed.get()).values[0]!.value, { timeout: 15_000 }).toBeGreaterThan(0)
    const { rows } = await sql`select item_number from source.valuation_queue`.execute(transaction)
    expect(rows).toEqual([{ item_number: '99999-1' }])
  })
})
