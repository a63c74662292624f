-- Promissory notes (senet): one paper for each installment, registered to the dealer's name. What is printed on a paper never changes;
-- where the paper is, does.
create table promissory_notes (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  note_no text not null,
  sale_id uuid not null,
  -- A cancelled note may outlive its row: terms that are unlocked again build the plan anew.
  installment_id uuid not null,
  customer_id uuid not null,
  guarantor_ids uuid[] not null default '{}',
  payee_name text not null check (length(payee_name) between 1 and 200),
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  amount_in_words text not null check (length(amount_in_words) between 1 and 300),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  issue_date date not null,
  issue_place text not null check (length(issue_place) between 1 and 120),
  due_date date not null,
  payment_place text not null check (length(payment_place) between 1 and 120),
  status text not null default 'Portföyde' check (status in
    ('Portföyde', 'Bankada', 'Teminatta', 'Devredildi', 'Protestolu', 'Avukatta', 'Tahsil Edildi', 'İade Edildi', 'İptal')),
  -- Where it was when its row was paid, and where it is again when the payment is taken back.
  previous_status text check (previous_status in ('Portföyde', 'Bankada', 'Teminatta', 'Devredildi', 'Protestolu', 'Avukatta')),
  -- What its row had received before it was written; what it brought in is fixed once it is no longer live.
  paid_at_issue_minor bigint not null check (paid_at_issue_minor >= 0),
  collected_amount_minor bigint check (collected_amount_minor >= 0),
  transferred_to text check (length(transferred_to) between 1 and 200),
  lawyer text check (length(lawyer) between 1 and 200),
  protest_date date,
  bank_name text check (length(bank_name) between 1 and 120),
  returned_on date,
  printed_at timestamptz,
  note text check (length(note) between 1 and 2000),
  -- The paper as it was last drawn, and a hash of what is on it: drawn anew only when that is another.
  file_id uuid,
  drawn_from bytea check (length(drawn_from) = 32),
  -- A live note is the only one of its row.
  live_installment_id uuid generated always as
    (case when status in ('İptal', 'İade Edildi') then null else installment_id end) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint promissory_notes_installment unique (account_id, live_installment_id),
  constraint promissory_notes_sale foreign key (account_id, sale_id, customer_id, currency)
    references sales (account_id, id, customer_id, currency),
  constraint promissory_notes_row foreign key (account_id, live_installment_id) references installments (account_id, id),
  foreign key (account_id, file_id) references stored_files (account_id, id),
  constraint promissory_notes_drawn check ((file_id is null) = (drawn_from is null)),
  constraint promissory_notes_collected check ((collected_amount_minor is null) = (status not in ('İptal', 'İade Edildi'))),
  constraint promissory_notes_previous check (status not in ('Tahsil Edildi', 'İade Edildi') or previous_status is not null),
  -- Whoever has it is known.
  constraint promissory_notes_holder check (case coalesce(case when status = 'Tahsil Edildi' then previous_status end, status)
    when 'Bankada' then bank_name is not null when 'Teminatta' then bank_name is not null
    when 'Devredildi' then transferred_to is not null when 'Avukatta' then lawyer is not null
    when 'Protestolu' then protest_date is not null and protest_date > due_date
    when 'İade Edildi' then returned_on is not null else true end)
);
create unique index promissory_notes_no on promissory_notes (account_id, note_no);
create index promissory_notes_of_sale on promissory_notes (account_id, sale_id, due_date, id);
create index promissory_notes_list on promissory_notes (account_id, due_date, id);
create index promissory_notes_walk on promissory_notes (account_id, created_at desc, id desc);
create index promissory_notes_status on promissory_notes (account_id, status, due_date, id);
create index promissory_notes_customer on promissory_notes (account_id, customer_id, due_date, id);
-- Looked up whenever a file's row is cleared away, to see that no note has it.
create index promissory_notes_file on promissory_notes (account_id, file_id) where file_id is not null;

select raise_wall('promissory_notes');
grant select, insert on promissory_notes to galeri_app;
-- Number, parties, sums, days and the place of issue stand on the paper for good.
grant update (payment_place, status, previous_status, collected_amount_minor, transferred_to, lawyer, protest_date, bank_name, returned_on,
  printed_at, note, file_id, drawn_from, updated_at) on promissory_notes to galeri_app;

-- A note is written for what its row still owes, to its customer, in its currency, due on its day.
create function new_note_is_of_its_row() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.status <> 'Portföyde' or not exists (select from installments where account_id = new.account_id and id = new.installment_id
    and sale_id = new.sale_id and seq > 0 and status in ('Bekliyor', 'Kısmi Ödendi')
    and (remaining_amount_minor, paid_amount_minor, due_date) = (new.amount_minor, new.paid_at_issue_minor, new.due_date)) then
    raise exception 'a note is written for what its installment owes' using errcode = '23514', constraint = 'promissory_notes_new';
  end if;
  return new;
end $$;
create trigger promissory_notes_new before insert on promissory_notes for each row execute function new_note_is_of_its_row();

-- The end of a note is final, a paper is handed back only after it was paid, and what is with another is not cancelled. It is printed
-- as an original once; the place of payment is as printed once it has left the drawer.
create function keep_note() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and (old.status in ('İptal', 'İade Edildi')
    or (new.status = 'İade Edildi' and old.status <> 'Tahsil Edildi')
    or (new.status = 'İptal' and old.status in ('Devredildi', 'Teminatta'))
    or (new.status = 'Tahsil Edildi' and new.previous_status is distinct from old.status)
    or (old.status = 'Tahsil Edildi' and new.status not in ('İade Edildi', 'İptal', old.previous_status))) then
    raise exception 'a note does not go from % to %', old.status, new.status using errcode = '23514', constraint = 'promissory_notes_kept';
  end if;
  if (old.printed_at is not null and new.printed_at is distinct from old.printed_at)
    or (new.payment_place <> old.payment_place and old.status <> 'Portföyde')
    or (old.collected_amount_minor is not null and new.collected_amount_minor is distinct from old.collected_amount_minor) then
    raise exception 'a note keeps what it was printed with' using errcode = '23514', constraint = 'promissory_notes_kept';
  end if;
  return new;
end $$;
create trigger promissory_notes_kept before update on promissory_notes for each row execute function keep_note();

-- At COMMIT: a live note is paid when its row is, and stands on no row that was cancelled or restructured.
create function require_note_of_row(of_account uuid, of_row uuid) returns void language plpgsql security definer set search_path = public as $$
declare
  note_status text;
  row_status text;
begin
  select status into note_status from promissory_notes where account_id = of_account and live_installment_id = of_row;
  if note_status is null then
    return;
  end if;
  select status into row_status from installments where account_id = of_account and id = of_row;
  if row_status in ('İptal', 'Yapılandırıldı') or (note_status = 'Tahsil Edildi') <> (row_status = 'Ödendi') then
    raise exception 'the note of installment % does not follow it', of_row using errcode = '23514', constraint = 'promissory_notes_follow';
  end if;
end $$;
create function check_note() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_note_of_row(new.account_id, new.installment_id); return null; end $$;
create function check_row_note() returns trigger language plpgsql security definer set search_path = public
  as $$ begin perform require_note_of_row(new.account_id, new.id); return null; end $$;
create function check_notes_of_cancelled() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select from promissory_notes where account_id = new.account_id and sale_id = new.id and live_installment_id is not null) then
    raise exception 'a cancelled sale has no live note' using errcode = '23514', constraint = 'promissory_notes_follow';
  end if;
  return null;
end $$;
create constraint trigger promissory_notes_follow after insert or update of status on promissory_notes
  deferrable initially deferred for each row execute function check_note();
create constraint trigger installments_note after update of status on installments
  deferrable initially deferred for each row when (old.status is distinct from new.status) execute function check_row_note();
create constraint trigger sales_cancelled_notes after update of status on sales
  deferrable initially deferred for each row when (new.status = 'İptal') execute function check_notes_of_cancelled();
revoke execute on function new_note_is_of_its_row, keep_note, require_note_of_row, check_note, check_row_note, check_notes_of_cancelled
  from public;
