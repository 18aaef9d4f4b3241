-- A finalized month may only change in a transaction that states why (`market.revision_reason`), and every change is logged.
create or replace function market.reject_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  reason text := current_setting('market.revision_reason', true);
begin
  if coalesce(reason, '') = '' then
    raise exception 'A finalized month cannot be changed without a reason. Set market.revision_reason.';
  end if;
  insert into market.set_month_revision (set_number, condition, month, value_cents, reason)
    values (new.set_number, new.condition, new.month, new.value_cents, reason);
  return new;
end
$$;
