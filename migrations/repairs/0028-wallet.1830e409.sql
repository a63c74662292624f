-- from: 1830e409bed0e5476f8fa4aef3b609e4f8ab6ca9fedf2919983286c3ca62f9d5  0028-wallet.sql
-- to: 0f9868a52167a76042baea89bb5a827cd4bda724fb795f7af7e0121b6db02279  0028-wallet.sql
-- The platform's accounts of the ledger get ids that no data set can have.
alter table ledger_entries drop constraint ledger_entries_account;
update ledger_accounts set id = replace(id::text, '-8000-', '-a000-')::uuid where is_platform;
update ledger_entries set ledger_account_id = replace(ledger_account_id::text, '-8000-', '-a000-')::uuid
  where is_platform and ledger_account_id::text like '00000000-0000-4000-8000-%';
alter table ledger_entries add constraint ledger_entries_account
  foreign key (ledger_account_id, is_platform, currency) references ledger_accounts (id, is_platform, currency);
