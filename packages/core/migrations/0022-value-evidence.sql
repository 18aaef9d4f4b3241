-- What a value rests on, for the pages that show it. Only for values with enough sales by enough sellers: with fewer, it
-- would describe single sales. `held` is true while a value is limited because its sales don't support a larger move.
alter table market.set_value
  add column effective_sales integer,
  add column sellers integer,
  add column last_sold_on date,
  add column held boolean not null default false;
alter table market.minifig_value
  add column effective_sales integer,
  add column sellers integer,
  add column last_sold_on date,
  add column held boolean not null default false;
alter table market.set_value add constraint evidence_of_market_values
  check (data_tier = 'market' or num_nonnulls(effective_sales, sellers, last_sold_on) = 0) not valid;
alter table market.set_value validate constraint evidence_of_market_values;
alter table market.minifig_value add constraint evidence_of_market_values
  check (data_tier = 'market' or num_nonnulls(effective_sales, sellers, last_sold_on) = 0) not valid;
alter table market.minifig_value validate constraint evidence_of_market_values;
