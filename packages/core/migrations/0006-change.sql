-- Every published change of a value, of a retail price or of the status of a set, written by triggers in the transaction
-- that publishes it. Reading in order delivers each change exactly once.

create sequence change.change_id;

-- Ordered by (transaction_id, id). A row is read once its transaction is older than every transaction still running: ids
-- alone would skip the rows of a transaction that commits late.
create table change.change (
  day date not null default (now() at time zone 'utc')::date,
  transaction_id xid8 not null default pg_current_xact_id(),
  id bigint not null default nextval('change.change_id'),
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('value', 'retail', 'status')),
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  -- Null if there was nothing before.
  before jsonb,
  after jsonb not null,
  primary key (transaction_id, id, day)
) partition by range (day);
create index change_by_item on change.change (item_number, kind, at);
-- Publishing must not fail because maintenance is late.
create table change.change_default partition of change.change default;

alter sequence change.change_id owner to brickmark_maintenance;
alter table change.change owner to brickmark_maintenance;
alter table change.change_default owner to brickmark_maintenance;
insert into maintenance.partition_policy values ('change.change', '1 day', '1 day', '14 days', '30 days');
select maintenance.create_partitions('change.change');
-- The transaction id changes only after a restore from a dump.
grant select, insert, update (transaction_id) on change.change to brickmark_worker;
grant usage on sequence change.change_id to brickmark_worker;

-- A change carries what it can be compared with: the value next to a price, and the offers next to a value. What follows
-- from a change must not depend on when it is read.
create function change.record_set_value() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into change.change (kind, item_kind, item_number, before, after)
  values ('value', 'set', new.set_number,
    case tg_op when 'UPDATE' then jsonb_build_object('value_cents', old.value_cents, 'data_tier', old.data_tier) end,
    jsonb_build_object('condition', new.condition, 'value_cents', new.value_cents, 'data_tier', new.data_tier, 'offers',
      (select coalesce(jsonb_object_agg(r.retailer, r.price_cents), '{}') from market.retail_state r
        where r.set_number = new.set_number and r.in_stock and r.price_cents is not null)));
  return null;
end
$$;

create function change.record_minifig_value() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into change.change (kind, item_kind, item_number, before, after)
  values ('value', 'minifig', new.minifig_number,
    case tg_op when 'UPDATE' then jsonb_build_object('value_cents', old.value_cents, 'data_tier', old.data_tier) end,
    jsonb_build_object('condition', 'used', 'value_cents', new.value_cents, 'data_tier', new.data_tier, 'offers', '{}'::jsonb));
  return null;
end
$$;

create function change.record_retail_state() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into change.change (kind, item_kind, item_number, before, after)
  select 'retail', 'set', new.set_number,
    case tg_op when 'UPDATE' then jsonb_build_object('price_cents', old.price_cents, 'in_stock', old.in_stock,
      'seller_type', old.seller_type, 'lowest_cents', old.lowest_cents) end,
    jsonb_build_object('retailer', new.retailer, 'price_cents', new.price_cents, 'in_stock', new.in_stock,
      'seller_type', new.seller_type, 'lowest_cents', new.lowest_cents, 'value_cents', v.value_cents, 'data_tier', v.data_tier)
    from (values (1)) as one left join market.set_value v on v.set_number = new.set_number and v.condition = 'sealed';
  return null;
end
$$;

create trigger record_insert after insert on market.set_value for each row execute function change.record_set_value();
create trigger record_update after update on market.set_value for each row
  when ((old.value_cents, old.data_tier) is distinct from (new.value_cents, new.data_tier))
  execute function change.record_set_value();
create trigger record_insert after insert on market.minifig_value for each row execute function change.record_minifig_value();
create trigger record_update after update on market.minifig_value for each row
  when ((old.value_cents, old.data_tier) is distinct from (new.value_cents, new.data_tier))
  execute function change.record_minifig_value();
create trigger record_insert after insert on market.retail_state for each row execute function change.record_retail_state();
create trigger record_update after update on market.retail_state for each row
  when ((old.price_cents, old.in_stock, old.seller_type) is distinct from (new.price_cents, new.in_stock, new.seller_type))
  execute function change.record_retail_state();

-- The last status of each set that the feed knows. Most statuses change with the date, not with an update of the set.
create table change.set_status (
  set_number text primary key references catalog.set on delete cascade,
  status text not null check (status in ('upcoming', 'available', 'retiring_soon', 'retired', 'unknown'))
);
grant select, insert, update on change.set_status to brickmark_worker;

create function change.record_status() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into change.change (kind, item_kind, item_number, before, after)
  values ('status', 'set', new.set_number, jsonb_build_object('status', old.status), jsonb_build_object('status', new.status));
  return null;
end
$$;
-- That a set retired long ago is no news when a source with dates says so at last.
create trigger record_update after update on change.set_status for each row
  when (old.status <> new.status and (old.status, new.status) <> ('unknown', 'retired'))
  execute function change.record_status();

-- Updates the status of every set as of today. A set that is new to the feed has no change yet.
create function change.refresh_statuses() returns void
language sql set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
  insert into change.set_status as known (set_number, status)
  select set_number, status
    from (select set_number,
                 case when retire_date <= current_date then 'retired'
                      when release_date > current_date then 'upcoming'
                      when release_date is null and release_year > extract(year from current_date) then 'upcoming'
                      when retire_date is not null then 'retiring_soon'
                      when release_date is null then 'unknown' else 'available' end as status
            from catalog.set) as now
   where not exists (select from change.set_status s where s.set_number = now.set_number and s.status = now.status)
   order by set_number
  on conflict (set_number) do update set status = excluded.status where known.status <> excluded.status
$$;

revoke execute on function change.record_set_value(), change.record_minifig_value(), change.record_retail_state(),
  change.record_status(), change.refresh_statuses() from public;
grant execute on function change.refresh_statuses() to brickmark_worker;

-- The position of each reader.
create table change.cursor (
  reader text primary key,
  transaction_id xid8 not null,
  change_id bigint not null
);
grant select, insert, update on change.cursor to brickmark_worker;
