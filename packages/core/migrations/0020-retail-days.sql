-- Prices at the retailers over time: a row for each day on which the price or who sells changed, as it stood at the end of
-- that day. Derived: it tells neither which source saw it nor when. The worker fills it as products are refreshed, the past
-- of each included.

create table market.retail_day (
  set_number text not null references catalog.set on delete cascade,
  retailer text not null references catalog.retailer,
  day date not null,
  -- Null from a day on which it was sold out.
  price_usd numeric(9, 2) check (price_usd > 0),
  seller_type text check (seller_type in ('retailer', 'third_party')),
  primary key (set_number, retailer, day)
);

grant select on market.retail_day to brickmark_web;
grant select, insert, update, delete on market.retail_day to brickmark_worker;
