-- Between the sides of an agreement a dealer who gave no phone number is shown with `phone: null`, not without the field.
create or replace function party_of(dealer uuid, with_phone boolean) returns json language plpgsql stable security definer
  set search_path = public, pg_temp as $$
begin
  return (select case when with_phone then json_build_object('account_id', id, 'name', name, 'city', city, 'phone', phone)
    else json_build_object('account_id', id, 'name', name, 'city', city) end
  from accounts where id = dealer);
end $$;
