-- Sales and their money: the sale with its terms, the rows of its plan, money received and forgiven, promises, the till's closed days.
-- What must never be wrong is held here as well as in the code: sums are compared at COMMIT, and money that was recorded is not edited.

-- Human numbers, `S-2026-00001`: by account, series and year, never given twice.
create table number_series (
  account_id uuid not null references data_sets (id),
  series text not null check (series in ('S', 'T', 'N')),
  year integer not null,
  last bigint not null check (last > 0),
  primary key (account_id, series, year)
);

create table sales (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  plan_id uuid not null,
  sale_no text not null,
  external_ref text check (length(external_ref) between 1 and 120),
  vehicle_id uuid not null,
  customer_id uuid not null,
  guarantor_ids uuid[] not null default '{}',
  salesperson_id uuid,
  branch_id uuid,
  sale_date date not null,
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  currency_exemption text check (length(currency_exemption) between 3 and 200),
  sale_price_minor bigint not null check (sale_price_minor > 0 and sale_price_minor < 100000000000000),
  trade_in_amount_minor bigint not null default 0 check (trade_in_amount_minor >= 0 and trade_in_amount_minor < 100000000000000),
  trade_in_vehicle_id uuid,
  down_payment_minor bigint not null default 0 check (down_payment_minor >= 0 and down_payment_minor < 100000000000000),
  finance_charge_minor bigint not null default 0 check (finance_charge_minor >= 0 and finance_charge_minor < 100000000000000),
  -- Percents are stored in hundredths, like money.
  late_rate_yearly_minor integer check (late_rate_yearly_minor between 0 and 20000),
  yearly_rate_minor integer check (yearly_rate_minor between 0 and 99999),
  delivery_due_on date,
  delivered_at date,
  notes text check (length(notes) between 1 and 5000),
  -- How the plan was asked for, so that an edit of one term keeps the others. No period: own rows, or none.
  period text check (period in ('Aylık', '15 Günlük', 'Haftalık')),
  round_to integer check (round_to in (1, 5, 10, 50, 100)),
  is_first_due_given boolean not null default false,
  payment_type text not null check (payment_type in ('Peşin', 'Taksitli')),
  status text not null default 'Aktif' check (status in ('Aktif', 'Tamamlandı', 'İptal')),
  total_receivable_minor bigint not null generated always as (sale_price_minor - trade_in_amount_minor + finance_charge_minor) stored
    check (total_receivable_minor >= 0 and total_receivable_minor < 100000000000000),
  financed_amount_minor bigint not null
    generated always as (sale_price_minor - trade_in_amount_minor + finance_charge_minor - down_payment_minor) stored
    check (financed_amount_minor >= 0),
  collected_amount_minor bigint not null default 0,
  discounted_amount_minor bigint not null default 0 check (discounted_amount_minor >= 0),
  restructured_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text check (length(cancel_reason) between 3 and 500),
  refunded_amount_minor bigint not null default 0 check (refunded_amount_minor >= 0),
  retained_amount_minor bigint not null default 0 check (retained_amount_minor >= 0),
  title_status text not null default 'Bekliyor' check (title_status in ('Bekliyor', 'Yapıldı')),
  title_on date,
  title_place text check (length(title_place) between 1 and 200),
  title_reference text check (length(title_reference) between 1 and 120),
  secure_payment_ref text check (length(secure_payment_ref) between 1 and 120),
  lien_placed_on date,
  lien_removed_on date,
  invoice_no text check (length(invoice_no) between 1 and 60),
  invoice_ettn uuid,
  invoice_on date,
  legal_stage text not null default 'Yok' check (legal_stage in ('Yok', 'İhtar', 'Avukatta', 'İcrada')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  -- Checked at COMMIT: the sale that names it is told of before the car is.
  foreign key (account_id, trade_in_vehicle_id) references vehicles (account_id, id) deferrable initially deferred,
  foreign key (account_id, salesperson_id) references members (account_id, id),
  foreign key (account_id, branch_id) references branches (account_id, id),
  constraint sales_collected check (status = 'İptal' or collected_amount_minor >= 0),
  constraint sales_not_above_total check (status = 'İptal' or collected_amount_minor + discounted_amount_minor <= total_receivable_minor),
  constraint sales_completed check (status = 'İptal'
    or (status = 'Tamamlandı') = (collected_amount_minor + discounted_amount_minor = total_receivable_minor)),
  constraint sales_cancelled check ((status = 'İptal') = (cancelled_at is not null) and (status = 'İptal') = (cancel_reason is not null)),
  constraint sales_refund check (status = 'İptal' or (refunded_amount_minor = 0 and retained_amount_minor = 0)),
  -- What was not given back stays, and a car that was taken in trade and kept.
  constraint sales_retained check (status <> 'İptal'
    or retained_amount_minor in (collected_amount_minor, collected_amount_minor + trade_in_amount_minor)),
  -- Its rows, money and promises name the same customer and currency.
  constraint sales_party unique (account_id, id, customer_id, currency),
  constraint sales_cash check (payment_type = 'Taksitli' or (finance_charge_minor = 0 and financed_amount_minor = 0)),
  constraint sales_title check (title_status = 'Yapıldı' or title_on is null),
  constraint sales_lien check (lien_removed_on is null or (lien_placed_on is not null and lien_removed_on >= lien_placed_on))
);
-- A car is sold once; a cancelled sale is out of the way.
create unique index sales_one_per_vehicle on sales (account_id, vehicle_id) where status <> 'İptal';
create unique index sales_no on sales (account_id, sale_no);
create unique index sales_plan on sales (account_id, plan_id);
create unique index sales_external_ref on sales (account_id, external_ref) where external_ref is not null;
create index sales_list on sales (account_id, sale_date desc, created_at desc, id desc);
create index sales_walk on sales (account_id, created_at desc, id desc);
create index sales_status on sales (account_id, status, sale_date desc, created_at desc, id desc);
create index sales_customer on sales (account_id, customer_id, sale_date desc, created_at desc, id desc);
create index sales_vehicle on sales (account_id, vehicle_id);
create index sales_trade_in on sales (account_id, trade_in_vehicle_id) where trade_in_vehicle_id is not null;

create table installments (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  sale_id uuid not null,
  plan_id uuid not null,
  customer_id uuid not null,
  seq integer not null check (seq >= 0),
  kind text not null check (kind in ('Peşinat', 'Taksit', 'Ara Ödeme')),
  due_date date not null,
  original_due_date date not null,
  -- The day of the month to which a postponement by months goes, in months that have it.
  due_day smallint not null check (due_day between 1 and 31),
  amount_minor bigint not null check (amount_minor >= 0 and amount_minor < 100000000000000),
  paid_amount_minor bigint not null default 0 check (paid_amount_minor >= 0),
  discounted_amount_minor bigint not null default 0 check (discounted_amount_minor >= 0),
  remaining_amount_minor bigint not null generated always as
    (case when status = 'İptal' then 0 else amount_minor - paid_amount_minor - discounted_amount_minor end) stored,
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  status text not null default 'Bekliyor' check (status in ('Bekliyor', 'Kısmi Ödendi', 'Ödendi', 'Yapılandırıldı', 'İptal')),
  paid_at date,
  postpone_count integer not null default 0 check (postpone_count >= 0),
  note text check (length(note) between 1 and 2000),
  -- Which of the two events about its day have been sent for the present due date.
  is_due_soon_told boolean not null default false,
  is_overdue_told boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint installments_sale foreign key (account_id, sale_id, customer_id, currency) references sales (account_id, id, customer_id, currency),
  constraint installments_kind check ((seq = 0) = (kind = 'Peşinat')),
  constraint installments_not_above_amount check (paid_amount_minor + discounted_amount_minor <= amount_minor),
  constraint installments_status check (case status
    when 'Bekliyor' then amount_minor > 0 and paid_amount_minor + discounted_amount_minor = 0
    when 'Kısmi Ödendi' then paid_amount_minor + discounted_amount_minor > 0 and paid_amount_minor + discounted_amount_minor < amount_minor
    when 'Ödendi' then amount_minor > 0 and paid_amount_minor + discounted_amount_minor = amount_minor
    when 'Yapılandırıldı' then amount_minor = 0
    else paid_amount_minor + discounted_amount_minor < amount_minor end),
  constraint installments_paid_at check ((status = 'Ödendi') = (paid_at is not null))
);
create unique index installments_seq on installments (account_id, sale_id, seq);
-- What is still to be paid, by when: overdue and upcoming rows, the calendar, what to announce. Paid and cancelled rows are not in it.
create index installments_open on installments (account_id, due_date, id) where status in ('Bekliyor', 'Kısmi Ödendi');
create index installments_walk on installments (account_id, created_at desc, id desc) where status in ('Bekliyor', 'Kısmi Ödendi');
create index installments_untold on installments (account_id, due_date)
  where status in ('Bekliyor', 'Kısmi Ödendi') and not (is_due_soon_told and is_overdue_told);
create index installments_customer on installments (account_id, customer_id, due_date, id);
create index installments_plan on installments (account_id, plan_id, seq);

create table collections (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  -- In the order of posting, which the clock and the id do not give within one write.
  number bigint not null,
  receipt_no text not null,
  type text not null check (type in ('Tahsilat', 'Kapora', 'Mahsup', 'İndirim', 'Ters Kayıt', 'İade')),
  status text not null default 'Geçerli' check (status in ('Geçerli', 'İptal Edildi')),
  sale_id uuid,
  customer_id uuid not null,
  branch_id uuid not null,
  amount_minor bigint not null check (amount_minor <> 0 and abs(amount_minor) < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  sale_currency text check (sale_currency in ('TL', 'STG', 'USD', 'EUR')),
  applied_amount_minor bigint,
  late_interest_amount_minor bigint not null default 0,
  rate_pair text,
  exchange_rate numeric(18,6) check (exchange_rate > 0),
  rate_date date,
  rate_source text check (rate_source in ('TCMB', 'KKTCMB', 'manuel')),
  method text check (method in ('Nakit', 'Havale/EFT', 'Kredi Kartı', 'Çek', 'Senet', 'Güvenli Ödeme', 'Diğer', 'Mahsup')),
  instrument_bank text check (length(instrument_bank) between 1 and 80),
  instrument_number text check (length(instrument_number) between 1 and 40),
  instrument_due_on date,
  reference text check (length(reference) between 1 and 200),
  collected_on date not null,
  collected_by_id uuid,
  note text check (length(note) between 1 and 2000),
  discount_reason text check (discount_reason in ('Erken Ödeme', 'Küsurat', 'Anlaşma', 'Silme')),
  paired_id uuid,
  reservation_id uuid,
  vehicle_id uuid,
  deposit_status text check (deposit_status in ('Açık', 'Mahsup Edildi', 'İade Edildi', 'Gelir')),
  deposit_closed_on date,
  reverses_id uuid,
  reversed_by_id uuid,
  reversal_reason text check (length(reversal_reason) between 3 and 500),
  reason_code text check (reason_code in ('Karşılıksız', 'Yanlış Kayıt', 'İade')),
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint collections_party foreign key (account_id, sale_id, customer_id, sale_currency)
    references sales (account_id, id, customer_id, currency),
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, branch_id) references branches (account_id, id),
  foreign key (account_id, collected_by_id) references members (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, reservation_id) references reservations (account_id, id) deferrable initially deferred,
  foreign key (account_id, reverses_id) references collections (account_id, id),
  foreign key (account_id, reversed_by_id) references collections (account_id, id) deferrable initially deferred,
  foreign key (account_id, paired_id) references collections (account_id, id) deferrable initially deferred,
  constraint collections_sign check (case type
    when 'Tahsilat' then amount_minor > 0 when 'Kapora' then amount_minor > 0 when 'İndirim' then amount_minor > 0
    when 'Mahsup' then amount_minor < 0 when 'İade' then amount_minor < 0 else true end),
  constraint collections_sale check (case when type in ('Tahsilat', 'İndirim') then sale_id is not null
    when type in ('Kapora', 'Mahsup') then sale_id is null and vehicle_id is not null else true end),
  constraint collections_applied check ((sale_id is null) = (applied_amount_minor is null) and (sale_id is null) = (sale_currency is null)),
  constraint collections_late_interest check (late_interest_amount_minor = 0
    or (sign(late_interest_amount_minor) = sign(amount_minor) and abs(late_interest_amount_minor) <= abs(amount_minor))),
  constraint collections_same_currency check (sale_id is null or currency <> sale_currency
    or (exchange_rate is null and amount_minor = applied_amount_minor + late_interest_amount_minor)),
  constraint collections_rate check ((exchange_rate is null) = (rate_pair is null) and (exchange_rate is null) = (rate_date is null)
    and (exchange_rate is null) = (rate_source is null) and (sale_id is null or (currency <> sale_currency) = (exchange_rate is not null))),
  constraint collections_method check ((method is null) = (type = 'İndirim' or (type = 'Ters Kayıt' and method is null))),
  constraint collections_instrument check ((instrument_bank is null) = (instrument_number is null)
    and (instrument_bank is null) = (instrument_due_on is null) and (instrument_bank is null or method = 'Çek')),
  -- What is set off is no till money: it stands beside the record it came from.
  constraint collections_offset check (case when type = 'Mahsup' then method = 'Mahsup' and paired_id is not null
    when method = 'Mahsup' then type in ('Tahsilat', 'Ters Kayıt') and paired_id is not null else true end),
  constraint collections_discount check ((discount_reason is not null) = (type = 'İndirim')),
  constraint collections_deposit check (type = 'Kapora' or (deposit_status is null and deposit_closed_on is null)),
  constraint collections_deposit_kept check (type <> 'Kapora' or (deposit_status is null) = (status = 'İptal Edildi')),
  constraint collections_deposit_closed check ((deposit_closed_on is not null) = (deposit_status is not null and deposit_status <> 'Açık')),
  constraint collections_reversal check ((type = 'Ters Kayıt') = (reverses_id is not null) and (type = 'Ters Kayıt') = (reversal_reason is not null)),
  constraint collections_reversed check ((status = 'İptal Edildi') = (reversed_by_id is not null))
);
create unique index collections_receipt on collections (account_id, receipt_no);
create unique index collections_one_reversal on collections (account_id, reverses_id) where reverses_id is not null;
create unique index collections_one_refund on collections (account_id, sale_id) where type = 'İade' and sale_id is not null;
create unique index collections_one_open_deposit on collections (account_id, vehicle_id) where deposit_status = 'Açık';
create index collections_list on collections (account_id, collected_on desc, number desc, id desc);
create index collections_walk on collections (account_id, created_at desc, id desc);
create index collections_sale on collections (account_id, sale_id, collected_on, number) where sale_id is not null;
create index collections_customer on collections (account_id, customer_id, collected_on desc, number desc, id desc);
create index collections_open_deposit on collections (account_id, customer_id) where deposit_status = 'Açık';
create index collections_vehicle on collections (account_id, vehicle_id) where vehicle_id is not null;

create table collection_allocations (
  account_id uuid not null references data_sets (id),
  collection_id uuid not null,
  place integer not null check (place > 0),
  installment_id uuid not null,
  -- What is forgiven fills a row like money but is counted apart.
  is_discount boolean not null,
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (account_id, collection_id, place),
  foreign key (account_id, collection_id) references collections (account_id, id),
  foreign key (account_id, installment_id) references installments (account_id, id)
);
create index collection_allocations_installment on collection_allocations (account_id, installment_id);

create table payment_promises (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  customer_id uuid not null,
  sale_id uuid not null,
  installment_id uuid,
  promised_date date not null,
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  fulfilled_amount_minor bigint not null default 0,
  status text not null default 'Bekliyor' check (status in ('Bekliyor', 'Tutuldu', 'Tutulmadı', 'İptal')),
  note text check (length(note) between 1 and 2000),
  staff_id uuid,
  resolved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint payment_promises_sale foreign key (account_id, sale_id, customer_id, currency)
    references sales (account_id, id, customer_id, currency),
  foreign key (account_id, installment_id) references installments (account_id, id),
  foreign key (account_id, staff_id) references members (account_id, id),
  constraint payment_promises_resolved check ((status = 'Bekliyor') = (resolved_at is null))
);
create unique index payment_promises_one_open on payment_promises (account_id, sale_id) where status = 'Bekliyor';
create index payment_promises_list on payment_promises (account_id, promised_date, created_at, id);
create index payment_promises_walk on payment_promises (account_id, created_at desc, id desc);
create index payment_promises_of_sale on payment_promises (account_id, sale_id, created_at);
create index payment_promises_customer on payment_promises (account_id, customer_id);

-- No till money is taken with a date on or before this one. Whoever takes money shares the branch's row, closing a day takes it alone.
alter table branches add column closed_through date;

create table till_closings (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  branch_id uuid not null,
  day date not null,
  -- By currency and method: what the records say, what was counted, the difference.
  lines jsonb not null,
  reason text check (length(reason) between 3 and 500),
  closed_by text not null,
  closed_at timestamptz not null,
  reopened_by text,
  reopened_at timestamptz,
  reopen_reason text check (length(reopen_reason) between 3 and 500),
  primary key (account_id, id),
  foreign key (account_id, branch_id) references branches (account_id, id),
  check ((reopened_at is null) = (reopen_reason is null) and (reopened_at is null) = (reopened_by is null))
);
create unique index till_closings_day on till_closings (account_id, branch_id, day) where reopened_at is null;

alter table tasks
  add foreign key (account_id, sale_id) references sales (account_id, id),
  add foreign key (account_id, installment_id) references installments (account_id, id);
create index tasks_sale on tasks (account_id, sale_id) where deleted_at is null and sale_id is not null;

select raise_wall(tenant::regclass) from unnest(array['number_series', 'sales', 'installments', 'collections', 'collection_allocations',
  'payment_promises', 'till_closings']) as tenant;
grant select, insert on number_series, sales, payment_promises to galeri_app;
grant update (last) on number_series to galeri_app;
-- Car, customer, currency, plan and number of a sale never change, nor whose rows and promises are.
grant update (external_ref, guarantor_ids, salesperson_id, branch_id, sale_date, currency_exemption, sale_price_minor, trade_in_amount_minor,
  trade_in_vehicle_id, down_payment_minor, finance_charge_minor, late_rate_yearly_minor, yearly_rate_minor, delivery_due_on, delivered_at, notes,
  period, round_to, is_first_due_given, payment_type, status, collected_amount_minor, discounted_amount_minor, restructured_at, cancelled_at,
  cancel_reason, refunded_amount_minor, retained_amount_minor, title_status, title_on, title_place, title_reference, secure_payment_ref,
  lien_placed_on, lien_removed_on, invoice_no, invoice_ettn, invoice_on, legal_stage, updated_at) on sales to galeri_app;
grant update (installment_id, promised_date, amount_minor, fulfilled_amount_minor, status, note, staff_id, resolved_at, updated_at)
  on payment_promises to galeri_app;
-- Rows of a plan are deleted only when unlocked terms are changed and the plan is built anew.
grant select, insert, delete on installments to galeri_app;
grant update (kind, due_date, original_due_date, due_day, amount_minor, paid_amount_minor, discounted_amount_minor, status, paid_at,
  postpone_count, note, is_due_soon_told, is_overdue_told, updated_at) on installments to galeri_app;
-- Recorded money is not edited: it is reversed once, and a deposit is closed.
grant select, insert on collections, collection_allocations to galeri_app;
grant update (status, reversed_by_id, deposit_status, deposit_closed_on) on collections to galeri_app;
grant select, insert on till_closings to galeri_app;
grant update (reopened_by, reopened_at, reopen_reason) on till_closings to galeri_app;

create function keep_collection() returns trigger language plpgsql as $$
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
create trigger collections_kept before update on collections for each row execute function keep_collection();

-- Whoever takes money shares the branch's row, so that a day is not closed meanwhile.
create function require_open_day() returns trigger language plpgsql security definer set search_path = public as $$
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

-- A branch is closed through the last day that was closed and not reopened; what was reopened stays so.
create function require_closed_days(of_account uuid, of_branch uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  if (select closed_through from branches where account_id = of_account and id = of_branch) is distinct from
    (select max(day) from till_closings where account_id = of_account and branch_id = of_branch and reopened_at is null) then
    raise exception 'a branch is closed by its closings only' using errcode = '23514', constraint = 'till_closings_days';
  end if;
end $$;
create function check_closing() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_closed_days(new.account_id, new.branch_id); return null; end $$;
create function check_branch_days() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_closed_days(new.account_id, new.id); return null; end $$;
create constraint trigger till_closings_days after insert or update on till_closings
  deferrable initially deferred for each row execute function check_closing();
create constraint trigger branches_closed_days after insert or update of closed_through on branches
  deferrable initially deferred for each row execute function check_branch_days();
create function keep_closing() returns trigger language plpgsql as $$
begin
  raise exception 'a reopened day does not change' using errcode = '23514', constraint = 'till_closings_kept';
end $$;
create trigger till_closings_kept before update on till_closings for each row when (old.reopened_at is not null) execute function keep_closing();

-- At COMMIT, as the owner and by the row's own account, so that it holds whichever dealer the transaction speaks for by then.
create function require_sale_sums(of_account uuid, of_sale uuid) returns void language plpgsql security definer set search_path = public as $$
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
create function check_sale() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_sale_sums(new.account_id, new.id); return null; end $$;
create function check_plan() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_sale_sums(coalesce(new.account_id, old.account_id), coalesce(new.sale_id, old.sale_id)); return null; end $$;
create constraint trigger sales_sums after insert or update of sale_price_minor, trade_in_amount_minor, finance_charge_minor,
  down_payment_minor, collected_amount_minor, discounted_amount_minor, refunded_amount_minor, status on sales
  deferrable initially deferred for each row execute function check_sale();
create constraint trigger installments_sums after insert or delete or update of amount_minor, paid_amount_minor,
  discounted_amount_minor, status, seq, sale_id on installments deferrable initially deferred for each row execute function check_plan();

-- A collection's allocations add up to what it applied to the sale, all to the same side; a reversal is the exact negative of its original,
-- and a collection is reversed by its own reversal; of a pair, each names the other.
create function require_allocated(of_account uuid, of_collection uuid) returns void language plpgsql security definer set search_path = public as $$
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
create function check_collection() returns trigger language plpgsql security definer set search_path = public
  as $$ begin
    perform require_allocated(new.account_id, new.id);
    if new.type = 'İade' and new.sale_id is not null then
      perform require_sale_sums(new.account_id, new.sale_id);
    end if;
    return null;
  end $$;
create constraint trigger collections_allocated after insert or update of status, reversed_by_id on collections
  deferrable initially deferred for each row execute function check_collection();

-- A deposit that was returned or became a payment left by a record of its own: of a car and a customer they add up to nothing.
create function check_deposits() returns trigger language plpgsql security definer set search_path = public as $$
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

-- What a row says is paid is what was allocated to it, and it is money of the row's own sale.
create function require_row_allocations(of_account uuid, of_row uuid) returns void language plpgsql security definer set search_path = public as $$
declare
  plan_row record;
  given record;
begin
  select sale_id, paid_amount_minor, discounted_amount_minor into plan_row from installments where account_id = of_account and id = of_row;
  select coalesce(sum(a.amount_minor) filter (where not a.is_discount), 0) as paid,
    coalesce(sum(a.amount_minor) filter (where a.is_discount), 0) as discounted,
    count(*) filter (where c.sale_id is distinct from plan_row.sale_id) as strange
    into given from collection_allocations a join collections c on c.account_id = a.account_id and c.id = a.collection_id
    where a.account_id = of_account and a.installment_id = of_row;
  -- A row that was deleted since has no allocations: its foreign key would have refused.
  if plan_row.sale_id is not null and (given.strange > 0
    or (given.paid, given.discounted) <> (plan_row.paid_amount_minor, plan_row.discounted_amount_minor)) then
    raise exception 'installment % is not what was allocated to it', of_row using errcode = '23514', constraint = 'installments_allocated';
  end if;
end $$;
create function check_row() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_row_allocations(new.account_id, new.id); return null; end $$;
create function check_allocation() returns trigger language plpgsql security definer set search_path = public
  as $$ begin
    perform require_allocated(new.account_id, new.collection_id);
    perform require_row_allocations(new.account_id, new.installment_id);
    return null;
  end $$;
create constraint trigger installments_allocated after update of paid_amount_minor, discounted_amount_minor on installments
  deferrable initially deferred for each row execute function check_row();
-- A new row is unpaid, whatever the statement that made it says.
create function new_row_is_unpaid() returns trigger language plpgsql as $$
begin
  if new.paid_amount_minor <> 0 or new.discounted_amount_minor <> 0 then
    raise exception 'a new installment is unpaid' using errcode = '23514', constraint = 'installments_new';
  end if;
  return new;
end $$;
create trigger installments_new before insert on installments for each row execute function new_row_is_unpaid();
create constraint trigger collection_allocations_sums after insert on collection_allocations
  deferrable initially deferred for each row execute function check_allocation();
revoke execute on function require_sale_sums, check_sale, check_plan, require_allocated, check_collection, check_deposits, require_row_allocations,
  check_row, check_allocation, new_row_is_unpaid, keep_collection, require_open_day, require_closed_days, check_closing, check_branch_days,
  keep_closing from public;

-- Deposits were figures on a reservation; they are money now. Those of cars that are still held become what reserving would have recorded
-- on that day: an open Kapora, in cash. What became of the others nobody wrote down; the car's history keeps their figures.
create temporary table taken on commit drop as
  select held.account_id, held.id, held.vehicle_id, held.customer_id, held.deposit_amount_minor, held.created_at, day,
    coalesce(held.deposit_currency, vehicles.currency) as currency, coalesce(vehicles.branch_id, main.id) as branch_id,
    extract(year from day)::integer as year,
    row_number() over (partition by held.account_id, extract(year from day) order by held.created_at, held.id) as number
  from reservations held
    join vehicles on vehicles.account_id = held.account_id and vehicles.id = held.vehicle_id
    join data_sets on data_sets.id = held.account_id
    join accounts on accounts.id = data_sets.account_id
    join branches main on main.account_id = held.account_id and main.is_main
    cross join lateral (select (held.created_at at time zone accounts.timezone)::date as day) on_day
  where held.status = 'Aktif' and held.customer_id is not null and held.deposit_amount_minor > 0;
insert into number_series (account_id, series, year, last) select account_id, 'T', year, max(number) from taken group by account_id, year;
insert into collections (account_id, id, number, receipt_no, type, customer_id, branch_id, amount_minor, currency, method, collected_on,
    reservation_id, vehicle_id, deposit_status, created_at)
  select account_id, gen_random_uuid(), year * 1000000000::bigint + number,
    'T-' || year || '-' || lpad(number::text, greatest(5, length(number::text)), '0'), 'Kapora', customer_id, branch_id, deposit_amount_minor, currency, 'Nakit', day,
    id, vehicle_id, 'Açık', created_at
  from taken;
-- Money is always somebody's: of a car held for nobody the figure stays as a note.
update reservations set note = left(concat_ws(E'\n', note, 'Kapora: ' || money_text(deposit_amount_minor) || ' ' || coalesce(deposit_currency, '')), 2000)
  where status = 'Aktif' and customer_id is null and deposit_amount_minor > 0;
update data_sets set version = version + 1 where id in (select account_id from taken);
set constraints all immediate;
alter table reservations drop column deposit_amount_minor, drop column deposit_currency;
