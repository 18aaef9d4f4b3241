import { sql, type RawBuilder } from 'kysely'
import type { Database } from '@brickmark/core/db/database'

/**
 * Expected data, read from the tables with independent SQL: none of it passes through the serving code, so any value
 * that code changes, loses or makes up shows up as a difference.
 */
export type Oracle = {
  sets: Map<string, Json>
  minifigs: Map<string, Json>
  setSearch: Json[]
  minifigSearch: Json[]
  themes: Json[]
  /** By condition and number. */
  history: Map<string, Json[]>
  /** Without `paid`; sets without a row are absent. */
  retail: Map<string, Json>
  /** For lookups by product code. */
  codes: { number: string; asin: string | null; upc: string | null; ean: string | null }[]
}

export type Json = Record<string, unknown>

export async function readOracle(db: Database): Promise<Oracle> {
  const themes = await json(
    db,
    sql`select json_build_object('theme', theme, 'set_count', count(*)) as body from catalog.set group by theme`,
  )
  return {
    sets: indexBy(await json(db, SETS), 'set_number'),
    minifigs: indexBy((await json(db, MINIFIGS)).map(withoutUnknownColor), 'minifig_number'),
    setSearch: await json(db, SET_SEARCH),
    minifigSearch: await json(db, MINIFIG_SEARCH),
    themes: themes.toSorted((a, b) => String(a['theme']).localeCompare(String(b['theme']), 'en')),
    history: await readHistory(db),
    retail: indexBy(await json(db, RETAIL), 'setNumber'),
    codes: (await json(db, CODES)) as Oracle['codes'],
  }
}

export async function json(db: Database, query: RawBuilder<unknown>): Promise<Json[]> {
  const { rows } = await query.execute(db)
  return (rows as { body: Json }[]).map((row) => row.body)
}

function indexBy(rows: Json[], field: string): Map<string, Json> {
  return new Map(rows.map((row) => [String(row[field]), row]))
}

/** Formats a timestamp as the contract does. */
const iso = (column: string) => sql.raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
const today = sql.raw(`(now() at time zone 'utc')::date`)

const RETAILERS = sql`
  coalesce((
    select json_agg(json_build_object('retailer', r.retailer, 'retailer_name', n.name, 'current_price', coalesce(r.last_price_cents, r.price_cents) / 100.0,
             'list_price', coalesce(r.list_price_cents, s.msrp_cents) / 100.0,
             'discount_percent', round((coalesce(r.list_price_cents, s.msrp_cents) - coalesce(r.last_price_cents, r.price_cents))
                                       * 100.0 / coalesce(r.list_price_cents, s.msrp_cents), 2),
             'in_stock', coalesce(r.in_stock, false), 'is_first_party', coalesce(r.seller_type = 'retailer', false),
             'product_url', r.product_url, 'last_checked_at', ${iso('r.last_checked_at')}) order by r.retailer)
      from market.retail_state r join catalog.retailer n using (retailer) where r.set_number = s.set_number), '[]')`

const SETS = sql`
  select json_build_object('set_number', s.set_number, 'title', s.title, 'theme', s.theme, 'subtheme', s.subtheme,
      'pieces', s.pieces,
      'minifigs_count', (select coalesce(sum(quantity), 0)
                           from catalog.set_minifig i where i.set_number = s.set_number),
      'minifigs', (select coalesce(json_agg(minifig_number order by minifig_number), '[]')
                     from catalog.set_minifig i where i.set_number = s.set_number),
      'barcodes', json_build_object('upc', s.upc, 'ean', s.ean), 'msrp_usd', s.msrp_cents / 100.0, 'release_date', s.release_date,
      'retire_date', case when s.retire_date <= ${today} then s.retire_date end,
      'status_id', case when s.retire_date <= ${today} then 4
                        when s.release_date > ${today} then 1
                        when s.release_date is null and s.release_year > extract(year from ${today}::date) then 1
                        when s.retire_date is not null then 3
                        when s.release_date is null then 5 else 2 end,
      'data_tier', coalesce(n.data_tier, 'none'), 'image_url', s.image_url, 'new_value_usd', n.value_cents / 100.0,
      'used_value_usd', u.value_cents / 100.0,
      'value_range', json_build_object('low', n.range_low_cents / 100.0, 'high', n.range_high_cents / 100.0,
                                       'calculated_at', ${iso('n.calculated_at')}),
      'retailers', ${RETAILERS},
      'box', json_build_object('width_in', s.box_width_in, 'height_in', s.box_height_in, 'depth_in', s.box_depth_in,
                               'weight_lbs', s.box_weight_lbs)) as body
    from catalog.set s
    left join market.set_value n on n.set_number = s.set_number and n.condition = 'sealed'
    left join market.set_value u on u.set_number = s.set_number and u.condition = 'used'`

const MINIFIGS = sql`
  select json_build_object('minifig_number', m.minifig_number, 'name', m.name, 'category', m.category, 'color', m.color,
      'year_released', m.year_released, 'image_url', m.image_url, 'current_value_usd', v.value_cents / 100.0,
      'value_range', json_build_object('low', v.range_low_cents / 100.0, 'high', v.range_high_cents / 100.0),
      'set_count', (select count(*) from catalog.set_minifig i where i.minifig_number = m.minifig_number),
      'sets', (select coalesce(json_agg(set_number), '[]')
                 from catalog.set_minifig i where i.minifig_number = m.minifig_number)) as body
    from catalog.minifig m left join market.minifig_value v using (minifig_number)`

function withoutUnknownColor({ color, ...minifig }: Json): Json {
  return color === null ? minifig : { ...minifig, color }
}

const SET_SEARCH = sql`
  select json_build_object('set_number', set_number, 'title', title, 'theme', theme, 'subtheme', subtheme,
      'pieces', pieces, 'year', extract(year from release_date)::integer,
      'retired', coalesce(retire_date <= ${today}, false), 'image_url', image_url) as body
    from catalog.set`

const MINIFIG_SEARCH = sql`
  select json_build_object('minifig_number', minifig_number, 'name', name, 'category', category,
      'year_released', year_released, 'image_url', image_url) as body
    from catalog.minifig`

const priceBlock = (alias: string) =>
  sql.raw(`json_build_object('price', ${alias}.price_cents / 100.0, 'sellerType', ${alias}.seller_type,
      'changedAt', to_char(${alias}.changed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'lastChange', ${alias}.last_change_cents / 100.0, 'flip1pTo3p', coalesce(${alias}.flip_1p_to_3p, false),
      'atLowest', coalesce(${alias}.at_lowest, false), 'lowest', ${alias}.lowest_cents / 100.0, 'inStock', ${alias}.in_stock)`)

const RETAIL = sql`
  select json_build_object('setNumber', s.set_number, 'name', s.title, 'ean', s.ean,
      'retailer_a', ${priceBlock('a')}, 'retailer_b', ${priceBlock('b')},
      'retailer_aExit', json_strip_nulls(json_build_object('lowestFba', e.lowest_fba_cents / 100.0,
        'fbaSellers', e.fba_sellers, 'buyBox', e.buy_box_cents / 100.0, 'netFba', e.net_fba_cents / 100.0)))::jsonb
      || jsonb_strip_nulls(jsonb_build_object('asin', s.asin, 'upc', s.upc)) as body
    from catalog.set s
    left join market.retail_state a on a.set_number = s.set_number and a.retailer = 'retailer_a'
    left join market.retail_state b on b.set_number = s.set_number and b.retailer = 'retailer_b'
    left join market.resale_offer e on e.set_number = s.set_number
   where num_nonnulls(a.set_number, b.set_number) > 0`

const CODES = sql`
  select json_build_object('number', set_number, 'asin', asin, 'upc', upc, 'ean', ean) as body from catalog.set`

async function readHistory(db: Database): Promise<Map<string, Json[]>> {
  const rows = await json(
    db,
    sql`select json_build_object('key', condition || ' ' || set_number, 'months', json_agg(json_build_object(
          'month', to_char(month, 'YYYY-MM'), 'value_usd', value_cents / 100.0, 'range_low', range_low_cents / 100.0,
          'range_high', range_high_cents / 100.0, 'sales_count', sales_count, 'event', event) order by month)) as body
        from market.set_month group by condition, set_number`,
  )
  return new Map(rows.map((row) => [String(row['key']), row['months'] as Json[]]))
}
