// Builders for tests of papers: a sale with a guarantor, its templates, scans, and what recipients do.
import { signDocument } from '../../../src/domain/documents/signing/sale-document-sign.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { carOf, customerOf, dataOf, type Shown, sell } from '../../support/books.ts';
import { fileParts, sendForm } from '../../support/pictures.ts';
import type { Answer, TestService } from '../../support/service.ts';
import { type Dealer, newDealer } from '../../support/writer.ts';

export const paperDealer = (
  api: TestService,
  country: 'KKTC' | 'TR' = 'KKTC',
  overrides: Record<string, unknown> = {},
): Promise<Dealer> => newDealer(api, { country, legal_name: 'Merkez Otomotiv Ticaret Ltd. Şti.', ...overrides });

export interface SoldCar {
  readonly sale: Shown;
  readonly customer: string;
  readonly guarantor: string;
}

/** The terms of S1, with the customer's guarantor. */
export async function soldCar(dealer: Dealer, overrides: Record<string, unknown> = {}): Promise<SoldCar> {
  const customer = await customerOf(dealer, { email: 'ayse@example.com' });
  const guarantor = dataOf(
    await dealer.post(`customers/${customer}/guarantors`, {
      first_name: 'Mehmet',
      last_name: 'Çağlar',
      phone: '+905428765432',
      email: 'mehmet@example.com',
      id_no: '10000000146',
    }),
  ).id;
  const vehicle_id = await carOf(dealer, { price: '14500.00', currency: overrides.currency ?? 'STG' });
  const sale = dataOf(
    await sell(dealer, {
      vehicle_id,
      customer_id: customer,
      guarantor_ids: [guarantor],
      sale_price: '14250.00',
      down_payment: '4000.00',
      finance_charge: '1050.00',
      installment_count: 12,
      ...overrides,
    }),
  );
  return { sale, customer, guarantor };
}

export async function templateOf(dealer: Dealer, code: string): Promise<string> {
  const found: Shown[] = (await dealer.get('document-templates?limit=100')).json.data;
  return found.find((one) => one.code === code)!.id;
}

export const generate = async (
  dealer: Dealer,
  saleId: string,
  code: string,
  overrides: Record<string, unknown> = {},
): Promise<Answer> =>
  dealer.post(`sales/${saleId}/sale-documents/generate`, { template_id: await templateOf(dealer, code), ...overrides });

export const aPdf = (text = 'imzalı'): Buffer => Buffer.from(`%PDF-1.7\n% ${text}\n%%EOF\n`);

export const uploadScan = (
  api: TestService,
  dealer: Dealer,
  texts: Record<string, string>,
  bytes: Buffer = aPdf(),
  headers?: Record<string, string>,
): Promise<Answer> => sendForm({ url: api.service.url, key: dealer.key }, 'documents', fileParts(bytes, texts), headers);

/** Signs as the platform does for outcomes from external services. */
export async function signAs(api: TestService, dealer: Dealer, documentId: string, position: number): Promise<void> {
  const { database, writer, clock } = api.service.parts;
  const [recipient] = await database.inTenant(dealer.accountId, 'read', (db) =>
    db.rows<{ id: string }>(
      sql`select id from ${own('document_recipients')} where document_id = ${documentId} and "position" = ${position}`,
    ),
  );
  await writer.write(
    {
      dataSet: dealer.accountId,
      account: { id: dealer.accountId, timezone: 'Asia/Famagusta' },
      actor: { type: 'system', name: 'test' },
      now: clock.now(),
    },
    (work) => signDocument(work, documentId, recipient!.id, null),
  );
}

export const eventKinds = async (dealer: Dealer, documentId: string): Promise<string[]> =>
  (await dealer.get(`sale-documents/${documentId}/events?limit=100`)).json.data.map(({ kind }: Shown) => kind);
