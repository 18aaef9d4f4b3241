-- A key that is in force takes one of the five slots; only one that was revoked or has its end may be without.
alter table account.api_key
  add constraint api_key_in_force_has_slot check (slot is not null or revoked_at is not null or expires_at is not null) not valid;
