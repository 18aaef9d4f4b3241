-- Accounts, plans, keys and what each key has used today. Private: every primary key leads with account_id.

create table account.plan (
  plan text primary key,
  api_access boolean not null,
  daily_limit integer not null check (daily_limit >= 1)
);
insert into account.plan values ('hobby', false, 1000), ('reseller', true, 1000);

create table account.account (
  account_id bigint generated always as identity primary key,
  name text not null,
  plan text not null references account.plan,
  created_at timestamptz not null default now()
);

create table account.api_key (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  name text not null,
  last4 text not null,
  -- One of five places an active key can hold. Null once revoked, or when a newer key took an expired one's place.
  slot smallint check (slot between 1 and 5),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, id),
  unique (account_id, slot),
  check (revoked_at is null or slot is null)
);

-- From the hash of a key to whose it is: a fact that never changes, kept apart so that api_key can be
-- distributed by account. Readable only by the admission functions.
create table account.api_key_directory (
  hash bytea primary key check (length(hash) = 32),
  account_id bigint not null,
  key_id bigint not null,
  pepper_version smallint not null,
  foreign key (account_id, key_id) references account.api_key on delete cascade
);
create index api_key_directory_by_key on account.api_key_directory (account_id, key_id);

-- One row a key and UTC day: the count is the bill. The last_* columns carry one charge through ON CONFLICT.
create table account.quota_day (
  account_id bigint not null,
  key_id bigint not null,
  day date not null,
  used integer not null check (used >= 0),
  daily_limit integer not null,
  last_price integer not null,
  last_calls integer not null,
  last_granted integer not null,
  last_at timestamptz not null default now(),
  primary key (account_id, key_id, day)
) partition by range (day);
create table account.quota_day_default partition of account.quota_day default;

create table account.audit_log (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  detail jsonb not null default '{}',
  primary key (account_id, id)
);

alter table account.account enable row level security;
alter table account.account force row level security;
alter table account.api_key enable row level security;
alter table account.api_key force row level security;
alter table account.api_key_directory enable row level security;
alter table account.api_key_directory force row level security;
alter table account.quota_day enable row level security;
alter table account.quota_day force row level security;
alter table account.audit_log enable row level security;
alter table account.audit_log force row level security;

create function account.refuse_unrevoking() returns trigger
language plpgsql as $$
begin
  raise exception 'a revoked key stays revoked';
end
$$;
revoke execute on function account.refuse_unrevoking() from public;
create trigger revocation_is_final before update on account.api_key
  for each row when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  execute function account.refuse_unrevoking();

create policy own on account.account to brickmark_web using (account_id = account.current_account_id());
create policy own on account.api_key to brickmark_web using (account_id = account.current_account_id());
create policy own on account.api_key_directory for insert to brickmark_web with check (account_id = account.current_account_id());
create policy own on account.quota_day for select to brickmark_web using (account_id = account.current_account_id());
create policy own on account.audit_log to brickmark_web using (account_id = account.current_account_id());

-- Admission serves every account in one statement; only its two functions run as this role.
create policy admission on account.account for select to brickmark_admission using (true);
create policy admission on account.api_key for select to brickmark_admission using (true);
create policy admission on account.api_key_directory for select to brickmark_admission using (true);
create policy admission on account.quota_day to brickmark_admission using (true);

-- The operator opens accounts, changes plans and makes the first key.
create policy operator on account.account to brickmark_ops using (true);
create policy operator on account.api_key to brickmark_ops using (true);
create policy operator on account.api_key_directory for insert to brickmark_ops with check (true);
create policy operator on account.audit_log for insert to brickmark_ops with check (true);

grant select on account.plan to brickmark_web, brickmark_admission;
grant select on account.account, account.api_key, account.api_key_directory to brickmark_admission;
grant select, insert, update on account.quota_day to brickmark_admission;
-- An account may rename itself and look after its keys; its plan and a key's expiry are not its to change.
grant select, update (name) on account.account to brickmark_web;
grant select, insert, update (name, slot, revoked_at) on account.api_key to brickmark_web;
grant insert on account.api_key_directory to brickmark_web;
grant select on account.quota_day to brickmark_web;
grant select, insert on account.audit_log to brickmark_web;

-- 40 days back, for the usage page; two weeks ahead.
create function account.keep_partitions() returns integer
language sql security definer set search_path = pg_catalog
as $$
  select account.drop_partitions('account.quota_day', (now() at time zone 'utc')::date - 40)
    + account.add_partitions('account.quota_day',
        (now() at time zone 'utc')::date - 1, (now() at time zone 'utc')::date + 14, interval '1 day')
$$;
revoke execute on function account.keep_partitions() from public;
grant usage on schema account to brickmark_worker;
grant execute on function account.keep_partitions() to brickmark_worker;
select account.keep_partitions();
