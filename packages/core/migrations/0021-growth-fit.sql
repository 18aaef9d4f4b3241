-- Growth of the market, fitted each night to a sample of sets. Live values use the latest one; months keep their own.
create table source.growth_fit (
  fitted_on date primary key,
  growth jsonb not null
);
grant select, insert, update, delete on source.growth_fit to brickmark_worker;
