-- The observations in the form the market engine needs. Until now these tables held nothing but trial rows.

-- The queue's own tables: pg-boss makes and mends them as the worker.
do $$ begin execute format('grant brickmark_worker to %I', current_user); end $$;
create schema pgboss authorization brickmark_worker;

drop function source.keep_partitions();
drop table source.sale_observation;
drop table source.retail_observation;

-- Sources and licences are checked once for a whole file when it is published: a foreign key would ask for every row,
-- which took a third of the time of an import.
create table source.sale_observation (
  source_id text not null,
  event_id text not null,
  licence_id text not null,
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  condition text not null check (condition in ('sealed', 'used')),
  sold_on date not null,
  unit_price_usd numeric(9, 2) not null check (unit_price_usd > 0),
  currency text not null,
  fx_rate numeric not null check (fx_rate > 0),
  quantity integer not null check (quantity >= 1),
  seller_ref text,
  buyer_ref text,
  -- Why the sale tells nothing about the value of one complete item; null when it does.
  excluded text check (excluded in ('lot', 'parts_only', 'unknown_offer')),
  -- When it became known: a month is finalized with what was known by its 8th, however late that is computed.
  known_on date not null,
  primary key (source_id, event_id, sold_on)
) partition by range (sold_on);
create table source.sale_observation_default partition of source.sale_observation default;
-- Everything the estimator reads of an item, in its order: at 100M rows a value then reads the index and no heap.
create index sale_observation_by_item on source.sale_observation (item_kind, item_number, condition, sold_on)
  include (unit_price_usd, quantity, seller_ref, buyer_ref, excluded, known_on, source_id, event_id);

-- Which events are known, and where: a partitioned table can hold (source, event) unique only together with the day.
create table source.sale_event (
  event_key uuid primary key,
  sold_on date not null
);

create function source.event_key(source_id text, event_id text) returns uuid
language sql immutable parallel safe
return md5(source_id || chr(31) || event_id)::uuid;
revoke execute on function source.event_key(text, text) from public;
grant execute on function source.event_key(text, text) to brickmark_worker;

-- A return may come before its sale does. From the day it is known the sale counts for nothing.
create table source.sale_return (
  source_id text not null references source.source,
  event_id text not null,
  licence_id text not null references source.licence,
  returned_on date not null,
  item_kind text,
  item_number text,
  known_on date not null,
  primary key (source_id, event_id)
);
create index sale_return_by_item on source.sale_return (item_kind, item_number);

-- Sellers and buyers, and since when they are known to have traded more than one item: a move of a value needs people
-- with a history elsewhere.
create table source.trader (
  role text not null check (role in ('seller', 'buyer')),
  source_id text not null,
  ref text not null,
  item_number text not null,
  -- When the row above became known; carries a later one's day through ON CONFLICT.
  known_on date not null,
  several_since date,
  primary key (role, source_id, ref)
);

-- Items whose value must be computed again.
create table source.dirty_item (
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
  licence_id text not null,
  retailer text not null,
  product_id text not null,
  observed_at timestamptz not null,
  price_usd numeric(9, 2) check (price_usd > 0),
  list_price_usd numeric(9, 2) check (list_price_usd > 0),
  seller_type text check (seller_type in ('retailer', 'third_party')),
  in_stock boolean,
  lowest_fba_usd numeric(9, 2) check (lowest_fba_usd > 0),
  fba_sellers integer check (fba_sellers >= 0),
  buy_box_usd numeric(9, 2) check (buy_box_usd > 0),
  arrival bigint generated always as identity,
  received_at timestamptz not null default now(),
  primary key (source_id, event_id, observed_at)
) partition by range (observed_at);
create table source.retail_observation_default partition of source.retail_observation default;
create index retail_observation_by_product on source.retail_observation (retailer, product_id, arrival);

-- Products with observations that their state does not show yet.
create table source.dirty_product (
  retailer text not null,
  product_id text not null,
  marked_at timestamptz not null default now(),
  primary key (retailer, product_id)
);

-- What the observations of a product come to so far: the next one in order needs no look back.
create table source.retail_fold (
  retailer text not null,
  product_id text not null,
  fold jsonb not null,
  -- The last observation that is in the fold.
  arrival bigint not null,
  primary key (retailer, product_id)
);

-- How far a round of polls has come.
create table source.poll_cursor (
  source_id text primary key references source.source,
  cursor text,
  polled_at timestamptz not null default now()
);

alter table source.source add column rank smallint not null default 0;

-- Every file or poll that came in.
create table source.import (
  import_id bigint generated always as identity primary key,
  feed text not null check (feed in ('catalog', 'sales', 'returns', 'retail')),
  file_name text not null,
  -- SHA-256 of the bytes, so that a file sent twice is recognised.
  fingerprint text not null,
  accepted bigint not null,
  repeated bigint not null,
  quarantined bigint not null,
  finished_at timestamptz not null default now()
);

-- Rows that could not be taken, with the reason, until they are mended and retried.
create table source.quarantine (
  quarantine_id bigint generated always as identity primary key,
  import_id bigint not null references source.import on delete cascade,
  feed text not null,
  row_number bigint not null,
  reason text not null,
  -- The line as it came, under its header if it had one, so that it can be read again; or, when only publishing
  -- refused it, the row that was staged.
  raw text,
  staged jsonb,
  retried_at timestamptz,
  check (num_nonnulls(raw, staged) = 1)
);
create index quarantine_open on source.quarantine (feed, quarantine_id) where retried_at is null;

grant select, insert, update, delete on all tables in schema source to brickmark_worker;

create function source.keep_partitions() returns integer
language sql security definer set search_path = pg_catalog
as $$
  select account.add_partitions('source.sale_observation',
      (current_date - interval '49 months')::date, (current_date + interval '6 months')::date, interval '1 month')
    + account.add_partitions('source.retail_observation',
      (current_date - interval '13 months')::date, (current_date + interval '6 months')::date, interval '1 month')
$$;
revoke execute on function source.keep_partitions() from public;
grant execute on function source.keep_partitions() to brickmark_worker;
select source.keep_partitions();
