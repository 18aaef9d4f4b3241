-- How far published values were from the sales of the following 90 days, measured each night. With fewer than 30 sales
-- there is no row.
create table market.accuracy (
  day date not null,
  condition text not null check (condition in ('sealed', 'used')),
  -- What the sales have in common: nothing, the tier of the value or the theme of the set.
  grouped_by text not null check (grouped_by in ('all', 'tier', 'theme')),
  name text not null,
  sales integer not null check (sales >= 30),
  median_error_pct double precision not null,
  within_5_pct double precision not null,
  within_10_pct double precision not null,
  within_20_pct double precision not null,
  primary key (day, condition, grouped_by, name)
);
grant select on market.accuracy to brickmark_web;
grant select, insert, delete on market.accuracy to brickmark_worker;
