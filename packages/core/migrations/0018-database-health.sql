-- What monitoring needs to know about the server. The worker reports it, without the right to see other sessions.
create function maintenance.database_health()
returns table (wal_files_to_archive integer, standbys integer, replication_lag_seconds float8, connection_ratio float8,
  size_bytes bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select (select count(*)::integer from pg_ls_archive_statusdir() where name like '%.ready'),
         (select count(*)::integer from pg_stat_replication),
         (select coalesce(max(extract(epoch from replay_lag)), 0)::float8 from pg_stat_replication),
         (select count(*)::float8 from pg_stat_activity where backend_type = 'client backend')
           / current_setting('max_connections')::integer,
         pg_database_size(current_database())
$$;
grant create on schema maintenance to brickmark_maintenance;
alter function maintenance.database_health() owner to brickmark_maintenance;
-- contract: granted just above
revoke create on schema maintenance from brickmark_maintenance;
-- contract: made in this file, so nothing can use it yet
revoke execute on function maintenance.database_health() from public;
grant execute on function maintenance.database_health() to brickmark_worker;
