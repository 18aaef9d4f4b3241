-- Which imports told that a trader exists, and that they traded a second item.
alter table source.trader
  add column import_id bigint,
  add column several_import_id bigint;
