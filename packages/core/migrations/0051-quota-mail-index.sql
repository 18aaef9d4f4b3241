-- outside a transaction
create index concurrently mail_settings_with_quota_mail on alert.mail_settings (account_id) where quota_mail;
