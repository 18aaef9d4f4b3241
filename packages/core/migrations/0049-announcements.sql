-- What every page says at the top until a moment, such as that there will be maintenance. The latest row counts; the others
-- are the log of who said what. A row without a message ends the announcement before it.
create table account.announcement (
  id bigint generated always as identity primary key,
  message text check (length(message) between 1 and 300),
  until timestamptz not null,
  created_at timestamptz not null default now(),
  -- The account of the operator, which may be deleted by now; null for the command line.
  created_by bigint
);

grant select (id, message, until) on account.announcement to brickmark_web;
grant select, insert on account.announcement to brickmark_ops;
grant insert on account.announcement to brickmark_operator;

create function account.operator_announce(session_token text, message text, until timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into account.announcement (message, until, created_by)
    values (message, until, auth.require_operator(session_token));
end
$$;

grant create on schema account to brickmark_operator;
alter function account.operator_announce(text, text, timestamptz) owner to brickmark_operator;
revoke create on schema account from brickmark_operator;
revoke execute on function account.operator_announce(text, text, timestamptz) from public;
grant execute on function account.operator_announce(text, text, timestamptz) to brickmark_web;
