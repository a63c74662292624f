// The kinds of notifications, and the screens of the records they are about.
import type { NotificationKind } from '../../../../src/domain/notifications/notification.ts';

// biome-ignore format: one list, by subject
export const KINDS: readonly NotificationKind[] = [
  'network_offer.created', 'network_offer.countered', 'network_offer.accepted', 'network_offer.rejected', 'network_offer.withdrawn',
  'network_offer.expired', 'network_offer.fell_through', 'network_auction.won', 'network_auction.lost', 'network_auction.outbid',
  'network_auction.ended', 'network_auction.fell_through', 'live_lot.fell_through',
  'live_lot.won', 'live_lot.outbid', 'live_lot.sold', 'live_lot.unsold', 'trade_request.created', 'trade_request.accepted',
  'trade_request.rejected', 'trade_request.cancelled', 'trade_request.expired', 'trade_request.fell_through',
  'marketplace_offer.received', 'wallet_topup.approved', 'wallet_topup.rejected',
  'auction_request.approved', 'auction_request.rejected', 'installment.overdue', 'payment_promise.broken', 'sale_document.signed',
  'sale_document.declined', 'import_run.finished', 'import_run.failed', 'webhook.disabled', 'membership_invoice.issued',
  'vehicle.reservation_released', 'notification.created',
];

const PLACES: Readonly<Record<string, (id: string) => string>> = {
  vehicle: (id) => `/araclar/${id}`,
  enquiry: (id) => `/adaylar?aday=${id}`,
  customer: (id) => `/musteriler/${id}`,
  task: (id) => `/gorevler?gorev=${id}`,
  webhook: (id) => `/webhooks/${id}`,
  network_offer: (id) => `/ag/teklifler/${id}`,
  trade_request: (id) => `/ag/takas/${id}`,
  network_auction: (id) => `/muzayede/ag/${id}`,
  live_lot: (id) => `/muzayede/lot/${id}`,
  auction_request: () => '/muzayede/talepler',
  marketplace_offer: (id) => `/pazar/teklif/${id}`,
  sale: (id) => `/satislar/${id}`,
  installment: () => '/tahsilat',
  payment_promise: () => '/tahsilat',
  sale_document: () => '/belgeler',
  wallet_topup: () => '/cuzdan',
  membership_invoice: () => '/uyelik',
  import_run: (id) => `/ice-aktarim/calismalar/${id}`,
};

/** Null where there is no such screen yet. */
export function placeOf(type: string | null, id: string | null): string | null {
  const place = type === null ? undefined : PLACES[type];
  return place === undefined || id === null ? null : place(id);
}
