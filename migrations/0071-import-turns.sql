-- mode: concurrently
-- Claims of import runs go to the account whose last run started the longest ago.
create index concurrently if not exists import_runs_started on import_runs (account_id, started_at desc) where started_at is not null;
