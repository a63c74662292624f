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
