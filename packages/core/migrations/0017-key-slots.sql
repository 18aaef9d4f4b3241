-- A key gives up its slot only once it has ended. A check constraint can't compare an expiry with the current time.
create function account.reject_active_key_without_slot() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'A key that is active needs one of the five slots of its account.' using errcode = 'check_violation';
end
$$;
create trigger active_key_has_slot before insert or update on account.api_key
  for each row when (new.slot is null and new.revoked_at is null and new.expires_at > now())
  execute function account.reject_active_key_without_slot();
-- contract: made in this file, so nothing can use it yet
revoke execute on function account.reject_active_key_without_slot() from public;
