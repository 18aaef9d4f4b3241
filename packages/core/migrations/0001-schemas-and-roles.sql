-- Who may connect, and the five schemas. What each role may do is granted beside each table, so that
-- "read-only" and "licensed rows are never returned" hold by grant and not by care.
-- Roles belong to the whole cluster, so another database may have made them already.
do $$
declare
  login name;
begin
  foreach login in array array['brickmark_api', 'brickmark_worker', 'brickmark_web']::name[] loop
    if not exists (select from pg_roles where rolname = login) then
      execute format('create role %I login', login);
    end if;
  end loop;
  -- brickmark_admission owns the two functions through which the api learns about keys; brickmark_ops opens accounts.
  -- Nobody logs in as either. Whoever migrates is the operator, and needs no superuser to be.
  foreach login in array array['brickmark_admission', 'brickmark_ops']::name[] loop
    if not exists (select from pg_roles where rolname = login) then
      execute format('create role %I nologin', login);
    end if;
  end loop;
  execute format('grant brickmark_admission, brickmark_ops, brickmark_web to %I', current_user);
end
$$;

create schema catalog;
create schema market;
create schema source;
create schema account;
create schema portfolio;

revoke all on schema public from public;

-- The migrations table (in public) tells a starting process whether the schema matches its code.
grant usage on schema public to brickmark_api, brickmark_worker, brickmark_web;
grant select on public.migration to brickmark_api, brickmark_worker, brickmark_web;

grant usage on schema catalog, market to brickmark_api, brickmark_worker, brickmark_web;
grant usage on schema source to brickmark_worker;
grant usage on schema account to brickmark_api, brickmark_web, brickmark_admission;
grant usage on schema portfolio to brickmark_api, brickmark_web;

-- The account on whose behalf this transaction runs; null, and so no private row at all, when none was named.
create function account.current_account_id() returns bigint
language sql stable parallel safe
return nullif(current_setting('brickmark.account_id', true), '')::bigint;
