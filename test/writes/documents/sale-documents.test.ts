// A sale's papers: generated, sent, signed, declined, void, expired; their requirements, refusals and events.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, sql } from '../../../src/kit/sql.ts';
import { collect, dataOf, moveTo, newKey, type Shown, verdictOf } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { download } from '../../support/pictures.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { aPdf, eventKinds, generate, paperDealer, signAs, soldCar, uploadScan } from './papers.ts';

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
const send = (id: string, overrides: Record<string, unknown> = {}) =>
  dealer.post(`sale-documents/${id}/send`, { channel: 'Bağlantı', ...overrides });

describe('is generated', () => {
  test('as a draft with a file whose hash matches its bytes', async () => {
    const { sale, customer } = await soldCar(dealer);
    const document = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    expect(document).toMatchObject({
      origin: 'Üretildi',
      kind: 'Satış Sözleşmesi',
      title: 'Satış sözleşmesi',
      status: 'Taslak',
      version: 1,
      signature: 'İkisi',
      customer_id: customer,
      sale_id: sale.id,
      vehicle_id: sale.vehicle_id,
      recipients: [],
      signature_method: null,
    });
    const { bytes, response } = await download(document.file.url);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(document.file.sha256);
    expect(bytes.length).toBe(document.file.size_bytes);
    expect(await eventKinds(dealer, document.id)).toEqual(['created']);
  });

  test('again: the earlier draft becomes void, and version numbers always increase', async () => {
    const { sale } = await soldCar(dealer);
    const first = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
    let second: Shown = {};
    const kinds = await kindsOf(async () => {
      second = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
    });
    expect(kinds).toEqual(['sale_document.voided', 'sale_document.generated']);
    expect(second.version).toBe(2);
    expect(dataOf(await dealer.get(`documents/${first.id}`))).toMatchObject({ status: 'İptal', void_reason: 'Yeni sürüm: 2' });
    dataOf(await dealer.post(`sale-documents/${second.id}/void`, { reason: 'yanlış' }));
    expect(dataOf(await generate(dealer, sale.id, 'teslim_tutanagi')).version).toBe(3);
  });

  test('in a dry run, leaving nothing stored', async () => {
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

  test('only with the data that its template needs', async () => {
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

  test('in Türkiye with the data that the law requires for a consumer’s contract', async () => {
    const turkish = await paperDealer(api, 'TR');
    const body = {
      currency: 'TL',
      sale_price: '600000.00',
      down_payment: '150000.00',
      finance_charge: '48000.00',
      installment_count: 8,
    };
    const { sale } = await soldCar(turkish, { ...body, round_to: 100 });
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
    expect(verdictOf(await turkish.post(`sale-documents/${contract.id}/send`, { channel: 'Bağlantı' }))).toBe(
      '409 wet_signature_required',
    );
    const plan = dataOf(await generate(turkish, sale.id, 'odeme_plani'));
    expect(plan.signature).toBe('İkisi');
  });
});

describe('is sent', () => {
  test('to the customer and the guarantors; the dealer hands over their links', async () => {
    const { sale } = await soldCar(dealer);
    const { id } = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    let sent: Shown = {};
    expect(
      await kindsOf(async () => {
        sent = dataOf(await send(id));
      }),
    ).toEqual(['sale_document.sent']);
    expect(sent).toMatchObject({ status: 'Gönderildi', expires_at: expect.stringContaining('2026-02-14T12') });
    expect(sent.recipients.map(({ role, status }: Shown) => `${role} ${status}`)).toEqual(['Müşteri Bekliyor', 'Kefil Bekliyor']);
    expect(sent.signing_links.map(({ role }: Shown) => role)).toEqual(['Müşteri', 'Kefil']);
    expect(new Set(sent.signing_links.map(({ url }: Shown) => url)).size).toBe(2);
    expect(verdictOf(await generate(dealer, sale.id, 'satis_sozlesmesi'))).toBe('409 document_exists');
    const reminded = await kindsOf(async () => dataOf(await send(id, { channel: 'E-posta' })));
    expect(reminded).toEqual(['sale_document.reminded']);
    expect(verdictOf(await send(id, { recipients: [{ role: 'Müşteri', name: 'X' }] }))).toBe('422 recipients_fixed');
    expect(await eventKinds(dealer, id)).toEqual(['created', 'sent', 'sent', 'reminded', 'reminded']);
  });

  test('only to recipients with an address', async () => {
    const { sale } = await soldCar(dealer);
    const { id } = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    const unreachable = await send(id, { channel: 'E-posta', recipients: [{ role: 'Satıcı', name: 'Ali' }] });
    expect(verdictOf(unreachable)).toBe('422 recipient_contact_missing');
    expect(unreachable.json.error.details[0].field).toBe('recipients[0].email');
  });

  test('and then locks the terms of the sale and of the contract', async () => {
    const { sale } = await soldCar(dealer);
    const draft = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    const edited = await kindsOf(async () => dataOf(await dealer.patch(`sales/${sale.id}`, { sale_price: '14300.00' })));
    expect(edited).toEqual(['sale.updated', 'installment_plan.updated', 'sale_document.voided']);
    expect(dataOf(await dealer.get(`documents/${draft.id}`)).void_reason).toBe('koşullar değişti');
    const { id } = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    dataOf(await dealer.patch(`sales/${sale.id}`, { late_rate_yearly: '18' }));
    dataOf(await send(id));
    expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { sale_price: '14200.00' }))).toBe('409 sale_terms_locked');
    expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { late_rate_yearly: '19' }))).toBe('409 sale_terms_locked');
    expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { late_rate_yearly: '18', sale_price: '14300.00' }))).toBe('200');
    dataOf(await dealer.post(`sale-documents/${id}/void`, { reason: 'vazgeçildi' }));
    expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { sale_price: '14200.00' }))).toBe('200');
  });
});

describe('ends', () => {
  test('signed by all: creates a signed copy, notifies the customer, and refuses any further change', async () => {
    const { sale, customer } = await soldCar(dealer);
    const { id, file } = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    dataOf(await send(id));
    expect(verdictOf(await dealer.get(`sale-documents/${id}/signed-copy`))).toBe('409 document_not_signed');
    await signAs(api, dealer, id, 1);
    expect(dataOf(await dealer.get(`documents/${id}`)).status).toBe('Görüntülendi');
    expect(await kindsOf(() => signAs(api, dealer, id, 2))).toEqual(['sale_document.signed', 'sale_document.completed']);
    expect(dataOf(await dealer.get(`documents/${id}`))).toMatchObject({ status: 'İmzalandı', signature_method: 'Bağlantı' });
    const copy = dataOf(await dealer.get(`sale-documents/${id}/signed-copy`));
    const { bytes } = await download(copy.url);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(copy.sha256);
    expect(copy.sha256).not.toBe(file.sha256);
    expect(verdictOf(await dealer.post(`sale-documents/${id}/void`, { reason: 'x' }))).toBe('409 document_already_signed');
    expect(verdictOf(await send(id))).toBe('409 invalid_transition');
    expect(verdictOf(await uploadScan(api, dealer, { signs_document_id: id }))).toBe('409 invalid_transition');
    const activity = (await dealer.get(`customers/${customer}/activity`)).json.data.map(({ note }: Shown) => note);
    expect(activity).toContainEqual(expect.stringContaining('imzalandı'));
    expect((await dealer.get('notifications')).json.data[0].kind).toBe('sale_document.signed');
  });

  test('signed on paper: a scan completes a document that cannot be sent, and binds the guarantor', async () => {
    const { sale, guarantor } = await soldCar(dealer);
    const { id } = dataOf(await generate(dealer, sale.id, 'kefaletname'));
    expect(verdictOf(await send(id))).toBe('409 wet_signature_required');
    const other = (await soldCar(dealer)).sale;
    expect(verdictOf(await uploadScan(api, dealer, { signs_document_id: id, sale_id: other.id }))).toBe('422 unknown_reference');
    let scan: Shown = {};
    const kinds = await kindsOf(async () => {
      scan = dataOf(await uploadScan(api, dealer, { signs_document_id: id }, aPdf('kefalet')));
    });
    expect(kinds).toEqual(['document.created', 'sale_document.signed', 'sale_document.signed', 'sale_document.completed']);
    expect(scan).toMatchObject({ kind: 'Kefaletname', sale_id: sale.id, signs_document_id: id, title: 'Kefaletname (imzalı)' });
    const signed = dataOf(await dealer.get(`documents/${id}`));
    expect(signed).toMatchObject({ status: 'İmzalandı', signature_method: 'Islak' });
    expect(signed.recipients.map(({ role, status }: Shown) => `${role} ${status}`)).toEqual([
      'Müşteri İmzaladı',
      'Kefil İmzaladı',
    ]);
    expect(await eventKinds(dealer, id)).toEqual(['created', 'signed', 'signed', 'completed']);
    const copy = dataOf(await dealer.get(`sale-documents/${id}/signed-copy`));
    expect((await download(copy.url)).bytes).toEqual(aPdf('kefalet'));
    expect(verdictOf(await dealer.delete(`documents/${scan.id}`))).toBe('409 document_is_signed_copy');
    expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { guarantor_ids: [] }))).toBe('409 guarantor_bound');
    expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { guarantor_ids: [guarantor] }))).toBe('200');
  });

  test('by the clock, once', async () => {
    const { sale } = await soldCar(dealer);
    const { id } = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    const { expires_at } = dataOf(await send(id));
    moveTo(api, expires_at.slice(0, 10), '23:00:00');
    expect(await kindsOf(async () => dataOf(await dealer.get(`documents/${id}`)))).toContain('sale_document.expired');
    expect(dataOf(await dealer.get(`documents/${id}`)).status).toBe('Süresi Doldu');
    await expect(signAs(api, dealer, id, 1)).rejects.toThrow();
    expect(dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi')).version).toBe(2);
    expect(verdictOf(await dealer.post(`sale-documents/${id}/void`, { reason: 'bitti' }))).toBe('200');
    expect(verdictOf(await dealer.post(`sale-documents/${id}/void`, { reason: 'bitti' }))).toBe('409 document_already_void');
  });

  test('with its sale, unless it was signed', async () => {
    const { sale } = await soldCar(dealer);
    const signed = dataOf(await generate(dealer, sale.id, 'kvkk_aydinlatma'));
    dataOf(await uploadScan(api, dealer, { signs_document_id: signed.id }));
    const open = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
    dataOf(await send(open.id));
    const kinds = await kindsOf(async () => dataOf(await dealer.post(`sales/${sale.id}/cancel`, { reason: 'cayma' }, newKey())));
    expect(kinds.filter((kind) => kind.startsWith('sale_document'))).toEqual(['sale_document.voided']);
    expect(dataOf(await dealer.get(`documents/${open.id}`))).toMatchObject({ status: 'İptal', void_reason: 'satış iptal' });
    expect(dataOf(await dealer.get(`documents/${signed.id}`)).status).toBe('İmzalandı');
    expect(verdictOf(await send(open.id))).toBe('409 invalid_transition');
  });

  test('a plan by its restructuring: void or superseded, and the annex exists', async () => {
    const { sale } = await soldCar(dealer);
    const plan = dataOf(await generate(dealer, sale.id, 'odeme_plani'));
    dataOf(await uploadScan(api, dealer, { signs_document_id: plan.id }));
    const restructure = { from: '2026-09-15', installment_count: 4, reason: 'iş değişikliği' };
    const kinds = await kindsOf(async () => dataOf(await dealer.patch(`sales/${sale.id}`, { restructure })));
    expect(kinds).toEqual(['sale.restructured', 'installment_plan.updated', 'sale_document.generated']);
    expect(dataOf(await dealer.get(`documents/${plan.id}`)).superseded_at).not.toBeNull();
    const [annex] = (await dealer.get(`sales/${sale.id}/sale-documents?status=Taslak`)).json.data;
    expect(annex).toMatchObject({ kind: 'Ödeme Planı', version: 2 });
    const again = await kindsOf(async () =>
      dataOf(await dealer.patch(`sales/${sale.id}`, { restructure: { ...restructure, installment_count: 5 } })),
    );
    expect(again.filter((kind) => kind.startsWith('sale_document'))).toEqual(['sale_document.voided', 'sale_document.generated']);
  });
});
