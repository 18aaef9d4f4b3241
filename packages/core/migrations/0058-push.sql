-- A browser that gets alerts as notifications. It is a webhook endpoint whose URL is that of the browser's push service, so
-- its events are delivered, tried again and kept like all others.
create table webhook.push_subscription (
  account_id bigint not null,
  endpoint_id bigint not null,
  -- What messages to this browser are encrypted with; only the browser can decrypt them.
  p256dh bytea not null check (length(p256dh) = 65),
  auth bytea not null check (length(auth) = 16),
  -- The user agent.
  client text not null,
  -- Hash of the cookie by which a browser is known (auth.known_device); null if it had none.
  device_hash bytea check (length(device_hash) = 32),
  -- Until then, nothing is sent: messages have a pace, and a push service may ask for a pause.
  paused_until timestamptz,
  last_success_at timestamptz,
  primary key (account_id, endpoint_id),
  foreign key (account_id, endpoint_id) references webhook.endpoint on delete cascade
);
alter table webhook.push_subscription enable row level security;
alter table webhook.push_subscription force row level security;
create policy own on webhook.push_subscription to brickmark_web using (account_id = account.current_account_id());
create policy alerts on webhook.push_subscription to brickmark_alerts using (true);
grant select, insert, update (p256dh, auth, client, device_hash) on webhook.push_subscription to brickmark_web;
grant select, update (paused_until, last_success_at) on webhook.push_subscription to brickmark_alerts;
grant delete on webhook.endpoint to brickmark_alerts;

-- Leases endpoints that have deliveries due, those that have waited longest first. Browsers are left to the function below.
create or replace function webhook.claim_endpoints(max_endpoints integer, lease interval)
returns table (account_id bigint, endpoint_id bigint)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update webhook.endpoint e set leased_until = now() + lease
    from (select d.account_id, d.id from webhook.endpoint d
           where d.next_attempt_at <= now() and d.disabled_at is null and (d.leased_until is null or d.leased_until <= now())
             and not exists (select from account.account o where o.id = d.account_id and o.suspended)
             and not exists (select from webhook.push_subscription p where p.account_id = d.account_id and p.endpoint_id = d.id)
           order by d.next_attempt_at limit max_endpoints for update skip locked) as due
   where e.account_id = due.account_id and e.id = due.id
  returning e.account_id, e.id
$$;

-- The same for browsers.
create function webhook.claim_push_subscriptions(max_subscriptions integer, lease interval)
returns table (account_id bigint, endpoint_id bigint)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
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

-- Returns what is due at a browser, oldest event first, with what it takes to send it.
create function webhook.find_due_pushes(of_account bigint, of_endpoint bigint, max_deliveries integer)
returns table (event_id uuid, at timestamptz, type text, data jsonb, attempts smallint, url text, p256dh bytea, auth bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select d.event_id, d.at, d.type, d.data, d.attempts, d.url, p.p256dh, p.auth
    from webhook.push_subscription p,
         webhook.find_due_deliveries(p.account_id, p.endpoint_id, max_deliveries) as d
   where p.account_id = of_account and p.endpoint_id = of_endpoint
   order by d.at, (d.data ->> 'alert_id')::bigint, d.event_id
$$;

-- Saves attempts like record_attempts, and for how long nothing more is sent to the browser.
create function webhook.record_pushes(of_account bigint, of_endpoint bigint, results jsonb, pause interval) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform webhook.record_attempts(of_account, of_endpoint, results);
  update webhook.push_subscription p
     set paused_until = now() + pause,
         last_success_at = coalesce((select max(r.at) from jsonb_to_recordset(results) as r (at timestamptz, status text)
                                      where r.status = 'delivered'), p.last_success_at)
   where p.account_id = of_account and p.endpoint_id = of_endpoint;
end
$$;

-- Deletes a subscription that no longer exists in its browser, with what was to be sent there.
create function webhook.delete_push_subscription(of_account bigint, of_endpoint bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from webhook.endpoint e using webhook.push_subscription p
   where e.account_id = of_account and e.id = of_endpoint and p.account_id = e.account_id and p.endpoint_id = e.id
$$;

-- How many endpoints have deliveries due, and for how long the first of them has waited. Browsers are counted below.
create or replace function webhook.backlog() returns table (endpoints bigint, oldest_seconds float8)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select count(*), coalesce(max(extract(epoch from now() - e.next_attempt_at)), 0)::float8
    from webhook.endpoint e
   where e.disabled_at is null and e.next_attempt_at <= now()
     and not exists (select from account.account o where o.id = e.account_id and o.suspended)
     and not exists (select from webhook.push_subscription p where p.account_id = e.account_id and p.endpoint_id = e.id)
$$;

-- The same for browsers. The time for which nothing may be sent doesn't count as waiting.
create function webhook.push_backlog() returns table (subscriptions bigint, oldest_seconds float8)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select count(*), coalesce(max(extract(epoch from now() - greatest(e.next_attempt_at, p.paused_until))), 0)::float8
    from webhook.endpoint e
    join webhook.push_subscription p on p.account_id = e.account_id and p.endpoint_id = e.id
   where e.disabled_at is null and e.next_attempt_at <= now() and (p.paused_until is null or p.paused_until <= now())
     and not exists (select from account.account o where o.id = e.account_id and o.suspended)
$$;

grant create on schema webhook to brickmark_alerts;
alter function webhook.claim_push_subscriptions(integer, interval) owner to brickmark_alerts;
alter function webhook.find_due_pushes(bigint, bigint, integer) owner to brickmark_alerts;
alter function webhook.record_pushes(bigint, bigint, jsonb, interval) owner to brickmark_alerts;
alter function webhook.delete_push_subscription(bigint, bigint) owner to brickmark_alerts;
alter function webhook.push_backlog() owner to brickmark_alerts;
revoke create on schema webhook from brickmark_alerts;
revoke execute on function webhook.claim_push_subscriptions(integer, interval) from public;
revoke execute on function webhook.find_due_pushes(bigint, bigint, integer) from public;
revoke execute on function webhook.record_pushes(bigint, bigint, jsonb, interval) from public;
revoke execute on function webhook.delete_push_subscription(bigint, bigint) from public;
revoke execute on function webhook.push_backlog() from public;
grant execute on function webhook.claim_push_subscriptions(integer, interval), webhook.find_due_pushes(bigint, bigint, integer),
  webhook.record_pushes(bigint, bigint, jsonb, interval), webhook.delete_push_subscription(bigint, bigint), webhook.push_backlog()
  to brickmark_worker;
