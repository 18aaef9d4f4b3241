-- What a lot cost and when it was bought may be unknown, e.g. in a list that names only sets.
alter table portfolio.lot alter column purchase_price_cents drop not null, alter column purchase_date drop not null;
