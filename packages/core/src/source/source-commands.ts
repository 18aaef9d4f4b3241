import type pg from 'pg'
import { inTransaction } from '../db/transaction.ts'
import type { Connector } from './connectors/retail-source.ts'
import type { LicenseRules } from './license.ts'
import { invalidateExports } from './export-validity-commands.ts'
import { lockClaims, resolveClaims } from './catalog-claim-commands.ts'

/**
 * Declares a data source and its license; rows from undeclared sources are rejected. If another rank or license changes what
 * the catalog says, it is resolved again.
 */
export async function declareSource(
  pool: pg.Pool,
  {
    source,
    name,
    license,
    terms,
    rank,
  }: { source: string; name: string; license: string; terms: string; rank: number },
): Promise<void> {
  const before = await pool.query<{ rank: number; license_id: string }>(
    'select rank, license_id from source.source where id = $1',
    [source],
  )
  await pool.query(
    `with declared as (
       insert into source.license (id, terms) values ($3, $4)
       on conflict (id) do update set terms = excluded.terms returning id)
     insert into source.source (id, name, license_id, rank) select $1, $2, id, $5 from declared
     on conflict (id) do update set name = excluded.name, license_id = excluded.license_id, rank = excluded.rank`,
    [source, name, license, terms, rank],
  )
  const [former] = before.rows
  if (former && (former.rank !== rank || former.license_id !== license)) await reapplySource(pool, source)
}

/** Changes what a license allows, for all of its sources at once. Rules that aren't given stay. */
export async function setLicenseRules(pool: pg.Pool, license: string, rules: Partial<LicenseRules>): Promise<void> {
  const names = Object.keys(rules) as (keyof LicenseRules)[]
  if (names.length > 0) {
    const { rowCount } = await pool.query(
      `update source.license set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
      [license, ...names.map((name) => rules[name])],
    )
    if (rowCount === 0) throw new Error(`There is no license ${license}.`)
  }
  const { rows } = await pool.query<{ id: string }>('select id from source.source where license_id = $1', [license])
  for (const { id } of rows) await reapplySource(pool, id)
}

/**
 * Declares the source of a connector that polls a retailer, and the retailer, unless the operator already has. Returns whether
 * the source may be used: a withdrawn one isn't polled.
 */
export async function declareConnector(
  pool: pg.Pool,
  { source: { sourceId, name, retailer, retailerName }, licenseId, licenseTerms }: Connector,
): Promise<boolean> {
  await pool.query('insert into catalog.retailer (retailer, name) values ($1, $2) on conflict do nothing', [
    retailer,
    retailerName,
  ])
  return declareCatalogConnector(pool, { id: sourceId, name, licenseId, licenseTerms })
}

/**
 * Declares the source of a connector, unless the operator already has: name, rank and rules are the operator's. What rests on
 * it follows another license at once. Returns whether the source may be used.
 */
export async function declareCatalogConnector(
  pool: pg.Pool,
  { id, name, licenseId, licenseTerms }: { id: string; name: string; licenseId: string; licenseTerms: string },
): Promise<boolean> {
  const { rowCount: changes } = await pool.query(
    `with license as (insert into source.license (id, terms) values ($3, $4) on conflict do nothing)
     insert into source.source (id, name, license_id, rank) values ($1, $2, $3, 1)
     on conflict (id) do update set license_id = excluded.license_id where source.license_id <> excluded.license_id`,
    [id, name, licenseId, licenseTerms],
  )
  if (changes === 1) await reapplySource(pool, id)
  const { rowCount } = await pool.query('select from source.source where id = $1 and withdrawn_at is null', [id])
  return rowCount === 1
}

const ITEMS_PER_TRANSACTION = 2000

/**
 * Makes everything that rests on a source follow its rank, its license and whether it is withdrawn: resolves the catalog
 * again, and has the worker recompute the values and retail prices. Safe to run at any time, and again after a crash.
 */
export async function reapplySource(pool: pg.Pool, source: string): Promise<void> {
  await invalidateExports(pool)
  await resolveSourceClaims(pool, source)
  await pool.query(
    `insert into source.valuation_queue (item_kind, item_number)
     select item_kind, item_number from source.sale_observation where source_id = $1
      union select 'set', set_number from source.set_claim where source_id = $1
      union select 'minifig', minifig_number from source.minifig_claim where source_id = $1
      order by 1, 2
     on conflict (item_kind, item_number) do update set marked_at = valuation_queue.marked_at`,
    [source],
  )
  // Without progress, the worker computes a product's price from all observations that count.
  await inTransaction(pool, async (client) => {
    await client.query(
      `create temporary table affected on commit drop as
       select distinct retailer, product_id from source.retail_observation where source_id = $1`,
      [source],
    )
    await client.query(
      `delete from source.retail_progress using affected
        where retail_progress.retailer = affected.retailer and retail_progress.product_id = affected.product_id`,
    )
    await client.query(
      `insert into source.retail_queue (retailer, product_id) select retailer, product_id from affected order by 1, 2
       on conflict (retailer, product_id) do update set marked_at = retail_queue.marked_at`,
    )
    await client.query(`select pg_notify('observations', 'sales')`)
  })
  // Again, because a run that began meanwhile may have read both.
  await invalidateExports(pool)
}

/** Resolves everything that a source claims, a few thousand items at a time. */
export async function resolveSourceClaims(pool: pg.Pool, source: string): Promise<void> {
  const numbersAfter = async (table: string, key: string, after: string) => {
    const { rows } = await pool.query<{ number: string }>(
      `select distinct ${key} as number from ${table} where source_id = $1 and ${key} > $2 order by 1 limit ${ITEMS_PER_TRANSACTION}`,
      [source, after],
    )
    return rows.map(({ number }) => number)
  }
  for (const [table, key] of [
    ['source.set_claim', 'set_number'],
    ['source.set_minifig_claim', 'set_number'],
    ['source.minifig_claim', 'minifig_number'],
  ] as const) {
    for (let after = ''; ;) {
      const numbers = await numbersAfter(table, key, after)
      if (numbers.length === 0) break
      await inTransaction(pool, async (client) => {
        await lockClaims(client)
        await resolveClaims(
          client,
          key === 'set_number' ? { sets: numbers, minifigs: [] } : { sets: [], minifigs: numbers },
        )
      })
      after = numbers.at(-1)!
    }
  }
}
