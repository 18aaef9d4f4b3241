-- Forms that were submitted, by the token that each of them contains, so that submitting one twice records it once. An
-- account's rows are deleted with its next submission once they are two days old.
create table portfolio.form_submission (
  account_id bigint not null references account.account on delete cascade,
  token uuid not null,
  submitted_at timestamptz not null default now(),
  primary key (account_id, token)
);
alter table portfolio.form_submission enable row level security;
alter table portfolio.form_submission force row level security;
create policy own on portfolio.form_submission to brickmark_web using (account_id = account.current_account_id());
grant select, insert, delete on portfolio.form_submission to brickmark_web;
