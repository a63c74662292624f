-- An administrator adds an owner to a dealer only with the consent of an owner, or with a second administrator. The first owner of a dealer
-- needs neither, unless the address is an administrator's.
alter table invitations add column decision_id uuid;
-- A banner for one person; null: for the account.
alter table notices add column person_id uuid;

-- The second is an administrator or, for a new owner, an owner of the dealer.
create or replace function check_admin_decision() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.status in ('done', 'withdrawn') then
    raise exception 'a decision that has ended does not change' using errcode = '23514', constraint = 'admin_decisions_kept';
  end if;
  if new.status in ('approved', 'done') and not new.alone and new.second_by is not null then
    if may_be_one_person(new.first_by, new.second_by) then
      raise exception 'the second administrator may be the first' using errcode = '23514', constraint = 'admin_decisions_second_person';
    end if;
    if new.status = 'approved' and not exists (select from people p where p.id = new.second_by and p.disabled_at is null and (p.is_admin
        or (new.kind = 'owner_invitation' and exists (select from members m where m.account_id = new.dealer_id and m.person_id = p.id
          and m.role = 'owner' and m.active)))) then
      raise exception 'the second may not confirm this' using errcode = '23514', constraint = 'admin_decisions_second_right';
    end if;
  end if;
  return new;
end $$;

create function require_owner_decision() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  has_owner boolean;
begin
  -- Two invitations that are accepted at once come one after the other.
  perform from accounts where id = new.account_id for no key update;
  if exists (select from members m join people p on p.id = m.person_id where m.account_id = new.account_id and m.person_id = new.invited_by
      and m.role = 'owner' and m.active and p.disabled_at is null) then
    return new;
  end if;
  select exists (select from members m join people p on p.id = m.person_id where m.account_id = new.account_id and m.role = 'owner'
    and m.active and p.disabled_at is null) into has_owner;
  if tg_op = 'INSERT' and new.decision_id is not null then
    perform spend_decision(new.decision_id, 'owner_invitation', new.account_id, new.account_id, null,
      jsonb_build_object('email', new.email));
    if has_owner and exists (select from admin_decisions where id = new.decision_id and alone) then
      raise exception 'an owner of the dealer has to agree' using errcode = '23514', constraint = 'invitations_owner_consent';
    end if;
  elsif new.decision_id is null and (exists (select from members where account_id = new.account_id and role = 'owner' and person_id is not null)
      or exists (select from people where is_admin and lower(email) = lower(new.email))) then
    raise exception 'a new owner needs an owner or two administrators' using errcode = '23514', constraint = 'invitations_owner_consent';
  end if;
  return new;
end $$;
create trigger owner_decision before insert on invitations for each row when (new.role = 'owner') execute function require_owner_decision();
create trigger owner_decision_accepted before update of accepted_at on invitations for each row
  when (new.role = 'owner' and new.accepted_at is not null and old.accepted_at is null) execute function require_owner_decision();

revoke execute on function require_owner_decision from public;
