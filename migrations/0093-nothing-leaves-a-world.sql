-- What leaves an isolated sandbox and what does not: no mail, and exchange rates that no bank has published are marked.

-- The last defence: code that forgets worlds fails here before a mail is sent.
create function refuse_mail_of_world() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from accounts where id in (current_account(), new.turn_of, new.data_set) and world_id is not null) then
    raise exception 'mail of an isolated sandbox belongs in sandbox_messages' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
comment on function refuse_mail_of_world() is 'Trigger of mails: mail of an isolated sandbox is never queued.';
revoke all on function refuse_mail_of_world() from public;
create trigger not_of_world before insert on mails for each row execute function refuse_mail_of_world();

-- People of a world cannot sign in, so no one is invited to it.
create function refuse_invitation_to_world() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from accounts where id = new.account_id and world_id is not null) then
    raise exception 'no one can be invited to an isolated sandbox' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
comment on function refuse_invitation_to_world() is 'Trigger of invitations: people of an isolated sandbox cannot sign in.';
revoke all on function refuse_invitation_to_world() from public;
create trigger not_to_world before insert on invitations for each row execute function refuse_invitation_to_world();

alter table sandbox_messages add column attachments text not null default '[]' check (octet_length(attachments) <= 4000);
comment on column sandbox_messages.attachments is 'Names, types and sizes of the attached files, as JSON text; the files are not kept.';
-- For a change of the vault's key.
grant update (text_encrypted) on sandbox_messages to galeri_app;

-- In a world the bulletins end with the real day, while its own day may be later.
create function world_rate_days(zone text) returns table (real_day date, world_day date)
  language sql stable security definer set search_path = public, pg_temp as $$
  select (clock_timestamp() at time zone zone)::date, (business_now() at time zone zone)::date
  from accounts where id = current_account() and world_id is not null
$$;
comment on function world_rate_days(zone text) is 'In an isolated sandbox: the real day and the day of the world in a bank''s time zone. No row in production.';
revoke all on function world_rate_days(text) from public;
grant execute on function world_rate_days(text) to galeri_app;

create or replace function collections_valid(
    type text, status text, sale_id uuid, amount_minor bigint, currency text, sale_currency text, applied_amount_minor bigint,
    late_interest_amount_minor bigint, rate_pair text, exchange_rate numeric, rate_date date, rate_source text, method text,
    instrument_bank text, instrument_number text, instrument_due_on date, reference text, note text, discount_reason text,
    paired_id uuid, vehicle_id uuid, deposit_status text, deposit_closed_on date, reverses_id uuid, reversed_by_id uuid,
    reversal_reason text, reason_code text) returns boolean
  language plpgsql immutable parallel safe as $$
declare
  broken text := case
    when not (amount_minor <> 0 and abs(amount_minor) < 100000000000000) then 'collections_amount_minor_check'
    when not ((sale_id is null) = (applied_amount_minor is null) and (sale_id is null) = (sale_currency is null))
      then 'collections_applied'
    when not (currency in ('TL', 'STG', 'USD', 'EUR')) then 'collections_currency_check'
    when not (type = 'Kapora' or deposit_status is null and deposit_closed_on is null) then 'collections_deposit'
    when not ((deposit_closed_on is not null) = (deposit_status is not null and deposit_status <> 'Açık'))
      then 'collections_deposit_closed'
    when not (type <> 'Kapora' or ((deposit_status is null) = (status = 'İptal Edildi'))) then 'collections_deposit_kept'
    when not (deposit_status in ('Açık', 'Mahsup Edildi', 'İade Edildi', 'Gelir')) then 'collections_deposit_status_check'
    when not ((discount_reason is not null) = (type = 'İndirim')) then 'collections_discount'
    when not (discount_reason in ('Erken Ödeme', 'Küsurat', 'Anlaşma', 'Silme')) then 'collections_discount_reason_check'
    when not (exchange_rate > 0) then 'collections_exchange_rate_check'
    when not ((instrument_bank is null) = (instrument_number is null) and (instrument_bank is null) = (instrument_due_on is null)
      and (instrument_bank is null or method = 'Çek')) then 'collections_instrument'
    when not (length(instrument_bank) between 1 and 80) then 'collections_instrument_bank_check'
    when not (length(instrument_number) between 1 and 40) then 'collections_instrument_number_check'
    when not (late_interest_amount_minor = 0
      or sign(late_interest_amount_minor::double precision) = sign(amount_minor::double precision)
        and abs(late_interest_amount_minor) <= abs(amount_minor)) then 'collections_late_interest'
    when not ((method is null) = (type = 'İndirim' or type = 'Ters Kayıt' and method is null)) then 'collections_method'
    when not (method in ('Nakit', 'Havale/EFT', 'Kredi Kartı', 'Çek', 'Senet', 'Güvenli Ödeme', 'Diğer', 'Mahsup'))
      then 'collections_method_check'
    when not (length(note) between 1 and 2000) then 'collections_note_check'
    when not (case
        when type = 'Mahsup' then method = 'Mahsup' and paired_id is not null
        when method = 'Mahsup' then type in ('Tahsilat', 'Ters Kayıt') and paired_id is not null
        else true
      end) then 'collections_offset'
    when not ((exchange_rate is null) = (rate_pair is null) and (exchange_rate is null) = (rate_date is null)
      and (exchange_rate is null) = (rate_source is null)
      and (sale_id is null or (currency <> sale_currency) = (exchange_rate is not null))) then 'collections_rate'
    when not (rate_source in ('TCMB', 'KKTCMB', 'manuel', 'sandbox')) then 'collections_rate_source_check'
    when not (reason_code in ('Karşılıksız', 'Yanlış Kayıt', 'İade')) then 'collections_reason_code_check'
    when not (length(reference) between 1 and 200) then 'collections_reference_check'
    when not ((type = 'Ters Kayıt') = (reverses_id is not null) and (type = 'Ters Kayıt') = (reversal_reason is not null))
      then 'collections_reversal'
    when not (length(reversal_reason) between 3 and 500) then 'collections_reversal_reason_check'
    when not ((status = 'İptal Edildi') = (reversed_by_id is not null)) then 'collections_reversed'
    when not (case
        when type in ('Tahsilat', 'İndirim') then sale_id is not null
        when type in ('Kapora', 'Mahsup') then sale_id is null and vehicle_id is not null
        else true
      end) then 'collections_sale'
    when not (sale_currency in ('TL', 'STG', 'USD', 'EUR')) then 'collections_sale_currency_check'
    when not (sale_id is null or currency <> sale_currency
      or exchange_rate is null and amount_minor = applied_amount_minor + late_interest_amount_minor) then 'collections_same_currency'
    when not (case
        when type in ('Tahsilat', 'Kapora', 'İndirim') then amount_minor > 0
        when type in ('Mahsup', 'İade') then amount_minor < 0
        else true
      end) then 'collections_sign'
    when not (status in ('Geçerli', 'İptal Edildi')) then 'collections_status_check'
    when not (type in ('Tahsilat', 'Kapora', 'Mahsup', 'İndirim', 'Ters Kayıt', 'İade')) then 'collections_type_check'
  end;
begin
  if broken is null then return true; end if;
  raise check_violation using constraint = broken, table = 'collections',
    message = format('new row for relation "collections" violates check constraint "%s"', broken);
end $$;

comment on column worlds.reached_at is 'While the clock moves, or after it failed: business time is this instant.';
