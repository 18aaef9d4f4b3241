-- Webhook endpoints of accounts, and the events that are delivered to them.

create table webhook.endpoint (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  url text not null check (length(url) <= 2000),
  -- The secret that signs messages is derived from it, and from a key that the database doesn't know.
  salt bytea not null,
  -- After a rotation, messages are signed with both secrets for a while.
  old_salt bytea,
  old_salt_until timestamptz,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('owner', 'gone')),
  -- When the next delivery is due; null if none waits.
  next_attempt_at timestamptz,
  -- Until then, a worker is sending to it.
  leased_until timestamptz,
  last_attempt_at timestamptz,
  -- Null if there was no response.
  last_status_code smallint,
  primary key (account_id, id),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((old_salt is null) = (old_salt_until is null))
);
create index endpoint_by_attempt on webhook.endpoint (next_attempt_at) where disabled_at is null and next_attempt_at is not null;

-- Kept for 30 days, with everything that happened to it.
create table webhook.event (
  account_id bigint not null references account.account on delete cascade,
  -- Stays the same however often the event is sent, also after a restore.
  id uuid not null default gen_random_uuid(),
  at timestamptz not null default now(),
  type text not null,
  data jsonb not null,
  primary key (account_id, id)
);
create index event_by_age on webhook.event (at);

create table webhook.delivery (
  account_id bigint not null,
  event_id uuid not null,
  endpoint_id bigint not null,
  at timestamptz not null default now(),
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts smallint not null default 0,
  next_attempt_at timestamptz default now(),
  primary key (account_id, event_id, endpoint_id),
  foreign key (account_id, event_id) references webhook.event on delete cascade,
  foreign key (account_id, endpoint_id) references webhook.endpoint on delete cascade,
  check ((status = 'waiting') = (next_attempt_at is not null))
);
create index delivery_by_endpoint on webhook.delivery (account_id, endpoint_id, at desc);
create index delivery_due on webhook.delivery (account_id, endpoint_id, next_attempt_at) where status = 'waiting';

create table webhook.attempt (
  account_id bigint not null,
  event_id uuid not null,
  endpoint_id bigint not null,
  at timestamptz not null,
  duration_ms integer not null,
  -- Null if there was no response.
  status_code smallint,
  -- The beginning of the response's body, or why there was none.
  response text not null,
  primary key (account_id, event_id, endpoint_id, at),
  foreign key (account_id, event_id, endpoint_id) references webhook.delivery on delete cascade
);

do $$
declare
  private text;
begin
  foreach private in array array['endpoint', 'event', 'delivery', 'attempt'] loop
    execute format('alter table webhook.%I enable row level security', private);
    execute format('alter table webhook.%I force row level security', private);
    execute format('create policy own on webhook.%I to brickmark_web using (account_id = account.current_account_id())', private);
    execute format('create policy alerts on webhook.%I to brickmark_alerts using (true)', private);
  end loop;
end
$$;
grant select, insert, delete, update (salt, old_salt, old_salt_until, disabled_at, disabled_reason, next_attempt_at)
  on webhook.endpoint to brickmark_web;
grant select, insert on webhook.event to brickmark_web;
grant select, insert, update (status, attempts, next_attempt_at) on webhook.delivery to brickmark_web;
grant select on webhook.attempt to brickmark_web;
grant select, update (leased_until, next_attempt_at, disabled_at, disabled_reason, last_attempt_at, last_status_code)
  on webhook.endpoint to brickmark_alerts;
grant select, insert, delete on webhook.event to brickmark_alerts;
grant select, insert, update (status, attempts, next_attempt_at) on webhook.delivery to brickmark_alerts;
grant insert on webhook.attempt to brickmark_alerts;

-- An operator sees how much waits and why, never what it says. Of a URL, the operator functions return only the host.
create policy operator on webhook.endpoint for select to brickmark_operator using (true);
create policy operator on webhook.delivery for select to brickmark_operator using (true);
grant select (account_id, id, url, disabled_reason, last_attempt_at, last_status_code) on webhook.endpoint to brickmark_operator;
grant select (account_id, endpoint_id, status, at) on webhook.delivery to brickmark_operator;

-- Adds an event for each of these alerts whose account has an endpoint.
create function webhook.add_alert_events(alert_ids bigint[], account_ids bigint[]) returns void
language sql set search_path = pg_catalog, pg_temp
as $$
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

-- Leases endpoints that have deliveries due, those that have waited longest first.
create function webhook.claim_endpoints(max_endpoints integer, lease interval)
returns table (account_id bigint, endpoint_id bigint)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update webhook.endpoint e set leased_until = now() + lease
    from (select d.account_id, d.id from webhook.endpoint d
           where d.next_attempt_at <= now() and d.disabled_at is null and (d.leased_until is null or d.leased_until <= now())
           order by d.next_attempt_at limit max_endpoints for update skip locked) as due
   where e.account_id = due.account_id and e.id = due.id
  returning e.account_id, e.id
$$;

-- Returns deliveries that are due at an endpoint, with what it takes to send them. None if the endpoint is disabled.
create function webhook.find_due_deliveries(of_account bigint, of_endpoint bigint, max_deliveries integer)
returns table (event_id uuid, at timestamptz, type text, data jsonb, attempts smallint, url text, salt bytea, old_salt bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select v.id, v.at, v.type, v.data, d.attempts, e.url, e.salt, case when e.old_salt_until > now() then e.old_salt end
    from webhook.endpoint e
    join webhook.delivery d on d.account_id = e.account_id and d.endpoint_id = e.id
    join webhook.event v on v.account_id = d.account_id and v.id = d.event_id
   where e.account_id = of_account and e.id = of_endpoint and e.disabled_at is null
     and d.status = 'waiting' and d.next_attempt_at <= now()
   order by d.next_attempt_at
   limit max_deliveries
$$;

-- Saves attempts to deliver, and what follows from each: the delivery has succeeded, waits for `retry_in_seconds`, or has
-- failed for good. An endpoint that says it is gone is disabled.
create function webhook.record_attempts(of_account bigint, of_endpoint bigint, results jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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

-- Ends a lease. The next delivery is looked for after the lock: an event that is being added waits for the lock, or has
-- become visible.
create function webhook.release_endpoint(of_account bigint, of_endpoint bigint, pause interval) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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

-- Events are kept for 30 days. Deletes the oldest up to a number, and returns how many.
create function webhook.delete_old_events(max_rows integer) returns bigint
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with old as (select account_id, id from webhook.event where at < now() - interval '30 days' order by at limit max_rows),
       deleted as (delete from webhook.event e using old where e.account_id = old.account_id and e.id = old.id returning 1)
  select count(*) from deleted
$$;

-- How many endpoints have deliveries due, and for how long the first of them has waited.
create function webhook.backlog() returns table (endpoints bigint, oldest_seconds float8)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select count(*), coalesce(max(extract(epoch from now() - e.next_attempt_at)), 0)::float8
    from webhook.endpoint e where e.disabled_at is null and e.next_attempt_at <= now()
$$;

grant create on schema webhook to brickmark_alerts;
do $$
declare
  signature text;
begin
  foreach signature in array array['claim_endpoints(integer, interval)', 'find_due_deliveries(bigint, bigint, integer)',
    'record_attempts(bigint, bigint, jsonb)', 'release_endpoint(bigint, bigint, interval)', 'delete_old_events(integer)', 'backlog()'] loop
    execute format('alter function webhook.%s owner to brickmark_alerts', signature);
    execute format('revoke execute on function webhook.%s from public', signature);
    execute format('grant execute on function webhook.%s to brickmark_worker', signature);
  end loop;
end
$$;
revoke create on schema webhook from brickmark_alerts;
revoke execute on function webhook.add_alert_events(bigint[], bigint[]) from public;
grant execute on function webhook.add_alert_events(bigint[], bigint[]) to brickmark_alerts;

-- For the operator pages.

-- Returns the endpoints with deliveries that wait or have failed, those with most of them first. Of a URL only the host: the
-- rest may be a secret.
create function webhook.operator_webhooks(session_token text)
returns table (account_id bigint, endpoint_id bigint, host text, disabled_reason text, waiting bigint, failed bigint,
  oldest_at timestamptz, last_attempt_at timestamptz, last_status_code smallint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
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

grant create on schema webhook to brickmark_operator;
alter function webhook.operator_webhooks(text) owner to brickmark_operator;
revoke create on schema webhook from brickmark_operator;
revoke execute on function webhook.operator_webhooks(text) from public;
grant execute on function webhook.operator_webhooks(text) to brickmark_web;
