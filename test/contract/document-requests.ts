// Requests for documents: one sale with three generated ones, which reads share; each write has a sale of its own.
import { TEMPLATES } from '../../src/domain/documents/template.ts';
import type { RequestBuilder, RowRequest, World } from './requests.ts';
import { newCashSale } from './sales-requests.ts';

const templateOf = (code: string): string => TEMPLATES.find((one) => one.country === 'KKTC' && one.code === code)!.id;

async function generated({ api, key }: World, saleId: string, code: string): Promise<void> {
  const body = JSON.stringify({ template_id: templateOf(code) });
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await api.call(`sales/${saleId}/sale-documents/generate`, { key, method: 'POST', headers, body });
  if (status !== 201) throw new Error(text);
}

const known = new WeakMap<World, Promise<string>>();

/** A sale with papers, made for the first who asks. */
function papers(world: World): Promise<string> {
  const made = known.get(world) ?? withPapers(world);
  known.set(world, made);
  return made;
}

async function withPapers(world: World): Promise<string> {
  const { id } = await newCashSale(world);
  for (const code of ['kvkk_aydinlatma', 'teslim_tutanagi', 'kvkk_aydinlatma']) await generated(world, id, code);
  return id;
}

const reading =
  (path: (saleId: string, world: World) => string): RequestBuilder =>
  async (world): Promise<RowRequest> => ({
    path: path(await papers(world), world),
  });

export const DOCUMENT_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET document-templates': () => ({ path: 'document-templates' }),
  'GET documents': reading(() => 'documents'),
  'GET sales/{sale_id}/sale-documents': reading((id) => `sales/${id}/sale-documents`),
  'GET sales/{sale_id}/documents': reading((id) => `sales/${id}/documents`),
  'GET customers/{customer_id}/documents': reading((_, { customerId }) => `customers/${customerId}/documents`),
  'POST sales/{sale_id}/sale-documents/generate': async (world) => ({
    path: `sales/${(await newCashSale(world)).id}/sale-documents/generate`,
    body: { template_id: templateOf('teslim_tutanagi'), note: 'iki anahtar' },
  }),
};
