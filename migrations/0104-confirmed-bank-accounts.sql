-- An administrator alone could direct the transfers of all dealers to any account. Once there are two administrators, an added account is
-- shown to dealers after a second one has confirmed it. Accounts that were added before the rule count as confirmed.
alter table platform_bank_accounts
  add column is_confirmed boolean not null default true,
  add column added_by uuid,
  add column confirmed_by uuid,
  add column alone boolean not null default false;
alter table platform_bank_accounts alter column is_confirmed set default false;
comment on column platform_bank_accounts.is_confirmed is 'Dealers see confirmed accounts only.';
comment on column platform_bank_accounts.alone is 'One administrator was enough: FOUR_EYES is off, or there was no other administrator.';
grant update (is_confirmed, confirmed_by) on platform_bank_accounts to galeri_platform;

create function require_bank_account_second() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not has_two_administrators() then
    return new;
  end if;
  if new.added_by is null or new.confirmed_by is null or may_be_one_person(new.added_by, new.confirmed_by)
      or not exists (select from people where id = new.confirmed_by and is_admin and disabled_at is null) then
    raise exception 'this bank account needs two administrators' using errcode = '23514',
      constraint = 'platform_bank_accounts_second_person';
  end if;
  return new;
end $$;
comment on function require_bank_account_second is 'Two administrators who cannot be one person confirm a bank account of the platform.';
revoke execute on function require_bank_account_second from public;

create trigger second_administrator before insert or update on platform_bank_accounts for each row
  when (new.is_confirmed and not new.alone) execute function require_bank_account_second();
