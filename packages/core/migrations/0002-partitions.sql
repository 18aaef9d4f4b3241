-- Upkeep of range partitions in plain SQL, for PostgreSQL 15 and later alike.
-- Every partitioned table also has a default partition: if upkeep is late, rows land there and nothing fails.

-- Makes the missing partitions of `parent` that cover [first, last], one per `step`, and moves into each what
-- had landed in the default partition meanwhile. Returns how many were made. Safe to run again at any time.
create function account.add_partitions(parent regclass, first date, last date, step interval) returns integer
language plpgsql as $$
declare
  parent_schema text;
  parent_name text;
  key_column text;
  partition_name text;
  lower_bound date := date_trunc(case step when interval '1 month' then 'month' else 'day' end, first::timestamp)::date;
  upper_bound date;
  made integer := 0;
begin
  select n.nspname, c.relname, a.attname
    into parent_schema, parent_name, key_column
    from pg_partitioned_table p
    join pg_class c on c.oid = p.partrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
   where p.partrelid = parent;

  while lower_bound <= last loop
    upper_bound := (lower_bound + step)::date;
    partition_name := parent_name || to_char(lower_bound, case step when interval '1 month' then '_YYYYMM' else '_YYYYMMDD' end);
    if to_regclass(format('%I.%I', parent_schema, partition_name)) is null then
      execute format('create table %I.%I (like %s including defaults including constraints)', parent_schema, partition_name, parent);
      execute format(
        'with moved as (delete from %I.%I where %I >= %L and %I < %L returning *) insert into %I.%I select * from moved',
        parent_schema, parent_name || '_default', key_column, lower_bound, key_column, upper_bound, parent_schema, partition_name);
      execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)',
        parent, parent_schema, partition_name, lower_bound, upper_bound);
      made := made + 1;
    end if;
    lower_bound := upper_bound;
  end loop;
  return made;
end
$$;

-- Drops the partitions of `parent` that lie wholly before `keep_from`. Returns how many.
create function account.drop_partitions(parent regclass, keep_from date) returns integer
language plpgsql as $$
declare
  old record;
  dropped integer := 0;
begin
  for old in
    select n.nspname, c.relname
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      join pg_namespace n on n.oid = c.relnamespace
     where i.inhparent = parent
       and (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([0-9-]+)'))[1]::date <= keep_from
  loop
    execute format('drop table %I.%I', old.nspname, old.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke execute on function account.add_partitions(regclass, date, date, interval), account.drop_partitions(regclass, date) from public;
