-- A lot that was deleted after a part of it was sold stays for the history of its sales, with quantity 0. It no longer
-- comes back when one of those sales is deleted.
alter table portfolio.lot add column deleted_at timestamptz;
alter table portfolio.lot add constraint deleted_lot_is_empty check (deleted_at is null or quantity = 0) not valid;
alter table portfolio.lot validate constraint deleted_lot_is_empty;
