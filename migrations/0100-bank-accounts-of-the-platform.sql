-- The bank accounts to which dealers transfer money for their wallets.
create table platform_bank_accounts (
  id uuid primary key,
  bank text not null check (length(bank) between 1 and 80),
  holder text not null check (length(holder) between 1 and 120),
  iban text not null unique check (iban ~ '^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$'),
  created_at timestamptz not null
);
comment on table platform_bank_accounts is 'Bank accounts of the platform, shown to dealers who top up their wallets.';
alter table platform_bank_accounts enable row level security;
alter table platform_bank_accounts force row level security;
create policy platform on platform_bank_accounts for all to galeri_platform using (true) with check (true);
create policy owner on platform_bank_accounts for all to current_user using (true) with check (true);
grant select, insert, delete on platform_bank_accounts to galeri_platform;
