-- What a dealer has with the platform: the plan and its invoices, the prepaid wallet with its ledger, the boosts bought from it.
-- The ledger is double entry and only ever grows: sums are compared at COMMIT, and a mistake is set right by a reversing transaction.

-- What else a plan may limit, beside vehicles and listings (0005); null is without limit.
alter table accounts
  add column staff_limit integer check (staff_limit >= 0),
  add column branch_limit integer check (branch_limit >= 0),
  add column api_key_limit integer check (api_key_limit >= 0),
  add column monthly_request_limit integer check (monthly_request_limit >= 0);
grant update (vehicle_limit, listing_limit, staff_limit, branch_limit, api_key_limit, monthly_request_limit) on accounts to galeri_app;

-- One for each data set, made with it.
create table memberships (
  account_id uuid primary key references data_sets (id),
  id uuid not null,
  plan text not null default 'Kurumsal' check (plan in ('Başlangıç', 'Profesyonel', 'Kurumsal')),
  status text not null default 'Aktif' check (status in ('Deneme', 'Aktif', 'Gecikmiş', 'İptal')),
  period_start date not null,
  period_end date not null,
  price_minor bigint not null default 0 check (price_minor >= 0 and price_minor < 100000000000000),
  currency text not null default 'TL' check (currency = 'TL'),
  auto_renew boolean not null default true,
  -- The day on which it was last told that a limit is reached.
  limit_told_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint memberships_period check (period_end >= period_start)
);

-- The books' accounts. A wallet's has the id of its data set; those of the platform are shared by all dealers, so nothing of them is
-- ever changed and nobody waits for another there: what they come to is a sum.
create table ledger_accounts (
  id uuid primary key,
  code text not null unique,
  currency text not null check (currency = 'TL'),
  is_platform boolean not null,
  wallet_of uuid unique references data_sets (id) on delete cascade,
  constraint ledger_accounts_whose check (is_platform = (wallet_of is null) and (is_platform or id = wallet_of)),
  constraint ledger_accounts_code check (code = 'wallet:' || wallet_of or (is_platform and code like 'platform:%')),
  constraint ledger_accounts_kind unique (id, is_platform, currency)
);
insert into ledger_accounts (id, code, currency, is_platform) values
  ('00000000-0000-4000-a000-000000000001', 'platform:cash', 'TL', true),
  ('00000000-0000-4000-a000-000000000002', 'platform:boost_revenue', 'TL', true),
  ('00000000-0000-4000-a000-000000000003', 'platform:membership_revenue', 'TL', true),
  ('00000000-0000-4000-a000-000000000004', 'platform:adjustments', 'TL', true);

-- The balance is locked by whoever changes it and is never below zero.
create table wallets (
  account_id uuid primary key references data_sets (id),
  currency text not null default 'TL' check (currency = 'TL'),
  balance_minor bigint not null default 0,
  -- Of the newest transaction; they are numbered without gaps.
  last_number integer not null default 0 check (last_number >= 0),
  updated_at timestamptz not null,
  constraint wallets_not_below_zero check (balance_minor >= 0),
  constraint wallets_within check (balance_minor < 100000000000000)
);

create table wallet_transactions (
  account_id uuid not null references wallets (account_id),
  id uuid not null,
  number integer not null check (number > 0),
  type text not null check (type in ('Yükleme', 'Boost', 'Boost İadesi', 'Üyelik', 'Düzeltme')),
  amount_minor bigint not null check (amount_minor <> 0 and abs(amount_minor) < 100000000000000),
  currency text not null check (currency = 'TL'),
  balance_after_minor bigint not null check (balance_after_minor >= 0),
  reference_type text check (reference_type in ('topup_request', 'boost_order', 'membership_invoice')),
  reference_id uuid,
  reverses_id uuid,
  description text not null check (length(description) between 1 and 500),
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, reverses_id) references wallet_transactions (account_id, id),
  constraint wallet_transactions_sign check (case when type in ('Yükleme', 'Boost İadesi') then amount_minor > 0
    when type in ('Boost', 'Üyelik') then amount_minor < 0 else true end),
  constraint wallet_transactions_reference check ((reference_id is null) = (reference_type is null) and reference_type is not distinct from
    case type when 'Yükleme' then 'topup_request' when 'Boost' then 'boost_order' when 'Boost İadesi' then 'boost_order'
      when 'Üyelik' then 'membership_invoice' end),
  constraint wallet_transactions_reversal check ((type = 'Boost İadesi') = (reverses_id is not null))
);
create unique index wallet_transactions_number on wallet_transactions (account_id, number);
-- A request is loaded once, an order charged once and refunded once, an invoice paid once.
create unique index wallet_transactions_once on wallet_transactions (account_id, type, reference_id) where reference_id is not null;
create unique index wallet_transactions_one_reversal on wallet_transactions (account_id, reverses_id) where reverses_id is not null;
create index wallet_transactions_type on wallet_transactions (account_id, type, created_at);

create table ledger_entries (
  account_id uuid not null,
  transaction_id uuid not null,
  place smallint not null check (place > 0),
  ledger_account_id uuid not null,
  is_platform boolean not null,
  direction text not null check (direction in ('debit', 'credit')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  primary key (account_id, transaction_id, place),
  foreign key (account_id, transaction_id) references wallet_transactions (account_id, id),
  constraint ledger_entries_account foreign key (ledger_account_id, is_platform, currency) references ledger_accounts (id, is_platform, currency),
  -- Nobody posts to another dealer's wallet.
  constraint ledger_entries_whose check (is_platform or ledger_account_id = account_id)
);

create table wallet_topups (
  account_id uuid not null references wallets (account_id),
  id uuid not null,
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  currency text not null check (currency = 'TL'),
  method text not null check (method in ('Havale/EFT', 'Kredi Kartı')),
  reference text check (length(reference) between 1 and 120),
  note text check (length(note) between 1 and 2000),
  status text not null default 'Beklemede' check (status in ('Beklemede', 'Onaylandı', 'Reddedildi')),
  decision_note text check (length(decision_note) between 1 and 1000),
  decided_at timestamptz,
  transaction_id uuid,
  -- People of the panel; null for a key and for the command line.
  requested_by uuid,
  decided_by uuid,
  -- The first of two administrators, where a large sum needs both.
  first_by uuid,
  first_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, transaction_id) references wallet_transactions (account_id, id),
  constraint wallet_topups_decided check ((status = 'Beklemede') = (decided_at is null)),
  constraint wallet_topups_loaded check ((status = 'Onaylandı') = (transaction_id is not null)),
  -- Whoever asks does not grant, and two are two.
  constraint wallet_topups_not_by_asker check (status <> 'Onaylandı' or decided_by is distinct from requested_by or decided_by is null),
  constraint wallet_topups_two check (status <> 'Onaylandı' or first_by is null or first_by is distinct from decided_by)
);
create unique index wallet_topups_transaction on wallet_topups (account_id, transaction_id) where transaction_id is not null;
create index wallet_topups_list on wallet_topups (account_id, created_at desc, id desc);
create index wallet_topups_open on wallet_topups (account_id) where status = 'Beklemede';
-- For administrators, over every dealer.
create index wallet_topups_queue on wallet_topups (created_at desc, id desc);

create table membership_invoices (
  account_id uuid not null references memberships (account_id),
  id uuid not null,
  invoice_no text not null check (length(invoice_no) between 1 and 40),
  period_start date not null,
  period_end date not null,
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  -- Percents are stored in hundredths, like money.
  tax_rate_minor integer not null check (tax_rate_minor between 0 and 10000),
  tax_amount_minor bigint not null,
  total_minor bigint not null check (total_minor < 100000000000000),
  currency text not null default 'TL' check (currency = 'TL'),
  status text not null default 'Ödenmedi' check (status in ('Ödenmedi', 'Ödendi', 'İptal')),
  due_date date not null,
  paid_at timestamptz,
  -- Null for one that was paid outside the wallet.
  transaction_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, transaction_id) references wallet_transactions (account_id, id),
  constraint membership_invoices_period check (period_end >= period_start),
  -- Half up; both are above zero, so that the half is the half away from zero.
  constraint membership_invoices_tax check (tax_amount_minor = div(amount_minor::numeric * tax_rate_minor + 5000, 10000)),
  constraint membership_invoices_total check (total_minor = amount_minor + tax_amount_minor),
  constraint membership_invoices_paid check ((status = 'Ödendi') = (paid_at is not null) and (transaction_id is null or status = 'Ödendi'))
);
create unique index membership_invoices_no on membership_invoices (account_id, invoice_no);
create index membership_invoices_walk on membership_invoices (account_id, created_at desc, id desc);
create index membership_invoices_queue on membership_invoices (created_at desc, id desc);

create table boost_orders (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  listing_id uuid not null,
  vehicle_id uuid not null,
  package text not null check (length(package) between 1 and 40),
  kind text not null check (kind in ('Vitrin', 'Üst Sıra', 'Acil')),
  days integer not null check (days between 1 and 366),
  price_minor bigint not null check (price_minor > 0 and price_minor < 100000000000000),
  currency text not null check (currency = 'TL'),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status text not null check (status in ('Beklemede', 'Aktif', 'Tamamlandı', 'İptal')),
  charge_transaction_id uuid not null,
  refund_transaction_id uuid,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, listing_id) references listings (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  -- Checked at COMMIT: what is charged names the order, and the order what was charged.
  foreign key (account_id, charge_transaction_id) references wallet_transactions (account_id, id) deferrable initially deferred,
  foreign key (account_id, refund_transaction_id) references wallet_transactions (account_id, id) deferrable initially deferred,
  constraint boost_orders_span check (ends_at = starts_at + days * interval '24 hours'),
  constraint boost_orders_refund check ((status = 'İptal') = (refund_transaction_id is not null) and (status = 'İptal') = (cancelled_at is not null))
);
create unique index boost_orders_charge on boost_orders (account_id, charge_transaction_id);
create unique index boost_orders_refunded on boost_orders (account_id, refund_transaction_id) where refund_transaction_id is not null;
create index boost_orders_list on boost_orders (account_id, created_at desc, id desc);
create index boost_orders_listing on boost_orders (account_id, listing_id, kind) where status <> 'İptal';
create index boost_orders_vehicle on boost_orders (account_id, vehicle_id);
-- What the clock starts and ends next.
create index boost_orders_waiting on boost_orders (account_id, starts_at) where status = 'Beklemede';
create index boost_orders_running on boost_orders (account_id, ends_at) where status = 'Aktif';

-- How the last proof of the books went; one row, for the metrics and the administrators.
create table ledger_proofs (
  only_one boolean primary key default true check (only_one),
  proved_at timestamptz not null,
  imbalance_minor bigint not null check (imbalance_minor >= 0),
  entries bigint not null,
  -- What did not agree, in words for people.
  found jsonb not null default '[]'
);

select raise_wall(tenant::regclass) from unnest(array['memberships', 'membership_invoices', 'wallets', 'wallet_transactions', 'ledger_entries',
  'wallet_topups', 'boost_orders']) as tenant;
-- Administrators read the books of all; they write through the dealer's own door like everyone.
do $$
declare
  shared text;
begin
  foreach shared in array array['memberships', 'membership_invoices', 'wallets', 'wallet_transactions', 'ledger_entries', 'wallet_topups'] loop
    execute format('create policy platform on %I for select to galeri_platform using (true)', shared);
    execute format('grant select on %I to galeri_platform', shared);
  end loop;
  foreach shared in array array['ledger_accounts', 'ledger_proofs'] loop
    execute format('alter table %I enable row level security', shared);
    execute format('alter table %I force row level security', shared);
    execute format('create policy platform on %I to galeri_platform using (true) with check (true)', shared);
    execute format('create policy owner on %I to %I using (true) with check (true)', shared, current_user);
  end loop;
end $$;
grant select on ledger_accounts to galeri_platform;
grant select, insert, update on ledger_proofs to galeri_platform;

grant select on memberships, wallets to galeri_app;
grant update (plan, status, period_start, period_end, price_minor, auto_renew, limit_told_on, updated_at) on memberships to galeri_app;
grant update (balance_minor, last_number, updated_at) on wallets to galeri_app;
-- Nothing that was posted is edited or deleted.
grant select, insert on wallet_transactions, ledger_entries to galeri_app;
grant select, insert on wallet_topups, membership_invoices, boost_orders to galeri_app;
grant update (status, decision_note, decided_at, transaction_id, decided_by, first_by, first_at, updated_at) on wallet_topups to galeri_app;
grant update (status, paid_at, transaction_id, updated_at) on membership_invoices to galeri_app;
grant update (status, refund_transaction_id, cancelled_at, updated_at) on boost_orders to galeri_app;

-- Every data set has a plan and a wallet, however it is made.
create function open_wallet() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into memberships (account_id, id, period_start, period_end, created_at, updated_at)
    values (new.id, gen_random_uuid(), new.created_at::date, (new.created_at + interval '1 year')::date - 1, new.created_at, new.created_at);
  insert into ledger_accounts (id, code, currency, is_platform, wallet_of) values (new.id, 'wallet:' || new.id, 'TL', false, new.id);
  insert into wallets (account_id, updated_at) values (new.id, new.created_at);
  return null;
end $$;
create trigger open_wallet after insert on data_sets for each row execute function open_wallet();
insert into memberships (account_id, id, period_start, period_end, created_at, updated_at)
  select id, gen_random_uuid(), created_at::date, (created_at + interval '1 year')::date - 1, created_at, created_at from data_sets;
insert into ledger_accounts (id, code, currency, is_platform, wallet_of) select id, 'wallet:' || id, 'TL', false, id from data_sets;
insert into wallets (account_id, updated_at) select id, created_at from data_sets;

-- A transaction balances, and its wallet has exactly what the dealer is shown.
create function require_balanced(of_account uuid, of_transaction uuid) returns void language plpgsql security definer set search_path = public as $$
declare
  shown record;
  books record;
begin
  select amount_minor, currency into shown from wallet_transactions where account_id = of_account and id = of_transaction;
  select count(*) as entries, coalesce(sum(case direction when 'debit' then amount_minor else -amount_minor end), 0) as difference,
    coalesce(sum(case direction when 'credit' then amount_minor else -amount_minor end) filter (where ledger_account_id = of_account), 0) as wallet,
    count(*) filter (where currency <> shown.currency) as strange
    into books from ledger_entries where account_id = of_account and transaction_id = of_transaction;
  if books.entries < 2 or books.difference <> 0 or books.wallet <> shown.amount_minor or books.strange > 0 then
    raise exception 'the entries of a transaction do not balance' using errcode = '23514', constraint = 'ledger_balanced';
  end if;
end $$;
create function check_entry() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_balanced(new.account_id, new.transaction_id); return null; end $$;
create constraint trigger ledger_entries_balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function check_entry();

-- From transaction to transaction without a gap, and the newest says what the wallet holds.
create function check_transaction() returns trigger language plpgsql security definer set search_path = public as $$
declare
  before bigint;
begin
  perform require_balanced(new.account_id, new.id);
  select balance_after_minor into before from wallet_transactions where account_id = new.account_id and number = new.number - 1;
  if new.balance_after_minor <> coalesce(before, 0) + new.amount_minor or (before is null and new.number > 1) then
    raise exception 'a transaction does not follow from the one before' using errcode = '23514', constraint = 'wallet_transactions_chain';
  end if;
  if not exists (select from wallets where account_id = new.account_id and last_number >= new.number) then
    raise exception 'the wallet does not know of a transaction' using errcode = '23514', constraint = 'wallets_newest';
  end if;
  return null;
end $$;
create constraint trigger wallet_transactions_chain after insert on wallet_transactions
  deferrable initially deferred for each row execute function check_transaction();
create function check_wallet() returns trigger language plpgsql security definer set search_path = public as $$
declare
  wallet record;
begin
  select balance_minor, last_number into wallet from wallets where account_id = new.account_id;
  if wallet.last_number <> coalesce((select max(number) from wallet_transactions where account_id = new.account_id), 0)
    or wallet.balance_minor <> coalesce((select balance_after_minor from wallet_transactions
      where account_id = new.account_id and number = wallet.last_number), 0) then
    raise exception 'a wallet holds what its newest transaction says' using errcode = '23514', constraint = 'wallets_newest';
  end if;
  return null;
end $$;
create constraint trigger wallets_newest after update on wallets
  deferrable initially deferred for each row execute function check_wallet();

-- What is decided, paid or over does not change.
create function keep_decided() returns trigger language plpgsql as $$
begin
  if old.status <> 'Beklemede' then
    raise exception 'a decided top-up does not change' using errcode = '23514', constraint = 'wallet_topups_kept';
  end if;
  return new;
end $$;
create trigger wallet_topups_kept before update on wallet_topups for each row execute function keep_decided();
create function keep_invoice() returns trigger language plpgsql as $$
begin
  if old.status <> 'Ödenmedi' then
    raise exception 'a settled invoice does not change' using errcode = '23514', constraint = 'membership_invoices_kept';
  end if;
  return new;
end $$;
create trigger membership_invoices_kept before update on membership_invoices for each row execute function keep_invoice();
create function keep_boost_order() returns trigger language plpgsql as $$
begin
  if old.status in ('Tamamlandı', 'İptal') or (old.status = 'Aktif' and new.status not in ('Aktif', 'Tamamlandı'))
    or (old.status = 'Beklemede' and new.status = 'Tamamlandı') then
    raise exception 'a boost does not go back' using errcode = '23514', constraint = 'boost_orders_kept';
  end if;
  return new;
end $$;
create trigger boost_orders_kept before update on boost_orders for each row execute function keep_boost_order();

-- No two boosts of a kind on one listing at a time. The listing is locked, so that two at once come one after the other. An EXCLUDE
-- constraint would need an extension that not every server has.
create function require_free_span() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform from listings where account_id = new.account_id and id = new.listing_id for no key update;
  if exists (select from boost_orders where account_id = new.account_id and listing_id = new.listing_id and kind = new.kind and status <> 'İptal'
    and id <> new.id and starts_at < new.ends_at and ends_at > new.starts_at) then
    raise exception 'another boost of this kind covers the time' using errcode = '23P01', constraint = 'boost_orders_no_overlap';
  end if;
  return null;
end $$;
create trigger boost_orders_no_overlap after insert on boost_orders for each row execute function require_free_span();

revoke execute on function open_wallet, require_balanced, check_entry, check_transaction, check_wallet, keep_decided, keep_invoice,
  keep_boost_order, require_free_span from public;
