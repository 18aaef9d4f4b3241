-- Alert rules of accounts, and the alerts they caused.

create schema alert;
grant usage on schema alert to brickmark_web, brickmark_worker, brickmark_alerts;
grant usage on schema portfolio to brickmark_alerts;

alter table account.plan add column max_alert_rules integer not null default 20 check (max_alert_rules >= 0);
update account.plan set max_alert_rules = 1000 where api_access;

-- The selling costs of an account, if it has saved any. Alerts about returns deduct them.
create table portfolio.selling_costs (
  account_id bigint primary key references account.account on delete cascade,
  fee_basis_points integer not null check (fee_basis_points between 0 and 10000),
  fixed_fee_cents integer not null check (fixed_fee_cents between 0 and 999999999),
  shipping_cents integer not null check (shipping_cents between 0 and 999999999)
);
alter table portfolio.selling_costs enable row level security;
alter table portfolio.selling_costs force row level security;
create policy own on portfolio.selling_costs to brickmark_web using (account_id = account.current_account_id());
create policy alerts on portfolio.selling_costs for select to brickmark_alerts using (true);
grant select, insert, update (fee_basis_points, fixed_fee_cents, shipping_cents) on portfolio.selling_costs to brickmark_web;
grant select on portfolio.selling_costs to brickmark_alerts;

-- Applies to one set, minifig or collection, or to the whole watchlist if all three are null.
create table alert.rule (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  kind text not null check (kind in ('price_at_most', 'below_value', 'return_at_least', 'new_low', 'sold_out', 'back_in_stock', 'third_party',
    'value_moved', 'retiring_soon', 'retired')),
  set_number text references catalog.set on delete cascade,
  minifig_number text references catalog.minifig on delete cascade,
  collection_id bigint,
  -- Cents for a price, otherwise hundredths of a percent.
  threshold integer check (threshold between 1 and 999999999),
  is_paused boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, collection_id) references portfolio.collection on delete cascade,
  check (num_nonnulls(set_number, minifig_number, collection_id) <= 1),
  check ((threshold is not null) = (kind in ('price_at_most', 'below_value', 'return_at_least', 'value_moved')))
);
create index rule_by_set on alert.rule (set_number) where set_number is not null;
create index rule_by_minifig on alert.rule (minifig_number) where minifig_number is not null;
create index rule_by_collection on alert.rule (account_id, collection_id) where collection_id is not null;
create index rule_of_watchlist on alert.rule (account_id)
  where set_number is null and minifig_number is null and collection_id is null;

-- A rule that was met doesn't alert again before the price or value has moved away from its threshold. `retailer` is '' for
-- values.
create table alert.met_rule (
  account_id bigint not null,
  rule_id bigint not null,
  item_kind text not null,
  item_number text not null,
  retailer text not null,
  since timestamptz not null,
  primary key (account_id, rule_id, item_kind, item_number, retailer),
  foreign key (account_id, rule_id) references alert.rule on delete cascade
);

-- An alert outlives its rule, so it has everything that says why it was sent.
create table alert.alert (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  rule_id bigint not null,
  -- The change that caused it: the same change never causes it twice.
  change_id bigint not null,
  at timestamptz not null,
  kind text not null,
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  retailer text not null,
  facts jsonb not null,
  primary key (account_id, id),
  unique (account_id, rule_id, change_id, item_number, retailer)
);
create index alert_in_order on alert.alert (account_id, at desc, id desc);
create index alert_by_age on alert.alert (at);

do $$
declare
  private text;
begin
  foreach private in array array['rule', 'met_rule', 'alert'] loop
    execute format('alter table alert.%I enable row level security', private);
    execute format('alter table alert.%I force row level security', private);
    execute format('create policy own on alert.%I to brickmark_web using (account_id = account.current_account_id())', private);
    execute format('create policy alerts on alert.%I to brickmark_alerts using (true)', private);
  end loop;
end
$$;
grant select, insert, update (threshold, is_paused), delete on alert.rule to brickmark_web;
grant select, delete on alert.met_rule to brickmark_web;
grant select, delete on alert.alert to brickmark_web;

-- The worker handles the rules of all accounts, but only through these functions, which run as brickmark_alerts.
create policy alerts on portfolio.watched_item for select to brickmark_alerts using (true);
create policy alerts on portfolio.lot for select to brickmark_alerts using (true);
grant select (account_id, set_number, minifig_number) on portfolio.watched_item to brickmark_alerts;
grant select (account_id, set_number, collection_id, quantity) on portfolio.lot to brickmark_alerts;
grant select on alert.rule to brickmark_alerts;
grant select, insert, delete on alert.met_rule, alert.alert to brickmark_alerts;

-- Returns every rule that isn't paused and applies to one of these items, once per item, with the retailers for which it is
-- met and what selling costs its account. Times are in microseconds since 1970: a Date would round them.
create function alert.find_rules(set_numbers text[], minifig_numbers text[])
returns table (account_id bigint, rule_id bigint, kind text, threshold integer, item_kind text, item_number text,
  created_at_us bigint, met_at text[], fee_basis_points integer, fixed_fee_cents integer, shipping_cents integer)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with target as (
    select r.account_id, r.id, 'set' as item_kind, r.set_number as item_number
      from alert.rule r where r.set_number = any (set_numbers)
    union all
    select r.account_id, r.id, 'minifig', r.minifig_number
      from alert.rule r where r.minifig_number = any (minifig_numbers)
    union all
    select r.account_id, r.id, 'set', w.set_number
      from portfolio.watched_item w
      join alert.rule r on r.account_id = w.account_id
       and r.set_number is null and r.minifig_number is null and r.collection_id is null
     where w.set_number = any (set_numbers)
    union all
    select r.account_id, r.id, 'minifig', w.minifig_number
      from portfolio.watched_item w
      join alert.rule r on r.account_id = w.account_id
       and r.set_number is null and r.minifig_number is null and r.collection_id is null
     where w.minifig_number = any (minifig_numbers)
    union all
    select distinct r.account_id, r.id, 'set', l.set_number
      from portfolio.lot l
      join alert.rule r on r.account_id = l.account_id and r.collection_id = l.collection_id
     where l.set_number = any (set_numbers) and l.quantity > 0
  )
  select t.account_id, t.id, r.kind, r.threshold, t.item_kind, t.item_number,
         (extract(epoch from r.created_at) * 1000000)::bigint,
         array(select m.retailer from alert.met_rule m
                where m.account_id = t.account_id and m.rule_id = t.id and m.item_kind = t.item_kind
                  and m.item_number = t.item_number),
         c.fee_basis_points, c.fixed_fee_cents, c.shipping_cents
    from target t
    join alert.rule r on r.account_id = t.account_id and r.id = t.id
    left join portfolio.selling_costs c on c.account_id = t.account_id
   where not r.is_paused
$$;

-- Saves alerts, and which rules are met now and which no longer are. A rule that was deleted meanwhile is left out.
create function alert.record_alerts(alerts jsonb, met jsonb, no_longer_met jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into alert.alert (account_id, rule_id, change_id, at, kind, item_kind, item_number, retailer, facts)
  select a.account_id, a.rule_id, a.change_id, a.at, a.kind, a.item_kind, a.item_number, a.retailer, a.facts
    from jsonb_to_recordset(alerts) as a (account_id bigint, rule_id bigint, change_id bigint, at timestamptz, kind text,
      item_kind text, item_number text, retailer text, facts jsonb)
    join alert.rule r on r.account_id = a.account_id and r.id = a.rule_id
  on conflict do nothing;
  delete from alert.met_rule m
   using jsonb_to_recordset(no_longer_met) as n (account_id bigint, rule_id bigint, item_kind text, item_number text, retailer text)
   where m.account_id = n.account_id and m.rule_id = n.rule_id and m.item_kind = n.item_kind
     and m.item_number = n.item_number and m.retailer = n.retailer;
  insert into alert.met_rule (account_id, rule_id, item_kind, item_number, retailer, since)
  select n.account_id, n.rule_id, n.item_kind, n.item_number, n.retailer, n.since
    from jsonb_to_recordset(met) as n (account_id bigint, rule_id bigint, item_kind text, item_number text, retailer text,
      since timestamptz)
    join alert.rule r on r.account_id = n.account_id and r.id = n.rule_id
  on conflict do nothing;
$$;

-- Alerts are kept for 90 days.
create function alert.delete_old_alerts() returns bigint
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with deleted as (delete from alert.alert where at < now() - interval '90 days' returning 1) select count(*) from deleted
$$;

grant create on schema alert to brickmark_alerts;
alter function alert.find_rules(text[], text[]) owner to brickmark_alerts;
alter function alert.record_alerts(jsonb, jsonb, jsonb) owner to brickmark_alerts;
alter function alert.delete_old_alerts() owner to brickmark_alerts;
-- contract: granted above, for the change of owners only.
revoke create on schema alert from brickmark_alerts;
-- contract: made in this file, so nothing can use it yet.
revoke execute on function alert.find_rules(text[], text[]), alert.record_alerts(jsonb, jsonb, jsonb),
  alert.delete_old_alerts() from public;
grant execute on function alert.find_rules(text[], text[]), alert.record_alerts(jsonb, jsonb, jsonb),
  alert.delete_old_alerts() to brickmark_worker;
