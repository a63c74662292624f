// Every kind of event. A webhook subscribes to kinds by name, to all of a resource (`vehicle.*`) or to all (`*`).

const VERBS = {
  vehicle:
    'created updated price_changed status_changed reserved reservation_released sold published unpublished deleted restored',
  vehicle_photo: 'created updated deleted reordered',
  vehicle_video: 'created updated deleted reordered',
  customer: 'created updated deleted',
  customer_activity: 'created',
  guarantor: 'created updated deleted',
  sale: 'created updated restructured completed reopened cancelled',
  installment_plan: 'created updated completed cancelled',
  installment: 'updated paid partially_paid reopened postponed overdue due_soon',
  collection: 'created reversed refunded deposit_kept',
  payment_promise: 'created updated kept broken cancelled reopened',
  document: 'created deleted',
  sale_document: 'generated sent reminded viewed signed completed declined voided expired',
  promissory_note: 'created updated status_changed collected protested returned cancelled',
  task: 'created updated completed deleted',
  network_offer: 'created countered accepted rejected withdrawn expired completed fell_through',
  trade_request: 'created accepted rejected cancelled expired completed fell_through',
  network_auction: 'created started bid_placed outbid extended ended cancelled won lost fell_through',
  auction_request: 'created updated approved rejected cancelled',
  live_auction: 'started ended cancelled',
  live_lot: 'started bid_placed outbid sold unsold withdrawn won fell_through',
  listing: 'published suspended resumed closed',
  marketplace_offer: 'received accepted rejected expired completed fell_through',
  membership: 'updated limit_reached',
  membership_invoice: 'issued paid',
  wallet_topup: 'requested approved rejected',
  wallet_transaction: 'created',
  boost_order: 'created started finished cancelled',
  exchange_rate: 'updated',
  import_connector: 'created updated deleted',
  import_run: 'started finished failed',
  webhook: 'disabled',
  notification: 'created',
  test: 'ping',
} as const;

export const EVENT_KINDS: readonly string[] = Object.entries(VERBS).flatMap(([resource, verbs]) =>
  verbs.split(' ').map((verb) => `${resource}.${verb}`),
);

export type EventResource = keyof typeof VERBS;
const RESOURCES = Object.keys(VERBS) as EventResource[];

/** The resources whose events a subscription brings. */
export const subscribedResources = (name: string): EventResource[] =>
  name === '*' ? RESOURCES : RESOURCES.filter((resource) => name.startsWith(`${resource}.`));

const KNOWN: ReadonlySet<string> = new Set(EVENT_KINDS);
const ASKED_FOR: ReadonlySet<string> = new Set(['*', ...EVENT_KINDS, ...Object.keys(VERBS).map((resource) => `${resource}.*`)]);

export const isEventKind = (kind: string): boolean => KNOWN.has(kind);
/** Whether a webhook can subscribe to it. */
export const isSubscription = (name: string): boolean => ASKED_FOR.has(name);
