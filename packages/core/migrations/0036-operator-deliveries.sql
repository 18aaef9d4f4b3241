-- What an operator sees of mail and webhooks: how much waits and why, never what it says or where exactly it goes.

grant usage on schema mail, webhook to brickmark_operator;
grant select (created_at, attempts, last_error) on mail.message to brickmark_operator;
create policy operator on webhook.endpoint for select to brickmark_operator using (true);
create policy operator on webhook.delivery for select to brickmark_operator using (true);
grant select (account_id, id, url, disabled_reason, last_attempt_at, last_status_code) on webhook.endpoint to brickmark_operator;
grant select (account_id, endpoint_id, status, at) on webhook.delivery to brickmark_operator;

create function account.operator_mail(session_token text)
returns table (waiting bigint, tried bigint, oldest_at timestamptz, last_error text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select count(*), count(*) filter (where attempts > 0), min(created_at),
         (array_agg(last_error order by created_at desc) filter (where last_error is not null))[1]
    from mail.message;
end
$$;

-- Returns the endpoints with deliveries that wait or have failed, those with most of them first. Of a URL only the host: the
-- rest may be a secret.
create function account.operator_webhooks(session_token text)
returns table (account_id bigint, endpoint_id bigint, host text, disabled_reason text, waiting bigint, failed bigint,
  oldest_at timestamptz, last_attempt_at timestamptz, last_status_code smallint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform auth.require_operator(session_token);
  return query
  select e.account_id, e.id, substring(e.url from '://([^/?#]+)'), e.disabled_reason, d.waiting, d.failed, d.oldest_at,
         e.last_attempt_at, e.last_status_code
    from (select account_id, endpoint_id, count(*) filter (where status = 'waiting') as waiting,
                 count(*) filter (where status = 'failed') as failed, min(at) filter (where status = 'waiting') as oldest_at
            from webhook.delivery where status <> 'delivered' group by account_id, endpoint_id) as d
    join webhook.endpoint e on e.account_id = d.account_id and e.id = d.endpoint_id
   order by d.waiting + d.failed desc, e.id
   limit 100;
end
$$;

grant create on schema account to brickmark_operator;
alter function account.operator_mail(text) owner to brickmark_operator;
alter function account.operator_webhooks(text) owner to brickmark_operator;
-- contract: granted above, for the change of owners only.
revoke create on schema account from brickmark_operator;
-- contract: made in this file, so nothing can use it yet.
revoke execute on function account.operator_mail(text), account.operator_webhooks(text) from public;
grant execute on function account.operator_mail(text), account.operator_webhooks(text) to brickmark_web;
