-- mode: concurrently
-- For `updated_since`: the records of an account in the order in which they changed.
create index concurrently if not exists sales_updated on sales (account_id, updated_at, id);
create index concurrently if not exists collections_updated on collections (account_id, updated_at, id);
create index concurrently if not exists payment_promises_updated on payment_promises (account_id, updated_at, id);
create index concurrently if not exists promissory_notes_updated on promissory_notes (account_id, updated_at, id);
create index concurrently if not exists documents_updated on documents (account_id, updated_at, id);
create index concurrently if not exists tasks_updated on tasks (account_id, updated_at, id);
create index concurrently if not exists boost_orders_updated on boost_orders (account_id, updated_at, id);
create index concurrently if not exists auction_requests_updated on auction_requests (account_id, updated_at, id);
create index concurrently if not exists import_runs_updated on import_runs (account_id, updated_at, id);
