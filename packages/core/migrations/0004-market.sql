-- What the service computes and sells. Holds only what may be shown: no seller, no buyer, no single sale.

create table market.set_value (
  set_number text not null references catalog.set on delete cascade,
  condition text not null check (condition in ('sealed', 'used')),
  value_usd numeric(9, 2) check (value_usd > 0),
  range_low_usd numeric(9, 2) check (range_low_usd >= 0),
  range_high_usd numeric(9, 2),
  data_tier text not null check (data_tier in ('market', 'thin', 'modelled', 'none')),
  calculated_at timestamptz not null,
  primary key (set_number, condition),
  check (range_low_usd <= value_usd and value_usd <= range_high_usd),
  check ((data_tier = 'none') = (value_usd is null))
);

create table market.minifig_value (
  minifig_number text primary key references catalog.minifig on delete cascade,
  value_usd numeric(9, 2) check (value_usd > 0),
  range_low_usd numeric(9, 2) check (range_low_usd >= 0),
  range_high_usd numeric(9, 2),
  data_tier text not null check (data_tier in ('market', 'thin', 'modelled', 'none')),
  calculated_at timestamptz not null,
  check (range_low_usd <= value_usd and value_usd <= range_high_usd),
  check ((data_tier = 'none') = (value_usd is null))
);

-- Finalized months. A thin month keeps its value but shows neither range nor count.
create table market.set_month (
  set_number text not null references catalog.set on delete cascade,
  condition text not null check (condition in ('sealed', 'used')),
  month date not null check (extract(day from month) = 1),
  value_usd numeric(9, 2) check (value_usd > 0),
  range_low_usd numeric(9, 2),
  range_high_usd numeric(9, 2),
  sales_count integer check (sales_count >= 0),
  event text check (event in ('released', 'retiring_soon', 'retired', 'rereleased')),
  primary key (set_number, condition, month),
  check (range_low_usd <= value_usd and value_usd <= range_high_usd)
);

-- The state of one product at one retailer, as of the last successful observation.
create table market.retail_state (
  set_number text not null references catalog.set on delete cascade,
  retailer text not null references catalog.retailer,
  price_usd numeric(9, 2) check (price_usd > 0),
  list_price_usd numeric(9, 2) check (list_price_usd > 0),
  seller_type text check (seller_type in ('retailer', 'third_party')),
  in_stock boolean,
  changed_at timestamptz,
  last_change_usd numeric(9, 2),
  flip_1p_to_3p boolean not null,
  at_lowest boolean not null,
  lowest_usd numeric(9, 2) check (lowest_usd > 0),
  product_url text not null,
  last_checked_at timestamptz not null,
  primary key (set_number, retailer)
);

-- What a reseller would get for a set at retailer_a today.
create table market.retail_exit (
  set_number text primary key references catalog.set on delete cascade,
  lowest_fba_usd numeric(9, 2),
  fba_sellers integer check (fba_sellers >= 0),
  buy_box_usd numeric(9, 2),
  net_fba_usd numeric(9, 2)
);

grant select on all tables in schema market to brickmark_api, brickmark_web;
grant select, insert, update, delete on all tables in schema market to brickmark_worker;
