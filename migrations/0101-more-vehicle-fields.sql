-- Facts that buyers ask about, all optional, and the part of them that other dealers see on the card of a car.
alter table vehicles
  add column engine_cc integer,
  add column power_hp integer,
  add column drive text,
  add column steering text,
  add column doors integer,
  add column seats integer,
  add column owners integer,
  add column inspection_until date,
  add column equipment text,
  add column warranty text,
  add constraint vehicles_facts_valid check (
    engine_cc between 50 and 10000 and power_hp between 1 and 3000
    and drive in ('Önden', 'Arkadan', '4x4') and steering in ('Sol', 'Sağ')
    and doors between 2 and 6 and seats between 1 and 60 and owners between 0 and 20
    and length(equipment) between 2 and 10000 and length(warranty) between 1 and 200) not valid;

comment on column vehicles.engine_cc is 'Engine size in cubic centimetres.';
comment on column vehicles.power_hp is 'Power in horsepower.';
comment on column vehicles.drive is 'Driven wheels: front, rear or all four.';
comment on column vehicles.steering is 'Side of the steering wheel.';
comment on column vehicles.owners is 'Number of owners so far.';
comment on column vehicles.inspection_until is 'Last day of the roadworthiness inspection.';
comment on column vehicles.equipment is 'Equipment, as the JSON text of a list.';

create or replace view vehicle_cards as
  select vehicles.account_id, vehicles.id as vehicle_id, brand, model, model_year, km, fuel_type, transmission, body_type, color, city,
    price_minor, currency,
    -- A condition that was stored before this list existed has none.
    '{"locally_painted": []}'::jsonb || (condition::jsonb - 'expertise_document_id') as condition,
    (select coalesce(json_agg(json_build_object('url', photo.url, 'file_id', photo.file_id) order by photo."position"), '[]')
      from vehicle_photos photo where photo.account_id = vehicles.account_id and photo.vehicle_id = vehicles.id) as photos,
    engine_cc, power_hp, drive, steering, doors, seats, owners, inspection_until, equipment::jsonb as equipment, warranty
  from vehicles;

create or replace view network_listings as
  select listings.account_id, listings.id, listings.title, listings.published_at, listings.created_at, card.vehicle_id, card.price_minor,
    card.currency, card.brand, card.model, card.model_year, card.km, card.fuel_type, card.transmission, card.body_type, card.color,
    card.city, card.condition, card.photos, dealer.name as seller_name, dealer.city as seller_city,
    card.engine_cc, card.power_hp, card.drive, card.steering, card.doors, card.seats, card.owners, card.inspection_until,
    card.equipment, card.warranty
  from listings
    join network_dealers dealer on dealer.account_id = listings.account_id
    join vehicle_cards card on card.account_id = listings.account_id and card.vehicle_id = listings.vehicle_id
  where listings.status = 'Yayında';

create or replace view shown_cards as
  select card.* from vehicle_cards card
  where card.account_id = (select current_account())
    or exists (select from network_offers offer where offer.account_id = card.account_id and offer.vehicle_id = card.vehicle_id
      and offer.buyer_id = (select current_account()))
    or exists (select from trade_requests trade where trade.account_id = card.account_id and trade.requested_vehicle_id = card.vehicle_id
      and trade.requester_id = (select current_account()))
    or exists (select from trade_requests trade where trade.requester_id = card.account_id and trade.offered_vehicle_id = card.vehicle_id
      and trade.account_id = (select current_account()));

create or replace function card_of(owner uuid, vehicle uuid)
  returns json
  language plpgsql
  stable security definer
  set search_path = public, pg_temp
as $$
begin
  return (
    select row_to_json(card) from (
      select account_id, brand, model, model_year, km, fuel_type, transmission, body_type, color, city, engine_cc, power_hp, drive, steering,
        doors, seats, owners, inspection_until, equipment, warranty, photos, condition
      from vehicle_cards where account_id = owner and vehicle_id = vehicle and is_in_my_world(owner)) card);
end $$;
