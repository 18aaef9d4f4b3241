-- Schemas and who may enter them. Table privileges are granted next to each table, so that "read-only" and "licensed
-- rows never leave" are enforced by the database and don't depend on application code.

create schema catalog;
create schema market;
create schema source;
create schema change;
create schema account;
create schema portfolio;
create schema auth;
create schema alert;
create schema mail;
create schema webhook;
create schema maintenance;
-- pg-boss creates its tables here when `ops migrate` runs. The worker only reads and writes them.
create schema pgboss;

-- Substring search on the operator pages.
create extension pg_trgm with schema public;

revoke all on schema public from public;
-- A caller who can create temporary objects can try to shadow names inside functions. Only ingestion needs them.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
  execute format('grant temporary on database %I to brickmark_worker', current_database());
end
$$;

-- Every process compares the migration table with its own migrations when it starts.
grant usage on schema public to brickmark_api, brickmark_worker, brickmark_web;
grant select on public.migration to brickmark_api, brickmark_worker, brickmark_web;

grant usage on schema catalog, market to brickmark_api, brickmark_worker, brickmark_web;
grant usage on schema catalog to brickmark_alerts;
-- For the operator functions only: the web application can read no table of it.
grant usage on schema source to brickmark_web;
grant usage on schema source to brickmark_worker, brickmark_operator;
grant usage on schema change to brickmark_worker;
grant usage on schema account to brickmark_api, brickmark_web, brickmark_admission, brickmark_operator, brickmark_deletion,
  brickmark_ops, brickmark_maintenance, brickmark_worker, brickmark_alerts;
grant usage on schema portfolio to brickmark_api, brickmark_web, brickmark_alerts;
grant usage on schema auth to brickmark_web, brickmark_operator, brickmark_deletion, brickmark_ops, brickmark_alerts;
grant usage on schema alert to brickmark_web, brickmark_worker, brickmark_alerts;
grant usage on schema mail to brickmark_web, brickmark_operator;
grant usage on schema webhook to brickmark_web, brickmark_worker, brickmark_alerts, brickmark_operator;
grant usage on schema maintenance to brickmark_worker, brickmark_maintenance, brickmark_web, brickmark_operator;
grant usage on schema source, change to brickmark_maintenance;
-- brickmark_maintenance owns the partitioned tables and creates their partitions.
grant create on schema source, change, account to brickmark_maintenance;

grant usage on schema pgboss to brickmark_worker, brickmark_operator;
alter default privileges in schema pgboss grant select, insert, update, delete on tables to brickmark_worker;
alter default privileges in schema pgboss grant select on tables to brickmark_operator;
