-- Finalized months never change; a correction is a row in the revision log.

create function market.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception 'a finalized month is never changed: write a row of market.set_month_revision instead';
end
$$;
create trigger months_are_final before update on market.set_month
  for each row execute function market.refuse_change();

create table market.set_month_revision (
  revision_id bigint generated always as identity primary key,
  set_number text not null references catalog.set on delete cascade,
  condition text not null check (condition in ('sealed', 'used')),
  month date not null,
  value_usd numeric(9, 2),
  reason text not null,
  revised_at timestamptz not null default now()
);

-- Which months have been finalized, whole.
create table market.finalized_month (
  month date primary key check (extract(day from month) = 1),
  finalized_at timestamptz not null default now(),
  set_months integer not null
);

-- What the values of a finalized month teach about the next ones.
create table source.market_lesson (
  month date primary key references market.finalized_month,
  lessons jsonb not null
);

-- What an estimate stood on: the next one blends it into its prior and measures moves against it. Not for show.
create table source.valuation (
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  condition text not null check (condition in ('sealed', 'used')),
  value_usd numeric(9, 2),
  effective_sales double precision not null,
  sellers integer not null,
  data_tier text not null,
  -- True while a move is held back until more independent sales confirm it.
  held boolean not null,
  calculated_at timestamptz not null,
  primary key (item_kind, item_number, condition)
);

-- The same, as of the end of each finalized month.
create table source.month_valuation (
  item_kind text not null check (item_kind in ('set', 'minifig')),
  item_number text not null,
  condition text not null check (condition in ('sealed', 'used')),
  month date not null,
  value_usd numeric(9, 2),
  effective_sales double precision not null,
  sellers integer not null,
  accepted_units integer not null,
  data_tier text not null,
  primary key (item_kind, item_number, condition, month)
);

-- What selling costs, as dated data: the schedule in force is the latest that has begun.
create table market.fee_schedule (
  platform text not null,
  valid_from date not null,
  schedule jsonb not null,
  primary key (platform, valid_from)
);

insert into market.fee_schedule values ('retailer_a', '2026-01-15', '{"retailer":"retailer_a","validFrom":"2026-01-15","referral":{"basisPoints":1500,"minimum":30},"priceBounds":{"low":1000,"high":5000},"cubicInchesPerPound":139,"sizeTiers":[{"name":"small_standard","maxOunces":16,"maxSides":[15,12,0.75],"maxLengthPlusGirth":null,"weighVolume":false,"bands":[{"upToOunces":2,"fees":[243,332,358]},{"upToOunces":4,"fees":[249,342,368]},{"upToOunces":6,"fees":[256,345,371]},{"upToOunces":8,"fees":[266,354,380]},{"upToOunces":10,"fees":[277,368,394]},{"upToOunces":12,"fees":[282,378,404]},{"upToOunces":14,"fees":[292,391,417]},{"upToOunces":16,"fees":[295,396,422]}],"beyond":null},{"name":"large_standard","maxOunces":320,"maxSides":[18,14,8],"maxLengthPlusGirth":null,"weighVolume":true,"bands":[{"upToOunces":4,"fees":[291,373,399]},{"upToOunces":8,"fees":[313,395,421]},{"upToOunces":12,"fees":[338,420,446]},{"upToOunces":16,"fees":[378,460,486]},{"upToOunces":20,"fees":[422,504,530]},{"upToOunces":24,"fees":[460,542,568]},{"upToOunces":28,"fees":[475,557,583]},{"upToOunces":32,"fees":[500,582,608]},{"upToOunces":36,"fees":[510,592,618]},{"upToOunces":40,"fees":[528,610,636]},{"upToOunces":44,"fees":[544,626,652]},{"upToOunces":48,"fees":[585,667,693]}],"beyond":{"fees":[615,697,723],"fromOunces":48,"stepOunces":4,"perStep":8}},{"name":"small_bulky","maxOunces":800,"maxSides":[37,28,20],"maxLengthPlusGirth":130,"weighVolume":true,"bands":[],"beyond":{"fees":[678,755,755],"fromOunces":16,"stepOunces":16,"perStep":38}},{"name":"large_bulky","maxOunces":800,"maxSides":[59,33,33],"maxLengthPlusGirth":130,"weighVolume":true,"bands":[],"beyond":{"fees":[858,935,935],"fromOunces":16,"stepOunces":16,"perStep":38}},{"name":"extra_large_50_lb","maxOunces":800,"maxSides":null,"maxLengthPlusGirth":null,"weighVolume":true,"bands":[],"beyond":{"fees":[2556,2633,2633],"fromOunces":16,"stepOunces":16,"perStep":38}}],"surcharges":[{"validFrom":"2026-04-17","basisPoints":350}]}');

grant select on market.set_month_revision, market.finalized_month, market.fee_schedule to brickmark_web;
grant select, insert on market.set_month_revision, market.finalized_month to brickmark_worker;
grant select on market.fee_schedule to brickmark_worker;
grant select, insert, update, delete on source.valuation, source.month_valuation, source.market_lesson to brickmark_worker;
revoke update, delete on market.set_month from brickmark_worker;
revoke execute on function market.refuse_change() from public;
