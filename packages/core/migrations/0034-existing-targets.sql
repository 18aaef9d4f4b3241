alter table alert.rule validate constraint rule_of_target;
create trigger target_is_rule after insert on portfolio.watched_item
  for each row when (new.target_cents is not null) execute function alert.follow_target();
create trigger changed_target_is_rule after update of target_cents on portfolio.watched_item
  for each row when (new.target_cents is distinct from old.target_cents) execute function alert.follow_target();
insert into alert.rule (account_id, kind, set_number, minifig_number, threshold, watched_item_id)
select w.account_id, 'price_at_most', w.set_number, w.minifig_number, w.target_cents, w.id
  from portfolio.watched_item w where w.target_cents is not null
    on conflict (account_id, kind, set_number, minifig_number, collection_id, threshold)
    do update set watched_item_id = excluded.watched_item_id;
