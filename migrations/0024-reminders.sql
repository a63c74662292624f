-- Reminders that went out, and the mails among them in the queue.

-- By whoever opened the message, or by the service for a mail. The row of the plan may be built anew, so it is named without a
-- reference; what was said about it is in the customer's activity.
create table sent_reminders (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  installment_id uuid not null,
  sale_id uuid not null,
  customer_id uuid not null,
  seq integer not null check (seq >= 0),
  due_date date not null,
  -- Days after the due date; before it they are negative.
  day integer not null,
  channel text not null check (channel in ('WhatsApp', 'E-posta')),
  recipient_role text not null check (recipient_role in ('Müşteri', 'Kefil')),
  recipient_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  staff_id uuid,
  sent_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, sale_id) references sales (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, staff_id) references members (account_id, id)
);
-- Nobody is reminded twice of the same day, whichever process or person comes second.
create unique index sent_reminders_once on sent_reminders (account_id, installment_id, due_date, day, channel, recipient_id);
create index sent_reminders_sale on sent_reminders (account_id, sale_id, sent_at desc, id desc);
create index sent_reminders_list on sent_reminders (account_id, sent_at desc, id desc);
select raise_wall('sent_reminders');
grant select, insert on sent_reminders to galeri_app;

-- A mail reminder is an entry of the system with a kind of its own.
alter table customer_activity drop constraint customer_activity_check;
alter table customer_activity add constraint customer_activity_source
  check (case source when 'system' then kind in ('Sistem', 'E-posta') else kind <> 'Sistem' end);

-- A mail about a dealer's row: whose, and which (ids and days). It is written anew when it is sent and deleted then, because it names
-- a customer of theirs.
alter table mails add column data_set uuid, add column reminder text, add check ((data_set is null) = (reminder is null));
grant delete on mails to galeri_platform;
