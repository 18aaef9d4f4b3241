-- Alert rules of accounts, the alerts they caused, and when each account gets mail about its alerts.

-- Applies to one set, minifig or collection, or to the whole watchlist if all three are null.
create table alert.rule (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  kind text not null check (kind in ('price_at_most', 'below_value', 'return_at_least', 'new_low', 'sold_out', 'back_in_stock', 'third_party',
    'value_moved', 'retiring_soon', 'retired')),
  set_number text references catalog.set on delete cascade,
  minifig_number text references catalog.minifig on delete cascade,
  collection_id bigint,
  -- Cents for a price, otherwise hundredths of a percent.
  threshold integer check (threshold between 1 and 999999999),
  is_paused boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, collection_id) references portfolio.collection on delete cascade,
  check (num_nonnulls(set_number, minifig_number, collection_id) <= 1),
  check ((threshold is not null) = (kind in ('price_at_most', 'below_value', 'return_at_least', 'value_moved')))
);
-- A rule that an account has already can't be added again.
create unique index rule_once on alert.rule
  (account_id, kind, set_number, minifig_number, collection_id, threshold) nulls not distinct;
create index rule_by_set on alert.rule (set_number) where set_number is not null;
create index rule_by_minifig on alert.rule (minifig_number) where minifig_number is not null;
create index rule_by_collection on alert.rule (account_id, collection_id) where collection_id is not null;
create index rule_of_watchlist on alert.rule (account_id)
  where set_number is null and minifig_number is null and collection_id is null;

-- A rule that was met doesn't alert again before the price or value has moved away from its threshold. `retailer` is '' for
-- values.
create table alert.met_rule (
  account_id bigint not null,
  rule_id bigint not null,
  item_kind text not null,
  item_number text not null,
  retailer text not null,
  since timestamptz not null,
  primary key (account_id, rule_id, item_kind, item_number, retailer),
  foreign key (account_id, rule_id) references alert.rule on delete cascade
);

-- An alert outlives its rule, so it has everything that says why it was sent.
create table alert.alert (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  rule_id bigint not null,
  -- The change that caused it: the same change never causes it twice.
  change_id bigint not null,
  at timestamptz not null,
  kind text not null,
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  retailer text not null,
  facts jsonb not null,
  primary key (account_id, id),
  unique (account_id, rule_id, change_id, item_number, retailer)
);
create index alert_in_order on alert.alert (account_id, at desc, id desc);
create index alert_by_age on alert.alert (at);

-- An account without a row has the defaults.
create table alert.mail_settings (
  account_id bigint primary key references account.account on delete cascade,
  frequency text not null default 'at_once' check (frequency in ('at_once', 'daily', 'off')),
  -- An unknown name raises an error.
  time_zone text not null default 'UTC' check (timestamp '2000-01-01' at time zone time_zone is not null),
  -- Hours in this time zone. Quiet hours may span midnight; if both are equal, there are none.
  quiet_from smallint not null default 0 check (quiet_from between 0 and 23),
  quiet_to smallint not null default 0 check (quiet_to between 0 and 23),
  daily_at smallint not null default 8 check (daily_at between 0 and 23),
  -- Since when the account's address hasn't taken mail, or its owner has called it spam.
  bounced_at timestamptz
);

-- When the next mail about alerts is due, and the first alert in it. Null if there is nothing to send.
create table alert.mail_schedule (
  account_id bigint primary key references account.account on delete cascade,
  due_at timestamptz,
  first_alert_id bigint not null,
  last_mail_at timestamptz
);
create index mail_schedule_by_time on alert.mail_schedule (due_at) where due_at is not null;

-- How many alerts an account has had on its latest day, and how many more were left out because of its plan.
create table alert.daily_total (
  account_id bigint primary key references account.account on delete cascade,
  day date not null,
  saved integer not null,
  left_out integer not null
);

do $$
declare
  private text;
begin
  foreach private in array array['rule', 'met_rule', 'alert', 'mail_settings', 'mail_schedule', 'daily_total'] loop
    execute format('alter table alert.%I enable row level security', private);
    execute format('alter table alert.%I force row level security', private);
    execute format('create policy own on alert.%I to brickmark_web using (account_id = account.current_account_id())', private);
    execute format('create policy alerts on alert.%I to brickmark_alerts using (true)', private);
  end loop;
end
$$;

grant select, insert, update (threshold, is_paused), delete on alert.rule to brickmark_web;
grant select, delete on alert.met_rule to brickmark_web;
grant select, delete on alert.alert to brickmark_web;
grant select, insert, update (frequency, time_zone, quiet_from, quiet_to, daily_at, bounced_at) on alert.mail_settings to brickmark_web;
grant select, update (due_at) on alert.mail_schedule to brickmark_web;
grant select on alert.daily_total to brickmark_web;

-- The worker handles the rules of all accounts, but only through functions, which run as brickmark_alerts.
grant select on alert.rule, alert.mail_settings to brickmark_alerts;
grant select, insert, delete on alert.met_rule, alert.alert to brickmark_alerts;
grant select, insert, update on alert.mail_schedule, alert.daily_total to brickmark_alerts;

-- Returns every rule that isn't paused and applies to one of these items, once per item, with the retailers for which it is
-- met and what selling costs its account. Times are in microseconds since 1970: a Date would round them.
create function alert.find_rules(set_numbers text[], minifig_numbers text[])
returns table (account_id bigint, rule_id bigint, kind text, threshold integer, item_kind text, item_number text,
  created_at_us bigint, met_at text[], fee_basis_points integer, fixed_fee_cents integer, shipping_cents integer[],
  box_weight_lbs numeric)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
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

-- Returns when to send mail about an alert of this time; null for never. Settings that are null stand for the defaults.
create function alert.mail_due_at(settings alert.mail_settings, alert_at timestamptz) returns timestamptz
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
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

-- Saves alerts, and which rules are met now and which no longer are; schedules mail and adds webhook events. A rule that was
-- deleted meanwhile is left out. Saves no more alerts than an account may have in a day, and counts the others. A second mail
-- follows five minutes after the first at the earliest.
create function alert.record_alerts(alerts jsonb, met jsonb, no_longer_met jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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

-- Takes mail that is due: the address of each account, its first alerts since the last mail, and how many there are; at most
-- 10,000 are counted. What it takes is due no longer once the transaction commits. Reads the alerts in a second statement,
-- which sees all that the first one waited for.
create function alert.take_due_mail(max_accounts integer, max_alerts integer)
returns table (account_id bigint, email text, alerts jsonb, total bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  taken alert.mail_schedule[];
begin
  with due as (
    select s.account_id, s.first_alert_id from alert.mail_schedule s where s.due_at <= now()
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

-- Alerts are kept for 90 days. Deletes the oldest up to a number, and returns how many.
create function alert.delete_old_alerts(max_rows integer) returns bigint
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with old as (select account_id, id from alert.alert where at < now() - interval '90 days' order by at limit max_rows),
       deleted as (delete from alert.alert a using old where a.account_id = old.account_id and a.id = old.id returning 1)
  select count(*) from deleted
$$;

grant create on schema alert to brickmark_alerts;
alter function alert.find_rules(text[], text[]) owner to brickmark_alerts;
alter function alert.record_alerts(jsonb, jsonb, jsonb) owner to brickmark_alerts;
alter function alert.take_due_mail(integer, integer) owner to brickmark_alerts;
alter function alert.delete_old_alerts(integer) owner to brickmark_alerts;
revoke create on schema alert from brickmark_alerts;
revoke execute on function alert.find_rules(text[], text[]), alert.mail_due_at(alert.mail_settings, timestamptz),
  alert.record_alerts(jsonb, jsonb, jsonb), alert.take_due_mail(integer, integer),
  alert.delete_old_alerts(integer) from public;
grant execute on function alert.find_rules(text[], text[]), alert.record_alerts(jsonb, jsonb, jsonb),
  alert.delete_old_alerts(integer) to brickmark_worker;
grant execute on function alert.mail_due_at(alert.mail_settings, timestamptz) to brickmark_web, brickmark_alerts;
grant execute on function alert.take_due_mail(integer, integer) to brickmark_web;
