-- The rows of imports that are held, as they were staged. Nothing of them is published.
create table source.held_row (
  import_id bigint not null references source.import on delete cascade,
  row_number bigint not null,
  staged jsonb not null,
  primary key (import_id, row_number)
);
grant select, insert, delete on source.held_row to brickmark_worker;
