-- Writes that wait for nobody else: PostgreSQL lets one transaction with a NOTIFY commit at a time, so data sets are read by their
-- last writer's transaction instead (src/postgres/changes.ts).
alter table data_sets add column written_in xid8;
grant select (written_in) on data_sets to galeri_app, galeri_platform;
create function stamp_data_set() returns trigger language plpgsql as $$
begin
  new.written_in := pg_current_xact_id();
  return new;
end $$;
drop trigger tell on data_sets;
create trigger stamp before update of version, next_due_at on data_sets for each row execute function stamp_data_set();

-- The stored JSON of a list, the same bytes as before. A function in SQL is planned anew by every statement that writes a row; one in
-- plpgsql once for each connection.
create or replace function vehicle_json(id uuid, brand text, model text, model_year integer, km integer, fuel_type text, transmission text,
    body_type text, color text, plate text, city text, price_minor bigint, currency text, status text, is_marketplace_visible boolean,
    created_at timestamptz, updated_at timestamptz) returns text language plpgsql immutable parallel safe
  as $$ begin
    return concat('{"id":"', id, '","brand":', to_json(brand), ',"model":', to_json(model), ',"model_year":', model_year, ',"km":', km,
      ',"fuel_type":', to_json(fuel_type), ',"transmission":', to_json(transmission), ',"body_type":', to_json(body_type),
      ',"color":', to_json(color), ',"plate":', to_json(plate), ',"city":', to_json(city), ',"price":"', money_text(price_minor),
      '","currency":"', currency, '","status":', to_json(status), ',"is_marketplace_visible":', is_marketplace_visible::text,
      ',"created_at":"', utc_text(created_at), '","updated_at":"', utc_text(updated_at), '"}');
  end $$;
create or replace function customer_json(id uuid, first_name text, last_name text, phone text, email text, risk_level text,
    created_at timestamptz, updated_at timestamptz) returns text language plpgsql immutable parallel safe
  as $$ begin
    return concat('{"id":"', id, '","first_name":', to_json(first_name), ',"last_name":', to_json(last_name), ',"phone":', to_json(phone),
      ',"email":', coalesce(to_json(email)::text, 'null'), ',"risk_level":"', risk_level, '","created_at":"', utc_text(created_at),
      '","updated_at":"', utc_text(updated_at), '"}');
  end $$;

-- What a row of vehicles may hold, the same rules as before in one place. PostgreSQL reads every CHECK of a table anew for each statement
-- that writes it: twenty-four of them took an eighth of the time of adding a car, one function takes next to none.
create function vehicle_is_valid(brand text, model text, model_year integer, km integer, fuel_type text, transmission text,
    body_type text, color text, plate text, city text, price_minor bigint, currency text, status text, source text, external_ref text,
    purchase_price_minor bigint, purchase_currency text, customs_fee_minor bigint, other_costs_minor bigint, sold_via text,
    sold_price_minor bigint, sold_currency text) returns boolean language plpgsql immutable parallel safe
  as $$ begin
    return length(brand) between 1 and 80 and length(model) between 1 and 80 and model_year between 1950 and 2200
      and km between 0 and 2000000 and fuel_type in ('Benzin', 'Dizel', 'LPG', 'Benzin+LPG', 'Hibrit', 'Elektrik')
      and transmission in ('Manuel', 'Otomatik', 'Yarı Otomatik')
      and body_type in ('Sedan', 'Hatchback', 'SUV', 'Station Wagon', 'Coupe', 'Cabrio', 'Pick-up', 'Minivan', 'Panelvan', 'Diğer')
      and length(color) between 1 and 40 and length(plate) between 2 and 15 and length(city) between 1 and 60
      and price_minor > 0 and price_minor < 100000000000000 and currency in ('TL', 'STG', 'USD', 'EUR')
      and status in ('Stokta', 'Rezerve', 'Auction''da', 'Satıldı') and source in ('Satın Alma', 'Takas', 'Konsinye', 'İthalat')
      and length(external_ref) between 1 and 120
      and purchase_price_minor >= 0 and customs_fee_minor >= 0 and other_costs_minor >= 0
      and purchase_currency in ('TL', 'STG', 'USD', 'EUR') and sold_via in ('Satış', 'Harici')
      and sold_price_minor > 0 and sold_price_minor < 100000000000000 and sold_currency in ('TL', 'STG', 'USD', 'EUR');
  end $$;
do $$
declare
  one text;
begin
  for one in select conname from pg_constraint where conrelid = 'vehicles'::regclass and contype = 'c' loop
    execute format('alter table vehicles drop constraint %I', one);
  end loop;
end $$;
alter table vehicles add constraint vehicles_valid check (vehicle_is_valid(brand, model, model_year, km, fuel_type, transmission, body_type,
  color, plate, city, price_minor, currency, status, source, external_ref, purchase_price_minor, purchase_currency, customs_fee_minor,
  other_costs_minor, sold_via, sold_price_minor, sold_currency));

-- The car of a history entry has its data set already. Events and kept replies are written for the account of the transaction only
-- (row-level security), which exists: looking it up again locked its row once more for each of them.
alter table vehicle_history drop constraint vehicle_history_account_id_fkey;
alter table events drop constraint events_account_id_fkey;
alter table idempotency drop constraint idempotency_account_id_fkey;

-- Rows that come in the order of their time: what is older than a day is found by the block.
drop index events_age, idempotency_age;
create index events_age on events using brin (created_at);
create index idempotency_age on idempotency using brin (created_at);
-- Targets are ids: those of one dealer are found by the index over all.
drop index audit_log_target;
