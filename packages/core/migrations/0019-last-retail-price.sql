-- The last price that was seen, also while a product is sold out and has none.
alter table market.retail_state add column last_price_cents integer check (last_price_cents > 0);
