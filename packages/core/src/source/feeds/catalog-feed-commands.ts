import type pg from 'pg'
import { CLAIMED_MINIFIG, CLAIMED_SET } from '../catalog-claim.ts'
import { lockClaims, saveClaims, saveContentClaims } from '../catalog-claim-commands.ts'
import { rejectUnknownSources } from '../ingest-log-commands.ts'

export const CATALOG_COLUMNS = [
  ...new Set([
    'source_id',
    'license_id',
    'record',
    'stated_on',
    'set_number',
    ...Object.keys(CLAIMED_SET.attributes),
    'minifig_number',
    'alias',
    ...Object.keys(CLAIMED_MINIFIG.attributes),
    'quantity',
    'retailer',
    'product_id',
    'product_url',
  ]),
]

/**
 * Publishes staged catalog rows: sets, minifigs, set contents and products. Rows are claims of their source: what the
 * catalog says is that of the source with the highest rank. A row without changes writes nothing and so sends no
 * notification. If several rows of a source describe the same record, the last row wins.
 */
export async function publishCatalog(client: pg.ClientBase): Promise<{ accepted: number; repeated: number }> {
  await lockClaims(client)
  await rejectUnknownSources(client)
  for (const code of ['asin', 'upc', 'ean']) {
    await rejectTakenCodes(client, 'set', 'catalog.set', [code], 'set_number')
    // The claim of a source of lower rank, which another may fall back to.
    await rejectTakenCodes(client, 'set', 'source.set_claim', [code], 'set_number')
  }
  await canonicalizeMinifigNumbers(client)
  const sets = await saveClaims(client, 'set')
  const minifigs = await saveClaims(client, 'minifig')
  await rejectDanglingRows(client)
  const aliases = await saveAliases(client)
  const contents = await saveContentClaims(client)
  await rejectTakenCodes(client, 'product', 'source.retail_product', ['retailer', 'product_id'], 'set_number')
  const products = await saveProducts(client)
  const accepted = sets + minifigs + aliases + contents + products
  const { rows } = await client.query<{ good: number }>('select count(*) as good from staged where reason is null')
  return { accepted, repeated: rows[0]!.good - accepted }
}

/** Saves other numbers of minifigs. The first minifig to have a number keeps it. */
async function saveAliases(client: pg.ClientBase): Promise<number> {
  await client.query(`
    update staged set reason = format('%s is the number of minifig %s', staged.alias, m.minifig_number)
      from catalog.minifig m
     where reason is null and record = 'alias' and lower(m.minifig_number) = lower(staged.alias)`)
  await client.query(`
    update staged set reason = format('alias %s belongs to %s', staged.alias, taken.minifig_number)
      from catalog.minifig_alias taken
     where reason is null and record = 'alias' and lower(taken.alias) = lower(staged.alias)
       and taken.minifig_number <> staged.minifig_number`)
  await client.query(`
    update staged set reason = format('alias %s belongs to %s', staged.alias, earlier.minifig_number)
      from staged earlier
     where staged.reason is null and staged.record = 'alias' and earlier.reason is null and earlier.record = 'alias'
       and lower(earlier.alias) = lower(staged.alias) and earlier.minifig_number <> staged.minifig_number
       and earlier.row_number < staged.row_number`)
  const { rowCount } = await client.query(`
    insert into catalog.minifig_alias (alias, minifig_number, source_id)
    select distinct on (lower(alias)) alias, minifig_number, source_id from staged
     where reason is null and record = 'alias' order by lower(alias), row_number
    on conflict do nothing`)
  return rowCount ?? 0
}

async function saveProducts(client: pg.ClientBase): Promise<number> {
  const { rowCount } = await client.query(`
    insert into source.retail_product as t (retailer, set_number, product_id, product_url, source_id)
    select distinct on (retailer, set_number) retailer, set_number, product_id, product_url, source_id
      from staged where reason is null and record = 'product'
     order by retailer, set_number, row_number desc
    on conflict (retailer, set_number) do update
      set product_id = excluded.product_id, product_url = excluded.product_url, source_id = excluded.source_id
    where (t.product_id, t.product_url, t.source_id) is distinct from (excluded.product_id, excluded.product_url, excluded.source_id)`)
  return rowCount ?? 0
}

/** Rejects rows whose code already belongs to another record. Within the file the first row wins. */
async function rejectTakenCodes(
  client: pg.ClientBase,
  record: string,
  table: string,
  code: string[],
  owner: string,
): Promise<void> {
  const name = code.at(-1)!
  const same = (other: string) => code.map((column) => `${other}.${column} = staged.${column}`).join(' and ')
  await client.query(`
    update staged set reason = format('${name} %s belongs to %s', staged.${name}, taken.${owner})
      from ${table} taken
     where staged.reason is null and staged.record = '${record}' and ${same('taken')} and taken.${owner} <> staged.${owner}`)
  await client.query(`
    update staged set reason = format('${name} %s belongs to %s', staged.${name}, earlier.${owner})
      from staged earlier
     where staged.reason is null and staged.record = '${record}' and earlier.reason is null and earlier.record = '${record}'
       and ${same('earlier')} and earlier.${owner} <> staged.${owner} and earlier.row_number < staged.row_number`)
}

/**
 * Canonicalizes minifig numbers: aliases become the number they stand for, and of spellings that differ in case the first is
 * kept.
 */
async function canonicalizeMinifigNumbers(client: pg.ClientBase): Promise<void> {
  await client.query(`
    update staged set minifig_number = a.minifig_number from catalog.minifig_alias a
     where lower(staged.minifig_number) = lower(a.alias)`)
  await client.query(`
    update staged set minifig_number = known.minifig_number
      from (select distinct on (lower(minifig_number)) minifig_number from (
              select minifig_number, 0 as row_number from catalog.minifig
              union all
              select minifig_number, row_number from staged where record = 'minifig' and reason is null) every_spelling
             order by lower(minifig_number), row_number) known
     where lower(staged.minifig_number) = lower(known.minifig_number) and staged.minifig_number <> known.minifig_number`)
}

/** Rejects links and products that refer to an unknown set or minifig. */
async function rejectDanglingRows(client: pg.ClientBase): Promise<void> {
  await client.query(`
    update staged set reason = format('there is no set %s', set_number)
     where reason is null and record in ('contains', 'product')
       and not exists (select from catalog.set s where s.set_number = staged.set_number)`)
  await client.query(`
    update staged set reason = format('there is no minifig %s', minifig_number)
     where reason is null and record in ('contains', 'alias')
       and not exists (select from catalog.minifig m where m.minifig_number = staged.minifig_number)`)
}
