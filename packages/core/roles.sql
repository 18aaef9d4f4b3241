-- The roles of a Brickmark installation. They belong to the whole server, so an administrator creates them before the first
-- migration, and brings them up to date when a version needs others: `ops migrate` says so. Running this again repairs what
-- differs and leaves passwords alone. A superuser runs it with every migration.
--
-- Each application logs in with its own role, which owns nothing and can't become another role. brickmark_owner owns the
-- schema and runs migrations. Each of the others owns a few SECURITY DEFINER functions and has only the privileges these
-- need, so that a flaw in one of them reaches no further.
--
-- Timeouts are settings of the roles, so that they also hold behind a connection pooler that ignores what clients ask for
-- when they connect. The applications ask for shorter ones where they can.
do $$
declare
  wanted record;
  setting text;
  managed constant text[] := array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
begin
  for wanted in
    select * from (values
      ('brickmark_api', 'login', array['statement_timeout=2s', 'lock_timeout=150ms', 'idle_in_transaction_session_timeout=5s']),
      ('brickmark_web', 'login', array['statement_timeout=2s', 'idle_in_transaction_session_timeout=5s']),
      ('brickmark_worker', 'login', array['statement_timeout=5min', 'idle_in_transaction_session_timeout=5min']),
      ('brickmark_owner', 'nologin', '{}'),
      ('brickmark_admission', 'nologin', '{}'),
      ('brickmark_operator', 'nologin', '{}'),
      ('brickmark_deletion', 'nologin', '{}'),
      ('brickmark_maintenance', 'nologin', '{}'),
      ('brickmark_alerts', 'nologin', '{}'),
      ('brickmark_ops', 'nologin', '{}')
    ) as role (name, login, settings)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      execute format('create role %I', wanted.name);
    end if;
    execute format('alter role %I %s', wanted.name, wanted.login);
    foreach setting in array managed loop
      execute format('alter role %I reset %I', wanted.name, setting);
    end loop;
    foreach setting in array wanted.settings loop
      execute format('alter role %I set %I = %L', wanted.name, split_part(setting, '=', 1), split_part(setting, '=', 2));
    end loop;
  end loop;
end
$$;

-- Migrations hand functions and partitioned tables over to these roles.
grant brickmark_admission, brickmark_operator, brickmark_deletion, brickmark_maintenance, brickmark_alerts, brickmark_ops
  to brickmark_owner;

-- Monitoring: maintenance.database_health() counts connections, standbys and WAL files. Some managed services let nobody grant
-- this; the gauges that need it are then missing.
do $$
begin
  grant pg_monitor to brickmark_maintenance;
exception when insufficient_privilege then
  raise notice 'brickmark_maintenance can''t be granted pg_monitor: some gauges of the database will be missing.';
end
$$;
