-- A read-only page of a collection for everybody who has its link. What was paid is never on it.
create table portfolio.shelf (
  account_id bigint not null,
  collection_id bigint not null,
  heading text not null check (char_length(heading) between 1 and 100),
  shows_value boolean not null,
  shows_purchase_date boolean not null,
  shows_notes boolean not null,
  -- The token in the link is an HMAC of the salt, with a key that isn't in the database.
  salt bytea not null check (octet_length(salt) = 32),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now(),
  primary key (account_id, collection_id),
  foreign key (account_id, collection_id) references portfolio.collection on delete cascade
);
create index shelf_by_token on portfolio.shelf (token_hash);
alter table portfolio.shelf enable row level security;
alter table portfolio.shelf force row level security;
create policy own on portfolio.shelf to brickmark_web using (account_id = account.current_account_id());
create policy alerts on portfolio.shelf for select to brickmark_alerts using (true);
grant select, insert, update (heading, shows_value, shows_purchase_date, shows_notes, salt, token_hash), delete
  on portfolio.shelf to brickmark_web;
grant select (account_id, collection_id, token_hash) on portfolio.shelf to brickmark_alerts;

-- Returns whose shelf has this token, unless the account is suspended. Everything else is read as that account.
create function portfolio.find_shelf(hash bytea) returns table (account_id bigint, collection_id bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select s.account_id, s.collection_id from portfolio.shelf s
   where s.token_hash = hash
     and not exists (select from account.account o where o.id = s.account_id and o.suspended)
$$;
grant create on schema portfolio to brickmark_alerts;
alter function portfolio.find_shelf(bytea) owner to brickmark_alerts;
revoke create on schema portfolio from brickmark_alerts;
revoke execute on function portfolio.find_shelf(bytea) from public;
grant execute on function portfolio.find_shelf(bytea) to brickmark_web;
