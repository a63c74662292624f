-- Restates every function that an earlier migration made by changing the text of another function (0034, 0056, 0064), so that each
-- of them can be read in one place. Signatures, results and error names are unchanged; running nodes notice nothing.

-- ---------------------------------------------------------------------------------------------------------------------------------
-- 1. What a row may hold. One function per table instead of many CHECK constraints, because PostgreSQL plans the expressions of CHECK
--    constraints again for every statement, and a function in PL/pgSQL once per connection (0034). `broken` is the name of the first
--    rule that the row breaks, and the error carries it as if a constraint of that name had refused the row. As in a CHECK constraint,
--    a rule whose value is null counts as kept. Amounts have at most twelve digits before the point, so minor units stay below 10^14.
-- ---------------------------------------------------------------------------------------------------------------------------------

create or replace function auction_bids_valid(bid_seq integer, amount_minor bigint, alias_no integer, chain text) returns boolean
  language plpgsql immutable parallel safe as $$
declare
  broken text := case
    when not (alias_no > 0) then 'auction_bids_alias_no_check'
    when not (amount_minor > 0 and amount_minor < 100000000000000) then 'auction_bids_amount_minor_check'
    when not (bid_seq > 0) then 'auction_bids_bid_seq_check'
    when not (chain ~ '^[0-9a-f]{64}$') then 'auction_bids_chain_check'
  end;
begin
  if broken is null then return true; end if;
  raise check_violation using constraint = broken, table = 'auction_bids',
    message = format('new row for relation "auction_bids" violates check constraint "%s"', broken);
end $$;

create or replace function collection_allocations_valid(place integer, amount_minor bigint) returns boolean
  language plpgsql immutable parallel safe as $$
declare
  broken text := case
    when not (amount_minor <> 0) then 'collection_allocations_amount_minor_check'
    when not (place > 0) then 'collection_allocations_place_check'
  end;
begin
  if broken is null then return true; end if;
  raise check_violation using constraint = broken, table = 'collection_allocations',
    message = format('new row for relation "collection_allocations" violates check constraint "%s"', broken);
end $$;

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
    when not (rate_source in ('TCMB', 'KKTCMB', 'manuel')) then 'collections_rate_source_check'
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

create or replace function installments_valid(
    seq integer, kind text, due_day smallint, amount_minor bigint, paid_amount_minor bigint, discounted_amount_minor bigint,
    currency text, status text, paid_at date, postpone_count integer, note text) returns boolean
  language plpgsql immutable parallel safe as $$
declare
  broken text := case
    when not (amount_minor >= 0 and amount_minor < 100000000000000) then 'installments_amount_minor_check'
    when not (currency in ('TL', 'STG', 'USD', 'EUR')) then 'installments_currency_check'
    when not (discounted_amount_minor >= 0) then 'installments_discounted_amount_minor_check'
    when not (due_day between 1 and 31) then 'installments_due_day_check'
    when not ((seq = 0) = (kind = 'Peşinat')) then 'installments_kind'
    when not (kind in ('Peşinat', 'Taksit', 'Ara Ödeme')) then 'installments_kind_check'
    when not (paid_amount_minor + discounted_amount_minor <= amount_minor) then 'installments_not_above_amount'
    when not (length(note) between 1 and 2000) then 'installments_note_check'
    when not (paid_amount_minor >= 0) then 'installments_paid_amount_minor_check'
    when not ((status = 'Ödendi') = (paid_at is not null)) then 'installments_paid_at'
    when not (postpone_count >= 0) then 'installments_postpone_count_check'
    when not (seq >= 0) then 'installments_seq_check'
    when not (case status
        when 'Bekliyor' then amount_minor > 0 and paid_amount_minor + discounted_amount_minor = 0
        when 'Kısmi Ödendi' then paid_amount_minor + discounted_amount_minor > 0
          and paid_amount_minor + discounted_amount_minor < amount_minor
        when 'Ödendi' then amount_minor > 0 and paid_amount_minor + discounted_amount_minor = amount_minor
        when 'Yapılandırıldı' then amount_minor = 0
        else paid_amount_minor + discounted_amount_minor < amount_minor
      end) then 'installments_status'
    when not (status in ('Bekliyor', 'Kısmi Ödendi', 'Ödendi', 'Yapılandırıldı', 'İptal')) then 'installments_status_check'
  end;
begin
  if broken is null then return true; end if;
  raise check_violation using constraint = broken, table = 'installments',
    message = format('new row for relation "installments" violates check constraint "%s"', broken);
end $$;

create or replace function live_lots_valid(
    account_id uuid, operator_id uuid, lot_no integer, currency text, start_price_minor bigint, min_increment_minor bigint,
    reserve_price_minor bigint, status text, opened_at timestamptz, ended_at timestamptz, note text, current_bid_minor bigint,
    leader_id uuid, bid_count integer, chain_head text, call_no integer) returns boolean
  language plpgsql immutable parallel safe as $$
declare
  broken text := case
    when not (call_no between 0 and 2) then 'live_lots_call_no_check'
    when not (chain_head ~ '^[0-9a-f]{64}$') then 'live_lots_chain_head_check'
    when not (reserve_price_minor >= start_price_minor and reserve_price_minor < 100000000000000) then 'live_lots_check'
    when not ((status in ('Sırada', 'Açık')) = (ended_at is null)) then 'live_lots_check1'
    when not ((status in ('Sırada', 'Çekildi')) = (opened_at is null)) then 'live_lots_check2'
    when not ((bid_count = 0) = (current_bid_minor is null)) then 'live_lots_check3'
    when not ((bid_count = 0) = (leader_id is null)) then 'live_lots_check4'
    when not (leader_id <> account_id and leader_id <> operator_id) then 'live_lots_check5'
    when not (current_bid_minor >= start_price_minor) then 'live_lots_check6'
    when not (status not in ('Satıldı', 'Bozuldu') or bid_count > 0) then 'live_lots_check7'
    when not (currency in ('TL', 'STG', 'USD', 'EUR')) then 'live_lots_currency_check'
    when not (lot_no between 1 and 99999) then 'live_lots_lot_no_check'
    when not (min_increment_minor > 0 and min_increment_minor < 100000000000000) then 'live_lots_min_increment_minor_check'
    when not (length(note) between 1 and 500) then 'live_lots_note_check'
    when not (start_price_minor > 0 and start_price_minor < 100000000000000) then 'live_lots_start_price_minor_check'
    when not (status in ('Sırada', 'Açık', 'Satıldı', 'Satılmadı', 'Çekildi', 'Bozuldu')) then 'live_lots_status_check'
  end;
begin
  if broken is null then return true; end if;
  raise check_violation using constraint = broken, table = 'live_lots',
    message = format('new row for relation "live_lots" violates check constraint "%s"', broken);
end $$;

create or replace function network_auctions_valid(
    account_id uuid, title text, currency text, start_price_minor bigint, min_increment_minor bigint, reserve_price_minor bigint,
    starts_at timestamptz, ends_at timestamptz, original_ends_at timestamptz, extension_count integer, status text, result text,
    end_reason text, ended_at timestamptz, current_bid_minor bigint, leader_id uuid, bid_count integer, chain_head text) returns boolean
  language plpgsql immutable parallel safe as $$
declare
  broken text := case
    when not (chain_head ~ '^[0-9a-f]{64}$') then 'network_auctions_chain_head_check'
    when not (reserve_price_minor >= start_price_minor and reserve_price_minor < 100000000000000) then 'network_auctions_check'
    when not (ends_at > starts_at and ends_at >= original_ends_at) then 'network_auctions_check1'
    when not ((extension_count = 0) = (ends_at = original_ends_at)) then 'network_auctions_check2'
    when not ((status = 'Bitti') = (result is not null)) then 'network_auctions_check3'
    when not ((status in ('Bitti', 'İptal')) = (ended_at is not null)) then 'network_auctions_check4'
    when not ((bid_count = 0) = (current_bid_minor is null)) then 'network_auctions_check5'
    when not ((bid_count = 0) = (leader_id is null)) then 'network_auctions_check6'
    when not (leader_id <> account_id) then 'network_auctions_check7'
    when not (current_bid_minor >= start_price_minor) then 'network_auctions_check8'
    when not (result is null or result = 'Satılmadı' or bid_count > 0) then 'network_auctions_check9'
    when not (currency in ('TL', 'STG', 'USD', 'EUR')) then 'network_auctions_currency_check'
    when not (length(end_reason) between 1 and 500) then 'network_auctions_end_reason_check'
    when not (extension_count >= 0) then 'network_auctions_extension_count_check'
    when not (min_increment_minor > 0 and min_increment_minor < 100000000000000) then 'network_auctions_min_increment_minor_check'
    when not (result in ('Satıldı', 'Satılmadı', 'Bozuldu')) then 'network_auctions_result_check'
    when not (start_price_minor > 0 and start_price_minor < 100000000000000) then 'network_auctions_start_price_minor_check'
    when not (status in ('Planlandı', 'Canlı', 'Bitti', 'İptal')) then 'network_auctions_status_check'
    when not (length(title) between 1 and 200) then 'network_auctions_title_check'
  end;
begin
  if broken is null then return true; end if;
  raise check_violation using constraint = broken, table = 'network_auctions',
    message = format('new row for relation "network_auctions" violates check constraint "%s"', broken);
end $$;

create or replace function sales_valid(
    external_ref text, currency text, currency_exemption text, sale_price_minor bigint, trade_in_amount_minor bigint,
    down_payment_minor bigint, finance_charge_minor bigint, late_rate_yearly_minor integer, yearly_rate_minor integer, notes text,
    period text, round_to integer, payment_type text, status text, total_receivable_minor bigint, financed_amount_minor bigint,
    collected_amount_minor bigint, discounted_amount_minor bigint, cancelled_at timestamptz, cancel_reason text,
    refunded_amount_minor bigint, retained_amount_minor bigint, title_status text, title_on date, title_place text,
    title_reference text, secure_payment_ref text, lien_placed_on date, lien_removed_on date, invoice_no text, legal_stage text,
    imported_as text) returns boolean
  language plpgsql immutable parallel safe as $$
declare
  broken text := case
    when not (length(cancel_reason) between 3 and 500) then 'sales_cancel_reason_check'
    when not ((status = 'İptal') = (cancelled_at is not null) and (status = 'İptal') = (cancel_reason is not null))
      then 'sales_cancelled'
    when not (payment_type = 'Taksitli' or finance_charge_minor = 0 and financed_amount_minor = 0) then 'sales_cash'
    when not (status = 'İptal' or collected_amount_minor >= 0) then 'sales_collected'
    when not (status = 'İptal'
      or (status = 'Tamamlandı') = (collected_amount_minor + discounted_amount_minor = total_receivable_minor)) then 'sales_completed'
    when not (currency in ('TL', 'STG', 'USD', 'EUR')) then 'sales_currency_check'
    when not (length(currency_exemption) between 3 and 200) then 'sales_currency_exemption_check'
    when not (discounted_amount_minor >= 0) then 'sales_discounted_amount_minor_check'
    when not (down_payment_minor >= 0 and down_payment_minor < 100000000000000) then 'sales_down_payment_minor_check'
    when not (length(external_ref) between 1 and 120) then 'sales_external_ref_check'
    when not (finance_charge_minor >= 0 and finance_charge_minor < 100000000000000) then 'sales_finance_charge_minor_check'
    when not (financed_amount_minor >= 0) then 'sales_financed_amount_minor_check'
    when not (length(imported_as) = 64) then 'sales_imported_as_check'
    when not (length(invoice_no) between 1 and 60) then 'sales_invoice_no_check'
    when not (late_rate_yearly_minor between 0 and 20000) then 'sales_late_rate_yearly_minor_check'
    when not (legal_stage in ('Yok', 'İhtar', 'Avukatta', 'İcrada')) then 'sales_legal_stage_check'
    when not (lien_removed_on is null or lien_placed_on is not null and lien_removed_on >= lien_placed_on) then 'sales_lien'
    when not (status = 'İptal' or collected_amount_minor + discounted_amount_minor <= total_receivable_minor) then 'sales_not_above_total'
    when not (length(notes) between 1 and 5000) then 'sales_notes_check'
    when not (payment_type in ('Peşin', 'Taksitli')) then 'sales_payment_type_check'
    when not (period in ('Aylık', '15 Günlük', 'Haftalık')) then 'sales_period_check'
    when not (status = 'İptal' or refunded_amount_minor = 0 and retained_amount_minor = 0) then 'sales_refund'
    when not (refunded_amount_minor >= 0) then 'sales_refunded_amount_minor_check'
    when not (status <> 'İptal'
      or retained_amount_minor in (collected_amount_minor, collected_amount_minor + trade_in_amount_minor)) then 'sales_retained'
    when not (retained_amount_minor >= 0) then 'sales_retained_amount_minor_check'
    when not (round_to in (1, 5, 10, 50, 100)) then 'sales_round_to_check'
    when not (sale_price_minor > 0 and sale_price_minor < 100000000000000) then 'sales_sale_price_minor_check'
    when not (length(secure_payment_ref) between 1 and 120) then 'sales_secure_payment_ref_check'
    when not (status in ('Aktif', 'Tamamlandı', 'İptal')) then 'sales_status_check'
    when not (title_status = 'Yapıldı' or title_on is null) then 'sales_title'
    when not (length(title_place) between 1 and 200) then 'sales_title_place_check'
    when not (length(title_reference) between 1 and 120) then 'sales_title_reference_check'
    when not (title_status in ('Bekliyor', 'Yapıldı')) then 'sales_title_status_check'
    when not (total_receivable_minor >= 0 and total_receivable_minor < 100000000000000) then 'sales_total_receivable_minor_check'
    when not (trade_in_amount_minor >= 0 and trade_in_amount_minor < 100000000000000) then 'sales_trade_in_amount_minor_check'
    when not (yearly_rate_minor between 0 and 99999) then 'sales_yearly_rate_minor_check'
  end;
begin
  if broken is null then return true; end if;
  raise check_violation using constraint = broken, table = 'sales',
    message = format('new row for relation "sales" violates check constraint "%s"', broken);
end $$;

-- ---------------------------------------------------------------------------------------------------------------------------------
-- 2. Functions that 0056 turned from SQL into PL/pgSQL, so that each connection plans them once. They are `security definer`: row-level
--    security hides the rows of other dealers from galeri_app, and these functions give out the part that everybody may see.
-- ---------------------------------------------------------------------------------------------------------------------------------

create or replace function business_now() returns timestamptz
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return (select date_trunc('milliseconds', clock_timestamp()) + offset_ms * interval '1 millisecond' from test_clock);
end $$;

create or replace function dealers_meet(one_demo boolean, other uuid) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return coalesce((select is_demo = one_demo from accounts where id = other), false);
end $$;

create or replace function party_of(dealer uuid, with_phone boolean) returns json
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (
    select case
      when with_phone then json_build_object('account_id', id, 'name', name, 'city', city, 'phone', phone)
      else json_build_object('account_id', id, 'name', name, 'city', city)
    end
    from accounts where id = dealer);
end $$;

create or replace function card_of(owner uuid, vehicle uuid) returns json
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (
    select row_to_json(card) from (
      select account_id, brand, model, model_year, km, fuel_type, transmission, body_type, color, city, photos, condition
      from vehicle_cards where account_id = owner and vehicle_id = vehicle) card);
end $$;

create or replace function role_in(seller uuid, item uuid) returns text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return case
    when seller = current_account() then 'seller'
    when exists (select from auction_bidders where account_id = current_account() and item_id = item) then 'bidder'
    else 'viewer'
  end;
end $$;

create or replace function late_sellers(wanted uuid) returns setof uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select distinct auction.account_id from network_auctions auction, business_now() as at
    where (wanted is null or auction.id = wanted)
      and (status = 'Canlı' and ends_at <= at or status = 'Planlandı' and starts_at <= at)
      -- A transition that failed has its own retries; requests do not repeat it.
      and not exists (
        select from transition_failures failed
        where failed.account_id = auction.account_id and failed.kind = 'network_auction'
          and failed.record_id in (auction.id, auction.account_id));
end $$;

create or replace function network_auction_seen(wanted uuid) returns table (
    id uuid, seller_id uuid, is_seller boolean, vehicle_id uuid, card json, seller json, title text, currency text, start_price_minor bigint,
    min_increment_minor bigint, reserve_price_minor bigint, has_reserve boolean, reserve_met boolean, starts_at timestamptz,
    ends_at timestamptz, original_ends_at timestamptz, extension_count integer, status text, result text, ended_at timestamptz,
    current_bid_minor bigint, leader_alias_no integer, bid_count integer, chain_head text, is_bidder boolean, my_highest_minor bigint,
    is_leader boolean, winner json, created_at timestamptz, updated_at timestamptz, server_time timestamptz)
  language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select
      auction.id,
      auction.account_id,
      auction.account_id = me,
      -- Only the seller can open the car by its id.
      case when auction.account_id = me then auction.vehicle_id end,
      card_of(auction.account_id, auction.vehicle_id),
      -- The winner gets the seller's phone number.
      party_of(auction.account_id, result = 'Satıldı' and leader_id = me),
      title, currency, start_price_minor, min_increment_minor,
      -- The reserve price is secret; everybody sees whether there is one and whether it is met.
      case when auction.account_id = me then reserve_price_minor end,
      reserve_price_minor is not null,
      bid_count > 0 and (reserve_price_minor is null or current_bid_minor >= reserve_price_minor),
      starts_at, ends_at, original_ends_at, extension_count, status, result, ended_at,
      current_bid_minor, leader_alias_no, bid_count, chain_head,
      mine.alias_no is not null,
      mine.highest_minor,
      coalesce(leader_id = me, false),
      -- After the sale, seller and winner see the winner, and the seller gets the winner's phone number.
      case when result in ('Satıldı', 'Bozuldu') and me in (auction.account_id, leader_id)
        then party_of(leader_id, result = 'Satıldı' and auction.account_id = me) end,
      auction.created_at, auction.updated_at, business_now()
    from (select current_account() as me) caller
    cross join network_auctions auction
    left join auction_bidders mine on mine.account_id = me and mine.item_id = auction.id
    where auction.id = wanted and (auction.account_id = me or dealers_meet(auction.is_demo, me));
end $$;

create or replace function live_lot_seen(wanted uuid) returns table (
    id uuid, seller_id uuid, operator_id uuid, event_id uuid, lot_no integer, is_seller boolean, is_operator boolean, vehicle_id uuid,
    card json, seller json, currency text, start_price_minor bigint, min_increment_minor bigint, reserve_price_minor bigint,
    has_reserve boolean, reserve_met boolean, status text, current_bid_minor bigint, bid_count integer, leader_alias_no integer,
    is_bidder boolean, my_highest_minor bigint, is_leader boolean, opened_at timestamptz, ended_at timestamptz, chain_head text,
    winner json, created_at timestamptz, updated_at timestamptz, server_time timestamptz)
  language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select
      lot.id, lot.account_id, lot.operator_id, lot.event_id, lot_no,
      lot.account_id = me,
      lot.operator_id = me,
      case when lot.account_id = me then lot.vehicle_id end,
      card_of(lot.account_id, lot.vehicle_id),
      party_of(lot.account_id, lot.status = 'Satıldı' and leader_id = me),
      currency, start_price_minor, min_increment_minor,
      -- Seller and operator know the reserve price.
      case when me in (lot.account_id, lot.operator_id) then reserve_price_minor end,
      reserve_price_minor is not null,
      bid_count > 0 and (reserve_price_minor is null or current_bid_minor >= reserve_price_minor),
      lot.status, current_bid_minor, bid_count, leader_alias_no,
      mine.alias_no is not null,
      mine.highest_minor,
      coalesce(leader_id = me, false),
      opened_at, ended_at, chain_head,
      case when lot.status in ('Satıldı', 'Bozuldu') and me in (lot.account_id, leader_id)
        then party_of(leader_id, lot.status = 'Satıldı' and lot.account_id = me) end,
      lot.created_at, lot.updated_at, business_now()
    from (select current_account() as me) caller
    cross join live_lots lot
    join live_events event on event.id = lot.event_id
    left join auction_bidders mine on mine.account_id = me and mine.item_id = lot.id
    where lot.id = wanted and (me in (lot.account_id, lot.operator_id) or dealers_meet(event.is_demo, me));
end $$;

create or replace function bids_seen(wanted uuid, before_seq integer, rows integer, skipped integer) returns table (
    id uuid, bid_seq integer, amount_minor bigint, alias_no integer, is_mine boolean, placed_at timestamptz, chain text, bidder json)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select bid.id, bid.bid_seq, bid.amount_minor, bid.alias_no, bid.account_id = current_account(), bid.placed_at, bid.chain,
      -- Bidders are anonymous. After the end the seller sees the winner.
      case when item.winner_id = bid.account_id then party_of(bid.account_id, item.is_bound) end
    from (
      select
        case when account_id = current_account() and result in ('Satıldı', 'Bozuldu') then leader_id end as winner_id,
        result = 'Satıldı' as is_bound
      from network_auctions
      where network_auctions.id = wanted and (account_id = current_account() or dealers_meet(is_demo, current_account()))
      union all
      select
        case when lot.account_id = current_account() and lot.status in ('Satıldı', 'Bozuldu') then leader_id end,
        lot.status = 'Satıldı'
      from live_lots lot join live_events event on event.id = lot.event_id
      where lot.id = wanted and dealers_meet(event.is_demo, current_account())) item
    join auction_bids bid on bid.item_id = wanted and (before_seq is null or bid.bid_seq < before_seq)
    order by bid.bid_seq desc limit rows offset skipped;
end $$;

-- ---------------------------------------------------------------------------------------------------------------------------------
-- 3. A bid, in the order in which its transaction calls these functions (src/domain/auctions/bids.ts, auction-news.ts):
--      lock_bidding  locks the auction or lot and returns its state; the application decides whether to accept the bid
--      take_bid      trigger of the insert into auction_bids: checks every rule again and moves the auction or lot to its new state
--      tell_bid      writes the events, webhook deliveries and the notification of the bid, for all sides in one statement
--    An `item` is what is bid on: an auction between dealers (network_auctions) or a lot of a live event (live_lots).
-- ---------------------------------------------------------------------------------------------------------------------------------

create or replace function lock_bidding(wanted uuid, is_lot boolean, amount bigint) returns table (
    seller_id uuid, is_own boolean, is_leader boolean, status text, starts_at timestamptz, ends_at timestamptz, extension_count integer,
    start_price_minor bigint, min_increment_minor bigint, current_bid_minor bigint, bid_count integer, alias_no integer, chain_head text,
    reserve_met boolean, would_meet_reserve boolean, at timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  me uuid := current_account();
  item record;
begin
  -- Step 1: lock the item. Bids on one item are accepted one after the other from here to the end of the transaction.
  if is_lot then
    select lot.account_id, lot.operator_id, lot.status, null::timestamptz as starts_at, null::timestamptz as ends_at,
        null::integer as extension_count, lot.start_price_minor, lot.min_increment_minor, lot.reserve_price_minor,
        lot.current_bid_minor, lot.leader_id, lot.last_bid_at, lot.bid_count, lot.bidder_count, lot.chain_head
      into item from live_lots lot
      where lot.id = wanted
        and exists (select from live_events event where event.id = lot.event_id and dealers_meet(event.is_demo, me))
      for update;
  else
    select auction.account_id, auction.account_id as operator_id, auction.status, auction.starts_at, auction.ends_at,
        auction.extension_count, auction.start_price_minor, auction.min_increment_minor, auction.reserve_price_minor,
        auction.current_bid_minor, auction.leader_id, auction.last_bid_at, auction.bid_count, auction.bidder_count, auction.chain_head
      into item from network_auctions auction
      where auction.id = wanted and dealers_meet(auction.is_demo, me)
      for update;
  end if;
  if not found then return; end if;

  -- Step 2: return what the bid is judged by. The reserve price itself is not returned.
  return query select
    item.account_id,
    me in (item.account_id, item.operator_id),
    coalesce(item.leader_id = me, false),
    item.status, item.starts_at, item.ends_at, item.extension_count,
    item.start_price_minor, item.min_increment_minor, item.current_bid_minor, item.bid_count,
    -- The bidder's number from an earlier bid on this item, or the next free one.
    coalesce(
      (select bidder.alias_no from auction_bidders bidder where bidder.account_id = me and bidder.item_id = wanted),
      item.bidder_count + 1),
    item.chain_head,
    item.bid_count > 0 and (item.reserve_price_minor is null or item.current_bid_minor >= item.reserve_price_minor),
    item.reserve_price_minor is null or amount >= item.reserve_price_minor,
    -- The time of the bid: read under the lock and never before the previous bid.
    greatest(business_now(), item.last_bid_at);
end $$;

create or replace function take_bid() returns trigger
  language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  item record;
  known integer;
  alias integer;
  is_valid boolean;
  extends_end boolean := false;
begin
  -- Step 1: read the item under its lock, which lock_bidding took earlier in this transaction.
  if new.is_lot then
    select account_id, operator_id, status = 'Açık' as is_open, null::timestamptz as ends_at, start_price_minor, min_increment_minor,
        current_bid_minor, leader_id, last_bid_at, bid_count, bidder_count, chain_head
      into item from live_lots where id = new.item_id for update;
  else
    select account_id, account_id as operator_id,
        status = 'Canlı' and starts_at <= new.placed_at and new.placed_at < ends_at as is_open, ends_at, start_price_minor,
        min_increment_minor, current_bid_minor, leader_id, last_bid_at, bid_count, bidder_count, chain_head
      into item from network_auctions where id = new.item_id for update;
  end if;

  -- Step 2: bidders have numbers in the order of their first bids ('Katılımcı 1', 'Katılımcı 2', …).
  select alias_no into known from auction_bidders where account_id = new.account_id and item_id = new.item_id;
  alias := coalesce(known, item.bidder_count + 1);

  -- Step 3: judge the bid. The application has judged it too; the database accepts no bid that breaks a rule from any caller.
  is_valid :=
    item.is_open
    -- Seller and operator do not bid on their own item, and the leader does not outbid itself.
    and new.account_id not in (item.account_id, item.operator_id)
    and new.account_id is distinct from item.leader_id
    -- The bid is the next one and carries the bidder's number.
    and new.bid_seq = item.bid_count + 1
    and new.alias_no = alias
    -- The first bid is at least the start price, a later one at least one step above the highest.
    and new.amount_minor >= coalesce(item.current_bid_minor + item.min_increment_minor, item.start_price_minor)
    -- Its time is not before the previous bid and is the database's time.
    and (item.last_bid_at is null or new.placed_at >= item.last_bid_at)
    and abs(extract(epoch from new.placed_at - business_now())) < 60
    -- Its link continues the chain: SHA-256 over the previous link, number, amount, name and time, one per line.
    and new.chain = encode(sha256(convert_to(concat_ws(E'\n', item.chain_head, new.bid_seq::text, money_text(new.amount_minor),
      'Katılımcı ' || alias, utc_text(new.placed_at)), 'UTF8')), 'hex');
  if not coalesce(is_valid, false) then
    raise exception 'the bid breaks a rule of bidding' using errcode = '23514', constraint = 'auction_bids_rules';
  end if;

  -- Step 4: remember the bidder's number and highest bid.
  insert into auction_bidders (account_id, item_id, alias_no, highest_minor)
    values (new.account_id, new.item_id, alias, new.amount_minor)
    on conflict (account_id, item_id) do update set highest_minor = excluded.highest_minor;

  -- Step 5: the bid is now the highest of its item. An auction with 120 seconds or less to go ends 120 seconds after the bid.
  if new.is_lot then
    update live_lots set current_bid_minor = new.amount_minor, leader_id = new.account_id, leader_alias_no = alias,
      last_bid_at = new.placed_at, bid_count = new.bid_seq, bidder_count = greatest(bidder_count, alias), chain_head = new.chain,
      updated_at = new.placed_at
      where account_id = item.account_id and id = new.item_id;
  else
    extends_end := item.ends_at - new.placed_at <= interval '120 seconds';
    update network_auctions set current_bid_minor = new.amount_minor, leader_id = new.account_id, leader_alias_no = alias,
      last_bid_at = new.placed_at, bid_count = new.bid_seq, bidder_count = greatest(bidder_count, alias), chain_head = new.chain,
      ends_at = case when extends_end then new.placed_at + interval '120 seconds' else ends_at end,
      extension_count = extension_count + extends_end::int, updated_at = new.placed_at
      where account_id = item.account_id and id = new.item_id;
  end if;
  return null;
end $$;

-- `shown` is the JSON text of the event after its sequence number. The application builds it once for all sides. Where the sides see
-- different values it is cut into seven pieces, with these six values between them: vehicle_id, my_role, reserve_price,
-- my_highest_bid, am_i_leading, bid.is_mine. An event that is too large for its object has one piece, the same for every side.
create or replace function tell_bid(bid uuid, shown text[], is_extended boolean, first_event text, notice uuid, titles text[],
    bodies text[], request text, at timestamptz, real_at timestamptz) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  me uuid := current_account();
  placed_bid record;
  item record;
  former_leader uuid;
  sides uuid[];
  resource text;
  reserve text;
  event_start text;
  event_head text;
  is_whole boolean := cardinality(shown) = 1;
  for_seller text := shown[1];
  for_operator text := shown[1];
  for_bidder_before_highest text := shown[1];
  for_me_after_highest text;
  for_bidder_after_highest text;
begin
  -- Step 1: only the transaction that placed the bid may announce it.
  select item_id, is_lot, bid_seq into placed_bid from auction_bids
    where account_id = me and id = bid and xmin = pg_current_xact_id()::xid;
  if not found then
    raise exception 'only the transaction that places a bid can announce it' using errcode = '42501';
  end if;

  -- Step 2: the item, and who led before this bid.
  resource := case when placed_bid.is_lot then 'live_lot' else 'network_auction' end;
  if placed_bid.is_lot then
    select account_id, operator_id, vehicle_id, reserve_price_minor into item from live_lots where id = placed_bid.item_id;
  else
    select account_id, account_id as operator_id, vehicle_id, reserve_price_minor into item
      from network_auctions where id = placed_bid.item_id;
  end if;
  if placed_bid.bid_seq > 1 then
    select account_id into former_leader from auction_bids
      where item_id = placed_bid.item_id and bid_seq = placed_bid.bid_seq - 1;
  end if;

  -- Step 3: the text for each kind of side. The text for bidders has a gap for the highest bid of each.
  if not is_whole then
    reserve := coalesce('"' || money_text(item.reserve_price_minor) || '"', 'null');
    for_seller := concat(shown[1], '"', item.vehicle_id, '"', shown[2], '"seller"', shown[3], reserve, shown[4], 'null', shown[5],
      'false', shown[6], 'false', shown[7]);
    for_operator := concat(shown[1], 'null', shown[2], '"viewer"', shown[3], reserve, shown[4], 'null', shown[5],
      'false', shown[6], 'false', shown[7]);
    for_bidder_before_highest := concat(shown[1], 'null', shown[2], '"bidder"', shown[3], 'null', shown[4], '"');
    for_me_after_highest := concat('"', shown[5], 'true', shown[6], 'true', shown[7]);
    for_bidder_after_highest := concat('"', shown[5], 'false', shown[6], 'false', shown[7]);
  end if;
  event_start := concat('{"id":"', left(first_event, -4));
  event_head := concat('","timestamp":"', utc_text(at), '","api_version":"v1","account_id":"');

  -- Step 4: the sides are the seller, the operator and everybody who has bid.
  select array_agg(side order by side) into sides from (
    select account_id as side from auction_bidders where item_id = placed_bid.item_id
    union select item.account_id
    union select item.operator_id) every_side;

  -- Step 5: events and deliveries of all sides, in one statement.
  with
    -- Raises version and sequence of each side: one event, one more if the end moved, one more for the former leader. The index on
    -- ids is the only plan that the settings of this function leave, so sides are locked in the order of their ids, as every write does.
    raised as (
      update data_sets set version = version + 1,
        sequence = sequence + 1 + is_extended::int + coalesce(id = former_leader, false)::int
      where id = any(sides)
      returning id as side, account_id as dealer, kind as environment, sequence as last_number),
    -- A place per side, which makes the ids of its events unique: 0 the seller, 1 the operator, from 2 on the bidders by number.
    placed as (
      select raised.*, coalesce(mine.alias_no + 1, (side <> item.account_id)::int) as place, mine.highest_minor
      from raised left join auction_bidders mine on mine.account_id = side and mine.item_id = placed_bid.item_id),
    -- The events of each side, with their sequence numbers and the last four characters of their ids.
    given as (
      select placed.*, resource || '.bid_placed' as type,
        last_number - is_extended::int - coalesce(side = former_leader, false)::int as number,
        lpad(to_hex(place * 4), 4, '0') as ending
      from placed
      union all
      select placed.*, resource || '.outbid', last_number - is_extended::int, lpad(to_hex(place * 4 + 1), 4, '0')
      from placed where side = former_leader
      union all
      select placed.*, resource || '.extended', last_number, lpad(to_hex(place * 4 + 2), 4, '0')
      from placed where is_extended),
    stored as (
      insert into events (account_id, id, sequence, kind, resource_kind, resource_id, payload, request_id, created_at)
      select side, left(first_event, -4) || ending, number, type, resource, placed_bid.item_id,
        concat(event_start, ending, '","type":"', type, event_head, dealer, '","environment":"', environment, '","sequence":', number,
          case
            when highest_minor is not null then for_bidder_before_highest
            when side = item.account_id then for_seller
            else for_operator
          end,
          case when highest_minor is not null and not is_whole then money_text(highest_minor) end,
          case when highest_minor is null then null when side = me then for_me_after_highest else for_bidder_after_highest end),
        request, at
      from given)
  insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, created_at, next_attempt_at)
    select side, gen_random_uuid(), webhooks.id, left(first_event, -4) || ending, type, real_at, real_at
    from given
    join webhooks on webhooks.account_id = side and status = 'Aktif' and deleted_at is null
      and events && array['*', type, resource || '.*'];

  -- Step 6: a notification for the former leader, in the language of that dealer.
  if former_leader is not null then
    insert into notifications (account_id, id, kind, title, body, resource_type, resource_id, created_at)
      select former_leader, notice, resource || '.outbid',
        left(case when locale = 'en' then titles[1] else titles[2] end, 200),
        left(case when locale = 'en' then bodies[1] else bodies[2] end, 2000), resource, placed_bid.item_id, at
      from data_sets join accounts on accounts.id = data_sets.account_id
      where data_sets.id = former_leader;
  end if;
end $$;

-- ---------------------------------------------------------------------------------------------------------------------------------
-- 4. The same body with a clearer comment.
-- ---------------------------------------------------------------------------------------------------------------------------------

create or replace function end_links_of_member() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  person people;
begin
  if new.person_id is not null then
    -- Locks the person, so that a link that is created at the same time is either seen here or created after this change.
    select * into person from people where id = new.person_id for no key update;
    update password_resets set used_at = now() where used_at is null and made_by is not null
      and (person_id = new.person_id or (made_by = new.person_id and made_as_owner_of = new.account_id));
  end if;
  update invitations set revoked_at = now() where account_id = new.account_id and accepted_at is null and revoked_at is null
    and ((member_id = new.id and (new.person_id is not null or not new.active))
      or lower(email) = lower(person.email)
      or (invited_by = new.person_id and not (new.role = 'owner' and new.active) and not person.is_admin));
  return null;
end $$;
