-- Accounts, plans, API keys and their usage. Private: every primary key starts with the account, and row-level security
-- is forced.

create table account.plan (
  plan text primary key,
  api_access boolean not null,
  daily_limit integer not null check (daily_limit >= 1)
);
insert into account.plan values ('hobby', false, 1000), ('reseller', true, 1000);

create table account.account (
  id bigint generated always as identity primary key,
  name text not null,
  plan text not null references account.plan,
  created_at timestamptz not null default now()
);

create index account_name_trigrams on account.account using gin (lower(name) public.gin_trgm_ops);

create table account.api_key (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  name text not null,
  last4 text not null,
  -- One of the five active keys of an account. Null once the key is revoked, or when a newer key took an expired key's slot.
  slot smallint check (slot between 1 and 5),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, id),
  unique (account_id, slot),
  check (revoked_at is null or slot is null),
  constraint api_key_in_force_has_slot check (slot is not null or revoked_at is not null or expires_at is not null)
);

create function account.reject_unrevoking() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'A revoked key stays revoked.';
end
$$;
create trigger revocation_is_final before update on account.api_key
  for each row when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function account.reject_unrevoking();

-- A key that is being replaced may expire earlier, but never later.
create function account.reject_extending() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'The expiry of a key can only be made earlier.';
end
$$;
create trigger expiry_is_final before update on account.api_key
  for each row when (old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at))
  execute function account.reject_extending();

-- Maps the hash of a key to its owner. It never changes, and it is a separate table so that api_key can be distributed by
-- account. Only the admission functions read it.
create table account.api_key_directory (
  hash bytea primary key check (length(hash) = 32),
  account_id bigint not null,
  api_key_id bigint not null,
  pepper_version smallint not null,
  foreign key (account_id, api_key_id) references account.api_key on delete cascade
);
create index api_key_directory_by_key on account.api_key_directory (account_id, api_key_id);

-- What a key has used on its current day: `used` is the bill. One row per key, whatever the day, so that a charge locks
-- one table and one index, and its updates stay within a page. There is no foreign key, which would lock the key's row
-- on every first charge. The last_* columns carry one charge through ON CONFLICT.
create table account.api_key_quota (
  account_id bigint not null,
  api_key_id bigint not null,
  day date not null,
  used integer not null check (used >= 0),
  daily_limit integer not null,
  last_cost integer not null,
  last_count integer not null,
  last_granted integer not null,
  last_at timestamptz not null default now(),
  primary key (account_id, api_key_id)
) with (fillfactor = 70);

-- What a key used on earlier days. Written when a key is first charged on a new day, in the same transaction. A day that
-- is past its retention is forgotten: there is no partition for it any more.
create table account.api_key_quota_history (
  account_id bigint not null,
  api_key_id bigint not null,
  day date not null,
  used integer not null,
  daily_limit integer not null,
  last_at timestamptz not null,
  primary key (account_id, api_key_id, day)
) partition by range (day);

create function account.archive_quota() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into account.api_key_quota_history (account_id, api_key_id, day, used, daily_limit, last_at)
  values (old.account_id, old.api_key_id, old.day, old.used, old.daily_limit, old.last_at);
  return null;
end
$$;
create trigger archive_previous_day after update on account.api_key_quota
  for each row when (old.day <> new.day and old.day > new.day - 40) execute function account.archive_quota();

-- A key's latest request, and its requests by day and status. The API writes both every few seconds, separately from
-- charges: they are for people to read, and a process that crashes loses its last few seconds.
create table account.api_key_last_request (
  account_id bigint not null,
  api_key_id bigint not null,
  at timestamptz not null,
  request_id uuid not null,
  request text not null,
  status smallint not null,
  error_code text,
  error_message text,
  client text,
  primary key (account_id, api_key_id)
) with (fillfactor = 70);

create table account.api_key_usage (
  account_id bigint not null,
  api_key_id bigint not null,
  day date not null,
  status smallint not null,
  requests integer not null check (requests >= 0),
  primary key (account_id, api_key_id, day, status)
) partition by range (day);

create table account.audit_log (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  detail jsonb not null default '{}',
  primary key (account_id, id)
);

-- Accounts that were deleted in the last days. The tables without a foreign key may receive a row just after the account
-- is deleted, from a charge that was in flight; nightly maintenance removes it.
create table account.deleted_account (
  account_id bigint primary key,
  deleted_at timestamptz not null default now()
);

-- 40 days for the usage page. Without a default partition, dropping one doesn't scan the others; half a year of
-- partitions is created ahead, so that late maintenance is harmless.
insert into maintenance.partition_policy values
  ('account.api_key_quota_history', '1 month', '40 days', '6 months', '40 days'),
  ('account.api_key_usage', '1 month', '40 days', '6 months', '40 days');
alter table account.api_key_quota_history owner to brickmark_maintenance;
alter table account.api_key_usage owner to brickmark_maintenance;
select maintenance.maintain_partitions(table_name) from maintenance.partition_policy where table_name like 'account.%';

do $$
declare
  private text;
begin
  foreach private in array array['account', 'api_key', 'api_key_directory', 'api_key_quota', 'api_key_quota_history',
      'api_key_last_request', 'api_key_usage', 'audit_log', 'deleted_account'] loop
    execute format('alter table account.%I enable row level security', private);
    execute format('alter table account.%I force row level security', private);
  end loop;
  foreach private in array array['api_key_quota', 'api_key_quota_history', 'api_key_last_request', 'api_key_usage'] loop
    execute format('create policy own on account.%I for select to brickmark_web using (account_id = account.current_account_id())', private);
    execute format('create policy admission on account.%I to brickmark_admission using (true)', private);
    execute format('create policy deletion on account.%I to brickmark_deletion using (true)', private);
  end loop;
end
$$;

create policy own on account.account to brickmark_web using (id = account.current_account_id());
create policy own on account.api_key to brickmark_web using (account_id = account.current_account_id());
create policy own on account.api_key_directory for insert to brickmark_web with check (account_id = account.current_account_id());
create policy own on account.audit_log for select to brickmark_web using (account_id = account.current_account_id());
-- Only the operator functions write in the name of an operator.
create policy own_entry on account.audit_log for insert to brickmark_web
  with check (account_id = account.current_account_id() and actor = 'owner');

-- Admission handles many accounts in one statement; only its functions run as this role.
create policy admission on account.account for select to brickmark_admission using (true);
create policy admission on account.api_key for select to brickmark_admission using (true);
create policy admission on account.api_key_directory for select to brickmark_admission using (true);

-- `ops` creates accounts and their first key, and changes plans.
create policy ops on account.account to brickmark_ops using (true);
create policy ops on account.api_key to brickmark_ops using (true);
create policy ops on account.api_key_directory for insert to brickmark_ops with check (true);
create policy ops on account.audit_log for insert to brickmark_ops with check (true);

create policy deletion on account.account to brickmark_deletion using (true);
create policy deletion on account.deleted_account to brickmark_deletion using (true);

-- The operator pages.
create policy operator on account.account to brickmark_operator using (true);
create policy operator on account.api_key for select to brickmark_operator using (true);
create policy operator on account.api_key_quota for select to brickmark_operator using (true);
create policy operator on account.audit_log for insert to brickmark_operator with check (true);

grant select on account.plan to brickmark_web, brickmark_admission, brickmark_operator;
grant select on account.account, account.api_key, account.api_key_directory to brickmark_admission;
grant select, insert, update on account.api_key_quota, account.api_key_last_request, account.api_key_usage to brickmark_admission;
grant insert on account.api_key_quota_history to brickmark_admission;

-- An account can rename itself and manage its keys. It can't change its plan.
grant select, update (name) on account.account to brickmark_web;
grant select, insert, update (name, slot, revoked_at, expires_at) on account.api_key to brickmark_web;
grant insert on account.api_key_directory to brickmark_web;
grant select on account.api_key_quota, account.api_key_quota_history, account.api_key_last_request, account.api_key_usage
  to brickmark_web;
grant select, insert on account.audit_log to brickmark_web;

grant select, insert on account.account to brickmark_ops;
grant insert on account.audit_log to brickmark_ops;

revoke execute on function account.reject_unrevoking(), account.reject_extending(), account.archive_quota() from public;

-- Removes rows of deleted accounts from the tables without a foreign key, an hour after the deletion, when no charge can
-- be in flight any more. Returns the number of accounts.
create function account.delete_orphans() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  orphaned bigint[] := array(select account_id from account.deleted_account where deleted_at < now() - interval '1 hour');
begin
  delete from account.api_key_quota where account_id = any (orphaned);
  delete from account.api_key_quota_history where account_id = any (orphaned);
  delete from account.api_key_last_request where account_id = any (orphaned);
  delete from account.api_key_usage where account_id = any (orphaned);
  delete from account.deleted_account where account_id = any (orphaned);
  return cardinality(orphaned);
end
$$;
grant select, delete on account.api_key_quota, account.api_key_quota_history, account.api_key_last_request,
  account.api_key_usage to brickmark_deletion;
grant select, insert, delete on account.deleted_account to brickmark_deletion;
grant create on schema account to brickmark_deletion;
alter function account.delete_orphans() owner to brickmark_deletion;
revoke create on schema account from brickmark_deletion;
revoke execute on function account.delete_orphans() from public;
grant usage on schema account to brickmark_worker;
grant execute on function account.delete_orphans() to brickmark_worker;
