-- What a row was allocated is added up without looking at the collections again: joined to them, a plan made while a dealer had few reads all
-- of the dealer's collections for every payment. Whose sale the money is, is asked of each allocation as it is made; none of the three changes.
create or replace function require_row_allocations(of_account uuid, of_row uuid) returns void language plpgsql security definer set search_path = public as $$
declare
  plan_row record;
  paid numeric;
  discounted numeric;
begin
  select paid_amount_minor, discounted_amount_minor into plan_row from installments where account_id = of_account and id = of_row;
  select coalesce(sum(amount_minor) filter (where not is_discount), 0), coalesce(sum(amount_minor) filter (where is_discount), 0)
    into paid, discounted from collection_allocations where account_id = of_account and installment_id = of_row;
  -- A row that was deleted since has no allocations: its foreign key would have refused.
  if paid <> plan_row.paid_amount_minor or discounted <> plan_row.discounted_amount_minor then
    raise exception 'installment % is not what was allocated to it', of_row using errcode = '23514', constraint = 'installments_allocated';
  end if;
end $$;
create or replace function check_allocation() returns trigger language plpgsql security definer set search_path = public
  as $$ begin
    perform require_allocated(new.account_id, new.collection_id);
    if (select sale_id from collections where account_id = new.account_id and id = new.collection_id) is distinct from
      (select sale_id from installments where account_id = new.account_id and id = new.installment_id) then
      raise exception 'installment % is not of the sale that was paid', new.installment_id using errcode = '23514', constraint = 'installments_allocated';
    end if;
    perform require_row_allocations(new.account_id, new.installment_id);
    return null;
  end $$;
