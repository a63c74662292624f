-- Acts of an administrator that move money or raise rights: one row each. From a threshold on, a second administrator confirms them, and
-- the tables that the act changes refuse the change without a confirmed row. A row is used once.
create table admin_decisions (
  id uuid primary key,
  kind text not null check (kind in ('wallet_correction', 'invoice_settlement', 'key_authorization', 'owner_invitation')),
  -- The dealer whom it concerns; the row itself is the platform's.
  dealer_id uuid not null references accounts (id) on delete cascade,
  -- The invoice or the key; null where there is none yet.
  subject uuid,
  amount_minor bigint,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and length(details::text) <= 8000),
  status text not null default 'pending' check (status in ('pending', 'approved', 'done', 'withdrawn')),
  -- One administrator was enough: the setting FOUR_EYES is off, there is no other administrator, or the command line.
  alone boolean not null default false,
  first_by uuid,
  first_at timestamptz not null,
  second_by uuid,
  second_at timestamptz,
  ended_at timestamptz,
  constraint admin_decisions_first check (first_by is not null or alone),
  constraint admin_decisions_second check ((second_by is null) = (second_at is null)),
  constraint admin_decisions_two check (status in ('pending', 'withdrawn') or alone or (second_by is not null and second_by <> first_by)),
  constraint admin_decisions_ended check ((status in ('done', 'withdrawn')) = (ended_at is not null))
);
create index admin_decisions_list on admin_decisions (first_at desc, id desc);
create index admin_decisions_dealer on admin_decisions (dealer_id);
create unique index admin_decisions_open on admin_decisions (kind, subject) where status = 'pending' and subject is not null;
alter table admin_decisions enable row level security;
alter table admin_decisions force row level security;
create policy platform on admin_decisions to galeri_platform using (true) with check (true);
do $$ begin execute format('create policy owner on admin_decisions to %I using (true) with check (true)', current_user); end $$;
grant select, insert on admin_decisions to galeri_platform;
grant update (status, second_by, second_at, ended_at) on admin_decisions to galeri_platform;

create function check_admin_decision() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.status in ('done', 'withdrawn') then
    raise exception 'a decision that has ended does not change' using errcode = '23514', constraint = 'admin_decisions_kept';
  end if;
  if new.status in ('approved', 'done') and not new.alone and may_be_one_person(new.first_by, new.second_by) then
    raise exception 'the second administrator may be the first' using errcode = '23514', constraint = 'admin_decisions_second_person';
  end if;
  return new;
end $$;
create trigger check_decision before insert or update on admin_decisions for each row execute function check_admin_decision();

-- Uses a confirmed decision for exactly what it was made for.
create function spend_decision(decision uuid, of_kind text, of_account uuid, of_subject uuid, of_amount bigint, of_details jsonb)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update admin_decisions set status = 'done', ended_at = now() where id = decision and status = 'approved' and kind = of_kind
    and dealer_id = of_account and subject is not distinct from of_subject and amount_minor is not distinct from of_amount
    and details @> of_details;
  if not found then
    raise exception 'this needs a decision of two administrators' using errcode = '23514', constraint = 'admin_decisions_required';
  end if;
end $$;

-- Whether there are two administrators; one whom another administrator disabled counts, as in second-administrator.ts.
create function has_two_administrators() returns boolean language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select count(*) > 1 from people where is_admin and not is_demo and (disabled_at is null or disabled_by is not null));
end $$;

-- Corrections of a wallet: up to 50,000.00 in 24 hours without a decision.
alter table wallet_transactions add column decision_id uuid;
create function require_correction_decision() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.decision_id is not null then
    perform spend_decision(new.decision_id, 'wallet_correction', new.account_id, null, new.amount_minor,
      jsonb_build_object('description', new.description));
  elsif (select sum(abs(amount_minor)) from wallet_transactions where account_id = new.account_id and type = 'Düzeltme'
      and decision_id is null and created_at > new.created_at - interval '24 hours') > 5000000 then
    raise exception 'corrections above 50,000.00 a day need a decision of two administrators' using errcode = '23514',
      constraint = 'admin_decisions_required';
  end if;
  return null;
end $$;
create trigger correction_decision after insert on wallet_transactions for each row when (new.type = 'Düzeltme')
  execute function require_correction_decision();

-- Invoices above 50,000.00: settling one takes the dealer's money or waives the platform's.
alter table membership_invoices add column decision_id uuid;
grant update (decision_id) on membership_invoices to galeri_app;
create function require_settlement_decision() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform spend_decision(new.decision_id, 'invoice_settlement', new.account_id, new.id, new.total_minor,
    jsonb_build_object('from', case when new.transaction_id is null then 'outside' else 'wallet' end));
  return null;
end $$;
create trigger settlement_decision after update on membership_invoices for each row
  when (new.status = 'Ödendi' and old.status <> 'Ödendi' and new.total_minor > 5000000) execute function require_settlement_decision();

-- Top-ups above 50,000.00: the first administrator is in the row. Null decided_by: the command line.
alter table wallet_topups add column alone boolean not null default false;
grant update (alone) on wallet_topups to galeri_app;
create function require_topup_second() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if (new.first_by is null or may_be_one_person(new.first_by, new.decided_by)) and has_two_administrators() then
    raise exception 'this top-up needs two administrators' using errcode = '23514', constraint = 'wallet_topups_second_person';
  end if;
  return new;
end $$;
create trigger second_administrator before update on wallet_topups for each row
  when (new.status = 'Onaylandı' and new.amount_minor > 5000000 and new.decided_by is not null and not new.alone)
  execute function require_topup_second();

-- Special authorizations that a key gains; taking one away needs no decision.
alter table api_keys add column decision_id uuid;
create function require_authorization_decision() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform spend_decision(new.decision_id, 'key_authorization', new.account_id, new.id, null,
    jsonb_build_object('authorizations', to_jsonb(new.authorizations)));
  return null;
end $$;
create trigger authorization_decision after update of authorizations on api_keys for each row
  when (not new.authorizations <@ old.authorizations) execute function require_authorization_decision();

revoke execute on function check_admin_decision, spend_decision, has_two_administrators, require_correction_decision,
  require_settlement_decision, require_topup_second, require_authorization_decision from public;
