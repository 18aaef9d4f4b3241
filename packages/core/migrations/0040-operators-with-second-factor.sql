-- An operator always has a second factor. Without one, whoever knows an operator's password could add their own.

create function auth.check_operator() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if not new.operator or new.two_factor_enabled
     or exists (select from auth.passkey p where p.user_id = new.id) then
    return new;
  end if;
  if tg_op = 'INSERT' or not old.operator then
    raise exception 'An operator needs a second factor.' using errcode = 'check_violation', constraint = 'operator_has_second_factor';
  end if;
  -- The second factor was switched off.
  new.operator := false;
  return new;
end
$$;

create function auth.check_operator_after_passkey() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  -- Runs the check above. The web application may update this column, not the other one.
  update auth."user" set two_factor_enabled = two_factor_enabled where id = old.user_id and operator;
  return null;
end
$$;

update auth."user" u set operator = false
 where operator and not two_factor_enabled and not exists (select from auth.passkey p where p.user_id = u.id);

create trigger operator_has_second_factor before insert or update of operator, two_factor_enabled on auth."user"
  for each row execute function auth.check_operator();
create trigger operator_has_second_factor after delete on auth.passkey
  for each row execute function auth.check_operator_after_passkey();
-- contract: made in this file, so nothing can use it yet.
revoke execute on function auth.check_operator(), auth.check_operator_after_passkey() from public;
-- Before PostgreSQL 18, auth.delete_account() runs the triggers of a cascade with its own rights.
grant select (operator, two_factor_enabled), update (two_factor_enabled) on auth."user" to brickmark_deletion;
grant select (user_id) on auth.passkey to brickmark_deletion;
