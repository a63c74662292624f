// A sale's papers: generated, and void with what they say; what each needs, what it refuses and what it tells.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, sql } from '../../../src/kit/sql.ts';
import { collect, dataOf, moveTo, newKey, type Shown, verdictOf } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { download } from '../../support/pictures.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { generate, paperDealer, soldCar } from './papers.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  moveTo(api, '2026-01-15');
  dealer = await paperDealer(api);
});
afterAll(() => api.close());

const kindsOf = async (act: () => Promise<unknown>) => (await eventsBy(api, dealer.accountId, act)).map(({ kind }) => kind);

describe('is generated', () => {
  test('as a draft with its file, whose hash is that of its bytes', async () => {
    const { sale, customer } = await soldCar(dealer);
    const document = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    expect(document).toMatchObject({
      ...{
        origin: 'Üretildi',
        kind: 'Satış Sözleşmesi',
        title: 'Satış sözleşmesi',
        status: 'Taslak',
        version: 1,
        signature: 'İkisi',
      },
      ...{ customer_id: customer, sale_id: sale.id, vehicle_id: sale.vehicle_id, recipients: [], signature_method: null },
    });
    const { bytes, response } = await download(document.file.url);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(document.file.sha256);
    expect(bytes.length).toBe(document.file.size_bytes);
  });

  test('again: the earlier draft is void, the version goes on for ever', async () => {
    const { sale } = await soldCar(dealer);
    const first = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
    let second: Shown = {};
    const kinds = await kindsOf(async () => {
      second = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
    });
    expect(kinds).toEqual(['sale_document.voided', 'sale_document.generated']);
    expect(second.version).toBe(2);
    const [, voided] = (await dealer.get(`sales/${sale.id}/sale-documents`)).json.data;
    expect(voided).toMatchObject({ id: first.id, status: 'İptal', void_reason: 'Yeni sürüm: 2' });
    const edited = await kindsOf(async () => dataOf(await dealer.patch(`sales/${sale.id}`, { sale_price: '14300.00' })));
    expect(edited).toEqual(['sale.updated', 'installment_plan.updated', 'sale_document.voided']);
    expect(dataOf(await generate(dealer, sale.id, 'teslim_tutanagi')).version).toBe(3);
    const cancelled = await kindsOf(async () =>
      dataOf(await dealer.post(`sales/${sale.id}/cancel`, { reason: 'cayma' }, newKey())),
    );
    expect(cancelled.filter((kind) => kind.startsWith('sale_document'))).toEqual(['sale_document.voided']);
    const [last] = (await dealer.get(`sales/${sale.id}/documents`)).json.data;
    expect(last).toMatchObject({ status: 'İptal', void_reason: 'satış iptal' });
  });

  test('in a dry run without a trace', async () => {
    const { sale } = await soldCar(dealer);
    const files = () =>
      api.database.inTenant(dealer.accountId, 'read', (db) =>
        db.rows(sql`select id from ${own('stored_files')} where state <> 'gone'`),
      );
    const before = (await files()).length;
    const dry = await dealer.post(
      `sales/${sale.id}/sale-documents/generate`,
      { template_id: (await dealer.get('document-templates')).json.data[0].id },
      { 'x-dry-run': 'true' },
    );
    expect([dry.status, dry.json.data.status]).toEqual([201, 'Taslak']);
    expect((await dealer.get(`sales/${sale.id}/sale-documents`)).json.data).toEqual([]);
    expect((await files()).length).toBe(before);
  });

  test('only with what its template needs', async () => {
    const { sale } = await soldCar(dealer, { guarantor_ids: [] });
    const cash = (await soldCar(dealer, { installment_count: undefined, down_payment: undefined, finance_charge: undefined }))
      .sale;
    expect(verdictOf(await generate(dealer, sale.id, 'kefaletname'))).toBe('409 guarantor_required');
    expect(verdictOf(await generate(dealer, cash.id, 'odeme_plani'))).toBe('409 installments_required');
    expect(verdictOf(await generate(dealer, sale.id, 'ibraname'))).toBe('409 sale_not_completed');
    expect(verdictOf(await generate(dealer, sale.id, 'senet'))).toBe('409 notes_required');
    const unknown = await dealer.post(`sales/${sale.id}/sale-documents/generate`, { template_id: sale.id });
    expect(verdictOf(unknown)).toBe('422 unknown_template');
    const nameless = await paperDealer(api, 'KKTC', { legal_name: null });
    const theirs = await soldCar(nameless);
    expect(verdictOf(await generate(nameless, theirs.sale.id, 'satis_sozlesmesi'))).toBe('409 legal_name_missing');
    expect(verdictOf(await generate(nameless, theirs.sale.id, 'kvkk_aydinlatma'))).toBe('201');
    dataOf(await collect(dealer, cash.id, '14250.00'));
    expect(verdictOf(await generate(dealer, cash.id, 'ibraname'))).toBe('201');
    dataOf(await dealer.delete(`sales/${sale.id}`, newKey()));
    expect(verdictOf(await generate(dealer, sale.id, 'kvkk_aydinlatma'))).toBe('409 sale_cancelled');
  });

  test('in Türkiye with what the law asks of a consumer’s contract', async () => {
    const turkish = await paperDealer(api, 'TR');
    const given = {
      currency: 'TL',
      sale_price: '600000.00',
      down_payment: '150000.00',
      finance_charge: '48000.00',
      installment_count: 8,
    };
    const { sale } = await soldCar(turkish, { ...given, round_to: 100 });
    const incomplete = await generate(turkish, sale.id, 'satis_sozlesmesi');
    expect(verdictOf(incomplete)).toBe('409 contract_incomplete');
    expect(incomplete.json.error.details.map(({ field, code }: Shown) => `${field} ${code}`)).toEqual([
      ...['delivery_due_on required', 'late_rate_yearly required'],
    ]);
    dataOf(await turkish.patch(`sales/${sale.id}`, { delivery_due_on: '2026-01-20', late_rate_yearly: '99' }));
    const high = await generate(turkish, sale.id, 'satis_sozlesmesi');
    expect(high.json.error.details.map(({ field, code }: Shown) => `${field} ${code}`)).toEqual(['late_rate_yearly too_high']);
    dataOf(await turkish.patch(`sales/${sale.id}`, { late_rate_yearly: '20' }));
    const contract = dataOf(await generate(turkish, sale.id, 'satis_sozlesmesi'));
    expect(contract).toMatchObject({ status: 'Taslak', signature: 'Islak' });
    const plan = dataOf(await generate(turkish, sale.id, 'odeme_plani'));
    expect(plan.signature).toBe('İkisi');
  });
});

describe('ends', () => {
  test('a plan by its restructuring: void or superseded, and the annex is there', async () => {
    const { sale } = await soldCar(dealer);
    const plan = dataOf(await generate(dealer, sale.id, 'odeme_plani'));
    expect(plan).toMatchObject({ kind: 'Ödeme Planı', version: 1 });
    const restructure = { from: '2026-09-15', installment_count: 4, reason: 'iş değişikliği' };
    const kinds = await kindsOf(async () => dataOf(await dealer.patch(`sales/${sale.id}`, { restructure })));
    expect(kinds).toEqual(['sale.restructured', 'installment_plan.updated', 'sale_document.voided', 'sale_document.generated']);
    const [annex] = (await dealer.get(`sales/${sale.id}/sale-documents?status=Taslak`)).json.data;
    expect(annex).toMatchObject({ kind: 'Ödeme Planı', version: 2 });
    const again = await kindsOf(async () =>
      dataOf(await dealer.patch(`sales/${sale.id}`, { restructure: { ...restructure, installment_count: 5 } })),
    );
    expect(again.filter((kind) => kind.startsWith('sale_document'))).toEqual(['sale_document.voided', 'sale_document.generated']);
  });
});
