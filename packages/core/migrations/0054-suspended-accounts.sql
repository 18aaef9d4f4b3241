-- An operator can suspend an account, and restore it. Who did it, when and why is in the audit log.
--
-- The keys and the user of an account have a copy of the flag: a charge reads the row of the key anyway, and a page the row of
-- the user. account.set_suspended() changes all of them; the triggers below set it in new rows.
-- The order in which a charge locks the tables.
alter table account.api_key add column suspended boolean not null default false;
alter table account.account add column suspended boolean not null default false;
alter table auth."user" add column suspended boolean not null default false;

-- A charge can't see the keys of a suspended account, so it refuses them like keys that don't exist.
alter policy admission on account.api_key using (not suspended);

-- Waits for account.set_suspended(), which sees the new row, or is seen here.
create function account.copy_suspended() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  select a.suspended into new.suspended from account.account a where a.id = new.account_id for share;
  -- The foreign key rejects a row without an account.
  new.suspended := coalesce(new.suspended, false);
  return new;
end
$$;
create trigger suspended_like_account before insert on account.api_key
  for each row execute function account.copy_suspended();
create trigger suspended_like_account before insert on auth."user"
  for each row when (new.account_id is not null) execute function account.copy_suspended();

-- Suspends or restores an account. Returns 'done', or why nothing changed: 'unchanged' if that is its state already,
-- 'not_found', 'self' or 'last_operator'. `by_account` is null for the command line.
create function account.set_suspended(of_account bigint, suspend boolean, reason text, by_account bigint) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  was_suspended boolean;
  is_operator boolean;
begin
  if coalesce(length(trim(reason)), 0) not between 1 and 500 then
    raise exception 'The reason must have 1 to 500 characters.' using errcode = 'check_violation';
  end if;
  -- Locks the operators too, so that two of them can't suspend each other.
  perform from account.account a
    where a.id = of_account or a.id in (select u.account_id from auth."user" u where u.operator)
    order by a.id for no key update;
  select a.suspended, exists (select from auth."user" u where u.account_id = a.id and u.operator)
    into was_suspended, is_operator from account.account a where a.id = of_account;
  if not found then
    return 'not_found';
  elsif was_suspended = suspend then
    return 'unchanged';
  elsif suspend and of_account = by_account then
    return 'self';
  elsif suspend and is_operator and not exists (
      select from auth."user" u where u.operator and not u.suspended and u.account_id <> of_account) then
    return 'last_operator';
  end if;
  update account.account set suspended = suspend where id = of_account;
  update account.api_key set suspended = suspend where account_id = of_account;
  update auth."user" set suspended = suspend where account_id = of_account;
  if not suspend then
    -- No page accepts them while the account is suspended, and a session that has ended doesn't begin again.
    delete from auth.session s using auth."user" u where u.account_id = of_account and s.user_id = u.id;
  end if;
  insert into account.audit_log (account_id, actor, action, detail)
  select entry.account_id, entry.actor, entry.action, jsonb_strip_nulls(jsonb_build_object('reason', trim(reason)) || entry.detail)
    from (values
      (of_account, 'operator', case when suspend then 'account.suspended' else 'account.restored' end,
       jsonb_build_object('by_account', by_account)),
      (by_account, 'owner', case when suspend then 'operator.suspended-account' else 'operator.restored-account' end,
       jsonb_build_object('of_account', of_account))) as entry (account_id, actor, action, detail)
   where entry.account_id is not null;
  return 'done';
end
$$;

-- The same on behalf of a signed-in operator.
create function account.operator_set_suspended(session_token text, of_account bigint, suspend boolean, reason text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return account.set_suspended(of_account, suspend, reason, auth.require_operator(session_token));
end
$$;

-- As before, for operators who aren't suspended themselves.
create or replace function auth.require_operator(session_token text) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  operator_id bigint;
begin
  select u.account_id into operator_id
    from auth.session s join auth."user" u on u.id = s.user_id
   where s.token = session_token and s.expires_at > now() and s.second_factor and u.operator and not u.suspended;
  if operator_id is null then
    raise exception 'Only operators may do this.' using errcode = 'insufficient_privilege';
  end if;
  return operator_id;
end
$$;

-- As before, unless the account is suspended.
create or replace function auth.delete_account(session_token text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  person record;
begin
  select u.id, u.account_id into person
    from auth.session s join auth."user" u on u.id = s.user_id
   where s.token = session_token and s.expires_at > now() and s.created_at > now() - interval '10 minutes'
     and not u.suspended;
  if not found then
    return false;
  end if;
  -- Resets and second factors in progress contain the user's id, but no foreign key.
  delete from auth.verification where position(person.id in value) > 0;
  delete from account.account where id = person.account_id;
  insert into account.deleted_account (account_id) values (person.account_id);
  -- These have no foreign key. They come last, so that they wait for charges in flight; see account.delete_orphans().
  delete from account.api_key_quota where account_id = person.account_id;
  delete from account.api_key_quota_history where account_id = person.account_id;
  delete from account.api_key_last_request where account_id = person.account_id;
  delete from account.api_key_usage where account_id = person.account_id;
  return true;
end
$$;

-- As before, but finds the key in the directory: admission doesn't see those of a suspended account.
create or replace function account.record_requests(entries jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
  -- Doesn't wait for the disk: a server that crashes loses less than a process that does.
  select set_config('synchronous_commit', 'off', true);
  with entry as materialized (
    select e.*
      from jsonb_to_recordset(entries) as e (account_id bigint, api_key_id bigint, status smallint, requests integer,
        endpoints jsonb, at timestamptz, request_id uuid, request text, error_code text, error_message text, client text)
     where exists (select from account.api_key_directory d where d.account_id = e.account_id and d.api_key_id = e.api_key_id)
  ),
  counted as (
    insert into account.api_key_usage as u (account_id, api_key_id, day, status, requests, endpoints)
    select account_id, api_key_id, (now() at time zone 'utc')::date, status, requests, coalesce(endpoints, '{}')
      from entry
     order by account_id, api_key_id, status
    on conflict (account_id, api_key_id, day, status) do update set
      requests = u.requests + excluded.requests, endpoints = account.add_counts(u.endpoints, excluded.endpoints)
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

-- Mail, quota mail and webhooks as before, but those of a suspended account wait until it is restored.

create or replace function alert.take_due_mail(max_accounts integer, max_alerts integer)
returns table (account_id bigint, email text, alerts jsonb, total bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  taken alert.mail_schedule[];
begin
  with due as (
    select s.account_id, s.first_alert_id from alert.mail_schedule s
     where s.due_at <= now() and not exists (select from account.account o where o.id = s.account_id and o.suspended)
     order by s.due_at limit max_accounts for update skip locked
  ), sent as (
    update alert.mail_schedule s set due_at = null, last_mail_at = now() from due
     where s.account_id = due.account_id returning s.*
  )
  select array_agg(sent::alert.mail_schedule) into taken from sent;
  return query
  select t.account_id, u.email,
         (select jsonb_agg(jsonb_build_object('at', a.at, 'kind', a.kind, 'itemKind', a.item_kind, 'itemNumber', a.item_number,
                   'title', coalesce(s.title, m.name, a.item_number), 'retailer', r.name, 'facts', a.facts) order by a.id)
            from (select * from alert.alert
                   where account_id = t.account_id and id >= t.first_alert_id order by id limit max_alerts) as a
            left join catalog.set s on a.item_kind = 'set' and s.set_number = a.item_number
            left join catalog.minifig m on a.item_kind = 'minifig' and m.minifig_number = a.item_number
            left join catalog.retailer r on r.retailer = a.retailer),
         (select count(*) from (select from alert.alert
                   where account_id = t.account_id and id >= t.first_alert_id limit 10000) as counted)
    from unnest(taken) as t
    join auth."user" u on u.account_id = t.account_id and u.email_verified;
end
$$;

create or replace function account.take_quota_mail(max_mails integer)
returns table (email text, key_id bigint, key_name text, percent smallint, used integer, daily_limit integer)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with due as (
    select q.account_id, q.api_key_id, q.day, q.used, q.daily_limit, level.percent
      from alert.mail_settings s
      join account.api_key_quota q on q.account_id = s.account_id
     cross join lateral (select case when q.used >= q.daily_limit then 100 else 80 end::smallint as percent) level
      left join account.quota_notice n on n.account_id = q.account_id and n.api_key_id = q.api_key_id and n.day = q.day
     where s.quota_mail and s.bounced_at is null
       and q.day = (now() at time zone 'utc')::date and q.daily_limit > 0 and q.used * 5 >= q.daily_limit * 4
       and (n.percent is null or n.percent < level.percent)
       and not exists (select from account.account o where o.id = s.account_id and o.suspended)
     limit max_mails
  ), noted as (
    insert into account.quota_notice as n (account_id, api_key_id, day, percent)
    select d.account_id, d.api_key_id, d.day, d.percent from due d
    on conflict (account_id, api_key_id) do update set day = excluded.day, percent = excluded.percent
     where n.day < excluded.day or n.percent < excluded.percent
    returning n.account_id, n.api_key_id
  )
  select u.email, k.id, k.name, d.percent, d.used, d.daily_limit
    from noted
    join due d using (account_id, api_key_id)
    join account.api_key k on k.account_id = d.account_id and k.id = d.api_key_id and k.revoked_at is null
    join auth."user" u on u.account_id = d.account_id and u.email_verified
$$;

create or replace function webhook.claim_endpoints(max_endpoints integer, lease interval)
returns table (account_id bigint, endpoint_id bigint)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update webhook.endpoint e set leased_until = now() + lease
    from (select d.account_id, d.id from webhook.endpoint d
           where d.next_attempt_at <= now() and d.disabled_at is null and (d.leased_until is null or d.leased_until <= now())
             and not exists (select from account.account o where o.id = d.account_id and o.suspended)
           order by d.next_attempt_at limit max_endpoints for update skip locked) as due
   where e.account_id = due.account_id and e.id = due.id
  returning e.account_id, e.id
$$;

create or replace function webhook.find_due_deliveries(of_account bigint, of_endpoint bigint, max_deliveries integer)
returns table (event_id uuid, at timestamptz, type text, data jsonb, attempts smallint, url text, salt bytea, old_salt bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select v.id, v.at, v.type, v.data, d.attempts, e.url, e.salt, case when e.old_salt_until > now() then e.old_salt end
    from webhook.endpoint e
    join webhook.delivery d on d.account_id = e.account_id and d.endpoint_id = e.id
    join webhook.event v on v.account_id = d.account_id and v.id = d.event_id
   where e.account_id = of_account and e.id = of_endpoint and e.disabled_at is null
     and not exists (select from account.account o where o.id = of_account and o.suspended)
     and d.status = 'waiting' and d.next_attempt_at <= now()
   order by d.next_attempt_at
   limit max_deliveries
$$;

create or replace function webhook.backlog() returns table (endpoints bigint, oldest_seconds float8)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select count(*), coalesce(max(extract(epoch from now() - e.next_attempt_at)), 0)::float8
    from webhook.endpoint e
   where e.disabled_at is null and e.next_attempt_at <= now()
     and not exists (select from account.account o where o.id = e.account_id and o.suspended)
$$;

grant update (suspended) on account.account to brickmark_operator;
grant update (suspended) on account.api_key to brickmark_operator;
create policy operator_suspends on account.api_key for update to brickmark_operator using (true);
grant select (suspended), update (suspended) on auth."user" to brickmark_operator;
grant delete on auth.session to brickmark_operator;
grant select (suspended) on auth."user" to brickmark_deletion;
grant select (suspended) on account.account to brickmark_alerts;

grant create on schema account to brickmark_operator;
alter function account.copy_suspended() owner to brickmark_operator;
alter function account.set_suspended(bigint, boolean, text, bigint) owner to brickmark_operator;
alter function account.operator_set_suspended(text, bigint, boolean, text) owner to brickmark_operator;
revoke create on schema account from brickmark_operator;
revoke execute on function account.copy_suspended(), account.set_suspended(bigint, boolean, text, bigint),
  account.operator_set_suspended(text, bigint, boolean, text) from public;
grant execute on function account.operator_set_suspended(text, bigint, boolean, text) to brickmark_web;
