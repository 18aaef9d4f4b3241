-- Attempts within a time, counted by the web application: failed sign-ins of one person, emails to one address, uploads
-- of one account. Keys are hashed. The columns are those of the library that counts.
create table auth.attempt (
  key text primary key,
  points integer not null default 0,
  -- In milliseconds since 1970.
  expire bigint
);
create index attempt_by_expiry on auth.attempt (expire);
grant select, insert, update, delete on auth.attempt to brickmark_web;

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
grant select, insert, update (client, last_used_at), delete on auth.known_device to brickmark_web;

-- Codes of authenticator apps that were tried in the last minutes: each works once.
create table auth.used_code (
  user_id text not null references auth."user" on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
grant select, insert, delete on auth.used_code to brickmark_web;

-- Whether the session began with a second factor: a code, or a passkey, which is two factors in one.
alter table auth.session add column second_factor boolean not null default false;

-- Operators need a second factor, whatever the page checks.
create or replace function auth.require_operator(session_token text) returns bigint
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
grant select (second_factor) on auth.session to brickmark_operator;

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
grant select (email, email_verified, created_at) on auth."user" to brickmark_deletion;

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

grant create on schema auth to brickmark_ops, brickmark_deletion;
alter function auth.log_credential_change() owner to brickmark_ops;
alter function auth.log_two_factor_change() owner to brickmark_ops;
alter function auth.delete_unconfirmed_accounts(text) owner to brickmark_deletion;
grant usage on schema auth to brickmark_ops;
grant select (id, account_id) on auth."user" to brickmark_ops;
-- contract: made in this file, or granted just above
revoke create on schema auth from brickmark_ops, brickmark_deletion;
-- contract: made in this file, so nothing can use it yet
revoke execute on function auth.log_credential_change(), auth.log_two_factor_change(),
  auth.delete_unconfirmed_accounts(text) from public;
grant execute on function auth.delete_unconfirmed_accounts(text) to brickmark_web;
