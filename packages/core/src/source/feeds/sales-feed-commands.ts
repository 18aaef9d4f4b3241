import type pg from 'pg'
import { rejectUnknownSources } from '../ingest-log-commands.ts'

export const SALE_COLUMNS = [
  'source_id',
  'license_id',
  'event_id',
  'item_kind',
  'item_number',
  'condition',
  'sold_on',
  'unit_price_cents',
  'currency',
  'fx_rate',
  'quantity',
  'seller_ref',
  'buyer_ref',
  'exclusion_reason',
  'known_on',
]

/** Rejects staged sales of unknown sources and items, and names items as the catalog does. */
export async function prepareSales(client: pg.ClientBase): Promise<void> {
  await rejectUnknownSources(client)
  await canonicalizeItemNumbers(client)
}

/**
 * Publishes staged sales: new events become observations and mark their items dirty. A known event, from this file or
 * an earlier one, changes nothing.
 */
export async function publishSales(
  client: pg.ClientBase,
  importId: number,
): Promise<{ accepted: number; repeated: number }> {
  const { rows } = await client.query<{ accepted: number; repeated: number }>(
    `with first as materialized (
      select source.event_key(source_id, event_id) as event_key, min(row_number) as row_number
        from staged where reason is null group by 1
    ),
    fresh as (
      insert into source.sale_event (event_key, sold_on)
      select f.event_key, s.sold_on::date from first f join staged s on s.row_number = f.row_number
      on conflict do nothing
      returning event_key
    ),
    taken as (
      insert into source.sale_observation (source_id, event_id, license_id, item_kind, item_number, condition, sold_on,
          unit_price_cents, currency, fx_rate, quantity, seller_ref, buyer_ref, exclusion_reason, known_on, import_id)
      select s.source_id, s.event_id, s.license_id, s.item_kind, s.item_number, s.condition, s.sold_on::date,
             s.unit_price_cents::integer, s.currency, s.fx_rate::numeric, s.quantity::integer, s.seller_ref, s.buyer_ref,
             s.exclusion_reason, coalesce(s.known_on::date, (now() at time zone 'utc')::date), $1
        from fresh join first f on f.event_key = fresh.event_key join staged s on s.row_number = f.row_number
       where s.reason is null
      returning source_id, event_id, item_kind, item_number, seller_ref, buyer_ref, known_on
    ),
    traded as (
      select role, source_id, ref, min(item_number) as item_number,
             case when min(item_number) <> max(item_number) then max(known_on) end as several_since, max(known_on) as known_on
        from taken cross join lateral (values ('seller', seller_ref), ('buyer', buyer_ref)) as party (role, ref)
       where ref is not null
       group by role, source_id, ref
    ),
    met as (
      insert into source.trader as t (role, source_id, ref, item_number, known_on, several_since, import_id, several_import_id)
      select role, source_id, ref, item_number, known_on, several_since, $1, $1 from traded order by role, source_id, ref
      on conflict (role, source_id, ref) do update
        set several_since = coalesce(excluded.several_since, excluded.known_on), several_import_id = $1
        where t.several_since is null and (excluded.several_since is not null or t.item_number <> excluded.item_number)
    ),
    marked as (
      insert into source.valuation_queue (item_kind, item_number)
      select distinct item_kind, item_number from taken order by 1, 2
      on conflict (item_kind, item_number) do update set marked_at = valuation_queue.marked_at
    ),
    awaited as (
      update source.sale_return r set item_kind = t.item_kind, item_number = t.item_number
        from taken t where r.source_id = t.source_id and r.event_id = t.event_id
    )
    select (select count(*) from taken) as accepted,
           (select count(*) from staged where reason is null) - (select count(*) from taken) as repeated`,
    [importId],
  )
  return rows[0]!
}

/** Resolves set numbers without a variant, aliases of minifigs and minifig numbers in any case; rejects items that aren't in the catalog. */
async function canonicalizeItemNumbers(client: pg.ClientBase): Promise<void> {
  await client.query(`
    update staged set item_number = s.set_number from catalog.set s
     where reason is null and item_kind = 'set' and s.set_number = staged.item_number || '-1'
       and not exists (select from catalog.set as_given where as_given.set_number = staged.item_number)`)
  await client.query(`
    update staged set item_number = m.minifig_number from catalog.minifig m
     where reason is null and item_kind = 'minifig' and lower(m.minifig_number) = lower(staged.item_number)
       and m.minifig_number <> staged.item_number`)
  await client.query(`
    update staged set item_number = a.minifig_number from catalog.minifig_alias a
     where reason is null and item_kind = 'minifig' and lower(a.alias) = lower(staged.item_number)`)
  await client.query(`
    update staged set reason = format('the catalog has no %s %s', item_kind, item_number)
     where reason is null
       and not exists (select from catalog.set s where item_kind = 'set' and s.set_number = item_number)
       and not exists (select from catalog.minifig m where item_kind = 'minifig' and m.minifig_number = item_number)`)
}
