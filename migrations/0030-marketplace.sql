-- The marketplace: what consumers offer for a listing, how often it is looked at, and at which times it was live.

-- When a listing was «Yayında», for figures by day. Kept here, so that no way of changing its status can forget it.
alter table listings add column live tstzmultirange;
update listings set live = tstzmultirange(tstzrange(published_at,
  case status when 'Yayında' then null else greatest(published_at, coalesce(closed_at, updated_at)) end));
alter table listings alter column live set not null,
  add constraint listings_live check ((status = 'Yayında') = upper_inf(live));

create function keep_live_times() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.live := coalesce(new.live, tstzmultirange(tstzrange(new.published_at,
      case new.status when 'Yayında' then null else greatest(new.published_at, coalesce(new.closed_at, new.updated_at)) end)));
  elsif old.status = 'Kapandı' and new.status <> 'Kapandı' then
    raise exception 'a closed listing stays closed' using errcode = 'check_violation', constraint = 'listings_closed_is_final';
  elsif old.status = 'Yayında' and new.status <> 'Yayında' then
    new.live := old.live * tstzmultirange(tstzrange(null, new.updated_at));
  elsif old.status <> 'Yayında' and new.status = 'Yayında' then
    new.live := old.live + tstzmultirange(tstzrange(new.updated_at, null));
  end if;
  return new;
end $$;
create trigger keep_live_times before insert or update on listings for each row execute function keep_live_times();

-- The public site knows a listing by its id alone.
create index listings_id on listings (id);

create table marketplace_offers (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  listing_id uuid not null,
  vehicle_id uuid not null,
  buyer_name text not null check (length(buyer_name) between 1 and 120),
  buyer_phone text not null check (buyer_phone ~ '^\+[0-9]{7,15}$'),
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  message text check (length(message) between 1 and 500),
  status text not null default 'Beklemede'
    check (status in ('Beklemede', 'Kabul Edildi', 'Reddedildi', 'Süresi Doldu', 'Tamamlandı', 'Bozuldu')),
  expires_at timestamptz not null,
  responded_at timestamptz,
  reject_reason text check (length(reject_reason) between 1 and 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, listing_id) references listings (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  check ((responded_at is null) = (status in ('Beklemede', 'Süresi Doldu'))),
  check (reject_reason is null or status = 'Reddedildi')
);
create unique index marketplace_offers_one_agreed on marketplace_offers (account_id, vehicle_id) where status = 'Kabul Edildi';
create index marketplace_offers_listing on marketplace_offers (account_id, listing_id, amount_minor desc, created_at, id);
create index marketplace_offers_list on marketplace_offers (account_id, created_at desc, id desc);
create index marketplace_offers_open on marketplace_offers (account_id, expires_at) where status = 'Beklemede';
create index marketplace_offers_on_car on marketplace_offers (account_id, vehicle_id) where status = 'Beklemede';
create index marketplace_offers_phone on marketplace_offers (account_id, buyer_phone);
select raise_wall('marketplace_offers');
grant select, insert on marketplace_offers to galeri_app;
-- What was offered stays what it was; only its state moves, and a person's data can be erased.
grant update (status, responded_at, reject_reason, updated_at, buyer_name, buyer_phone, message) on marketplace_offers to galeri_app;

create function require_offer_move() returns trigger language plpgsql as $$
begin
  if old.status = new.status or (old.status = 'Beklemede' and new.status in ('Kabul Edildi', 'Reddedildi', 'Süresi Doldu'))
    or (old.status = 'Kabul Edildi' and new.status in ('Tamamlandı', 'Bozuldu')) then return new; end if;
  raise exception 'an offer does not go from % to %', old.status, new.status
    using errcode = 'check_violation', constraint = 'marketplace_offers_moves';
end $$;
create trigger require_offer_move before update of status on marketplace_offers for each row execute function require_offer_move();

-- Looks at a listing by day in the dealer's time. A listing that many look at is counted in several rows of a day, so that nobody waits
-- for anybody; the figures are their sums. Written by the platform alone, beside the dealer's writes and without disturbing them.
create table listing_visits (
  account_id uuid not null references data_sets (id),
  listing_id uuid not null,
  day date not null,
  slot smallint not null check (slot between 0 and 15),
  views bigint not null default 0 check (views >= 0),
  favorites bigint not null default 0 check (favorites >= 0),
  contacts bigint not null default 0 check (contacts >= 0),
  primary key (account_id, listing_id, day, slot),
  foreign key (account_id, listing_id) references listings (account_id, id)
);
create index listing_visits_day on listing_visits (account_id, day);
select raise_wall('listing_visits');
grant select, insert on listing_visits to galeri_app;

create policy platform on listing_visits to galeri_platform using (true) with check (true);
grant select, insert, update on listing_visits to galeri_platform;
create policy platform_finds on listings for select to galeri_platform using (true);
grant select (account_id, id, status) on listings to galeri_platform;
