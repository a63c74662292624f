-- A customer's own page at /m/<token>: its links, the one-time codes that open them, and the dealer's bank accounts, which it shows.
create table customer_links (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  customer_id uuid not null,
  token_hash bytea not null,
  channel text not null check (channel in ('E-posta', 'Bağlantı')),
  address text check (length(address) <= 254),
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  constraint customer_links_hash check (length(token_hash) = 32),
  constraint customer_links_ends check (expires_at > created_at)
);
comment on table customer_links is 'Links to the page of one customer. A new link revokes the one before.';
comment on column customer_links.token_hash is 'SHA-256 of the token; the token itself is not stored.';
comment on column customer_links.address is 'The address that the link was mailed to, masked. Null: staff passed it on.';
create unique index customer_links_token on customer_links (account_id, token_hash);
create unique index customer_links_live on customer_links (account_id, customer_id) where revoked_at is null;
create index customer_links_of_customer on customer_links (account_id, customer_id, created_at);
select raise_wall('customer_links');
grant select, insert on customer_links to galeri_app;
grant update (revoked_at, address) on customer_links to galeri_app;

create table customer_page_codes (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  link_id uuid not null,
  created_at timestamptz not null,
  delivery text not null check (delivery in ('mail', 'staff')),
  address text check (length(address) <= 254),
  seen_by jsonb not null default '[]' check (jsonb_typeof(seen_by) = 'array'),
  code_encrypted bytea,
  expires_at timestamptz not null,
  tries integer not null default 0,
  used_at timestamptz,
  session_hash bytea,
  session_expires_at timestamptz,
  voided_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, link_id) references customer_links (account_id, id),
  constraint customer_page_codes_tries check (tries between 0 and 5),
  constraint customer_page_codes_seen check (delivery <> 'staff' or used_at is null or jsonb_array_length(seen_by) > 0)
);
comment on table customer_page_codes is 'One-time codes of customers'' links: how each was delivered, which staff saw it, and the session that it opened.';
comment on column customer_page_codes.address is 'The address that the code was mailed to, masked. Null: staff read it out.';
comment on column customer_page_codes.seen_by is '[{person_id, name, at}] of the staff who saw the code in the panel.';
comment on column customer_page_codes.code_encrypted is 'Sealed, until the code is used or void.';
create index customer_page_codes_of_link on customer_page_codes (account_id, link_id, created_at);
create unique index customer_page_codes_open on customer_page_codes (account_id, link_id) where code_encrypted is not null;
select raise_wall('customer_page_codes');
grant select, insert, update on customer_page_codes to galeri_app;

create table bank_accounts (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  bank text not null check (length(bank) between 1 and 80),
  holder text not null check (length(holder) between 1 and 120),
  iban text not null check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  created_at timestamptz not null,
  primary key (account_id, id)
);
comment on table bank_accounts is 'A dealer''s bank accounts, to which customers transfer money.';
create unique index bank_accounts_iban on bank_accounts (account_id, iban, currency);
select raise_wall('bank_accounts');
grant select, insert, delete on bank_accounts to galeri_app;
