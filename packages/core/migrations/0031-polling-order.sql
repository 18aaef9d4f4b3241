-- When the history of a product was read. Null for a source without history, and before the first poll.
alter table source.retail_product add column history_read_at timestamptz;

-- The sets that somebody watches or owns: their prices are polled first. Says nothing about whose they are.
create function portfolio.wanted_sets() returns table (set_number text)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.set_number from portfolio.watched_item w where w.set_number is not null
   union
  select l.set_number from portfolio.lot l where l.quantity > 0
$$;
grant create on schema portfolio to brickmark_alerts;
alter function portfolio.wanted_sets() owner to brickmark_alerts;
revoke create on schema portfolio from brickmark_alerts;
revoke execute on function portfolio.wanted_sets() from public;
grant usage on schema portfolio to brickmark_worker;
grant execute on function portfolio.wanted_sets() to brickmark_worker;
