-- A bid exactly 120 seconds before the end counts as an extension and leaves the end where it is. The rule that an auction with an
-- extension has another end than the original one refused such a bid; now only an auction without an extension must have its
-- original end.

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
    when not (extension_count > 0 or ends_at = original_ends_at) then 'network_auctions_check2'
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
