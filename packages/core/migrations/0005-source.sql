-- Licensed observations and what is derived from them for our own use. Only the worker reads this schema; api and web have
-- no privileges here.

create table source.license (
  id text primary key,
  terms text not null
);

create table source.source (
  id text primary key,
  name text not null,
  license_id text not null references source.license,
  rank smallint not null default 0
);

-- Sources and licenses are checked once per file when it is published: a foreign key would check them for every row,
-- which took a third of the time of an import.
create table source.sale_observation (
  source_id text not null,
  event_id text not null,
  license_id text not null,
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  condition text not null check (condition in ('sealed', 'used')),
  sold_on date not null,
  unit_price_cents integer not null check (unit_price_cents > 0),
  currency text not null,
  fx_rate numeric not null check (fx_rate > 0),
  quantity integer not null check (quantity >= 1),
  seller_ref text,
  buyer_ref text,
  -- Why the sale says nothing about the value of one complete item; null if it does.
  exclusion_reason text check (exclusion_reason in ('lot', 'parts_only', 'unknown_offer')),
  -- When it became known: a month is finalized with what was known by its cutoff, however late that is computed.
  known_on date not null,
  primary key (source_id, event_id, sold_on)
) partition by range (sold_on);
-- Sales can be older than any partition, so they need a default one.
create table source.sale_observation_default partition of source.sale_observation default;
-- Everything the estimator reads of an item, in its order, so that a valuation reads the index and no table pages.
create index sale_observation_by_item
  on source.sale_observation (item_kind, item_number, condition, sold_on, source_id, event_id)
  include (unit_price_cents, quantity, seller_ref, buyer_ref, exclusion_reason, known_on);

-- Known events and their days: a unique constraint of a partitioned table has to include the partition key.
create table source.sale_event (
  event_key uuid primary key,
  sold_on date not null
);

create function source.event_key(source_id text, event_id text) returns uuid
language sql immutable parallel safe
return md5(source_id || chr(31) || event_id)::uuid;
revoke execute on function source.event_key(text, text) from public;
grant execute on function source.event_key(text, text) to brickmark_worker;

-- A return can arrive before its sale. From the day it is known, the sale no longer counts.
create table source.sale_return (
  source_id text not null references source.source,
  event_id text not null,
  license_id text not null references source.license,
  returned_on date not null,
  item_kind text,
  item_number text,
  known_on date not null,
  primary key (source_id, event_id)
);
create index sale_return_by_item on source.sale_return (item_kind, item_number);

-- Sellers and buyers, and since when they are known to have traded more than one item: a large move of a value has to be
-- confirmed by traders with other sales.
create table source.trader (
  role text not null check (role in ('seller', 'buyer')),
  source_id text not null,
  ref text not null,
  item_number text not null,
  -- When the item above became known.
  known_on date not null,
  several_since date,
  primary key (role, source_id, ref)
);

-- Items whose value has to be recomputed.
create table source.valuation_queue (
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  marked_at timestamptz not null default now(),
  primary key (item_kind, item_number)
);

-- Which product at a retailer is which set.
create table source.retail_product (
  retailer text not null references catalog.retailer,
  product_id text not null,
  set_number text not null references catalog.set on delete cascade,
  product_url text not null,
  primary key (retailer, set_number),
  unique (retailer, product_id)
);

create table source.retail_observation (
  source_id text not null,
  event_id text not null,
  license_id text not null,
  retailer text not null,
  product_id text not null,
  observed_at timestamptz not null,
  price_cents integer check (price_cents > 0),
  list_price_cents integer check (list_price_cents > 0),
  seller_type text check (seller_type in ('retailer', 'third_party')),
  in_stock boolean,
  lowest_fba_cents integer check (lowest_fba_cents > 0),
  fba_sellers integer check (fba_sellers >= 0),
  buy_box_cents integer check (buy_box_cents > 0),
  arrival bigint generated always as identity,
  received_at timestamptz not null default now(),
  primary key (source_id, event_id, observed_at)
) partition by range (observed_at);
create table source.retail_observation_default partition of source.retail_observation default;
create index retail_observation_by_product on source.retail_observation (retailer, product_id, arrival);

-- Products with observations that their published state doesn't include yet.
create table source.retail_queue (
  retailer text not null,
  product_id text not null,
  marked_at timestamptz not null default now(),
  primary key (retailer, product_id)
);

-- The state accumulated from a product's observations, so that a new observation is applied without reading old ones.
create table source.retail_progress (
  retailer text not null,
  product_id text not null,
  progress jsonb not null,
  -- The last observation applied.
  arrival bigint not null,
  primary key (retailer, product_id)
);

-- How far a round of polling has come.
create table source.poll_cursor (
  source_id text primary key references source.source,
  cursor text,
  polled_at timestamptz not null default now()
);

-- Every file or poll received.
create table source.import (
  id bigint generated always as identity primary key,
  feed text not null check (feed in ('catalog', 'sales', 'returns', 'retail')),
  file_name text not null,
  -- SHA-256 of the content, so that a file sent twice is recognized.
  fingerprint text not null,
  accepted bigint not null,
  repeated bigint not null,
  quarantined bigint not null,
  finished_at timestamptz not null default now()
);

-- Rejected rows with the reason, until they are fixed and retried.
create table source.quarantine (
  id bigint generated always as identity primary key,
  import_id bigint not null references source.import on delete cascade,
  feed text not null,
  row_number bigint not null,
  reason text not null,
  -- The line as received, below its header if it had one, so that it can be parsed again; or the staged row if it was
  -- rejected when publishing.
  raw text,
  staged jsonb,
  retried_at timestamptz,
  check (num_nonnulls(raw, staged) = 1)
);
create index quarantine_open on source.quarantine (feed, id) where retried_at is null;

-- The model fitted to a finalized month, used for later values.
create table source.month_model (
  month date primary key references market.finalized_month,
  model jsonb not null
);

-- Growth of the market, fitted each night to a sample of sets. Live values use the latest one; months keep their own.
create table source.growth_fit (
  fitted_on date primary key,
  growth jsonb not null
);

-- What an estimate is based on. The next one uses it as its prior and measures moves against it. Never published.
create table source.valuation (
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  condition text not null check (condition in ('sealed', 'used')),
  value_cents integer,
  effective_sales double precision not null,
  sellers integer not null,
  data_tier text not null check (data_tier in ('market', 'thin', 'modelled', 'none')),
  -- Not written anymore.
  calculated_at timestamptz not null,
  -- As in market.set_value.
  doubtful boolean not null default false,
  primary key (item_kind, item_number, condition)
);

-- The same, as of the end of each finalized month.
create table source.month_valuation (
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  condition text not null check (condition in ('sealed', 'used')),
  month date not null check (extract(day from month) = 1),
  value_cents integer,
  effective_sales double precision not null,
  sellers integer not null,
  accepted_units integer not null,
  data_tier text not null check (data_tier in ('market', 'thin', 'modelled', 'none')),
  primary key (item_kind, item_number, condition, month)
);

grant select, insert, update, delete on all tables in schema source to brickmark_worker;

-- For the operator functions: neither the content of quarantined rows nor any secret.
grant select on source.import, source.source, source.poll_cursor, source.valuation_queue, source.retail_queue to brickmark_operator;
grant select (id, import_id, feed, row_number, reason, retried_at) on source.quarantine to brickmark_operator;

-- Quarters: planning time grows with the number of partitions, and the newest sales of an item are read from all of them.
insert into maintenance.partition_policy values
  ('source.sale_observation', '3 months', '49 months', '6 months', null),
  ('source.retail_observation', '3 months', '13 months', '6 months', null);
alter table source.sale_observation owner to brickmark_maintenance;
alter table source.sale_observation_default owner to brickmark_maintenance;
alter table source.retail_observation owner to brickmark_maintenance;
alter table source.retail_observation_default owner to brickmark_maintenance;
select maintenance.create_partitions(table_name) from maintenance.partition_policy where table_name like 'source.%';

-- For the operator pages.

-- Returns for each feed its newest file, what arrived within a day, and how many rows are quarantined.
create function source.operator_feeds(session_token text)
returns table (feed text, file_name text, finished_at timestamptz, accepted bigint, repeated bigint, quarantined bigint,
  files_today integer, accepted_today bigint, in_quarantine bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select f.feed, i.file_name, i.finished_at, i.accepted, i.repeated, i.quarantined,
         d.files, d.accepted, (select count(*) from source.quarantine q where q.feed = f.feed and q.retried_at is null)
    from (values ('catalog'), ('sales'), ('returns'), ('retail')) as f (feed)
    left join lateral (
      select * from source.import i where i.feed = f.feed order by i.id desc limit 1) i on true
    cross join lateral (
      select count(*)::integer as files, coalesce(sum(n.accepted), 0)::bigint as accepted
        from source.import n where n.feed = f.feed and n.finished_at > now() - interval '1 day') d;
end
$$;

-- Returns the sources, and when each was last polled if it is polled.
create function source.operator_sources(session_token text)
returns table (source_id text, name text, license_id text, rank smallint, polled_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select s.id, s.name, s.license_id, s.rank, p.polled_at
    from source.source s left join source.poll_cursor p on p.source_id = s.id
   order by s.id;
end
$$;

-- Returns what is waiting to be recomputed.
create function source.operator_backlog(session_token text)
returns table (items bigint, items_since timestamptz, products bigint, products_since timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform auth.require_operator(session_token);
  return query
  select i.count, i.since, p.count, p.since
    from (select count(*), min(marked_at) as since from source.valuation_queue) i,
         (select count(*), min(marked_at) as since from source.retail_queue) p;
end
$$;

-- Returns quarantined rows, newest first, with the reason but without their content, which is licensed.
create function source.operator_quarantine(session_token text, of_feed text, page_limit integer, page_offset integer)
returns table (quarantine_id bigint, feed text, file_name text, came_at timestamptz, row_number bigint, reason text, total integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select q.id, q.feed, i.file_name, i.finished_at, q.row_number, q.reason, count(*) over ()::integer
    from source.quarantine q join source.import i on i.id = q.import_id
   where q.retried_at is null and (of_feed = '' or q.feed = of_feed)
   order by q.id desc
   limit page_limit offset page_offset;
end
$$;

grant create on schema source to brickmark_operator;
alter function source.operator_feeds(text) owner to brickmark_operator;
alter function source.operator_sources(text) owner to brickmark_operator;
alter function source.operator_backlog(text) owner to brickmark_operator;
alter function source.operator_quarantine(text, text, integer, integer) owner to brickmark_operator;
revoke create on schema source from brickmark_operator;
revoke execute on function source.operator_feeds(text),
  source.operator_sources(text),
  source.operator_backlog(text),
  source.operator_quarantine(text, text, integer, integer) from public;
grant execute on function source.operator_feeds(text),
  source.operator_sources(text),
  source.operator_backlog(text),
  source.operator_quarantine(text, text, integer, integer) to brickmark_web;
