// Requests for documents: one sale with three generated ones, which reads share; each write has a sale of its own.
import { randomUUID } from 'node:crypto';
import { TEMPLATES } from '../../src/domain/documents/template.ts';
import type { RequestBuilder, RowRequest, World } from './requests.ts';
import { newCashSale } from './sales-requests.ts';

const templateOf = (code: string): string => TEMPLATES.find((one) => one.country === 'KKTC' && one.code === code)!.id;

async function made({ api, key }: World, path: string, given: object): Promise<{ id: string }> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const { status, text, json } = await api.call(path, { key, method: 'POST', headers, body: JSON.stringify(given) });
  if (status !== 201) throw new Error(text);
  return json.data;
}

interface Papers {
  readonly sale: string;
  readonly customer: string;
}

const known = new WeakMap<World, Promise<Papers>>();

/** A sale with papers, made for the first who asks. */
function papers(world: World): Promise<Papers> {
  const found = known.get(world) ?? withPapers(world);
  known.set(world, found);
  return found;
}

/** Of a customer whose identity can be printed: that of a world need not be sealed in earnest. */
async function withPapers(world: World): Promise<Papers> {
  const customer = await world.api.customer(world.accountId);
  const vehicle_id = await world.api.vehicle(world.accountId);
  const sale = await made(world, 'sales', { vehicle_id, customer_id: customer, sale_price: '9000.00', currency: 'STG' });
  for (const code of ['kvkk_aydinlatma', 'teslim_tutanagi', 'kvkk_aydinlatma'])
    await made(world, `sales/${sale.id}/sale-documents/generate`, { template_id: templateOf(code) });
  return { sale: sale.id, customer };
}

const reading =
  (path: (papers: Papers) => string): RequestBuilder =>
  async (world): Promise<RowRequest> => ({
    path: path(await papers(world)),
  });

export const DOCUMENT_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET document-templates': () => ({ path: 'document-templates' }),
  'GET documents': reading(() => 'documents'),
  'GET sales/{sale_id}/sale-documents': reading(({ sale }) => `sales/${sale}/sale-documents`),
  'GET sales/{sale_id}/documents': reading(({ sale }) => `sales/${sale}/documents`),
  'GET customers/{customer_id}/documents': reading(({ customer }) => `customers/${customer}/documents`),
  'POST sales/{sale_id}/sale-documents/generate': async (world) => {
    const { id } = await newCashSale(world);
    // What is due by the clock is done at the first request that comes, whatever that is.
    await world.api.call(`sales/${id}`, { key: world.key });
    return {
      path: `sales/${id}/sale-documents/generate`,
      body: { template_id: templateOf('teslim_tutanagi'), note: 'iki anahtar' },
    };
  },
};
