-- Filters of a collection that its owner saved under a name, as the query of the page's address.
create table portfolio.lot_view (
  account_id bigint not null,
  collection_id bigint not null,
  id bigint generated always as identity,
  name text not null check (char_length(name) between 1 and 40),
  query text not null check (char_length(query) between 1 and 1000),
  primary key (account_id, collection_id, id),
  unique (account_id, collection_id, name),
  foreign key (account_id, collection_id) references portfolio.collection on delete cascade
);
alter table portfolio.lot_view enable row level security;
alter table portfolio.lot_view force row level security;
create policy own on portfolio.lot_view to brickmark_web using (account_id = account.current_account_id());
grant select, insert, update (query), delete on portfolio.lot_view to brickmark_web;
