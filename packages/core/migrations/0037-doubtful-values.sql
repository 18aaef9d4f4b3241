-- Values follow their sales, however far they move; `held` isn't written any more. A value is doubtful while too few
-- sellers contradict what similar items sell for: its tier is at most 'thin', and its range covers both.
alter table market.set_value add column doubtful boolean not null default false;
alter table market.minifig_value add column doubtful boolean not null default false;
alter table source.valuation alter column held set default false;
alter table source.valuation add column doubtful boolean not null default false;

-- How accurate values are beside the best of three simple methods, how often ranges covered the next sale and how wide
-- they were (the ratio of their ends), and how many values were in doubt.
alter table market.accuracy
  add column coverage_pct double precision,
  add column width_pct double precision,
  add column doubtful_pct double precision,
  add column simple_method text check (simple_method in ('last sale', 'median of 10', 'median of 90 days')),
  add column simple_error_pct double precision;

-- The sets whose values were furthest behind a simple method, for the operator.
create table market.accuracy_item (
  day date not null,
  set_number text not null,
  condition text not null check (condition in ('sealed', 'used')),
  cases integer not null check (cases >= 3),
  error_pct double precision not null,
  simple_error_pct double precision not null,
  primary key (day, set_number, condition)
);
grant select on market.accuracy_item to brickmark_web;
grant select, insert, delete on market.accuracy_item to brickmark_worker;
