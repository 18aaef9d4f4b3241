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
-- An operator sees how much waits and why, never what it says.
grant select (created_at, attempts, last_error) on mail.message to brickmark_operator;

-- For the operator pages.

-- Returns how much mail waits and why, never what it says.
create function mail.operator_mail(session_token text)
returns table (waiting bigint, tried bigint, oldest_at timestamptz, last_error text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select count(*), count(*) filter (where attempts > 0), min(created_at),
         (array_agg(last_error order by created_at desc) filter (where last_error is not null))[1]
    from mail.message;
end
$$;

grant create on schema mail to brickmark_operator;
alter function mail.operator_mail(text) owner to brickmark_operator;
revoke create on schema mail from brickmark_operator;
revoke execute on function mail.operator_mail(text) from public;
grant execute on function mail.operator_mail(text) to brickmark_web;
