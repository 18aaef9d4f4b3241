-- What exists: sets, minifigs, and which set contains which minifigs. Every API process keeps a copy in memory.

create table catalog.retailer (
  retailer text primary key check (retailer in ('retailer_a', 'retailer_b')),
  name text not null
);

-- What a search compares with, stored so that a suggestion doesn't normalize every title in the catalog: lower case,
-- without accents and without the punctuation that occurs in names. `searchText` in core does the same to a query.
create function catalog.search_text(name text) returns text
language sql immutable parallel safe
return translate(
  lower(regexp_replace(normalize(name, nfd), U&'[\0300-\036f]', '', 'g')),
  $$!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~‘’“”–—…·™®©$$,
  ''
);
revoke execute on function catalog.search_text(text) from public;
-- Only the worker writes the catalog.
grant execute on function catalog.search_text(text) to brickmark_worker;

create table catalog.set (
  set_number text primary key check (set_number ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$'),
  title text not null,
  theme text not null,
  subtheme text,
  pieces integer check (pieces >= 0),
  msrp_cents integer check (msrp_cents >= 0),
  release_date date,
  -- The year of the release date; sources that have no date may still know the year.
  release_year integer check (release_year >= 1930),
  -- A future date is an announced retirement: the set is retiring soon.
  retire_date date,
  asin text check (asin ~ '^[A-Z0-9]{10}$'),
  upc text check (upc ~ '^[0-9]{12}$'),
  ean text check (ean ~ '^[0-9]{13}$'),
  image_url text,
  box_width_in numeric(6, 2) check (box_width_in > 0),
  box_height_in numeric(6, 2) check (box_height_in > 0),
  box_depth_in numeric(6, 2) check (box_depth_in > 0),
  box_weight_lbs numeric(7, 2) check (box_weight_lbs > 0),
  -- Set by a trigger, like the columns of minifigs.
  search_number text,
  search_title text
);
create unique index set_asin on catalog.set (asin);
create unique index set_upc on catalog.set (upc);
create unique index set_ean on catalog.set (ean);
-- For misspelled searches.
create index set_search_title on catalog.set using gin (search_title public.gin_trgm_ops);

create function catalog.derive_set_columns() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.search_number := catalog.search_text(new.set_number);
  new.search_title := catalog.search_text(new.title);
  new.release_year := coalesce(extract(year from new.release_date), new.release_year);
  return new;
end
$$;
create trigger derived_columns before insert or update on catalog.set
  for each row execute function catalog.derive_set_columns();

create table catalog.minifig (
  minifig_number text primary key check (minifig_number ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$'),
  name text not null,
  category text,
  color text,
  year_released integer,
  image_url text,
  search_number text,
  search_name text
);
create unique index minifig_number_any_case on catalog.minifig (lower(minifig_number));

create function catalog.minifig_search_text() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.search_number := catalog.search_text(new.minifig_number);
  new.search_name := catalog.search_text(new.name);
  return new;
end
$$;
create trigger search_text before insert or update on catalog.minifig
  for each row execute function catalog.minifig_search_text();
revoke execute on function catalog.derive_set_columns(), catalog.minifig_search_text() from public;

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
-- For the titles in alerts.
grant select on catalog.set, catalog.minifig, catalog.retailer to brickmark_alerts;

-- Triggers notify the channel `catalog_changed` of every committed change of shared data, so that no writer can forget to.
-- Payload: {"sets": [...]}, {"minifigs": [...]} or {"all": true}. Only the worker writes this data: notifying on writes
-- of users would serialize their commits. 0004-market.sql creates the triggers, for the tables of both schemas.
create function catalog.notify_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  kind text := tg_argv[0];
  chunk text[];
  numbers text[];
begin
  -- An update that changes a row's number affects both.
  if kind = 'sets' and tg_op = 'UPDATE' then
    select array_agg(set_number order by set_number) into numbers
      from (select set_number from changed union select set_number from former) every;
  elsif kind = 'minifigs' and tg_op = 'UPDATE' then
    select array_agg(minifig_number order by minifig_number) into numbers
      from (select minifig_number from changed union select minifig_number from former) every;
  elsif kind = 'sets' then
    select array_agg(distinct set_number) into numbers from changed;
  elsif kind = 'minifigs' then
    select array_agg(distinct minifig_number) into numbers from changed;
  end if;
  if numbers is null and kind <> 'all' then
    return null;
  end if;
  -- Beyond this many, one full reload is cheaper for every process.
  if kind = 'all' or cardinality(numbers) > 2000 then
    perform pg_notify('catalog_changed', '{"all":true}');
    return null;
  end if;
  -- A payload is limited to 8,000 bytes; a number has at most 24 characters.
  for index in 1 .. cardinality(numbers) by 200 loop
    chunk := numbers[index : index + 199];
    perform pg_notify('catalog_changed', json_build_object(kind, chunk)::text);
  end loop;
  return null;
end
$$;

revoke execute on function catalog.notify_change() from public;
