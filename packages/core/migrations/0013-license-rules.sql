-- What a license allows, enforced wherever its data is read. Terms stay a note for people.
alter table source.license
  -- Values may be computed from its sales and retail prices.
  add column feeds_values boolean not null default true,
  -- Its catalog attributes and retail prices may be shown. Single sales are never shown to anyone.
  add column shown boolean not null default true,
  -- How old shown data may be.
  add column max_display_age interval,
  -- How long its rows may be kept.
  add column retention interval,
  -- The text, and the page it links to, that must accompany what is shown.
  add column attribution text,
  add column attribution_url text;

-- From this instant its rows count for nothing and new ones are rejected; `ops source withdraw` then deletes them.
alter table source.source add column withdrawn_at timestamptz;

-- How far the withdrawal of a source has come, so that it continues after a crash.
create table source.withdrawal (
  source_id text primary key references source.source,
  -- The last finalized month that was revised.
  revised_to date,
  finished_at timestamptz
);
grant select, insert, update on source.withdrawal to brickmark_worker;
