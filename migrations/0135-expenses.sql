-- Expenses of cars and of the business, transfers of cash, expenses that recur, and a till that carries its amount over.
-- allow contract: the check of the series is replaced by a wider one in the same statement
alter table number_series drop constraint number_series_series_check,
  add constraint number_series_series_check check (series in ('S', 'T', 'N', 'G', 'V')) not valid;
comment on table number_series is
  'Last number of each series and year: S sales, T receipts, N promissory notes, G expenses, V transfers of cash.';

alter table accounts add column sales_expense_limit integer not null default 0
  check (sales_expense_limit between 0 and 10000000);
comment on column accounts.sales_expense_limit is
  'Largest expense of an own car that a salesperson may enter, in whole units of the default currency. 0: none.';
grant update (sales_expense_limit) on accounts to galeri_app;

create table recurring_expenses (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  category text not null check (category in ('Kira', 'Maaş', 'Yakıt', 'Vergi/SGK', 'İlan/reklam', 'Muhasebe', 'Diğer')),
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  branch_id uuid not null,
  method text not null check (method in ('Nakit', 'Havale/EFT', 'Kredi Kartı', 'Çek')),
  supplier text check (length(supplier) between 1 and 120),
  note text check (length(note) between 1 and 2000),
  day_of_month integer not null check (day_of_month between 1 and 31),
  until date,
  -- The day of the next proposal; null once it has ended.
  next_on date check (next_on <= until),
  created_by text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, branch_id) references branches (account_id, id)
);
comment on table recurring_expenses is 'Expenses that recur each month. On its day each is proposed; a person enters or skips it.';
create index recurring_expenses_due on recurring_expenses (account_id, next_on) where next_on is not null;
select raise_wall('recurring_expenses');
grant select, insert on recurring_expenses to galeri_app;
grant update (next_on) on recurring_expenses to galeri_app;

create table expenses (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  number bigint not null,
  expense_no text not null,
  kind text not null,
  category text not null,
  amount_minor bigint not null,
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  valued_currency text not null check (valued_currency in ('TL', 'STG', 'USD', 'EUR')),
  valued_amount_minor bigint,
  rate_pair text,
  exchange_rate numeric(18, 6) check (exchange_rate > 0),
  rate_date date,
  rate_source text check (rate_source in ('TCMB', 'KKTCMB', 'manuel', 'sandbox')),
  day date not null,
  branch_id uuid not null,
  method text not null check (method in ('Nakit', 'Havale/EFT', 'Kredi Kartı', 'Çek')),
  vehicle_id uuid,
  supplier text check (length(supplier) between 1 and 120),
  note text check (length(note) between 1 and 2000),
  file_id uuid,
  recurring_id uuid,
  recurring_on date,
  reverses_id uuid,
  reversal_reason text check (length(reversal_reason) between 3 and 500),
  created_by_id uuid,
  created_by text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint expenses_amount check (amount_minor <> 0 and abs(amount_minor) < 100000000000000
    and (amount_minor > 0) = (reverses_id is null)),
  constraint expenses_category check (
    kind = 'Araç' and category in ('Alış ödemesi', 'Takas farkı', 'Onarım', 'Boya', 'Gümrük', 'Ruhsat/koçan', 'Nakliye', 'Ekspertiz', 'Diğer')
    or kind = 'İşletme' and category in ('Kira', 'Maaş', 'Yakıt', 'Vergi/SGK', 'İlan/reklam', 'Muhasebe', 'Diğer')),
  constraint expenses_vehicle check ((kind = 'Araç') = (vehicle_id is not null)),
  constraint expenses_value check (
    case when currency = valued_currency then valued_amount_minor = amount_minor and exchange_rate is null
      else (valued_amount_minor is null) = (exchange_rate is null) end
    and (valued_amount_minor is null or valued_amount_minor = 0 or sign(valued_amount_minor) = sign(amount_minor))),
  constraint expenses_rate check (num_nonnulls(rate_pair, exchange_rate, rate_date, rate_source) in (0, 4)),
  constraint expenses_recurring check ((recurring_id is null) = (recurring_on is null)),
  constraint expenses_reversal check ((reverses_id is null) = (reversal_reason is null)),
  foreign key (account_id, branch_id) references branches (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, file_id) references stored_files (account_id, id),
  foreign key (account_id, recurring_id) references recurring_expenses (account_id, id),
  foreign key (account_id, reverses_id) references expenses (account_id, id),
  foreign key (account_id, created_by_id) references members (account_id, id)
);
comment on table expenses is 'Money paid for a car or for the business. A recorded row does not change; it is reversed by another row.';
comment on column expenses.valued_amount_minor is
  'Value in the currency of the car''s purchase or, for the business, of the account; null if the bank had no rate.';
comment on column expenses.number is 'Order of recording within the data set.';
create unique index expenses_number on expenses (account_id, expense_no);
create unique index expenses_one_reversal on expenses (account_id, reverses_id) where reverses_id is not null;
create unique index expenses_one_proposal on expenses (account_id, recurring_id, recurring_on) where reverses_id is null;
create index expenses_list on expenses (account_id, day desc, number desc, id desc);
create index expenses_walk on expenses (account_id, created_at desc, id desc);
create index expenses_vehicle on expenses (account_id, vehicle_id) where vehicle_id is not null;
create index expenses_cash on expenses (account_id, branch_id, day) where method = 'Nakit';
select raise_wall('expenses');
grant select, insert on expenses to galeri_app;
grant update (file_id) on expenses to galeri_app;

create function keep_expense() returns trigger language plpgsql as $$
begin
  if old.file_id is not null or new.file_id is null then
    raise exception 'an expense gets its receipt once' using errcode = '23514', constraint = 'expenses_kept';
  end if;
  return new;
end $$;
comment on function keep_expense is 'The receipt of an expense is added once; all else of it never changes.';
create trigger expenses_kept before update on expenses for each row execute function keep_expense();

-- The branch's row is shared with its other payments, so that the day cannot be closed before this one has committed.
create function require_open_till(of_account uuid, of_branch uuid, on_day date) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  closed date;
begin
  select closed_through into closed from branches where account_id = of_account and id = of_branch for share;
  if on_day <= closed then
    raise exception 'the till of that day is closed' using errcode = '23514', constraint = 'till_open_day';
  end if;
end $$;
comment on function require_open_till is 'Refuses money in or out of a till on a day that is closed.';
revoke execute on function require_open_till from public;

create function check_expense() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  original expenses;
begin
  if new.method = 'Nakit' then
    perform require_open_till(new.account_id, new.branch_id, new.day);
  end if;
  if new.reverses_id is null then
    return new;
  end if;
  select * into original from expenses where account_id = new.account_id and id = new.reverses_id;
  if original.reverses_id is not null or original.day > new.day
    or (original.amount_minor, original.currency, original.kind, original.category, original.branch_id, original.method, original.valued_currency)
      is distinct from (-new.amount_minor, new.currency, new.kind, new.category, new.branch_id, new.method, new.valued_currency)
    or (original.vehicle_id, -original.valued_amount_minor, original.exchange_rate, original.rate_date)
      is distinct from (new.vehicle_id, new.valued_amount_minor, new.exchange_rate, new.rate_date) then
    raise exception 'a reversal is the exact negative of an expense' using errcode = '23514', constraint = 'expenses_exact_reversal';
  end if;
  return new;
end $$;
comment on function check_expense is 'A cash expense needs an open day; a reversal is the exact negative of an expense that is no reversal.';
revoke execute on function check_expense from public;
create trigger expenses_checked before insert on expenses for each row execute function check_expense();

create table cash_transfers (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  number bigint not null,
  transfer_no text not null,
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  day date not null,
  from_place text not null check (from_place in ('Kasa', 'Banka', 'Çelik kasa')),
  from_branch_id uuid,
  to_place text not null check (to_place in ('Kasa', 'Banka', 'Çelik kasa')),
  to_branch_id uuid,
  note text check (length(note) between 1 and 2000),
  reverses_id uuid,
  reversal_reason text check (length(reversal_reason) between 3 and 500),
  created_by text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint cash_transfers_sides check ((from_place = 'Kasa') = (from_branch_id is not null) and (to_place = 'Kasa') = (to_branch_id is not null)
    and (from_branch_id is not null or to_branch_id is not null) and (from_place, from_branch_id) is distinct from (to_place, to_branch_id)),
  constraint cash_transfers_reversal check ((reverses_id is null) = (reversal_reason is null)),
  foreign key (account_id, from_branch_id) references branches (account_id, id),
  foreign key (account_id, to_branch_id) references branches (account_id, id),
  foreign key (account_id, reverses_id) references cash_transfers (account_id, id)
);
comment on table cash_transfers is
  'Cash that moved between a till and the bank, the safe or another till. Never changed: a reversal moves it back.';
create unique index cash_transfers_number on cash_transfers (account_id, transfer_no);
create unique index cash_transfers_one_reversal on cash_transfers (account_id, reverses_id) where reverses_id is not null;
create index cash_transfers_list on cash_transfers (account_id, day desc, number desc, id desc);
create index cash_transfers_from on cash_transfers (account_id, from_branch_id, day) where from_branch_id is not null;
create index cash_transfers_to on cash_transfers (account_id, to_branch_id, day) where to_branch_id is not null;
select raise_wall('cash_transfers');
grant select, insert on cash_transfers to galeri_app;

create function check_transfer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  original cash_transfers;
  till uuid;
begin
  -- In id order, as the service locks them.
  for till in select id from unnest(array[new.from_branch_id, new.to_branch_id]) as id where id is not null order by id loop
    perform require_open_till(new.account_id, till, new.day);
  end loop;
  if new.reverses_id is null then
    return new;
  end if;
  select * into original from cash_transfers where account_id = new.account_id and id = new.reverses_id;
  if original.reverses_id is not null or original.day > new.day
    or (original.amount_minor, original.currency, original.from_place, original.from_branch_id, original.to_place, original.to_branch_id)
      is distinct from (new.amount_minor, new.currency, new.to_place, new.to_branch_id, new.from_place, new.from_branch_id) then
    raise exception 'a reversal moves the exact amount back' using errcode = '23514', constraint = 'cash_transfers_exact_reversal';
  end if;
  return new;
end $$;
comment on function check_transfer is 'A transfer needs open days on both sides; a reversal moves the same amount the other way.';
revoke execute on function check_transfer from public;
create trigger cash_transfers_checked before insert on cash_transfers for each row execute function check_transfer();

-- What a closing states is what the records say: the last counted amount, what came in, what went out.
create function till_moved(of_account uuid, of_branch uuid, after_day date, through_day date)
  returns table (currency text, method text, cash_in bigint, cash_out bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select moved.currency, moved.method, coalesce(sum(amount) filter (where amount > 0), 0)::bigint, coalesce(-sum(amount) filter (where amount < 0), 0)::bigint
  from (
    select c.currency, c.method, c.amount_minor as amount, c.collected_on as day from collections c
      where c.account_id = of_account and c.branch_id = of_branch and c.method <> 'Mahsup'
    union all select e.currency, e.method, -e.amount_minor, e.day from expenses e
      where e.account_id = of_account and e.branch_id = of_branch and e.method = 'Nakit'
    union all select f.currency, 'Nakit', -f.amount_minor, f.day from cash_transfers f
      where f.account_id = of_account and f.from_branch_id = of_branch
    union all select t.currency, 'Nakit', t.amount_minor, t.day from cash_transfers t
      where t.account_id = of_account and t.to_branch_id = of_branch
  ) moved where day <= through_day and (after_day is null or day > after_day)
  group by moved.currency, moved.method
$$;
comment on function till_moved is 'Money in and out of a till between two days, by currency and method.';
revoke execute on function till_moved from public;

create function check_till_sums() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before till_closings;
begin
  -- Closings of earlier versions carried nothing over.
  if not exists (select from jsonb_array_elements(new.lines) line where line ? 'opening') then
    return null;
  end if;
  select * into before from till_closings where account_id = new.account_id and branch_id = new.branch_id and reopened_at is null
    and day < new.day order by day desc limit 1;
  if exists (
    select from
      (select line ->> 'currency' as currency, line ->> 'method' as method, (line ->> 'opening')::numeric as opening,
         (line ->> 'cash_in')::numeric as cash_in, (line ->> 'cash_out')::numeric as cash_out, (line ->> 'expected')::numeric as expected,
         (line ->> 'counted')::numeric as counted, (line ->> 'difference')::numeric as difference
       from jsonb_array_elements(new.lines) line) stated
      full join (
        select currency, method, sum(opening) as opening, sum(cash_in) as cash_in, sum(cash_out) as cash_out from (
          select currency, method, 0::numeric as opening, cash_in, cash_out from till_moved(new.account_id, new.branch_id, before.day, new.day)
          union all select line ->> 'currency', 'Nakit', (line ->> 'counted')::numeric * 100, 0, 0
            from jsonb_array_elements(before.lines) line where line ->> 'method' = 'Nakit') parts group by 1, 2) held
      using (currency, method)
    where (coalesce(stated.opening, 0) * 100, coalesce(stated.cash_in, 0) * 100, coalesce(stated.cash_out, 0) * 100)
        is distinct from (coalesce(held.opening, 0), coalesce(held.cash_in, 0), coalesce(held.cash_out, 0))
      or stated.expected <> stated.opening + stated.cash_in - stated.cash_out or stated.difference <> stated.counted - stated.expected
  ) then
    raise exception 'a closing states other amounts than the records' using errcode = '23514', constraint = 'till_closings_sums';
  end if;
  return null;
end $$;
comment on function check_till_sums is
  'A closing''s opening is the last counted amount, its sums are those of the records, its difference is counted less expected.';
revoke execute on function check_till_sums from public;
create constraint trigger till_closings_sums after insert on till_closings deferrable initially deferred
  for each row execute function check_till_sums();
