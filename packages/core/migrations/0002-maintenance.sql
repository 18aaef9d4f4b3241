-- Maintenance of range partitions in plain SQL, which works from PostgreSQL 15 on. brickmark_maintenance owns the
-- partitioned tables; the worker may only call the functions.
--
-- Charges don't touch a partitioned table except on a key's first charge of a day. Even so, a DDL statement that waits
-- for a lock would queue every later statement behind it. It therefore gives up after 100 ms, and the worker retries.

create table maintenance.partition_policy (
  table_name text primary key,
  -- Width of one partition.
  step interval not null check (step in (interval '1 day', interval '1 month', interval '3 months')),
  -- How far back partitions are created on the first run, and how far ahead on every run.
  behind interval not null,
  ahead interval not null,
  -- How long rows are kept. Null: forever.
  retention interval
);
grant select on maintenance.partition_policy to brickmark_maintenance, brickmark_worker;

-- Creates the missing partitions of `parent` that cover [first, last]. If the table has a default partition, rows that
-- arrived there in the meantime move to their partition. Returns the number created; running it again is harmless.
create function maintenance.add_partitions(parent regclass, first date, last date, step interval) returns integer
language plpgsql set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  parent_schema text;
  parent_name text;
  key_column text;
  has_default boolean;
  partition_name text;
  lower_bound date := date_trunc(
    case step when interval '1 day' then 'day' when interval '1 month' then 'month' else 'quarter' end, first::timestamp)::date;
  upper_bound date;
  created integer := 0;
begin
  select n.nspname, c.relname, a.attname, p.partdefid <> 0
    into parent_schema, parent_name, key_column, has_default
    from pg_partitioned_table p
    join pg_class c on c.oid = p.partrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
   where p.partrelid = parent;

  while lower_bound <= last loop
    upper_bound := (lower_bound + step)::date;
    partition_name := parent_name || to_char(lower_bound, '_YYYYMMDD');
    if to_regclass(format('%I.%I', parent_schema, partition_name)) is null then
      -- Attaching a finished table locks the parent less than `create table … partition of`, so reads and pg_dump go on.
      execute format('create table %I.%I (like %s including defaults including constraints)', parent_schema, partition_name, parent);
      if has_default then
        execute format(
          'with moved as (delete from %I.%I where %I >= %L and %I < %L returning *) insert into %I.%I select * from moved',
          parent_schema, parent_name || '_default', key_column, lower_bound, key_column, upper_bound, parent_schema, partition_name);
      end if;
      execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)',
        parent, parent_schema, partition_name, lower_bound, upper_bound);
      created := created + 1;
    end if;
    lower_bound := upper_bound;
  end loop;
  return created;
end
$$;

-- Drops the partitions of `parent` that end on or before `keep_from`. Returns how many.
create function maintenance.drop_partitions(parent regclass, keep_from date) returns integer
language plpgsql set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  expired record;
  dropped integer := 0;
begin
  for expired in
    select n.nspname, c.relname
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      join pg_namespace n on n.oid = c.relnamespace
     where i.inhparent = parent
       and (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([0-9-]+)'))[1]::date <= keep_from
  loop
    execute format('drop table %I.%I', expired.nspname, expired.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

-- Creates the upcoming partitions of one table. Returns how many. One call per table and transaction: a table that is locked
-- fails alone.
create function maintenance.create_partitions(partitioned_table text) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set lock_timeout = '100ms'
as $$
declare
  policy record;
begin
  select * into strict policy from maintenance.partition_policy p where p.table_name = partitioned_table;
  return maintenance.add_partitions(
    policy.table_name::regclass, (current_date - policy.behind)::date, (current_date + policy.ahead)::date, policy.step);
end
$$;

-- Drops the expired partitions of one table. Returns how many.
create function maintenance.drop_expired_partitions(partitioned_table text) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set lock_timeout = '100ms'
as $$
declare
  policy record;
begin
  select * into strict policy from maintenance.partition_policy p where p.table_name = partitioned_table;
  if policy.retention is null then
    return 0;
  end if;
  return maintenance.drop_partitions(policy.table_name::regclass, (current_date - policy.retention)::date);
end
$$;

-- What monitoring needs to know about the server. The worker reports it, without the right to see other sessions.
create function maintenance.database_health()
returns table (wal_files_to_archive integer, standbys integer, replication_lag_seconds float8, connection_ratio float8,
  size_bytes bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select (select count(*)::integer from pg_ls_archive_statusdir() where name like '%.ready'),
         -- A base backup streams, too, but replays nothing.
         (select count(*)::integer from pg_stat_replication where replay_lsn is not null),
         (select coalesce(max(extract(epoch from replay_lag)), 0)::float8 from pg_stat_replication),
         (select count(*)::float8 from pg_stat_activity where backend_type = 'client backend')
           / current_setting('max_connections')::integer,
         pg_database_size(current_database())
$$;

revoke execute on function maintenance.add_partitions(regclass, date, date, interval),
  maintenance.drop_partitions(regclass, date), maintenance.create_partitions(text), maintenance.drop_expired_partitions(text),
  maintenance.database_health() from public;
grant create on schema maintenance to brickmark_maintenance;
alter function maintenance.add_partitions(regclass, date, date, interval) owner to brickmark_maintenance;
alter function maintenance.drop_partitions(regclass, date) owner to brickmark_maintenance;
alter function maintenance.create_partitions(text) owner to brickmark_maintenance;
alter function maintenance.drop_expired_partitions(text) owner to brickmark_maintenance;
alter function maintenance.database_health() owner to brickmark_maintenance;
revoke create on schema maintenance from brickmark_maintenance;
grant execute on function maintenance.create_partitions(text), maintenance.drop_expired_partitions(text),
  maintenance.database_health() to brickmark_worker;

-- For the operator pages.

-- Returns the job queues and the outcome of the jobs that pg-boss still keeps.
create function maintenance.operator_jobs(session_token text)
returns table (name text, schedule text, waiting integer, active integer, failed integer, done_at timestamptz,
  failed_at timestamptz, failure text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select q.name, (select min(s.cron) from pgboss.schedule s where s.name = q.name),
         count(*) filter (where j.state in ('created', 'retry'))::integer,
         count(*) filter (where j.state = 'active')::integer,
         count(*) filter (where j.state = 'failed')::integer,
         max(j.completed_on) filter (where j.state = 'completed'),
         max(j.completed_on) filter (where j.state = 'failed'),
         left((array_agg(j.output ->> 'message' order by j.completed_on desc) filter (where j.state = 'failed'))[1], 300)
    from pgboss.queue q
    left join pgboss.job j on j.name = q.name
   where q.name !~ '^__pgboss'
   group by q.name
   order by q.name;
end
$$;

grant create on schema maintenance to brickmark_operator;
alter function maintenance.operator_jobs(text) owner to brickmark_operator;
revoke create on schema maintenance from brickmark_operator;
revoke execute on function maintenance.operator_jobs(text) from public;
grant execute on function maintenance.operator_jobs(text) to brickmark_web;
