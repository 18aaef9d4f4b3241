alter table source.retail_product add column source_id text;
-- When a license no longer allows a price to be shown.
alter table market.retail_state add column shown_until timestamptz;
-- Whether the licenses behind a price allow values to be computed from it.
alter table market.retail_day add column feeds_values boolean not null default true;
