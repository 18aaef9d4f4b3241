-- The private reads of the API, each as one call. A function first sets the account that row-level security restricts the
-- transaction to, so that a read needs no transaction around it, and returns everything in one row: decoding rows value by
-- value takes most of the time of a read. The functions run with the privileges of the caller, whose policies apply inside.

-- Collection (int8), quantity (negative if used), price (-1 if unknown), date of purchase (infinity if unknown) and 1 if it
-- is listed (int4 each).
create function portfolio.pack_lot(
  collection_id bigint, condition text, quantity integer, price_cents integer, purchase_date date, status text
) returns bytea language sql immutable
  return int8send(collection_id) || int4send(case condition when 'used' then -quantity else quantity end)
    || int4send(coalesce(price_cents, -1)) || date_send(coalesce(purchase_date, 'infinity'))
    || int4send(case status when 'listed' then 1 else 0 end);

create function portfolio.read_lots(
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
           where account_id = for_account and collection_id between first_collection and last_collection and quantity > 0
           order by collection_id, id limit max_lots offset skipped) as page;
  if total between 1 and max_lots - 1 then
    total := total + skipped;
  elsif total > 0 or skipped > 0 then
    select count(*) into total from portfolio.lot
     where account_id = for_account and collection_id between first_collection and last_collection and quantity > 0;
  end if;
end
$$;

-- Of one set, or of all sets if `of_set` is null.
create function portfolio.read_held_lots(for_account bigint, of_set text, out set_numbers text, out packed bytea)
language plpgsql as $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select string_agg(set_number, ','), string_agg(
           portfolio.pack_lot(collection_id, condition, quantity, purchase_price_cents, purchase_date, status), ''::bytea)
    into set_numbers, packed
    from portfolio.lot
   where account_id = for_account and quantity > 0 and (of_set is null or set_number = of_set);
end
$$;

create function portfolio.read_collections(
  for_account bigint, out collections json, out set_numbers text, out packed bytea
) language plpgsql as $$
begin
  perform set_config('brickmark.account_id', for_account::text, true);
  select coalesce(json_agg(own), '[]') into collections
    from (select id, name, description, is_default, created_at from portfolio.collection
           where account_id = for_account order by is_default desc, id) as own;
  select lots.set_numbers, lots.packed into set_numbers, packed from portfolio.read_held_lots(for_account, null) as lots;
end
$$;

-- Lots held now, and units of lots sold after `since`: quantity (negative if used), price (-1 if unknown), and the dates of
-- purchase and sale (infinity if unknown or none), as int4.
create function portfolio.read_ownership_intervals(for_account bigint, since date, out set_numbers text, out packed bytea)
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
           where account_id = for_account and quantity > 0
          union all
          select h.set_number, h.condition, l.quantity, h.purchase_price_cents, h.purchase_date, s.sale_date
            from portfolio.sale s
            join portfolio.sale_lot l on l.account_id = s.account_id and l.sale_id = s.id
            join portfolio.lot h on h.account_id = l.account_id and h.id = l.lot_id
           where s.account_id = for_account and s.sale_date > since) as interval;
end
$$;

-- Newest first: id, gross proceeds, platform fees, payment fees, shipping cost and cost (-1 if unknown) as int8; date and
-- quantity as int4.
create function portfolio.read_sales(
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
    from (select * from portfolio.sale where account_id = for_account
           order by sale_date desc, id desc limit max_sales offset skipped) as page;
  if total between 1 and max_sales - 1 then
    total := total + skipped;
  elsif total > 0 or skipped > 0 then
    select count(*) into total from portfolio.sale where account_id = for_account;
  end if;
end
$$;

-- contract: made in this file, so nothing can use it yet.
revoke execute on function portfolio.pack_lot(bigint, text, integer, integer, date, text),
  portfolio.read_lots(bigint, bigint, integer, integer),
  portfolio.read_held_lots(bigint, text), portfolio.read_collections(bigint),
  portfolio.read_ownership_intervals(bigint, date), portfolio.read_sales(bigint, integer, integer) from public;
grant execute on function portfolio.pack_lot(bigint, text, integer, integer, date, text),
  portfolio.read_lots(bigint, bigint, integer, integer),
  portfolio.read_held_lots(bigint, text), portfolio.read_collections(bigint),
  portfolio.read_ownership_intervals(bigint, date), portfolio.read_sales(bigint, integer, integer) to brickmark_api;
grant execute on function portfolio.pack_lot(bigint, text, integer, integer, date, text),
  portfolio.read_held_lots(bigint, text), portfolio.read_collections(bigint) to brickmark_web;
