-- What an operator sees of accounts: which are suspended, and signs that one needs a look.

-- As account.operator_accounts(), which the previous release uses, and why an account is suspended.
create function account.operator_find_accounts(session_token text, search text, only_suspended boolean, only_id bigint,
  before_id bigint, page_limit integer)
returns table (account_id bigint, name text, email text, operator boolean, plan text, created_at timestamptz,
  active_keys integer, used_today integer, signed_in_at timestamptz, suspended_at timestamptz, suspension_reason text)
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
$$;

-- Signs that these accounts need a look: each with a number, and when it was last seen. Requests are counted by day.
create function account.operator_signals(session_token text, of_accounts bigint[], days integer)
returns table (account_id bigint, signal text, count bigint, last_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
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

create policy operator_reads on account.audit_log for select to brickmark_operator using (true);
grant select (account_id, id, at, action, detail) on account.audit_log to brickmark_operator;
create policy operator on account.api_key_usage for select to brickmark_operator using (true);
grant select (account_id, day, status, requests) on account.api_key_usage to brickmark_operator;
grant usage on schema alert to brickmark_operator;
create policy operator on alert.mail_settings for select to brickmark_operator using (true);
grant select (account_id, bounced_at) on alert.mail_settings to brickmark_operator;

grant create on schema account to brickmark_operator;
alter function account.operator_find_accounts(text, text, boolean, bigint, bigint, integer) owner to brickmark_operator;
alter function account.operator_signals(text, bigint[], integer) owner to brickmark_operator;
revoke create on schema account from brickmark_operator;
revoke execute on function account.operator_find_accounts(text, text, boolean, bigint, bigint, integer),
  account.operator_signals(text, bigint[], integer) from public;
grant execute on function account.operator_find_accounts(text, text, boolean, bigint, bigint, integer),
  account.operator_signals(text, bigint[], integer) to brickmark_web;
