-- Up to which alert an account has read. Without a row it has read none.
create table alert.inbox (
  account_id bigint primary key references account.account on delete cascade,
  read_to bigint not null
);
alter table alert.inbox enable row level security;
alter table alert.inbox force row level security;
create policy own on alert.inbox to brickmark_web using (account_id = account.current_account_id());
grant select, insert, update (read_to) on alert.inbox to brickmark_web;
