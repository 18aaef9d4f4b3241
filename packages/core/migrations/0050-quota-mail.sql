-- Whether an account gets mail when a key has used 80 % and 100 % of its credits of a day.
alter table alert.mail_settings add column quota_mail boolean not null default false;
grant update (quota_mail) on alert.mail_settings to brickmark_web;

-- What the latest mail about a key said.
create table account.quota_notice (
  account_id bigint not null,
  api_key_id bigint not null,
  day date not null,
  percent smallint not null check (percent in (80, 100)),
  primary key (account_id, api_key_id),
  foreign key (account_id, api_key_id) references account.api_key on delete cascade
);
alter table account.quota_notice enable row level security;
alter table account.quota_notice force row level security;
create policy alerts on account.quota_notice to brickmark_alerts using (true);
grant select, insert, update on account.quota_notice to brickmark_alerts;

create policy alerts on account.api_key_quota for select to brickmark_alerts using (true);
grant select (account_id, api_key_id, day, used, daily_limit) on account.api_key_quota to brickmark_alerts;
create policy alerts on account.api_key for select to brickmark_alerts using (true);
grant select (account_id, id, name, revoked_at) on account.api_key to brickmark_alerts;

-- Returns the mail about credits that is due, and records it as sent. An address that rejects mail gets none.
create function account.take_quota_mail(max_mails integer)
returns table (email text, key_id bigint, key_name text, percent smallint, used integer, daily_limit integer)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with due as (
    select q.account_id, q.api_key_id, q.day, q.used, q.daily_limit, level.percent
      from alert.mail_settings s
      join account.api_key_quota q on q.account_id = s.account_id
     cross join lateral (select case when q.used >= q.daily_limit then 100 else 80 end::smallint as percent) level
      left join account.quota_notice n on n.account_id = q.account_id and n.api_key_id = q.api_key_id and n.day = q.day
     where s.quota_mail and s.bounced_at is null
       and q.day = (now() at time zone 'utc')::date and q.daily_limit > 0 and q.used * 5 >= q.daily_limit * 4
       and (n.percent is null or n.percent < level.percent)
     limit max_mails
  ), noted as (
    insert into account.quota_notice as n (account_id, api_key_id, day, percent)
    select d.account_id, d.api_key_id, d.day, d.percent from due d
    on conflict (account_id, api_key_id) do update set day = excluded.day, percent = excluded.percent
     where n.day < excluded.day or n.percent < excluded.percent
    returning n.account_id, n.api_key_id
  )
  select u.email, k.id, k.name, d.percent, d.used, d.daily_limit
    from noted
    join due d using (account_id, api_key_id)
    join account.api_key k on k.account_id = d.account_id and k.id = d.api_key_id and k.revoked_at is null
    join auth."user" u on u.account_id = d.account_id and u.email_verified
$$;

grant create on schema account to brickmark_alerts;
alter function account.take_quota_mail(integer) owner to brickmark_alerts;
revoke create on schema account from brickmark_alerts;
revoke execute on function account.take_quota_mail(integer) from public;
grant execute on function account.take_quota_mail(integer) to brickmark_web;
