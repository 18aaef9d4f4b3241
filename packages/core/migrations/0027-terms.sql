-- Which terms a user agreed to when signing up, and when. The version is a hash of the operator's text.
alter table auth."user"
  add column terms_version text,
  add column terms_accepted_at timestamptz;
alter table auth."user" add constraint terms_together
  check ((terms_version is null) = (terms_accepted_at is null)) not valid;
alter table auth."user" validate constraint terms_together;
grant update (terms_version, terms_accepted_at) on auth."user" to brickmark_web;
