-- Accounts, plans, API keys and their usage. Private: every primary key starts with the account, and row-level security
-- is forced.

-- The account on whose behalf this transaction runs. Null if none is set, which makes every private row invisible.
create function account.current_account_id() returns bigint
language sql stable parallel safe
return nullif(current_setting('brickmark.account_id', true), '')::bigint;

create table account.plan (
  plan text primary key,
  api_access boolean not null,
  daily_limit integer not null check (daily_limit >= 1),
  -- Bounds what one account can make the service do.
  max_alert_rules integer not null default 20 check (max_alert_rules >= 0),
  max_alerts_per_day integer not null default 1000 check (max_alerts_per_day >= 0)
);
insert into account.plan (plan, api_access, daily_limit, max_alert_rules) values
  ('hobby', false, 1000, 20),
  ('reseller', true, 1000, 1000);

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

-- A key gives up its slot only once it has ended. A check constraint can't compare an expiry with the current time.
create function account.reject_active_key_without_slot() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'A key that is active needs one of the five slots of its account.' using errcode = 'check_violation';
end
$$;
create trigger active_key_has_slot before insert or update on account.api_key
  for each row when (new.slot is null and new.revoked_at is null and new.expires_at > now())
  execute function account.reject_active_key_without_slot();

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
select maintenance.create_partitions(table_name) from maintenance.partition_policy where table_name like 'account.%';

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

-- Alerts look up the limits of an account's plan.
create policy alerts on account.account for select to brickmark_alerts using (true);

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

grant select (id), delete on account.account to brickmark_deletion;
grant select, delete on account.api_key_quota, account.api_key_quota_history, account.api_key_last_request,
  account.api_key_usage to brickmark_deletion;
grant select, insert, delete on account.deleted_account to brickmark_deletion;

-- What the operator functions below read and write, and nothing else: no secrets.
grant select, update (plan) on account.account to brickmark_operator;
grant select on account.api_key, account.api_key_quota to brickmark_operator;
grant insert on account.audit_log to brickmark_operator;

grant select (id, plan) on account.account to brickmark_alerts;
grant select (plan, max_alerts_per_day) on account.plan to brickmark_alerts;

revoke execute on function account.reject_unrevoking(), account.reject_extending(), account.reject_active_key_without_slot(),
  account.archive_quota() from public;

-- Removes rows of deleted accounts from the tables without a foreign key, an hour after the deletion, when no charge can
-- be in flight any more. Returns the number of accounts.
create function account.delete_orphans(max_accounts integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  orphaned bigint[] := array(
    select account_id from account.deleted_account where deleted_at < now() - interval '1 hour' limit max_accounts);
begin
  delete from account.api_key_quota where account_id = any (orphaned);
  delete from account.api_key_quota_history where account_id = any (orphaned);
  delete from account.api_key_last_request where account_id = any (orphaned);
  delete from account.api_key_usage where account_id = any (orphaned);
  delete from account.deleted_account where account_id = any (orphaned);
  return cardinality(orphaned);
end
$$;
grant create on schema account to brickmark_deletion;
alter function account.delete_orphans(integer) owner to brickmark_deletion;
revoke create on schema account from brickmark_deletion;
revoke execute on function account.delete_orphans(integer) from public;
grant execute on function account.delete_orphans(integer) to brickmark_worker;

-- Admission: validates keys and charges their quotas. The API can execute these functions and read no table of this schema.

create function account.identify_keys(hashes bytea[])
returns table (hash bytea, account_id bigint, api_key_id bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select d.hash, d.account_id, d.api_key_id from account.api_key_directory d where d.hash = any (hashes)
$$;

-- Charges many keys at once, each with `count` requests of equal `cost`, and grants as many whole requests as the day has
-- room for. A key must not appear twice. Rows are locked in key order, so that two processes never deadlock. `used` only
-- grows within a day, so a key that the snapshot shows as exhausted is rejected without a write.
--
-- A counter never moves to an earlier day: a charge that started before midnight but waited for one that started after it
-- belongs to the new day, and so does one after a fail-over to a server whose clock is behind. `day` says which it was.
--
-- `contended` is true if another transaction charged the key between the snapshot and the write; the API charges such
-- keys separately, so that others don't wait for their locks.
--
-- Each lookup is a lateral subquery with a limit, which can't be turned into a join: with joins and outdated statistics,
-- a charge read the whole table. The plan is generic because planning took longer than executing. A charge may wait longer
-- for a lock than a read, but less than the caller does: its outcome is then known.
create function account.charge(account_ids bigint[], api_key_ids bigint[], costs integer[], counts integer[])
returns table (ordinal integer, verdict text, granted integer, used integer, daily_limit integer, day date, contended boolean,
  charged_at timestamptz)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '1500ms'
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  today date := (now() at time zone 'utc')::date;
begin
  return query
  with requested as (
    select r.ordinal::integer, r.account_id, r.api_key_id, r.cost, r.count, p.daily_limit, coalesce(q.used, 0) as used,
           case when k.id is null or k.revoked_at is not null or k.expires_at <= now() then 'invalid_key'
                when not p.api_access then 'no_plan'
                when coalesce(q.used, 0) + r.cost > p.daily_limit and r.cost > 0 then 'exhausted'
                else 'open' end as verdict
      from unnest(account_ids, api_key_ids, costs, counts) with ordinality as r (account_id, api_key_id, cost, count, ordinal)
      left join lateral (
        select k.id, k.revoked_at, k.expires_at from account.api_key k
         where k.account_id = r.account_id and k.id = r.api_key_id limit 1) k on true
      left join lateral (
        select p.daily_limit, p.api_access from account.account a join account.plan p on p.plan = a.plan
         where a.id = r.account_id limit 1) p on true
      left join lateral (
        select q.used from account.api_key_quota q
         where q.account_id = r.account_id and q.api_key_id = r.api_key_id and q.day >= today limit 1) q on true
  ),
  charged as (
    insert into account.api_key_quota as q
      (account_id, api_key_id, day, used, daily_limit, last_cost, last_count, last_granted)
    select r.account_id, r.api_key_id, today, r.cost * least(r.count, r.daily_limit / r.cost), r.daily_limit,
           r.cost, r.count, least(r.count, r.daily_limit / r.cost)
      from requested r
     where r.verdict = 'open' and r.cost > 0
     order by r.account_id, r.api_key_id
    on conflict (account_id, api_key_id) do update set
      day = greatest(q.day, excluded.day),
      used = case when q.day < excluded.day then excluded.used
                  else q.used + excluded.last_cost
                    * greatest(0, least(excluded.last_count, (excluded.daily_limit - q.used) / excluded.last_cost)) end,
      last_granted = case when q.day < excluded.day then excluded.last_granted
                          else greatest(0, least(excluded.last_count, (excluded.daily_limit - q.used) / excluded.last_cost)) end,
      daily_limit = excluded.daily_limit,
      last_cost = excluded.last_cost,
      last_count = excluded.last_count,
      last_at = now()
    returning q.account_id, q.api_key_id, q.day, q.used, q.last_granted
  )
  select r.ordinal, r.verdict,
         coalesce(c.last_granted, case when r.verdict = 'open' then r.count else 0 end),
         coalesce(c.used, r.used), r.daily_limit, coalesce(c.day, today),
         c.used - c.last_granted * r.cost is distinct from r.used and c.used is not null, now()
    from requested r
    left join charged c on c.account_id = r.account_id and c.api_key_id = r.api_key_id;
end
$$;

-- Takes one entry per key and status: the number of requests and the latest of them. Rows are written in key order, so
-- that two processes never deadlock. Entries of keys that no longer exist are dropped.
create function account.record_requests(entries jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
  -- Doesn't wait for the disk: a server that crashes loses less than a process that does.
  select set_config('synchronous_commit', 'off', true);
  with entry as materialized (
    select e.*
      from jsonb_to_recordset(entries) as e (account_id bigint, api_key_id bigint, status smallint, requests integer,
        at timestamptz, request_id uuid, request text, error_code text, error_message text, client text)
      join account.api_key k on k.account_id = e.account_id and k.id = e.api_key_id
  ),
  counted as (
    insert into account.api_key_usage as u (account_id, api_key_id, day, status, requests)
    select account_id, api_key_id, (now() at time zone 'utc')::date, status, requests
      from entry
     order by account_id, api_key_id, status
    on conflict (account_id, api_key_id, day, status) do update set requests = u.requests + excluded.requests
  )
  insert into account.api_key_last_request as r
    (account_id, api_key_id, at, request_id, request, status, error_code, error_message, client)
  select distinct on (account_id, api_key_id)
         account_id, api_key_id, at, request_id, request, status, error_code, error_message, client
    from entry
   order by account_id, api_key_id, at desc
  on conflict (account_id, api_key_id) do update set
    at = excluded.at, request_id = excluded.request_id, request = excluded.request, status = excluded.status,
    error_code = excluded.error_code, error_message = excluded.error_message, client = excluded.client
   where r.at < excluded.at
$$;

grant create on schema account to brickmark_admission;
alter function account.identify_keys(bytea[]) owner to brickmark_admission;
alter function account.charge(bigint[], bigint[], integer[], integer[]) owner to brickmark_admission;
alter function account.record_requests(jsonb) owner to brickmark_admission;
revoke create on schema account from brickmark_admission;
revoke execute on function account.identify_keys(bytea[]), account.charge(bigint[], bigint[], integer[], integer[]),
  account.record_requests(jsonb) from public;
grant execute on function account.identify_keys(bytea[]), account.charge(bigint[], bigint[], integer[], integer[]),
  account.record_requests(jsonb) to brickmark_api;

-- What an operator can do on the operator pages. Every such function verifies the session itself, so that a page that forgets
-- to check shows nothing, and the web application's role can't read any of these tables.

-- Returns the newest accounts before `before_id` whose name or email contains the search, or whose id it is; or only the
-- account `only_id`. Paging by id costs the same on every page, and the number of matches isn't counted.
create function account.operator_accounts(session_token text, search text, only_id bigint, before_id bigint, page_limit integer)
returns table (account_id bigint, name text, email text, operator boolean, plan text, created_at timestamptz,
  active_keys integer, used_today integer, signed_in_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  pattern text := '%' || regexp_replace(lower(search), '([\\%_])', '\\\1', 'g') || '%';
  found bigint[];
begin
  perform auth.require_operator(session_token);
  if only_id is not null then
    found := array[only_id];
  elsif search = '' then
    found := array(select a.id from account.account a where a.id < before_id order by a.id desc limit page_limit);
  else
    found := array(
      select m.id
        from (select a.id from account.account a where lower(a.name) like pattern
              union
              select u.account_id from auth."user" u where u.email like pattern
              union
              select a.id from account.account a where search ~ '^[0-9]{1,18}$' and a.id = search::bigint) m
       where m.id < before_id order by m.id desc limit page_limit);
  end if;
  return query
  select a.id, a.name, u.email, coalesce(u.operator, false), a.plan, a.created_at,
         (select count(*)::integer from account.api_key k
           where k.account_id = a.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())),
         (select coalesce(sum(q.used), 0)::integer from account.api_key_quota q
           where q.account_id = a.id and q.day = (now() at time zone 'utc')::date),
         (select max(s.created_at) from auth.session s where s.user_id = u.id)
    from account.account a
    left join auth."user" u on u.account_id = a.id
   where a.id = any (found)
   order by a.id desc;
end
$$;

-- Moves an account to another plan, effective from its next request, and logs which operator did it, by account id: an
-- email address would outlive its account here. Returns false if the account or plan doesn't exist, or nothing changes.
create function account.operator_change_plan(session_token text, of_account bigint, new_plan text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  operator_id bigint := auth.require_operator(session_token);
  old_plan text;
begin
  select a.plan into old_plan
    from account.account a
   where a.id = of_account and a.plan <> new_plan
     and exists (select from account.plan p where p.plan = new_plan)
     for update;
  if not found then
    return false;
  end if;
  update account.account set plan = new_plan where id = of_account;
  insert into account.audit_log (account_id, actor, action, detail)
    values (of_account, 'operator', 'plan.changed',
            jsonb_build_object('from', old_plan, 'to', new_plan, 'by_account', operator_id));
  return true;
end
$$;

grant create on schema account to brickmark_operator;
alter function account.operator_accounts(text, text, bigint, bigint, integer) owner to brickmark_operator;
alter function account.operator_change_plan(text, bigint, text) owner to brickmark_operator;
revoke create on schema account from brickmark_operator;
revoke execute on function account.operator_accounts(text, text, bigint, bigint, integer),
  account.operator_change_plan(text, bigint, text) from public;
grant execute on function account.operator_accounts(text, text, bigint, bigint, integer),
  account.operator_change_plan(text, bigint, text) to brickmark_web;
