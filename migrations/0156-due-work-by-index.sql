-- mode: concurrently
-- Four times a second each node asks which data sets were written, and every minute a worker asks which dealers send reminders by mail.
create index concurrently if not exists data_sets_written on data_sets (written_in);
create index concurrently if not exists accounts_mail_reminders on accounts (id) where reminders::jsonb @> '[{"channel": "E-posta", "active": true}]';
