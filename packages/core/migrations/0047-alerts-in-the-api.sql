-- The API lists the alerts of the caller.
grant usage on schema alert to brickmark_api;
grant select on alert.alert, alert.inbox to brickmark_api;
create policy read_own on alert.alert for select to brickmark_api using (account_id = account.current_account_id());
create policy read_own on alert.inbox for select to brickmark_api using (account_id = account.current_account_id());
