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
