-- Writes that cost less (docs/decisions/0068-cheaper-writes.md). What they mean is as before.

-- An event is stored as it is up to what fits into a page. From 2 kB on its text was compressed, for a bid once for each side: a tenth of the
-- database's time, since a PostgreSQL without lz4 has only its slow way.
alter table events set (toast_tuple_target = 8160);

-- Written for the account of the transaction only (row-level security), which exists, as vehicles and customers are since 0020. Each names a
-- record of the same account besides, and two writes of a dealer no longer share a lock on the row that both raise at the end.
alter table sales drop constraint sales_account_id_fkey;
alter table installments drop constraint installments_account_id_fkey;
alter table collections drop constraint collections_account_id_fkey;
alter table collection_allocations drop constraint collection_allocations_account_id_fkey;
alter table customer_activity drop constraint customer_activity_account_id_fkey;

-- The sums that are compared at COMMIT: one statement each instead of two or three, and no change of role of their own, since the triggers that
-- call them, and nobody else may, have made it.
create or replace function require_sale_sums(of_account uuid, of_sale uuid) returns void language plpgsql as $$
declare
  is_wrong boolean;
begin
  select plan.amount <> total_receivable_minor or plan.down <> down_payment_minor
      or plan.paid <> collected_amount_minor + refunded_amount_minor or plan.discounted <> discounted_amount_minor
      or (status <> 'Aktif' and plan.open > 0) or (status <> 'İptal' and plan.cancelled > 0)
      or plan.strange > 0 or given_back.amount <> refunded_amount_minor
    into is_wrong
    from sales
    cross join lateral (select coalesce(sum(amount_minor), 0) as amount, coalesce(sum(amount_minor) filter (where seq = 0), 0) as down,
        coalesce(sum(paid_amount_minor), 0) as paid, coalesce(sum(installments.discounted_amount_minor), 0) as discounted,
        count(*) filter (where installments.status in ('Bekliyor', 'Kısmi Ödendi')) as open,
        count(*) filter (where installments.status = 'İptal') as cancelled, count(*) filter (where plan_id <> sales.plan_id) as strange
      from installments where account_id = of_account and sale_id = of_sale) plan
    cross join lateral (select coalesce(-sum(applied_amount_minor), 0) as amount
      from collections where account_id = of_account and sale_id = of_sale and type = 'İade') given_back
    where sales.account_id = of_account and sales.id = of_sale;
  if is_wrong then
    raise exception 'the rows of sale % do not add up to it', of_sale using errcode = '23514', constraint = 'sales_sums';
  end if;
end $$;

create or replace function require_row_allocations(of_account uuid, of_row uuid) returns void language plpgsql as $$
declare
  is_wrong boolean;
begin
  -- A row that was deleted since has no allocations: its foreign key would have refused.
  select parts.paid <> paid_amount_minor or parts.discounted <> discounted_amount_minor into is_wrong
    from installments
    cross join lateral (select coalesce(sum(amount_minor) filter (where not is_discount), 0) as paid,
        coalesce(sum(amount_minor) filter (where is_discount), 0) as discounted
      from collection_allocations where account_id = of_account and installment_id = of_row) parts
    where installments.account_id = of_account and installments.id = of_row;
  if is_wrong then
    raise exception 'installment % is not what was allocated to it', of_row using errcode = '23514', constraint = 'installments_allocated';
  end if;
end $$;

create or replace function require_allocated(of_account uuid, of_collection uuid) returns void language plpgsql as $$
declare
  made record;
  original collections;
begin
  select id, type, customer_id, sale_id, amount_minor, currency, applied_amount_minor, late_interest_amount_minor, exchange_rate, method, paired_id,
      reverses_id, reversed_by_id, parts.*
    into made
    from collections
    cross join lateral (select coalesce(sum(collection_allocations.amount_minor), 0) as allocated,
        count(*) filter (where sign(collection_allocations.amount_minor) <> sign(applied_amount_minor)) as strange,
        count(*) filter (where is_discount) as discounts, count(*) filter (where not is_discount) as payments
      from collection_allocations where account_id = of_account and collection_id = of_collection) parts
    where collections.account_id = of_account and collections.id = of_collection;
  if made.allocated <> (case when made.type = 'İade' then 0 else coalesce(made.applied_amount_minor, 0) end) or made.strange > 0
    or (made.type = 'Tahsilat' and made.discounts > 0) or (made.type = 'İndirim' and made.payments > 0) then
    raise exception 'the allocations of collection % do not add up to it', of_collection
      using errcode = '23514', constraint = 'collections_allocated';
  end if;
  if made.reversed_by_id is not null and not exists (
    select from collections where account_id = of_account and id = made.reversed_by_id and reverses_id = made.id) then
    raise exception 'collection % was not reversed', made.id using errcode = '23514', constraint = 'collections_exact_reversal';
  end if;
  if made.paired_id is not null and not exists (
    select from collections as other where account_id = of_account and id = made.paired_id and other.paired_id = made.id
      and (made.method is distinct from 'Mahsup' or (other.method = 'Mahsup' and other.currency = made.currency and other.amount_minor = -made.amount_minor))) then
    raise exception 'collection % is not one of a pair', made.id using errcode = '23514', constraint = 'collections_pair';
  end if;
  if made.type <> 'Ters Kayıt' then
    return;
  end if;
  select * into original from collections where account_id = of_account and id = made.reverses_id;
  if original.type in ('Ters Kayıt', 'İade') or original.reversed_by_id is distinct from made.id
    or (made.amount_minor, made.late_interest_amount_minor, made.currency, made.customer_id)
      <> (-original.amount_minor, -original.late_interest_amount_minor, original.currency, original.customer_id)
    or (made.applied_amount_minor, made.sale_id, made.exchange_rate, made.method)
      is distinct from (-original.applied_amount_minor, original.sale_id, original.exchange_rate, original.method)
    or exists (
      (select place, installment_id, is_discount, amount_minor from collection_allocations
        where account_id = of_account and collection_id = original.id)
      except (select place, installment_id, is_discount, -amount_minor from collection_allocations
        where account_id = of_account and collection_id = made.id))
    or made.discounts + made.payments <> (select count(*) from collection_allocations
      where account_id = of_account and collection_id = original.id) then
    raise exception 'collection % is not the exact reversal of %', made.id, original.id
      using errcode = '23514', constraint = 'collections_exact_reversal';
  end if;
end $$;
