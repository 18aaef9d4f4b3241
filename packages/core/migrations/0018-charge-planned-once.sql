-- Planned anew for every statement, a charge spent more on its plan than on its rows; and while the tables are small, reading them
-- whole looked cheaper to the planner than looking up the few keys that are asked for.
alter function account.charge(bigint[], bigint[], integer[], integer[])
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off;
