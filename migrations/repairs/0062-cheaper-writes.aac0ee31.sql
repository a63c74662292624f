-- from: aac0ee313946eab945068293df5e41c69a42d24f01c82a50e35015530744f251  0062-cheaper-writes.sql
-- to: 92766f4cbf9d8e2c4e07f4302b4e328c3d59a445d1eb91b179b7ac1617d9828b  0062-cheaper-writes.sql
alter table sales add constraint sales_account_id_fkey foreign key (account_id) references data_sets (id);
alter table installments add constraint installments_account_id_fkey foreign key (account_id) references data_sets (id);
alter table collections add constraint collections_account_id_fkey foreign key (account_id) references data_sets (id);
alter table collection_allocations add constraint collection_allocations_account_id_fkey foreign key (account_id) references data_sets (id);
alter table customer_activity add constraint customer_activity_account_id_fkey foreign key (account_id) references data_sets (id);
create or replace function require_sale_sums(of_account uuid, of_sale uuid) returns void language plpgsql security definer set search_path = public as $$
declare
  sale record;
  plan record;
  refunded bigint;
begin
  select plan_id, status, total_receivable_minor, down_payment_minor, collected_amount_minor, discounted_amount_minor, refunded_amount_minor
    into sale from sales where account_id = of_account and id = of_sale;
  select coalesce(sum(amount_minor), 0) as amount, coalesce(sum(amount_minor) filter (where seq = 0), 0) as down,
    coalesce(sum(paid_amount_minor), 0) as paid, coalesce(sum(discounted_amount_minor), 0) as discounted,
    count(*) filter (where status in ('Bekliyor', 'Kısmi Ödendi')) as open, count(*) filter (where status = 'İptal') as cancelled,
    count(*) filter (where plan_id <> sale.plan_id) as strange
    into plan from installments where account_id = of_account and sale_id = of_sale;
  select coalesce(-sum(applied_amount_minor), 0) into refunded from collections
    where account_id = of_account and sale_id = of_sale and type = 'İade';
  if plan.amount <> sale.total_receivable_minor or plan.down <> sale.down_payment_minor
    or plan.paid <> sale.collected_amount_minor + sale.refunded_amount_minor or plan.discounted <> sale.discounted_amount_minor
    or (sale.status <> 'Aktif' and plan.open > 0) or (sale.status <> 'İptal' and plan.cancelled > 0)
    or plan.strange > 0 or refunded <> sale.refunded_amount_minor then
    raise exception 'the rows of sale % do not add up to it', of_sale using errcode = '23514', constraint = 'sales_sums';
  end if;
end $$;
create or replace function require_allocated(of_account uuid, of_collection uuid) returns void language plpgsql security definer set search_path = public as $$
declare
  made collections;
  original collections;
  allocated record;
begin
  select * into made from collections where account_id = of_account and id = of_collection;
  select coalesce(sum(amount_minor), 0) as amount, count(*) filter (where sign(amount_minor) <> sign(made.applied_amount_minor)) as strange,
    count(*) filter (where is_discount) as discounts, count(*) filter (where not is_discount) as payments
    into allocated from collection_allocations where account_id = of_account and collection_id = of_collection;
  if allocated.amount <> (case when made.type = 'İade' then 0 else coalesce(made.applied_amount_minor, 0) end) or allocated.strange > 0
    or (made.type = 'Tahsilat' and allocated.discounts > 0) or (made.type = 'İndirim' and allocated.payments > 0) then
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
    or allocated.discounts + allocated.payments <> (select count(*) from collection_allocations
      where account_id = of_account and collection_id = original.id) then
    raise exception 'collection % is not the exact reversal of %', made.id, original.id
      using errcode = '23514', constraint = 'collections_exact_reversal';
  end if;
end $$;
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
create or replace function check_plan() returns trigger language plpgsql security definer set search_path = public as $$
declare
  of_account uuid := coalesce(new.account_id, old.account_id);
  of_sale uuid := coalesce(new.sale_id, old.sale_id);
begin
  if not exists (select from sales where account_id = of_account and id = of_sale and xmin = pg_current_xact_id()::xid) then
    perform require_sale_sums(of_account, of_sale);
  end if;
  return null;
end $$;
drop trigger sales_sums on sales;
create constraint trigger sales_sums after insert or update on sales deferrable initially deferred for each row execute function check_sale();

create or replace function check_allocation() returns trigger language plpgsql security definer set search_path = public as $$
declare
  paid record;
begin
  select sale_id, xmin = pg_current_xact_id()::xid as is_written into paid from collections where account_id = new.account_id and id = new.collection_id;
  if not paid.is_written then
    perform require_allocated(new.account_id, new.collection_id);
  end if;
  if paid.sale_id is distinct from (select sale_id from installments where account_id = new.account_id and id = new.installment_id) then
    raise exception 'installment % is not of the sale that was paid', new.installment_id using errcode = '23514', constraint = 'installments_allocated';
  end if;
  perform require_row_allocations(new.account_id, new.installment_id);
  return null;
end $$;
drop trigger collections_allocated on collections;
create constraint trigger collections_allocated after insert or update on collections
  deferrable initially deferred for each row execute function check_collection();
