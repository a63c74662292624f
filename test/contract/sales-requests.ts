// Requests for sales, plans, collections, promises and notes. Reads share one sale, so that lists stay short; each write has its
// own sale.
import { randomUUID } from 'node:crypto';
import { dayIn } from '../../src/kit/clock.ts';
import { aCar } from '../support/writer.ts';
import type { EndpointRequest, RequestBuilder, World } from './requests.ts';

const ZONE = 'Asia/Famagusta';
const dayFromNow = ({ api }: World, days: number): string => dayIn(new Date(api.clock.now().getTime() + days * 86_400_000), ZONE);

// biome-ignore lint/suspicious/noExplicitAny: any JSON reply
async function done({ api, key }: World, path: string, body: unknown): Promise<any> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const { status, text, json } = await api.call(path, { key, method: 'POST', headers, body: JSON.stringify(body) });
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return json.data;
}

interface MadeSale {
  readonly id: string;
  readonly plan_id: string;
}

/** Nothing of it is due yet, so that a test which counts what a write stored finds that alone. */
const saleBody = async (world: World): Promise<Record<string, unknown>> => ({
  vehicle_id: await world.api.vehicle(world.accountId),
  customer_id: world.customerId,
  currency: 'STG',
  sale_price: '12000.00',
  finance_charge: '480.00',
  installment_count: 24,
});

const newSale = async (world: World, overrides: object = {}): Promise<MadeSale> =>
  done(world, 'sales', { ...(await saleBody(world)), ...overrides });

/** Weekly installments after a down payment, some overdue and some due soon. */
const runningPlan = (world: World) => ({
  sale_date: dayFromNow(world, -70),
  down_payment: '2400.00',
  first_due_date: dayFromNow(world, -60),
  period: 'Haftalık',
  late_rate_yearly: 30,
});

/** Paid at once: one installment, which hardly affects lists of installments. */
export const newCashSale = async (world: World): Promise<MadeSale> =>
  done(world, 'sales', {
    vehicle_id: await world.api.vehicle(world.accountId),
    customer_id: world.customerId,
    sale_price: '9000.00',
    currency: 'STG',
  });

export const newCollection = async (world: World, sale: MadeSale): Promise<string> =>
  (await done(world, 'collections', { sale_id: sale.id, amount: '100.00', currency: 'STG' })).id;

export const newPromise = async (world: World, sale: MadeSale): Promise<string> =>
  (await done(world, 'payment-promises', { sale_id: sale.id, amount: '50.00', promised_date: dayFromNow(world, 5) })).id;

export const newNotes = async (world: World, sale: MadeSale): Promise<{ id: string }[]> =>
  done(world, 'promissory-notes', { sale_id: sale.id, issue_place: 'Lefkoşa' });

async function openRow({ api, key }: World, sale: MadeSale): Promise<string> {
  const { json } = await api.call(`sales/${sale.id}/installment-plan`, { key });
  return json.data.installments[20].id;
}

interface Standing {
  readonly sale: MadeSale;
  readonly collection: string;
  readonly promise: string;
  readonly note: string;
}

const standing = new WeakMap<World, Promise<Standing>>();

/** The sale of the reads: with a payment and a promise, created once per dealer. */
export function standingSale(world: World): Promise<Standing> {
  const make = async (): Promise<Standing> => {
    const sale = await newSale(world, runningPlan(world));
    const [collection, promise] = [await newCollection(world, sale), await newPromise(world, sale)];
    return { sale, collection, promise, note: (await newNotes(world, sale))[0]!.id };
  };
  const known = standing.get(world) ?? make();
  standing.set(world, known);
  return known;
}

const read =
  (request: (made: Standing, world: World) => EndpointRequest): RequestBuilder =>
  async (world) =>
    request(await standingSale(world), world);

const write =
  (request: (sale: MadeSale, world: World) => Promise<EndpointRequest> | EndpointRequest): RequestBuilder =>
  async (world) =>
    request(await newSale(world), world);

export const SALES_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET sales': read(() => ({ path: 'sales' })),
  'POST sales': async (world) => ({
    path: 'sales',
    body: { ...(await saleBody(world)), trade_in: { amount: '1500.00', vehicle: aCar({ engine_no: 'ENGINE7KEPT' }) } },
  }),
  'GET sales/{sale_id}': read(({ sale }) => ({ path: `sales/${sale.id}` })),
  'PATCH sales/{sale_id}': write(({ id }) => ({ path: `sales/${id}`, body: { notes: 'iki anahtar', sale_price: '12500.00' } })),
  'DELETE sales/{sale_id}': write(({ id }) => ({ path: `sales/${id}` })),
  'GET sales/{sale_id}/installment-plan': read(({ sale }) => ({ path: `sales/${sale.id}/installment-plan` })),
  'GET sales/{sale_id}/collections': read(({ sale }) => ({ path: `sales/${sale.id}/collections` })),
  'POST sales/{sale_id}/cancel': write(async (sale, world) => {
    await newCollection(world, sale);
    return { path: `sales/${sale.id}/cancel`, body: { reason: 'vazgeçti', refund_amount: '60.00', refund_method: 'Nakit' } };
  }),
  'GET installment-plans': read(() => ({ path: 'installment-plans' })),
  'GET installment-plans/{plan_id}': read(({ sale }) => ({ path: `installment-plans/${sale.plan_id}` })),
  'GET installment-plans/{plan_id}/installments': read(({ sale }) => ({
    path: `installment-plans/${sale.plan_id}/installments`,
  })),
  'PATCH installments/{installment_id}': write(async (sale, world) => ({
    path: `installments/${await openRow(world, sale)}`,
    body: { amount: '410.00', note: 'maaş günü' },
  })),
  'GET installments/overdue': read(() => ({ path: 'installments/overdue' })),
  'GET installments/upcoming': read(() => ({ path: 'installments/upcoming' })),
  'POST installments/{installment_id}/postpone': write(async (sale, world) => ({
    path: `installments/${await openRow(world, sale)}/postpone`,
    body: { months: 1, reason: 'maaşı gecikti', shift_following: true },
  })),
  'GET customers/{customer_id}/installments': read((_, { customerId }) => ({ path: `customers/${customerId}/installments` })),
  'GET collections': read(() => ({ path: 'collections' })),
  'POST collections': write(({ id }) => ({ path: 'collections', body: { sale_id: id, amount: '250.00', currency: 'STG' } })),
  'GET collections/{collection_id}': read(({ collection }) => ({ path: `collections/${collection}` })),
  'POST collections/{collection_id}/reverse': write(async (sale, world) => ({
    path: `collections/${await newCollection(world, sale)}/reverse`,
    body: { reason: 'yanlış giriş' },
  })),
  'GET collections/summary': read((_, world) => ({
    path: 'collections/summary',
    query: `from=${dayFromNow(world, -1)}&to=${dayFromNow(world, 1)}`,
  })),
  'GET payment-promises': read(() => ({ path: 'payment-promises' })),
  'POST payment-promises': write(({ id }, world) => ({
    path: 'payment-promises',
    body: { sale_id: id, amount: '300.00', promised_date: dayFromNow(world, 7) },
  })),
  'GET payment-promises/{promise_id}': read(({ promise }) => ({ path: `payment-promises/${promise}` })),
  'PATCH payment-promises/{promise_id}': write(async (sale, world) => ({
    path: `payment-promises/${await newPromise(world, sale)}`,
    body: { promised_date: dayFromNow(world, 9), note: 'aradı' },
  })),
  'GET promissory-notes': read(() => ({ path: 'promissory-notes' })),
  'POST promissory-notes': write(({ id }) => ({ path: 'promissory-notes', body: { sale_id: id, issue_place: 'Lefkoşa' } })),
  'GET promissory-notes/{note_id}': read(({ note }) => ({ path: `promissory-notes/${note}` })),
  'GET promissory-notes/{note_id}/document': read(({ note }) => ({ path: `promissory-notes/${note}/document` })),
  'PATCH promissory-notes/{note_id}': write(async (sale, world) => ({
    path: `promissory-notes/${(await newNotes(world, sale))[0]!.id}`,
    body: { status: 'Bankada', bank_name: 'İş Bankası', printed: true },
  })),
  'GET customers/{customer_id}/sales': read((_, { customerId }) => ({ path: `customers/${customerId}/sales` })),
  'GET customers/{customer_id}/collections': read((_, { customerId }) => ({ path: `customers/${customerId}/collections` })),
};
