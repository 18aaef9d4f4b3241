-- Products that a retailer lists under the barcode of a set, but whose title doesn't confirm it. An operator decides.
create table source.product_match (
  retailer text not null references catalog.retailer,
  set_number text not null,
  product_id text not null,
  title text not null,
  product_url text not null,
  source_id text not null references source.source,
  found_at timestamptz not null default now(),
  rejected_at timestamptz,
  primary key (retailer, set_number, product_id)
);
-- When a retailer was last searched for a set.
create table source.product_search (
  retailer text not null references catalog.retailer,
  set_number text not null,
  searched_at timestamptz not null default now(),
  primary key (retailer, set_number)
);
grant select, insert, update, delete on source.product_match, source.product_search to brickmark_worker;
