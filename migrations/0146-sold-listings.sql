-- mode: concurrently
create index concurrently if not exists listings_sold on listings (account_id, closed_at) where close_reason = 'satıldı';
