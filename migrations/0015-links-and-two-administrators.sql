-- Links that others hold end with the rights they were made by; what takes two administrators takes two people.

-- The account whose owner made it; null for a link of one's own and for one that an administrator made for another.
alter table password_resets add column made_as_owner_of uuid references accounts (id);
-- As whom the open ones were made is not known: they end now, a day early at most.
update password_resets set used_at = now() where used_at is null and made_by is not null;
create index password_resets_open on password_resets (made_by) where used_at is null;

-- Here and not in the code that changes people, members and accounts, so that no way of changing them can forget it. As definer:
-- a dealer's own door may change its staff, and reaches neither password_resets nor people.
create function end_links_of_person() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update password_resets set used_at = now() where used_at is null and (person_id = new.id or made_by = new.id);
  update invitations set revoked_at = now() where accepted_at is null and revoked_at is null
    and ((invited_by = new.id and (new.disabled_at is not null or new.is_admin <> old.is_admin))
      or (new.email <> old.email and lower(email) = lower(old.email)));
  return null;
end $$;
create trigger end_links after update of email, password_hash, is_admin, disabled_at on people for each row
  when ((old.email, old.password_hash, old.is_admin, old.disabled_at)
    is distinct from (new.email, new.password_hash, new.is_admin, new.disabled_at))
  execute function end_links_of_person();

create function end_links_of_member() returns trigger
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
create trigger end_links_joined after insert on members for each row when (new.person_id is not null)
  execute function end_links_of_member();
create trigger end_links_changed after update of role, active, person_id on members for each row
  when ((old.role, old.active, old.person_id) is distinct from (new.role, new.active, new.person_id))
  execute function end_links_of_member();

create function end_links_of_account() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update password_resets set used_at = now() where used_at is null and made_as_owner_of = new.id;
  update invitations set revoked_at = now() where account_id = new.id and accepted_at is null and revoked_at is null;
  return null;
end $$;
create trigger end_links after update of status on accounts for each row
  when (new.status = 'Askıda' and old.status <> new.status) execute function end_links_of_account();

revoke execute on function end_links_of_person, end_links_of_member, end_links_of_account from public;

-- Who held the link by which an administrator got in; null for one made on the command line. They may be one person.
alter table people add column admin_made_by uuid;
-- Who took an administrator out in the panel: four eyes stay in force, or one could remove the other and then decide alone.
alter table people add column disabled_by uuid;
update people set admin_made_by = (select a.person_id from audit_log a
  where a.action = 'admin.created' and a.target = people.id::text order by a.created_at desc limit 1) where is_admin;
update people set disabled_by = (select a.person_id from audit_log a
  where a.action = 'admin.removed' and a.target = people.id::text order by a.created_at desc limit 1) where is_admin and disabled_at is not null;

-- Whether two administrators may be one person: they are the same, one made the other, or both go back to the same one.
create function may_be_one_person(one uuid, other uuid) returns boolean language sql stable as $$
  with recursive makers (of, id) as (
    select given.id, given.id from unnest(array[one, other]) as given (id)
    union
    select makers.of, people.admin_made_by from makers join people on people.id = makers.id where people.admin_made_by is not null
  )
  select exists (select from makers a join makers b on a.id = b.id where a.of = one and b.of = other)
$$;

-- A high limit: the first administrator says how much, the second grants the same. `alone`: the setting FOUR_EYES was off, or there
-- was no other administrator.
alter table limit_requests
  add column first_by uuid,
  add column first_per_minute integer check (first_per_minute between 1 and 1000000),
  add column first_at timestamptz,
  add column alone boolean not null default false,
  add check ((first_by is null) = (first_per_minute is null) and (first_by is null) = (first_at is null));
update limit_requests set alone = true where status = 'approved' and granted_per_minute > 600;
update limit_requests r set first_by = asked_by, first_per_minute = asked_per_minute, first_at = created_at
  where status = 'pending' and asked_per_minute > 600 and exists (select from people p where p.id = r.asked_by and p.is_admin);
alter table limit_requests add constraint limit_requests_two_administrators check (coalesce(
  status <> 'approved' or granted_per_minute <= 600 or alone or (first_by <> decided_by and first_per_minute = granted_per_minute),
  false));

create function require_second_administrator() returns trigger language plpgsql as $$
begin
  if may_be_one_person(new.first_by, new.decided_by) then
    raise exception 'the second administrator may be the first' using errcode = 'check_violation',
      constraint = 'limit_requests_second_administrator';
  end if;
  return null;
end $$;
create trigger second_administrator after insert or update of status, first_by, decided_by on limit_requests for each row
  when (new.status = 'approved' and new.granted_per_minute > 600 and not new.alone)
  execute function require_second_administrator();

-- What administrators write there is not the dealer's to write.
revoke insert on limit_requests from galeri_app;
grant insert (account_id, id, key_id, asked_per_minute, reason, asked_by, created_at) on limit_requests to galeri_app;

create index sign_in_locks_failed on sign_in_locks (last_failed_at);
