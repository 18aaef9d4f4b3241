-- What a search compares with, stored so that a suggestion doesn't normalize every title in the catalog: lower case,
-- without accents and without the punctuation that occurs in names. `searchText` in core does the same to a query.
create function catalog.search_text(name text) returns text
language sql immutable parallel safe
return translate(
  lower(regexp_replace(normalize(name, nfd), U&'[\0300-\036f]', '', 'g')),
  $$!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~‘’“”–—…·™®©$$,
  ''
);

alter table catalog.set add column search_number text, add column search_title text;
alter table catalog.minifig add column search_number text, add column search_name text;

-- Triggers, because a generated column would rewrite the table under a lock.
create function catalog.set_search_text() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.search_number := catalog.search_text(new.set_number);
  new.search_title := catalog.search_text(new.title);
  return new;
end
$$;
create function catalog.minifig_search_text() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.search_number := catalog.search_text(new.minifig_number);
  new.search_name := catalog.search_text(new.name);
  return new;
end
$$;
-- contract: made in this file, so nothing can use it yet. Only the worker writes the catalog.
revoke execute on function catalog.search_text(text), catalog.set_search_text(), catalog.minifig_search_text() from public;
grant execute on function catalog.search_text(text) to brickmark_worker;
create trigger search_text before insert or update on catalog.set
  for each row execute function catalog.set_search_text();
create trigger search_text before insert or update on catalog.minifig
  for each row execute function catalog.minifig_search_text();

-- Fills the columns. Blocks no reader, and of the writers only ingestion, for a second.
update catalog.set set title = title;
update catalog.minifig set name = name;
