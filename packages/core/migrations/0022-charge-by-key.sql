-- Every key that is asked for is looked up by itself, whatever the planner believes: each look-up stops at its one row, which
-- cannot be turned into a join. As joins, on a day whose counters nobody had analyzed yet, they were planned as one
-- over all counters of that day, and every charge read all of them.
create or replace function account.charge(account_ids bigint[], key_ids bigint[], prices integer[], calls integer[])
returns table (place integer, verdict text, granted integer, used integer, daily_limit integer, asked_at timestamptz, resets_at timestamptz)
language plpgsql security definer
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  today date := (now() at time zone 'utc')::date;
begin
  return query
  with asked as (
    select a.place::integer, a.account_id, a.key_id, a.price, a.calls, p.daily_limit, coalesce(q.used, 0) as used,
           case when k.id is null or k.revoked_at is not null or k.expires_at <= now() then 'invalid_key'
                when not p.api_access then 'no_plan'
                when coalesce(q.used, 0) + a.price > p.daily_limit and a.price > 0 then 'exhausted'
                else 'open' end as verdict
      from unnest(account_ids, key_ids, prices, calls) with ordinality as a (account_id, key_id, price, calls, place)
      left join lateral (
        select k.id, k.revoked_at, k.expires_at from account.api_key k
         where k.account_id = a.account_id and k.id = a.key_id limit 1) k on true
      left join lateral (
        select p.daily_limit, p.api_access from account.account o join account.plan p on p.plan = o.plan
         where o.account_id = a.account_id limit 1) p on true
      left join lateral (
        select q.used from account.quota_day q
         where q.account_id = a.account_id and q.key_id = a.key_id and q.day = today limit 1) q on true
  ),
  charged as (
    insert into account.quota_day as q
      (account_id, key_id, day, used, daily_limit, last_price, last_calls, last_granted)
    select a.account_id, a.key_id, today, a.price * least(a.calls, a.daily_limit / a.price), a.daily_limit,
           a.price, a.calls, least(a.calls, a.daily_limit / a.price)
      from asked a
     where a.verdict = 'open' and a.price > 0
     order by a.account_id, a.key_id
    on conflict (account_id, key_id, day) do update set
      used = q.used + excluded.last_price
        * greatest(0, least(excluded.last_calls, (excluded.daily_limit - q.used) / excluded.last_price)),
      last_granted = greatest(0, least(excluded.last_calls, (excluded.daily_limit - q.used) / excluded.last_price)),
      daily_limit = excluded.daily_limit,
      last_price = excluded.last_price,
      last_calls = excluded.last_calls,
      last_at = now()
    returning q.account_id, q.key_id, q.used, q.last_granted
  )
  select a.place, a.verdict,
         coalesce(c.last_granted, case when a.verdict = 'open' then a.calls else 0 end),
         coalesce(c.used, a.used), a.daily_limit, now(), (today + 1)::timestamp at time zone 'utc'
    from asked a
    left join charged c on c.account_id = a.account_id and c.key_id = a.key_id;
end
$$;
