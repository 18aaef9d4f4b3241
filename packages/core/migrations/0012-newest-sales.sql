-- The newest sales of an item are read in the order of the index, without a sort: an item costs the same however often
-- it was ever sold.
drop index source.sale_observation_by_item;
create index sale_observation_by_item
  on source.sale_observation (item_kind, item_number, condition, sold_on, source_id, event_id)
  include (unit_price_usd, quantity, seller_ref, buyer_ref, excluded, known_on);
