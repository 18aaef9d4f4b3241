-- Files of the whole catalog for download, written every night: a run writes one per dataset.
create schema export;

create table export.run (
  id bigint generated always as identity primary key,
  -- In the names of its files.
  started_at timestamptz not null unique,
  -- Null until every file is complete; only then are they listed.
  finished_at timestamptz
);

create table export.file (
  run_id bigint not null references export.run on delete cascade,
  dataset text not null,
  rows integer not null,
  bytes bigint not null,
  sha256 bytea not null,
  primary key (run_id, dataset)
);

-- The content of a file, in chunks of 16 KiB of which the last may be shorter.
create table export.chunk (
  run_id bigint not null references export.run on delete cascade,
  dataset text not null,
  position integer not null,
  content bytea not null,
  primary key (run_id, dataset, position)
);
-- Compressed already.
alter table export.chunk alter column content set storage external;

-- Runs from before this moment may hold what a license no longer allows, so they aren't served.
create table export.validity (
  valid_from timestamptz not null
);
create unique index on export.validity ((true));
insert into export.validity values ('-infinity');

grant usage on schema export to brickmark_api, brickmark_worker;
grant select on export.run, export.file, export.chunk, export.validity to brickmark_api;
grant select, insert, update, delete on export.run, export.file, export.chunk to brickmark_worker;
grant select, update on export.validity to brickmark_worker;
