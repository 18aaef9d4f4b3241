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
-- contract: made in this file, so nothing can use it yet
revoke execute on function auth.end_password_resets() from public;

create trigger new_password_ends_resets after update on auth.credential
  for each row when (new.password is distinct from old.password) execute function auth.end_password_resets();
