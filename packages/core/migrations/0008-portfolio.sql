-- What an account owns and what it sold. Private: primary keys start with the account, and row-level security is forced.

create table portfolio.collection (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  name text not null,
  description text,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index collection_one_default on portfolio.collection (account_id) where is_default;

-- Files that lots were imported from. A draft keeps what was parsed (as JSON, in `content`) and planned, so that looking at
-- its preview costs a page of rows, not the whole file; afterwards only the skipped rows are kept, so that they can be
-- downloaded with their reasons.
create table portfolio.import (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  status text not null default 'draft' check (status in ('draft', 'done', 'undone')),
  file_name text not null,
  -- SHA-256 of the text, so that the same file is recognized under any name.
  fingerprint text not null,
  content text,
  answers jsonb not null default '{}',
  created_at timestamptz not null default now(),
  imported_at timestamptz,
  format text,
  lots integer,
  units integer,
  skipped integer,
  skipped_csv text,
  created_collection_ids bigint[] not null default '{}',
  undone_at timestamptz,
  -- Lots that an undo kept because they had been changed.
  kept integer,
  plan jsonb,
  primary key (account_id, id),
  check ((status = 'draft') = (content is not null))
);
-- A new file replaces an abandoned draft.
create unique index import_one_draft on portfolio.import (account_id) where status = 'draft';

-- The planned rows of a draft, as its preview shows them. They are replaced with every answer.
create table portfolio.import_row (
  account_id bigint not null,
  import_id bigint not null,
  row_number integer not null,
  state text not null check (state in ('ready', 'choice', 'skipped')),
  -- Why the row isn't ready.
  reason text,
  lot jsonb,
  -- The beginning of the row, to recognize it by.
  excerpt text not null,
  primary key (account_id, import_id, row_number),
  foreign key (account_id, import_id) references portfolio.import on delete cascade,
  check ((state = 'ready') = (lot is not null)),
  check ((state = 'ready') = (reason is null))
);

-- Units of a set bought together. A lot that is sold out stays with quantity 0, for the history. So does a lot that was
-- deleted after a part of it was sold, and it no longer comes back when one of those sales is deleted.
create table portfolio.lot (
  account_id bigint not null,
  id bigint generated always as identity,
  collection_id bigint not null,
  set_number text not null references catalog.set,
  condition text not null check (condition in ('sealed', 'used')),
  status text not null default 'owned' check (status in ('owned', 'listed')),
  quantity integer not null check (quantity between 0 and 1000000),
  -- What a lot cost and when it was bought may be unknown, e.g. in a list that names only sets.
  purchase_price_cents integer check (purchase_price_cents between 0 and 999999999),
  purchase_date date,
  notes text,
  created_at timestamptz not null default now(),
  -- The import that added the lot, and a hash of the lot as imported: an undo removes only unchanged lots.
  import_id bigint,
  imported_as text,
  deleted_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, collection_id) references portfolio.collection on delete cascade,
  foreign key (account_id, import_id) references portfolio.import on delete set null (import_id),
  constraint deleted_lot_is_empty check (deleted_at is null or quantity = 0)
);
-- An account's lots were bought over years and are spread over the table. The index has every column that reads of lots
-- show, so that they come from a few neighboring pages however many other accounts there are.
create index lot_in_order on portfolio.lot (account_id, collection_id, id)
  include (set_number, condition, status, quantity, purchase_price_cents, purchase_date) where quantity > 0;
create index lot_by_import on portfolio.lot (account_id, import_id) where import_id is not null;
-- Which collections hold a set whose price or value changed. Without it, every change would read every lot.
create index lot_by_set on portfolio.lot (set_number, account_id, collection_id) where quantity > 0;

create table portfolio.sale (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  set_number text not null references catalog.set,
  platform text not null check (platform in
    ('ebay', 'bricklink', 'amazon', 'walmart', 'facebook', 'mercari', 'whatnot', 'local', 'other')),
  sale_date date not null,
  quantity integer not null check (quantity >= 1),
  gross_proceeds_cents bigint not null check (gross_proceeds_cents >= 0),
  platform_fees_cents bigint not null default 0 check (platform_fees_cents >= 0),
  payment_fees_cents bigint not null default 0 check (payment_fees_cents >= 0),
  shipping_cost_cents bigint not null default 0 check (shipping_cost_cents >= 0),
  -- Cost of the units sold; null if unknown.
  cost_cents bigint check (cost_cents >= 0),
  primary key (account_id, id)
);
create index sale_in_order on portfolio.sale (account_id, sale_date desc, id desc);

-- The lots a sale took its units from.
create table portfolio.sale_lot (
  account_id bigint not null,
  sale_id bigint not null,
  lot_id bigint not null,
  quantity integer not null check (quantity >= 1),
  primary key (account_id, sale_id, lot_id),
  foreign key (account_id, sale_id) references portfolio.sale on delete cascade,
  foreign key (account_id, lot_id) references portfolio.lot on delete cascade
);
create index sale_lot_by_lot on portfolio.sale_lot (account_id, lot_id);

-- The line of a platform's order that a sale was imported from, so that it isn't imported twice.
create table portfolio.sale_order (
  account_id bigint not null,
  platform text not null check (platform in
    ('ebay', 'bricklink', 'amazon', 'walmart', 'facebook', 'mercari', 'whatnot', 'local', 'other')),
  order_number text not null,
  line text not null,
  sale_id bigint not null,
  primary key (account_id, platform, order_number, line),
  foreign key (account_id, sale_id) references portfolio.sale on delete cascade
);
create index sale_order_by_sale on portfolio.sale_order (account_id, sale_id);

-- Sets and minifigs that an account watches, owned or not. Without a target, they are only listed.
create table portfolio.watched_item (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  set_number text references catalog.set on delete cascade,
  minifig_number text references catalog.minifig on delete cascade,
  target_cents integer check (target_cents between 1 and 999999999),
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  check (num_nonnulls(set_number, minifig_number) = 1),
  unique (account_id, set_number),
  unique (account_id, minifig_number)
);
-- For the cascades of the catalog.
create index watched_item_set on portfolio.watched_item (set_number) where set_number is not null;
create index watched_item_minifig on portfolio.watched_item (minifig_number) where minifig_number is not null;

-- The selling costs of an account, if it has saved any. Alerts about returns deduct them.
create table portfolio.selling_costs (
  account_id bigint primary key references account.account on delete cascade,
  fee_basis_points integer not null check (fee_basis_points between 0 and 10000),
  fixed_fee_cents integer not null check (fixed_fee_cents between 0 and 999999999),
  -- By the weight of the box: up to 0.5, 1 and 2 kg, and more.
  shipping_cents integer[] not null
    check (cardinality(shipping_cents) = 4 and 0 <= all (shipping_cents) and 999999999 >= all (shipping_cents))
);

-- Forms that were submitted, by the token that each of them contains, so that submitting one twice records it once. An
-- account's rows are deleted with its next submission once they are two days old.
create table portfolio.form_submission (
  account_id bigint not null references account.account on delete cascade,
  token uuid not null,
  submitted_at timestamptz not null default now(),
  primary key (account_id, token)
);

do $$
declare
  private text;
begin
  foreach private in array array['collection', 'import', 'import_row', 'lot', 'sale', 'sale_lot', 'sale_order', 'watched_item',
      'selling_costs', 'form_submission'] loop
    execute format('alter table portfolio.%I enable row level security', private);
    execute format('alter table portfolio.%I force row level security', private);
    execute format('create policy own on portfolio.%I to brickmark_web using (account_id = account.current_account_id())', private);
  end loop;
  -- The API reads only what its endpoints return.
  foreach private in array array['collection', 'lot', 'sale', 'sale_lot'] loop
    execute format('create policy read_own on portfolio.%I for select to brickmark_api using (account_id = account.current_account_id())', private);
    execute format('grant select on portfolio.%I to brickmark_api', private);
  end loop;
end
$$;
create policy alerts on portfolio.lot for select to brickmark_alerts using (true);
create policy alerts on portfolio.watched_item for select to brickmark_alerts using (true);
create policy alerts on portfolio.selling_costs for select to brickmark_alerts using (true);

grant select, insert, update, delete on portfolio.collection, portfolio.import, portfolio.lot, portfolio.sale,
  portfolio.sale_lot to brickmark_web;
grant select, insert, delete on portfolio.import_row, portfolio.sale_order, portfolio.form_submission to brickmark_web;
grant select, insert, update (target_cents), delete on portfolio.watched_item to brickmark_web;
grant select, insert, update (fee_basis_points, fixed_fee_cents, shipping_cents) on portfolio.selling_costs to brickmark_web;

grant select (account_id, set_number, collection_id, quantity) on portfolio.lot to brickmark_alerts;
grant select (account_id, set_number, minifig_number) on portfolio.watched_item to brickmark_alerts;
grant select on portfolio.selling_costs to brickmark_alerts;

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
