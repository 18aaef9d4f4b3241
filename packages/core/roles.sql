-- The roles of a Brickmark installation. They belong to the whole server, so an administrator creates them once, before
-- the first migration; running this again changes nothing. The login roles get their passwords separately.
do $$
declare
  missing name;
begin
  -- One login role for each application. They own nothing and can't become another role.
  foreach missing in array array['brickmark_api', 'brickmark_worker', 'brickmark_web']::name[] loop
    if not exists (select from pg_catalog.pg_roles where rolname = missing) then
      execute format('create role %I login', missing);
    end if;
  end loop;
  -- brickmark_owner owns the schema and runs migrations. Each of the others owns a few SECURITY DEFINER functions and
  -- has only the privileges these need, so that a flaw in one of them reaches no further.
  foreach missing in array array['brickmark_owner', 'brickmark_admission', 'brickmark_operator', 'brickmark_deletion',
      'brickmark_maintenance', 'brickmark_ops']::name[] loop
    if not exists (select from pg_catalog.pg_roles where rolname = missing) then
      execute format('create role %I nologin', missing);
    end if;
  end loop;
end
$$;

-- Migrations hand functions and partitioned tables over to these roles.
grant brickmark_admission, brickmark_operator, brickmark_deletion, brickmark_maintenance, brickmark_ops to brickmark_owner;
