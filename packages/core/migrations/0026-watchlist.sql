-- Sets and minifigs that an account watches, owned or not. Without a target, they are only listed.
create table portfolio.watched_item (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  set_number text references catalog.set on delete cascade,
  minifig_number text references catalog.minifig on delete cascade,
  target_cents integer check (target_cents between 1 and 999999999),
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  check (num_nonnulls(set_number, minifig_number) = 1),
  unique (account_id, set_number),
  unique (account_id, minifig_number)
);
-- For the cascades of the catalog.
create index watched_item_set on portfolio.watched_item (set_number) where set_number is not null;
create index watched_item_minifig on portfolio.watched_item (minifig_number) where minifig_number is not null;
alter table portfolio.watched_item enable row level security;
alter table portfolio.watched_item force row level security;
create policy own on portfolio.watched_item to brickmark_web using (account_id = account.current_account_id());
grant select, insert, update (target_cents), delete on portfolio.watched_item to brickmark_web;
