-- Reports that go out by mail every week or every month, as the owner set them. What shows cost or debtors can not be stored here,
-- and so is never mailed.
create table report_schedules (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  report text not null
    check (report in ('sales-summary', 'collections-summary', 'inventory-aging', 'salesperson-performance', 'marketplace-performance')),
  frequency text not null check (frequency in ('Haftalık', 'Aylık')),
  email text not null check (length(email) <= 254),
  -- The day, in the dealer's time, after which the next one is due: when it was made, then when the last one went out.
  sent_on date not null,
  -- Of the last mail that went out; null before the first.
  sent_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index report_schedules_once on report_schedules (account_id, report, frequency, email);
select raise_wall('report_schedules');
grant select, insert, delete on report_schedules to galeri_app;
grant update (sent_on, sent_at) on report_schedules to galeri_app;
-- Whose turn it may be is looked for over all dealers.
create policy platform on report_schedules to galeri_platform using (true) with check (true);
grant select on report_schedules to galeri_platform;
