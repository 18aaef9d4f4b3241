-- outside a transaction
-- A rule that an account has already can't be added again.
create unique index concurrently rule_once on alert.rule
  (account_id, kind, set_number, minifig_number, collection_id, threshold) nulls not distinct
