-- The first operator is whoever has the token that the web application writes to its log. The token belongs to this nonce,
-- which is gone once there is an operator, however appointed: no token works twice.
create table auth.setup (
  singleton boolean primary key default true check (singleton),
  nonce uuid not null default gen_random_uuid()
);
insert into auth.setup (singleton) select true where not exists (select from auth."user" where operator);
grant select on auth.setup to brickmark_web;

create function auth.end_setup() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from auth.setup;
  return null;
end
$$;
create trigger operator_ends_setup after insert or update of operator on auth."user"
  for each row when (new.operator) execute function auth.end_setup();

-- Makes the user of this session an operator if there has never been one. Returns whether it did.
create function auth.appoint_first_operator(session_token text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  person text;
  account bigint;
begin
  -- Waits for another appointment, which deletes the row.
  perform 1 from auth.setup for update;
  if not found then
    return false;
  end if;
  select s.user_id into person from auth.session s
   where s.token = session_token and s.expires_at > now() and s.second_factor;
  update auth."user" u set operator = true where u.id = person returning u.account_id into account;
  if account is null then
    return false;
  end if;
  insert into account.audit_log (account_id, actor, action) values (account, 'owner', 'operator.appointed');
  return true;
end
$$;

grant select, update, delete on auth.setup to brickmark_ops;
grant update (operator) on auth."user" to brickmark_ops;
grant select (user_id, token, expires_at, second_factor) on auth.session to brickmark_ops;
grant create on schema auth to brickmark_ops;
alter function auth.end_setup() owner to brickmark_ops;
alter function auth.appoint_first_operator(text) owner to brickmark_ops;
revoke create on schema auth from brickmark_ops;
revoke execute on function auth.end_setup(), auth.appoint_first_operator(text) from public;
grant execute on function auth.appoint_first_operator(text) to brickmark_web;

-- The sources, what their licenses allow, and when each was last read. The previous release uses source.operator_sources().
create function source.operator_licensed_sources(session_token text)
returns table (source_id text, name text, license_id text, rank smallint, polled_at timestamptz, withdrawn_at timestamptz,
  terms text, feeds_values boolean, shown boolean, max_display_age text, retention text, attribution text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select s.id, s.name, s.license_id, s.rank, p.polled_at, s.withdrawn_at, l.terms, l.feeds_values, l.shown,
         l.max_display_age::text, l.retention::text, l.attribution
    from source.source s
    join source.license l on l.id = s.license_id
    left join source.poll_cursor p on p.source_id = s.id
   order by s.withdrawn_at nulls first, s.rank desc, s.id;
end
$$;
grant select on source.license to brickmark_operator;
grant create on schema source to brickmark_operator;
alter function source.operator_licensed_sources(text) owner to brickmark_operator;
revoke create on schema source from brickmark_operator;
revoke execute on function source.operator_licensed_sources(text) from public;
grant execute on function source.operator_licensed_sources(text) to brickmark_web;
