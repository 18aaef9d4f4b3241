-- Whether what is stored is safe. The worker reports it, without the right to see other sessions.
create function maintenance.data_safety()
returns table (synchronous_standbys integer, transaction_id_age_ratio float8, checksum_failures bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select (select count(*)::integer from pg_stat_replication where sync_state in ('sync', 'quorum')),
         -- Of the ids that can be assigned before PostgreSQL stops accepting writes.
         (select max(greatest(age(datfrozenxid), mxid_age(datminmxid))) / 2147483648.0 from pg_database)::float8,
         -- Null if the cluster has no checksums.
         (select sum(checksum_failures)::bigint from pg_stat_database)
$$;
revoke execute on function maintenance.data_safety() from public;
grant create on schema maintenance to brickmark_maintenance;
alter function maintenance.data_safety() owner to brickmark_maintenance;
revoke create on schema maintenance from brickmark_maintenance;
grant execute on function maintenance.data_safety() to brickmark_worker;
