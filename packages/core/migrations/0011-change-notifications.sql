-- Triggers notify the channel `catalog_changed` of every committed change of shared data, so that no writer can forget to.
-- Payload: {"sets": [...]}, {"minifigs": [...]} or {"all": true}. Only the worker writes this data: notifying on writes
-- of users would serialize their commits.

create function catalog.notify_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  kind text := tg_argv[0];
  chunk text[];
  numbers text[];
begin
  -- An update that changes a row's number affects both.
  if kind = 'sets' and tg_op = 'UPDATE' then
    select array_agg(set_number order by set_number) into numbers
      from (select set_number from changed union select set_number from former) every;
  elsif kind = 'minifigs' and tg_op = 'UPDATE' then
    select array_agg(minifig_number order by minifig_number) into numbers
      from (select minifig_number from changed union select minifig_number from former) every;
  elsif kind = 'sets' then
    select array_agg(distinct set_number) into numbers from changed;
  elsif kind = 'minifigs' then
    select array_agg(distinct minifig_number) into numbers from changed;
  end if;
  if numbers is null and kind <> 'all' then
    return null;
  end if;
  -- Beyond this many, one full reload is cheaper for every process.
  if kind = 'all' or cardinality(numbers) > 2000 then
    perform pg_notify('catalog_changed', '{"all":true}');
    return null;
  end if;
  -- A payload is limited to 8,000 bytes; a number has at most 24 characters.
  for index in 1 .. cardinality(numbers) by 200 loop
    chunk := numbers[index : index + 199];
    perform pg_notify('catalog_changed', json_build_object(kind, chunk)::text);
  end loop;
  return null;
end
$$;

revoke execute on function catalog.notify_change() from public;

do $$
declare
  shared record;
begin
  for shared in
    select * from (values
      ('catalog.set', 'sets'), ('catalog.set_minifig', 'sets'), ('market.set_value', 'sets'), ('market.set_month', 'sets'),
      ('market.retail_state', 'sets'), ('market.resale_offer', 'sets'),
      ('catalog.minifig', 'minifigs'), ('market.minifig_value', 'minifigs'), ('catalog.retailer', 'all')
    ) as t (name, kind)
  loop
    execute format('create trigger notify_insert after insert on %s referencing new table as changed
      for each statement execute function catalog.notify_change(%L)', shared.name, shared.kind);
    execute format('create trigger notify_update after update on %s referencing old table as former new table as changed
      for each statement execute function catalog.notify_change(%L)', shared.name, shared.kind);
    execute format('create trigger notify_delete after delete on %s referencing old table as changed
      for each statement execute function catalog.notify_change(%L)', shared.name, shared.kind);
    execute format('create trigger notify_truncate after truncate on %s
      for each statement execute function catalog.notify_change(''all'')', shared.name);
  end loop;
end
$$;
