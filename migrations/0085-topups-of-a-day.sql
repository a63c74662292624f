-- Two administrators approve the top-ups of a wallet that exceed 50,000.00 in 24 hours together, not only a single one above it
-- (topup-decision.ts has the same rule). Until now the database checked single amounts, so that a large sum could be split.
create or replace function require_topup_second() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  approved_alone bigint;
begin
  if new.first_by is not null and not may_be_one_person(new.first_by, new.decided_by) or not has_two_administrators() then
    return new;
  end if;
  -- Locks the wallet, so that of two approvals at once the second counts the first.
  perform from wallets where account_id = new.account_id for no key update;
  select coalesce(sum(amount_minor), 0) into approved_alone from wallet_topups
    where account_id = new.account_id and id <> new.id and status = 'Onaylandı' and first_by is null and decided_by is not null
      and decided_at > new.decided_at - interval '24 hours';
  if new.amount_minor + approved_alone > 5000000 then
    raise exception 'this top-up needs two administrators' using errcode = '23514', constraint = 'wallet_topups_second_person';
  end if;
  return new;
end $$;
comment on function require_topup_second is 'The top-ups of a wallet above 50,000.00 TL in 24 hours need two administrators who cannot be one person.';

create or replace trigger second_administrator before insert or update on wallet_topups for each row
  when (new.status = 'Onaylandı' and new.decided_by is not null and not new.alone) execute function require_topup_second();
comment on table wallet_topups is 'Requests to load money into the wallet. Above 50,000.00 TL in 24 hours two administrators approve.';
