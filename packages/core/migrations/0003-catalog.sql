-- What exists: sets, minifigs, and which set contains which minifigs. Every API process keeps a copy in memory.

create table catalog.retailer (
  retailer text primary key check (retailer in ('retailer_a', 'retailer_b')),
  name text not null
);

create table catalog.set (
  set_number text primary key check (set_number ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$'),
  title text not null,
  theme text not null,
  subtheme text,
  pieces integer check (pieces >= 0),
  msrp_cents integer check (msrp_cents >= 0),
  release_date date,
  -- A future date is an announced retirement: the set is retiring soon.
  retire_date date,
  asin text check (asin ~ '^[A-Z0-9]{10}$'),
  upc text check (upc ~ '^[0-9]{12}$'),
  ean text check (ean ~ '^[0-9]{13}$'),
  image_url text,
  box_width_in numeric(6, 2) check (box_width_in > 0),
  box_height_in numeric(6, 2) check (box_height_in > 0),
  box_depth_in numeric(6, 2) check (box_depth_in > 0),
  box_weight_lbs numeric(7, 2) check (box_weight_lbs > 0)
);
create unique index set_asin on catalog.set (asin);
create unique index set_upc on catalog.set (upc);
create unique index set_ean on catalog.set (ean);

create table catalog.minifig (
  minifig_number text primary key check (minifig_number ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$'),
  name text not null,
  category text,
  color text,
  year_released integer,
  image_url text
);
create unique index minifig_number_any_case on catalog.minifig (lower(minifig_number));

create table catalog.set_minifig (
  set_number text not null references catalog.set on delete cascade,
  minifig_number text not null references catalog.minifig on delete cascade,
  quantity integer not null check (quantity >= 1),
  primary key (set_number, minifig_number)
);
create index set_minifig_by_minifig on catalog.set_minifig (minifig_number);

grant select on all tables in schema catalog to brickmark_api, brickmark_web;
grant select, insert, update, delete on all tables in schema catalog to brickmark_worker;
-- Lots and sales refer to sets, so a set is never deleted. Looking for references would scan every lot.
revoke delete on catalog.set from brickmark_worker;
