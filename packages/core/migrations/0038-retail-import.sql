-- As for sales.
alter table source.retail_observation add column import_id bigint;
