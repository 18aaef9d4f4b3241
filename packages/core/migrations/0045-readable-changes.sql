-- The API tells which items changed, and not how: what may be shown follows from the licenses of today.
grant usage on schema change to brickmark_api;
grant select (day, transaction_id, id, at, kind, item_kind, item_number) on change.change to brickmark_api;
