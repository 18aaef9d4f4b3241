-- An account's lots were bought over years and lie all over the table. The index carries what every read of them shows,
-- so that they are read from a few neighbouring pages, however many other accounts there are.
drop index portfolio.holding_in_order;
create index holding_in_order on portfolio.holding (account_id, brickfolio_id, id)
  include (set_number, condition, status, quantity, purchase_price_usd, purchase_date) where quantity > 0;
