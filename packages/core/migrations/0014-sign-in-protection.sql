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
