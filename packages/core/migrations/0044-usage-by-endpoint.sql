-- Requests by endpoint, beside their number by status: in the same row, because a flush must not write twice as many.
alter table account.api_key_usage add column endpoints jsonb not null default '{}';

-- Adds the counts of two objects like {"/set/{number}": 12}.
create function account.add_counts(a jsonb, b jsonb) returns jsonb
language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_object_agg(key, count), '{}')
    from (select key, sum(value::integer) as count
            from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) as both_counts
           group by key) as summed
$$;

-- As before, with the endpoints. An API of the previous release doesn't send them.
create or replace function account.record_requests(entries jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
  -- Doesn't wait for the disk: a server that crashes loses less than a process that does.
  select set_config('synchronous_commit', 'off', true);
  with entry as materialized (
    select e.*
      from jsonb_to_recordset(entries) as e (account_id bigint, api_key_id bigint, status smallint, requests integer,
        endpoints jsonb, at timestamptz, request_id uuid, request text, error_code text, error_message text, client text)
      join account.api_key k on k.account_id = e.account_id and k.id = e.api_key_id
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

-- What one key of the account in context was charged and asked since a day, for the API, which reads no table of this schema.
create function account.read_key_usage(key_id bigint, first_day date)
returns table (day date, used integer, daily_limit integer, endpoints jsonb, requests integer, failed integer)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
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

grant select on account.api_key_quota_history to brickmark_admission;
grant create on schema account to brickmark_admission;
alter function account.add_counts(jsonb, jsonb) owner to brickmark_admission;
alter function account.read_key_usage(bigint, date) owner to brickmark_admission;
revoke create on schema account from brickmark_admission;
revoke execute on function account.add_counts(jsonb, jsonb), account.read_key_usage(bigint, date) from public;
grant execute on function account.read_key_usage(bigint, date) to brickmark_api;
