-- Mail of dealers takes turns by account and counts on the account's budget; a recipient of a document is not mailed without end.
-- The account whose turn a mail takes; null is mail of the platform, which goes first.
alter table mails add column turn_of uuid;
grant insert (turn_of) on mails to galeri_app;

create table mail_budgets (
  account_id uuid not null references data_sets (id),
  -- Real time. Mails that were queued in the minute that began then.
  since timestamptz not null,
  used integer not null check (used > 0),
  primary key (account_id)
);
select raise_wall('mail_budgets');
grant select, insert, update on mail_budgets to galeri_app;
create policy platform on mail_budgets to galeri_platform using (true) with check (true);
grant select, insert, update on mail_budgets to galeri_platform;

-- Real time. When the recipient was last mailed, and how often since `mails_from`.
alter table document_recipients add column mailed_at timestamptz, add column mails_from timestamptz,
  add column mails_made integer not null default 0;
