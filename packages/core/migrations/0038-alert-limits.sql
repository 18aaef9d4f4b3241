-- Bounds what one account can make the service do: alerts a day, and alerts in an email.

alter table account.plan add column max_alerts_per_day integer not null default 1000 check (max_alerts_per_day >= 0);

-- How many alerts an account has had on its latest day, and how many more were left out because of its plan.
create table alert.daily_total (
  account_id bigint primary key references account.account on delete cascade,
  day date not null,
  saved integer not null,
  left_out integer not null
);
alter table alert.daily_total enable row level security;
alter table alert.daily_total force row level security;
create policy own on alert.daily_total to brickmark_web using (account_id = account.current_account_id());
create policy alerts on alert.daily_total to brickmark_alerts using (true);
grant select on alert.daily_total to brickmark_web;
grant select, insert, update on alert.daily_total to brickmark_alerts;

grant usage on schema account to brickmark_alerts;
create policy alerts on account.account for select to brickmark_alerts using (true);
grant select (id, plan) on account.account to brickmark_alerts;
grant select (plan, max_alerts_per_day) on account.plan to brickmark_alerts;

-- The same as before, but saves no more alerts than an account may have in a day, and counts the others.
create or replace function alert.record_alerts(alerts jsonb, met jsonb, no_longer_met jsonb) returns void
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

-- Like the function with one parameter, which the previous release uses, but with the first alerts of an account only, and
-- how many there are: at most 10,000 are counted.
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

grant create on schema alert to brickmark_alerts;
alter function alert.take_due_mail(integer, integer) owner to brickmark_alerts;
-- contract: granted above, for the change of owner only.
revoke create on schema alert from brickmark_alerts;
-- contract: made in this file, so nothing can use it yet.
revoke execute on function alert.take_due_mail(integer, integer) from public;
grant execute on function alert.take_due_mail(integer, integer) to brickmark_web;

-- Two rules that say the same would alert twice; the next file keeps them from being made.
delete from alert.rule r
 using alert.rule earlier
 where earlier.account_id = r.account_id and earlier.id < r.id and earlier.kind = r.kind
   and earlier.set_number is not distinct from r.set_number and earlier.minifig_number is not distinct from r.minifig_number
   and earlier.collection_id is not distinct from r.collection_id and earlier.threshold is not distinct from r.threshold;
