-- What the service computes and publishes. Nothing here identifies a seller, a buyer or a single sale.

create table market.set_value (
  set_number text not null references catalog.set on delete cascade,
  condition text not null check (condition in ('sealed', 'used')),
  value_cents integer check (value_cents > 0),
  range_low_cents integer check (range_low_cents >= 0),
  range_high_cents integer,
  data_tier text not null check (data_tier in ('market', 'thin', 'modelled', 'none')),
  calculated_at timestamptz not null,
  -- What the value rests on, for the pages that show it. Only with enough sales by enough sellers: with fewer, it would
  -- describe single sales.
  effective_sales integer,
  sellers integer,
  last_sold_on date,
  -- Not written anymore: values follow their sales, however far they move.
  -- True while too few sellers contradict what similar items sell for: the tier is at most 'thin', and the range covers
  -- both.
  doubtful boolean not null default false,
  primary key (set_number, condition),
  check (range_low_cents <= value_cents and value_cents <= range_high_cents),
  check ((data_tier = 'none') = (value_cents is null)),
  constraint evidence_of_market_values
    check (data_tier = 'market' or num_nonnulls(effective_sales, sellers, last_sold_on) = 0)
);

create table market.minifig_value (
  minifig_number text primary key references catalog.minifig on delete cascade,
  value_cents integer check (value_cents > 0),
  range_low_cents integer check (range_low_cents >= 0),
  range_high_cents integer,
  data_tier text not null check (data_tier in ('market', 'thin', 'modelled', 'none')),
  calculated_at timestamptz not null,
  -- What the value rests on, for the pages that show it. Only with enough sales by enough sellers: with fewer, it would
  -- describe single sales.
  effective_sales integer,
  sellers integer,
  last_sold_on date,
  -- Not written anymore: values follow their sales, however far they move.
  -- True while too few sellers contradict what similar items sell for: the tier is at most 'thin', and the range covers
  -- both.
  doubtful boolean not null default false,
  check (range_low_cents <= value_cents and value_cents <= range_high_cents),
  check ((data_tier = 'none') = (value_cents is null)),
  constraint evidence_of_market_values
    check (data_tier = 'market' or num_nonnulls(effective_sales, sellers, last_sold_on) = 0)
);

-- Month-end values. A thin month has a value but neither range nor sales count.
create table market.set_month (
  set_number text not null references catalog.set on delete cascade,
  condition text not null check (condition in ('sealed', 'used')),
  month date not null check (extract(day from month) = 1),
  value_cents integer check (value_cents > 0),
  range_low_cents integer,
  range_high_cents integer,
  sales_count integer check (sales_count >= 0),
  event text check (event in ('released', 'retiring_soon', 'retired', 'rereleased')),
  primary key (set_number, condition, month),
  check (range_low_cents <= value_cents and value_cents <= range_high_cents)
);

-- A published month never changes; a correction is a revision.
create function market.reject_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'A finalized month cannot be changed. Insert a row into market.set_month_revision instead.';
end
$$;
revoke execute on function market.reject_change() from public;
create trigger months_are_final before update on market.set_month
  for each row execute function market.reject_change();

create table market.set_month_revision (
  id bigint generated always as identity primary key,
  set_number text not null references catalog.set on delete cascade,
  condition text not null check (condition in ('sealed', 'used')),
  month date not null check (extract(day from month) = 1),
  value_cents integer,
  reason text not null,
  revised_at timestamptz not null default now()
);

-- Months that are finalized completely.
create table market.finalized_month (
  month date primary key check (extract(day from month) = 1),
  finalized_at timestamptz not null default now(),
  set_months integer not null
);

-- The state of a product at a retailer, as of the last successful observation.
create table market.retail_state (
  set_number text not null references catalog.set on delete cascade,
  retailer text not null references catalog.retailer,
  price_cents integer check (price_cents > 0),
  list_price_cents integer check (list_price_cents > 0),
  seller_type text check (seller_type in ('retailer', 'third_party')),
  in_stock boolean,
  changed_at timestamptz,
  last_change_cents integer,
  flip_1p_to_3p boolean not null,
  at_lowest boolean not null,
  lowest_cents integer check (lowest_cents > 0),
  product_url text not null,
  last_checked_at timestamptz not null,
  -- The last price that was seen, also while a product is sold out and has none.
  last_price_cents integer check (last_price_cents > 0),
  primary key (set_number, retailer)
);

-- Retail prices over time: one row for each day on which the price or the kind of seller changed, as of the end of that
-- day. It doesn't say which source observed it, or when.
create table market.retail_day (
  set_number text not null references catalog.set on delete cascade,
  retailer text not null references catalog.retailer,
  day date not null,
  -- Null if it was sold out.
  price_cents integer check (price_cents > 0),
  seller_type text check (seller_type in ('retailer', 'third_party')),
  primary key (set_number, retailer, day)
);

-- What a reseller would receive for a set at retailer_a today.
create table market.resale_offer (
  set_number text primary key references catalog.set on delete cascade,
  lowest_fba_cents integer,
  fba_sellers integer check (fba_sellers >= 0),
  buy_box_cents integer,
  net_fba_cents integer
);

-- Fees of selling, by platform and start date: the latest schedule that has started applies. Money is in cents, shares
-- are in basis points, each up to a limit. Sellers can override the presets.
--
-- `peaks` is what retailer_a adds to the fulfillment fee from mid-October to mid-January. It published the same increases
-- for the last two seasons; those known here are 0.19 to 0.22 for small standard, 0.20 up to 1 lb, 0.33 up to 2 lb and 0.41
-- up to 3 lb of large standard, 1.04 for large bulky and 2.81 for extra large. For any other weight and tier the next higher
-- one applies, so that a net price is never too high.
create table market.fee_schedule (
  platform text not null,
  valid_from date not null,
  schedule jsonb not null,
  primary key (platform, valid_from)
);
insert into market.fee_schedule values
  ('retailer_a', '2026-01-15', '{"retailer":"retailer_a","validFrom":"2026-01-15","referral":{"basisPoints":1500,"minimum":30},"priceBounds":{"low":1000,"high":5000},"cubicInchesPerPound":139,"sizeTiers":[{"name":"small_standard","maxOunces":16,"maxSides":[15,12,0.75],"maxLengthPlusGirth":null,"weighVolume":false,"bands":[{"upToOunces":2,"fees":[243,332,358]},{"upToOunces":4,"fees":[249,342,368]},{"upToOunces":6,"fees":[256,345,371]},{"upToOunces":8,"fees":[266,354,380]},{"upToOunces":10,"fees":[277,368,394]},{"upToOunces":12,"fees":[282,378,404]},{"upToOunces":14,"fees":[292,391,417]},{"upToOunces":16,"fees":[295,396,422]}],"beyond":null},{"name":"large_standard","maxOunces":320,"maxSides":[18,14,8],"maxLengthPlusGirth":null,"weighVolume":true,"bands":[{"upToOunces":4,"fees":[291,373,399]},{"upToOunces":8,"fees":[313,395,421]},{"upToOunces":12,"fees":[338,420,446]},{"upToOunces":16,"fees":[378,460,486]},{"upToOunces":20,"fees":[422,504,530]},{"upToOunces":24,"fees":[460,542,568]},{"upToOunces":28,"fees":[475,557,583]},{"upToOunces":32,"fees":[500,582,608]},{"upToOunces":36,"fees":[510,592,618]},{"upToOunces":40,"fees":[528,610,636]},{"upToOunces":44,"fees":[544,626,652]},{"upToOunces":48,"fees":[585,667,693]}],"beyond":{"fees":[615,697,723],"fromOunces":48,"stepOunces":4,"perStep":8}},{"name":"small_bulky","maxOunces":800,"maxSides":[37,28,20],"maxLengthPlusGirth":130,"weighVolume":true,"bands":[],"beyond":{"fees":[678,755,755],"fromOunces":16,"stepOunces":16,"perStep":38}},{"name":"large_bulky","maxOunces":800,"maxSides":[59,33,33],"maxLengthPlusGirth":130,"weighVolume":true,"bands":[],"beyond":{"fees":[858,935,935],"fromOunces":16,"stepOunces":16,"perStep":38}},{"name":"extra_large_50_lb","maxOunces":800,"maxSides":null,"maxLengthPlusGirth":null,"weighVolume":true,"bands":[],"beyond":{"fees":[2556,2633,2633],"fromOunces":16,"stepOunces":16,"perStep":38}}],"surcharges":[{"validFrom":"2026-04-17","basisPoints":350}],"peaks":[{"from":"2026-10-15","to":"2027-01-14","increases":[
    {"tier":"small_standard","bands":[{"upToOunces":2,"cents":19},{"upToOunces":6,"cents":20},{"upToOunces":16,"cents":22}]},
    {"tier":"large_standard","bands":[{"upToOunces":16,"cents":20},{"upToOunces":32,"cents":33},{"upToOunces":48,"cents":41},{"upToOunces":320,"cents":104}]},
    {"tier":"small_bulky","bands":[{"upToOunces":800,"cents":104}]},
    {"tier":"large_bulky","bands":[{"upToOunces":800,"cents":104}]},
    {"tier":"extra_large_50_lb","bands":[{"upToOunces":800,"cents":281}]}]}]}'),
  ('ebay', '2023-02-15', '{"platform":"ebay","validFrom":"2023-02-15","source":"eBay, winter seller update 2023: most categories, without a store","shares":[{"upTo":null,"basisPoints":1325}],"minimum":0,"fixed":[{"upTo":null,"cents":30}]}'),
  ('ebay', '2024-03-15', '{"platform":"ebay","validFrom":"2024-03-15","source":"eBay, winter seller update 2024: $0.40 an order over $10; share for toys as noted in 2026, without a store","shares":[{"upTo":null,"basisPoints":1325}],"minimum":0,"fixed":[{"upTo":1000,"cents":30},{"upTo":null,"cents":40}]}'),
  ('bricklink', '2020-01-01', '{"platform":"bricklink","validFrom":"2020-01-01","source":"BrickLink, fees and billing policy as noted in 2026; the page names no first day","shares":[{"upTo":50000,"basisPoints":300},{"upTo":100000,"basisPoints":200},{"upTo":null,"basisPoints":100}],"minimum":0,"fixed":[]}'),
  ('amazon', '2026-01-15', '{"platform":"amazon","validFrom":"2026-01-15","source":"Referral fee for toys from a third party’s transcription, 2026; fulfilment is not in it","shares":[{"upTo":null,"basisPoints":1500}],"minimum":30,"fixed":[]}');

-- How the values of retired sets move from month to month: 100 in its first month. Written when a month is finalized and
-- never changed. The theme '' stands for all themes.
create table market.brick_index (
  theme text not null,
  month date not null references market.finalized_month,
  level double precision not null check (level > 0),
  -- Standard error of the logarithm of the level, accumulated since the first month.
  log_error double precision not null check (log_error >= 0),
  -- Sets with a value at the end of both months.
  sets integer not null check (sets > 0),
  primary key (theme, month)
);

-- How far published values were from the sales of the following 90 days, measured each night. With fewer than 30 sales
-- there is no row. Also how accurate values are beside the best of three simple methods, how often ranges covered the
-- next sale and how wide they were (the ratio of their ends), and how many values were in doubt.
create table market.accuracy (
  day date not null,
  condition text not null check (condition in ('sealed', 'used')),
  -- What the sales have in common: nothing, the tier of the value or the theme of the set.
  grouped_by text not null check (grouped_by in ('all', 'tier', 'theme')),
  name text not null,
  sales integer not null check (sales >= 30),
  median_error_pct double precision not null,
  within_5_pct double precision not null,
  within_10_pct double precision not null,
  within_20_pct double precision not null,
  coverage_pct double precision,
  width_pct double precision,
  doubtful_pct double precision,
  simple_method text check (simple_method in ('last sale', 'median of 10', 'median of 90 days')),
  simple_error_pct double precision,
  primary key (day, condition, grouped_by, name)
);

-- The sets whose values were furthest behind a simple method, for the operator.
create table market.accuracy_item (
  day date not null,
  set_number text not null,
  condition text not null check (condition in ('sealed', 'used')),
  cases integer not null check (cases >= 3),
  error_pct double precision not null,
  simple_error_pct double precision not null,
  primary key (day, set_number, condition)
);

grant select on all tables in schema market to brickmark_web;
grant select on market.set_value, market.minifig_value, market.set_month, market.retail_state, market.resale_offer to brickmark_api;
grant select, insert, update, delete on market.set_value, market.minifig_value, market.retail_state, market.retail_day,
  market.resale_offer to brickmark_worker;
grant select, insert on market.set_month, market.set_month_revision, market.finalized_month to brickmark_worker;
grant select on market.fee_schedule to brickmark_worker;
grant select, insert on market.brick_index to brickmark_worker;
grant select, insert, delete on market.accuracy, market.accuracy_item to brickmark_worker;

-- For the tables of catalog, too: see catalog.notify_change().
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
