-- Documents: scans that were uploaded and papers that were generated for a sale, whom they went to for signature, what happened to them.
-- A paper's states and its one live copy are held here as well as in the code, and what happened to it is never edited.

-- Files that print who somebody is: each opening is logged, and no cache may keep one.
alter table stored_files add column is_sensitive boolean not null default false;

create table documents (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  origin text not null check (origin in ('Yüklendi', 'Üretildi')),
  kind text not null check (kind in ('Kimlik', 'Ehliyet', 'Ruhsat', 'Ekspertiz', 'Sigorta', 'Satış Sözleşmesi', 'Ödeme Planı',
    'Kefaletname', 'Teslim Tutanağı', 'Senet', 'İbraname', 'KVKK Aydınlatma', 'Fatura', 'Dekont', 'Diğer')),
  title text not null check (length(title) between 1 and 200),
  customer_id uuid,
  sale_id uuid,
  vehicle_id uuid,
  -- Null once the file is erased.
  file_id uuid,
  content_type text not null check (length(content_type) between 3 and 100),
  size_bytes integer not null check (size_bytes > 0),
  sha256 bytea not null check (length(sha256) = 32),
  uploaded_by uuid,
  signs_document_id uuid,
  template_id uuid,
  template_code text check (template_code in ('satis_sozlesmesi', 'odeme_plani', 'kefaletname', 'teslim_tutanagi', 'senet', 'ibraname',
    'kvkk_aydinlatma')),
  version integer check (version > 0),
  status text check (status in ('Taslak', 'Gönderildi', 'Görüntülendi', 'İmzalandı', 'Reddedildi', 'Süresi Doldu', 'İptal')),
  signature text check (signature in ('Islak', 'İkisi')),
  signature_method text check (signature_method in ('Islak', 'Bağlantı')),
  channel text check (channel in ('E-posta', 'SMS', 'Bağlantı')),
  -- Who of the sale's guarantors stands on it.
  guarantor_ids uuid[] not null default '{}',
  note text check (length(note) between 1 and 1000),
  sent_at timestamptz,
  expires_at timestamptz,
  completed_at timestamptz,
  void_reason text check (length(void_reason) between 1 and 500),
  superseded_at timestamptz,
  -- What is printed on it, sealed: the signed copy is drawn from the same.
  paper_encrypted bytea,
  -- With the page of signatures, once all have signed by link.
  signed_file_id uuid,
  erased_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, sale_id) references sales (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, uploaded_by) references members (account_id, id),
  foreign key (account_id, signs_document_id) references documents (account_id, id),
  foreign key (account_id, file_id) references stored_files (account_id, id),
  foreign key (account_id, signed_file_id) references stored_files (account_id, id),
  constraint documents_link check (customer_id is not null or sale_id is not null or vehicle_id is not null),
  constraint documents_file check (file_id is not null or erased_at is not null),
  constraint documents_generated check (case origin when 'Üretildi' then
      sale_id is not null and template_id is not null and template_code is not null and version is not null and status is not null
      and signature is not null and signs_document_id is null and deleted_at is null
    else template_id is null and template_code is null and version is null and status is null and signature is null
      and signature_method is null and channel is null and sent_at is null and expires_at is null and completed_at is null
      and void_reason is null and superseded_at is null and paper_encrypted is null and signed_file_id is null end),
  constraint documents_sent check ((sent_at is null) = (expires_at is null) and (sent_at is null) = (channel is null)
    and (status not in ('Gönderildi', 'Görüntülendi', 'Reddedildi', 'Süresi Doldu') or sent_at is not null)),
  constraint documents_wet check (signature <> 'Islak' or (sent_at is null and signature_method is distinct from 'Bağlantı')),
  constraint documents_signed check ((status = 'İmzalandı') = (completed_at is not null)
    and (status = 'İmzalandı') = (signature_method is not null)),
  constraint documents_superseded check (superseded_at is null or status = 'İmzalandı'),
  constraint documents_void check ((status = 'İptal') = (void_reason is not null))
);
-- One live paper of a kind for a sale.
create unique index documents_one_live on documents (account_id, sale_id, template_code)
  where origin = 'Üretildi' and status not in ('İptal', 'Reddedildi', 'Süresi Doldu') and superseded_at is null;
create unique index documents_version on documents (account_id, sale_id, template_code, version) where origin = 'Üretildi';
-- A paper has one signed scan.
create unique index documents_one_scan on documents (account_id, signs_document_id) where signs_document_id is not null;
create index documents_list on documents (account_id, created_at desc, id desc) where deleted_at is null;
create index documents_customer on documents (account_id, customer_id, created_at desc, id desc) where deleted_at is null;
create index documents_sale on documents (account_id, sale_id, created_at desc, id desc) where deleted_at is null;
create index documents_vehicle on documents (account_id, vehicle_id, created_at desc, id desc) where deleted_at is null;
create index documents_expiring on documents (account_id, expires_at) where status in ('Gönderildi', 'Görüntülendi');
-- Looked up whenever a file's row is cleared away.
create index documents_file_id on documents (account_id, file_id) where file_id is not null;
create index documents_signed_file_id on documents (account_id, signed_file_id) where signed_file_id is not null;
select raise_wall('documents');
grant select, insert, update on documents to galeri_app;
-- The job that erases old papers looks over every account.
create policy platform on documents for select to galeri_platform using (true);
grant select (account_id, id, sale_id, erased_at, created_at) on documents to galeri_platform;

-- «İmzalandı» and «İptal» are final, and what a paper says is fixed when it is generated.
create function keep_document() returns trigger language plpgsql as $$
begin
  if old.origin <> new.origin or old.kind <> new.kind or old.sha256 <> new.sha256 or old.sale_id is distinct from new.sale_id
      or old.template_code is distinct from new.template_code or old.version is distinct from new.version
      or old.signature is distinct from new.signature then
    raise exception 'what a document is does not change' using errcode = 'check_violation', constraint = 'documents_fixed';
  end if;
  if new.file_id is distinct from old.file_id and new.file_id is not null then
    raise exception 'a document keeps its file until it is erased' using errcode = 'check_violation', constraint = 'documents_fixed';
  end if;
  if old.status in ('İmzalandı', 'İptal') and new.status <> old.status then
    raise exception 'a document that is signed or void stays so' using errcode = 'check_violation', constraint = 'documents_final';
  end if;
  if old.status in ('Reddedildi', 'Süresi Doldu') and new.status not in (old.status, 'İptal') then
    raise exception 'a document that was declined or has expired can only be voided'
      using errcode = 'check_violation', constraint = 'documents_final';
  end if;
  if old.status <> 'Taslak' and new.status = 'Taslak' then
    raise exception 'a document does not become a draft again' using errcode = 'check_violation', constraint = 'documents_final';
  end if;
  return new;
end $$;
create trigger documents_kept before update on documents for each row execute function keep_document();

create table document_recipients (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  document_id uuid not null,
  "position" integer not null check ("position" between 1 and 20),
  role text not null check (role in ('Müşteri', 'Kefil', 'Satıcı')),
  name text not null check (length(name) between 1 and 200),
  email text check (length(email) between 3 and 254),
  phone text check (length(phone) between 3 and 40),
  status text not null default 'Bekliyor' check (status in ('Bekliyor', 'Görüntüledi', 'İmzaladı', 'Reddetti')),
  viewed_at timestamptz,
  decided_at timestamptz,
  -- The one-time code, in real time; sealed, because a person of the dealer may have to read it out.
  code_encrypted bytea,
  code_expires_at timestamptz,
  code_tries integer not null default 0,
  codes_from timestamptz,
  codes_made integer not null default 0,
  session_hash bytea,
  session_expires_at timestamptz,
  session_code text check (session_code ~ '^\d{6}$'),
  -- What a decision by link is proved with.
  evidence_address text,
  evidence_user_agent text,
  evidence_sentence text,
  evidence_code text check (evidence_code ~ '^\d{6}$'),
  primary key (account_id, id),
  constraint document_recipients_place unique (account_id, document_id, "position"),
  foreign key (account_id, document_id) references documents (account_id, id),
  constraint document_recipients_decided check ((status in ('İmzaladı', 'Reddetti')) = (decided_at is not null))
);
select raise_wall('document_recipients');
grant select, insert, update on document_recipients to galeri_app;

-- Who has decided has decided.
create function keep_decision() returns trigger language plpgsql as $$
begin
  if old.status in ('İmzaladı', 'Reddetti') and new.status <> old.status then
    raise exception 'a recipient decides once' using errcode = 'check_violation', constraint = 'document_recipients_final';
  end if;
  return new;
end $$;
create trigger document_recipients_kept before update on document_recipients for each row execute function keep_decision();

-- Links by which a recipient signs. Only the hash is kept: who reads the database can open none.
create table signing_links (
  account_id uuid not null references data_sets (id),
  token_hash bytea not null check (length(token_hash) = 32),
  recipient_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (account_id, token_hash),
  foreign key (account_id, recipient_id) references document_recipients (account_id, id)
);
create index signing_links_recipient on signing_links (account_id, recipient_id);
select raise_wall('signing_links');
grant select, insert on signing_links to galeri_app;

create table document_events (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  document_id uuid not null,
  number integer not null check (number > 0),
  kind text not null check (kind in ('created', 'sent', 'reminded', 'viewed', 'signed', 'declined', 'completed', 'voided', 'expired')),
  recipient_name text check (length(recipient_name) between 1 and 200),
  channel text check (channel in ('E-posta', 'SMS', 'Bağlantı', 'Kâğıt')),
  occurred_at timestamptz not null,
  primary key (account_id, id),
  constraint document_events_number unique (account_id, document_id, number),
  foreign key (account_id, document_id) references documents (account_id, id)
);
select raise_wall('document_events');
grant select, insert on document_events to galeri_app;
-- A person's name goes with their erasure; nothing else of a trail changes.
grant update (recipient_name) on document_events to galeri_app;

-- A signing link and its code go out in the transaction that makes them; a dealer's role can put a mail into the queue and read none.
create policy queued on mails for insert to galeri_app with check (data_set is null and sent_at is null);
grant insert (id, recipient, subject, text_encrypted, next_try_at, created_at) on mails to galeri_app;
