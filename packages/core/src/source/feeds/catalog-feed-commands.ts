import type pg from 'pg'
import { rejectUnknownSources } from '../ingest-log-commands.ts'

const SET_COLUMN_TYPES = {
  subtheme: 'text',
  pieces: 'integer',
  msrp_cents: 'integer',
  release_year: 'integer',
  release_date: 'date',
  retire_date: 'date',
  asin: 'text',
  upc: 'text',
  ean: 'text',
  image_url: 'text',
  box_width_in: 'numeric',
  box_height_in: 'numeric',
  box_depth_in: 'numeric',
  box_weight_lbs: 'numeric',
}

const MINIFIG_COLUMN_TYPES = { category: 'text', color: 'text', year_released: 'integer', image_url: 'text' }

export const CATALOG_COLUMNS = [
  'source_id',
  'license_id',
  'record',
  'set_number',
  'title',
  'theme',
  ...Object.keys(SET_COLUMN_TYPES),
  'minifig_number',
  'name',
  'category',
  'color',
  'year_released',
  'quantity',
  'retailer',
  'product_id',
  'product_url',
]

/**
 * Publishes staged catalog rows: sets, minifigs, set contents and products. Blank attributes keep the stored value; a
 * row without changes writes nothing and so sends no notification. If several rows describe the same record, the last
 * row wins.
 */
export async function publishCatalog(client: pg.ClientBase): Promise<{ accepted: number; repeated: number }> {
  await rejectUnknownSources(client)
  for (const code of ['asin', 'upc', 'ean']) await rejectTakenCodes(client, 'set', 'catalog.set', [code], 'set_number')
  await canonicalizeMinifigNumbers(client)
  const sets = await client.query(upsertSql('set', 'catalog.set', ['set_number'], ['title', 'theme'], SET_COLUMN_TYPES))
  const minifigs = await client.query(
    upsertSql('minifig', 'catalog.minifig', ['minifig_number'], ['name'], MINIFIG_COLUMN_TYPES),
  )
  await rejectDanglingRows(client)
  const links = await client.query(
    upsertSql('contains', 'catalog.set_minifig', ['set_number', 'minifig_number'], [], { quantity: 'integer' }),
  )
  await rejectTakenCodes(client, 'product', 'source.retail_product', ['retailer', 'product_id'], 'set_number')
  const products = await client.query(
    upsertSql('product', 'source.retail_product', ['retailer', 'set_number'], ['product_id', 'product_url'], {}),
  )
  const accepted = [sets, minifigs, links, products].reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
  const { rows } = await client.query<{ good: number }>('select count(*) as good from staged where reason is null')
  return { accepted, repeated: rows[0]!.good - accepted }
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

/** Canonicalizes minifig numbers, which are case-insensitive: the spelling that came first is kept. */
async function canonicalizeMinifigNumbers(client: pg.ClientBase): Promise<void> {
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
     where reason is null and record = 'contains'
       and not exists (select from catalog.minifig m where m.minifig_number = staged.minifig_number)`)
}

function upsertSql(
  record: string,
  table: string,
  key: string[],
  names: string[],
  attributes: Record<string, string>,
): string {
  const columns = [...key, ...names, ...Object.keys(attributes)]
  const values = [...key, ...names, ...Object.entries(attributes).map(([name, type]) => `${name}::${type}`)]
  const updatable = [...names, ...Object.keys(attributes)]
  // A known date wins over another source's year.
  const yearOfDate = 'extract(year from coalesce(excluded.release_date, t.release_date))::integer'
  const merged = updatable.map((name) =>
    name === 'release_year'
      ? `coalesce(${yearOfDate}, excluded.release_year, t.release_year)`
      : `coalesce(excluded.${name}, t.${name})`,
  )
  return `
    insert into ${table} as t (${columns.join(', ')})
    select distinct on (${key.join(', ')}) ${values.join(', ')} from staged where reason is null and record = '${record}'
     order by ${key.join(', ')}, row_number desc
    on conflict (${key.join(', ')}) do update set ${updatable.map((name, index) => `${name} = ${merged[index]}`).join(', ')}
     where (${updatable.map((name) => `t.${name}`).join(', ')}) is distinct from (${merged.join(', ')})`
}
