-- Other numbers of a minifig, such as those of marketplaces. Any of them finds it.
create table catalog.minifig_alias (
  alias text primary key check (alias ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$'),
  minifig_number text not null references catalog.minifig on delete cascade,
  source_id text not null
);
create unique index minifig_alias_any_case on catalog.minifig_alias (lower(alias));
create index minifig_alias_by_minifig on catalog.minifig_alias (minifig_number);
grant select on catalog.minifig_alias to brickmark_api, brickmark_web;
grant select, insert, update, delete on catalog.minifig_alias to brickmark_worker;

create trigger notify_insert after insert on catalog.minifig_alias referencing new table as changed
  for each statement execute function catalog.notify_change('minifigs');
create trigger notify_update after update on catalog.minifig_alias referencing old table as former new table as changed
  for each statement execute function catalog.notify_change('minifigs');
create trigger notify_delete after delete on catalog.minifig_alias referencing old table as changed
  for each statement execute function catalog.notify_change('minifigs');
create trigger notify_truncate after truncate on catalog.minifig_alias
  for each statement execute function catalog.notify_change('all');
