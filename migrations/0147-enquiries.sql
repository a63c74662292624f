-- Enquiries: people who ask about a car before they are customers. Name, telephone and messages are sealed like the personal data of
-- customers; an index of the telephone finds the open enquiry of the same person.
create table enquiries (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  source text not null check (source in ('Vitrin', 'Pazar teklifi', 'Telefon', 'Walk-in')),
  stage text not null default 'Yeni' check (stage in ('Yeni', 'Görüşüldü', 'Test sürüşü', 'Teklif', 'Kazanıldı', 'Kaybedildi')),
  lost_reason text check (length(lost_reason) between 1 and 200),
  name_encrypted bytea,
  phone_encrypted bytea,
  phone_index bytea,
  vehicle_id uuid,
  owner_id uuid,
  next_step_on date,
  task_id uuid,
  customer_id uuid,
  sale_id uuid,
  offer_id uuid,
  erased_at timestamptz,
  last_activity_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, owner_id) references members (account_id, id),
  foreign key (account_id, task_id) references tasks (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, sale_id) references sales (account_id, id),
  foreign key (account_id, offer_id) references marketplace_offers (account_id, id),
  constraint enquiries_won check (stage <> 'Kazanıldı' or (sale_id is not null and customer_id is not null)),
  constraint enquiries_lost check ((stage = 'Kaybedildi') = (lost_reason is not null)),
  constraint enquiries_person check ((erased_at is null) = (name_encrypted is not null) and (erased_at is null) = (phone_encrypted is not null)
    and (erased_at is null) = (phone_index is not null))
);
comment on table enquiries is 'People who ask about a car. Kazanıldı (won) and Kaybedildi (lost) are final.';
comment on column enquiries.phone_index is 'Blind index of the telephone number.';
comment on column enquiries.last_activity_at is 'Business time of the newest entry. 24 months later the personal data is erased.';
create unique index enquiries_one_open on enquiries (account_id, phone_index) where stage not in ('Kazanıldı', 'Kaybedildi');
create index enquiries_list on enquiries (account_id, created_at desc, id desc);
create index enquiries_stage on enquiries (account_id, stage, last_activity_at desc, id desc);
create index enquiries_phone on enquiries (account_id, phone_index);
create index enquiries_of_customer on enquiries (account_id, customer_id) where customer_id is not null;
create index enquiries_shown on enquiries (account_id, created_at) where source = 'Vitrin';
create index enquiries_old on enquiries (last_activity_at) where erased_at is null;
select raise_wall('enquiries');
create policy platform_finds on enquiries for select to galeri_platform using (true);
grant select, insert, update on enquiries to galeri_app;
grant select (account_id, last_activity_at, erased_at) on enquiries to galeri_platform;

create table enquiry_entries (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  enquiry_id uuid not null,
  kind text not null check (kind in ('received', 'note', 'stage', 'owner', 'step', 'customer', 'sale', 'counter', 'erased')),
  value text check (length(value) between 1 and 200),
  text_encrypted bytea,
  vehicle_id uuid,
  actor text,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, enquiry_id) references enquiries (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id)
);
comment on table enquiry_entries is 'History of an enquiry: messages, notes and changes.';
comment on column enquiry_entries.value is 'What it was changed to: a stage, a day, a member, an amount with its currency.';
create index enquiry_entries_list on enquiry_entries (account_id, enquiry_id, created_at desc, id desc);
select raise_wall('enquiry_entries');
grant select, insert on enquiry_entries to galeri_app;
grant update (text_encrypted) on enquiry_entries to galeri_app;
