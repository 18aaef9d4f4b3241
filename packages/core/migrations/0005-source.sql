-- Licensed observations. Only the worker may look in here: api and web have no right on this schema at all.

create table source.licence (
  licence_id text primary key,
  terms text not null
);

create table source.source (
  source_id text primary key,
  name text not null,
  licence_id text not null references source.licence
);

create table source.sale_observation (
  source_id text not null references source.source,
  event_id text not null,
  sold_on date not null,
  set_number text,
  minifig_number text,
  condition text not null check (condition in ('sealed', 'used')),
  unit_price_usd numeric(12, 2) not null check (unit_price_usd > 0),
  quantity integer not null check (quantity >= 1),
  seller_ref text,
  buyer_ref text,
  received_at timestamptz not null default now(),
  primary key (source_id, event_id, sold_on),
  check (num_nonnulls(set_number, minifig_number) = 1)
) partition by range (sold_on);
create table source.sale_observation_default partition of source.sale_observation default;
create index sale_observation_by_set on source.sale_observation (set_number, condition, sold_on desc)
  include (unit_price_usd, seller_ref, buyer_ref) where set_number is not null;

create table source.retail_observation (
  source_id text not null references source.source,
  event_id text not null,
  retailer text not null references catalog.retailer,
  product_id text not null,
  observed_at timestamptz not null,
  price_usd numeric(10, 2),
  list_price_usd numeric(10, 2),
  seller_type text check (seller_type in ('retailer', 'third_party')),
  in_stock boolean,
  received_at timestamptz not null default now(),
  primary key (source_id, event_id)
);
create index retail_observation_by_product on source.retail_observation (retailer, product_id, observed_at);

grant select, insert, update, delete on all tables in schema source to brickmark_worker;

-- Three years behind and half a year ahead; the worker may extend both.
create function source.keep_partitions() returns integer
language sql security definer set search_path = pg_catalog
as $$
  select account.add_partitions('source.sale_observation',
    (current_date - interval '37 months')::date, (current_date + interval '6 months')::date, interval '1 month')
$$;
revoke execute on function source.keep_partitions() from public;
grant execute on function source.keep_partitions() to brickmark_worker;
select source.keep_partitions();
