-- Papers: by which code a stranger proves one, and what an account prints on its own.

-- One for each file that was printed: a receipt in two sizes has two. It says what stands on the paper and nothing about people.
create table paper_verifications (
  account_id uuid not null references data_sets (id),
  -- 128 random bits, printed on the paper, so not a secret of ours.
  code text not null check (code ~ '^[0-9A-HJKMNP-TV-Z]{26}$'),
  kind text not null check (length(kind) between 1 and 40),
  record_id uuid not null,
  variant text not null default '' check (length(variant) <= 20),
  number text not null check (length(number) between 1 and 60),
  day date not null,
  amount_minor bigint check (abs(amount_minor) < 100000000000000),
  currency text check (currency in ('TL', 'STG', 'USD', 'EUR')),
  -- Of the file that was drawn last; a receipt is drawn anew when it is reversed.
  sha256 bytea check (length(sha256) = 32),
  voided_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, code),
  check ((amount_minor is null) = (currency is null))
);
create unique index paper_verifications_code on paper_verifications (code);
create unique index paper_verifications_record on paper_verifications (account_id, record_id, kind, variant);
select raise_wall('paper_verifications');
create policy platform on paper_verifications for select to galeri_platform using (true);
grant select, insert, update (sha256, voided_at) on paper_verifications to galeri_app;
grant select on paper_verifications to galeri_platform;

-- The logo is one of the account's stored files; clauses are JSON as the service writes it, by template.
alter table accounts
  add column paper_logo_file_id uuid,
  add column paper_clauses text not null default '{}';
grant update (paper_logo_file_id, paper_clauses) on accounts to galeri_app;
