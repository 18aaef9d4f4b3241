-- Who may sign in to the web application. The tables are better-auth's, in snake_case; they hold no market data and no
-- portfolio, and nobody but the web application and the operator reaches them.

create schema auth;

create table auth."user" (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  -- May see the operator's pages.
  operator boolean not null default false,
  account_id bigint not null unique references account.account on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

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

-- better-auth calls it "account"; it is a way to prove who one is, here always a password's hash.
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

-- Short-lived secrets: mails to reset a password, second steps and passkey challenges under way.
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

-- How often an address has tried, shared by all web processes.
create table auth.rate_limit (
  id text primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- Whoever signs up gets an account in the same statement. The web application may not name one: it has no right to write
-- account_id, so it can open the account of the new user and reach no other.
create function auth.open_account() returns trigger
language plpgsql security definer set search_path = pg_catalog
as $$
begin
  insert into account.account (name, plan) values (new.name, 'hobby') returning account_id into new.account_id;
  insert into account.audit_log (account_id, actor, action, detail)
    values (new.account_id, 'owner', 'account.created', '{"plan": "hobby"}');
  return new;
end
$$;
revoke execute on function auth.open_account() from public;
create trigger user_has_account before insert on auth."user"
  for each row when (new.account_id is null) execute function auth.open_account();

grant usage on schema auth to brickmark_web;
grant select, insert, update, delete on auth.session, auth.credential, auth.verification, auth.two_factor, auth.passkey,
  auth.rate_limit to brickmark_web;
grant select,
  insert (id, name, email, email_verified, image, two_factor_enabled, created_at, updated_at),
  update (name, email, email_verified, image, two_factor_enabled, updated_at) on auth."user" to brickmark_web;
