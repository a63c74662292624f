// Requests for documents: one sale with three generated ones and a signed one, which reads share; each write has its own sale.
import { randomUUID } from 'node:crypto';
import { TEMPLATES } from '../../src/domain/documents/document-templates.ts';
import { payloadOf } from './payload.ts';
import type { EndpointRequest, RequestBuilder, World } from './requests.ts';
import { newCashSale } from './sales-requests.ts';

const templateOf = (code: string): string => TEMPLATES.find((one) => one.country === 'KKTC' && one.code === code)!.id;

async function made({ api, key }: World, path: string, input: Pick<EndpointRequest, 'body' | 'form'>): Promise<{ id: string }> {
  const { headers, body } = payloadOf(input);
  const sent = { key, method: 'POST', headers: { ...headers, 'idempotency-key': randomUUID() }, body: body! };
  const { status, text, json } = await api.call(path, sent);
  if (status !== 201) throw new Error(text);
  return json.data;
}

interface Papers {
  readonly sale: string;
  readonly customer: string;
  readonly draft: string;
  readonly signed: string;
}

const known = new WeakMap<World, Promise<Papers>>();

/** A sale with papers, created on first use. */
function papers(world: World): Promise<Papers> {
  const found = known.get(world) ?? withPapers(world);
  known.set(world, found);
  return found;
}

/** Of a customer whose identity can be printed: a world's customer may not be really encrypted. */
async function withPapers(world: World): Promise<Papers> {
  const customer = await world.api.customer(world.accountId);
  const sale = await soldTo(world, customer);
  await generated(world, sale, 'kvkk_aydinlatma');
  const draft = await generated(world, sale, 'teslim_tutanagi');
  const signed = await generated(world, sale, 'kvkk_aydinlatma');
  await made(world, 'documents', { form: { signs_document_id: signed } });
  return { sale, customer, draft, signed };
}

async function soldTo(world: World, customer_id: string): Promise<string> {
  const vehicle_id = await world.api.vehicle(world.accountId);
  return (await made(world, 'sales', { body: { vehicle_id, customer_id, sale_price: '9000.00', currency: 'STG' } })).id;
}

const generated = async (world: World, saleId: string, code: string): Promise<string> =>
  (await made(world, `sales/${saleId}/sale-documents/generate`, { body: { template_id: templateOf(code) } })).id;

/** A draft of a separate sale. */
const newDraft = async (world: World): Promise<string> =>
  generated(world, await soldTo(world, (await papers(world)).customer), 'teslim_tutanagi');

const reading =
  (path: (papers: Papers) => string): RequestBuilder =>
  async (world): Promise<EndpointRequest> => ({
    path: path(await papers(world)),
  });

export const DOCUMENT_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET document-templates': () => ({ path: 'document-templates' }),
  'GET documents': reading(() => 'documents'),
  'GET sales/{sale_id}/sale-documents': reading(({ sale }) => `sales/${sale}/sale-documents`),
  'GET sales/{sale_id}/documents': reading(({ sale }) => `sales/${sale}/documents`),
  'GET customers/{customer_id}/documents': reading(({ customer }) => `customers/${customer}/documents`),
  'POST documents': async (world) => ({
    path: 'documents',
    form: { kind: 'Kimlik', title: 'Kimlik, ön yüz', customer_id: (await papers(world)).customer },
  }),
  'GET documents/{document_id}': reading(({ draft }) => `documents/${draft}`),
  'DELETE documents/{document_id}': async (world) => {
    const { customer } = await papers(world);
    return { path: `documents/${(await made(world, 'documents', { form: { kind: 'Ehliyet', customer_id: customer } })).id}` };
  },
  'GET sale-documents/{document_id}/signed-copy': reading(({ signed }) => `sale-documents/${signed}/signed-copy`),
  'GET sale-documents/{document_id}/events': reading(({ signed }) => `sale-documents/${signed}/events`),
  'POST sale-documents/{document_id}/send': async (world) => ({
    path: `sale-documents/${await newDraft(world)}/send`,
    body: { channel: 'Bağlantı', message: 'Akşama kadar bakar mısınız?' },
  }),
  'POST sale-documents/{document_id}/void': async (world) => ({
    path: `sale-documents/${await newDraft(world)}/void`,
    body: { reason: 'yanlış araç' },
  }),
  'POST sales/{sale_id}/sale-documents/generate': async (world) => {
    const { id } = await newCashSale(world);
    // The first request runs the due timed transitions.
    await world.api.call(`sales/${id}`, { key: world.key });
    return {
      path: `sales/${id}/sale-documents/generate`,
      body: { template_id: templateOf('teslim_tutanagi'), note: 'iki anahtar' },
    };
  },
};
