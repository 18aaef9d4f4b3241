-- outside a transaction
-- Which collections hold a set whose price or value changed. Without it, every change would read every lot.
create index concurrently lot_by_set on portfolio.lot (set_number, account_id, collection_id) where quantity > 0
