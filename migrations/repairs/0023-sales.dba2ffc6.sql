-- from: dba2ffc60e27d2408e2162227bb9a26674f9458e14be1f6af3f24363db23973e  0023-sales.sql
-- to: 793c9d3f8d04b10e98b06c44163d2015f0328cd70bbd59fce545aa80c5d8259e  0023-sales.sql
alter table sales
  add constraint sales_retained check (status <> 'İptal'
    or retained_amount_minor in (collected_amount_minor, collected_amount_minor + trade_in_amount_minor)),
  add constraint sales_party unique (account_id, id, customer_id, currency);
alter table installments drop constraint installments_account_id_sale_id_fkey,
  add constraint installments_sale foreign key (account_id, sale_id, customer_id, currency) references sales (account_id, id, customer_id, currency);
alter table collections drop constraint collections_account_id_sale_id_fkey,
  add constraint collections_party foreign key (account_id, sale_id, customer_id, sale_currency)
    references sales (account_id, id, customer_id, currency),
  add constraint collections_offset check (case when type = 'Mahsup' then method = 'Mahsup' and paired_id is not null
    when method = 'Mahsup' then type in ('Tahsilat', 'Ters Kayıt') and paired_id is not null else true end),
  add constraint collections_deposit_kept check (type <> 'Kapora' or (deposit_status is null) = (status = 'İptal Edildi'));
create unique index collections_one_refund on collections (account_id, sale_id) where type = 'İade' and sale_id is not null;
alter index payment_promises_sale rename to payment_promises_of_sale;
alter table payment_promises drop constraint payment_promises_account_id_sale_id_fkey,
  add constraint payment_promises_sale foreign key (account_id, sale_id, customer_id, currency)
    references sales (account_id, id, customer_id, currency);

revoke update on number_series, sales, payment_promises, installments from galeri_app;
revoke update (closed_through) on branches from galeri_app;
grant update (last) on number_series to galeri_app;
grant update (external_ref, guarantor_ids, salesperson_id, branch_id, sale_date, currency_exemption, sale_price_minor, trade_in_amount_minor,
  trade_in_vehicle_id, down_payment_minor, finance_charge_minor, late_rate_yearly_minor, yearly_rate_minor, delivery_due_on, delivered_at, notes,
  period, round_to, is_first_due_given, payment_type, status, collected_amount_minor, discounted_amount_minor, restructured_at, cancelled_at,
  cancel_reason, refunded_amount_minor, retained_amount_minor, title_status, title_on, title_place, title_reference, secure_payment_ref,
  lien_placed_on, lien_removed_on, invoice_no, invoice_ettn, invoice_on, legal_stage, updated_at) on sales to galeri_app;
grant update (installment_id, promised_date, amount_minor, fulfilled_amount_minor, status, note, staff_id, resolved_at, updated_at)
  on payment_promises to galeri_app;
grant update (kind, due_date, original_due_date, due_day, amount_minor, paid_amount_minor, discounted_amount_minor, status, paid_at,
  postpone_count, note, is_due_soon_told, is_overdue_told, updated_at) on installments to galeri_app;

create or replace function keep_collection() returns trigger language plpgsql as $$
begin
  if old.status = 'İptal Edildi' then
    raise exception 'a reversed collection does not change' using errcode = '23514', constraint = 'collections_kept';
  end if;
  -- A deposit ends once; it is open again only when the payment that it became is reversed.
  if old.deposit_status is distinct from new.deposit_status and old.deposit_status <> 'Açık'
    and not (old.deposit_status = 'Mahsup Edildi' and new.deposit_status = 'Açık') then
    raise exception 'a deposit that ended does not change' using errcode = '23514', constraint = 'collections_kept';
  end if;
  return new;
end $$;
create or replace function require_open_day() returns trigger language plpgsql security definer set search_path = public as $$
declare
  closed date;
begin
  select closed_through into closed from branches where account_id = new.account_id and id = new.branch_id for share;
  if new.collected_on <= closed then
    raise exception 'the till of that day is closed' using errcode = '23514', constraint = 'collections_open_day';
  end if;
  return new;
end $$;
create trigger collections_open_day before insert on collections
  for each row when (new.method <> 'Mahsup') execute function require_open_day();
create or replace function require_closed_days(of_account uuid, of_branch uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  if (select closed_through from branches where account_id = of_account and id = of_branch) is distinct from
    (select max(day) from till_closings where account_id = of_account and branch_id = of_branch and reopened_at is null) then
    raise exception 'a branch is closed by its closings only' using errcode = '23514', constraint = 'till_closings_days';
  end if;
end $$;
create or replace function check_closing() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_closed_days(new.account_id, new.branch_id); return null; end $$;
create or replace function check_branch_days() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_closed_days(new.account_id, new.id); return null; end $$;
create constraint trigger till_closings_days after insert or update on till_closings
  deferrable initially deferred for each row execute function check_closing();
create constraint trigger branches_closed_days after insert or update of closed_through on branches
  deferrable initially deferred for each row execute function check_branch_days();
create or replace function keep_closing() returns trigger language plpgsql as $$
begin
  raise exception 'a reopened day does not change' using errcode = '23514', constraint = 'till_closings_kept';
end $$;
create trigger till_closings_kept before update on till_closings for each row when (old.reopened_at is not null) execute function keep_closing();
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
create or replace function check_collection() returns trigger language plpgsql security definer set search_path = public
  as $$ begin
    perform require_allocated(new.account_id, new.id);
    if new.type = 'İade' and new.sale_id is not null then
      perform require_sale_sums(new.account_id, new.sale_id);
    end if;
    return null;
  end $$;
drop trigger collections_allocated on collections;
create constraint trigger collections_allocated after insert or update of status, reversed_by_id on collections
  deferrable initially deferred for each row execute function check_collection();
create or replace function check_deposits() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select from collections where account_id = new.account_id and vehicle_id = new.vehicle_id and customer_id = new.customer_id
    and sale_id is null and status = 'Geçerli' group by currency
    having coalesce(sum(amount_minor) filter (where deposit_status = 'İade Edildi' or type = 'İade'), 0) <> 0
      or coalesce(sum(amount_minor) filter (where deposit_status = 'Mahsup Edildi' or type = 'Mahsup'), 0) <> 0) then
    raise exception 'a deposit ends by the record of what became of it' using errcode = '23514', constraint = 'collections_deposits';
  end if;
  return null;
end $$;
create constraint trigger collections_deposits after insert or update of deposit_status, status on collections
  deferrable initially deferred for each row when (new.vehicle_id is not null) execute function check_deposits();
revoke execute on function check_deposits, require_open_day, require_closed_days, check_closing, check_branch_days, keep_closing from public;
