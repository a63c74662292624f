// The events that a role may have sent to an address: those of records that it may read in the panel.
import type { SCOPE_RESOURCES } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { mayUse, type Role } from '../identity/roles.ts';
import { EVENT_KINDS, type EventResource, subscribedResources } from '../writes/event-kinds.ts';

const SCOPE_OF: Readonly<Record<EventResource, (typeof SCOPE_RESOURCES)[number]>> = {
  vehicle: 'vehicles',
  vehicle_photo: 'vehicles',
  vehicle_video: 'vehicles',
  customer: 'customers',
  customer_activity: 'customers',
  guarantor: 'guarantors',
  sale: 'sales',
  installment_plan: 'installments',
  installment: 'installments',
  collection: 'collections',
  payment_promise: 'payment-promises',
  document: 'documents',
  sale_document: 'documents',
  promissory_note: 'promissory-notes',
  task: 'tasks',
  network_offer: 'network-offers',
  trade_request: 'trade-requests',
  network_auction: 'network-auctions',
  auction_request: 'auction-requests',
  live_auction: 'live-auctions',
  live_lot: 'live-auctions',
  listing: 'marketplace',
  marketplace_offer: 'marketplace',
  membership: 'membership',
  membership_invoice: 'membership',
  wallet_topup: 'wallet',
  wallet_transaction: 'wallet',
  boost_order: 'boost',
  exchange_rate: 'exchange-rates',
  import_connector: 'import',
  import_run: 'import',
  webhook: 'webhooks',
  notification: 'notifications',
  test: 'webhooks',
};

const mayRead = (role: Role, resource: EventResource): boolean =>
  mayUse(role, { scope: `${SCOPE_OF[resource]}:read`, risk: 'read' });

/** The subscriptions (`sale.created`, `sale.*`, `*`) that bring events which the role may not read. */
export const eventsBeyond = (role: Role, subscriptions: readonly string[]): string[] =>
  subscriptions.filter((name) => subscribedResources(name).some((resource) => !mayRead(role, resource)));

/** The kinds of event whose content the role may not read. A key (null) reads all: its endpoints decide what it does. */
export const unreadableEvents = (role: string | null): string[] => (role === null ? [] : eventsBeyond(role as Role, EVENT_KINDS));

/** The deliveries of a webhook have events that its creator may read; the person who looks at them may have another role. */
export function requireReadableEvent(role: string | null, kind: string): void {
  if (!unreadableEvents(role).includes(kind)) return;
  const message = {
    en: `Your role cannot read ${kind} events; an owner can`,
    tr: `Rolünüz ${kind} olaylarının içeriğini okuyamaz; hesap sahibi okuyabilir`,
  };
  fail('not_permitted', { message });
}

/** A person's role bounds the events of a webhook. Keys have no role: their endpoints decide what they do. */
export function requireEventRights(role: string | undefined, subscriptions: readonly string[]): void {
  if (role === undefined) return;
  const beyond = eventsBeyond(role as Role, subscriptions);
  if (beyond.length === 0) return;
  const message = {
    en: `Your role cannot read these events: ${beyond.join(', ')}; an owner can add them`,
    tr: `Rolünüz şu olayları okuyamaz: ${beyond.join(', ')}; bunları hesap sahibi ekleyebilir`,
  };
  fail('not_permitted', { message, details: [{ field: 'events', code: 'not_permitted', message }] });
}
