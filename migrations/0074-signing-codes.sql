-- One-time codes of signing links: how and where each was delivered, which staff saw it, and the session that it opened. The evidence page
-- of a signed document is printed from these rows. The columns for codes and sessions in document_recipients are no longer used.
create table signing_codes (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  recipient_id uuid not null,
  created_at timestamptz not null,
  delivery text not null check (delivery in ('mail', 'staff')),
  -- Masked; null where the code was shown to staff, and once the person is erased.
  address text check (length(address) <= 254),
  -- [{person_id, name, at}] of the staff who saw the code in the panel.
  seen_by jsonb not null default '[]' check (jsonb_typeof(seen_by) = 'array'),
  -- Sealed, until the code is used or void.
  code_encrypted bytea,
  expires_at timestamptz not null,
  tries integer not null default 0,
  used_at timestamptz,
  used_code text check (used_code ~ '^\d{6}$'),
  session_hash bytea,
  session_expires_at timestamptz,
  voided_at timestamptz,
  -- The recipient decided in the session that this code opened.
  decided_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, recipient_id) references document_recipients (account_id, id),
  constraint signing_codes_seen check (delivery <> 'staff' or used_at is null or jsonb_array_length(seen_by) > 0)
);
create index signing_codes_recipient on signing_codes (account_id, recipient_id, created_at);
create unique index signing_codes_open on signing_codes (account_id, recipient_id) where code_encrypted is not null;
select raise_wall('signing_codes');
grant select, insert, update on signing_codes to galeri_app;
