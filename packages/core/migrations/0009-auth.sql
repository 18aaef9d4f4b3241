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
  updated_at timestamptz not null default now(),
  -- Which terms the user agreed to when signing up, and when. The version is a hash of the operator's text.
  terms_version text,
  terms_accepted_at timestamptz,
  constraint terms_together check ((terms_version is null) = (terms_accepted_at is null))
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
  updated_at timestamptz not null,
  -- Whether the session began with a second factor: a code, or a passkey, which is two factors in one.
  second_factor boolean not null default false
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

-- Attempts within a time, counted by the web application: failed sign-ins of one person, emails to one address, uploads
-- of one account. Keys are hashed. The columns are those of the library that counts.
create table auth.attempt (
  key text primary key,
  points integer not null default 0,
  -- In milliseconds since 1970.
  expire bigint
);
create index attempt_by_expiry on auth.attempt (expire);

-- Browsers that a person has signed in with. Their attempts are counted separately, so that nobody else can use them up,
-- and a sign-in with any other browser is reported by email. Holds the hash of a cookie.
create table auth.known_device (
  user_id text not null references auth."user" on delete cascade,
  device_hash bytea not null check (length(device_hash) = 32),
  client text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (user_id, device_hash)
);

-- Codes of authenticator apps that were tried in the last minutes: each works once.
create table auth.used_code (
  user_id text not null references auth."user" on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz not null default now(),
  primary key (user_id, code_hash)
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

-- A new password ends every password reset that is still open, whichever way it was set: a link in an old mail must not
-- work after the user has changed the password because of it.
create function auth.end_password_resets() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  delete from auth.verification where value = new.user_id;
  return null;
end
$$;
create trigger new_password_ends_resets after update on auth.credential
  for each row when (new.password is distinct from old.password) execute function auth.end_password_resets();

-- An operator always has a second factor. Without one, whoever knows an operator's password could add their own.
create function auth.check_operator() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if not new.operator or new.two_factor_enabled
     or exists (select from auth.passkey p where p.user_id = new.id) then
    return new;
  end if;
  if tg_op = 'INSERT' or not old.operator then
    raise exception 'An operator needs a second factor.' using errcode = 'check_violation', constraint = 'operator_has_second_factor';
  end if;
  -- The second factor was switched off.
  new.operator := false;
  return new;
end
$$;

create function auth.check_operator_after_passkey() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  -- Runs the check above. The web application may update this column, not the other one.
  update auth."user" set two_factor_enabled = two_factor_enabled where id = old.user_id and operator;
  return null;
end
$$;

create trigger operator_has_second_factor before insert or update of operator, two_factor_enabled on auth."user"
  for each row execute function auth.check_operator();
create trigger operator_has_second_factor after delete on auth.passkey
  for each row execute function auth.check_operator_after_passkey();

-- Changes of credentials appear in the account's audit log, whoever makes them and however.
create function auth.log_credential_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  person text := coalesce(to_jsonb(new), to_jsonb(old)) ->> 'user_id';
  details jsonb := '{}';
begin
  if tg_argv[0] = 'passkey.added' then
    details := jsonb_build_object('name', new.name);
  elsif tg_argv[0] = 'passkey.removed' then
    details := jsonb_build_object('name', old.name);
  elsif tg_argv[0] = 'sign-in.new-device' then
    details := jsonb_build_object('client', new.client);
  end if;
  -- Nothing to log while the account itself is being deleted.
  insert into account.audit_log (account_id, actor, action, detail)
  select u.account_id, 'owner', tg_argv[0], details from auth."user" u where u.id = person;
  return null;
end
$$;
create function auth.log_two_factor_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into account.audit_log (account_id, actor, action)
  values (new.account_id, 'owner', case when new.two_factor_enabled then 'two-factor.enabled' else 'two-factor.disabled' end);
  return null;
end
$$;
create trigger log_password_change after update on auth.credential
  for each row when (new.password is distinct from old.password)
  execute function auth.log_credential_change('password.changed');
create trigger log_new_passkey after insert on auth.passkey
  for each row execute function auth.log_credential_change('passkey.added');
create trigger log_removed_passkey after delete on auth.passkey
  for each row execute function auth.log_credential_change('passkey.removed');
create trigger log_new_device after insert on auth.known_device
  for each row execute function auth.log_credential_change('sign-in.new-device');
create trigger log_two_factor_change after update on auth."user"
  for each row when (new.two_factor_enabled is distinct from old.two_factor_enabled)
  execute function auth.log_two_factor_change();

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

-- Deletes accounts whose email address was never confirmed: the one with this address, or, without an address, those
-- older than two days. Nobody can have signed in to them. Returns how many.
create function auth.delete_unconfirmed_accounts(of_email text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  people text[];
  accounts bigint[];
begin
  select array_agg(u.id), array_agg(u.account_id) into people, accounts
    from auth."user" u
   where not u.email_verified
     and case when of_email is null then u.created_at < now() - interval '48 hours' else u.email = lower(of_email) end;
  if accounts is null then
    return 0;
  end if;
  -- Resets in progress contain the user's id, but no foreign key.
  delete from auth.verification v where exists (select from unnest(people) p (id) where position(p.id in v.value) > 0);
  delete from account.account where id = any (accounts);
  return cardinality(accounts);
end
$$;

-- Returns the account of the operator who is signed in with this session; rejects everybody else. Operators need a second
-- factor, whatever the page checks.
create function auth.require_operator(session_token text) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  operator_id bigint;
begin
  select u.account_id into operator_id
    from auth.session s join auth."user" u on u.id = s.user_id
   where s.token = session_token and s.expires_at > now() and s.second_factor and u.operator;
  if operator_id is null then
    raise exception 'Only operators may do this.' using errcode = 'insufficient_privilege';
  end if;
  return operator_id;
end
$$;

grant create on schema auth to brickmark_ops, brickmark_deletion, brickmark_operator;
alter function auth.open_account() owner to brickmark_ops;
alter function auth.log_credential_change() owner to brickmark_ops;
alter function auth.log_two_factor_change() owner to brickmark_ops;
alter function auth.delete_account(text) owner to brickmark_deletion;
alter function auth.delete_unconfirmed_accounts(text) owner to brickmark_deletion;
alter function auth.require_operator(text) owner to brickmark_operator;
revoke create on schema auth from brickmark_ops, brickmark_deletion, brickmark_operator;
revoke execute on function auth.open_account(), auth.end_password_resets(), auth.check_operator(),
  auth.check_operator_after_passkey(), auth.log_credential_change(), auth.log_two_factor_change(),
  auth.delete_account(text), auth.delete_unconfirmed_accounts(text), auth.require_operator(text) from public;
grant execute on function auth.delete_account(text), auth.delete_unconfirmed_accounts(text) to brickmark_web;

grant select, insert, update, delete on auth.session, auth.credential, auth.verification, auth.two_factor, auth.passkey,
  auth.rate_limit, auth.attempt to brickmark_web;
grant select, insert, update (client, last_used_at), delete on auth.known_device to brickmark_web;
grant select, insert, delete on auth.used_code to brickmark_web;
grant select,
  insert (id, name, email, email_verified, image, two_factor_enabled, created_at, updated_at),
  update (name, email, email_verified, image, two_factor_enabled, updated_at, terms_version, terms_accepted_at)
  on auth."user" to brickmark_web;

grant select (id, email, operator, account_id) on auth."user" to brickmark_operator;
grant select (user_id, token, expires_at, created_at, second_factor) on auth.session to brickmark_operator;

grant select (id, account_id, email, email_verified, created_at) on auth."user" to brickmark_deletion;
grant select (user_id, token, expires_at, created_at) on auth.session to brickmark_deletion;
grant select (value), delete on auth.verification to brickmark_deletion;
-- Before PostgreSQL 18, auth.delete_account() runs the triggers of a cascade with its own rights.
grant select (operator, two_factor_enabled), update (two_factor_enabled) on auth."user" to brickmark_deletion;
grant select (user_id) on auth.passkey to brickmark_deletion;

grant select (id, account_id) on auth."user" to brickmark_ops;
grant select (account_id, email, email_verified) on auth."user" to brickmark_alerts;
