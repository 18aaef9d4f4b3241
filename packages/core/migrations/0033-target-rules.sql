-- A target is a rule: whoever sets one is told when a price reaches it.
alter table alert.rule add column watched_item_id bigint;
alter table alert.rule add constraint rule_of_target
  foreign key (account_id, watched_item_id) references portfolio.watched_item on delete cascade not valid;

-- A rule of the same price becomes that of the target. A new target is a new rule, so that nothing that happened before counts.
create function alert.follow_target() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  delete from alert.rule r
   where r.account_id = new.account_id
     and (r.watched_item_id = new.id
       or r.kind = 'price_at_most' and r.threshold = new.target_cents
         and (r.set_number = new.set_number or r.minifig_number = new.minifig_number));
  if new.target_cents is not null then
    insert into alert.rule (account_id, kind, set_number, minifig_number, threshold, watched_item_id)
    values (new.account_id, 'price_at_most', new.set_number, new.minifig_number, new.target_cents, new.id);
  end if;
  return null;
end
$$;
revoke execute on function alert.follow_target() from public;
