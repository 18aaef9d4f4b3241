-- outside a transaction: for misspelled searches
create index concurrently set_search_title on catalog.set using gin (search_title public.gin_trgm_ops);
