-- May this key have this response, and how much is left? The API can execute these functions and read no table of this
-- schema.

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
