-- What the web application may do beyond the account it acts for: delete the account of who has just signed in, and, for an
-- operator, look at accounts, data and jobs and change plans. Each is one function that asks for the session itself, so a
-- page that forgets to check shows nothing, and the role gains no right on any table.

-- Deletes the account of whoever signed in with this session within the last ten minutes, and every row that belongs to it.
-- False when there is no such session.
create function auth.delete_account(session_token text) returns boolean
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  person record;
begin
  select u.id, u.account_id into person
    from auth.session s join auth."user" u on u.id = s.user_id
   where s.token = session_token and s.expires_at > now() and s.created_at > now() - interval '10 minutes';
  if not found then
    return false;
  end if;
  -- Resets and second steps under way name the user in what they carry, under no key of the table.
  delete from auth.verification where position(person.id in value) > 0;
  delete from account.account where account_id = person.account_id;
  -- Has no foreign key, for the sake of the charge. Last, so that it waits for charges that are under way.
  delete from account.quota_day where account_id = person.account_id;
  return true;
end
$$;

-- A charge that began before an account was deleted may write its row just after. The nightly upkeep takes it away.
create or replace function account.keep_partitions() returns integer
language sql security definer set search_path = pg_catalog
as $$
  delete from account.quota_day q
   where not exists (select from account.api_key k where k.account_id = q.account_id and k.id = q.key_id);
  select sum(account.drop_partitions(parent, (now() at time zone 'utc')::date - 40)
    + account.add_partitions(parent,
        (now() at time zone 'utc')::date - 1, (now() at time zone 'utc')::date + 14, interval '1 day'))
    from (values ('account.quota_day'::regclass), ('account.usage_day'::regclass)) as kept (parent)
$$;

-- The account of the operator who is signed in with this session; refuses everybody else.
create function auth.require_operator(session_token text) returns bigint
language plpgsql stable security definer set search_path = pg_catalog
as $$
declare
  operator_id bigint;
begin
  select u.account_id into operator_id
    from auth.session s join auth."user" u on u.id = s.user_id
   where s.token = session_token and s.expires_at > now() and u.operator;
  if operator_id is null then
    raise exception 'this is for operators' using errcode = 'insufficient_privilege';
  end if;
  return operator_id;
end
$$;

-- Accounts whose name, address or number fits, newest first; or the one that is named.
create function account.operator_accounts(session_token text, search text, only_id bigint, page_limit integer, page_offset integer)
returns table (account_id bigint, name text, email text, operator boolean, plan text, created_at timestamptz,
  active_keys integer, used_today integer, signed_in_at timestamptz, total integer)
language plpgsql stable security definer set search_path = pg_catalog
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  with page as (
    select a.account_id, a.name, u.id as user_id, u.email, coalesce(u.operator, false) as operator, a.plan, a.created_at,
           count(*) over ()::integer as total
      from account.account a
      left join auth."user" u on u.account_id = a.account_id
     where (only_id is null or a.account_id = only_id)
       and (search = '' or strpos(lower(a.name), lower(search)) > 0 or strpos(lower(u.email), lower(search)) > 0
         or a.account_id::text = search)
     order by a.account_id desc
     limit page_limit offset page_offset
  )
  select p.account_id, p.name, p.email, p.operator, p.plan, p.created_at,
         (select count(*)::integer from account.api_key k
           where k.account_id = p.account_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())),
         (select coalesce(sum(q.used), 0)::integer from account.quota_day q
           where q.account_id = p.account_id and q.day = (now() at time zone 'utc')::date),
         (select max(s.created_at) from auth.session s where s.user_id = p.user_id),
         p.total
    from page p
   order by p.account_id desc;
end
$$;

-- Puts an account on another plan from its next request on, and notes by which operator, named by the number of their own
-- account: an address would outlive its account here. False when there is no such account or plan, or it is on it already.
create function account.operator_change_plan(session_token text, of_account bigint, new_plan text) returns boolean
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  operator_id bigint := auth.require_operator(session_token);
  old_plan text;
begin
  select a.plan into old_plan
    from account.account a
   where a.account_id = of_account and a.plan <> new_plan
     and exists (select from account.plan p where p.plan = new_plan)
     for update;
  if not found then
    return false;
  end if;
  update account.account set plan = new_plan where account_id = of_account;
  insert into account.audit_log (account_id, actor, action, detail)
    values (of_account, 'operator', 'plan.changed',
            jsonb_build_object('from', old_plan, 'to', new_plan, 'by_account', operator_id));
  return true;
end
$$;

-- For each feed: its newest file, what came within a day, and what is in quarantine.
create function account.operator_feeds(session_token text)
returns table (feed text, file_name text, finished_at timestamptz, accepted bigint, repeated bigint, quarantined bigint,
  files_today integer, accepted_today bigint, in_quarantine bigint)
language plpgsql stable security definer set search_path = pg_catalog
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select f.feed, i.file_name, i.finished_at, i.accepted, i.repeated, i.quarantined,
         d.files, d.accepted, (select count(*) from source.quarantine q where q.feed = f.feed and q.retried_at is null)
    from (values ('catalog'), ('sales'), ('returns'), ('retail')) as f (feed)
    left join lateral (
      select * from source.import i where i.feed = f.feed order by i.import_id desc limit 1) i on true
    cross join lateral (
      select count(*)::integer as files, coalesce(sum(n.accepted), 0)::bigint as accepted
        from source.import n where n.feed = f.feed and n.finished_at > now() - interval '1 day') d;
end
$$;

-- The declared sources, and when each was last polled if we poll it.
create function account.operator_sources(session_token text)
returns table (source_id text, name text, licence_id text, rank smallint, polled_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select s.source_id, s.name, s.licence_id, s.rank, p.polled_at
    from source.source s left join source.poll_cursor p on p.source_id = s.source_id
   order by s.source_id;
end
$$;

-- What has changed and is not computed yet.
create function account.operator_backlog(session_token text)
returns table (items bigint, items_since timestamptz, products bigint, products_since timestamptz)
language plpgsql stable security definer set search_path = pg_catalog
as $$
begin
  perform auth.require_operator(session_token);
  return query
  select i.count, i.since, p.count, p.since
    from (select count(*), min(marked_at) as since from source.dirty_item) i,
         (select count(*), min(marked_at) as since from source.dirty_product) p;
end
$$;

-- The queues and how their jobs went within the days that the queue keeps them. None before a worker has ever run: the
-- tables are the queue's own.
create function account.operator_jobs(session_token text)
returns table (name text, schedule text, waiting integer, active integer, failed integer, done_at timestamptz,
  failed_at timestamptz, failure text)
language plpgsql stable security definer set search_path = pg_catalog
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  if to_regclass('pgboss.job') is null then
    return;
  end if;
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

-- Rows in quarantine, newest first: where they stand and why they were refused, but not what they say, which is licensed.
create function account.operator_quarantine(session_token text, of_feed text, page_limit integer, page_offset integer)
returns table (quarantine_id bigint, feed text, file_name text, came_at timestamptz, row_number bigint, reason text, total integer)
language plpgsql stable security definer set search_path = pg_catalog
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select q.quarantine_id, q.feed, i.file_name, i.finished_at, q.row_number, q.reason, count(*) over ()::integer
    from source.quarantine q join source.import i on i.import_id = q.import_id
   where q.retried_at is null and (of_feed = '' or q.feed = of_feed)
   order by q.quarantine_id desc
   limit page_limit offset page_offset;
end
$$;

-- contract: made in this file, so nothing can use it yet
revoke execute on function auth.delete_account(text), auth.require_operator(text),
  account.operator_accounts(text, text, bigint, integer, integer), account.operator_change_plan(text, bigint, text),
  account.operator_feeds(text), account.operator_sources(text), account.operator_backlog(text), account.operator_jobs(text),
  account.operator_quarantine(text, text, integer, integer) from public;
grant execute on function auth.delete_account(text),
  account.operator_accounts(text, text, bigint, integer, integer), account.operator_change_plan(text, bigint, text),
  account.operator_feeds(text), account.operator_sources(text), account.operator_backlog(text), account.operator_jobs(text),
  account.operator_quarantine(text, text, integer, integer) to brickmark_web;
