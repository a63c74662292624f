-- from: d91b9444f9a7328350c45d81e6ce0ff41eda9c404406e9c913342bc7eba0a331  0015-links-and-two-administrators.sql
-- to: 7bac632e40f0e4febd600b14c2c77147d5faec25704f212a5e4d4efdad51df10  0015-links-and-two-administrators.sql
alter table password_resets rename column account_id to made_as_owner_of;
alter table password_resets rename constraint password_resets_account_id_fkey to password_resets_made_as_owner_of_fkey;
drop index invitations_open;
create or replace function end_links_of_member() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  person people;
begin
  if new.person_id is not null then
    -- Whoever makes a link for this person at the same moment comes before or after, and sees it.
    select * into person from people where id = new.person_id for no key update;
    update password_resets set used_at = now() where used_at is null and made_by is not null
      and (person_id = new.person_id or (made_by = new.person_id and made_as_owner_of = new.account_id));
  end if;
  update invitations set revoked_at = now() where account_id = new.account_id and accepted_at is null and revoked_at is null
    and ((member_id = new.id and (new.person_id is not null or not new.active))
      or lower(email) = lower(person.email)
      or (invited_by = new.person_id and not (new.role = 'owner' and new.active) and not person.is_admin));
  return null;
end $$;
create or replace function end_links_of_account() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update password_resets set used_at = now() where used_at is null and made_as_owner_of = new.id;
  update invitations set revoked_at = now() where account_id = new.id and accepted_at is null and revoked_at is null;
  return null;
end $$;
revoke execute on function end_links_of_person, end_links_of_member, end_links_of_account from public;
