-- What an account holds and what it sold. Private: keys lead with account_id, row-level security is forced.

create table portfolio.brickfolio (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  name text not null,
  description text,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index brickfolio_one_default on portfolio.brickfolio (account_id) where is_default;

-- One lot: units of a set bought together. A lot sold out keeps its row with quantity 0, so that the past can be told.
create table portfolio.holding (
  account_id bigint not null,
  id bigint generated always as identity,
  brickfolio_id bigint not null,
  set_number text not null references catalog.set,
  condition text not null check (condition in ('sealed', 'used')),
  status text not null default 'owned' check (status in ('owned', 'listed')),
  quantity integer not null check (quantity between 0 and 1000000),
  purchase_price_usd numeric(10, 2) not null check (purchase_price_usd >= 0),
  purchase_date date not null,
  notes text,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, brickfolio_id) references portfolio.brickfolio on delete cascade
);
create index holding_in_order on portfolio.holding (account_id, brickfolio_id, id) where quantity > 0;

create table portfolio.sale (
  account_id bigint not null references account.account on delete cascade,
  id bigint generated always as identity,
  set_number text not null references catalog.set,
  platform text not null check (platform in
    ('ebay', 'bricklink', 'amazon', 'walmart', 'facebook', 'mercari', 'whatnot', 'local', 'other')),
  sale_date date not null,
  quantity integer not null check (quantity >= 1),
  gross_proceeds_usd numeric(12, 2) not null check (gross_proceeds_usd >= 0),
  platform_fees_usd numeric(12, 2) not null default 0 check (platform_fees_usd >= 0),
  payment_fees_usd numeric(12, 2) not null default 0 check (payment_fees_usd >= 0),
  shipping_cost_usd numeric(12, 2) not null default 0 check (shipping_cost_usd >= 0),
  -- Cost of the units sold; null when it is not known.
  cost_usd numeric(12, 2) check (cost_usd >= 0),
  primary key (account_id, id)
);
create index sale_in_order on portfolio.sale (account_id, sale_date desc, id desc);

-- Which lots a sale took its units from.
create table portfolio.sale_lot (
  account_id bigint not null,
  sale_id bigint not null,
  holding_id bigint not null,
  quantity integer not null check (quantity >= 1),
  primary key (account_id, sale_id, holding_id),
  foreign key (account_id, sale_id) references portfolio.sale on delete cascade,
  foreign key (account_id, holding_id) references portfolio.holding on delete cascade
);
create index sale_lot_by_holding on portfolio.sale_lot (account_id, holding_id);

do $$
declare
  name text;
begin
  foreach name in array array['brickfolio', 'holding', 'sale', 'sale_lot'] loop
    execute format('alter table portfolio.%I enable row level security', name);
    execute format('alter table portfolio.%I force row level security', name);
    execute format('create policy read_own on portfolio.%I for select to brickmark_api using (account_id = account.current_account_id())', name);
    execute format('create policy own on portfolio.%I to brickmark_web using (account_id = account.current_account_id())', name);
  end loop;
end
$$;

grant select on all tables in schema portfolio to brickmark_api;
grant select, insert, update, delete on all tables in schema portfolio to brickmark_web;
