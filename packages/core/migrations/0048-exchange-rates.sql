-- Daily reference rates, with which pages show values in other currencies beside US dollars.
create table market.exchange_rate (
  currency text primary key check (currency ~ '^[A-Z]{3}$'),
  per_usd double precision not null check (per_usd > 0),
  day date not null
);

grant select on market.exchange_rate to brickmark_web;
grant select, insert, update, delete on market.exchange_rate to brickmark_worker;
