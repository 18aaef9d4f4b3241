-- Which import a sale came with, so that the import can be undone. Null for those that came before.
alter table source.sale_observation add column import_id bigint;
