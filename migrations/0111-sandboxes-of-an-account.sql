-- mode: concurrently
-- The sandboxes of an account, removed ones too: how many are not cleared away yet, and when their import runs began.
create index concurrently if not exists worlds_owner on worlds (owner_id);
