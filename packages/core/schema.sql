CREATE SCHEMA account;

CREATE SCHEMA alert;

CREATE SCHEMA auth;

CREATE SCHEMA catalog;

CREATE SCHEMA change;

CREATE SCHEMA export;

CREATE SCHEMA mail;

CREATE SCHEMA maintenance;

CREATE SCHEMA market;

CREATE SCHEMA pgboss;

CREATE SCHEMA portfolio;

CREATE SCHEMA source;

CREATE SCHEMA webhook;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';

CREATE TYPE pgboss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);

CREATE FUNCTION account.add_counts(a jsonb, b jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(jsonb_object_agg(key, count), '{}')
    from (select key, sum(value::integer) as count
            from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) as both_counts
           group by key) as summed
$$;

CREATE FUNCTION account.archive_quota() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into account.api_key_quota_history (account_id, api_key_id, day, used, daily_limit, last_at)
  values (old.account_id, old.api_key_id, old.day, old.used, old.daily_limit, old.last_at);
  return null;
end
$$;

CREATE FUNCTION account.charge(account_ids bigint[], api_key_ids bigint[], costs integer[], counts integer[]) RETURNS TABLE(ordinal integer, verdict text, granted integer, used integer, daily_limit integer, day date, contended boolean, charged_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '1500ms'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
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

CREATE FUNCTION account.copy_suspended() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  select a.suspended into new.suspended from account.account a where a.id = new.account_id for share;
  -- The foreign key rejects a row without an account.
  new.suspended := coalesce(new.suspended, false);
  return new;
end
$$;

CREATE FUNCTION account.current_account_id() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('brickmark.account_id'::text, true), ''::text))::bigint;

CREATE FUNCTION account.delete_orphans(max_accounts integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION account.identify_keys(hashes bytea[]) RETURNS TABLE(hash bytea, account_id bigint, api_key_id bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select d.hash, d.account_id, d.api_key_id from account.api_key_directory d where d.hash = any (hashes)
$$;

CREATE FUNCTION account.operator_accounts(session_token text, search text, only_id bigint, before_id bigint, page_limit integer) RETURNS TABLE(account_id bigint, name text, email text, operator boolean, plan text, created_at timestamp with time zone, active_keys integer, used_today integer, signed_in_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
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
$_$;

CREATE FUNCTION account.operator_announce(session_token text, message text, until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into account.announcement (message, until, created_by)
    values (message, until, auth.require_operator(session_token));
end
$$;

CREATE FUNCTION account.operator_change_plan(session_token text, of_account bigint, new_plan text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION account.operator_find_accounts(session_token text, search text, only_suspended boolean, only_id bigint, before_id bigint, page_limit integer) RETURNS TABLE(account_id bigint, name text, email text, operator boolean, plan text, created_at timestamp with time zone, active_keys integer, used_today integer, signed_in_at timestamp with time zone, suspended_at timestamp with time zone, suspension_reason text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_column
declare
  pattern text := '%' || regexp_replace(lower(search), '([\\%_])', '\\\1', 'g') || '%';
  found bigint[];
begin
  perform auth.require_operator(session_token);
  if only_id is not null then
    found := array[only_id];
  elsif search = '' then
    found := array(
      select a.id from account.account a
       where a.id < before_id and (a.suspended or not only_suspended) order by a.id desc limit page_limit);
  else
    found := array(
      select a.id
        from (select a.id from account.account a where lower(a.name) like pattern
              union
              select u.account_id from auth."user" u where u.email like pattern
              union
              select a.id from account.account a where search ~ '^[0-9]{1,18}$' and a.id = search::bigint) m
        join account.account a on a.id = m.id
       where a.id < before_id and (a.suspended or not only_suspended) order by a.id desc limit page_limit);
  end if;
  return query
  select a.id, a.name, u.email, coalesce(u.operator, false), a.plan, a.created_at,
         (select count(*)::integer from account.api_key k
           where k.account_id = a.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())),
         (select coalesce(sum(q.used), 0)::integer from account.api_key_quota q
           where q.account_id = a.id and q.day = (now() at time zone 'utc')::date),
         (select max(s.created_at) from auth.session s where s.user_id = u.id and not a.suspended),
         l.at, l.detail ->> 'reason'
    from account.account a
    left join auth."user" u on u.account_id = a.id
    left join lateral (
      select l.at, l.detail from account.audit_log l
       where l.account_id = a.id and l.action = 'account.suspended' order by l.id desc limit 1) l on a.suspended
   where a.id = any (found)
   order by a.id desc;
end
$_$;

CREATE FUNCTION account.operator_set_suspended(session_token text, of_account bigint, suspend boolean, reason text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return account.set_suspended(of_account, suspend, reason, auth.require_operator(session_token));
end
$$;

CREATE FUNCTION account.operator_signals(session_token text, of_accounts bigint[], days integer) RETURNS TABLE(account_id bigint, signal text, count bigint, last_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select o.id, s.signal, s.count, s.last_at
    from unnest(of_accounts) as o (id)
   cross join lateral (
     -- From the log, because a new password forgets the browsers. The first one of an account isn't news.
     select 'new_devices' as signal, count(*) as count, max(l.at) as last_at
       from account.audit_log l
      where l.account_id = o.id and l.action = 'sign-in.new-device' and l.at >= now() - make_interval(days => days)
        and exists (select from account.audit_log e
                     where e.account_id = o.id and e.action = 'sign-in.new-device' and e.id < l.id)
      union all
     select 'mail_bounced', count(*), max(m.bounced_at)
       from alert.mail_settings m where m.account_id = o.id and m.bounced_at is not null
      union all
     select case u.status when 401 then 'ended_keys' when 429 then 'quota_exceeded' else 'shed' end, sum(u.requests)::bigint,
            max(u.day)::timestamp at time zone 'utc'
       from account.api_key_usage u
      where u.account_id = o.id and u.status in (401, 429, 503) and u.day > (now() at time zone 'utc')::date - days
      group by u.status) as s
   where s.count > 0
   order by o.id desc, s.last_at desc, s.signal;
end
$$;

CREATE FUNCTION account.read_key_usage(key_id bigint, first_day date) RETURNS TABLE(day date, used integer, daily_limit integer, endpoints jsonb, requests integer, failed integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with charged as (
    select q.day, q.used from account.api_key_quota q
     where q.account_id = account.current_account_id() and q.api_key_id = key_id and q.day >= first_day
     union all
    select h.day, h.used from account.api_key_quota_history h
     where h.account_id = account.current_account_id() and h.api_key_id = key_id and h.day >= first_day
  ),
  asked as (
    select u.day, sum(u.requests)::integer as requests,
           coalesce(sum(u.requests) filter (where u.status >= 400), 0)::integer as failed,
           jsonb_agg(u.endpoints) as endpoints
      from account.api_key_usage u
     where u.account_id = account.current_account_id() and u.api_key_id = key_id and u.day >= first_day
     group by u.day
  )
  select d.day, coalesce(c.used, 0), p.daily_limit, coalesce(a.endpoints, '[]'), coalesce(a.requests, 0), coalesce(a.failed, 0)
    from account.account o
    join account.plan p on p.plan = o.plan
   cross join lateral (
     select c.day from charged c union select a.day from asked a union select (now() at time zone 'utc')::date) as d
    left join charged c using (day)
    left join asked a using (day)
   where o.id = account.current_account_id()
   order by d.day
$$;

CREATE FUNCTION account.record_requests(entries jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
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

CREATE FUNCTION account.reject_active_key_without_slot() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise exception 'A key that is active needs one of the five slots of its account.' using errcode = 'check_violation';
end
$$;

CREATE FUNCTION account.reject_extending() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise exception 'The expiry of a key can only be made earlier.';
end
$$;

CREATE FUNCTION account.reject_unrevoking() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise exception 'A revoked key stays revoked.';
end
$$;

CREATE FUNCTION account.set_suspended(of_account bigint, suspend boolean, reason text, by_account bigint) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION account.take_quota_mail(max_mails integer) RETURNS TABLE(email text, key_id bigint, key_name text, percent smallint, used integer, daily_limit integer)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION alert.delete_old_alerts(max_rows integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with old as (select account_id, id from alert.alert where at < now() - interval '90 days' order by at limit max_rows),
       deleted as (delete from alert.alert a using old where a.account_id = old.account_id and a.id = old.id returning 1)
  select count(*) from deleted
$$;

CREATE FUNCTION alert.find_rules(set_numbers text[], minifig_numbers text[]) RETURNS TABLE(account_id bigint, rule_id bigint, kind text, threshold integer, item_kind text, item_number text, created_at_us bigint, met_at text[], fee_basis_points integer, fixed_fee_cents integer, shipping_cents integer[], box_weight_lbs numeric)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with target as (
    select r.account_id, r.id, 'set' as item_kind, r.set_number as item_number
      from alert.rule r where r.set_number = any (set_numbers)
    union all
    select r.account_id, r.id, 'minifig', r.minifig_number
      from alert.rule r where r.minifig_number = any (minifig_numbers)
    union all
    select r.account_id, r.id, 'set', w.set_number
      from portfolio.watched_item w
      join alert.rule r on r.account_id = w.account_id
       and r.set_number is null and r.minifig_number is null and r.collection_id is null
     where w.set_number = any (set_numbers)
    union all
    select r.account_id, r.id, 'minifig', w.minifig_number
      from portfolio.watched_item w
      join alert.rule r on r.account_id = w.account_id
       and r.set_number is null and r.minifig_number is null and r.collection_id is null
     where w.minifig_number = any (minifig_numbers)
    union all
    select distinct r.account_id, r.id, 'set', l.set_number
      from portfolio.lot l
      join alert.rule r on r.account_id = l.account_id and r.collection_id = l.collection_id
     where l.set_number = any (set_numbers) and l.quantity > 0
  )
  select t.account_id, t.id, r.kind, r.threshold, t.item_kind, t.item_number,
         (extract(epoch from r.created_at) * 1000000)::bigint,
         array(select m.retailer from alert.met_rule m
                where m.account_id = t.account_id and m.rule_id = t.id and m.item_kind = t.item_kind
                  and m.item_number = t.item_number),
         c.fee_basis_points, c.fixed_fee_cents, c.shipping_cents, s.box_weight_lbs
    from target t
    join alert.rule r on r.account_id = t.account_id and r.id = t.id
    left join portfolio.selling_costs c on c.account_id = t.account_id
    left join catalog.set s on t.item_kind = 'set' and s.set_number = t.item_number
   where not r.is_paused
$$;

CREATE FUNCTION alert.follow_target() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  delete from alert.rule r
   where r.account_id = new.account_id
     and (r.watched_item_id = new.id
       or r.kind = 'price_at_most' and r.threshold = new.target_cents
         and (r.set_number = new.set_number or r.minifig_number = new.minifig_number));
  if new.target_cents is not null then
    insert into alert.rule (account_id, kind, set_number, minifig_number, threshold, watched_item_id)
    values (new.account_id, 'price_at_most', new.set_number, new.minifig_number, new.target_cents, new.id);
  end if;
  return null;
end
$$;

CREATE TABLE alert.mail_settings (
    account_id bigint NOT NULL,
    frequency text DEFAULT 'at_once'::text NOT NULL,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    quiet_from smallint DEFAULT 0 NOT NULL,
    quiet_to smallint DEFAULT 0 NOT NULL,
    daily_at smallint DEFAULT 8 NOT NULL,
    bounced_at timestamp with time zone,
    quota_mail boolean DEFAULT false NOT NULL,
    CONSTRAINT mail_settings_daily_at_check CHECK (((daily_at >= 0) AND (daily_at <= 23))),
    CONSTRAINT mail_settings_frequency_check CHECK ((frequency = ANY (ARRAY['at_once'::text, 'daily'::text, 'off'::text]))),
    CONSTRAINT mail_settings_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 23))),
    CONSTRAINT mail_settings_quiet_to_check CHECK (((quiet_to >= 0) AND (quiet_to <= 23))),
    CONSTRAINT mail_settings_time_zone_check CHECK ((('2000-01-01 00:00:00'::timestamp without time zone AT TIME ZONE time_zone) IS NOT NULL))
);

ALTER TABLE ONLY alert.mail_settings FORCE ROW LEVEL SECURITY;

CREATE FUNCTION alert.mail_due_at(settings alert.mail_settings, alert_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  local_time timestamp := alert_at at time zone coalesce(settings.time_zone, 'UTC');
  local_hour integer := extract(hour from local_time);
  due timestamp;
begin
  if settings.frequency = 'off' or settings.bounced_at is not null then
    return null;
  end if;
  if settings.frequency = 'daily' then
    due := date_trunc('day', local_time) + make_interval(hours => settings.daily_at);
  elsif settings.quiet_from < settings.quiet_to and local_hour >= settings.quiet_from and local_hour < settings.quiet_to
     or settings.quiet_from > settings.quiet_to and (local_hour >= settings.quiet_from or local_hour < settings.quiet_to) then
    due := date_trunc('day', local_time) + make_interval(hours => settings.quiet_to);
  else
    return alert_at;
  end if;
  if due <= local_time then
    due := due + interval '1 day';
  end if;
  return due at time zone settings.time_zone;
end
$$;

CREATE FUNCTION alert.record_alerts(alerts jsonb, met jsonb, no_longer_met jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  today date := (now() at time zone 'utc')::date;
  saved_accounts bigint[];
  saved_ids bigint[];
begin
  with new as (
    select a.*, row_number() over (partition by a.account_id order by a.change_id, a.rule_id) as place
      from jsonb_to_recordset(alerts) as a (account_id bigint, rule_id bigint, change_id bigint, at timestamptz, kind text,
        item_kind text, item_number text, retailer text, facts jsonb)
      join alert.rule r on r.account_id = a.account_id and r.id = a.rule_id
  ), affected as (
    select new.account_id, count(*) as wanted,
           greatest(0, max(p.max_alerts_per_day) - coalesce(max(t.saved), 0)) as room
      from new
      join account.account a on a.id = new.account_id
      join account.plan p on p.plan = a.plan
      left join alert.daily_total t on t.account_id = new.account_id and t.day = today
     group by new.account_id
  ), counted as (
    insert into alert.daily_total as total (account_id, day, saved, left_out)
    select account_id, today, least(wanted, room), greatest(0, wanted - room) from affected
     order by account_id
    on conflict (account_id) do update set
      day = today,
      saved = excluded.saved + case when total.day = today then total.saved else 0 end,
      left_out = excluded.left_out + case when total.day = today then total.left_out else 0 end
  ), saved as (
    insert into alert.alert (account_id, rule_id, change_id, at, kind, item_kind, item_number, retailer, facts)
    select n.account_id, n.rule_id, n.change_id, n.at, n.kind, n.item_kind, n.item_number, n.retailer, n.facts
      from new n join affected on affected.account_id = n.account_id
     where n.place <= affected.room
    on conflict do nothing
    returning account_id, id
  )
  select array_agg(account_id), array_agg(id) into saved_accounts, saved_ids from saved;
  insert into alert.mail_schedule as schedule (account_id, due_at, first_alert_id)
  select s.account_id, due.at, s.first_alert_id
    from (select account_id, min(id) as first_alert_id from unnest(saved_accounts, saved_ids) as saved (account_id, id)
           group by account_id) as s
    left join alert.mail_settings settings on settings.account_id = s.account_id
   cross join lateral alert.mail_due_at(settings, now()) as due (at)
   where due.at is not null
   order by s.account_id
  -- Updates the row even if it stays the same: the lock keeps it from being taken before the alerts are visible.
  on conflict (account_id) do update set
    first_alert_id = case when schedule.due_at is null then excluded.first_alert_id else schedule.first_alert_id end,
    due_at = coalesce(schedule.due_at, greatest(excluded.due_at, schedule.last_mail_at + interval '5 minutes'));
  perform webhook.add_alert_events(saved_ids, saved_accounts);
  delete from alert.met_rule m
   using jsonb_to_recordset(no_longer_met) as n (account_id bigint, rule_id bigint, item_kind text, item_number text, retailer text)
   where m.account_id = n.account_id and m.rule_id = n.rule_id and m.item_kind = n.item_kind
     and m.item_number = n.item_number and m.retailer = n.retailer;
  insert into alert.met_rule (account_id, rule_id, item_kind, item_number, retailer, since)
  select n.account_id, n.rule_id, n.item_kind, n.item_number, n.retailer, n.since
    from jsonb_to_recordset(met) as n (account_id bigint, rule_id bigint, item_kind text, item_number text, retailer text,
      since timestamptz)
    join alert.rule r on r.account_id = n.account_id and r.id = n.rule_id
  on conflict do nothing;
end
$$;

CREATE FUNCTION alert.take_due_mail(max_accounts integer, max_alerts integer) RETURNS TABLE(account_id bigint, email text, alerts jsonb, total bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION auth.appoint_first_operator(session_token text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  person text;
  account bigint;
begin
  -- Waits for another appointment, which deletes the row.
  perform 1 from auth.setup for update;
  if not found then
    return false;
  end if;
  select s.user_id into person from auth.session s
   where s.token = session_token and s.expires_at > now() and s.second_factor;
  update auth."user" u set operator = true where u.id = person returning u.account_id into account;
  if account is null then
    return false;
  end if;
  insert into account.audit_log (account_id, actor, action) values (account, 'owner', 'operator.appointed');
  return true;
end
$$;

CREATE FUNCTION auth.check_operator() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not new.operator or new.two_factor_enabled
     or exists (select from auth.passkey p where p.user_id = new.id) then
    return new;
  end if;
  if tg_op = 'INSERT' or not old.operator then
    raise exception 'An operator needs a second factor.' using errcode = 'check_violation', constraint = 'operator_has_second_factor';
  end if;
  -- The second factor was switched off.
  new.operator := false;
  return new;
end
$$;

CREATE FUNCTION auth.check_operator_after_passkey() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  -- Runs the check above. The web application may update this column, not the other one.
  update auth."user" set two_factor_enabled = two_factor_enabled where id = old.user_id and operator;
  return null;
end
$$;

CREATE FUNCTION auth.delete_account(session_token text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION auth.delete_unconfirmed_accounts(of_email text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  people text[];
  accounts bigint[];
begin
  select array_agg(u.id), array_agg(u.account_id) into people, accounts
    from auth."user" u
   where not u.email_verified
     and case when of_email is null then u.created_at < now() - interval '48 hours' else u.email = lower(of_email) end;
  if accounts is null then
    return 0;
  end if;
  -- Resets in progress contain the user's id, but no foreign key.
  delete from auth.verification v where exists (select from unnest(people) p (id) where position(p.id in v.value) > 0);
  delete from account.account where id = any (accounts);
  return cardinality(accounts);
end
$$;

CREATE FUNCTION auth.end_password_resets() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  delete from auth.verification where value = new.user_id;
  return null;
end
$$;

CREATE FUNCTION auth.end_setup() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  delete from auth.setup;
  return null;
end
$$;

CREATE FUNCTION auth.log_credential_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  person text := coalesce(to_jsonb(new), to_jsonb(old)) ->> 'user_id';
  details jsonb := '{}';
begin
  if tg_argv[0] = 'passkey.added' then
    details := jsonb_build_object('name', new.name);
  elsif tg_argv[0] = 'passkey.removed' then
    details := jsonb_build_object('name', old.name);
  elsif tg_argv[0] = 'sign-in.new-device' then
    details := jsonb_build_object('client', new.client);
  end if;
  -- Nothing to log while the account itself is being deleted.
  insert into account.audit_log (account_id, actor, action, detail)
  select u.account_id, 'owner', tg_argv[0], details from auth."user" u where u.id = person;
  return null;
end
$$;

CREATE FUNCTION auth.log_two_factor_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into account.audit_log (account_id, actor, action)
  values (new.account_id, 'owner', case when new.two_factor_enabled then 'two-factor.enabled' else 'two-factor.disabled' end);
  return null;
end
$$;

CREATE FUNCTION auth.open_account() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into account.account (name, plan) values (new.name, 'hobby') returning id into new.account_id;
  insert into account.audit_log (account_id, actor, action, detail)
    values (new.account_id, 'owner', 'account.created', '{"plan": "hobby"}');
  return new;
end
$$;

CREATE FUNCTION auth.require_operator(session_token text) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION catalog.derive_set_columns() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  new.search_number := catalog.search_text(new.set_number);
  new.search_title := catalog.search_text(new.title);
  new.release_year := coalesce(extract(year from new.release_date), new.release_year);
  return new;
end
$$;

CREATE FUNCTION catalog.minifig_search_text() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  new.search_number := catalog.search_text(new.minifig_number);
  new.search_name := catalog.search_text(new.name);
  return new;
end
$$;

CREATE FUNCTION catalog.notify_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  kind text := tg_argv[0];
  chunk text[];
  numbers text[];
begin
  -- An update that changes a row's number affects both.
  if kind = 'sets' and tg_op = 'UPDATE' then
    select array_agg(set_number order by set_number) into numbers
      from (select set_number from changed union select set_number from former) every;
  elsif kind = 'minifigs' and tg_op = 'UPDATE' then
    select array_agg(minifig_number order by minifig_number) into numbers
      from (select minifig_number from changed union select minifig_number from former) every;
  elsif kind = 'sets' then
    select array_agg(distinct set_number) into numbers from changed;
  elsif kind = 'minifigs' then
    select array_agg(distinct minifig_number) into numbers from changed;
  end if;
  if numbers is null and kind <> 'all' then
    return null;
  end if;
  -- Beyond this many, one full reload is cheaper for every process.
  if kind = 'all' or cardinality(numbers) > 2000 then
    perform pg_notify('catalog_changed', '{"all":true}');
    return null;
  end if;
  -- A payload is limited to 8,000 bytes; a number has at most 24 characters.
  for index in 1 .. cardinality(numbers) by 200 loop
    chunk := numbers[index : index + 199];
    perform pg_notify('catalog_changed', json_build_object(kind, chunk)::text);
  end loop;
  return null;
end
$$;

CREATE FUNCTION catalog.search_text(name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN translate(lower(regexp_replace(NORMALIZE(name, NFD), '[̀-ͯ]'::text, ''::text, 'g'::text)), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~‘’“”–—…·™®©'::text, ''::text);

CREATE FUNCTION change.record_minifig_value() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into change.change (kind, item_kind, item_number, before, after)
  values ('value', 'minifig', new.minifig_number,
    case tg_op when 'UPDATE' then jsonb_build_object('value_cents', old.value_cents, 'data_tier', old.data_tier) end,
    jsonb_build_object('condition', 'used', 'value_cents', new.value_cents, 'data_tier', new.data_tier, 'offers', '{}'::jsonb));
  return null;
end
$$;

CREATE FUNCTION change.record_retail_state() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into change.change (kind, item_kind, item_number, before, after)
  select 'retail', 'set', new.set_number,
    case tg_op when 'UPDATE' then jsonb_build_object('price_cents', old.price_cents, 'in_stock', old.in_stock,
      'seller_type', old.seller_type, 'lowest_cents', old.lowest_cents) end,
    jsonb_build_object('retailer', new.retailer, 'price_cents', new.price_cents, 'in_stock', new.in_stock,
      'seller_type', new.seller_type, 'lowest_cents', new.lowest_cents, 'value_cents', v.value_cents, 'data_tier', v.data_tier)
    from (values (1)) as one left join market.set_value v on v.set_number = new.set_number and v.condition = 'sealed';
  return null;
end
$$;

CREATE FUNCTION change.record_set_value() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into change.change (kind, item_kind, item_number, before, after)
  values ('value', 'set', new.set_number,
    case tg_op when 'UPDATE' then jsonb_build_object('value_cents', old.value_cents, 'data_tier', old.data_tier) end,
    jsonb_build_object('condition', new.condition, 'value_cents', new.value_cents, 'data_tier', new.data_tier, 'offers',
      (select coalesce(jsonb_object_agg(r.retailer, r.price_cents), '{}') from market.retail_state r
        where r.set_number = new.set_number and r.in_stock and r.price_cents is not null)));
  return null;
end
$$;

CREATE FUNCTION change.record_status() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into change.change (kind, item_kind, item_number, before, after)
  values ('status', 'set', new.set_number, jsonb_build_object('status', old.status), jsonb_build_object('status', new.status));
  return null;
end
$$;

CREATE FUNCTION change.refresh_statuses() RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
  insert into change.set_status as known (set_number, status)
  select set_number, status
    from (select set_number,
                 case when retire_date <= current_date then 'retired'
                      when release_date > current_date then 'upcoming'
                      when release_date is null and release_year > extract(year from current_date) then 'upcoming'
                      when retire_date is not null then 'retiring_soon'
                      when release_date is null then 'unknown' else 'available' end as status
            from catalog.set) as now
   where not exists (select from change.set_status s where s.set_number = now.set_number and s.status = now.status)
   order by set_number
  on conflict (set_number) do update set status = excluded.status where known.status <> excluded.status
$$;

CREATE FUNCTION mail.operator_mail(session_token text) RETURNS TABLE(waiting bigint, tried bigint, oldest_at timestamp with time zone, last_error text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select count(*), count(*) filter (where attempts > 0), min(created_at),
         (array_agg(last_error order by created_at desc) filter (where last_error is not null))[1]
    from mail.message;
end
$$;

CREATE FUNCTION maintenance.add_partitions(parent regclass, first date, last date, step interval) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  parent_schema text;
  parent_name text;
  key_column text;
  has_default boolean;
  partition_name text;
  lower_bound date := date_trunc(
    case step when interval '1 day' then 'day' when interval '1 month' then 'month' else 'quarter' end, first::timestamp)::date;
  upper_bound date;
  created integer := 0;
begin
  select n.nspname, c.relname, a.attname, p.partdefid <> 0
    into parent_schema, parent_name, key_column, has_default
    from pg_partitioned_table p
    join pg_class c on c.oid = p.partrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
   where p.partrelid = parent;

  while lower_bound <= last loop
    upper_bound := (lower_bound + step)::date;
    partition_name := parent_name || to_char(lower_bound, '_YYYYMMDD');
    if to_regclass(format('%I.%I', parent_schema, partition_name)) is null then
      -- Attaching a finished table locks the parent less than `create table … partition of`, so reads and pg_dump go on.
      execute format('create table %I.%I (like %s including defaults including constraints)', parent_schema, partition_name, parent);
      if has_default then
        execute format(
          'with moved as (delete from %I.%I where %I >= %L and %I < %L returning *) insert into %I.%I select * from moved',
          parent_schema, parent_name || '_default', key_column, lower_bound, key_column, upper_bound, parent_schema, partition_name);
      end if;
      execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)',
        parent, parent_schema, partition_name, lower_bound, upper_bound);
      created := created + 1;
    end if;
    lower_bound := upper_bound;
  end loop;
  return created;
end
$$;

CREATE FUNCTION maintenance.create_partitions(partitioned_table text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '100ms'
    AS $$
declare
  policy record;
begin
  select * into strict policy from maintenance.partition_policy p where p.table_name = partitioned_table;
  return maintenance.add_partitions(
    policy.table_name::regclass, (current_date - policy.behind)::date, (current_date + policy.ahead)::date, policy.step);
end
$$;

CREATE FUNCTION maintenance.data_safety() RETURNS TABLE(synchronous_standbys integer, transaction_id_age_ratio double precision, checksum_failures bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select (select count(*)::integer from pg_stat_replication where sync_state in ('sync', 'quorum')),
         -- Of the ids that can be assigned before PostgreSQL stops accepting writes.
         (select max(greatest(age(datfrozenxid), mxid_age(datminmxid))) / 2147483648.0 from pg_database)::float8,
         -- Null if the cluster has no checksums.
         (select sum(checksum_failures)::bigint from pg_stat_database)
$$;

CREATE FUNCTION maintenance.database_health() RETURNS TABLE(wal_files_to_archive integer, standbys integer, replication_lag_seconds double precision, connection_ratio double precision, size_bytes bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select (select count(*)::integer from pg_ls_archive_statusdir() where name like '%.ready'),
         -- A base backup streams, too, but replays nothing.
         (select count(*)::integer from pg_stat_replication where replay_lsn is not null),
         (select coalesce(max(extract(epoch from replay_lag)), 0)::float8 from pg_stat_replication),
         (select count(*)::float8 from pg_stat_activity where backend_type = 'client backend')
           / current_setting('max_connections')::integer,
         pg_database_size(current_database())
$$;

CREATE FUNCTION maintenance.drop_expired_partitions(partitioned_table text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '100ms'
    AS $$
declare
  policy record;
begin
  select * into strict policy from maintenance.partition_policy p where p.table_name = partitioned_table;
  if policy.retention is null then
    return 0;
  end if;
  return maintenance.drop_partitions(policy.table_name::regclass, (current_date - policy.retention)::date);
end
$$;

CREATE FUNCTION maintenance.drop_partitions(parent regclass, keep_from date) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  expired record;
  dropped integer := 0;
begin
  for expired in
    select n.nspname, c.relname
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      join pg_namespace n on n.oid = c.relnamespace
     where i.inhparent = parent
       and (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([0-9-]+)'))[1]::date <= keep_from
  loop
    execute format('drop table %I.%I', expired.nspname, expired.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

CREATE FUNCTION maintenance.operator_jobs(session_token text) RETURNS TABLE(name text, schedule text, waiting integer, active integer, failed integer, done_at timestamp with time zone, failed_at timestamp with time zone, failure text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select q.name, (select min(s.cron) from pgboss.schedule s where s.name = q.name),
         count(*) filter (where j.state in ('created', 'retry'))::integer,
         count(*) filter (where j.state = 'active')::integer,
         count(*) filter (where j.state = 'failed')::integer,
         max(j.completed_on) filter (where j.state = 'completed'),
         max(j.completed_on) filter (where j.state = 'failed'),
         left((array_agg(j.output ->> 'message' order by j.completed_on desc) filter (where j.state = 'failed'))[1], 300)
    from pgboss.queue q
    left join pgboss.job j on j.name = q.name
   where q.name !~ '^__pgboss'
   group by q.name
   order by q.name;
end
$$;

CREATE FUNCTION market.reject_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  reason text := current_setting('market.revision_reason', true);
begin
  if coalesce(reason, '') = '' then
    raise exception 'A finalized month cannot be changed without a reason. Set market.revision_reason.';
  end if;
  insert into market.set_month_revision (set_number, condition, month, value_cents, reason)
    values (new.set_number, new.condition, new.month, new.value_cents, reason);
  return new;
end
$$;

CREATE FUNCTION pgboss.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN

      WITH q as (
        INSERT INTO pgboss.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false),
          pgboss.job_now(),
          pgboss.job_now()
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;

      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;

      EXECUTE format('CREATE TABLE pgboss.%I (LIKE pgboss.job INCLUDING DEFAULTS)', tablename);

      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i11 ON pgboss.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON pgboss.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i7 ON pgboss.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i9 ON pgboss.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i12 ON pgboss.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);

      IF options->>'policy' = 'short' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON pgboss.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON pgboss.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i10 ON pgboss.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;

      EXECUTE format('ALTER TABLE pgboss.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE pgboss.job ATTACH PARTITION pgboss.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;

CREATE FUNCTION pgboss.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      
      SELECT table_name, partition
      FROM pgboss.queue
      WHERE name = queue_name
      INTO v_table, v_partition;

      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS pgboss.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM pgboss.%I WHERE name = %L', v_table, queue_name);
      END IF;
    
      DELETE FROM pgboss.queue WHERE name = queue_name;
    END;
    $$;

CREATE FUNCTION pgboss.job_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
      SELECT pg_catalog.now();
    $$;

CREATE FUNCTION pgboss.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $_$;

CREATE FUNCTION pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        EXECUTE pgboss.job_table_format(command, tbl_name);
        RETURN;
      END IF;

      EXECUTE pgboss.job_table_format(command, 'job_common');

      FOR tbl IN SELECT table_name FROM pgboss.queue WHERE partition = true
      LOOP
        EXECUTE pgboss.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;

CREATE FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;

      IF tbl_name IS NOT NULL THEN
        INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          pgboss.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;

      INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        pgboss.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        pgboss.job_table_format(command, queue.table_name)
      FROM pgboss.queue
      WHERE partition = true;
    END;
    $$;

CREATE FUNCTION portfolio.find_shelf(hash bytea) RETURNS TABLE(account_id bigint, collection_id bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select s.account_id, s.collection_id from portfolio.shelf s
   where s.token_hash = hash
     and not exists (select from account.account o where o.id = s.account_id and o.suspended)
$$;

CREATE FUNCTION portfolio.pack_lot(collection_id bigint, condition text, quantity integer, price_cents integer, purchase_date date, status text) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    RETURN ((((int8send(collection_id) || int4send(CASE condition WHEN 'used'::text THEN (- quantity) ELSE quantity END)) || int4send(COALESCE(price_cents, '-1'::integer))) || date_send(COALESCE(purchase_date, 'infinity'::date))) || int4send(CASE status WHEN 'listed'::text THEN 1 ELSE 0 END));

CREATE FUNCTION portfolio.read_collections(for_account bigint, OUT collections json, OUT set_numbers text, OUT packed bytea) RETURNS record
    LANGUAGE plpgsql
    AS $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select coalesce(json_agg(own), '[]') into collections
    from (select id, name, description, is_default, created_at from portfolio.collection
           where account_id = for_account order by is_default desc, id) as own;
  select lots.set_numbers, lots.packed into set_numbers, packed from portfolio.read_held_lots(for_account, null) as lots;
end
$$;

CREATE FUNCTION portfolio.read_held_lots(for_account bigint, of_set text, OUT set_numbers text, OUT packed bytea) RETURNS record
    LANGUAGE plpgsql
    AS $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select string_agg(set_number, ','), string_agg(
           portfolio.pack_lot(collection_id, condition, quantity, purchase_price_cents, purchase_date, status), ''::bytea)
    into set_numbers, packed
    from portfolio.lot
   where account_id = for_account and set_number is not null and quantity > 0
     and (of_set is null or set_number = of_set);
end
$$;

CREATE FUNCTION portfolio.read_lots(for_account bigint, in_collection bigint, max_lots integer, skipped integer, OUT is_found boolean, OUT total integer, OUT set_numbers text, OUT packed bytea) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  -- A range instead of an optional condition, so that one plan serves both.
  first_collection bigint := coalesce(in_collection, 0);
  last_collection bigint := coalesce(in_collection, 9223372036854775807);
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  is_found := in_collection is null
    or exists (select from portfolio.collection where account_id = for_account and id = in_collection);
  select count(*), string_agg(set_number, ','), string_agg(
           portfolio.pack_lot(collection_id, condition, quantity, purchase_price_cents, purchase_date, status), ''::bytea)
    into total, set_numbers, packed
    from (select collection_id, condition, quantity, purchase_price_cents, purchase_date, status, set_number
            from portfolio.lot
           where account_id = for_account and set_number is not null
             and collection_id between first_collection and last_collection and quantity > 0
           order by collection_id, id limit max_lots offset skipped) as page;
  if total between 1 and max_lots - 1 then
    total := total + skipped;
  elsif total > 0 or skipped > 0 then
    select count(*) into total from portfolio.lot
     where account_id = for_account and set_number is not null
       and collection_id between first_collection and last_collection and quantity > 0;
  end if;
end
$$;

CREATE FUNCTION portfolio.read_ownership_intervals(for_account bigint, since date, OUT set_numbers text, OUT packed bytea) RETURNS record
    LANGUAGE plpgsql
    AS $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select string_agg(set_number, ','), string_agg(
           int4send(case condition when 'used' then -quantity else quantity end)
           || int4send(coalesce(purchase_price_cents, -1)) || date_send(coalesce(purchase_date, 'infinity'))
           || date_send(coalesce(sale_date, 'infinity')), ''::bytea)
    into set_numbers, packed
    from (select set_number, condition, quantity, purchase_price_cents, purchase_date, null::date as sale_date
            from portfolio.lot
           where account_id = for_account and set_number is not null and quantity > 0
          union all
          select h.set_number, h.condition, l.quantity, h.purchase_price_cents, h.purchase_date, s.sale_date
            from portfolio.sale s
            join portfolio.sale_lot l on l.account_id = s.account_id and l.sale_id = s.id
            join portfolio.lot h on h.account_id = l.account_id and h.id = l.lot_id
           where s.account_id = for_account and s.sale_date > since and h.set_number is not null) as interval;
end
$$;

CREATE FUNCTION portfolio.read_sales(for_account bigint, max_sales integer, skipped integer, OUT total integer, OUT set_numbers text, OUT platforms text, OUT packed bytea) RETURNS record
    LANGUAGE plpgsql
    AS $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select count(*), string_agg(set_number, ','), string_agg(platform, ','), string_agg(
           int8send(id) || int8send(gross_proceeds_cents) || int8send(platform_fees_cents) || int8send(payment_fees_cents)
           || int8send(shipping_cost_cents) || int8send(coalesce(cost_cents, -1)) || date_send(sale_date)
           || int4send(quantity), ''::bytea)
    into total, set_numbers, platforms, packed
    from (select * from portfolio.sale where account_id = for_account and set_number is not null
           order by sale_date desc, id desc limit max_sales offset skipped) as page;
  if total between 1 and max_sales - 1 then
    total := total + skipped;
  elsif total > 0 or skipped > 0 then
    select count(*) into total from portfolio.sale where account_id = for_account and set_number is not null;
  end if;
end
$$;

CREATE FUNCTION portfolio.wanted_sets() RETURNS TABLE(set_number text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select w.set_number from portfolio.watched_item w where w.set_number is not null
   union
  select l.set_number from portfolio.lot l where l.set_number is not null and l.quantity > 0
$$;

CREATE FUNCTION source.event_key(source_id text, event_id text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (md5(((source_id || chr(31)) || event_id)))::uuid;

CREATE FUNCTION source.operator_backlog(session_token text) RETURNS TABLE(items bigint, items_since timestamp with time zone, products bigint, products_since timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform auth.require_operator(session_token);
  return query
  select i.count, i.since, p.count, p.since
    from (select count(*), min(marked_at) as since from source.valuation_queue) i,
         (select count(*), min(marked_at) as since from source.retail_queue) p;
end
$$;

CREATE FUNCTION source.operator_feeds(session_token text) RETURNS TABLE(feed text, file_name text, finished_at timestamp with time zone, accepted bigint, repeated bigint, quarantined bigint, files_today integer, accepted_today bigint, in_quarantine bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select f.feed, i.file_name, i.finished_at, i.accepted, i.repeated, i.quarantined,
         d.files, d.accepted, (select count(*) from source.quarantine q where q.feed = f.feed and q.retried_at is null)
    from (values ('catalog'), ('sales'), ('returns'), ('retail')) as f (feed)
    left join lateral (
      select * from source.import i where i.feed = f.feed order by i.id desc limit 1) i on true
    cross join lateral (
      select count(*)::integer as files, coalesce(sum(n.accepted), 0)::bigint as accepted
        from source.import n where n.feed = f.feed and n.finished_at > now() - interval '1 day') d;
end
$$;

CREATE FUNCTION source.operator_licensed_sources(session_token text) RETURNS TABLE(source_id text, name text, license_id text, rank smallint, polled_at timestamp with time zone, withdrawn_at timestamp with time zone, terms text, feeds_values boolean, shown boolean, max_display_age text, retention text, attribution text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select s.id, s.name, s.license_id, s.rank, p.polled_at, s.withdrawn_at, l.terms, l.feeds_values, l.shown,
         l.max_display_age::text, l.retention::text, l.attribution
    from source.source s
    join source.license l on l.id = s.license_id
    left join source.poll_cursor p on p.source_id = s.id
   order by s.withdrawn_at nulls first, s.rank desc, s.id;
end
$$;

CREATE FUNCTION source.operator_quarantine(session_token text, of_feed text, page_limit integer, page_offset integer) RETURNS TABLE(quarantine_id bigint, feed text, file_name text, came_at timestamp with time zone, row_number bigint, reason text, total integer)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select q.id, q.feed, i.file_name, i.finished_at, q.row_number, q.reason, count(*) over ()::integer
    from source.quarantine q join source.import i on i.id = q.import_id
   where q.retried_at is null and (of_feed = '' or q.feed = of_feed)
   order by q.id desc
   limit page_limit offset page_offset;
end
$$;

CREATE FUNCTION source.operator_sources(session_token text) RETURNS TABLE(source_id text, name text, license_id text, rank smallint, polled_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select s.id, s.name, s.license_id, s.rank, p.polled_at
    from source.source s left join source.poll_cursor p on p.source_id = s.id
   order by s.id;
end
$$;

CREATE FUNCTION webhook.add_alert_events(alert_ids bigint[], account_ids bigint[]) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with added as (
    insert into webhook.event (account_id, at, type, data)
    select a.account_id, a.at, 'alert.' || a.kind,
           jsonb_build_object('alert_id', a.id, 'rule_id', a.rule_id, 'item_kind', a.item_kind, 'item_number', a.item_number,
             'title', coalesce(s.title, m.name, a.item_number), 'retailer', r.retailer, 'retailer_name', r.name, 'facts', a.facts)
      from unnest(account_ids, alert_ids) as new (account_id, id)
      join alert.alert a on a.account_id = new.account_id and a.id = new.id
      left join catalog.set s on a.item_kind = 'set' and s.set_number = a.item_number
      left join catalog.minifig m on a.item_kind = 'minifig' and m.minifig_number = a.item_number
      left join catalog.retailer r on r.retailer = a.retailer
     where exists (select from webhook.endpoint e where e.account_id = a.account_id and e.disabled_at is null)
    returning account_id, id
  ), deliveries as (
    insert into webhook.delivery (account_id, event_id, endpoint_id)
    select a.account_id, a.id, e.id
      from added a join webhook.endpoint e on e.account_id = a.account_id and e.disabled_at is null
    returning account_id, endpoint_id
  )
  update webhook.endpoint e set next_attempt_at = least(e.next_attempt_at, now())
    from (select distinct account_id, endpoint_id from deliveries) as d
   where e.account_id = d.account_id and e.id = d.endpoint_id
$$;

CREATE FUNCTION webhook.backlog() RETURNS TABLE(endpoints bigint, oldest_seconds double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select count(*), coalesce(max(extract(epoch from now() - e.next_attempt_at)), 0)::float8
    from webhook.endpoint e
   where e.disabled_at is null and e.next_attempt_at <= now()
     and not exists (select from account.account o where o.id = e.account_id and o.suspended)
     and not exists (select from webhook.push_subscription p where p.account_id = e.account_id and p.endpoint_id = e.id)
$$;

CREATE FUNCTION webhook.claim_endpoints(max_endpoints integer, lease interval) RETURNS TABLE(account_id bigint, endpoint_id bigint)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update webhook.endpoint e set leased_until = now() + lease
    from (select d.account_id, d.id from webhook.endpoint d
           where d.next_attempt_at <= now() and d.disabled_at is null and (d.leased_until is null or d.leased_until <= now())
             and not exists (select from account.account o where o.id = d.account_id and o.suspended)
             and not exists (select from webhook.push_subscription p where p.account_id = d.account_id and p.endpoint_id = d.id)
           order by d.next_attempt_at limit max_endpoints for update skip locked) as due
   where e.account_id = due.account_id and e.id = due.id
  returning e.account_id, e.id
$$;

CREATE FUNCTION webhook.claim_push_subscriptions(max_subscriptions integer, lease interval) RETURNS TABLE(account_id bigint, endpoint_id bigint)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update webhook.endpoint e set leased_until = now() + lease
    from (select d.account_id, d.id from webhook.endpoint d
            join webhook.push_subscription p on p.account_id = d.account_id and p.endpoint_id = d.id
           where d.next_attempt_at <= now() and d.disabled_at is null and (d.leased_until is null or d.leased_until <= now())
             and (p.paused_until is null or p.paused_until <= now())
             and not exists (select from account.account o where o.id = d.account_id and o.suspended)
           order by d.next_attempt_at limit max_subscriptions for update of d skip locked) as due
   where e.account_id = due.account_id and e.id = due.id
  returning e.account_id, e.id
$$;

CREATE FUNCTION webhook.delete_old_events(max_rows integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with old as (select account_id, id from webhook.event where at < now() - interval '30 days' order by at limit max_rows),
       deleted as (delete from webhook.event e using old where e.account_id = old.account_id and e.id = old.id returning 1)
  select count(*) from deleted
$$;

CREATE FUNCTION webhook.delete_push_subscription(of_account bigint, of_endpoint bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  delete from webhook.endpoint e using webhook.push_subscription p
   where e.account_id = of_account and e.id = of_endpoint and p.account_id = e.account_id and p.endpoint_id = e.id
$$;

CREATE FUNCTION webhook.find_due_deliveries(of_account bigint, of_endpoint bigint, max_deliveries integer) RETURNS TABLE(event_id uuid, at timestamp with time zone, type text, data jsonb, attempts smallint, url text, salt bytea, old_salt bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION webhook.find_due_pushes(of_account bigint, of_endpoint bigint, max_deliveries integer) RETURNS TABLE(event_id uuid, at timestamp with time zone, type text, data jsonb, attempts smallint, url text, p256dh bytea, auth bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select d.event_id, d.at, d.type, d.data, d.attempts, d.url, p.p256dh, p.auth
    from webhook.push_subscription p,
         webhook.find_due_deliveries(p.account_id, p.endpoint_id, max_deliveries) as d
   where p.account_id = of_account and p.endpoint_id = of_endpoint
   order by d.at, (d.data ->> 'alert_id')::bigint, d.event_id
$$;

CREATE FUNCTION webhook.operator_webhooks(session_token text) RETURNS TABLE(account_id bigint, endpoint_id bigint, host text, disabled_reason text, waiting bigint, failed bigint, oldest_at timestamp with time zone, last_attempt_at timestamp with time zone, last_status_code smallint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select e.account_id, e.id, substring(e.url from '://([^/?#]+)'), e.disabled_reason, d.waiting, d.failed, d.oldest_at,
         e.last_attempt_at, e.last_status_code
    from (select account_id, endpoint_id, count(*) filter (where status = 'waiting') as waiting,
                 count(*) filter (where status = 'failed') as failed, min(at) filter (where status = 'waiting') as oldest_at
            from webhook.delivery where status <> 'delivered' group by account_id, endpoint_id) as d
    join webhook.endpoint e on e.account_id = d.account_id and e.id = d.endpoint_id
   order by d.waiting + d.failed desc, e.id
   limit 100;
end
$$;

CREATE FUNCTION webhook.push_backlog() RETURNS TABLE(subscriptions bigint, oldest_seconds double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select count(*), coalesce(max(extract(epoch from now() - greatest(e.next_attempt_at, p.paused_until))), 0)::float8
    from webhook.endpoint e
    join webhook.push_subscription p on p.account_id = e.account_id and p.endpoint_id = e.id
   where e.disabled_at is null and e.next_attempt_at <= now() and (p.paused_until is null or p.paused_until <= now())
     and not exists (select from account.account o where o.id = e.account_id and o.suspended)
$$;

CREATE FUNCTION webhook.record_attempts(of_account bigint, of_endpoint bigint, results jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  insert into webhook.attempt (account_id, event_id, endpoint_id, at, duration_ms, status_code, response)
  select of_account, a.event_id, of_endpoint, a.at, a.duration_ms, a.status_code, a.response
    from jsonb_to_recordset(results) as a (event_id uuid, at timestamptz, duration_ms integer, status_code smallint, response text)
    join webhook.delivery d on d.account_id = of_account and d.event_id = a.event_id and d.endpoint_id = of_endpoint
  on conflict do nothing;
  update webhook.delivery d
     set attempts = d.attempts + 1, status = a.status,
         next_attempt_at = case a.status when 'waiting' then now() + make_interval(secs => a.retry_in_seconds) end
    from jsonb_to_recordset(results) as a (event_id uuid, status text, retry_in_seconds float8)
   where d.account_id = of_account and d.endpoint_id = of_endpoint and d.event_id = a.event_id;
  update webhook.endpoint e
     set last_attempt_at = last.at, last_status_code = last.status_code,
         disabled_at = case when last.is_gone then coalesce(e.disabled_at, now()) else e.disabled_at end,
         disabled_reason = case when last.is_gone then coalesce(e.disabled_reason, 'gone') else e.disabled_reason end
    from (select max(a.at) as at, (array_agg(a.status_code order by a.at desc))[1] as status_code,
                 coalesce(bool_or(a.status_code = 410), false) as is_gone
            from jsonb_to_recordset(results) as a (at timestamptz, status_code smallint)) as last
   where e.account_id = of_account and e.id = of_endpoint;
end
$$;

CREATE FUNCTION webhook.record_pushes(of_account bigint, of_endpoint bigint, results jsonb, pause interval) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform webhook.record_attempts(of_account, of_endpoint, results);
  update webhook.push_subscription p
     set paused_until = now() + pause,
         last_success_at = coalesce((select max(r.at) from jsonb_to_recordset(results) as r (at timestamptz, status text)
                                      where r.status = 'delivered'), p.last_success_at)
   where p.account_id = of_account and p.endpoint_id = of_endpoint;
end
$$;

CREATE FUNCTION webhook.release_endpoint(of_account bigint, of_endpoint bigint, pause interval) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
  perform from webhook.endpoint where account_id = of_account and id = of_endpoint for update;
  update webhook.endpoint
     set leased_until = null,
         next_attempt_at = (
           select greatest(d.next_attempt_at, now() + pause) from webhook.delivery d
            where d.account_id = of_account and d.endpoint_id = of_endpoint and d.status = 'waiting'
            order by d.next_attempt_at limit 1)
   where account_id = of_account and id = of_endpoint;
end
$$;

CREATE TABLE account.account (
    id bigint NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    suspended boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY account.account FORCE ROW LEVEL SECURITY;

ALTER TABLE account.account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME account.account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE account.announcement (
    id bigint NOT NULL,
    message text,
    until timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by bigint,
    CONSTRAINT announcement_message_check CHECK (((length(message) >= 1) AND (length(message) <= 300)))
);

ALTER TABLE account.announcement ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME account.announcement_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE account.api_key (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    last4 text NOT NULL,
    slot smallint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    suspended boolean DEFAULT false NOT NULL,
    CONSTRAINT api_key_check CHECK (((revoked_at IS NULL) OR (slot IS NULL))),
    CONSTRAINT api_key_in_force_has_slot CHECK (((slot IS NOT NULL) OR (revoked_at IS NOT NULL) OR (expires_at IS NOT NULL))),
    CONSTRAINT api_key_slot_check CHECK (((slot >= 1) AND (slot <= 5)))
);

ALTER TABLE ONLY account.api_key FORCE ROW LEVEL SECURITY;

CREATE TABLE account.api_key_directory (
    hash bytea NOT NULL,
    account_id bigint NOT NULL,
    api_key_id bigint NOT NULL,
    pepper_version smallint NOT NULL,
    CONSTRAINT api_key_directory_hash_check CHECK ((length(hash) = 32))
);

ALTER TABLE ONLY account.api_key_directory FORCE ROW LEVEL SECURITY;

ALTER TABLE account.api_key ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME account.api_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE account.api_key_last_request (
    account_id bigint NOT NULL,
    api_key_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    request_id uuid NOT NULL,
    request text NOT NULL,
    status smallint NOT NULL,
    error_code text,
    error_message text,
    client text
)
WITH (fillfactor='70');

ALTER TABLE ONLY account.api_key_last_request FORCE ROW LEVEL SECURITY;

CREATE TABLE account.api_key_quota (
    account_id bigint NOT NULL,
    api_key_id bigint NOT NULL,
    day date NOT NULL,
    used integer NOT NULL,
    daily_limit integer NOT NULL,
    last_cost integer NOT NULL,
    last_count integer NOT NULL,
    last_granted integer NOT NULL,
    last_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT api_key_quota_used_check CHECK ((used >= 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY account.api_key_quota FORCE ROW LEVEL SECURITY;

CREATE TABLE account.api_key_quota_history (
    account_id bigint NOT NULL,
    api_key_id bigint NOT NULL,
    day date NOT NULL,
    used integer NOT NULL,
    daily_limit integer NOT NULL,
    last_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (day);

ALTER TABLE ONLY account.api_key_quota_history FORCE ROW LEVEL SECURITY;

CREATE TABLE account.api_key_usage (
    account_id bigint NOT NULL,
    api_key_id bigint NOT NULL,
    day date NOT NULL,
    status smallint NOT NULL,
    requests integer NOT NULL,
    endpoints jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT api_key_usage_requests_check CHECK ((requests >= 0))
)
PARTITION BY RANGE (day);

ALTER TABLE ONLY account.api_key_usage FORCE ROW LEVEL SECURITY;

CREATE TABLE account.audit_log (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE ONLY account.audit_log FORCE ROW LEVEL SECURITY;

ALTER TABLE account.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME account.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE account.deleted_account (
    account_id bigint NOT NULL,
    deleted_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY account.deleted_account FORCE ROW LEVEL SECURITY;

CREATE TABLE account.plan (
    plan text NOT NULL,
    api_access boolean NOT NULL,
    daily_limit integer NOT NULL,
    max_alert_rules integer DEFAULT 20 NOT NULL,
    max_alerts_per_day integer DEFAULT 1000 NOT NULL,
    CONSTRAINT plan_daily_limit_check CHECK ((daily_limit >= 1)),
    CONSTRAINT plan_max_alert_rules_check CHECK ((max_alert_rules >= 0)),
    CONSTRAINT plan_max_alerts_per_day_check CHECK ((max_alerts_per_day >= 0))
);

CREATE TABLE account.quota_notice (
    account_id bigint NOT NULL,
    api_key_id bigint NOT NULL,
    day date NOT NULL,
    percent smallint NOT NULL,
    CONSTRAINT quota_notice_percent_check CHECK ((percent = ANY (ARRAY[80, 100])))
);

ALTER TABLE ONLY account.quota_notice FORCE ROW LEVEL SECURITY;

CREATE TABLE alert.alert (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    rule_id bigint NOT NULL,
    change_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    item_kind text NOT NULL,
    item_number text NOT NULL,
    retailer text NOT NULL,
    facts jsonb NOT NULL,
    CONSTRAINT alert_item_kind_check CHECK ((item_kind = ANY (ARRAY['set'::text, 'minifig'::text])))
);

ALTER TABLE ONLY alert.alert FORCE ROW LEVEL SECURITY;

ALTER TABLE alert.alert ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME alert.alert_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE alert.daily_total (
    account_id bigint NOT NULL,
    day date NOT NULL,
    saved integer NOT NULL,
    left_out integer NOT NULL
);

ALTER TABLE ONLY alert.daily_total FORCE ROW LEVEL SECURITY;

CREATE TABLE alert.inbox (
    account_id bigint NOT NULL,
    read_to bigint NOT NULL
);

ALTER TABLE ONLY alert.inbox FORCE ROW LEVEL SECURITY;

CREATE TABLE alert.mail_schedule (
    account_id bigint NOT NULL,
    due_at timestamp with time zone,
    first_alert_id bigint NOT NULL,
    last_mail_at timestamp with time zone
);

ALTER TABLE ONLY alert.mail_schedule FORCE ROW LEVEL SECURITY;

CREATE TABLE alert.met_rule (
    account_id bigint NOT NULL,
    rule_id bigint NOT NULL,
    item_kind text NOT NULL,
    item_number text NOT NULL,
    retailer text NOT NULL,
    since timestamp with time zone NOT NULL
);

ALTER TABLE ONLY alert.met_rule FORCE ROW LEVEL SECURITY;

CREATE TABLE alert.rule (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    kind text NOT NULL,
    set_number text,
    minifig_number text,
    collection_id bigint,
    threshold integer,
    is_paused boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    watched_item_id bigint,
    CONSTRAINT rule_check CHECK ((num_nonnulls(set_number, minifig_number, collection_id) <= 1)),
    CONSTRAINT rule_check1 CHECK (((threshold IS NOT NULL) = (kind = ANY (ARRAY['price_at_most'::text, 'below_value'::text, 'return_at_least'::text, 'value_moved'::text])))),
    CONSTRAINT rule_kind_check CHECK ((kind = ANY (ARRAY['price_at_most'::text, 'below_value'::text, 'return_at_least'::text, 'new_low'::text, 'sold_out'::text, 'back_in_stock'::text, 'third_party'::text, 'value_moved'::text, 'retiring_soon'::text, 'retired'::text]))),
    CONSTRAINT rule_threshold_check CHECK (((threshold >= 1) AND (threshold <= 999999999)))
);

ALTER TABLE ONLY alert.rule FORCE ROW LEVEL SECURITY;

ALTER TABLE alert.rule ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME alert.rule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE auth.attempt (
    key text NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);

CREATE TABLE auth.credential (
    id text NOT NULL,
    user_id text NOT NULL,
    account_id text NOT NULL,
    provider_id text NOT NULL,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp with time zone,
    refresh_token_expires_at timestamp with time zone,
    scope text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE auth.known_device (
    user_id text NOT NULL,
    device_hash bytea NOT NULL,
    client text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT known_device_device_hash_check CHECK ((length(device_hash) = 32))
);

CREATE TABLE auth.passkey (
    id text NOT NULL,
    user_id text NOT NULL,
    name text,
    public_key text NOT NULL,
    credential_id text NOT NULL,
    counter integer NOT NULL,
    device_type text NOT NULL,
    backed_up boolean NOT NULL,
    transports text,
    aaguid text,
    created_at timestamp with time zone
);

CREATE TABLE auth.rate_limit (
    id text NOT NULL,
    key text NOT NULL,
    count integer NOT NULL,
    last_request bigint NOT NULL
);

CREATE TABLE auth.session (
    id text NOT NULL,
    user_id text NOT NULL,
    token text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ip_address text,
    user_agent text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    second_factor boolean DEFAULT false NOT NULL
);

CREATE TABLE auth.setup (
    singleton boolean DEFAULT true NOT NULL,
    nonce uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT setup_singleton_check CHECK (singleton)
);

CREATE TABLE auth.two_factor (
    id text NOT NULL,
    user_id text NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    verified boolean DEFAULT true NOT NULL,
    failed_verification_count integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone
);

CREATE TABLE auth.used_code (
    user_id text NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT used_code_code_hash_check CHECK ((length(code_hash) = 32))
);

CREATE TABLE auth."user" (
    id text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    image text,
    two_factor_enabled boolean DEFAULT false NOT NULL,
    operator boolean DEFAULT false NOT NULL,
    account_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    terms_version text,
    terms_accepted_at timestamp with time zone,
    suspended boolean DEFAULT false NOT NULL,
    CONSTRAINT terms_together CHECK (((terms_version IS NULL) = (terms_accepted_at IS NULL))),
    CONSTRAINT user_email_check CHECK ((email = lower(email)))
);

CREATE TABLE auth.verification (
    id text NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE catalog.minifig (
    minifig_number text NOT NULL,
    name text NOT NULL,
    category text,
    color text,
    year_released integer,
    image_url text,
    search_number text,
    search_name text,
    CONSTRAINT minifig_minifig_number_check CHECK ((minifig_number ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$'::text))
);

CREATE TABLE catalog.minifig_alias (
    alias text NOT NULL,
    minifig_number text NOT NULL,
    source_id text NOT NULL,
    CONSTRAINT minifig_alias_alias_check CHECK ((alias ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$'::text))
);

CREATE TABLE catalog.minifig_origin (
    minifig_number text NOT NULL,
    origins jsonb NOT NULL
);

CREATE TABLE catalog.retailer (
    retailer text NOT NULL,
    name text NOT NULL,
    CONSTRAINT retailer_retailer_check CHECK ((retailer = ANY (ARRAY['retailer_a'::text, 'retailer_b'::text])))
);

CREATE TABLE catalog.set (
    set_number text NOT NULL,
    title text NOT NULL,
    theme text NOT NULL,
    subtheme text,
    pieces integer,
    msrp_cents integer,
    release_date date,
    release_year integer,
    retire_date date,
    asin text,
    upc text,
    ean text,
    image_url text,
    box_width_in numeric(6,2),
    box_height_in numeric(6,2),
    box_depth_in numeric(6,2),
    box_weight_lbs numeric(7,2),
    search_number text,
    search_title text,
    CONSTRAINT set_asin_check CHECK ((asin ~ '^[A-Z0-9]{10}$'::text)),
    CONSTRAINT set_box_depth_in_check CHECK ((box_depth_in > (0)::numeric)),
    CONSTRAINT set_box_height_in_check CHECK ((box_height_in > (0)::numeric)),
    CONSTRAINT set_box_weight_lbs_check CHECK ((box_weight_lbs > (0)::numeric)),
    CONSTRAINT set_box_width_in_check CHECK ((box_width_in > (0)::numeric)),
    CONSTRAINT set_ean_check CHECK ((ean ~ '^[0-9]{13}$'::text)),
    CONSTRAINT set_msrp_cents_check CHECK ((msrp_cents >= 0)),
    CONSTRAINT set_pieces_check CHECK ((pieces >= 0)),
    CONSTRAINT set_release_year_check CHECK ((release_year >= 1930)),
    CONSTRAINT set_set_number_check CHECK ((set_number ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$'::text)),
    CONSTRAINT set_upc_check CHECK ((upc ~ '^[0-9]{12}$'::text))
);

CREATE TABLE catalog.set_minifig (
    set_number text NOT NULL,
    minifig_number text NOT NULL,
    quantity integer NOT NULL,
    CONSTRAINT set_minifig_quantity_check CHECK ((quantity >= 1))
);

CREATE TABLE catalog.set_origin (
    set_number text NOT NULL,
    origins jsonb DEFAULT '{}'::jsonb NOT NULL,
    minifigs jsonb
);

CREATE TABLE source.license (
    id text NOT NULL,
    terms text NOT NULL,
    feeds_values boolean DEFAULT true NOT NULL,
    shown boolean DEFAULT true NOT NULL,
    max_display_age interval,
    retention interval,
    attribution text,
    attribution_url text
);

CREATE TABLE source.source (
    id text NOT NULL,
    name text NOT NULL,
    license_id text NOT NULL,
    rank smallint DEFAULT 0 NOT NULL,
    withdrawn_at timestamp with time zone
);

CREATE VIEW catalog.source_credit AS
 SELECT source.id,
    source.name,
    license.id AS license,
    license.attribution,
    license.attribution_url
   FROM (source.source
     JOIN source.license ON ((license.id = source.license_id)));

CREATE SEQUENCE change.change_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE change.change (
    day date DEFAULT ((now() AT TIME ZONE 'utc'::text))::date NOT NULL,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id bigint DEFAULT nextval('change.change_id'::regclass) NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    kind text NOT NULL,
    item_kind text NOT NULL,
    item_number text NOT NULL,
    before jsonb,
    after jsonb NOT NULL,
    CONSTRAINT change_item_kind_check CHECK ((item_kind = ANY (ARRAY['set'::text, 'minifig'::text]))),
    CONSTRAINT change_kind_check CHECK ((kind = ANY (ARRAY['value'::text, 'retail'::text, 'status'::text])))
)
PARTITION BY RANGE (day);

CREATE TABLE change.change_default (
    day date DEFAULT ((now() AT TIME ZONE 'utc'::text))::date NOT NULL,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id bigint DEFAULT nextval('change.change_id'::regclass) NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    kind text NOT NULL,
    item_kind text NOT NULL,
    item_number text NOT NULL,
    before jsonb,
    after jsonb NOT NULL,
    CONSTRAINT change_item_kind_check CHECK ((item_kind = ANY (ARRAY['set'::text, 'minifig'::text]))),
    CONSTRAINT change_kind_check CHECK ((kind = ANY (ARRAY['value'::text, 'retail'::text, 'status'::text])))
);

CREATE TABLE change.cursor (
    reader text NOT NULL,
    transaction_id xid8 NOT NULL,
    change_id bigint NOT NULL
);

CREATE TABLE change.set_status (
    set_number text NOT NULL,
    status text NOT NULL,
    CONSTRAINT set_status_status_check CHECK ((status = ANY (ARRAY['upcoming'::text, 'available'::text, 'retiring_soon'::text, 'retired'::text, 'unknown'::text])))
);

CREATE TABLE export.chunk (
    run_id bigint NOT NULL,
    dataset text NOT NULL,
    "position" integer NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY export.chunk ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE export.file (
    run_id bigint NOT NULL,
    dataset text NOT NULL,
    rows integer NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL
);

CREATE TABLE export.run (
    id bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone
);

ALTER TABLE export.run ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME export.run_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE export.validity (
    valid_from timestamp with time zone NOT NULL
);

CREATE TABLE mail.message (
    id bigint NOT NULL,
    content bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text
);

ALTER TABLE mail.message ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME mail.message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE maintenance.partition_policy (
    table_name text NOT NULL,
    step interval NOT NULL,
    behind interval NOT NULL,
    ahead interval NOT NULL,
    retention interval,
    CONSTRAINT partition_policy_step_check CHECK ((step = ANY (ARRAY['1 day'::interval, '1 mon'::interval, '3 mons'::interval])))
);

CREATE TABLE market.accuracy (
    day date NOT NULL,
    condition text NOT NULL,
    grouped_by text NOT NULL,
    name text NOT NULL,
    sales integer NOT NULL,
    median_error_pct double precision NOT NULL,
    within_5_pct double precision NOT NULL,
    within_10_pct double precision NOT NULL,
    within_20_pct double precision NOT NULL,
    coverage_pct double precision,
    width_pct double precision,
    doubtful_pct double precision,
    simple_method text,
    simple_error_pct double precision,
    CONSTRAINT accuracy_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT accuracy_grouped_by_check CHECK ((grouped_by = ANY (ARRAY['all'::text, 'tier'::text, 'theme'::text]))),
    CONSTRAINT accuracy_sales_check CHECK ((sales >= 30)),
    CONSTRAINT accuracy_simple_method_check CHECK ((simple_method = ANY (ARRAY['last sale'::text, 'median of 10'::text, 'median of 90 days'::text])))
);

CREATE TABLE market.accuracy_item (
    day date NOT NULL,
    set_number text NOT NULL,
    condition text NOT NULL,
    cases integer NOT NULL,
    error_pct double precision NOT NULL,
    simple_error_pct double precision NOT NULL,
    CONSTRAINT accuracy_item_cases_check CHECK ((cases >= 3)),
    CONSTRAINT accuracy_item_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text])))
);

CREATE TABLE market.brick_index (
    theme text NOT NULL,
    month date NOT NULL,
    level double precision NOT NULL,
    log_error double precision NOT NULL,
    sets integer NOT NULL,
    CONSTRAINT brick_index_level_check CHECK ((level > (0)::double precision)),
    CONSTRAINT brick_index_log_error_check CHECK ((log_error >= (0)::double precision)),
    CONSTRAINT brick_index_sets_check CHECK ((sets > 0))
);

CREATE TABLE market.exchange_rate (
    currency text NOT NULL,
    per_usd double precision NOT NULL,
    day date NOT NULL,
    CONSTRAINT exchange_rate_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT exchange_rate_per_usd_check CHECK ((per_usd > (0)::double precision))
);

CREATE TABLE market.fee_schedule (
    platform text NOT NULL,
    valid_from date NOT NULL,
    schedule jsonb NOT NULL
);

CREATE TABLE market.finalized_month (
    month date NOT NULL,
    finalized_at timestamp with time zone DEFAULT now() NOT NULL,
    set_months integer NOT NULL,
    CONSTRAINT finalized_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

CREATE TABLE market.minifig_value (
    minifig_number text NOT NULL,
    value_cents integer,
    range_low_cents integer,
    range_high_cents integer,
    data_tier text NOT NULL,
    calculated_at timestamp with time zone NOT NULL,
    effective_sales integer,
    sellers integer,
    last_sold_on date,
    doubtful boolean DEFAULT false NOT NULL,
    CONSTRAINT evidence_of_market_values CHECK (((data_tier = 'market'::text) OR (num_nonnulls(effective_sales, sellers, last_sold_on) = 0))),
    CONSTRAINT minifig_value_check CHECK (((range_low_cents <= value_cents) AND (value_cents <= range_high_cents))),
    CONSTRAINT minifig_value_check1 CHECK (((data_tier = 'none'::text) = (value_cents IS NULL))),
    CONSTRAINT minifig_value_data_tier_check CHECK ((data_tier = ANY (ARRAY['market'::text, 'thin'::text, 'modelled'::text, 'none'::text]))),
    CONSTRAINT minifig_value_range_low_cents_check CHECK ((range_low_cents >= 0)),
    CONSTRAINT minifig_value_value_cents_check CHECK ((value_cents > 0))
);

CREATE TABLE market.resale_offer (
    set_number text NOT NULL,
    lowest_fba_cents integer,
    fba_sellers integer,
    buy_box_cents integer,
    net_fba_cents integer,
    CONSTRAINT resale_offer_fba_sellers_check CHECK ((fba_sellers >= 0))
);

CREATE TABLE market.retail_day (
    set_number text NOT NULL,
    retailer text NOT NULL,
    day date NOT NULL,
    price_cents integer,
    seller_type text,
    feeds_values boolean DEFAULT true NOT NULL,
    CONSTRAINT retail_day_price_cents_check CHECK ((price_cents > 0)),
    CONSTRAINT retail_day_seller_type_check CHECK ((seller_type = ANY (ARRAY['retailer'::text, 'third_party'::text])))
);

CREATE TABLE market.retail_state (
    set_number text NOT NULL,
    retailer text NOT NULL,
    price_cents integer,
    list_price_cents integer,
    seller_type text,
    in_stock boolean,
    changed_at timestamp with time zone,
    last_change_cents integer,
    flip_1p_to_3p boolean NOT NULL,
    at_lowest boolean NOT NULL,
    lowest_cents integer,
    product_url text NOT NULL,
    last_checked_at timestamp with time zone NOT NULL,
    last_price_cents integer,
    shown_until timestamp with time zone,
    CONSTRAINT retail_state_last_price_cents_check CHECK ((last_price_cents > 0)),
    CONSTRAINT retail_state_list_price_cents_check CHECK ((list_price_cents > 0)),
    CONSTRAINT retail_state_lowest_cents_check CHECK ((lowest_cents > 0)),
    CONSTRAINT retail_state_price_cents_check CHECK ((price_cents > 0)),
    CONSTRAINT retail_state_seller_type_check CHECK ((seller_type = ANY (ARRAY['retailer'::text, 'third_party'::text])))
);

CREATE TABLE market.set_month (
    set_number text NOT NULL,
    condition text NOT NULL,
    month date NOT NULL,
    value_cents integer,
    range_low_cents integer,
    range_high_cents integer,
    sales_count integer,
    event text,
    CONSTRAINT set_month_check CHECK (((range_low_cents <= value_cents) AND (value_cents <= range_high_cents))),
    CONSTRAINT set_month_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT set_month_event_check CHECK ((event = ANY (ARRAY['released'::text, 'retiring_soon'::text, 'retired'::text, 'rereleased'::text]))),
    CONSTRAINT set_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
    CONSTRAINT set_month_sales_count_check CHECK ((sales_count >= 0)),
    CONSTRAINT set_month_value_cents_check CHECK ((value_cents > 0))
);

CREATE TABLE market.set_month_revision (
    id bigint NOT NULL,
    set_number text NOT NULL,
    condition text NOT NULL,
    month date NOT NULL,
    value_cents integer,
    reason text NOT NULL,
    revised_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT set_month_revision_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT set_month_revision_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

ALTER TABLE market.set_month_revision ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME market.set_month_revision_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE market.set_value (
    set_number text NOT NULL,
    condition text NOT NULL,
    value_cents integer,
    range_low_cents integer,
    range_high_cents integer,
    data_tier text NOT NULL,
    calculated_at timestamp with time zone NOT NULL,
    effective_sales integer,
    sellers integer,
    last_sold_on date,
    doubtful boolean DEFAULT false NOT NULL,
    CONSTRAINT evidence_of_market_values CHECK (((data_tier = 'market'::text) OR (num_nonnulls(effective_sales, sellers, last_sold_on) = 0))),
    CONSTRAINT set_value_check CHECK (((range_low_cents <= value_cents) AND (value_cents <= range_high_cents))),
    CONSTRAINT set_value_check1 CHECK (((data_tier = 'none'::text) = (value_cents IS NULL))),
    CONSTRAINT set_value_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT set_value_data_tier_check CHECK ((data_tier = ANY (ARRAY['market'::text, 'thin'::text, 'modelled'::text, 'none'::text]))),
    CONSTRAINT set_value_range_low_cents_check CHECK ((range_low_cents >= 0)),
    CONSTRAINT set_value_value_cents_check CHECK ((value_cents > 0))
);

CREATE TABLE portfolio.collection (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    description text,
    is_default boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY portfolio.collection FORCE ROW LEVEL SECURITY;

ALTER TABLE portfolio.collection ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portfolio.collection_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portfolio.form_submission (
    account_id bigint NOT NULL,
    token uuid NOT NULL,
    submitted_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY portfolio.form_submission FORCE ROW LEVEL SECURITY;

CREATE TABLE portfolio.import (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    file_name text NOT NULL,
    fingerprint text NOT NULL,
    content text,
    answers jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    imported_at timestamp with time zone,
    format text,
    lots integer,
    units integer,
    skipped integer,
    skipped_csv text,
    created_collection_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    undone_at timestamp with time zone,
    kept integer,
    plan jsonb,
    CONSTRAINT import_check CHECK (((status = 'draft'::text) = (content IS NOT NULL))),
    CONSTRAINT import_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'done'::text, 'undone'::text])))
);

ALTER TABLE ONLY portfolio.import FORCE ROW LEVEL SECURITY;

ALTER TABLE portfolio.import ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portfolio.import_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portfolio.import_row (
    account_id bigint NOT NULL,
    import_id bigint NOT NULL,
    row_number integer NOT NULL,
    state text NOT NULL,
    reason text,
    lot jsonb,
    excerpt text NOT NULL,
    CONSTRAINT import_row_check CHECK (((state = 'ready'::text) = (lot IS NOT NULL))),
    CONSTRAINT import_row_check1 CHECK (((state = 'ready'::text) = (reason IS NULL))),
    CONSTRAINT import_row_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'choice'::text, 'skipped'::text])))
);

ALTER TABLE ONLY portfolio.import_row FORCE ROW LEVEL SECURITY;

CREATE TABLE portfolio.lot (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    collection_id bigint NOT NULL,
    set_number text,
    condition text,
    status text DEFAULT 'owned'::text NOT NULL,
    quantity integer NOT NULL,
    purchase_price_cents integer,
    purchase_date date,
    notes text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    import_id bigint,
    imported_as text,
    deleted_at timestamp with time zone,
    minifig_number text,
    custom_name text,
    own_value_cents integer,
    own_value_date date,
    review_months smallint,
    CONSTRAINT deleted_lot_is_empty CHECK (((deleted_at IS NULL) OR (quantity = 0))),
    CONSTRAINT lot_condition CHECK (
CASE
    WHEN (set_number IS NOT NULL) THEN (condition IS NOT NULL)
    WHEN (minifig_number IS NOT NULL) THEN (NOT (condition IS DISTINCT FROM 'used'::text))
    ELSE (condition IS NULL)
END),
    CONSTRAINT lot_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT lot_custom_name CHECK (((char_length(custom_name) >= 1) AND (char_length(custom_name) <= 100))),
    CONSTRAINT lot_is_of_one_item CHECK ((num_nonnulls(set_number, minifig_number, custom_name) = 1)),
    CONSTRAINT lot_own_value CHECK (((((own_value_cents >= 0) AND (own_value_cents <= 999999999)) AND (own_value_date IS NOT NULL)) OR (num_nonnulls(own_value_cents, own_value_date) = 0))),
    CONSTRAINT lot_own_value_of_custom_item CHECK (((custom_name IS NOT NULL) OR (num_nonnulls(own_value_cents, own_value_date, review_months) = 0))),
    CONSTRAINT lot_purchase_price_cents_check CHECK (((purchase_price_cents >= 0) AND (purchase_price_cents <= 999999999))),
    CONSTRAINT lot_quantity_check CHECK (((quantity >= 0) AND (quantity <= 1000000))),
    CONSTRAINT lot_review CHECK ((review_months = ANY (ARRAY[3, 12]))),
    CONSTRAINT lot_status_check CHECK ((status = ANY (ARRAY['owned'::text, 'listed'::text])))
);

ALTER TABLE ONLY portfolio.lot FORCE ROW LEVEL SECURITY;

ALTER TABLE portfolio.lot ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portfolio.lot_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW portfolio.lot_item WITH (security_invoker='true') AS
 SELECT lot.account_id,
    lot.id,
    lot.collection_id,
    lot.set_number,
    lot.minifig_number,
    lot.custom_name,
    COALESCE(lot.set_number, ('minifig:'::text || lot.minifig_number), ('custom:'::text || lot.id)) AS item,
    COALESCE(s.title, m.name, lot.custom_name) AS title,
        CASE
            WHEN (lot.set_number IS NOT NULL) THEN s.theme
            WHEN (lot.minifig_number IS NOT NULL) THEN 'Minifigs'::text
            ELSE 'Custom items'::text
        END AS theme,
    COALESCE(s.release_year, m.year_released) AS release_year,
    s.release_date,
    s.retire_date,
    lot.condition,
    lot.status,
    lot.quantity,
    lot.purchase_price_cents,
    lot.purchase_date,
    lot.notes,
    COALESCE(sv.value_cents, mv.value_cents, lot.own_value_cents) AS value_cents,
    COALESCE(sv.data_tier, mv.data_tier) AS data_tier,
    COALESCE(sv.calculated_at, mv.calculated_at) AS calculated_at,
    lot.own_value_date,
    lot.review_months,
    ((lot.own_value_date + make_interval(months => (lot.review_months)::integer)))::date AS review_date,
    (lot.xmin)::text AS version
   FROM ((((portfolio.lot
     LEFT JOIN catalog.set s ON ((s.set_number = lot.set_number)))
     LEFT JOIN market.set_value sv ON (((sv.set_number = lot.set_number) AND (sv.condition = lot.condition))))
     LEFT JOIN catalog.minifig m ON ((m.minifig_number = lot.minifig_number)))
     LEFT JOIN market.minifig_value mv ON ((mv.minifig_number = lot.minifig_number)));

CREATE TABLE portfolio.lot_view (
    account_id bigint NOT NULL,
    collection_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    CONSTRAINT lot_view_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 40))),
    CONSTRAINT lot_view_query_check CHECK (((char_length(query) >= 1) AND (char_length(query) <= 1000)))
);

ALTER TABLE ONLY portfolio.lot_view FORCE ROW LEVEL SECURITY;

ALTER TABLE portfolio.lot_view ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portfolio.lot_view_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portfolio.sale (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    set_number text,
    platform text NOT NULL,
    sale_date date NOT NULL,
    quantity integer NOT NULL,
    gross_proceeds_cents bigint NOT NULL,
    platform_fees_cents bigint DEFAULT 0 NOT NULL,
    payment_fees_cents bigint DEFAULT 0 NOT NULL,
    shipping_cost_cents bigint DEFAULT 0 NOT NULL,
    cost_cents bigint,
    minifig_number text,
    custom_name text,
    CONSTRAINT sale_cost_cents_check CHECK ((cost_cents >= 0)),
    CONSTRAINT sale_gross_proceeds_cents_check CHECK ((gross_proceeds_cents >= 0)),
    CONSTRAINT sale_is_of_one_item CHECK ((num_nonnulls(set_number, minifig_number, custom_name) = 1)),
    CONSTRAINT sale_payment_fees_cents_check CHECK ((payment_fees_cents >= 0)),
    CONSTRAINT sale_platform_check CHECK ((platform = ANY (ARRAY['ebay'::text, 'bricklink'::text, 'amazon'::text, 'walmart'::text, 'facebook'::text, 'mercari'::text, 'whatnot'::text, 'local'::text, 'other'::text]))),
    CONSTRAINT sale_platform_fees_cents_check CHECK ((platform_fees_cents >= 0)),
    CONSTRAINT sale_quantity_check CHECK ((quantity >= 1)),
    CONSTRAINT sale_shipping_cost_cents_check CHECK ((shipping_cost_cents >= 0))
);

ALTER TABLE ONLY portfolio.sale FORCE ROW LEVEL SECURITY;

ALTER TABLE portfolio.sale ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portfolio.sale_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portfolio.sale_lot (
    account_id bigint NOT NULL,
    sale_id bigint NOT NULL,
    lot_id bigint NOT NULL,
    quantity integer NOT NULL,
    CONSTRAINT sale_lot_quantity_check CHECK ((quantity >= 1))
);

ALTER TABLE ONLY portfolio.sale_lot FORCE ROW LEVEL SECURITY;

CREATE VIEW portfolio.sale_item WITH (security_invoker='true') AS
 SELECT sale.account_id,
    sale.id,
    sale.set_number,
    COALESCE(sale.set_number, ('minifig:'::text || sale.minifig_number), ('custom:'::text || COALESCE(( SELECT (min(l.lot_id))::text AS min
           FROM portfolio.sale_lot l
          WHERE ((l.account_id = sale.account_id) AND (l.sale_id = sale.id))), ''::text))) AS item,
    COALESCE(s.title, m.name, sale.custom_name) AS title,
    sale.platform,
    sale.sale_date,
    sale.quantity,
    sale.gross_proceeds_cents,
    sale.platform_fees_cents,
    sale.payment_fees_cents,
    sale.shipping_cost_cents,
    sale.cost_cents,
    (sale.xmin)::text AS version
   FROM ((portfolio.sale
     LEFT JOIN catalog.set s ON ((s.set_number = sale.set_number)))
     LEFT JOIN catalog.minifig m ON ((m.minifig_number = sale.minifig_number)));

CREATE TABLE portfolio.sale_order (
    account_id bigint NOT NULL,
    platform text NOT NULL,
    order_number text NOT NULL,
    line text NOT NULL,
    sale_id bigint NOT NULL,
    CONSTRAINT sale_order_platform_check CHECK ((platform = ANY (ARRAY['ebay'::text, 'bricklink'::text, 'amazon'::text, 'walmart'::text, 'facebook'::text, 'mercari'::text, 'whatnot'::text, 'local'::text, 'other'::text])))
);

ALTER TABLE ONLY portfolio.sale_order FORCE ROW LEVEL SECURITY;

CREATE TABLE portfolio.selling_costs (
    account_id bigint NOT NULL,
    fee_basis_points integer NOT NULL,
    fixed_fee_cents integer NOT NULL,
    shipping_cents integer[] NOT NULL,
    CONSTRAINT selling_costs_fee_basis_points_check CHECK (((fee_basis_points >= 0) AND (fee_basis_points <= 10000))),
    CONSTRAINT selling_costs_fixed_fee_cents_check CHECK (((fixed_fee_cents >= 0) AND (fixed_fee_cents <= 999999999))),
    CONSTRAINT selling_costs_shipping_cents_check CHECK (((cardinality(shipping_cents) = 4) AND (0 <= ALL (shipping_cents)) AND (999999999 >= ALL (shipping_cents))))
);

ALTER TABLE ONLY portfolio.selling_costs FORCE ROW LEVEL SECURITY;

CREATE TABLE portfolio.shelf (
    account_id bigint NOT NULL,
    collection_id bigint NOT NULL,
    heading text NOT NULL,
    shows_value boolean NOT NULL,
    shows_purchase_date boolean NOT NULL,
    shows_notes boolean NOT NULL,
    salt bytea NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT shelf_heading_check CHECK (((char_length(heading) >= 1) AND (char_length(heading) <= 100))),
    CONSTRAINT shelf_salt_check CHECK ((octet_length(salt) = 32)),
    CONSTRAINT shelf_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

ALTER TABLE ONLY portfolio.shelf FORCE ROW LEVEL SECURITY;

CREATE TABLE portfolio.watched_item (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    set_number text,
    minifig_number text,
    target_cents integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT watched_item_check CHECK ((num_nonnulls(set_number, minifig_number) = 1)),
    CONSTRAINT watched_item_target_cents_check CHECK (((target_cents >= 1) AND (target_cents <= 999999999)))
);

ALTER TABLE ONLY portfolio.watched_item FORCE ROW LEVEL SECURITY;

ALTER TABLE portfolio.watched_item ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portfolio.watched_item_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.migration (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);

CREATE SEQUENCE public.migration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.migration_id_seq OWNED BY public.migration.id;

CREATE TABLE source.growth_fit (
    fitted_on date NOT NULL,
    growth jsonb NOT NULL
);

CREATE TABLE source.held_row (
    import_id bigint NOT NULL,
    row_number bigint NOT NULL,
    staged jsonb NOT NULL
);

CREATE TABLE source.import (
    id bigint NOT NULL,
    feed text NOT NULL,
    file_name text NOT NULL,
    fingerprint text NOT NULL,
    accepted bigint NOT NULL,
    repeated bigint NOT NULL,
    quarantined bigint NOT NULL,
    finished_at timestamp with time zone DEFAULT now() NOT NULL,
    undo_started_at timestamp with time zone,
    undone_at timestamp with time zone,
    revised_to date,
    held_at timestamp with time zone,
    held_reason text,
    CONSTRAINT import_feed_check CHECK ((feed = ANY (ARRAY['catalog'::text, 'sales'::text, 'returns'::text, 'retail'::text])))
);

ALTER TABLE source.import ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME source.import_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE source.minifig_claim (
    minifig_number text NOT NULL,
    source_id text NOT NULL,
    stated_on date NOT NULL,
    name text,
    category text,
    color text,
    year_released integer,
    image_url text
);

CREATE TABLE source.month_model (
    month date NOT NULL,
    model jsonb NOT NULL
);

CREATE TABLE source.month_valuation (
    item_kind text NOT NULL,
    item_number text NOT NULL,
    condition text NOT NULL,
    month date NOT NULL,
    value_cents integer,
    effective_sales double precision NOT NULL,
    sellers integer NOT NULL,
    accepted_units integer NOT NULL,
    data_tier text NOT NULL,
    CONSTRAINT month_valuation_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT month_valuation_data_tier_check CHECK ((data_tier = ANY (ARRAY['market'::text, 'thin'::text, 'modelled'::text, 'none'::text]))),
    CONSTRAINT month_valuation_item_kind_check CHECK ((item_kind = ANY (ARRAY['set'::text, 'minifig'::text]))),
    CONSTRAINT month_valuation_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

CREATE TABLE source.poll_cursor (
    source_id text NOT NULL,
    cursor text,
    polled_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE source.product_match (
    retailer text NOT NULL,
    set_number text NOT NULL,
    product_id text NOT NULL,
    title text NOT NULL,
    product_url text NOT NULL,
    source_id text NOT NULL,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    rejected_at timestamp with time zone
);

CREATE TABLE source.product_search (
    retailer text NOT NULL,
    set_number text NOT NULL,
    searched_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE source.quarantine (
    id bigint NOT NULL,
    import_id bigint NOT NULL,
    feed text NOT NULL,
    row_number bigint NOT NULL,
    reason text NOT NULL,
    raw text,
    staged jsonb,
    retried_at timestamp with time zone,
    CONSTRAINT quarantine_check CHECK ((num_nonnulls(raw, staged) = 1))
);

ALTER TABLE source.quarantine ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME source.quarantine_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE source.retail_observation (
    source_id text NOT NULL,
    event_id text NOT NULL,
    license_id text NOT NULL,
    retailer text NOT NULL,
    product_id text NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    price_cents integer,
    list_price_cents integer,
    seller_type text,
    in_stock boolean,
    lowest_fba_cents integer,
    fba_sellers integer,
    buy_box_cents integer,
    arrival bigint NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    import_id bigint,
    CONSTRAINT retail_observation_buy_box_cents_check CHECK ((buy_box_cents > 0)),
    CONSTRAINT retail_observation_fba_sellers_check CHECK ((fba_sellers >= 0)),
    CONSTRAINT retail_observation_list_price_cents_check CHECK ((list_price_cents > 0)),
    CONSTRAINT retail_observation_lowest_fba_cents_check CHECK ((lowest_fba_cents > 0)),
    CONSTRAINT retail_observation_price_cents_check CHECK ((price_cents > 0)),
    CONSTRAINT retail_observation_seller_type_check CHECK ((seller_type = ANY (ARRAY['retailer'::text, 'third_party'::text])))
)
PARTITION BY RANGE (observed_at);

ALTER TABLE source.retail_observation ALTER COLUMN arrival ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME source.retail_observation_arrival_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE source.retail_observation_default (
    source_id text NOT NULL,
    event_id text NOT NULL,
    license_id text NOT NULL,
    retailer text NOT NULL,
    product_id text NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    price_cents integer,
    list_price_cents integer,
    seller_type text,
    in_stock boolean,
    lowest_fba_cents integer,
    fba_sellers integer,
    buy_box_cents integer,
    arrival bigint NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    import_id bigint,
    CONSTRAINT retail_observation_buy_box_cents_check CHECK ((buy_box_cents > 0)),
    CONSTRAINT retail_observation_fba_sellers_check CHECK ((fba_sellers >= 0)),
    CONSTRAINT retail_observation_list_price_cents_check CHECK ((list_price_cents > 0)),
    CONSTRAINT retail_observation_lowest_fba_cents_check CHECK ((lowest_fba_cents > 0)),
    CONSTRAINT retail_observation_price_cents_check CHECK ((price_cents > 0)),
    CONSTRAINT retail_observation_seller_type_check CHECK ((seller_type = ANY (ARRAY['retailer'::text, 'third_party'::text])))
);

CREATE TABLE source.retail_product (
    retailer text NOT NULL,
    product_id text NOT NULL,
    set_number text NOT NULL,
    product_url text NOT NULL,
    source_id text,
    history_read_at timestamp with time zone
);

CREATE TABLE source.retail_progress (
    retailer text NOT NULL,
    product_id text NOT NULL,
    progress jsonb NOT NULL,
    arrival bigint NOT NULL
);

CREATE TABLE source.retail_queue (
    retailer text NOT NULL,
    product_id text NOT NULL,
    marked_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE source.sale_event (
    event_key uuid NOT NULL,
    sold_on date NOT NULL
);

CREATE TABLE source.sale_observation (
    source_id text NOT NULL,
    event_id text NOT NULL,
    license_id text NOT NULL,
    item_kind text NOT NULL,
    item_number text NOT NULL,
    condition text NOT NULL,
    sold_on date NOT NULL,
    unit_price_cents integer NOT NULL,
    currency text NOT NULL,
    fx_rate numeric NOT NULL,
    quantity integer NOT NULL,
    seller_ref text,
    buyer_ref text,
    exclusion_reason text,
    known_on date NOT NULL,
    import_id bigint,
    CONSTRAINT sale_observation_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT sale_observation_exclusion_reason_check CHECK ((exclusion_reason = ANY (ARRAY['lot'::text, 'parts_only'::text, 'unknown_offer'::text]))),
    CONSTRAINT sale_observation_fx_rate_check CHECK ((fx_rate > (0)::numeric)),
    CONSTRAINT sale_observation_item_kind_check CHECK ((item_kind = ANY (ARRAY['set'::text, 'minifig'::text]))),
    CONSTRAINT sale_observation_quantity_check CHECK ((quantity >= 1)),
    CONSTRAINT sale_observation_unit_price_cents_check CHECK ((unit_price_cents > 0))
)
PARTITION BY RANGE (sold_on);

CREATE TABLE source.sale_observation_default (
    source_id text NOT NULL,
    event_id text NOT NULL,
    license_id text NOT NULL,
    item_kind text NOT NULL,
    item_number text NOT NULL,
    condition text NOT NULL,
    sold_on date NOT NULL,
    unit_price_cents integer NOT NULL,
    currency text NOT NULL,
    fx_rate numeric NOT NULL,
    quantity integer NOT NULL,
    seller_ref text,
    buyer_ref text,
    exclusion_reason text,
    known_on date NOT NULL,
    import_id bigint,
    CONSTRAINT sale_observation_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT sale_observation_exclusion_reason_check CHECK ((exclusion_reason = ANY (ARRAY['lot'::text, 'parts_only'::text, 'unknown_offer'::text]))),
    CONSTRAINT sale_observation_fx_rate_check CHECK ((fx_rate > (0)::numeric)),
    CONSTRAINT sale_observation_item_kind_check CHECK ((item_kind = ANY (ARRAY['set'::text, 'minifig'::text]))),
    CONSTRAINT sale_observation_quantity_check CHECK ((quantity >= 1)),
    CONSTRAINT sale_observation_unit_price_cents_check CHECK ((unit_price_cents > 0))
);

CREATE TABLE source.sale_return (
    source_id text NOT NULL,
    event_id text NOT NULL,
    license_id text NOT NULL,
    returned_on date NOT NULL,
    item_kind text,
    item_number text,
    known_on date NOT NULL,
    import_id bigint
);

CREATE TABLE source.set_claim (
    set_number text NOT NULL,
    source_id text NOT NULL,
    stated_on date NOT NULL,
    title text,
    theme text,
    subtheme text,
    pieces integer,
    msrp_cents integer,
    release_year integer,
    release_date date,
    retire_date date,
    asin text,
    upc text,
    ean text,
    image_url text,
    box_width_in numeric(6,2),
    box_height_in numeric(6,2),
    box_depth_in numeric(6,2),
    box_weight_lbs numeric(7,2)
);

CREATE TABLE source.set_minifig_claim (
    set_number text NOT NULL,
    minifig_number text NOT NULL,
    source_id text NOT NULL,
    stated_on date NOT NULL,
    quantity integer NOT NULL,
    CONSTRAINT set_minifig_claim_quantity_check CHECK ((quantity >= 1))
);

CREATE TABLE source.trader (
    role text NOT NULL,
    source_id text NOT NULL,
    ref text NOT NULL,
    item_number text NOT NULL,
    known_on date NOT NULL,
    several_since date,
    import_id bigint,
    several_import_id bigint,
    CONSTRAINT trader_role_check CHECK ((role = ANY (ARRAY['seller'::text, 'buyer'::text])))
);

CREATE TABLE source.undo_item (
    import_id bigint NOT NULL,
    item_kind text NOT NULL,
    item_number text NOT NULL
);

CREATE TABLE source.undo_row (
    import_id bigint NOT NULL,
    id bigint NOT NULL,
    source_id text NOT NULL,
    event_id text NOT NULL,
    sold_on date,
    observed_at timestamp with time zone
);

ALTER TABLE source.undo_row ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME source.undo_row_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE source.undo_trader (
    import_id bigint NOT NULL,
    role text NOT NULL,
    source_id text NOT NULL,
    ref text NOT NULL
);

CREATE TABLE source.valuation (
    item_kind text NOT NULL,
    item_number text NOT NULL,
    condition text NOT NULL,
    value_cents integer,
    effective_sales double precision NOT NULL,
    sellers integer NOT NULL,
    data_tier text NOT NULL,
    calculated_at timestamp with time zone NOT NULL,
    doubtful boolean DEFAULT false NOT NULL,
    CONSTRAINT valuation_condition_check CHECK ((condition = ANY (ARRAY['sealed'::text, 'used'::text]))),
    CONSTRAINT valuation_data_tier_check CHECK ((data_tier = ANY (ARRAY['market'::text, 'thin'::text, 'modelled'::text, 'none'::text]))),
    CONSTRAINT valuation_item_kind_check CHECK ((item_kind = ANY (ARRAY['set'::text, 'minifig'::text])))
);

CREATE TABLE source.valuation_queue (
    item_kind text NOT NULL,
    item_number text NOT NULL,
    marked_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT valuation_queue_item_kind_check CHECK ((item_kind = ANY (ARRAY['set'::text, 'minifig'::text])))
);

CREATE TABLE source.withdrawal (
    source_id text NOT NULL,
    revised_to date,
    finished_at timestamp with time zone
);

CREATE TABLE webhook.attempt (
    account_id bigint NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status_code smallint,
    response text NOT NULL
);

ALTER TABLE ONLY webhook.attempt FORCE ROW LEVEL SECURITY;

CREATE TABLE webhook.delivery (
    account_id bigint NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now(),
    CONSTRAINT delivery_check CHECK (((status = 'waiting'::text) = (next_attempt_at IS NOT NULL))),
    CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
);

ALTER TABLE ONLY webhook.delivery FORCE ROW LEVEL SECURITY;

CREATE TABLE webhook.endpoint (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    url text NOT NULL,
    salt bytea NOT NULL,
    old_salt bytea,
    old_salt_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    next_attempt_at timestamp with time zone,
    leased_until timestamp with time zone,
    last_attempt_at timestamp with time zone,
    last_status_code smallint,
    CONSTRAINT endpoint_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
    CONSTRAINT endpoint_check1 CHECK (((old_salt IS NULL) = (old_salt_until IS NULL))),
    CONSTRAINT endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['owner'::text, 'gone'::text]))),
    CONSTRAINT endpoint_url_check CHECK ((length(url) <= 2000))
);

ALTER TABLE ONLY webhook.endpoint FORCE ROW LEVEL SECURITY;

ALTER TABLE webhook.endpoint ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME webhook.endpoint_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE webhook.event (
    account_id bigint NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL
);

ALTER TABLE ONLY webhook.event FORCE ROW LEVEL SECURITY;

CREATE TABLE webhook.push_subscription (
    account_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    p256dh bytea NOT NULL,
    auth bytea NOT NULL,
    client text NOT NULL,
    device_hash bytea,
    paused_until timestamp with time zone,
    last_success_at timestamp with time zone,
    CONSTRAINT push_subscription_auth_check CHECK ((length(auth) = 16)),
    CONSTRAINT push_subscription_device_hash_check CHECK ((length(device_hash) = 32)),
    CONSTRAINT push_subscription_p256dh_check CHECK ((length(p256dh) = 65))
);

ALTER TABLE ONLY webhook.push_subscription FORCE ROW LEVEL SECURITY;

ALTER TABLE ONLY change.change ATTACH PARTITION change.change_default DEFAULT;

ALTER TABLE ONLY source.retail_observation ATTACH PARTITION source.retail_observation_default DEFAULT;

ALTER TABLE ONLY source.sale_observation ATTACH PARTITION source.sale_observation_default DEFAULT;

ALTER TABLE ONLY public.migration ALTER COLUMN id SET DEFAULT nextval('public.migration_id_seq'::regclass);

ALTER TABLE ONLY account.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY account.announcement
    ADD CONSTRAINT announcement_pkey PRIMARY KEY (id);

ALTER TABLE ONLY account.api_key
    ADD CONSTRAINT api_key_account_id_slot_key UNIQUE (account_id, slot);

ALTER TABLE ONLY account.api_key_directory
    ADD CONSTRAINT api_key_directory_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY account.api_key_last_request
    ADD CONSTRAINT api_key_last_request_pkey PRIMARY KEY (account_id, api_key_id);

ALTER TABLE ONLY account.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY account.api_key_quota_history
    ADD CONSTRAINT api_key_quota_history_pkey PRIMARY KEY (account_id, api_key_id, day);

ALTER TABLE ONLY account.api_key_quota
    ADD CONSTRAINT api_key_quota_pkey PRIMARY KEY (account_id, api_key_id);

ALTER TABLE ONLY account.api_key_usage
    ADD CONSTRAINT api_key_usage_pkey PRIMARY KEY (account_id, api_key_id, day, status);

ALTER TABLE ONLY account.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY account.deleted_account
    ADD CONSTRAINT deleted_account_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY account.plan
    ADD CONSTRAINT plan_pkey PRIMARY KEY (plan);

ALTER TABLE ONLY account.quota_notice
    ADD CONSTRAINT quota_notice_pkey PRIMARY KEY (account_id, api_key_id);

ALTER TABLE ONLY alert.alert
    ADD CONSTRAINT alert_account_id_rule_id_change_id_item_number_retailer_key UNIQUE (account_id, rule_id, change_id, item_number, retailer);

ALTER TABLE ONLY alert.alert
    ADD CONSTRAINT alert_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY alert.daily_total
    ADD CONSTRAINT daily_total_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY alert.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY alert.mail_schedule
    ADD CONSTRAINT mail_schedule_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY alert.mail_settings
    ADD CONSTRAINT mail_settings_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY alert.met_rule
    ADD CONSTRAINT met_rule_pkey PRIMARY KEY (account_id, rule_id, item_kind, item_number, retailer);

ALTER TABLE ONLY alert.rule
    ADD CONSTRAINT rule_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY auth.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (key);

ALTER TABLE ONLY auth.credential
    ADD CONSTRAINT credential_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.known_device
    ADD CONSTRAINT known_device_pkey PRIMARY KEY (user_id, device_hash);

ALTER TABLE ONLY auth.passkey
    ADD CONSTRAINT passkey_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY auth.passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.rate_limit
    ADD CONSTRAINT rate_limit_key_key UNIQUE (key);

ALTER TABLE ONLY auth.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.session
    ADD CONSTRAINT session_token_key UNIQUE (token);

ALTER TABLE ONLY auth.setup
    ADD CONSTRAINT setup_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY auth.two_factor
    ADD CONSTRAINT two_factor_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.used_code
    ADD CONSTRAINT used_code_pkey PRIMARY KEY (user_id, code_hash);

ALTER TABLE ONLY auth."user"
    ADD CONSTRAINT user_account_id_key UNIQUE (account_id);

ALTER TABLE ONLY auth."user"
    ADD CONSTRAINT user_email_key UNIQUE (email);

ALTER TABLE ONLY auth."user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.verification
    ADD CONSTRAINT verification_pkey PRIMARY KEY (id);

ALTER TABLE ONLY catalog.minifig_alias
    ADD CONSTRAINT minifig_alias_pkey PRIMARY KEY (alias);

ALTER TABLE ONLY catalog.minifig_origin
    ADD CONSTRAINT minifig_origin_pkey PRIMARY KEY (minifig_number);

ALTER TABLE ONLY catalog.minifig
    ADD CONSTRAINT minifig_pkey PRIMARY KEY (minifig_number);

ALTER TABLE ONLY catalog.retailer
    ADD CONSTRAINT retailer_pkey PRIMARY KEY (retailer);

ALTER TABLE ONLY catalog.set_minifig
    ADD CONSTRAINT set_minifig_pkey PRIMARY KEY (set_number, minifig_number);

ALTER TABLE ONLY catalog.set_origin
    ADD CONSTRAINT set_origin_pkey PRIMARY KEY (set_number);

ALTER TABLE ONLY catalog.set
    ADD CONSTRAINT set_pkey PRIMARY KEY (set_number);

ALTER TABLE ONLY change.change
    ADD CONSTRAINT change_pkey PRIMARY KEY (transaction_id, id, day);

ALTER TABLE ONLY change.change_default
    ADD CONSTRAINT change_default_pkey PRIMARY KEY (transaction_id, id, day);

ALTER TABLE ONLY change.cursor
    ADD CONSTRAINT cursor_pkey PRIMARY KEY (reader);

ALTER TABLE ONLY change.set_status
    ADD CONSTRAINT set_status_pkey PRIMARY KEY (set_number);

ALTER TABLE ONLY export.chunk
    ADD CONSTRAINT chunk_pkey PRIMARY KEY (run_id, dataset, "position");

ALTER TABLE ONLY export.file
    ADD CONSTRAINT file_pkey PRIMARY KEY (run_id, dataset);

ALTER TABLE ONLY export.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY export.run
    ADD CONSTRAINT run_started_at_key UNIQUE (started_at);

ALTER TABLE ONLY mail.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (id);

ALTER TABLE ONLY maintenance.partition_policy
    ADD CONSTRAINT partition_policy_pkey PRIMARY KEY (table_name);

ALTER TABLE ONLY market.accuracy_item
    ADD CONSTRAINT accuracy_item_pkey PRIMARY KEY (day, set_number, condition);

ALTER TABLE ONLY market.accuracy
    ADD CONSTRAINT accuracy_pkey PRIMARY KEY (day, condition, grouped_by, name);

ALTER TABLE ONLY market.brick_index
    ADD CONSTRAINT brick_index_pkey PRIMARY KEY (theme, month);

ALTER TABLE ONLY market.exchange_rate
    ADD CONSTRAINT exchange_rate_pkey PRIMARY KEY (currency);

ALTER TABLE ONLY market.fee_schedule
    ADD CONSTRAINT fee_schedule_pkey PRIMARY KEY (platform, valid_from);

ALTER TABLE ONLY market.finalized_month
    ADD CONSTRAINT finalized_month_pkey PRIMARY KEY (month);

ALTER TABLE ONLY market.minifig_value
    ADD CONSTRAINT minifig_value_pkey PRIMARY KEY (minifig_number);

ALTER TABLE ONLY market.resale_offer
    ADD CONSTRAINT resale_offer_pkey PRIMARY KEY (set_number);

ALTER TABLE ONLY market.retail_day
    ADD CONSTRAINT retail_day_pkey PRIMARY KEY (set_number, retailer, day);

ALTER TABLE ONLY market.retail_state
    ADD CONSTRAINT retail_state_pkey PRIMARY KEY (set_number, retailer);

ALTER TABLE ONLY market.set_month
    ADD CONSTRAINT set_month_pkey PRIMARY KEY (set_number, condition, month);

ALTER TABLE ONLY market.set_month_revision
    ADD CONSTRAINT set_month_revision_pkey PRIMARY KEY (id);

ALTER TABLE ONLY market.set_value
    ADD CONSTRAINT set_value_pkey PRIMARY KEY (set_number, condition);

ALTER TABLE ONLY portfolio.collection
    ADD CONSTRAINT collection_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY portfolio.form_submission
    ADD CONSTRAINT form_submission_pkey PRIMARY KEY (account_id, token);

ALTER TABLE ONLY portfolio.import
    ADD CONSTRAINT import_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY portfolio.import_row
    ADD CONSTRAINT import_row_pkey PRIMARY KEY (account_id, import_id, row_number);

ALTER TABLE ONLY portfolio.lot
    ADD CONSTRAINT lot_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY portfolio.lot_view
    ADD CONSTRAINT lot_view_account_id_collection_id_name_key UNIQUE (account_id, collection_id, name);

ALTER TABLE ONLY portfolio.lot_view
    ADD CONSTRAINT lot_view_pkey PRIMARY KEY (account_id, collection_id, id);

ALTER TABLE ONLY portfolio.sale_lot
    ADD CONSTRAINT sale_lot_pkey PRIMARY KEY (account_id, sale_id, lot_id);

ALTER TABLE ONLY portfolio.sale_order
    ADD CONSTRAINT sale_order_pkey PRIMARY KEY (account_id, platform, order_number, line);

ALTER TABLE ONLY portfolio.sale
    ADD CONSTRAINT sale_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY portfolio.selling_costs
    ADD CONSTRAINT selling_costs_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY portfolio.shelf
    ADD CONSTRAINT shelf_pkey PRIMARY KEY (account_id, collection_id);

ALTER TABLE ONLY portfolio.watched_item
    ADD CONSTRAINT watched_item_account_id_minifig_number_key UNIQUE (account_id, minifig_number);

ALTER TABLE ONLY portfolio.watched_item
    ADD CONSTRAINT watched_item_account_id_set_number_key UNIQUE (account_id, set_number);

ALTER TABLE ONLY portfolio.watched_item
    ADD CONSTRAINT watched_item_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY source.growth_fit
    ADD CONSTRAINT growth_fit_pkey PRIMARY KEY (fitted_on);

ALTER TABLE ONLY source.held_row
    ADD CONSTRAINT held_row_pkey PRIMARY KEY (import_id, row_number);

ALTER TABLE ONLY source.import
    ADD CONSTRAINT import_pkey PRIMARY KEY (id);

ALTER TABLE ONLY source.license
    ADD CONSTRAINT license_pkey PRIMARY KEY (id);

ALTER TABLE ONLY source.minifig_claim
    ADD CONSTRAINT minifig_claim_pkey PRIMARY KEY (minifig_number, source_id);

ALTER TABLE ONLY source.month_model
    ADD CONSTRAINT month_model_pkey PRIMARY KEY (month);

ALTER TABLE ONLY source.month_valuation
    ADD CONSTRAINT month_valuation_pkey PRIMARY KEY (item_kind, item_number, condition, month);

ALTER TABLE ONLY source.poll_cursor
    ADD CONSTRAINT poll_cursor_pkey PRIMARY KEY (source_id);

ALTER TABLE ONLY source.product_match
    ADD CONSTRAINT product_match_pkey PRIMARY KEY (retailer, set_number, product_id);

ALTER TABLE ONLY source.product_search
    ADD CONSTRAINT product_search_pkey PRIMARY KEY (retailer, set_number);

ALTER TABLE ONLY source.quarantine
    ADD CONSTRAINT quarantine_pkey PRIMARY KEY (id);

ALTER TABLE ONLY source.retail_observation
    ADD CONSTRAINT retail_observation_pkey PRIMARY KEY (source_id, event_id, observed_at);

ALTER TABLE ONLY source.retail_observation_default
    ADD CONSTRAINT retail_observation_default_pkey PRIMARY KEY (source_id, event_id, observed_at);

ALTER TABLE ONLY source.retail_product
    ADD CONSTRAINT retail_product_pkey PRIMARY KEY (retailer, set_number);

ALTER TABLE ONLY source.retail_product
    ADD CONSTRAINT retail_product_retailer_product_id_key UNIQUE (retailer, product_id);

ALTER TABLE ONLY source.retail_progress
    ADD CONSTRAINT retail_progress_pkey PRIMARY KEY (retailer, product_id);

ALTER TABLE ONLY source.retail_queue
    ADD CONSTRAINT retail_queue_pkey PRIMARY KEY (retailer, product_id);

ALTER TABLE ONLY source.sale_event
    ADD CONSTRAINT sale_event_pkey PRIMARY KEY (event_key);

ALTER TABLE ONLY source.sale_observation
    ADD CONSTRAINT sale_observation_pkey PRIMARY KEY (source_id, event_id, sold_on);

ALTER TABLE ONLY source.sale_observation_default
    ADD CONSTRAINT sale_observation_default_pkey PRIMARY KEY (source_id, event_id, sold_on);

ALTER TABLE ONLY source.sale_return
    ADD CONSTRAINT sale_return_pkey PRIMARY KEY (source_id, event_id);

ALTER TABLE ONLY source.set_claim
    ADD CONSTRAINT set_claim_pkey PRIMARY KEY (set_number, source_id);

ALTER TABLE ONLY source.set_minifig_claim
    ADD CONSTRAINT set_minifig_claim_pkey PRIMARY KEY (set_number, source_id, minifig_number);

ALTER TABLE ONLY source.source
    ADD CONSTRAINT source_pkey PRIMARY KEY (id);

ALTER TABLE ONLY source.trader
    ADD CONSTRAINT trader_pkey PRIMARY KEY (role, source_id, ref);

ALTER TABLE ONLY source.undo_item
    ADD CONSTRAINT undo_item_pkey PRIMARY KEY (import_id, item_kind, item_number);

ALTER TABLE ONLY source.undo_row
    ADD CONSTRAINT undo_row_pkey PRIMARY KEY (import_id, id);

ALTER TABLE ONLY source.undo_trader
    ADD CONSTRAINT undo_trader_pkey PRIMARY KEY (import_id, role, source_id, ref);

ALTER TABLE ONLY source.valuation
    ADD CONSTRAINT valuation_pkey PRIMARY KEY (item_kind, item_number, condition);

ALTER TABLE ONLY source.valuation_queue
    ADD CONSTRAINT valuation_queue_pkey PRIMARY KEY (item_kind, item_number);

ALTER TABLE ONLY source.withdrawal
    ADD CONSTRAINT withdrawal_pkey PRIMARY KEY (source_id);

ALTER TABLE ONLY webhook.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (account_id, event_id, endpoint_id, at);

ALTER TABLE ONLY webhook.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (account_id, event_id, endpoint_id);

ALTER TABLE ONLY webhook.endpoint
    ADD CONSTRAINT endpoint_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webhook.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY webhook.push_subscription
    ADD CONSTRAINT push_subscription_pkey PRIMARY KEY (account_id, endpoint_id);

CREATE INDEX account_name_trigrams ON account.account USING gin (lower(name) public.gin_trgm_ops);

CREATE INDEX api_key_directory_by_key ON account.api_key_directory USING btree (account_id, api_key_id);

CREATE INDEX alert_by_age ON alert.alert USING btree (at);

CREATE INDEX alert_in_order ON alert.alert USING btree (account_id, at DESC, id DESC);

CREATE INDEX mail_schedule_by_time ON alert.mail_schedule USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX mail_settings_with_quota_mail ON alert.mail_settings USING btree (account_id) WHERE quota_mail;

CREATE INDEX rule_by_collection ON alert.rule USING btree (account_id, collection_id) WHERE (collection_id IS NOT NULL);

CREATE INDEX rule_by_minifig ON alert.rule USING btree (minifig_number) WHERE (minifig_number IS NOT NULL);

CREATE INDEX rule_by_set ON alert.rule USING btree (set_number) WHERE (set_number IS NOT NULL);

CREATE INDEX rule_of_watchlist ON alert.rule USING btree (account_id) WHERE ((set_number IS NULL) AND (minifig_number IS NULL) AND (collection_id IS NULL));

CREATE UNIQUE INDEX rule_once ON alert.rule USING btree (account_id, kind, set_number, minifig_number, collection_id, threshold) NULLS NOT DISTINCT;

CREATE INDEX attempt_by_expiry ON auth.attempt USING btree (expire);

CREATE INDEX credential_by_user ON auth.credential USING btree (user_id);

CREATE INDEX passkey_by_user ON auth.passkey USING btree (user_id);

CREATE INDEX session_by_user ON auth.session USING btree (user_id);

CREATE INDEX two_factor_by_user ON auth.two_factor USING btree (user_id);

CREATE INDEX user_email_trigrams ON auth."user" USING gin (email public.gin_trgm_ops);

CREATE INDEX verification_by_identifier ON auth.verification USING btree (identifier);

CREATE UNIQUE INDEX minifig_alias_any_case ON catalog.minifig_alias USING btree (lower(alias));

CREATE INDEX minifig_alias_by_minifig ON catalog.minifig_alias USING btree (minifig_number);

CREATE UNIQUE INDEX minifig_number_any_case ON catalog.minifig USING btree (lower(minifig_number));

CREATE UNIQUE INDEX set_asin ON catalog.set USING btree (asin);

CREATE UNIQUE INDEX set_ean ON catalog.set USING btree (ean);

CREATE INDEX set_minifig_by_minifig ON catalog.set_minifig USING btree (minifig_number);

CREATE INDEX set_search_title ON catalog.set USING gin (search_title public.gin_trgm_ops);

CREATE UNIQUE INDEX set_upc ON catalog.set USING btree (upc);

CREATE INDEX change_by_item ON ONLY change.change USING btree (item_number, kind, at);

CREATE INDEX change_default_item_number_kind_at_idx ON change.change_default USING btree (item_number, kind, at);

CREATE UNIQUE INDEX validity_expr_idx ON export.validity USING btree ((true));

CREATE INDEX message_by_attempt ON mail.message USING btree (next_attempt_at);

CREATE UNIQUE INDEX collection_one_default ON portfolio.collection USING btree (account_id) WHERE is_default;

CREATE UNIQUE INDEX import_one_draft ON portfolio.import USING btree (account_id) WHERE (status = 'draft'::text);

CREATE INDEX lot_by_import ON portfolio.lot USING btree (account_id, import_id) WHERE (import_id IS NOT NULL);

CREATE INDEX lot_by_set ON portfolio.lot USING btree (set_number, account_id, collection_id) WHERE (quantity > 0);

CREATE INDEX lot_in_order ON portfolio.lot USING btree (account_id, collection_id, id) INCLUDE (set_number, condition, status, quantity, purchase_price_cents, purchase_date) WHERE (quantity > 0);

CREATE INDEX sale_in_order ON portfolio.sale USING btree (account_id, sale_date DESC, id DESC);

CREATE INDEX sale_lot_by_lot ON portfolio.sale_lot USING btree (account_id, lot_id);

CREATE INDEX sale_order_by_sale ON portfolio.sale_order USING btree (account_id, sale_id);

CREATE INDEX shelf_by_token ON portfolio.shelf USING btree (token_hash);

CREATE INDEX watched_item_minifig ON portfolio.watched_item USING btree (minifig_number) WHERE (minifig_number IS NOT NULL);

CREATE INDEX watched_item_set ON portfolio.watched_item USING btree (set_number) WHERE (set_number IS NOT NULL);

CREATE INDEX minifig_claim_by_source ON source.minifig_claim USING btree (source_id, minifig_number);

CREATE INDEX quarantine_open ON source.quarantine USING btree (feed, id) WHERE (retried_at IS NULL);

CREATE INDEX retail_observation_by_product ON ONLY source.retail_observation USING btree (retailer, product_id, arrival);

CREATE INDEX retail_observation_default_retailer_product_id_arrival_idx ON source.retail_observation_default USING btree (retailer, product_id, arrival);

CREATE INDEX sale_observation_by_item ON ONLY source.sale_observation USING btree (item_kind, item_number, condition, sold_on, source_id, event_id) INCLUDE (unit_price_cents, quantity, seller_ref, buyer_ref, exclusion_reason, known_on);

CREATE INDEX sale_observation_default_item_kind_item_number_condition_so_idx ON source.sale_observation_default USING btree (item_kind, item_number, condition, sold_on, source_id, event_id) INCLUDE (unit_price_cents, quantity, seller_ref, buyer_ref, exclusion_reason, known_on);

CREATE INDEX sale_return_by_item ON source.sale_return USING btree (item_kind, item_number);

CREATE INDEX set_claim_asin ON source.set_claim USING btree (asin) WHERE (asin IS NOT NULL);

CREATE INDEX set_claim_by_source ON source.set_claim USING btree (source_id, set_number);

CREATE INDEX set_claim_ean ON source.set_claim USING btree (ean) WHERE (ean IS NOT NULL);

CREATE INDEX set_claim_upc ON source.set_claim USING btree (upc) WHERE (upc IS NOT NULL);

CREATE INDEX set_minifig_claim_by_source ON source.set_minifig_claim USING btree (source_id, set_number);

CREATE INDEX delivery_by_endpoint ON webhook.delivery USING btree (account_id, endpoint_id, at DESC);

CREATE INDEX delivery_due ON webhook.delivery USING btree (account_id, endpoint_id, next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX endpoint_by_attempt ON webhook.endpoint USING btree (next_attempt_at) WHERE ((disabled_at IS NULL) AND (next_attempt_at IS NOT NULL));

CREATE INDEX event_by_age ON webhook.event USING btree (at);

ALTER INDEX change.change_by_item ATTACH PARTITION change.change_default_item_number_kind_at_idx;

ALTER INDEX change.change_pkey ATTACH PARTITION change.change_default_pkey;

ALTER INDEX source.retail_observation_pkey ATTACH PARTITION source.retail_observation_default_pkey;

ALTER INDEX source.retail_observation_by_product ATTACH PARTITION source.retail_observation_default_retailer_product_id_arrival_idx;

ALTER INDEX source.sale_observation_by_item ATTACH PARTITION source.sale_observation_default_item_kind_item_number_condition_so_idx;

ALTER INDEX source.sale_observation_pkey ATTACH PARTITION source.sale_observation_default_pkey;

CREATE TRIGGER active_key_has_slot BEFORE INSERT OR UPDATE ON account.api_key FOR EACH ROW WHEN (((new.slot IS NULL) AND (new.revoked_at IS NULL) AND (new.expires_at > now()))) EXECUTE FUNCTION account.reject_active_key_without_slot();

CREATE TRIGGER archive_previous_day AFTER UPDATE ON account.api_key_quota FOR EACH ROW WHEN (((old.day <> new.day) AND (old.day > (new.day - 40)))) EXECUTE FUNCTION account.archive_quota();

CREATE TRIGGER expiry_is_final BEFORE UPDATE ON account.api_key FOR EACH ROW WHEN (((old.expires_at IS NOT NULL) AND ((new.expires_at IS NULL) OR (new.expires_at > old.expires_at)))) EXECUTE FUNCTION account.reject_extending();

CREATE TRIGGER revocation_is_final BEFORE UPDATE ON account.api_key FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) AND (new.revoked_at IS DISTINCT FROM old.revoked_at))) EXECUTE FUNCTION account.reject_unrevoking();

CREATE TRIGGER suspended_like_account BEFORE INSERT ON account.api_key FOR EACH ROW EXECUTE FUNCTION account.copy_suspended();

CREATE TRIGGER log_new_device AFTER INSERT ON auth.known_device FOR EACH ROW EXECUTE FUNCTION auth.log_credential_change('sign-in.new-device');

CREATE TRIGGER log_new_passkey AFTER INSERT ON auth.passkey FOR EACH ROW EXECUTE FUNCTION auth.log_credential_change('passkey.added');

CREATE TRIGGER log_password_change AFTER UPDATE ON auth.credential FOR EACH ROW WHEN ((new.password IS DISTINCT FROM old.password)) EXECUTE FUNCTION auth.log_credential_change('password.changed');

CREATE TRIGGER log_removed_passkey AFTER DELETE ON auth.passkey FOR EACH ROW EXECUTE FUNCTION auth.log_credential_change('passkey.removed');

CREATE TRIGGER log_two_factor_change AFTER UPDATE ON auth."user" FOR EACH ROW WHEN ((new.two_factor_enabled IS DISTINCT FROM old.two_factor_enabled)) EXECUTE FUNCTION auth.log_two_factor_change();

CREATE TRIGGER new_password_ends_resets AFTER UPDATE ON auth.credential FOR EACH ROW WHEN ((new.password IS DISTINCT FROM old.password)) EXECUTE FUNCTION auth.end_password_resets();

CREATE TRIGGER operator_ends_setup AFTER INSERT OR UPDATE OF operator ON auth."user" FOR EACH ROW WHEN (new.operator) EXECUTE FUNCTION auth.end_setup();

CREATE TRIGGER operator_has_second_factor AFTER DELETE ON auth.passkey FOR EACH ROW EXECUTE FUNCTION auth.check_operator_after_passkey();

CREATE TRIGGER operator_has_second_factor BEFORE INSERT OR UPDATE OF operator, two_factor_enabled ON auth."user" FOR EACH ROW EXECUTE FUNCTION auth.check_operator();

CREATE TRIGGER suspended_like_account BEFORE INSERT ON auth."user" FOR EACH ROW WHEN ((new.account_id IS NOT NULL)) EXECUTE FUNCTION account.copy_suspended();

CREATE TRIGGER user_has_account BEFORE INSERT ON auth."user" FOR EACH ROW WHEN ((new.account_id IS NULL)) EXECUTE FUNCTION auth.open_account();

CREATE TRIGGER derived_columns BEFORE INSERT OR UPDATE ON catalog.set FOR EACH ROW EXECUTE FUNCTION catalog.derive_set_columns();

CREATE TRIGGER notify_delete AFTER DELETE ON catalog.minifig REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_delete AFTER DELETE ON catalog.minifig_alias REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_delete AFTER DELETE ON catalog.retailer REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_delete AFTER DELETE ON catalog.set REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_delete AFTER DELETE ON catalog.set_minifig REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_insert AFTER INSERT ON catalog.minifig REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_insert AFTER INSERT ON catalog.minifig_alias REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_insert AFTER INSERT ON catalog.retailer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_insert AFTER INSERT ON catalog.set REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_insert AFTER INSERT ON catalog.set_minifig REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON catalog.minifig FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON catalog.minifig_alias FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON catalog.retailer FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON catalog.set FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON catalog.set_minifig FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_update AFTER UPDATE ON catalog.minifig REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_update AFTER UPDATE ON catalog.minifig_alias REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_update AFTER UPDATE ON catalog.retailer REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_update AFTER UPDATE ON catalog.set REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_update AFTER UPDATE ON catalog.set_minifig REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER search_text BEFORE INSERT OR UPDATE ON catalog.minifig FOR EACH ROW EXECUTE FUNCTION catalog.minifig_search_text();

CREATE TRIGGER record_update AFTER UPDATE ON change.set_status FOR EACH ROW WHEN (((old.status <> new.status) AND ((old.status <> 'unknown'::text) OR (new.status <> 'retired'::text)))) EXECUTE FUNCTION change.record_status();

CREATE TRIGGER months_are_final BEFORE UPDATE ON market.set_month FOR EACH ROW EXECUTE FUNCTION market.reject_change();

CREATE TRIGGER notify_delete AFTER DELETE ON market.minifig_value REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_delete AFTER DELETE ON market.resale_offer REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_delete AFTER DELETE ON market.retail_state REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_delete AFTER DELETE ON market.set_month REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_delete AFTER DELETE ON market.set_value REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_insert AFTER INSERT ON market.minifig_value REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_insert AFTER INSERT ON market.resale_offer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_insert AFTER INSERT ON market.retail_state REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_insert AFTER INSERT ON market.set_month REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_insert AFTER INSERT ON market.set_value REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON market.minifig_value FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON market.resale_offer FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON market.retail_state FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON market.set_month FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_truncate AFTER TRUNCATE ON market.set_value FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('all');

CREATE TRIGGER notify_update AFTER UPDATE ON market.minifig_value REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('minifigs');

CREATE TRIGGER notify_update AFTER UPDATE ON market.resale_offer REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_update AFTER UPDATE ON market.retail_state REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_update AFTER UPDATE ON market.set_month REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER notify_update AFTER UPDATE ON market.set_value REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog.notify_change('sets');

CREATE TRIGGER record_insert AFTER INSERT ON market.minifig_value FOR EACH ROW EXECUTE FUNCTION change.record_minifig_value();

CREATE TRIGGER record_insert AFTER INSERT ON market.retail_state FOR EACH ROW EXECUTE FUNCTION change.record_retail_state();

CREATE TRIGGER record_insert AFTER INSERT ON market.set_value FOR EACH ROW EXECUTE FUNCTION change.record_set_value();

CREATE TRIGGER record_update AFTER UPDATE ON market.minifig_value FOR EACH ROW WHEN (((old.value_cents IS DISTINCT FROM new.value_cents) OR (old.data_tier IS DISTINCT FROM new.data_tier))) EXECUTE FUNCTION change.record_minifig_value();

CREATE TRIGGER record_update AFTER UPDATE ON market.retail_state FOR EACH ROW WHEN ((((old.price_cents IS DISTINCT FROM new.price_cents) OR (old.in_stock IS DISTINCT FROM new.in_stock)) OR (old.seller_type IS DISTINCT FROM new.seller_type))) EXECUTE FUNCTION change.record_retail_state();

CREATE TRIGGER record_update AFTER UPDATE ON market.set_value FOR EACH ROW WHEN (((old.value_cents IS DISTINCT FROM new.value_cents) OR (old.data_tier IS DISTINCT FROM new.data_tier))) EXECUTE FUNCTION change.record_set_value();

CREATE TRIGGER changed_target_is_rule AFTER UPDATE OF target_cents ON portfolio.watched_item FOR EACH ROW WHEN ((new.target_cents IS DISTINCT FROM old.target_cents)) EXECUTE FUNCTION alert.follow_target();

CREATE TRIGGER target_is_rule AFTER INSERT ON portfolio.watched_item FOR EACH ROW WHEN ((new.target_cents IS NOT NULL)) EXECUTE FUNCTION alert.follow_target();

ALTER TABLE ONLY account.account
    ADD CONSTRAINT account_plan_fkey FOREIGN KEY (plan) REFERENCES account.plan(plan);

ALTER TABLE ONLY account.api_key
    ADD CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY account.api_key_directory
    ADD CONSTRAINT api_key_directory_account_id_api_key_id_fkey FOREIGN KEY (account_id, api_key_id) REFERENCES account.api_key(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY account.audit_log
    ADD CONSTRAINT audit_log_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY account.quota_notice
    ADD CONSTRAINT quota_notice_account_id_api_key_id_fkey FOREIGN KEY (account_id, api_key_id) REFERENCES account.api_key(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.alert
    ADD CONSTRAINT alert_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.daily_total
    ADD CONSTRAINT daily_total_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.inbox
    ADD CONSTRAINT inbox_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.mail_schedule
    ADD CONSTRAINT mail_schedule_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.mail_settings
    ADD CONSTRAINT mail_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.met_rule
    ADD CONSTRAINT met_rule_account_id_rule_id_fkey FOREIGN KEY (account_id, rule_id) REFERENCES alert.rule(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.rule
    ADD CONSTRAINT rule_account_id_collection_id_fkey FOREIGN KEY (account_id, collection_id) REFERENCES portfolio.collection(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.rule
    ADD CONSTRAINT rule_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.rule
    ADD CONSTRAINT rule_minifig_number_fkey FOREIGN KEY (minifig_number) REFERENCES catalog.minifig(minifig_number) ON DELETE CASCADE;

ALTER TABLE ONLY alert.rule
    ADD CONSTRAINT rule_of_target FOREIGN KEY (account_id, watched_item_id) REFERENCES portfolio.watched_item(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY alert.rule
    ADD CONSTRAINT rule_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY auth.credential
    ADD CONSTRAINT credential_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.known_device
    ADD CONSTRAINT known_device_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.passkey
    ADD CONSTRAINT passkey_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.session
    ADD CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.two_factor
    ADD CONSTRAINT two_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.used_code
    ADD CONSTRAINT used_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth."user"(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth."user"
    ADD CONSTRAINT user_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY catalog.minifig_alias
    ADD CONSTRAINT minifig_alias_minifig_number_fkey FOREIGN KEY (minifig_number) REFERENCES catalog.minifig(minifig_number) ON DELETE CASCADE;

ALTER TABLE ONLY catalog.minifig_origin
    ADD CONSTRAINT minifig_origin_minifig_number_fkey FOREIGN KEY (minifig_number) REFERENCES catalog.minifig(minifig_number) ON DELETE CASCADE;

ALTER TABLE ONLY catalog.set_minifig
    ADD CONSTRAINT set_minifig_minifig_number_fkey FOREIGN KEY (minifig_number) REFERENCES catalog.minifig(minifig_number) ON DELETE CASCADE;

ALTER TABLE ONLY catalog.set_minifig
    ADD CONSTRAINT set_minifig_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY catalog.set_origin
    ADD CONSTRAINT set_origin_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY change.set_status
    ADD CONSTRAINT set_status_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY export.chunk
    ADD CONSTRAINT chunk_run_id_fkey FOREIGN KEY (run_id) REFERENCES export.run(id) ON DELETE CASCADE;

ALTER TABLE ONLY export.file
    ADD CONSTRAINT file_run_id_fkey FOREIGN KEY (run_id) REFERENCES export.run(id) ON DELETE CASCADE;

ALTER TABLE ONLY market.brick_index
    ADD CONSTRAINT brick_index_month_fkey FOREIGN KEY (month) REFERENCES market.finalized_month(month);

ALTER TABLE ONLY market.minifig_value
    ADD CONSTRAINT minifig_value_minifig_number_fkey FOREIGN KEY (minifig_number) REFERENCES catalog.minifig(minifig_number) ON DELETE CASCADE;

ALTER TABLE ONLY market.resale_offer
    ADD CONSTRAINT resale_offer_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY market.retail_day
    ADD CONSTRAINT retail_day_retailer_fkey FOREIGN KEY (retailer) REFERENCES catalog.retailer(retailer);

ALTER TABLE ONLY market.retail_day
    ADD CONSTRAINT retail_day_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY market.retail_state
    ADD CONSTRAINT retail_state_retailer_fkey FOREIGN KEY (retailer) REFERENCES catalog.retailer(retailer);

ALTER TABLE ONLY market.retail_state
    ADD CONSTRAINT retail_state_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY market.set_month_revision
    ADD CONSTRAINT set_month_revision_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY market.set_month
    ADD CONSTRAINT set_month_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY market.set_value
    ADD CONSTRAINT set_value_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.collection
    ADD CONSTRAINT collection_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.form_submission
    ADD CONSTRAINT form_submission_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.import
    ADD CONSTRAINT import_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.import_row
    ADD CONSTRAINT import_row_account_id_import_id_fkey FOREIGN KEY (account_id, import_id) REFERENCES portfolio.import(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.lot
    ADD CONSTRAINT lot_account_id_collection_id_fkey FOREIGN KEY (account_id, collection_id) REFERENCES portfolio.collection(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.lot
    ADD CONSTRAINT lot_account_id_import_id_fkey FOREIGN KEY (account_id, import_id) REFERENCES portfolio.import(account_id, id) ON DELETE SET NULL (import_id);

ALTER TABLE ONLY portfolio.lot
    ADD CONSTRAINT lot_minifig FOREIGN KEY (minifig_number) REFERENCES catalog.minifig(minifig_number);

ALTER TABLE ONLY portfolio.lot
    ADD CONSTRAINT lot_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number);

ALTER TABLE ONLY portfolio.lot_view
    ADD CONSTRAINT lot_view_account_id_collection_id_fkey FOREIGN KEY (account_id, collection_id) REFERENCES portfolio.collection(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.sale
    ADD CONSTRAINT sale_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.sale_lot
    ADD CONSTRAINT sale_lot_account_id_lot_id_fkey FOREIGN KEY (account_id, lot_id) REFERENCES portfolio.lot(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.sale_lot
    ADD CONSTRAINT sale_lot_account_id_sale_id_fkey FOREIGN KEY (account_id, sale_id) REFERENCES portfolio.sale(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.sale
    ADD CONSTRAINT sale_minifig FOREIGN KEY (minifig_number) REFERENCES catalog.minifig(minifig_number);

ALTER TABLE ONLY portfolio.sale_order
    ADD CONSTRAINT sale_order_account_id_sale_id_fkey FOREIGN KEY (account_id, sale_id) REFERENCES portfolio.sale(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.sale
    ADD CONSTRAINT sale_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number);

ALTER TABLE ONLY portfolio.selling_costs
    ADD CONSTRAINT selling_costs_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.shelf
    ADD CONSTRAINT shelf_account_id_collection_id_fkey FOREIGN KEY (account_id, collection_id) REFERENCES portfolio.collection(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.watched_item
    ADD CONSTRAINT watched_item_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.watched_item
    ADD CONSTRAINT watched_item_minifig_number_fkey FOREIGN KEY (minifig_number) REFERENCES catalog.minifig(minifig_number) ON DELETE CASCADE;

ALTER TABLE ONLY portfolio.watched_item
    ADD CONSTRAINT watched_item_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY source.held_row
    ADD CONSTRAINT held_row_import_id_fkey FOREIGN KEY (import_id) REFERENCES source.import(id) ON DELETE CASCADE;

ALTER TABLE ONLY source.month_model
    ADD CONSTRAINT month_model_month_fkey FOREIGN KEY (month) REFERENCES market.finalized_month(month);

ALTER TABLE ONLY source.poll_cursor
    ADD CONSTRAINT poll_cursor_source_id_fkey FOREIGN KEY (source_id) REFERENCES source.source(id);

ALTER TABLE ONLY source.product_match
    ADD CONSTRAINT product_match_retailer_fkey FOREIGN KEY (retailer) REFERENCES catalog.retailer(retailer);

ALTER TABLE ONLY source.product_match
    ADD CONSTRAINT product_match_source_id_fkey FOREIGN KEY (source_id) REFERENCES source.source(id);

ALTER TABLE ONLY source.product_search
    ADD CONSTRAINT product_search_retailer_fkey FOREIGN KEY (retailer) REFERENCES catalog.retailer(retailer);

ALTER TABLE ONLY source.quarantine
    ADD CONSTRAINT quarantine_import_id_fkey FOREIGN KEY (import_id) REFERENCES source.import(id) ON DELETE CASCADE;

ALTER TABLE ONLY source.retail_product
    ADD CONSTRAINT retail_product_retailer_fkey FOREIGN KEY (retailer) REFERENCES catalog.retailer(retailer);

ALTER TABLE ONLY source.retail_product
    ADD CONSTRAINT retail_product_set_number_fkey FOREIGN KEY (set_number) REFERENCES catalog.set(set_number) ON DELETE CASCADE;

ALTER TABLE ONLY source.sale_return
    ADD CONSTRAINT sale_return_license_id_fkey FOREIGN KEY (license_id) REFERENCES source.license(id);

ALTER TABLE ONLY source.sale_return
    ADD CONSTRAINT sale_return_source_id_fkey FOREIGN KEY (source_id) REFERENCES source.source(id);

ALTER TABLE ONLY source.source
    ADD CONSTRAINT source_license_id_fkey FOREIGN KEY (license_id) REFERENCES source.license(id);

ALTER TABLE ONLY source.undo_item
    ADD CONSTRAINT undo_item_import_id_fkey FOREIGN KEY (import_id) REFERENCES source.import(id) ON DELETE CASCADE;

ALTER TABLE ONLY source.undo_row
    ADD CONSTRAINT undo_row_import_id_fkey FOREIGN KEY (import_id) REFERENCES source.import(id) ON DELETE CASCADE;

ALTER TABLE ONLY source.undo_trader
    ADD CONSTRAINT undo_trader_import_id_fkey FOREIGN KEY (import_id) REFERENCES source.import(id) ON DELETE CASCADE;

ALTER TABLE ONLY source.withdrawal
    ADD CONSTRAINT withdrawal_source_id_fkey FOREIGN KEY (source_id) REFERENCES source.source(id);

ALTER TABLE ONLY webhook.attempt
    ADD CONSTRAINT attempt_account_id_event_id_endpoint_id_fkey FOREIGN KEY (account_id, event_id, endpoint_id) REFERENCES webhook.delivery(account_id, event_id, endpoint_id) ON DELETE CASCADE;

ALTER TABLE ONLY webhook.delivery
    ADD CONSTRAINT delivery_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook.endpoint(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY webhook.delivery
    ADD CONSTRAINT delivery_account_id_event_id_fkey FOREIGN KEY (account_id, event_id) REFERENCES webhook.event(account_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY webhook.endpoint
    ADD CONSTRAINT endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY webhook.event
    ADD CONSTRAINT event_account_id_fkey FOREIGN KEY (account_id) REFERENCES account.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY webhook.push_subscription
    ADD CONSTRAINT push_subscription_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook.endpoint(account_id, id) ON DELETE CASCADE;

ALTER TABLE account.account ENABLE ROW LEVEL SECURITY;

CREATE POLICY admission ON account.account FOR SELECT TO brickmark_admission USING (true);

CREATE POLICY admission ON account.api_key FOR SELECT TO brickmark_admission USING ((NOT suspended));

CREATE POLICY admission ON account.api_key_directory FOR SELECT TO brickmark_admission USING (true);

CREATE POLICY admission ON account.api_key_last_request TO brickmark_admission USING (true);

CREATE POLICY admission ON account.api_key_quota TO brickmark_admission USING (true);

CREATE POLICY admission ON account.api_key_quota_history TO brickmark_admission USING (true);

CREATE POLICY admission ON account.api_key_usage TO brickmark_admission USING (true);

CREATE POLICY alerts ON account.account FOR SELECT TO brickmark_alerts USING (true);

CREATE POLICY alerts ON account.api_key FOR SELECT TO brickmark_alerts USING (true);

CREATE POLICY alerts ON account.api_key_quota FOR SELECT TO brickmark_alerts USING (true);

CREATE POLICY alerts ON account.quota_notice TO brickmark_alerts USING (true);

ALTER TABLE account.api_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE account.api_key_directory ENABLE ROW LEVEL SECURITY;

ALTER TABLE account.api_key_last_request ENABLE ROW LEVEL SECURITY;

ALTER TABLE account.api_key_quota ENABLE ROW LEVEL SECURITY;

ALTER TABLE account.api_key_quota_history ENABLE ROW LEVEL SECURITY;

ALTER TABLE account.api_key_usage ENABLE ROW LEVEL SECURITY;

ALTER TABLE account.audit_log ENABLE ROW LEVEL SECURITY;

ALTER TABLE account.deleted_account ENABLE ROW LEVEL SECURITY;

CREATE POLICY deletion ON account.account TO brickmark_deletion USING (true);

CREATE POLICY deletion ON account.api_key_last_request TO brickmark_deletion USING (true);

CREATE POLICY deletion ON account.api_key_quota TO brickmark_deletion USING (true);

CREATE POLICY deletion ON account.api_key_quota_history TO brickmark_deletion USING (true);

CREATE POLICY deletion ON account.api_key_usage TO brickmark_deletion USING (true);

CREATE POLICY deletion ON account.deleted_account TO brickmark_deletion USING (true);

CREATE POLICY operator ON account.account TO brickmark_operator USING (true);

CREATE POLICY operator ON account.api_key FOR SELECT TO brickmark_operator USING (true);

CREATE POLICY operator ON account.api_key_quota FOR SELECT TO brickmark_operator USING (true);

CREATE POLICY operator ON account.api_key_usage FOR SELECT TO brickmark_operator USING (true);

CREATE POLICY operator ON account.audit_log FOR INSERT TO brickmark_operator WITH CHECK (true);

CREATE POLICY operator_reads ON account.audit_log FOR SELECT TO brickmark_operator USING (true);

CREATE POLICY operator_suspends ON account.api_key FOR UPDATE TO brickmark_operator USING (true);

CREATE POLICY ops ON account.account TO brickmark_ops USING (true);

CREATE POLICY ops ON account.api_key TO brickmark_ops USING (true);

CREATE POLICY ops ON account.api_key_directory FOR INSERT TO brickmark_ops WITH CHECK (true);

CREATE POLICY ops ON account.audit_log FOR INSERT TO brickmark_ops WITH CHECK (true);

CREATE POLICY own ON account.account TO brickmark_web USING ((id = account.current_account_id()));

CREATE POLICY own ON account.api_key TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON account.api_key_directory FOR INSERT TO brickmark_web WITH CHECK ((account_id = account.current_account_id()));

CREATE POLICY own ON account.api_key_last_request FOR SELECT TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON account.api_key_quota FOR SELECT TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON account.api_key_quota_history FOR SELECT TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON account.api_key_usage FOR SELECT TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON account.audit_log FOR SELECT TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own_entry ON account.audit_log FOR INSERT TO brickmark_web WITH CHECK (((account_id = account.current_account_id()) AND (actor = 'owner'::text)));

ALTER TABLE account.quota_notice ENABLE ROW LEVEL SECURITY;

ALTER TABLE alert.alert ENABLE ROW LEVEL SECURITY;

CREATE POLICY alerts ON alert.alert TO brickmark_alerts USING (true);

CREATE POLICY alerts ON alert.daily_total TO brickmark_alerts USING (true);

CREATE POLICY alerts ON alert.mail_schedule TO brickmark_alerts USING (true);

CREATE POLICY alerts ON alert.mail_settings TO brickmark_alerts USING (true);

CREATE POLICY alerts ON alert.met_rule TO brickmark_alerts USING (true);

CREATE POLICY alerts ON alert.rule TO brickmark_alerts USING (true);

ALTER TABLE alert.daily_total ENABLE ROW LEVEL SECURITY;

ALTER TABLE alert.inbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE alert.mail_schedule ENABLE ROW LEVEL SECURITY;

ALTER TABLE alert.mail_settings ENABLE ROW LEVEL SECURITY;

ALTER TABLE alert.met_rule ENABLE ROW LEVEL SECURITY;

CREATE POLICY operator ON alert.mail_settings FOR SELECT TO brickmark_operator USING (true);

CREATE POLICY own ON alert.alert TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON alert.daily_total TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON alert.inbox TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON alert.mail_schedule TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON alert.mail_settings TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON alert.met_rule TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON alert.rule TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY read_own ON alert.alert FOR SELECT TO brickmark_api USING ((account_id = account.current_account_id()));

CREATE POLICY read_own ON alert.inbox FOR SELECT TO brickmark_api USING ((account_id = account.current_account_id()));

ALTER TABLE alert.rule ENABLE ROW LEVEL SECURITY;

CREATE POLICY alerts ON portfolio.lot FOR SELECT TO brickmark_alerts USING (true);

CREATE POLICY alerts ON portfolio.selling_costs FOR SELECT TO brickmark_alerts USING (true);

CREATE POLICY alerts ON portfolio.shelf FOR SELECT TO brickmark_alerts USING (true);

CREATE POLICY alerts ON portfolio.watched_item FOR SELECT TO brickmark_alerts USING (true);

ALTER TABLE portfolio.collection ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.form_submission ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.import ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.import_row ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.lot ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.lot_view ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON portfolio.collection TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.form_submission TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.import TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.import_row TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.lot TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.lot_view TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.sale TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.sale_lot TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.sale_order TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.selling_costs TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.shelf TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON portfolio.watched_item TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY read_own ON portfolio.collection FOR SELECT TO brickmark_api USING ((account_id = account.current_account_id()));

CREATE POLICY read_own ON portfolio.lot FOR SELECT TO brickmark_api USING ((account_id = account.current_account_id()));

CREATE POLICY read_own ON portfolio.sale FOR SELECT TO brickmark_api USING ((account_id = account.current_account_id()));

CREATE POLICY read_own ON portfolio.sale_lot FOR SELECT TO brickmark_api USING ((account_id = account.current_account_id()));

ALTER TABLE portfolio.sale ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.sale_lot ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.sale_order ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.selling_costs ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.shelf ENABLE ROW LEVEL SECURITY;

ALTER TABLE portfolio.watched_item ENABLE ROW LEVEL SECURITY;

CREATE POLICY alerts ON webhook.attempt TO brickmark_alerts USING (true);

CREATE POLICY alerts ON webhook.delivery TO brickmark_alerts USING (true);

CREATE POLICY alerts ON webhook.endpoint TO brickmark_alerts USING (true);

CREATE POLICY alerts ON webhook.event TO brickmark_alerts USING (true);

CREATE POLICY alerts ON webhook.push_subscription TO brickmark_alerts USING (true);

ALTER TABLE webhook.attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE webhook.delivery ENABLE ROW LEVEL SECURITY;

ALTER TABLE webhook.endpoint ENABLE ROW LEVEL SECURITY;

ALTER TABLE webhook.event ENABLE ROW LEVEL SECURITY;

CREATE POLICY operator ON webhook.delivery FOR SELECT TO brickmark_operator USING (true);

CREATE POLICY operator ON webhook.endpoint FOR SELECT TO brickmark_operator USING (true);

CREATE POLICY own ON webhook.attempt TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON webhook.delivery TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON webhook.endpoint TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON webhook.event TO brickmark_web USING ((account_id = account.current_account_id()));

CREATE POLICY own ON webhook.push_subscription TO brickmark_web USING ((account_id = account.current_account_id()));

ALTER TABLE webhook.push_subscription ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA account TO brickmark_api;
GRANT USAGE ON SCHEMA account TO brickmark_web;
GRANT USAGE ON SCHEMA account TO brickmark_admission;
GRANT USAGE ON SCHEMA account TO brickmark_operator;
GRANT USAGE ON SCHEMA account TO brickmark_deletion;
GRANT USAGE ON SCHEMA account TO brickmark_ops;
GRANT ALL ON SCHEMA account TO brickmark_maintenance;
GRANT USAGE ON SCHEMA account TO brickmark_worker;
GRANT USAGE ON SCHEMA account TO brickmark_alerts;

GRANT USAGE ON SCHEMA alert TO brickmark_web;
GRANT USAGE ON SCHEMA alert TO brickmark_worker;
GRANT USAGE ON SCHEMA alert TO brickmark_alerts;
GRANT USAGE ON SCHEMA alert TO brickmark_api;
GRANT USAGE ON SCHEMA alert TO brickmark_operator;

GRANT USAGE ON SCHEMA auth TO brickmark_web;
GRANT USAGE ON SCHEMA auth TO brickmark_operator;
GRANT USAGE ON SCHEMA auth TO brickmark_deletion;
GRANT USAGE ON SCHEMA auth TO brickmark_ops;
GRANT USAGE ON SCHEMA auth TO brickmark_alerts;

GRANT USAGE ON SCHEMA catalog TO brickmark_api;
GRANT USAGE ON SCHEMA catalog TO brickmark_worker;
GRANT USAGE ON SCHEMA catalog TO brickmark_web;
GRANT USAGE ON SCHEMA catalog TO brickmark_alerts;

GRANT USAGE ON SCHEMA change TO brickmark_worker;
GRANT ALL ON SCHEMA change TO brickmark_maintenance;
GRANT USAGE ON SCHEMA change TO brickmark_api;

GRANT USAGE ON SCHEMA export TO brickmark_api;
GRANT USAGE ON SCHEMA export TO brickmark_worker;

GRANT USAGE ON SCHEMA mail TO brickmark_web;
GRANT USAGE ON SCHEMA mail TO brickmark_operator;

GRANT USAGE ON SCHEMA maintenance TO brickmark_worker;
GRANT USAGE ON SCHEMA maintenance TO brickmark_maintenance;
GRANT USAGE ON SCHEMA maintenance TO brickmark_web;
GRANT USAGE ON SCHEMA maintenance TO brickmark_operator;

GRANT USAGE ON SCHEMA market TO brickmark_api;
GRANT USAGE ON SCHEMA market TO brickmark_worker;
GRANT USAGE ON SCHEMA market TO brickmark_web;

GRANT USAGE ON SCHEMA pgboss TO brickmark_worker;
GRANT USAGE ON SCHEMA pgboss TO brickmark_operator;

GRANT USAGE ON SCHEMA portfolio TO brickmark_api;
GRANT USAGE ON SCHEMA portfolio TO brickmark_web;
GRANT USAGE ON SCHEMA portfolio TO brickmark_alerts;
GRANT USAGE ON SCHEMA portfolio TO brickmark_worker;

REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO brickmark_api;
GRANT USAGE ON SCHEMA public TO brickmark_worker;
GRANT USAGE ON SCHEMA public TO brickmark_web;

GRANT USAGE ON SCHEMA source TO brickmark_web;
GRANT USAGE ON SCHEMA source TO brickmark_worker;
GRANT USAGE ON SCHEMA source TO brickmark_operator;
GRANT ALL ON SCHEMA source TO brickmark_maintenance;

GRANT USAGE ON SCHEMA webhook TO brickmark_web;
GRANT USAGE ON SCHEMA webhook TO brickmark_worker;
GRANT USAGE ON SCHEMA webhook TO brickmark_alerts;
GRANT USAGE ON SCHEMA webhook TO brickmark_operator;

REVOKE ALL ON FUNCTION account.add_counts(a jsonb, b jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION account.archive_quota() FROM PUBLIC;

REVOKE ALL ON FUNCTION account.charge(account_ids bigint[], api_key_ids bigint[], costs integer[], counts integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION account.charge(account_ids bigint[], api_key_ids bigint[], costs integer[], counts integer[]) TO brickmark_api;

REVOKE ALL ON FUNCTION account.copy_suspended() FROM PUBLIC;

REVOKE ALL ON FUNCTION account.delete_orphans(max_accounts integer) FROM PUBLIC;
GRANT ALL ON FUNCTION account.delete_orphans(max_accounts integer) TO brickmark_worker;

REVOKE ALL ON FUNCTION account.identify_keys(hashes bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION account.identify_keys(hashes bytea[]) TO brickmark_api;

REVOKE ALL ON FUNCTION account.operator_accounts(session_token text, search text, only_id bigint, before_id bigint, page_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION account.operator_accounts(session_token text, search text, only_id bigint, before_id bigint, page_limit integer) TO brickmark_web;

REVOKE ALL ON FUNCTION account.operator_announce(session_token text, message text, until timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION account.operator_announce(session_token text, message text, until timestamp with time zone) TO brickmark_web;

REVOKE ALL ON FUNCTION account.operator_change_plan(session_token text, of_account bigint, new_plan text) FROM PUBLIC;
GRANT ALL ON FUNCTION account.operator_change_plan(session_token text, of_account bigint, new_plan text) TO brickmark_web;

REVOKE ALL ON FUNCTION account.operator_find_accounts(session_token text, search text, only_suspended boolean, only_id bigint, before_id bigint, page_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION account.operator_find_accounts(session_token text, search text, only_suspended boolean, only_id bigint, before_id bigint, page_limit integer) TO brickmark_web;

REVOKE ALL ON FUNCTION account.operator_set_suspended(session_token text, of_account bigint, suspend boolean, reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION account.operator_set_suspended(session_token text, of_account bigint, suspend boolean, reason text) TO brickmark_web;

REVOKE ALL ON FUNCTION account.operator_signals(session_token text, of_accounts bigint[], days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION account.operator_signals(session_token text, of_accounts bigint[], days integer) TO brickmark_web;

REVOKE ALL ON FUNCTION account.read_key_usage(key_id bigint, first_day date) FROM PUBLIC;
GRANT ALL ON FUNCTION account.read_key_usage(key_id bigint, first_day date) TO brickmark_api;

REVOKE ALL ON FUNCTION account.record_requests(entries jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION account.record_requests(entries jsonb) TO brickmark_api;

REVOKE ALL ON FUNCTION account.reject_active_key_without_slot() FROM PUBLIC;

REVOKE ALL ON FUNCTION account.reject_extending() FROM PUBLIC;

REVOKE ALL ON FUNCTION account.reject_unrevoking() FROM PUBLIC;

REVOKE ALL ON FUNCTION account.set_suspended(of_account bigint, suspend boolean, reason text, by_account bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION account.take_quota_mail(max_mails integer) FROM PUBLIC;
GRANT ALL ON FUNCTION account.take_quota_mail(max_mails integer) TO brickmark_web;

REVOKE ALL ON FUNCTION alert.delete_old_alerts(max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION alert.delete_old_alerts(max_rows integer) TO brickmark_worker;

REVOKE ALL ON FUNCTION alert.find_rules(set_numbers text[], minifig_numbers text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION alert.find_rules(set_numbers text[], minifig_numbers text[]) TO brickmark_worker;

REVOKE ALL ON FUNCTION alert.follow_target() FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE alert.mail_settings TO brickmark_web;
GRANT SELECT ON TABLE alert.mail_settings TO brickmark_alerts;

GRANT SELECT(account_id) ON TABLE alert.mail_settings TO brickmark_operator;

GRANT UPDATE(frequency) ON TABLE alert.mail_settings TO brickmark_web;

GRANT UPDATE(time_zone) ON TABLE alert.mail_settings TO brickmark_web;

GRANT UPDATE(quiet_from) ON TABLE alert.mail_settings TO brickmark_web;

GRANT UPDATE(quiet_to) ON TABLE alert.mail_settings TO brickmark_web;

GRANT UPDATE(daily_at) ON TABLE alert.mail_settings TO brickmark_web;

GRANT UPDATE(bounced_at) ON TABLE alert.mail_settings TO brickmark_web;
GRANT SELECT(bounced_at) ON TABLE alert.mail_settings TO brickmark_operator;

GRANT UPDATE(quota_mail) ON TABLE alert.mail_settings TO brickmark_web;

REVOKE ALL ON FUNCTION alert.mail_due_at(settings alert.mail_settings, alert_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION alert.mail_due_at(settings alert.mail_settings, alert_at timestamp with time zone) TO brickmark_web;
GRANT ALL ON FUNCTION alert.mail_due_at(settings alert.mail_settings, alert_at timestamp with time zone) TO brickmark_alerts;

REVOKE ALL ON FUNCTION alert.record_alerts(alerts jsonb, met jsonb, no_longer_met jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION alert.record_alerts(alerts jsonb, met jsonb, no_longer_met jsonb) TO brickmark_worker;

REVOKE ALL ON FUNCTION alert.take_due_mail(max_accounts integer, max_alerts integer) FROM PUBLIC;
GRANT ALL ON FUNCTION alert.take_due_mail(max_accounts integer, max_alerts integer) TO brickmark_web;

REVOKE ALL ON FUNCTION auth.appoint_first_operator(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION auth.appoint_first_operator(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION auth.check_operator() FROM PUBLIC;

REVOKE ALL ON FUNCTION auth.check_operator_after_passkey() FROM PUBLIC;

REVOKE ALL ON FUNCTION auth.delete_account(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION auth.delete_account(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION auth.delete_unconfirmed_accounts(of_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION auth.delete_unconfirmed_accounts(of_email text) TO brickmark_web;

REVOKE ALL ON FUNCTION auth.end_password_resets() FROM PUBLIC;

REVOKE ALL ON FUNCTION auth.end_setup() FROM PUBLIC;

REVOKE ALL ON FUNCTION auth.log_credential_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION auth.log_two_factor_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION auth.open_account() FROM PUBLIC;

REVOKE ALL ON FUNCTION auth.require_operator(session_token text) FROM PUBLIC;

REVOKE ALL ON FUNCTION catalog.derive_set_columns() FROM PUBLIC;

REVOKE ALL ON FUNCTION catalog.minifig_search_text() FROM PUBLIC;

REVOKE ALL ON FUNCTION catalog.notify_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION catalog.search_text(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION catalog.search_text(name text) TO brickmark_worker;

REVOKE ALL ON FUNCTION change.record_minifig_value() FROM PUBLIC;

REVOKE ALL ON FUNCTION change.record_retail_state() FROM PUBLIC;

REVOKE ALL ON FUNCTION change.record_set_value() FROM PUBLIC;

REVOKE ALL ON FUNCTION change.record_status() FROM PUBLIC;

REVOKE ALL ON FUNCTION change.refresh_statuses() FROM PUBLIC;
GRANT ALL ON FUNCTION change.refresh_statuses() TO brickmark_worker;

REVOKE ALL ON FUNCTION mail.operator_mail(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION mail.operator_mail(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION maintenance.add_partitions(parent regclass, first date, last date, step interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION maintenance.create_partitions(partitioned_table text) FROM PUBLIC;
GRANT ALL ON FUNCTION maintenance.create_partitions(partitioned_table text) TO brickmark_worker;

REVOKE ALL ON FUNCTION maintenance.data_safety() FROM PUBLIC;
GRANT ALL ON FUNCTION maintenance.data_safety() TO brickmark_worker;

REVOKE ALL ON FUNCTION maintenance.database_health() FROM PUBLIC;
GRANT ALL ON FUNCTION maintenance.database_health() TO brickmark_worker;

REVOKE ALL ON FUNCTION maintenance.drop_expired_partitions(partitioned_table text) FROM PUBLIC;
GRANT ALL ON FUNCTION maintenance.drop_expired_partitions(partitioned_table text) TO brickmark_worker;

REVOKE ALL ON FUNCTION maintenance.drop_partitions(parent regclass, keep_from date) FROM PUBLIC;

REVOKE ALL ON FUNCTION maintenance.operator_jobs(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION maintenance.operator_jobs(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION market.reject_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION pgboss.create_queue(queue_name text, options jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.create_queue(queue_name text, options jsonb) TO brickmark_worker;

REVOKE ALL ON FUNCTION pgboss.delete_queue(queue_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.delete_queue(queue_name text) TO brickmark_worker;

REVOKE ALL ON FUNCTION pgboss.job_now() FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.job_now() TO brickmark_worker;

REVOKE ALL ON FUNCTION pgboss.job_table_format(command text, table_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.job_table_format(command text, table_name text) TO brickmark_worker;

REVOKE ALL ON FUNCTION pgboss.job_table_run(command text, tbl_name text, queue_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.job_table_run(command text, tbl_name text, queue_name text) TO brickmark_worker;

REVOKE ALL ON FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text, queue_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text, queue_name text) TO brickmark_worker;

REVOKE ALL ON FUNCTION portfolio.find_shelf(hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION portfolio.find_shelf(hash bytea) TO brickmark_web;

REVOKE ALL ON FUNCTION portfolio.pack_lot(collection_id bigint, condition text, quantity integer, price_cents integer, purchase_date date, status text) FROM PUBLIC;
GRANT ALL ON FUNCTION portfolio.pack_lot(collection_id bigint, condition text, quantity integer, price_cents integer, purchase_date date, status text) TO brickmark_api;
GRANT ALL ON FUNCTION portfolio.pack_lot(collection_id bigint, condition text, quantity integer, price_cents integer, purchase_date date, status text) TO brickmark_web;

REVOKE ALL ON FUNCTION portfolio.read_collections(for_account bigint, OUT collections json, OUT set_numbers text, OUT packed bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION portfolio.read_collections(for_account bigint, OUT collections json, OUT set_numbers text, OUT packed bytea) TO brickmark_api;
GRANT ALL ON FUNCTION portfolio.read_collections(for_account bigint, OUT collections json, OUT set_numbers text, OUT packed bytea) TO brickmark_web;

REVOKE ALL ON FUNCTION portfolio.read_held_lots(for_account bigint, of_set text, OUT set_numbers text, OUT packed bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION portfolio.read_held_lots(for_account bigint, of_set text, OUT set_numbers text, OUT packed bytea) TO brickmark_api;
GRANT ALL ON FUNCTION portfolio.read_held_lots(for_account bigint, of_set text, OUT set_numbers text, OUT packed bytea) TO brickmark_web;

REVOKE ALL ON FUNCTION portfolio.read_lots(for_account bigint, in_collection bigint, max_lots integer, skipped integer, OUT is_found boolean, OUT total integer, OUT set_numbers text, OUT packed bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION portfolio.read_lots(for_account bigint, in_collection bigint, max_lots integer, skipped integer, OUT is_found boolean, OUT total integer, OUT set_numbers text, OUT packed bytea) TO brickmark_api;

REVOKE ALL ON FUNCTION portfolio.read_ownership_intervals(for_account bigint, since date, OUT set_numbers text, OUT packed bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION portfolio.read_ownership_intervals(for_account bigint, since date, OUT set_numbers text, OUT packed bytea) TO brickmark_api;

REVOKE ALL ON FUNCTION portfolio.read_sales(for_account bigint, max_sales integer, skipped integer, OUT total integer, OUT set_numbers text, OUT platforms text, OUT packed bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION portfolio.read_sales(for_account bigint, max_sales integer, skipped integer, OUT total integer, OUT set_numbers text, OUT platforms text, OUT packed bytea) TO brickmark_api;

REVOKE ALL ON FUNCTION portfolio.wanted_sets() FROM PUBLIC;
GRANT ALL ON FUNCTION portfolio.wanted_sets() TO brickmark_worker;

REVOKE ALL ON FUNCTION source.event_key(source_id text, event_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION source.event_key(source_id text, event_id text) TO brickmark_worker;

REVOKE ALL ON FUNCTION source.operator_backlog(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION source.operator_backlog(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION source.operator_feeds(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION source.operator_feeds(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION source.operator_licensed_sources(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION source.operator_licensed_sources(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION source.operator_quarantine(session_token text, of_feed text, page_limit integer, page_offset integer) FROM PUBLIC;
GRANT ALL ON FUNCTION source.operator_quarantine(session_token text, of_feed text, page_limit integer, page_offset integer) TO brickmark_web;

REVOKE ALL ON FUNCTION source.operator_sources(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION source.operator_sources(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION webhook.add_alert_events(alert_ids bigint[], account_ids bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.add_alert_events(alert_ids bigint[], account_ids bigint[]) TO brickmark_alerts;

REVOKE ALL ON FUNCTION webhook.backlog() FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.backlog() TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.claim_endpoints(max_endpoints integer, lease interval) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.claim_endpoints(max_endpoints integer, lease interval) TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.claim_push_subscriptions(max_subscriptions integer, lease interval) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.claim_push_subscriptions(max_subscriptions integer, lease interval) TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.delete_old_events(max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.delete_old_events(max_rows integer) TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.delete_push_subscription(of_account bigint, of_endpoint bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.delete_push_subscription(of_account bigint, of_endpoint bigint) TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.find_due_deliveries(of_account bigint, of_endpoint bigint, max_deliveries integer) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.find_due_deliveries(of_account bigint, of_endpoint bigint, max_deliveries integer) TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.find_due_pushes(of_account bigint, of_endpoint bigint, max_deliveries integer) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.find_due_pushes(of_account bigint, of_endpoint bigint, max_deliveries integer) TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.operator_webhooks(session_token text) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.operator_webhooks(session_token text) TO brickmark_web;

REVOKE ALL ON FUNCTION webhook.push_backlog() FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.push_backlog() TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.record_attempts(of_account bigint, of_endpoint bigint, results jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.record_attempts(of_account bigint, of_endpoint bigint, results jsonb) TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.record_pushes(of_account bigint, of_endpoint bigint, results jsonb, pause interval) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.record_pushes(of_account bigint, of_endpoint bigint, results jsonb, pause interval) TO brickmark_worker;

REVOKE ALL ON FUNCTION webhook.release_endpoint(of_account bigint, of_endpoint bigint, pause interval) FROM PUBLIC;
GRANT ALL ON FUNCTION webhook.release_endpoint(of_account bigint, of_endpoint bigint, pause interval) TO brickmark_worker;

GRANT SELECT ON TABLE account.account TO brickmark_admission;
GRANT SELECT ON TABLE account.account TO brickmark_web;
GRANT SELECT,INSERT ON TABLE account.account TO brickmark_ops;
GRANT DELETE ON TABLE account.account TO brickmark_deletion;
GRANT SELECT ON TABLE account.account TO brickmark_operator;

GRANT SELECT(id) ON TABLE account.account TO brickmark_deletion;
GRANT SELECT(id) ON TABLE account.account TO brickmark_alerts;

GRANT UPDATE(name) ON TABLE account.account TO brickmark_web;

GRANT UPDATE(plan) ON TABLE account.account TO brickmark_operator;
GRANT SELECT(plan) ON TABLE account.account TO brickmark_alerts;

GRANT UPDATE(suspended) ON TABLE account.account TO brickmark_operator;
GRANT SELECT(suspended) ON TABLE account.account TO brickmark_alerts;

GRANT SELECT,INSERT ON TABLE account.announcement TO brickmark_ops;
GRANT INSERT ON TABLE account.announcement TO brickmark_operator;

GRANT SELECT(id) ON TABLE account.announcement TO brickmark_web;

GRANT SELECT(message) ON TABLE account.announcement TO brickmark_web;

GRANT SELECT(until) ON TABLE account.announcement TO brickmark_web;

GRANT SELECT ON TABLE account.api_key TO brickmark_admission;
GRANT SELECT,INSERT ON TABLE account.api_key TO brickmark_web;
GRANT SELECT ON TABLE account.api_key TO brickmark_operator;

GRANT SELECT(account_id) ON TABLE account.api_key TO brickmark_alerts;

GRANT SELECT(id) ON TABLE account.api_key TO brickmark_alerts;

GRANT UPDATE(name) ON TABLE account.api_key TO brickmark_web;
GRANT SELECT(name) ON TABLE account.api_key TO brickmark_alerts;

GRANT UPDATE(slot) ON TABLE account.api_key TO brickmark_web;

GRANT UPDATE(expires_at) ON TABLE account.api_key TO brickmark_web;

GRANT UPDATE(revoked_at) ON TABLE account.api_key TO brickmark_web;
GRANT SELECT(revoked_at) ON TABLE account.api_key TO brickmark_alerts;

GRANT UPDATE(suspended) ON TABLE account.api_key TO brickmark_operator;

GRANT SELECT ON TABLE account.api_key_directory TO brickmark_admission;
GRANT INSERT ON TABLE account.api_key_directory TO brickmark_web;

GRANT SELECT,INSERT,UPDATE ON TABLE account.api_key_last_request TO brickmark_admission;
GRANT SELECT ON TABLE account.api_key_last_request TO brickmark_web;
GRANT SELECT,DELETE ON TABLE account.api_key_last_request TO brickmark_deletion;

GRANT SELECT,INSERT,UPDATE ON TABLE account.api_key_quota TO brickmark_admission;
GRANT SELECT ON TABLE account.api_key_quota TO brickmark_web;
GRANT SELECT,DELETE ON TABLE account.api_key_quota TO brickmark_deletion;
GRANT SELECT ON TABLE account.api_key_quota TO brickmark_operator;

GRANT SELECT(account_id) ON TABLE account.api_key_quota TO brickmark_alerts;

GRANT SELECT(api_key_id) ON TABLE account.api_key_quota TO brickmark_alerts;

GRANT SELECT(day) ON TABLE account.api_key_quota TO brickmark_alerts;

GRANT SELECT(used) ON TABLE account.api_key_quota TO brickmark_alerts;

GRANT SELECT(daily_limit) ON TABLE account.api_key_quota TO brickmark_alerts;

GRANT SELECT,INSERT ON TABLE account.api_key_quota_history TO brickmark_admission;
GRANT SELECT ON TABLE account.api_key_quota_history TO brickmark_web;
GRANT SELECT,DELETE ON TABLE account.api_key_quota_history TO brickmark_deletion;

GRANT SELECT,INSERT,UPDATE ON TABLE account.api_key_usage TO brickmark_admission;
GRANT SELECT ON TABLE account.api_key_usage TO brickmark_web;
GRANT SELECT,DELETE ON TABLE account.api_key_usage TO brickmark_deletion;

GRANT SELECT(account_id) ON TABLE account.api_key_usage TO brickmark_operator;

GRANT SELECT(day) ON TABLE account.api_key_usage TO brickmark_operator;

GRANT SELECT(status) ON TABLE account.api_key_usage TO brickmark_operator;

GRANT SELECT(requests) ON TABLE account.api_key_usage TO brickmark_operator;

GRANT SELECT,INSERT ON TABLE account.audit_log TO brickmark_web;
GRANT INSERT ON TABLE account.audit_log TO brickmark_ops;
GRANT INSERT ON TABLE account.audit_log TO brickmark_operator;

GRANT SELECT(account_id) ON TABLE account.audit_log TO brickmark_operator;

GRANT SELECT(id) ON TABLE account.audit_log TO brickmark_operator;

GRANT SELECT(at) ON TABLE account.audit_log TO brickmark_operator;

GRANT SELECT(action) ON TABLE account.audit_log TO brickmark_operator;

GRANT SELECT(detail) ON TABLE account.audit_log TO brickmark_operator;

GRANT SELECT,INSERT,DELETE ON TABLE account.deleted_account TO brickmark_deletion;

GRANT SELECT ON TABLE account.plan TO brickmark_web;
GRANT SELECT ON TABLE account.plan TO brickmark_admission;
GRANT SELECT ON TABLE account.plan TO brickmark_operator;

GRANT SELECT(plan) ON TABLE account.plan TO brickmark_alerts;

GRANT SELECT(max_alerts_per_day) ON TABLE account.plan TO brickmark_alerts;

GRANT SELECT,INSERT,UPDATE ON TABLE account.quota_notice TO brickmark_alerts;

GRANT SELECT,DELETE ON TABLE alert.alert TO brickmark_web;
GRANT SELECT,INSERT,DELETE ON TABLE alert.alert TO brickmark_alerts;
GRANT SELECT ON TABLE alert.alert TO brickmark_api;

GRANT SELECT ON TABLE alert.daily_total TO brickmark_web;
GRANT SELECT,INSERT,UPDATE ON TABLE alert.daily_total TO brickmark_alerts;

GRANT SELECT,INSERT ON TABLE alert.inbox TO brickmark_web;
GRANT SELECT ON TABLE alert.inbox TO brickmark_api;

GRANT UPDATE(read_to) ON TABLE alert.inbox TO brickmark_web;

GRANT SELECT ON TABLE alert.mail_schedule TO brickmark_web;
GRANT SELECT,INSERT,UPDATE ON TABLE alert.mail_schedule TO brickmark_alerts;

GRANT UPDATE(due_at) ON TABLE alert.mail_schedule TO brickmark_web;

GRANT SELECT,DELETE ON TABLE alert.met_rule TO brickmark_web;
GRANT SELECT,INSERT,DELETE ON TABLE alert.met_rule TO brickmark_alerts;

GRANT SELECT,INSERT,DELETE ON TABLE alert.rule TO brickmark_web;
GRANT SELECT ON TABLE alert.rule TO brickmark_alerts;

GRANT UPDATE(threshold) ON TABLE alert.rule TO brickmark_web;

GRANT UPDATE(is_paused) ON TABLE alert.rule TO brickmark_web;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.attempt TO brickmark_web;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.credential TO brickmark_web;

GRANT SELECT,INSERT,DELETE ON TABLE auth.known_device TO brickmark_web;

GRANT UPDATE(client) ON TABLE auth.known_device TO brickmark_web;

GRANT UPDATE(last_used_at) ON TABLE auth.known_device TO brickmark_web;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.passkey TO brickmark_web;

GRANT SELECT(user_id) ON TABLE auth.passkey TO brickmark_deletion;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.rate_limit TO brickmark_web;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.session TO brickmark_web;
GRANT DELETE ON TABLE auth.session TO brickmark_operator;

GRANT SELECT(user_id) ON TABLE auth.session TO brickmark_operator;
GRANT SELECT(user_id) ON TABLE auth.session TO brickmark_deletion;
GRANT SELECT(user_id) ON TABLE auth.session TO brickmark_ops;

GRANT SELECT(token) ON TABLE auth.session TO brickmark_operator;
GRANT SELECT(token) ON TABLE auth.session TO brickmark_deletion;
GRANT SELECT(token) ON TABLE auth.session TO brickmark_ops;

GRANT SELECT(expires_at) ON TABLE auth.session TO brickmark_operator;
GRANT SELECT(expires_at) ON TABLE auth.session TO brickmark_deletion;
GRANT SELECT(expires_at) ON TABLE auth.session TO brickmark_ops;

GRANT SELECT(created_at) ON TABLE auth.session TO brickmark_operator;
GRANT SELECT(created_at) ON TABLE auth.session TO brickmark_deletion;

GRANT SELECT(second_factor) ON TABLE auth.session TO brickmark_operator;
GRANT SELECT(second_factor) ON TABLE auth.session TO brickmark_ops;

GRANT SELECT ON TABLE auth.setup TO brickmark_web;
GRANT SELECT,DELETE,UPDATE ON TABLE auth.setup TO brickmark_ops;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.two_factor TO brickmark_web;

GRANT SELECT,INSERT,DELETE ON TABLE auth.used_code TO brickmark_web;

GRANT SELECT ON TABLE auth."user" TO brickmark_web;

GRANT INSERT(id) ON TABLE auth."user" TO brickmark_web;
GRANT SELECT(id) ON TABLE auth."user" TO brickmark_operator;
GRANT SELECT(id) ON TABLE auth."user" TO brickmark_deletion;
GRANT SELECT(id) ON TABLE auth."user" TO brickmark_ops;

GRANT INSERT(name),UPDATE(name) ON TABLE auth."user" TO brickmark_web;

GRANT INSERT(email),UPDATE(email) ON TABLE auth."user" TO brickmark_web;
GRANT SELECT(email) ON TABLE auth."user" TO brickmark_operator;
GRANT SELECT(email) ON TABLE auth."user" TO brickmark_deletion;
GRANT SELECT(email) ON TABLE auth."user" TO brickmark_alerts;

GRANT INSERT(email_verified),UPDATE(email_verified) ON TABLE auth."user" TO brickmark_web;
GRANT SELECT(email_verified) ON TABLE auth."user" TO brickmark_deletion;
GRANT SELECT(email_verified) ON TABLE auth."user" TO brickmark_alerts;

GRANT INSERT(image),UPDATE(image) ON TABLE auth."user" TO brickmark_web;

GRANT INSERT(two_factor_enabled),UPDATE(two_factor_enabled) ON TABLE auth."user" TO brickmark_web;
GRANT SELECT(two_factor_enabled),UPDATE(two_factor_enabled) ON TABLE auth."user" TO brickmark_deletion;

GRANT SELECT(operator) ON TABLE auth."user" TO brickmark_operator;
GRANT SELECT(operator) ON TABLE auth."user" TO brickmark_deletion;
GRANT UPDATE(operator) ON TABLE auth."user" TO brickmark_ops;

GRANT SELECT(account_id) ON TABLE auth."user" TO brickmark_operator;
GRANT SELECT(account_id) ON TABLE auth."user" TO brickmark_deletion;
GRANT SELECT(account_id) ON TABLE auth."user" TO brickmark_ops;
GRANT SELECT(account_id) ON TABLE auth."user" TO brickmark_alerts;

GRANT INSERT(created_at) ON TABLE auth."user" TO brickmark_web;
GRANT SELECT(created_at) ON TABLE auth."user" TO brickmark_deletion;

GRANT INSERT(updated_at),UPDATE(updated_at) ON TABLE auth."user" TO brickmark_web;

GRANT UPDATE(terms_version) ON TABLE auth."user" TO brickmark_web;

GRANT UPDATE(terms_accepted_at) ON TABLE auth."user" TO brickmark_web;

GRANT SELECT(suspended),UPDATE(suspended) ON TABLE auth."user" TO brickmark_operator;
GRANT SELECT(suspended) ON TABLE auth."user" TO brickmark_deletion;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.verification TO brickmark_web;
GRANT DELETE ON TABLE auth.verification TO brickmark_deletion;

GRANT SELECT(value) ON TABLE auth.verification TO brickmark_deletion;

GRANT SELECT ON TABLE catalog.minifig TO brickmark_api;
GRANT SELECT ON TABLE catalog.minifig TO brickmark_web;
GRANT SELECT,INSERT,UPDATE ON TABLE catalog.minifig TO brickmark_worker;
GRANT SELECT ON TABLE catalog.minifig TO brickmark_alerts;

GRANT SELECT ON TABLE catalog.minifig_alias TO brickmark_api;
GRANT SELECT ON TABLE catalog.minifig_alias TO brickmark_web;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE catalog.minifig_alias TO brickmark_worker;

GRANT SELECT ON TABLE catalog.minifig_origin TO brickmark_web;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE catalog.minifig_origin TO brickmark_worker;

GRANT SELECT ON TABLE catalog.retailer TO brickmark_api;
GRANT SELECT ON TABLE catalog.retailer TO brickmark_web;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE catalog.retailer TO brickmark_worker;
GRANT SELECT ON TABLE catalog.retailer TO brickmark_alerts;

GRANT SELECT ON TABLE catalog.set TO brickmark_api;
GRANT SELECT ON TABLE catalog.set TO brickmark_web;
GRANT SELECT,INSERT,UPDATE ON TABLE catalog.set TO brickmark_worker;
GRANT SELECT ON TABLE catalog.set TO brickmark_alerts;

GRANT SELECT ON TABLE catalog.set_minifig TO brickmark_api;
GRANT SELECT ON TABLE catalog.set_minifig TO brickmark_web;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE catalog.set_minifig TO brickmark_worker;

GRANT SELECT ON TABLE catalog.set_origin TO brickmark_web;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE catalog.set_origin TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.license TO brickmark_worker;
GRANT SELECT ON TABLE source.license TO brickmark_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.source TO brickmark_worker;
GRANT SELECT ON TABLE source.source TO brickmark_operator;

GRANT SELECT ON TABLE catalog.source_credit TO brickmark_web;

GRANT USAGE ON SEQUENCE change.change_id TO brickmark_worker;

GRANT SELECT,INSERT ON TABLE change.change TO brickmark_worker;

GRANT SELECT(day) ON TABLE change.change TO brickmark_api;

GRANT UPDATE(transaction_id) ON TABLE change.change TO brickmark_worker;
GRANT SELECT(transaction_id) ON TABLE change.change TO brickmark_api;

GRANT SELECT(id) ON TABLE change.change TO brickmark_api;

GRANT SELECT(at) ON TABLE change.change TO brickmark_api;

GRANT SELECT(kind) ON TABLE change.change TO brickmark_api;

GRANT SELECT(item_kind) ON TABLE change.change TO brickmark_api;

GRANT SELECT(item_number) ON TABLE change.change TO brickmark_api;

GRANT SELECT,INSERT,UPDATE ON TABLE change.cursor TO brickmark_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE change.set_status TO brickmark_worker;

GRANT SELECT ON TABLE export.chunk TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE export.chunk TO brickmark_worker;

GRANT SELECT ON TABLE export.file TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE export.file TO brickmark_worker;

GRANT SELECT ON TABLE export.run TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE export.run TO brickmark_worker;

GRANT SELECT ON TABLE export.validity TO brickmark_api;
GRANT SELECT,UPDATE ON TABLE export.validity TO brickmark_worker;

GRANT SELECT,INSERT,DELETE ON TABLE mail.message TO brickmark_web;

GRANT SELECT(created_at) ON TABLE mail.message TO brickmark_operator;

GRANT UPDATE(next_attempt_at) ON TABLE mail.message TO brickmark_web;

GRANT UPDATE(attempts) ON TABLE mail.message TO brickmark_web;
GRANT SELECT(attempts) ON TABLE mail.message TO brickmark_operator;

GRANT UPDATE(last_error) ON TABLE mail.message TO brickmark_web;
GRANT SELECT(last_error) ON TABLE mail.message TO brickmark_operator;

GRANT SELECT ON TABLE maintenance.partition_policy TO brickmark_maintenance;
GRANT SELECT ON TABLE maintenance.partition_policy TO brickmark_worker;

GRANT SELECT ON TABLE market.accuracy TO brickmark_web;
GRANT SELECT,INSERT,DELETE ON TABLE market.accuracy TO brickmark_worker;

GRANT SELECT ON TABLE market.accuracy_item TO brickmark_web;
GRANT SELECT,INSERT,DELETE ON TABLE market.accuracy_item TO brickmark_worker;

GRANT SELECT ON TABLE market.brick_index TO brickmark_web;
GRANT SELECT,INSERT ON TABLE market.brick_index TO brickmark_worker;

GRANT SELECT ON TABLE market.exchange_rate TO brickmark_web;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE market.exchange_rate TO brickmark_worker;

GRANT SELECT ON TABLE market.fee_schedule TO brickmark_web;
GRANT SELECT ON TABLE market.fee_schedule TO brickmark_worker;

GRANT SELECT ON TABLE market.finalized_month TO brickmark_web;
GRANT SELECT,INSERT ON TABLE market.finalized_month TO brickmark_worker;

GRANT SELECT ON TABLE market.minifig_value TO brickmark_web;
GRANT SELECT ON TABLE market.minifig_value TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE market.minifig_value TO brickmark_worker;

GRANT SELECT ON TABLE market.resale_offer TO brickmark_web;
GRANT SELECT ON TABLE market.resale_offer TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE market.resale_offer TO brickmark_worker;

GRANT SELECT ON TABLE market.retail_day TO brickmark_web;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE market.retail_day TO brickmark_worker;

GRANT SELECT ON TABLE market.retail_state TO brickmark_web;
GRANT SELECT ON TABLE market.retail_state TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE market.retail_state TO brickmark_worker;

GRANT SELECT ON TABLE market.set_month TO brickmark_web;
GRANT SELECT ON TABLE market.set_month TO brickmark_api;
GRANT SELECT,INSERT ON TABLE market.set_month TO brickmark_worker;

GRANT SELECT ON TABLE market.set_month_revision TO brickmark_web;
GRANT SELECT,INSERT ON TABLE market.set_month_revision TO brickmark_worker;

GRANT SELECT ON TABLE market.set_value TO brickmark_web;
GRANT SELECT ON TABLE market.set_value TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE market.set_value TO brickmark_worker;

GRANT SELECT ON TABLE portfolio.collection TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE portfolio.collection TO brickmark_web;

GRANT SELECT,INSERT,DELETE ON TABLE portfolio.form_submission TO brickmark_web;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE portfolio.import TO brickmark_web;

GRANT SELECT,INSERT,DELETE ON TABLE portfolio.import_row TO brickmark_web;

GRANT SELECT ON TABLE portfolio.lot TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE portfolio.lot TO brickmark_web;

GRANT SELECT(account_id) ON TABLE portfolio.lot TO brickmark_alerts;

GRANT SELECT(collection_id) ON TABLE portfolio.lot TO brickmark_alerts;

GRANT SELECT(set_number) ON TABLE portfolio.lot TO brickmark_alerts;

GRANT SELECT(quantity) ON TABLE portfolio.lot TO brickmark_alerts;

GRANT SELECT ON TABLE portfolio.lot_item TO brickmark_web;

GRANT SELECT,INSERT,DELETE ON TABLE portfolio.lot_view TO brickmark_web;

GRANT UPDATE(query) ON TABLE portfolio.lot_view TO brickmark_web;

GRANT SELECT ON TABLE portfolio.sale TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE portfolio.sale TO brickmark_web;

GRANT SELECT ON TABLE portfolio.sale_lot TO brickmark_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE portfolio.sale_lot TO brickmark_web;

GRANT SELECT ON TABLE portfolio.sale_item TO brickmark_api;
GRANT SELECT ON TABLE portfolio.sale_item TO brickmark_web;

GRANT SELECT,INSERT,DELETE ON TABLE portfolio.sale_order TO brickmark_web;

GRANT SELECT,INSERT ON TABLE portfolio.selling_costs TO brickmark_web;
GRANT SELECT ON TABLE portfolio.selling_costs TO brickmark_alerts;

GRANT UPDATE(fee_basis_points) ON TABLE portfolio.selling_costs TO brickmark_web;

GRANT UPDATE(fixed_fee_cents) ON TABLE portfolio.selling_costs TO brickmark_web;

GRANT UPDATE(shipping_cents) ON TABLE portfolio.selling_costs TO brickmark_web;

GRANT SELECT,INSERT,DELETE ON TABLE portfolio.shelf TO brickmark_web;

GRANT SELECT(account_id) ON TABLE portfolio.shelf TO brickmark_alerts;

GRANT SELECT(collection_id) ON TABLE portfolio.shelf TO brickmark_alerts;

GRANT UPDATE(heading) ON TABLE portfolio.shelf TO brickmark_web;

GRANT UPDATE(shows_value) ON TABLE portfolio.shelf TO brickmark_web;

GRANT UPDATE(shows_purchase_date) ON TABLE portfolio.shelf TO brickmark_web;

GRANT UPDATE(shows_notes) ON TABLE portfolio.shelf TO brickmark_web;

GRANT UPDATE(salt) ON TABLE portfolio.shelf TO brickmark_web;

GRANT UPDATE(token_hash) ON TABLE portfolio.shelf TO brickmark_web;
GRANT SELECT(token_hash) ON TABLE portfolio.shelf TO brickmark_alerts;

GRANT SELECT,INSERT,DELETE ON TABLE portfolio.watched_item TO brickmark_web;

GRANT SELECT(account_id) ON TABLE portfolio.watched_item TO brickmark_alerts;

GRANT SELECT(set_number) ON TABLE portfolio.watched_item TO brickmark_alerts;

GRANT SELECT(minifig_number) ON TABLE portfolio.watched_item TO brickmark_alerts;

GRANT UPDATE(target_cents) ON TABLE portfolio.watched_item TO brickmark_web;

GRANT SELECT ON TABLE public.migration TO brickmark_api;
GRANT SELECT ON TABLE public.migration TO brickmark_worker;
GRANT SELECT ON TABLE public.migration TO brickmark_web;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.growth_fit TO brickmark_worker;

GRANT SELECT,INSERT,DELETE ON TABLE source.held_row TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.import TO brickmark_worker;
GRANT SELECT ON TABLE source.import TO brickmark_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.minifig_claim TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.month_model TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.month_valuation TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.poll_cursor TO brickmark_worker;
GRANT SELECT ON TABLE source.poll_cursor TO brickmark_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.product_match TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.product_search TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.quarantine TO brickmark_worker;

GRANT SELECT(id) ON TABLE source.quarantine TO brickmark_operator;

GRANT SELECT(import_id) ON TABLE source.quarantine TO brickmark_operator;

GRANT SELECT(feed) ON TABLE source.quarantine TO brickmark_operator;

GRANT SELECT(row_number) ON TABLE source.quarantine TO brickmark_operator;

GRANT SELECT(reason) ON TABLE source.quarantine TO brickmark_operator;

GRANT SELECT(retried_at) ON TABLE source.quarantine TO brickmark_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.retail_observation TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.retail_observation_default TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.retail_product TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.retail_progress TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.retail_queue TO brickmark_worker;
GRANT SELECT ON TABLE source.retail_queue TO brickmark_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.sale_event TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.sale_observation TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.sale_observation_default TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.sale_return TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.set_claim TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.set_minifig_claim TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.trader TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.valuation TO brickmark_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE source.valuation_queue TO brickmark_worker;
GRANT SELECT ON TABLE source.valuation_queue TO brickmark_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE source.withdrawal TO brickmark_worker;

GRANT SELECT ON TABLE webhook.attempt TO brickmark_web;
GRANT INSERT ON TABLE webhook.attempt TO brickmark_alerts;

GRANT SELECT,INSERT ON TABLE webhook.delivery TO brickmark_web;
GRANT SELECT,INSERT ON TABLE webhook.delivery TO brickmark_alerts;

GRANT SELECT(account_id) ON TABLE webhook.delivery TO brickmark_operator;

GRANT SELECT(endpoint_id) ON TABLE webhook.delivery TO brickmark_operator;

GRANT SELECT(at) ON TABLE webhook.delivery TO brickmark_operator;

GRANT UPDATE(status) ON TABLE webhook.delivery TO brickmark_web;
GRANT UPDATE(status) ON TABLE webhook.delivery TO brickmark_alerts;
GRANT SELECT(status) ON TABLE webhook.delivery TO brickmark_operator;

GRANT UPDATE(attempts) ON TABLE webhook.delivery TO brickmark_web;
GRANT UPDATE(attempts) ON TABLE webhook.delivery TO brickmark_alerts;

GRANT UPDATE(next_attempt_at) ON TABLE webhook.delivery TO brickmark_web;
GRANT UPDATE(next_attempt_at) ON TABLE webhook.delivery TO brickmark_alerts;

GRANT SELECT,INSERT,DELETE ON TABLE webhook.endpoint TO brickmark_web;
GRANT SELECT,DELETE ON TABLE webhook.endpoint TO brickmark_alerts;

GRANT SELECT(account_id) ON TABLE webhook.endpoint TO brickmark_operator;

GRANT SELECT(id) ON TABLE webhook.endpoint TO brickmark_operator;

GRANT SELECT(url) ON TABLE webhook.endpoint TO brickmark_operator;

GRANT UPDATE(salt) ON TABLE webhook.endpoint TO brickmark_web;

GRANT UPDATE(old_salt) ON TABLE webhook.endpoint TO brickmark_web;

GRANT UPDATE(old_salt_until) ON TABLE webhook.endpoint TO brickmark_web;

GRANT UPDATE(disabled_at) ON TABLE webhook.endpoint TO brickmark_web;
GRANT UPDATE(disabled_at) ON TABLE webhook.endpoint TO brickmark_alerts;

GRANT UPDATE(disabled_reason) ON TABLE webhook.endpoint TO brickmark_web;
GRANT UPDATE(disabled_reason) ON TABLE webhook.endpoint TO brickmark_alerts;
GRANT SELECT(disabled_reason) ON TABLE webhook.endpoint TO brickmark_operator;

GRANT UPDATE(next_attempt_at) ON TABLE webhook.endpoint TO brickmark_web;
GRANT UPDATE(next_attempt_at) ON TABLE webhook.endpoint TO brickmark_alerts;

GRANT UPDATE(leased_until) ON TABLE webhook.endpoint TO brickmark_alerts;

GRANT UPDATE(last_attempt_at) ON TABLE webhook.endpoint TO brickmark_alerts;
GRANT SELECT(last_attempt_at) ON TABLE webhook.endpoint TO brickmark_operator;

GRANT UPDATE(last_status_code) ON TABLE webhook.endpoint TO brickmark_alerts;
GRANT SELECT(last_status_code) ON TABLE webhook.endpoint TO brickmark_operator;

GRANT SELECT,INSERT ON TABLE webhook.event TO brickmark_web;
GRANT SELECT,INSERT,DELETE ON TABLE webhook.event TO brickmark_alerts;

GRANT SELECT,INSERT ON TABLE webhook.push_subscription TO brickmark_web;
GRANT SELECT ON TABLE webhook.push_subscription TO brickmark_alerts;

GRANT UPDATE(p256dh) ON TABLE webhook.push_subscription TO brickmark_web;

GRANT UPDATE(auth) ON TABLE webhook.push_subscription TO brickmark_web;

GRANT UPDATE(client) ON TABLE webhook.push_subscription TO brickmark_web;

GRANT UPDATE(device_hash) ON TABLE webhook.push_subscription TO brickmark_web;

GRANT UPDATE(paused_until) ON TABLE webhook.push_subscription TO brickmark_alerts;

GRANT UPDATE(last_success_at) ON TABLE webhook.push_subscription TO brickmark_alerts;

ALTER DEFAULT PRIVILEGES FOR ROLE brickmark_owner IN SCHEMA pgboss GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO brickmark_worker;
ALTER DEFAULT PRIVILEGES FOR ROLE brickmark_owner IN SCHEMA pgboss GRANT SELECT ON TABLES  TO brickmark_operator;

