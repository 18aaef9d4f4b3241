-- Mail, and when each account gets mail about its alerts.

create schema mail;
grant usage on schema mail to brickmark_web;

-- Mail that the mail server hasn't taken yet. Without an account, because some mail is about one that was deleted.
create table mail.message (
  id bigint generated always as identity primary key,
  -- Address and text, encrypted by the web application: some texts have links that reset a password.
  content bytea not null,
  created_at timestamptz not null default now(),
  -- Then it is too late to send it.
  expires_at timestamptz not null,
  next_attempt_at timestamptz not null default now(),
  attempts integer not null default 0,
  last_error text
);
create index message_by_attempt on mail.message (next_attempt_at);
grant select, insert, update (next_attempt_at, attempts, last_error), delete on mail.message to brickmark_web;

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

do $$
declare
  private text;
begin
  foreach private in array array['mail_settings', 'mail_schedule'] loop
    execute format('alter table alert.%I enable row level security', private);
    execute format('alter table alert.%I force row level security', private);
    execute format('create policy own on alert.%I to brickmark_web using (account_id = account.current_account_id())', private);
    execute format('create policy alerts on alert.%I to brickmark_alerts using (true)', private);
  end loop;
end
$$;
grant select, insert, update (frequency, time_zone, quiet_from, quiet_to, daily_at, bounced_at) on alert.mail_settings to brickmark_web;
grant select, update (due_at) on alert.mail_schedule to brickmark_web;
grant select on alert.mail_settings to brickmark_alerts;
grant select, insert, update on alert.mail_schedule to brickmark_alerts;
grant usage on schema auth, catalog to brickmark_alerts;
grant select (account_id, email, email_verified) on auth."user" to brickmark_alerts;
grant select on catalog.set, catalog.minifig, catalog.retailer to brickmark_alerts;

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

-- Takes mail that is due: the address of each account, and its alerts since the last mail. What it takes is due no longer
-- once the transaction commits. Reads the alerts in a second statement, which sees all that the first one waited for.
create function alert.take_due_mail(max_accounts integer)
returns table (account_id bigint, email text, alerts jsonb)
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
            from alert.alert a
            left join catalog.set s on a.item_kind = 'set' and s.set_number = a.item_number
            left join catalog.minifig m on a.item_kind = 'minifig' and m.minifig_number = a.item_number
            left join catalog.retailer r on r.retailer = a.retailer
           where a.account_id = t.account_id and a.id >= t.first_alert_id)
    from unnest(taken) as t
    join auth."user" u on u.account_id = t.account_id and u.email_verified;
end
$$;

grant create on schema alert to brickmark_alerts;
alter function alert.take_due_mail(integer) owner to brickmark_alerts;
-- contract: granted above, for the change of owner only.
revoke create on schema alert from brickmark_alerts;
-- contract: made in this file, so nothing can use it yet.
revoke execute on function alert.mail_due_at(alert.mail_settings, timestamptz), alert.take_due_mail(integer) from public;
grant execute on function alert.mail_due_at(alert.mail_settings, timestamptz) to brickmark_web, brickmark_alerts;
grant execute on function alert.take_due_mail(integer) to brickmark_web;
