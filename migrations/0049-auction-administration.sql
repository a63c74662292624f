-- What a car is called, for administrators who decide on requests and order lots: the platform's role reads no vehicles.
create function car_named(owner uuid, vehicle uuid) returns text language sql stable security definer set search_path = public, pg_temp as $$
  select concat_ws(' ', model_year, brand, model) from vehicles where account_id = owner and id = vehicle $$;
revoke execute on function car_named(uuid, uuid) from public;
grant execute on function car_named(uuid, uuid) to galeri_platform;
