// Invariants between dealers, queried over the whole database without row-level security.
import { gapsIn } from './history.ts';
import type { World } from './world.ts';

/** Each returns no rows, or the violations. */
const CHECKS: Readonly<Record<string, string>> = {
  'an offer differs between the events of both parties': `
    select o.id, s.kinds as seller, b.kinds as buyer from network_offers o
    cross join lateral (select array_agg(kind order by sequence) as kinds from events where account_id = o.account_id and resource_id = o.id) s
    cross join lateral (select array_agg(kind order by sequence) as kinds from events where account_id = o.buyer_id and resource_id = o.id) b
    where s.kinds is distinct from b.kinds`,
  'a trade differs between the events of both parties': `
    select t.id, s.kinds as recipient, b.kinds as requester from trade_requests t
    cross join lateral (select array_agg(kind order by sequence) as kinds from events where account_id = t.account_id and resource_id = t.id) s
    cross join lateral (select array_agg(kind order by sequence) as kinds from events where account_id = t.requester_id and resource_id = t.id) b
    where s.kinds is distinct from b.kinds`,
  'the events of an offer are not those of its state': `
    select o.id, o.status, s.kinds from network_offers o
    cross join lateral (select string_agg(replace(kind, 'network_offer.', ''), ' ' order by sequence) as kinds from events
      where account_id = o.account_id and resource_id = o.id) s
    where s.kinds is distinct from case o.status when 'Beklemede' then 'created' when 'Karşı Teklif' then 'created countered'
      when 'Kabul Edildi' then 'created accepted' when 'Reddedildi' then 'created rejected' when 'Geri Çekildi' then 'created withdrawn'
      when 'Süresi Doldu' then 'created expired' when 'Tamamlandı' then 'created accepted completed' else 'created accepted fell_through' end`,
  'the events of a swap are not those of its state': `
    select t.id, t.status, s.kinds from trade_requests t
    cross join lateral (select string_agg(replace(kind, 'trade_request.', ''), ' ' order by sequence) as kinds from events
      where account_id = t.account_id and resource_id = t.id) s
    where s.kinds is distinct from case t.status when 'Beklemede' then 'created' when 'Kabul Edildi' then 'created accepted'
      when 'Reddedildi' then 'created rejected' when 'İptal' then 'created cancelled' when 'Süresi Doldu' then 'created expired'
      when 'Tamamlandı' then 'created accepted completed' else 'created accepted fell_through' end`,
  'a counter-offer does not answer the one before it': `
    select o.id from network_offers o left join network_offers p on p.account_id = o.account_id and p.id = o.parent_id
    where o.parent_id is not null and (p.id is null or p.status <> 'Karşı Teklif' or p.made_by = o.made_by or p.amount_minor = o.amount_minor
      or p.thread_id <> o.thread_id or p.buyer_id <> o.buyer_id or p.listing_id <> o.listing_id or p.created_at >= o.created_at)`,
  'an offer was countered by none or several': `
    select o.id from network_offers o where o.status = 'Karşı Teklif'
      and (select count(*) from network_offers c where c.account_id = o.account_id and c.parent_id = o.id) <> 1`,
  'a thread is not one buyer and one listing': `
    select thread_id from network_offers group by thread_id having count(distinct (account_id, listing_id, buyer_id)) > 1
      or count(*) filter (where status in ('Beklemede', 'Kabul Edildi')) > 1`,
  'a vehicle has several holders': `
    select vehicle_id from reservations where status = 'Aktif' group by account_id, vehicle_id having count(*) > 1
    union all select vehicle_id from network_offers where status = 'Kabul Edildi' group by account_id, vehicle_id having count(*) > 1`,
  'a vehicle is reserved without a hold, or held without being reserved': `
    select v.id, v.status from vehicles v where (v.status = 'Rezerve') <> exists
      (select from reservations r where r.account_id = v.account_id and r.vehicle_id = v.id and r.status = 'Aktif')`,
  'an agreement has no hold, or the hold is another’s': `
    select o.id from network_offers o where o.status = 'Kabul Edildi' and not exists (select from reservations r where r.account_id = o.account_id
      and r.vehicle_id = o.vehicle_id and r.status = 'Aktif' and r.kind = 'Ağ Teklifi' and r.source_id = o.id and r.counterparty_id = o.buyer_id)
    union all select t.id from trade_requests t where t.status = 'Kabul Edildi' and (
      (not t.is_requested_sold and not exists (select from reservations r where r.account_id = t.account_id and r.vehicle_id = t.requested_vehicle_id
        and r.status = 'Aktif' and r.source_id = t.id)) or
      (not t.is_offered_sold and not exists (select from reservations r where r.account_id = t.requester_id and r.vehicle_id = t.offered_vehicle_id
        and r.status = 'Aktif' and r.source_id = t.id)))`,
  'a hold has no agreement': `
    select r.id, r.kind from reservations r where r.status = 'Aktif' and r.kind in ('Ağ Teklifi', 'Takas')
      and not exists (select from network_offers o where o.account_id = r.account_id and o.id = r.source_id and o.status = 'Kabul Edildi')
      and not exists (select from trade_requests t where t.id = r.source_id and t.status = 'Kabul Edildi')`,
  'an offer or trade is open on a vehicle that is not for sale': `
    select o.id from network_offers o join vehicles v on v.account_id = o.account_id and v.id = o.vehicle_id
      join listings l on l.account_id = o.account_id and l.id = o.listing_id
      where o.status = 'Beklemede' and (v.status <> 'Stokta' or v.deleted_at is not null or l.status <> 'Yayında')
    union all select t.id from trade_requests t join vehicles v on v.account_id = t.account_id and v.id = t.requested_vehicle_id
      join vehicles w on w.account_id = t.requester_id and w.id = t.offered_vehicle_id
      where t.status = 'Beklemede' and (v.status <> 'Stokta' or w.status <> 'Stokta')`,
  'a listing does not match its vehicle': `
    select l.id, l.status, v.status from listings l join vehicles v on v.account_id = l.account_id and v.id = l.vehicle_id
    where (l.status = 'Yayında' and v.status <> 'Stokta') or (l.status = 'Askıda' and v.status <> 'Rezerve')`,
  'the ledger does not sum to zero': `
    select transaction_id from ledger_entries group by account_id, transaction_id
      having sum(case direction when 'debit' then amount_minor else -amount_minor end) <> 0`,
  'a wallet is not what was posted, or below zero': `
    select w.account_id, w.balance_minor from wallets w where w.balance_minor < 0 or w.balance_minor <>
      (select coalesce(sum(amount_minor), 0) from wallet_transactions t where t.account_id = w.account_id)`,
  'a boost was not charged once, or not refunded exactly once': `
    select b.id, b.status from boost_orders b
    where (select count(*) from wallet_transactions t where t.account_id = b.account_id and t.reference_id = b.id and t.type = 'Boost'
        and t.amount_minor = -b.price_minor) <> 1
      or (select count(*) from wallet_transactions t where t.account_id = b.account_id and t.reference_id = b.id and t.type = 'Boost İadesi')
        <> (b.refund_transaction_id is not null)::int`,
};

/** At most three of each kind. */
export async function brokenDeals(world: World): Promise<string[]> {
  const found: string[] = [];
  // No other query reads one record's events: without this index thousands of records would each read all of them.
  await world.query('create index if not exists events_of_record on events (resource_id)');
  for (const [what, text] of Object.entries(CHECKS))
    for (const row of (await world.query(text)).slice(0, 3)) found.push(`${what}: ${JSON.stringify(row)}`);
  for (const { accountId } of world.dealers) found.push(...(await gapsIn(world, accountId)));
  return found;
}
