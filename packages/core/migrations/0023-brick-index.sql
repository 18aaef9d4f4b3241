-- How the values of retired sets move from month to month: 100 in its first month. Written when a month is finalized and
-- never changed. The theme '' stands for all themes.
create table market.brick_index (
  theme text not null,
  month date not null references market.finalized_month,
  level double precision not null check (level > 0),
  -- Standard error of the logarithm of the level, accumulated since the first month.
  log_error double precision not null check (log_error >= 0),
  -- Sets with a value at the end of both months.
  sets integer not null check (sets > 0),
  primary key (theme, month)
);
grant select on market.brick_index to brickmark_web;
grant select, insert on market.brick_index to brickmark_worker;
