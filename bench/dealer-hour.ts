// The assumption of `node bench/day.ts`, in this table only: the requests of a dealer in an hour of a working day.
import { type Stock, saleOf, type WorkingDealer } from './dealers.ts';
import type { LoadRequest } from './load.ts';

/** A dealer and what was made for it. */
export interface DayDealer extends WorkingDealer {
  /** Of the dealers with a program of their own: the connector of their feed. */
  readonly connector: string | null;
}

const SALES = 6;
/** One in so many dealers has a webhook for every event that the mix causes, and a feed. */
export const ONE_IN = 4;
const FEED_ROWS = 20;

interface Act {
  readonly kind: string;
  /** Requests per dealer and hour. */
  readonly perHour: number;
  readonly request: (dealer: DayDealer, number: number) => LoadRequest;
  /** Only dealers with a feed, each `ONE_IN` times as often. */
  readonly byFeed?: true;
}

const bearer = ({ key }: DayDealer) => ({ Authorization: `Bearer ${key}` });
const read =
  (path: string) =>
  (dealer: DayDealer): LoadRequest => ({ path: `/api/v1/${path}`, headers: bearer(dealer) });
const panel =
  (path: string) =>
  ({ cookie }: DayDealer): LoadRequest => ({
    path: `/panel/api/${path}`,
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  });
const post = (dealer: DayDealer, path: string, body: unknown): LoadRequest => ({
  method: 'POST',
  path: `/api/v1/${path}`,
  headers: { ...bearer(dealer), 'Content-Type': 'application/json', 'Idempotency-Key': 'day-########' },
  body: JSON.stringify(body),
});

/**
 * An assumption: no real dealer has been measured, and the demonstration contains no request log. Writes: the demonstration's books have
 * 56 sales in 25 months (`src/demo/demo-stories.ts`) with their installments, less than one write an hour; the table has several times
 * that. Panel: two people have it open all day and each page asks for unread notifications once a minute
 * (`web/src/records/unread-notifications.ts`); one of them has the home page open half of the time, which asks once a minute
 * (`web/src/screens/overview/screen.tsx`); the others are lists that people open. Keys: a website that reads the stock every two minutes
 * and a program that asks for changes every ten.
 */
export const HOUR: readonly Act[] = [
  { kind: 'list by key', perHour: 30, request: read('vehicles?limit=25') },
  { kind: 'changes by key', perHour: 6, request: read('vehicles?limit=100&updated_since=2026-01-01T00:00:00Z') },
  { kind: 'overdue by key', perHour: 2, request: read('installments/overdue?limit=25') },
  { kind: 'customers by key', perHour: 2, request: read('customers?limit=25') },
  { kind: 'panel: notifications', perHour: 120, request: panel('v1/notifications?unread=true&limit=100') },
  { kind: 'panel: home', perHour: 30, request: panel('overview') },
  { kind: 'panel: vehicles', perHour: 12, request: panel('vehicles/list?limit=25') },
  { kind: 'panel: counts', perHour: 12, request: panel('vehicles/counts') },
  { kind: 'panel: sales', perHour: 8, request: panel('v1/sales?limit=25') },
  { kind: 'panel: search', perHour: 4, request: (dealer, number) => panel(`search?q=mega%20${number % 100}`)(dealer) },
  { kind: 'a car', perHour: 1, request: (dealer) => post(dealer, 'vehicles', CAR) },
  { kind: 'a customer', perHour: 1, request: (dealer) => post(dealer, 'customers', CUSTOMER) },
  {
    kind: 'a collection',
    perHour: 2,
    request: (dealer, number) =>
      post(dealer, 'collections', { sale_id: saleOf(dealer.id, 1 + (number % SALES)), amount: '1.25', currency: 'STG' }),
  },
  {
    kind: 'an import',
    perHour: 0.1,
    byFeed: true,
    request: (dealer, number) => post(dealer, `import/connectors/${dealer.connector}/run`, { content: feed(number) }),
  },
];

/** What a dealer has at first, and what its key may call. */
export const STOCK: Stock = {
  cars: 30,
  sales: SALES,
  rowsOfASale: 12,
  customers: 5,
  endpoints: [
    'GET vehicles',
    'GET installments/overdue',
    'GET customers',
    'POST vehicles',
    'POST customers',
    'POST collections',
    'POST webhooks',
    'POST import/connectors',
    'POST import/connectors/{connector_id}/run',
  ],
};

export const EVENTS = ['vehicle.created', 'customer.created', 'collection.created'] as const;

const CAR = {
  brand: 'Volkswagen',
  model: 'Passat Değişken',
  model_year: 2018,
  km: 84_000,
  fuel_type: 'Dizel',
  transmission: 'Otomatik',
  body_type: 'Sedan',
  color: 'Gümüş Gri',
  plate: 'GN ########',
  city: 'Girne',
  price: '14500.00',
  currency: 'STG',
};
const CUSTOMER = { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '+9053########' };

const MAPPING = {
  plate: 'Plaka',
  brand: 'Marka',
  model: 'Model',
  model_year: 'Yıl',
  km: 'KM',
  fuel_type: 'Yakıt',
  transmission: 'Vites',
  body_type: 'Kasa',
  color: 'Renk',
  price: 'Fiyat',
};
export const CONNECTOR = {
  name: 'Stok',
  type: 'csv',
  transport: 'inline',
  target: 'vehicles',
  key_field: 'plate',
  config: { mapping: MAPPING, defaults: { city: 'Girne' } },
};

function feed(number: number): string {
  const car = (row: number) => `${number} BN ${row};Renault;Mégane;${2000 + row};${row};Dizel;Manuel;Sedan;Gümüş;${10_000 + row}`;
  const rows = Array.from({ length: FEED_ROWS }, (_, row) => car(row));
  return [Object.values(MAPPING).join(';'), ...rows].join('\n');
}

export const perDealerAndHour = HOUR.reduce((sum, { perHour }) => sum + perHour, 0);

/**
 * The requests of `seconds` of the day, in random order and from random dealers. Each kind comes at least once, so that a short or small
 * step has all of them.
 */
export function requestsOf(dealers: readonly DayDealer[], seconds: number): LoadRequest[] {
  const fed = dealers.filter(({ connector }) => connector !== null);
  const place = (length: number) => Math.floor(Math.random() * length);
  const all = HOUR.flatMap(({ kind, perHour, request, byFeed }) => {
    const from = byFeed ? fed : dealers;
    const count = Math.max(1, Math.round((dealers.length * perHour * seconds) / 3600));
    // A connector runs once at a time: imports go to its dealers in turn.
    const first = place(from.length);
    return Array.from({ length: count }, (_, n) => {
      lastNumber += 1;
      return { kind, ...request(from[byFeed ? (first + n) % from.length : place(from.length)]!, lastNumber) };
    });
  });
  return all
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

let lastNumber = 0;
