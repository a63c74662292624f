-- What a live room shows to everybody in it (docs/decisions/0054-live-room.md).

-- The auctioneer's calls before the hammer: once, twice. A call is of the bid that stood then, so the next bid ends it by itself.
alter table live_lots add column call_no integer not null default 0 check (call_no between 0 and 2), add column call_seq integer;
grant update (call_no, call_seq) on live_lots to galeri_app;

-- One reader in each process reads for all who watch: bids without their bidders, whom it could not name by mistake, and who of those
-- who watch bids under which alias.
create policy platform on auction_bids to galeri_platform using (true) with check (true);
create policy platform on auction_bidders to galeri_platform using (true) with check (true);
grant select (id, item_id, bid_seq, amount_minor, alias_no, placed_at, chain) on auction_bids to galeri_platform;
grant select on auction_bidders to galeri_platform;
