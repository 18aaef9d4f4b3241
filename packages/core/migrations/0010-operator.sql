-- What an operator can do on the operator pages. Each function verifies the session itself, so that a page that forgets to
-- check shows nothing, and the web application's role can't read any of these tables.

-- Returns the account of the operator who is signed in with this session; rejects everybody else.
create function auth.require_operator(session_token text) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  operator_id bigint;
begin
  select u.account_id into operator_id
    from auth.session s join auth."user" u on u.id = s.user_id
   where s.token = session_token and s.expires_at > now() and u.operator;
  if operator_id is null then
    raise exception 'Only operators may do this.' using errcode = 'insufficient_privilege';
  end if;
  return operator_id;
end
$$;

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

-- Returns for each feed its newest file, what arrived within a day, and how many rows are quarantined.
create function account.operator_feeds(session_token text)
returns table (feed text, file_name text, finished_at timestamptz, accepted bigint, repeated bigint, quarantined bigint,
  files_today integer, accepted_today bigint, in_quarantine bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
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

-- Returns the sources, and when each was last polled if it is polled.
create function account.operator_sources(session_token text)
returns table (source_id text, name text, license_id text, rank smallint, polled_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select s.id, s.name, s.license_id, s.rank, p.polled_at
    from source.source s left join source.poll_cursor p on p.source_id = s.id
   order by s.id;
end
$$;

-- Returns what is waiting to be recomputed.
create function account.operator_backlog(session_token text)
returns table (items bigint, items_since timestamptz, products bigint, products_since timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform auth.require_operator(session_token);
  return query
  select i.count, i.since, p.count, p.since
    from (select count(*), min(marked_at) as since from source.valuation_queue) i,
         (select count(*), min(marked_at) as since from source.retail_queue) p;
end
$$;

-- Returns the job queues and the outcome of the jobs that pg-boss still keeps.
create function account.operator_jobs(session_token text)
returns table (name text, schedule text, waiting integer, active integer, failed integer, done_at timestamptz,
  failed_at timestamptz, failure text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
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

-- Returns quarantined rows, newest first, with the reason but without their content, which is licensed.
create function account.operator_quarantine(session_token text, of_feed text, page_limit integer, page_offset integer)
returns table (quarantine_id bigint, feed text, file_name text, came_at timestamptz, row_number bigint, reason text, total integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
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

-- What these functions read and write, and nothing else: neither the content of quarantined rows nor any secret.
grant select (id, email, operator, account_id) on auth."user" to brickmark_operator;
grant select (user_id, token, expires_at, created_at) on auth.session to brickmark_operator;
grant select, update (plan) on account.account to brickmark_operator;
grant select on account.api_key, account.api_key_quota to brickmark_operator;
grant insert on account.audit_log to brickmark_operator;
grant select on source.import, source.source, source.poll_cursor, source.valuation_queue, source.retail_queue to brickmark_operator;
grant select (id, import_id, feed, row_number, reason, retried_at) on source.quarantine to brickmark_operator;

grant create on schema account, auth to brickmark_operator;
alter function auth.require_operator(text) owner to brickmark_operator;
alter function account.operator_accounts(text, text, bigint, bigint, integer) owner to brickmark_operator;
alter function account.operator_change_plan(text, bigint, text) owner to brickmark_operator;
alter function account.operator_feeds(text) owner to brickmark_operator;
alter function account.operator_sources(text) owner to brickmark_operator;
alter function account.operator_backlog(text) owner to brickmark_operator;
alter function account.operator_jobs(text) owner to brickmark_operator;
alter function account.operator_quarantine(text, text, integer, integer) owner to brickmark_operator;
revoke create on schema account, auth from brickmark_operator;
revoke execute on function auth.require_operator(text),
  account.operator_accounts(text, text, bigint, bigint, integer),
  account.operator_change_plan(text, bigint, text),
  account.operator_feeds(text),
  account.operator_sources(text),
  account.operator_backlog(text),
  account.operator_jobs(text),
  account.operator_quarantine(text, text, integer, integer) from public;
grant execute on function account.operator_accounts(text, text, bigint, bigint, integer),
  account.operator_change_plan(text, bigint, text),
  account.operator_feeds(text),
  account.operator_sources(text),
  account.operator_backlog(text),
  account.operator_jobs(text),
  account.operator_quarantine(text, text, integer, integer) to brickmark_web;
