-- Files that collections came from. A draft keeps the text while its questions are answered; afterwards only what was left
-- out is kept, so that it can be had with its reasons.

create table portfolio.import (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  status text not null default 'draft' check (status in ('draft', 'done', 'undone')),
  file_name text not null,
  -- SHA-256 of the text: the same file is known again, whatever its name.
  fingerprint text not null,
  content text,
  answers jsonb not null default '{}',
  created_at timestamptz not null default now(),
  imported_at timestamptz,
  format text,
  lots integer,
  units integer,
  left_out integer,
  left_out_csv text,
  made_brickfolios bigint[] not null default '{}',
  undone_at timestamptz,
  -- Lots that an undo left alone because they were changed since.
  kept integer,
  primary key (account_id, id),
  check ((status = 'draft') = (content is not null))
);
-- A new file takes the place of a draft that was left lying.
create unique index import_one_draft on portfolio.import (account_id) where status = 'draft';

alter table portfolio.import enable row level security;
alter table portfolio.import force row level security;
create policy own on portfolio.import to brickmark_web using (account_id = account.current_account_id());
grant select, insert, update, delete on portfolio.import to brickmark_web;

-- Which import added a lot, and a hash of what it was then: an undo takes back only what is still the same.
alter table portfolio.holding
  add column import_id bigint,
  add column imported_as text,
  add foreign key (account_id, import_id) references portfolio.import on delete set null (import_id);
create index holding_by_import on portfolio.holding (account_id, import_id) where import_id is not null;
