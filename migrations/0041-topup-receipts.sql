-- The receipt (Dekont) of a top-up: a document like any scan, hung on the request instead of a customer, a sale or a car.

alter table documents add column topup_id uuid,
  add constraint documents_topup_fkey foreign key (account_id, topup_id) references wallet_topups (account_id, id),
  drop constraint documents_link,
  add constraint documents_link check (customer_id is not null or sale_id is not null or vehicle_id is not null or topup_id is not null),
  -- What a dealer pays the platform is no paper of a customer's.
  add constraint documents_topup check (topup_id is null
    or (origin = 'Yüklendi' and kind = 'Dekont' and customer_id is null and sale_id is null and vehicle_id is null));
create index documents_of_topup on documents (account_id, topup_id) where topup_id is not null;

-- Administrators see that there is one; they open it through the dealer's own door, which is written down.
grant select (topup_id, deleted_at) on documents to galeri_platform;
-- Requests of all dealers, those that wait first of all.
create index wallet_topups_all on wallet_topups (created_at desc, id desc);
create index wallet_topups_waiting on wallet_topups (created_at, id) where status = 'Beklemede';
