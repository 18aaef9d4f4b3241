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

-- Files that lots were imported from. A draft keeps the text while the user answers its questions; afterwards only the
-- skipped rows are kept, so that they can be downloaded with their reasons.
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
  primary key (account_id, id),
  check ((status = 'draft') = (content is not null))
);
-- A new file replaces an abandoned draft.
create unique index import_one_draft on portfolio.import (account_id) where status = 'draft';

-- Units of a set bought together. A lot that is sold out stays with quantity 0, for the history.
create table portfolio.lot (
  account_id bigint not null,
  id bigint generated always as identity,
  collection_id bigint not null,
  set_number text not null references catalog.set,
  condition text not null check (condition in ('sealed', 'used')),
  status text not null default 'owned' check (status in ('owned', 'listed')),
  quantity integer not null check (quantity between 0 and 1000000),
  purchase_price_cents integer not null check (purchase_price_cents between 0 and 999999999),
  purchase_date date not null,
  notes text,
  created_at timestamptz not null default now(),
  -- The import that added the lot, and a hash of the lot as imported: an undo removes only unchanged lots.
  import_id bigint,
  imported_as text,
  primary key (account_id, id),
  foreign key (account_id, collection_id) references portfolio.collection on delete cascade,
  foreign key (account_id, import_id) references portfolio.import on delete set null (import_id)
);
-- An account's lots were bought over years and are spread over the table. The index has every column that reads of lots
-- show, so that they come from a few neighboring pages however many other accounts there are.
create index lot_in_order on portfolio.lot (account_id, collection_id, id)
  include (set_number, condition, status, quantity, purchase_price_cents, purchase_date) where quantity > 0;
create index lot_by_import on portfolio.lot (account_id, import_id) where import_id is not null;

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

do $$
declare
  private text;
begin
  foreach private in array array['collection', 'import', 'lot', 'sale', 'sale_lot', 'sale_order'] loop
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

grant select, insert, update, delete on portfolio.collection, portfolio.import, portfolio.lot, portfolio.sale,
  portfolio.sale_lot to brickmark_web;
grant select, insert, delete on portfolio.sale_order to brickmark_web;
