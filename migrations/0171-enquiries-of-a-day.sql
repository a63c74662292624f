-- mode: concurrently
-- The messages that came from a dealer's showroom today are counted at every form.
create index concurrently if not exists enquiry_entries_shown on enquiry_entries (account_id, created_at) where kind = 'received' and value = 'Vitrin';
