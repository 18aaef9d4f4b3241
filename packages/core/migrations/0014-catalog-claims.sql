-- What each source says about an item. catalog.set and catalog.minifig hold what these resolve to: for each attribute, the
-- claim of the source with the highest rank that has one.
create table source.set_claim (
  set_number text not null,
  source_id text not null,
  -- The day the source states this for. Older rows change nothing.
  stated_on date not null,
  title text,
  theme text,
  subtheme text,
  pieces integer,
  msrp_cents integer,
  release_year integer,
  release_date date,
  retire_date date,
  asin text,
  upc text,
  ean text,
  image_url text,
  box_width_in numeric(6, 2),
  box_height_in numeric(6, 2),
  box_depth_in numeric(6, 2),
  box_weight_lbs numeric(7, 2),
  primary key (set_number, source_id)
);
create index set_claim_by_source on source.set_claim (source_id, set_number);
-- A barcode belongs to one set, whichever source says so.
create index set_claim_asin on source.set_claim (asin) where asin is not null;
create index set_claim_upc on source.set_claim (upc) where upc is not null;
create index set_claim_ean on source.set_claim (ean) where ean is not null;

create table source.minifig_claim (
  minifig_number text not null,
  source_id text not null,
  stated_on date not null,
  name text,
  category text,
  color text,
  year_released integer,
  image_url text,
  primary key (minifig_number, source_id)
);
create index minifig_claim_by_source on source.minifig_claim (source_id, minifig_number);

-- The contents of a set come from one source, because sources number minifigs differently.
create table source.set_minifig_claim (
  set_number text not null,
  minifig_number text not null,
  source_id text not null,
  stated_on date not null,
  quantity integer not null check (quantity >= 1),
  primary key (set_number, source_id, minifig_number)
);
create index set_minifig_claim_by_source on source.set_minifig_claim (source_id, set_number);

grant select, insert, update, delete on source.set_claim, source.minifig_claim, source.set_minifig_claim to brickmark_worker;

-- Where each attribute of an item comes from: {"title": {"source": "…", "on": "2026-11-01"}}, or null if no source states it
-- any longer. An attribute that isn't named here was stored before origins were.
create table catalog.set_origin (
  set_number text primary key references catalog.set on delete cascade,
  origins jsonb not null default '{}',
  -- The same for its contents as a whole.
  minifigs jsonb
);
create table catalog.minifig_origin (
  minifig_number text primary key references catalog.minifig on delete cascade,
  origins jsonb not null
);
-- What pages say about a source. A view, because they may read nothing else of the schema `source`.
create view catalog.source_credit as
  select source.id, source.name, license.id as license, license.attribution, license.attribution_url
    from source.source join source.license on license.id = source.license_id;
grant select on catalog.set_origin, catalog.minifig_origin, catalog.source_credit to brickmark_web;
grant select, insert, update, delete on catalog.set_origin, catalog.minifig_origin to brickmark_worker;
