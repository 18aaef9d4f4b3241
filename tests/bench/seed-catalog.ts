import type pg from 'pg'
import { generateMarket, insertMarket } from '@brickmark/tools/synthetic/index'

export type CatalogSize = { sets: number; minifigs: number; months: number }

/** Size of the real-world catalog, rounded up. */
export const FULL_CATALOG: CatalogSize = { sets: 25_000, minifigs: 18_500, months: 36 }

/** Seeds the catalog with the synthetic market, then with copies of it under other numbers up to the requested size. */
export async function seedCatalog(pool: pg.Pool, size: CatalogSize): Promise<void> {
  const market = generateMarket(1, new Date())
  await insertMarket(pool, { ...market, saleObservations: [], retailObservations: [] })
  const client = await pool.connect()
  try {
    for (const statement of statements(size)) await client.query(statement)
  } finally {
    client.release()
  }
}

function statements({ sets, minifigs, months }: CatalogSize): string[] {
  return [
    copyMappingSql('minifig', 'minifig_number', `'fig' || n`, minifigs),
    copyMappingSql('set', 'set_number', `(200000 + n) || '-1'`, sets),
    `insert into catalog.minifig
     select c.copy, m.name || ' ' || c.n, m.category, m.color, m.year_released, m.image_url
       from minifig_copy c join catalog.minifig m on m.minifig_number = c.original`,
    `insert into market.minifig_value
     select c.copy, v.value_cents, v.range_low_cents, v.range_high_cents, v.data_tier, v.calculated_at
       from minifig_copy c join market.minifig_value v on v.minifig_number = c.original`,
    `insert into catalog.set (set_number, title, theme, subtheme, pieces, msrp_cents, release_date, retire_date, asin, upc, ean,
       image_url, box_width_in, box_height_in, box_depth_in, box_weight_lbs)
     select c.copy, s.title || ' ' || c.n, s.theme, s.subtheme, s.pieces, s.msrp_cents, s.release_date, s.retire_date,
            'B' || lpad(c.n::text, 9, '0'), (700000000000 + c.n)::text, (7000000000000 + c.n)::text, s.image_url,
            s.box_width_in, s.box_height_in, s.box_depth_in, s.box_weight_lbs
       from set_copy c join catalog.set s on s.set_number = c.original`,
    `insert into catalog.set_minifig
     select c.copy, f.copy, m.quantity
       from set_copy c
       join catalog.set_minifig m on m.set_number = c.original
       join minifig_copy f on f.original = m.minifig_number and f.lap = c.lap`,
    `insert into market.set_value
     select c.copy, v.condition, v.value_cents, v.range_low_cents, v.range_high_cents, v.data_tier, v.calculated_at
       from set_copy c join market.set_value v on v.set_number = c.original`,
    `insert into market.retail_state (set_number, retailer, price_cents, last_price_cents, list_price_cents, seller_type,
       in_stock, changed_at, last_change_cents, flip_1p_to_3p, at_lowest, lowest_cents, product_url, last_checked_at)
     select c.copy, r.retailer, r.price_cents, r.last_price_cents, r.list_price_cents, r.seller_type, r.in_stock, r.changed_at, r.last_change_cents,
            r.flip_1p_to_3p, r.at_lowest, r.lowest_cents, r.product_url, r.last_checked_at
       from set_copy c join market.retail_state r on r.set_number = c.original`,
    `insert into market.set_month
     select s.set_number, condition, (date_trunc('month', now()) - make_interval(months => age))::date,
            value, value * 85 / 100, value * 120 / 100, 3 + age % 20, null
       from catalog.set s, unnest(array['sealed', 'used']) condition, generate_series(1, ${months}) age,
            lateral (select coalesce(s.msrp_cents, 2000) * (140 - age) / 100 + 100 as value) v
     on conflict do nothing`,
    'analyze',
  ]
}

/** SQL for a table that maps each copy to its original; a lap is one pass over the originals. */
function copyMappingSql(noun: 'set' | 'minifig', number: string, copy: string, targetCount: number): string {
  return `create temporary table ${noun}_copy as
    select n, ${copy} as copy, o.original, n / o.many as lap
      from (select ${number} as original, row_number() over (order by ${number}) - 1 as place, count(*) over () as many
              from catalog.${noun}) o,
           lateral generate_series(o.place, ${targetCount} - 1 - o.many, o.many) n`
}
