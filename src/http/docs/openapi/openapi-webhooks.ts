// The `webhooks` section: one entry for every kind of event, with what is sent as it is sent.
import type { JsonSchema } from '../../../domain/catalog/json-schema.ts';
import { SAMPLE_META } from '../../../domain/catalog/sample.ts';
import { EVENT_KINDS } from '../../../domain/writes/event-kinds.ts';
import type { ApiEndpoint } from '../../api/api-endpoints.ts';
import { exampleOf } from './examples.ts';
import { pascal } from './openapi-names.ts';
import { type Part, schemaRef, schemasOf } from './openapi-schemas.ts';

/** The endpoint that reads an event's record. Events about personal data carry ids only. */
const READ_BY: Readonly<Record<string, string>> = {
  vehicle: 'vehicles/{vehicle_id}',
  vehicle_photo: 'vehicles/{vehicle_id}/photos/{photo_id}',
  vehicle_video: 'vehicles/{vehicle_id}/videos/{video_id}',
  customer: 'customers/{customer_id}',
  customer_activity: 'customers/{customer_id}/activity',
  guarantor: 'guarantors/{guarantor_id}',
  sale: 'sales/{sale_id}',
  installment_plan: 'installment-plans/{plan_id}',
  installment: 'installment-plans/{plan_id}/installments',
  collection: 'collections/{collection_id}',
  payment_promise: 'payment-promises/{promise_id}',
  document: 'documents/{document_id}',
  sale_document: 'documents/{document_id}',
  promissory_note: 'promissory-notes/{note_id}',
  task: 'tasks/{task_id}',
  network_offer: 'network-offers/{offer_id}',
  trade_request: 'trade-requests/{request_id}',
  network_auction: 'network-auctions/{auction_id}',
  auction_request: 'auction-requests/{request_id}',
  live_auction: 'live-auctions/{event_id}',
  live_lot: 'live-auctions/lots/{lot_id}',
  listing: 'marketplace/listings/{listing_id}',
  marketplace_offer: 'marketplace/offers/{offer_id}',
  membership: 'membership',
  membership_invoice: 'membership/invoices',
  wallet_topup: 'wallet/topup-requests',
  wallet_transaction: 'wallet/transactions/{transaction_id}',
  boost_order: 'boost-orders/{order_id}',
  exchange_rate: 'exchange-rates',
  import_connector: 'import/connectors/{connector_id}',
  import_run: 'import/runs/{run_id}',
  webhook: 'webhooks/{webhook_id}',
  notification: 'notifications/{notification_id}',
  test: 'webhooks/{webhook_id}',
};

/** Events of these carry ids only, even if the record shows more. */
const IDS_ONLY = new Set([
  'customer',
  'customer_activity',
  'guarantor',
  'document',
  'sale_document',
  'promissory_note',
  'wallet_topup',
  'wallet_transaction',
]);

export const isPersonal = (resource: string): boolean => IDS_ONLY.has(resource);

/** The name of the schema of the record that events of a resource carry; null where they carry something else. */
export function recordSchemaOf(resource: string, endpoints: readonly ApiEndpoint[]): string | null {
  const { of, components } = schemasOf(endpoints);
  const reply = of.get(`GET ${READ_BY[resource]}`)?.reply.$ref;
  if (typeof reply !== 'string') return null;
  const envelope = components[reply.split('/').at(-1)!] as {
    properties: { data: { $ref?: string; allOf?: readonly { $ref: string }[] } };
  };
  // A record that takes `include` has more members.
  const { $ref, allOf } = envelope.properties.data;
  return ($ref ?? allOf?.[0]?.$ref)?.split('/').at(-1) ?? null;
}

const SAMPLE_ID = '0199f3a2-6c1e-7b40-9d52-3f8a1e64c7b9';

/** Null where none of the endpoints described lets a key ask for events. */
export function webhooksOf(described: readonly ApiEndpoint[], components: Readonly<Record<string, JsonSchema>>): Part | null {
  const category = described.find(({ path }) => path.startsWith('webhooks'))?.category;
  if (category === undefined || components.Event === undefined) return null;
  return Object.fromEntries(EVENT_KINDS.map((kind, index) => [kind, { post: webhookOf(kind, index + 1, category) }]));
}

function webhookOf(kind: string, sequence: number, category: string): Part {
  const [noun, verb] = kind.split('.') as [string, string];
  const personal = IDS_ONLY.has(noun) ? ' It carries ids only: read the record where you need more.' : '';
  return {
    operationId: `on${pascal(noun)}${pascal(verb)}`,
    tags: [category],
    summary: `\`${kind}\``,
    description: `Sent to every webhook that asks for \`${kind}\`, \`${noun}.*\` or \`*\`.${personal}`,
    parameters: HEADERS,
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaRef('Event'), example: payloadOf(kind, sequence) } },
    },
    responses: {
      '2XX': { description: 'Accepted.' },
      '4XX': { description: 'The delivery is retried; 410 disables the webhook.' },
    },
  };
}

const header = (name: string, description: string): Part => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS: readonly Part[] = [
  header('webhook-id', 'Id of the event, the same on every attempt: what you have seen already, you need not do again.'),
  header('webhook-timestamp', 'When this attempt was made, in epoch seconds.'),
  header('webhook-signature', '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; one for each valid secret.'),
];

export function payloadOf(kind: string, sequence: number): Part {
  const [noun, verb] = kind.split('.') as [string, string];
  const path = READ_BY[noun]!;
  const example = exampleOf(`GET ${path}`);
  const shown = (example?.reply as { data?: Record<string, unknown> } | undefined)?.data ?? {};
  const id = noun !== 'test' && typeof shown.id === 'string' ? shown.id : SAMPLE_ID;
  const ids = {
    id,
    ...(typeof shown.customer_id === 'string' && noun === 'guarantor' ? { customer_id: shown.customer_id } : {}),
  };
  const object = noun === 'test' || IDS_ONLY.has(noun) || Array.isArray(shown) ? ids : { ...shown, id };
  const changed = verb === 'price_changed' ? ['price'] : verb === 'updated' && 'note' in object ? ['note'] : [];
  const account = exampleOf('GET account')?.reply as { data?: { id?: string } } | undefined;
  return {
    id: `evt_${SAMPLE_META.request_id.slice(4)}`,
    type: kind,
    timestamp: '2026-11-14T21:03:11.482Z',
    api_version: 'v1',
    account_id: account?.data?.id ?? SAMPLE_ID,
    environment: 'production',
    sequence: noun === 'test' ? null : sequence,
    resource: { kind: noun === 'test' ? 'webhook' : noun, id, path: `/api/v1/${filled(path, id, example?.params)}` },
    data: { object, changed, previous: Object.fromEntries(changed.map((field) => [field, BEFORE[field] ?? null])) },
    request_id: SAMPLE_META.request_id,
  };
}

/** The values before an edit; the note was empty. */
const BEFORE: Readonly<Record<string, string>> = { price: '13950.00' };

const filled = (path: string, id: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? id);
