-- Dealers meet: offers of money and swaps between two of them, and the doors through which one sees another (docs/decisions/0047).

-- An offer of a buyer for a car that a seller has published. One row for both sides: it is the seller's, as the car is; the buyer may
-- read it. It is written only in the seller's name, whoever acts.
create table network_offers (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  -- One buyer and one listing: what they offer each other, in a chain of which only the last can be open.
  thread_id uuid not null,
  parent_id uuid,
  listing_id uuid not null,
  vehicle_id uuid not null,
  buyer_id uuid not null,
  made_by text not null check (made_by in ('seller', 'buyer')),
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  message text check (length(message) between 1 and 500),
  response_message text check (length(response_message) between 1 and 500),
  status text not null default 'Beklemede' check (status in ('Beklemede', 'Kabul Edildi', 'Reddedildi', 'Karşı Teklif', 'Geri Çekildi',
    'Süresi Doldu', 'Tamamlandı', 'Bozuldu')),
  expires_at timestamptz not null,
  responded_at timestamptz,
  reject_reason text check (length(reject_reason) between 1 and 500),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, listing_id) references listings (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, parent_id) references network_offers (account_id, id),
  constraint network_offers_two_sides check (buyer_id <> account_id),
  constraint network_offers_reason check (reject_reason is null or status = 'Reddedildi'),
  constraint network_offers_expiry check (expires_at > created_at),
  constraint network_offers_responded check ((responded_at is null) = (status in ('Beklemede', 'Geri Çekildi', 'Süresi Doldu')))
);
create unique index network_offers_one_open on network_offers (account_id, listing_id, buyer_id) where status = 'Beklemede';
create unique index network_offers_one_accepted on network_offers (account_id, vehicle_id) where status = 'Kabul Edildi';
-- An offer is answered by one counter-offer.
create unique index network_offers_one_answer on network_offers (account_id, parent_id) where parent_id is not null;
create index network_offers_list on network_offers (account_id, created_at desc, id desc);
create index network_offers_buyer_list on network_offers (buyer_id, created_at desc, id desc);
create index network_offers_vehicle on network_offers (account_id, vehicle_id, created_at desc, id desc);
create index network_offers_thread on network_offers (account_id, listing_id, buyer_id, created_at, id);
create index network_offers_id on network_offers (id);
create index network_offers_due on network_offers (account_id, expires_at) where status = 'Beklemede';
create index network_offers_buyer_due on network_offers (buyer_id, expires_at) where status = 'Beklemede';
create index network_offers_agreed on network_offers (account_id, buyer_id) where status in ('Kabul Edildi', 'Tamamlandı');

-- A proposal to swap one's own car for another's published one. The row is the recipient's; the requester may read it.
create table trade_requests (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  requested_listing_id uuid not null,
  requested_vehicle_id uuid not null,
  requester_id uuid not null,
  offered_vehicle_id uuid not null,
  cash_difference_minor bigint not null default 0
    check (cash_difference_minor > -100000000000000 and cash_difference_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  message text check (length(message) between 1 and 500),
  status text not null default 'Beklemede' check (status in ('Beklemede', 'Kabul Edildi', 'Reddedildi', 'İptal', 'Süresi Doldu',
    'Tamamlandı', 'Bozuldu')),
  expires_at timestamptz not null,
  reject_reason text check (length(reject_reason) between 1 and 500),
  -- Which of the two cars of an agreement have been marked as sold.
  is_requested_sold boolean not null default false,
  is_offered_sold boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, requested_listing_id) references listings (account_id, id),
  foreign key (account_id, requested_vehicle_id) references vehicles (account_id, id),
  constraint trade_requests_two_sides check (requester_id <> account_id),
  constraint trade_requests_reason check (reject_reason is null or status = 'Reddedildi'),
  constraint trade_requests_expiry check (expires_at > created_at),
  constraint trade_requests_completed check ((status = 'Tamamlandı') <= (is_requested_sold and is_offered_sold)),
  constraint trade_requests_sold check (not (is_requested_sold or is_offered_sold) or status in ('Kabul Edildi', 'Tamamlandı', 'Bozuldu'))
);
create unique index trade_requests_one_open on trade_requests (account_id, requested_listing_id, offered_vehicle_id)
  where status = 'Beklemede';
create unique index trade_requests_one_requested on trade_requests (account_id, requested_vehicle_id)
  where status = 'Kabul Edildi' and not is_requested_sold;
create unique index trade_requests_one_offered on trade_requests (requester_id, offered_vehicle_id)
  where status = 'Kabul Edildi' and not is_offered_sold;
create index trade_requests_list on trade_requests (account_id, created_at desc, id desc);
create index trade_requests_requester_list on trade_requests (requester_id, created_at desc, id desc);
create index trade_requests_requested on trade_requests (account_id, requested_vehicle_id);
create index trade_requests_offered on trade_requests (requester_id, offered_vehicle_id);
create index trade_requests_id on trade_requests (id);
create index trade_requests_due on trade_requests (account_id, expires_at) where status = 'Beklemede';
create index trade_requests_requester_due on trade_requests (requester_id, expires_at) where status = 'Beklemede';
create index trade_requests_agreed on trade_requests (account_id, requester_id) where status in ('Kabul Edildi', 'Tamamlandı');

select raise_wall(tenant::regclass) from unnest(array['network_offers', 'trade_requests']) as tenant;
-- The other side reads, and never writes.
create policy other_side on network_offers for select to galeri_app using (buyer_id = (select current_account()));
create policy other_side on trade_requests for select to galeri_app using (requester_id = (select current_account()));
grant select, insert, update on network_offers, trade_requests to galeri_app;

-- Cards of the whole network, newest first.
create index listings_network on listings (created_at desc, id desc) where status = 'Yayında';

-- The doors. Each looks with its owner's eyes and shows, of other dealers, only what is meant for the account of the transaction;
-- without one it shows nothing.

-- Between whom a phone number is shown: the sides of an agreement that stands or was kept. Not granted: the next view asks it.
create view dealer_agreements as
  select account_id as one, buyer_id as other from network_offers where status in ('Kabul Edildi', 'Tamamlandı')
  union all
  select account_id, requester_id from trade_requests where status in ('Kabul Edildi', 'Tamamlandı');

-- Another dealer. Those of the demonstration and real ones never meet.
create view dealer_parties as
  select theirs.id as account_id, theirs.name, theirs.city,
    case when theirs.id = (select current_account())
        or exists (select from dealer_agreements where one = theirs.id and other = (select current_account()))
        or exists (select from dealer_agreements where one = (select current_account()) and other = theirs.id)
      then theirs.phone end as phone
  from accounts theirs
  where theirs.is_demo = (select mine.is_demo from accounts mine where mine.id = (select current_account()));

-- Dealers with whom the account can do business now: both in the network, both of the same world, the other one not suspended. An account
-- that is not in the network itself, or a sandbox, has nobody here.
create view network_dealers as
  select theirs.id as account_id, theirs.name, theirs.city
  from accounts theirs
  where theirs.dealer_network and theirs.status = 'Aktif' and theirs.id <> (select current_account())
    and theirs.is_demo = (select mine.is_demo from accounts mine where mine.id = (select current_account()) and mine.dealer_network);

-- What may be seen of a car by others, whoever they are. Not granted: the two views below say which cars.
create view vehicle_cards as
  select vehicles.account_id, vehicles.id as vehicle_id, brand, model, model_year, km, fuel_type, transmission, body_type, color, city,
    price_minor, currency, condition::jsonb - 'expertise_document_id' as condition,
    (select coalesce(json_agg(json_build_object('url', photo.url, 'file_id', photo.file_id) order by photo."position"), '[]')
      from vehicle_photos photo where photo.account_id = vehicles.account_id and photo.vehicle_id = vehicles.id) as photos
  from vehicles;

-- The published cars of the network.
create view network_listings as
  select listings.account_id, listings.id, listings.title, listings.published_at, listings.created_at, card.vehicle_id, card.price_minor,
    card.currency, card.brand, card.model, card.model_year, card.km, card.fuel_type, card.transmission, card.body_type, card.color,
    card.city, card.condition, card.photos, dealer.name as seller_name, dealer.city as seller_city
  from listings
    join network_dealers dealer on dealer.account_id = listings.account_id
    join vehicle_cards card on card.account_id = listings.account_id and card.vehicle_id = listings.vehicle_id
  where listings.status = 'Yayında';

-- The cars that records name to which the account is a side, its own among them.
create view shown_cards as
  select card.* from vehicle_cards card
  where card.account_id = (select current_account())
    or exists (select from network_offers offer where offer.account_id = card.account_id and offer.vehicle_id = card.vehicle_id
      and offer.buyer_id = (select current_account()))
    or exists (select from trade_requests trade where trade.account_id = card.account_id and trade.requested_vehicle_id = card.vehicle_id
      and trade.requester_id = (select current_account()))
    or exists (select from trade_requests trade where trade.requester_id = card.account_id and trade.offered_vehicle_id = card.vehicle_id
      and trade.account_id = (select current_account()));

grant select on dealer_parties, network_dealers, network_listings, shown_cards to galeri_app;
