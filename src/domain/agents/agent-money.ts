// How much money a write moves, from the reply of its dry run. An endpoint that is not listed counts as unknown, and a person decides.
import { CURRENCIES, type Currency, parseMoney } from '../../kit/money.ts';

export interface Amount {
  readonly currency: Currency;
  readonly minor: bigint;
}

type Data = Readonly<Record<string, unknown>>;
type Pair = readonly [amount: unknown, currency: unknown];
type Moves = (reply: Data, body: Data) => readonly Pair[];

const NOTHING: Moves = () => [];
/** Money moves, and neither the body nor the reply has the sum: a person decides. */
const UNKNOWN: readonly Pair[] = [[undefined, undefined]];
/** Of a sale: its price and its finance charge. */
const priceOf: Moves = ({ sale_price, finance_charge, currency }) => [
  [sale_price, currency],
  [finance_charge ?? null, currency],
];
const amount: Moves = ({ amount, currency }) => [[amount, currency]];
const within = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});
const listOf = (value: unknown): readonly Data[] => (Array.isArray(value) ? value.map(within) : []);

/** Fields of a sale beside its money. A change of any other field counts with the price of the sale. */
const BESIDE_MONEY: ReadonlySet<string> = new Set(
  (
    'external_ref notes title_transfer secure_payment_ref invoice guarantor_ids salesperson_id branch_id delivered_at ' +
    'delivery_due_on'
  ).split(' '),
);

/** Returns or keeps an open deposit, whose sum only the database has. */
const endsDeposit = ({ deposit_disposition }: Data): boolean => deposit_disposition !== undefined && deposit_disposition !== null;

const MOVES: Readonly<Record<string, Moves>> = {
  'PATCH vehicles/{vehicle_id}': (_, body) => (endsDeposit(body) ? UNKNOWN : []),
  'POST vehicles/{vehicle_id}/reserve': (reply) => {
    const { deposit_amount, deposit_currency } = within(reply.reservation);
    return [[deposit_amount ?? null, deposit_currency]];
  },
  'POST vehicles/{vehicle_id}/mark-sold': (reply, body) => [
    [body.sold_price ?? reply.price, body.sold_currency ?? reply.currency],
    ...(endsDeposit(body) ? UNKNOWN : []),
  ],
  'POST sales': priceOf,
  // The reply has the new price only: a lowered one would count as little as is left of it.
  'PATCH sales/{sale_id}': (reply, body) => {
    if ('sale_price' in body || 'finance_charge' in body) return UNKNOWN;
    return Object.keys(body).every((field) => BESIDE_MONEY.has(field)) ? [] : priceOf(reply, body);
  },
  'DELETE sales/{sale_id}': priceOf,
  'POST sales/{sale_id}/cancel': ({ refunded_amount, currency }) => [[refunded_amount, currency]],
  // What an installment loses, others of the plan gain; the reply has the new amount only.
  'PATCH installments/{installment_id}': (reply, body) => ('amount' in body ? UNKNOWN : amount(reply, body)),
  // The reply is the payment; a discount beside it is a record of its own. An agreed rate decides what the payment is worth.
  'POST collections': (reply, body) => [
    [reply.amount, reply.currency],
    ...(reply.type === 'İndirim' ? [] : [[body.discount_amount ?? null, reply.sale_currency] as const]),
    ...('exchange_rate' in body ? UNKNOWN : []),
  ],
  'POST collections/{collection_id}/reverse': ({ reversal }) => [[within(reversal).amount, within(reversal).currency]],
  'POST promissory-notes': (reply) => listOf(reply.list).map(({ amount, currency }) => [amount, currency]),
  'PATCH promissory-notes/{note_id}': amount,
  'POST network-offers': amount,
  'POST network-offers/{offer_id}/accept': amount,
  'POST network-offers/{offer_id}/counter': amount,
  // A car goes for a car; the difference says nothing about what is given away.
  'POST trade-requests': () => UNKNOWN,
  'POST trade-requests/{request_id}/accept': () => UNKNOWN,
  'POST network-auctions': ({ start_price, currency }) => [[start_price, currency]],
  'POST network-auctions/{auction_id}/bid': ({ bid, auction }) => [[within(bid).amount, within(auction).currency]],
  'POST network-auctions/{auction_id}/end': ({ current_bid, currency }) => [[current_bid ?? null, currency]],
  'POST live-auctions/lots/{lot_id}/bid': ({ bid, lot }) => [[within(bid).amount, within(lot).currency]],
  'POST live-auctions/lots/{lot_id}/end': ({ current_bid, currency }) => [[current_bid ?? null, currency]],
  'POST marketplace/listings/{listing_id}/offers/{offer_id}/accept': amount,
  'POST wallet/topup-requests': amount,
  'POST boost-orders': ({ price, currency }) => [[price, currency]],
  'DELETE boost-orders/{order_id}': ({ price, currency }) => [[price, currency]],
};

/** Writes that move no money. */
const STILL: ReadonlySet<string> = new Set([
  'POST vehicles',
  'DELETE vehicles/{vehicle_id}',
  'POST vehicles/{vehicle_id}/publish',
  'POST vehicles/{vehicle_id}/unpublish',
  'POST vehicles/{vehicle_id}/restore',
  'POST vehicles/bulk-create',
  'POST vehicles/bulk-update',
  'POST vehicles/{vehicle_id}/photos',
  'PATCH vehicles/{vehicle_id}/photos/{photo_id}',
  'DELETE vehicles/{vehicle_id}/photos/{photo_id}',
  'POST vehicles/{vehicle_id}/photos/reorder',
  'POST vehicles/{vehicle_id}/videos',
  'PATCH vehicles/{vehicle_id}/videos/{video_id}',
  'DELETE vehicles/{vehicle_id}/videos/{video_id}',
  'POST vehicles/{vehicle_id}/videos/reorder',
  'POST customers',
  'PATCH customers/{customer_id}',
  'DELETE customers/{customer_id}',
  'POST customers/{customer_id}/activity',
  'POST customers/{customer_id}/guarantors',
  'PATCH guarantors/{guarantor_id}',
  'DELETE guarantors/{guarantor_id}',
  'POST installments/{installment_id}/postpone',
  'POST payment-promises',
  'PATCH payment-promises/{promise_id}',
  'POST documents',
  'DELETE documents/{document_id}',
  'POST sales/{sale_id}/sale-documents/generate',
  'POST sale-documents/{document_id}/send',
  'POST sale-documents/{document_id}/void',
  'POST tasks',
  'PATCH tasks/{task_id}',
  'DELETE tasks/{task_id}',
  'POST network-offers/{offer_id}/reject',
  'POST network-offers/{offer_id}/withdraw',
  'POST trade-requests/{request_id}/reject',
  'DELETE trade-requests/{request_id}',
  'POST marketplace/listings',
  'DELETE marketplace/listings/{listing_id}',
  'POST marketplace/listings/{listing_id}/offers/{offer_id}/reject',
  'POST auction-requests',
  'PATCH auction-requests/{request_id}',
  'DELETE auction-requests/{request_id}',
  'POST live-auctions/lots/{lot_id}/start',
  'POST notifications/{notification_id}/read',
  'POST notifications/read-all',
  'POST import/connectors',
  'PATCH import/connectors/{connector_id}',
  'DELETE import/connectors/{connector_id}',
  'POST import/connectors/{connector_id}/run',
  'POST webhooks',
  'PATCH webhooks/{webhook_id}',
  'DELETE webhooks/{webhook_id}',
  'POST webhooks/{webhook_id}/rotate-secret',
  'POST webhooks/{webhook_id}/test',
  'POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
]);

/** Writes that make the service call an address, or send something to a person outside: a person confirms them. */
const REACHES_OUT: ReadonlySet<string> = new Set([
  'POST vehicles/{vehicle_id}/photos',
  'POST sale-documents/{document_id}/send',
  'POST import/connectors/{connector_id}/run',
  'POST webhooks',
  'PATCH webhooks/{webhook_id}',
  'POST webhooks/{webhook_id}/test',
  'POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
]);

export const reachesOut = (endpointId: string): boolean => REACHES_OUT.has(endpointId);

/** Sums by currency, in the order of the currencies; null where the sums cannot be known. */
export function moneyOf(endpointId: string, reply: unknown, body: unknown): Amount[] | null {
  const moves = STILL.has(endpointId) ? NOTHING : MOVES[endpointId];
  if (moves === undefined) return null;
  const sums = new Map<Currency, bigint>();
  for (const [amount, currency] of moves(Array.isArray(reply) ? { list: reply } : within(reply), within(body))) {
    if (amount === null) continue;
    const minor = parseMoney(String(amount).replace(/^-/, ''));
    const known = CURRENCIES.find((one) => one === currency);
    if (minor === null || known === undefined) return null;
    sums.set(known, (sums.get(known) ?? 0n) + minor);
  }
  return CURRENCIES.flatMap((currency) => ((sums.get(currency) ?? 0n) > 0n ? [{ currency, minor: sums.get(currency)! }] : []));
}
