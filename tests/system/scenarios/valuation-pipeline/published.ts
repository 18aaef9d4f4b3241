import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { queueAllItems } from '@brickmark/core/market/values/valuation-queue-commands'
import { recomputeDirty } from '@brickmark/core/market/values/recompute-commands'
import type { Ingester } from '../ingest/ingester.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import { createMarketContext } from './seed-market.ts'

/** Counts items and products that still have to be recomputed. */
async function queuedCount({ db }: TestEnvironment): Promise<number> {
  const { rows } = await sql<{ dirty: number }>`
    select (select count(*) from source.valuation_queue) + (select count(*) from source.retail_queue) as dirty`.execute(
    db,
  )
  return rows[0]!.dirty
}

/** Waits until nothing is dirty or the timeout has passed; returns the number of dirty items. */
export async function waitUntilSettled(environment: TestEnvironment, timeoutMs: number): Promise<number> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline;) {
    if ((await queuedCount(environment)) === 0) break
    await sleep(50)
  }
  return queuedCount(environment)
}

/** Recomputes everything from scratch and describes each published row that differs from the result. */
export async function diffAgainstRecompute(
  environment: TestEnvironment,
  ingester: Ingester,
): Promise<{ rows: number; different: string[] }> {
  const before = await readPublished(environment)
  await sql`delete from source.retail_progress`.execute(environment.db)
  await sql`insert into source.retail_queue (retailer, product_id)
    select retailer, product_id from source.retail_product on conflict do nothing`.execute(environment.db)
  await queueAllItems(environment.db)
  await recomputeDirty(createMarketContext(ingester))
  // The other worker may have claimed a part of it.
  await waitUntilSettled(environment, 60_000)
  const after = await readPublished(environment)
  const different = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  )
  return {
    rows: after.size,
    different: different.map((key) => `${key}: published ${before.get(key)}, recomputed ${after.get(key)}`),
  }
}

/** Returns all computed rows by key, without the time of computation. */
async function readPublished({ db }: TestEnvironment): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; row: string }>`
    select 'set ' || set_number || ' ' || condition as key, (to_jsonb(v) - 'calculated_at')::text as row
      from market.set_value v
    union all select 'minifig ' || minifig_number, (to_jsonb(v) - 'calculated_at')::text from market.minifig_value v
    union all select 'retail ' || set_number || ' ' || retailer, to_jsonb(r)::text from market.retail_state r
    union all select 'exit ' || set_number, to_jsonb(o)::text from market.resale_offer o`.execute(db)
  return new Map(rows.map(({ key, row }) => [key, row]))
}
