import { sql } from 'kysely'
import { markAllItemsDirty } from '@brickmark/core/market/dirty-item-commands'
import { recomputeDirty } from '@brickmark/core/market/recompute-commands'
import type { Ingester } from '../ingest/ingester.ts'
import type { TestEnvironment } from '../test-environment.ts'
import { createMarketContext } from './seed-market.ts'

/** Items and products that still wait to be computed. */
async function dirtyCount({ db }: TestEnvironment): Promise<number> {
  const { rows } = await sql<{ dirty: number }>`
    select (select count(*) from source.dirty_item) + (select count(*) from source.dirty_product) as dirty`.execute(db)
  return rows[0]!.dirty
}

/** Until nothing is dirty, or the patience ends; how much is left. */
export async function waitUntilSettled(stage: TestEnvironment, patienceMs: number): Promise<number> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline;) {
    if ((await dirtyCount(stage)) === 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return dirtyCount(stage)
}

/** Everything the workers published that differs from what comes of computing all of it anew, in words. */
export async function diffAgainstRecompute(
  stage: TestEnvironment,
  intake: Ingester,
): Promise<{ rows: number; different: string[] }> {
  const before = await readPublished(stage)
  await sql`delete from source.retail_fold`.execute(stage.db)
  await sql`insert into source.dirty_product (retailer, product_id)
    select retailer, product_id from source.retail_product on conflict do nothing`.execute(stage.db)
  await markAllItemsDirty(stage.db)
  await recomputeDirty(createMarketContext(intake))
  // The other worker has taken its part.
  await waitUntilSettled(stage, 60_000)
  const after = await readPublished(stage)
  const different = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  )
  return {
    rows: after.size,
    different: different.map((key) => `${key}: published ${before.get(key)}, anew ${after.get(key)}`),
  }
}

/** By key, everything that is computed, but for the instant at which it was. */
async function readPublished({ db }: TestEnvironment): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; row: string }>`
    select 'set ' || set_number || ' ' || condition as key, (to_jsonb(v) - 'calculated_at')::text as row
      from market.set_value v
    union all select 'minifig ' || minifig_number, (to_jsonb(v) - 'calculated_at')::text from market.minifig_value v
    union all select 'retail ' || set_number || ' ' || retailer, to_jsonb(v)::text from market.retail_state v
    union all select 'exit ' || set_number, to_jsonb(v)::text from market.retail_exit v`.execute(db)
  return new Map(rows.map(({ key, row }) => [key, row]))
}
