-- Users of the web application. The tables are better-auth's, in snake_case. Only the web application and the operator
-- read them.

create table auth."user" (
  id text primary key,
  name text not null,
  -- Lower case, so that the unique constraint holds for any spelling.
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  -- May see the operator pages.
  operator boolean not null default false,
  account_id bigint not null unique references account.account on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index user_email_trigrams on auth."user" using gin (email public.gin_trgm_ops);

create table auth.session (
  id text primary key,
  user_id text not null references auth."user" on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index session_by_user on auth.session (user_id);

-- better-auth calls this table "account". Here it always holds a password hash.
create table auth.credential (
  id text primary key,
  user_id text not null references auth."user" on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index credential_by_user on auth.credential (user_id);

-- Short-lived secrets: password resets, second factors and passkey challenges in progress.
create table auth.verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verification_by_identifier on auth.verification (identifier);

create table auth.two_factor (
  id text primary key,
  user_id text not null references auth."user" on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create index two_factor_by_user on auth.two_factor (user_id);

create table auth.passkey (
  id text primary key,
  user_id text not null references auth."user" on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter integer not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz
);
create index passkey_by_user on auth.passkey (user_id);

-- Attempts by address, shared by all web processes.
create table auth.rate_limit (
  id text primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- A new user gets an account in the same statement. The web application can't write account_id, so a sign-up creates its
-- own account and can't join another.
create function auth.open_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into account.account (name, plan) values (new.name, 'hobby') returning id into new.account_id;
  insert into account.audit_log (account_id, actor, action, detail)
    values (new.account_id, 'owner', 'account.created', '{"plan": "hobby"}');
  return new;
end
$$;
create trigger user_has_account before insert on auth."user"
  for each row when (new.account_id is null) execute function auth.open_account();

-- Deletes the account of the user who signed in with this session within the last ten minutes, and every row that
-- belongs to it. Returns false if there is no such session.
create function auth.delete_account(session_token text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
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
  -- Resets and second factors in progress contain the user's id, but no foreign key.
  delete from auth.verification where position(person.id in value) > 0;
  delete from account.account where id = person.account_id;
  insert into account.deleted_account (account_id) values (person.account_id);
  -- These have no foreign key. They come last, so that they wait for charges in flight; see account.delete_orphans().
  delete from account.api_key_quota where account_id = person.account_id;
  delete from account.api_key_quota_history where account_id = person.account_id;
  delete from account.api_key_last_request where account_id = person.account_id;
  delete from account.api_key_usage where account_id = person.account_id;
  return true;
end
$$;

grant select (id, account_id) on auth."user" to brickmark_deletion;
grant select (user_id, token, expires_at, created_at) on auth.session to brickmark_deletion;
grant select (value), delete on auth.verification to brickmark_deletion;
grant select (id), delete on account.account to brickmark_deletion;

grant create on schema auth to brickmark_ops, brickmark_deletion;
alter function auth.open_account() owner to brickmark_ops;
alter function auth.delete_account(text) owner to brickmark_deletion;
revoke create on schema auth from brickmark_ops, brickmark_deletion;
revoke execute on function auth.open_account(), auth.delete_account(text) from public;
grant execute on function auth.delete_account(text) to brickmark_web;

grant select, insert, update, delete on auth.session, auth.credential, auth.verification, auth.two_factor, auth.passkey,
  auth.rate_limit to brickmark_web;
grant select,
  insert (id, name, email, email_verified, image, two_factor_enabled, created_at, updated_at),
  update (name, email, email_verified, image, two_factor_enabled, updated_at) on auth."user" to brickmark_web;
