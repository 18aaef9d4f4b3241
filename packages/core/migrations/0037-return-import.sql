-- As for sales.
alter table source.sale_return add column import_id bigint;
