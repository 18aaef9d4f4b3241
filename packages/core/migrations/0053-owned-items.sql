-- An account owns more than sets: minifigs on their own, and things the catalog doesn't know, which it values itself.

-- `custom_name` names a thing the catalog doesn't know. It is worth what its owner says it is, on the day they said so.
alter table portfolio.lot
  alter column set_number drop not null,
  alter column condition drop not null,
  add column minifig_number text,
  add column custom_name text,
  add column own_value_cents integer,
  add column own_value_date date,
  -- After how many months the owner wants to be asked whether the value still holds. Null if never.
  add column review_months smallint;
alter table portfolio.lot
  add constraint lot_minifig foreign key (minifig_number) references catalog.minifig not valid,
  add constraint lot_is_of_one_item check (num_nonnulls(set_number, minifig_number, custom_name) = 1) not valid,
  -- Minifigs have one value, of used ones. What isn't in the catalog has no condition.
  add constraint lot_condition check (
    case when set_number is not null then condition is not null
         when minifig_number is not null then condition is not distinct from 'used'
         else condition is null end) not valid,
  add constraint lot_custom_name check (char_length(custom_name) between 1 and 100) not valid,
  add constraint lot_own_value check (
    own_value_cents between 0 and 999999999 and own_value_date is not null
    or num_nonnulls(own_value_cents, own_value_date) = 0) not valid,
  add constraint lot_own_value_of_custom_item
    check (custom_name is not null or num_nonnulls(own_value_cents, own_value_date, review_months) = 0) not valid,
  add constraint lot_review check (review_months in (3, 12)) not valid;
alter table portfolio.lot validate constraint lot_minifig;
alter table portfolio.lot validate constraint lot_is_of_one_item;
alter table portfolio.lot validate constraint lot_condition;
alter table portfolio.lot validate constraint lot_custom_name;
alter table portfolio.lot validate constraint lot_own_value;
alter table portfolio.lot validate constraint lot_own_value_of_custom_item;
alter table portfolio.lot validate constraint lot_review;

alter table portfolio.sale
  alter column set_number drop not null,
  add column minifig_number text,
  add column custom_name text;
alter table portfolio.sale
  add constraint sale_minifig foreign key (minifig_number) references catalog.minifig not valid,
  add constraint sale_is_of_one_item check (num_nonnulls(set_number, minifig_number, custom_name) = 1) not valid;
alter table portfolio.sale validate constraint sale_minifig;
alter table portfolio.sale validate constraint sale_is_of_one_item;

-- contract: no version deletes minifigs. As with sets, looking for references would scan every lot.
revoke delete on catalog.minifig from brickmark_worker;

-- Lots with what they hold. `item` is the number of a set, and begins with "minifig:" or "custom:" otherwise.
create view portfolio.lot_item with (security_invoker = true) as
  select lot.account_id, lot.id, lot.collection_id, lot.set_number, lot.minifig_number, lot.custom_name,
         coalesce(lot.set_number, 'minifig:' || lot.minifig_number, 'custom:' || lot.id) as item,
         coalesce(s.title, m.name, lot.custom_name) as title,
         case when lot.set_number is not null then s.theme
              when lot.minifig_number is not null then 'Minifigs' else 'Custom items' end as theme,
         coalesce(s.release_year, m.year_released) as release_year, s.release_date, s.retire_date,
         lot.condition, lot.status, lot.quantity, lot.purchase_price_cents, lot.purchase_date, lot.notes,
         coalesce(sv.value_cents, mv.value_cents, lot.own_value_cents) as value_cents,
         coalesce(sv.data_tier, mv.data_tier) as data_tier,
         coalesce(sv.calculated_at, mv.calculated_at) as calculated_at,
         lot.own_value_date, lot.review_months,
         (lot.own_value_date + make_interval(months => lot.review_months))::date as review_date, lot.xmin::text as version
    from portfolio.lot
    left join catalog.set s on s.set_number = lot.set_number
    left join market.set_value sv on sv.set_number = lot.set_number and sv.condition = lot.condition
    left join catalog.minifig m on m.minifig_number = lot.minifig_number
    left join market.minifig_value mv on mv.minifig_number = lot.minifig_number;
grant select on portfolio.lot_item to brickmark_web;

create view portfolio.sale_item with (security_invoker = true) as
  select sale.account_id, sale.id, sale.set_number, coalesce(sale.set_number, 'minifig:' || sale.minifig_number, 'custom:' || coalesce(
           (select min(l.lot_id)::text from portfolio.sale_lot l where l.account_id = sale.account_id and l.sale_id = sale.id), '')) as item,
         coalesce(s.title, m.name, sale.custom_name) as title, sale.platform, sale.sale_date, sale.quantity,
         sale.gross_proceeds_cents, sale.platform_fees_cents, sale.payment_fees_cents, sale.shipping_cost_cents, sale.cost_cents,
         sale.xmin::text as version
    from portfolio.sale
    left join catalog.set s on s.set_number = sale.set_number
    left join catalog.minifig m on m.minifig_number = sale.minifig_number;
grant select on portfolio.sale_item to brickmark_api, brickmark_web;

-- The reads of v1, which know only sets.
create or replace function portfolio.read_lots(
  for_account bigint, in_collection bigint, max_lots integer, skipped integer,
  out is_found boolean, out total integer, out set_numbers text, out packed bytea
) language plpgsql as $$
declare
  -- A range instead of an optional condition, so that one plan serves both.
  first_collection bigint := coalesce(in_collection, 0);
  last_collection bigint := coalesce(in_collection, 9223372036854775807);
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  is_found := in_collection is null
    or exists (select from portfolio.collection where account_id = for_account and id = in_collection);
  select count(*), string_agg(set_number, ','), string_agg(
           portfolio.pack_lot(collection_id, condition, quantity, purchase_price_cents, purchase_date, status), ''::bytea)
    into total, set_numbers, packed
    from (select collection_id, condition, quantity, purchase_price_cents, purchase_date, status, set_number
            from portfolio.lot
           where account_id = for_account and set_number is not null
             and collection_id between first_collection and last_collection and quantity > 0
           order by collection_id, id limit max_lots offset skipped) as page;
  if total between 1 and max_lots - 1 then
    total := total + skipped;
  elsif total > 0 or skipped > 0 then
    select count(*) into total from portfolio.lot
     where account_id = for_account and set_number is not null
       and collection_id between first_collection and last_collection and quantity > 0;
  end if;
end
$$;

-- Of one set, or of all sets if `of_set` is null.
create or replace function portfolio.read_held_lots(for_account bigint, of_set text, out set_numbers text, out packed bytea)
language plpgsql as $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select string_agg(set_number, ','), string_agg(
           portfolio.pack_lot(collection_id, condition, quantity, purchase_price_cents, purchase_date, status), ''::bytea)
    into set_numbers, packed
    from portfolio.lot
   where account_id = for_account and set_number is not null and quantity > 0
     and (of_set is null or set_number = of_set);
end
$$;

-- Lots held now, and units of lots sold after `since`: quantity (negative if used), price (-1 if unknown), and the dates of
-- purchase and sale (infinity if unknown or none), as int4.
create or replace function portfolio.read_ownership_intervals(for_account bigint, since date, out set_numbers text, out packed bytea)
language plpgsql as $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select string_agg(set_number, ','), string_agg(
           int4send(case condition when 'used' then -quantity else quantity end)
           || int4send(coalesce(purchase_price_cents, -1)) || date_send(coalesce(purchase_date, 'infinity'))
           || date_send(coalesce(sale_date, 'infinity')), ''::bytea)
    into set_numbers, packed
    from (select set_number, condition, quantity, purchase_price_cents, purchase_date, null::date as sale_date
            from portfolio.lot
           where account_id = for_account and set_number is not null and quantity > 0
          union all
          select h.set_number, h.condition, l.quantity, h.purchase_price_cents, h.purchase_date, s.sale_date
            from portfolio.sale s
            join portfolio.sale_lot l on l.account_id = s.account_id and l.sale_id = s.id
            join portfolio.lot h on h.account_id = l.account_id and h.id = l.lot_id
           where s.account_id = for_account and s.sale_date > since and h.set_number is not null) as interval;
end
$$;

-- Newest first: id, gross proceeds, platform fees, payment fees, shipping cost and cost (-1 if unknown) as int8; date and
-- quantity as int4.
create or replace function portfolio.read_sales(
  for_account bigint, max_sales integer, skipped integer,
  out total integer, out set_numbers text, out platforms text, out packed bytea
) language plpgsql as $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select count(*), string_agg(set_number, ','), string_agg(platform, ','), string_agg(
           int8send(id) || int8send(gross_proceeds_cents) || int8send(platform_fees_cents) || int8send(payment_fees_cents)
           || int8send(shipping_cost_cents) || int8send(coalesce(cost_cents, -1)) || date_send(sale_date)
           || int4send(quantity), ''::bytea)
    into total, set_numbers, platforms, packed
    from (select * from portfolio.sale where account_id = for_account and set_number is not null
           order by sale_date desc, id desc limit max_sales offset skipped) as page;
  if total between 1 and max_sales - 1 then
    total := total + skipped;
  elsif total > 0 or skipped > 0 then
    select count(*) into total from portfolio.sale where account_id = for_account and set_number is not null;
  end if;
end
$$;

create or replace function portfolio.wanted_sets() returns table (set_number text)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.set_number from portfolio.watched_item w where w.set_number is not null
   union
  select l.set_number from portfolio.lot l where l.set_number is not null and l.quantity > 0
$$;
