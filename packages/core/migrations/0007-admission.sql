-- May this key have this answer, and what is left? The api may execute these two functions and read no table of
-- this schema.

create function account.identify_keys(hashes bytea[])
returns table (hash bytea, account_id bigint, key_id bigint)
language sql stable security definer set search_path = pg_catalog
as $$
  select d.hash, d.account_id, d.key_id from account.api_key_directory d where d.hash = any (hashes)
$$;

-- Charges many keys at once, each with `calls` requests of one `price`, and grants as many whole calls as the day
-- has room for. A key must not appear twice. Rows are taken in key order, so two nodes never wait for each other
-- in a circle. `used` only grows within a day, so a key that the snapshot shows as exhausted is refused unwritten.
create function account.charge(account_ids bigint[], key_ids bigint[], prices integer[], calls integer[])
returns table (place integer, verdict text, granted integer, used integer, daily_limit integer, asked_at timestamptz, resets_at timestamptz)
language plpgsql security definer set search_path = pg_catalog
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
      left join account.api_key k on k.account_id = a.account_id and k.id = a.key_id
      left join account.account o on o.account_id = a.account_id
      left join account.plan p on p.plan = o.plan
      left join account.quota_day q on q.account_id = a.account_id and q.key_id = a.key_id and q.day = today
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

grant create on schema account to brickmark_admission;
alter function account.identify_keys(bytea[]) owner to brickmark_admission;
alter function account.charge(bigint[], bigint[], integer[], integer[]) owner to brickmark_admission;
revoke create on schema account from brickmark_admission;
revoke execute on function account.identify_keys(bytea[]), account.charge(bigint[], bigint[], integer[], integer[]) from public;
grant execute on function account.identify_keys(bytea[]), account.charge(bigint[], bigint[], integer[], integer[]) to brickmark_api;
