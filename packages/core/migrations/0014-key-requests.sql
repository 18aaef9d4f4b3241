-- What each key asked last and how its requests ended. The api nodes tell it about once a second, apart from the charge:
-- it is for people to look at, and a killed node loses its last second. The bill is quota_day.

create table account.key_request (
  account_id bigint not null,
  key_id bigint not null,
  at timestamptz not null,
  request_id uuid not null,
  request text not null,
  status smallint not null,
  error_code text,
  error_message text,
  client text,
  primary key (account_id, key_id),
  foreign key (account_id, key_id) references account.api_key on delete cascade
);

create table account.usage_day (
  account_id bigint not null,
  key_id bigint not null,
  day date not null,
  status smallint not null,
  requests integer not null check (requests >= 0),
  primary key (account_id, key_id, day, status),
  foreign key (account_id, key_id) references account.api_key on delete cascade
) partition by range (day);
create table account.usage_day_default partition of account.usage_day default;

alter table account.key_request enable row level security;
alter table account.key_request force row level security;
alter table account.usage_day enable row level security;
alter table account.usage_day force row level security;
create policy own on account.key_request for select to brickmark_web using (account_id = account.current_account_id());
create policy own on account.usage_day for select to brickmark_web using (account_id = account.current_account_id());
create policy admission on account.key_request to brickmark_admission using (true);
create policy admission on account.usage_day to brickmark_admission using (true);
grant select on account.key_request, account.usage_day to brickmark_web;
grant select, insert, update on account.key_request, account.usage_day to brickmark_admission;

-- Takes rows of one key and status each: how many requests, and the last of them. Rows are written in key order, so two
-- nodes never wait for each other in a circle.
create function account.note_requests(notes jsonb) returns void
language sql security definer set search_path = pg_catalog
as $$
  with noted as materialized (
    select n.*
      from jsonb_to_recordset(notes) as n (account_id bigint, key_id bigint, status smallint, requests integer,
        at timestamptz, request_id uuid, request text, error_code text, error_message text, client text)
      join account.api_key k on k.account_id = n.account_id and k.id = n.key_id
  ),
  counted as (
    insert into account.usage_day as u (account_id, key_id, day, status, requests)
    select account_id, key_id, (now() at time zone 'utc')::date, status, requests
      from noted
     order by account_id, key_id, status
    on conflict (account_id, key_id, day, status) do update set requests = u.requests + excluded.requests
  )
  insert into account.key_request as r
    (account_id, key_id, at, request_id, request, status, error_code, error_message, client)
  select distinct on (account_id, key_id)
         account_id, key_id, at, request_id, request, status, error_code, error_message, client
    from noted
   order by account_id, key_id, at desc
  on conflict (account_id, key_id) do update set
    at = excluded.at, request_id = excluded.request_id, request = excluded.request, status = excluded.status,
    error_code = excluded.error_code, error_message = excluded.error_message, client = excluded.client
   where r.at < excluded.at
$$;
grant create on schema account to brickmark_admission;
alter function account.note_requests(jsonb) owner to brickmark_admission;
revoke create on schema account from brickmark_admission;
revoke execute on function account.note_requests(jsonb) from public;
grant execute on function account.note_requests(jsonb) to brickmark_api;

-- A key may be made to end sooner, when another replaces it, but never later.
create function account.refuse_prolonging() returns trigger
language plpgsql as $$
begin
  raise exception 'the expiry of a key can only be brought forward';
end
$$;
revoke execute on function account.refuse_prolonging() from public;
create trigger expiry_is_final before update on account.api_key
  for each row when (old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at))
  execute function account.refuse_prolonging();
grant update (expires_at) on account.api_key to brickmark_web;

create or replace function account.keep_partitions() returns integer
language sql security definer set search_path = pg_catalog
as $$
  select sum(account.drop_partitions(parent, (now() at time zone 'utc')::date - 40)
    + account.add_partitions(parent,
        (now() at time zone 'utc')::date - 1, (now() at time zone 'utc')::date + 14, interval '1 day'))
    from (values ('account.quota_day'::regclass), ('account.usage_day'::regclass)) as kept (parent)
$$;
select account.keep_partitions();
