-- A draft keeps what was parsed and planned, so that looking at its preview costs a page of rows, not the whole file.

-- Drafts held the text of the file before; now they hold the parsed table as JSON.
delete from portfolio.import where status = 'draft';
alter table portfolio.import add column plan jsonb;

-- The planned rows of a draft, as its preview shows them. They are replaced with every answer.
create table portfolio.import_row (
  account_id bigint not null,
  import_id bigint not null,
  row_number integer not null,
  state text not null check (state in ('ready', 'choice', 'skipped')),
  -- Why the row isn't ready.
  reason text,
  lot jsonb,
  -- The beginning of the row, to recognize it by.
  excerpt text not null,
  primary key (account_id, import_id, row_number),
  foreign key (account_id, import_id) references portfolio.import on delete cascade,
  check ((state = 'ready') = (lot is not null)),
  check ((state = 'ready') = (reason is null))
);
alter table portfolio.import_row enable row level security;
alter table portfolio.import_row force row level security;
create policy own on portfolio.import_row to brickmark_web using (account_id = account.current_account_id());
grant select, insert, delete on portfolio.import_row to brickmark_web;
