import type pg from 'pg'

export const RETURN_COLUMNS = ['source_id', 'license_id', 'event_id', 'returned_on', 'known_on']

/**
 * Publishes staged returns. A return whose sale is unknown is stored until the sale arrives; a known return changes
 * nothing.
 */
export async function publishReturns(
  client: pg.ClientBase,
  importId: number,
): Promise<{ accepted: number; repeated: number }> {
  const { rows } = await client.query<{ accepted: number; repeated: number }>(
    `with taken as (
      insert into source.sale_return (source_id, event_id, license_id, returned_on, known_on, item_kind, item_number, import_id)
      select distinct on (s.source_id, s.event_id) s.source_id, s.event_id, s.license_id, s.returned_on::date,
             coalesce(s.known_on::date, (now() at time zone 'utc')::date), o.item_kind, o.item_number, $1::bigint
        from staged s
        left join source.sale_event e on e.event_key = source.event_key(s.source_id, s.event_id)
        left join source.sale_observation o
          on o.sold_on = e.sold_on and o.source_id = s.source_id and o.event_id = s.event_id
       where s.reason is null
       order by s.source_id, s.event_id, s.row_number
      on conflict do nothing
      returning item_kind, item_number
    ),
    marked as (
      insert into source.valuation_queue (item_kind, item_number)
      select distinct item_kind, item_number from taken where item_number is not null order by 1, 2
      on conflict (item_kind, item_number) do update set marked_at = valuation_queue.marked_at
    )
    select (select count(*) from taken) as accepted,
           (select count(*) from staged where reason is null) - (select count(*) from taken) as repeated`,
    [importId],
  )
  return rows[0]!
}
