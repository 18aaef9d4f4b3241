-- What is left to do of an import that is being undone: it outlives an interruption. Empty otherwise. Only `ops` undoes imports,
-- as the owner: the worker can't change finalized months.

-- Rows to delete. Without this list, every batch would have to look through all observations.
create table source.undo_row (
  import_id bigint not null references source.import on delete cascade,
  id bigint generated always as identity,
  source_id text not null,
  event_id text not null,
  sold_on date,
  observed_at timestamptz,
  primary key (import_id, id)
);

-- Items whose values rested on those rows.
create table source.undo_item (
  import_id bigint not null references source.import on delete cascade,
  item_kind text not null,
  item_number text not null,
  primary key (import_id, item_kind, item_number)
);

-- Sellers and buyers of whom only those rows told something, which has to be found out again.
create table source.undo_trader (
  import_id bigint not null references source.import on delete cascade,
  role text not null,
  source_id text not null,
  ref text not null,
  primary key (import_id, role, source_id, ref)
);
