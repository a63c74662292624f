// S9 of the acceptance stories, papers and notes: the receipt of a deposit, a consumer contract that needs a delivery date and a
// signature on paper, notes returned by a restructuring, its annex, and the effect of an early settlement and of its reversal.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, signedIn, type TestPerson } from '../../panel/people.ts';
import { carOf, collect, customerOf, dataOf, moveTo, reverse, type Shown, sell, verdictOf } from '../../support/books.ts';
import { download } from '../../support/pictures.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { aPdf, eventKinds, generate, paperDealer, uploadScan } from './papers.ts';

let api: TestService;
beforeAll(async () => {
  api = await testService({ at: '2026-03-02T12:00:00Z' });
  await openAll(api);
});
afterAll(() => api.close());

const canRead = existsSync('/usr/bin/pdftotext');
/** Where no PDF reader is installed, the text of a paper is not compared. */
function expectTexts(pdf: Buffer, words: readonly string[]): void {
  if (!canRead) return;
  const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf }).toString().replace(/\s+/g, ' ');
  for (const word of words) expect(text).toContain(word);
}

/** Signs in again: a session does not outlive the days between. */
async function drawn(person: TestPerson, path: string): Promise<Buffer> {
  const owner = await signedIn(api, person);
  const headers = { 'sec-fetch-site': 'same-origin', cookie: owner.cookieText() };
  const response = await fetch(`${owner.url}/panel/api/${path}`, { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await response.arrayBuffer());
}

const fileOf = async ({ file }: Shown): Promise<Buffer> => (await download(file.url)).bytes;
const TERMS = {
  sale_price: '600000.00',
  currency: 'TL',
  down_payment: '150000.00',
  finance_charge: '48000.00',
  late_rate_yearly: 30,
  installment_count: 8,
  first_due_date: '2026-04-05',
  round_to: 100,
};

/** The contract: incomplete, then a draft that cannot be signed by link, then signed by a scan. */
async function signContract(dealer: Dealer, sale: Shown): Promise<void> {
  const incomplete = await generate(dealer, sale.id, 'satis_sozlesmesi');
  expect(verdictOf(incomplete)).toBe('409 contract_incomplete');
  expect(incomplete.json.error.details).toMatchObject([{ field: 'delivery_due_on', code: 'required' }]);
  dataOf(await dealer.patch(`sales/${sale.id}`, { delivery_due_on: '2026-03-10' }));
  const contract = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
  expect(contract).toMatchObject({ status: 'Taslak', signature: 'Islak', version: 1, title: 'Satış sözleşmesi' });
  expectTexts(await fileOf(contract), [
    ...['Peşin satış bedeli: 600.000,00 TL', 'Vade farkı: 48.000,00 TL', 'Taksitli satış bedeli: 648.000,00 TL'],
    ...['Peşinat 05.03.2026 150.000,00', '1/8 05.04.2026 62.200,00', '7/8 05.10.2026 62.200,00', '8/8 05.11.2026 62.600,00'],
    ...['Yıllık faiz oranı: %27,69', 'Yıllık gecikme faizi: %30,00', 'en geç 10.03.2026 günü', `Satış no: ${sale.sale_no}`],
  ]);
  expect(verdictOf(await dealer.post(`sale-documents/${contract.id}/send`, { channel: 'Bağlantı' }))).toBe(
    '409 wet_signature_required',
  );
  expect(verdictOf(await dealer.get(`sale-documents/${contract.id}/signed-copy`))).toBe('409 document_not_signed');
  const ink = aPdf('sözleşme');
  const scan = dataOf(await uploadScan(api, dealer, { signs_document_id: contract.id }, ink));
  expect(scan).toMatchObject({ kind: 'Satış Sözleşmesi', sale_id: sale.id, signs_document_id: contract.id });
  expect(dataOf(await dealer.get(`documents/${contract.id}`))).toMatchObject({
    status: 'İmzalandı',
    signature_method: 'Islak',
    recipients: [{ role: 'Müşteri', status: 'İmzaladı' }],
  });
  expect(await eventKinds(dealer, contract.id)).toEqual(['created', 'signed', 'completed']);
  const copy = dataOf(await dealer.get(`sale-documents/${contract.id}/signed-copy`));
  expect((await download(copy.url)).bytes.equals(ink)).toBe(true);
  expect(verdictOf(await dealer.post(`sale-documents/${contract.id}/void`, { reason: 'yanlış' }))).toBe(
    '409 document_already_signed',
  );
  expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { sale_price: '610000.00' }))).toBe('409 sale_terms_locked');
}

test('S9: a deposit, a contract signed on paper, notes, an annex, a release', async () => {
  const dealer = await paperDealer(api, 'TR');
  const owner = await newPerson(api, { accountId: dealer.accountId });
  const [car, customer] = [await carOf(dealer, { price: '600000.00', currency: 'TL' }), await customerOf(dealer)];
  dataOf(await dealer.post(`vehicles/${car}/reserve`, { customer_id: customer, deposit_amount: '20000.00' }));
  const [deposit] = (await dealer.get(`customers/${customer}/collections`)).json.data;
  expectTexts(await drawn(owner, `collections/${deposit.id}/receipt.pdf`), [
    ...[deposit.receipt_no, '02.03.2026', '20.000,00 TL', 'Yirmibin Türk lirası'],
  ]);

  moveTo(api, '2026-03-05');
  const sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, ...TERMS }));
  const pay = async (amount: string, overrides: object = {}) =>
    dataOf(await collect(dealer, sale.id, amount, { currency: 'TL', ...overrides }));
  await pay('130000.00');
  await signContract(dealer, sale);
  const plan = dataOf(await generate(dealer, sale.id, 'odeme_plani'));
  dataOf(await uploadScan(api, dealer, { signs_document_id: plan.id }));

  const issue = async () =>
    dataOf(await dealer.post('promissory-notes', { sale_id: sale.id, issue_place: 'Mersin' })) as unknown as Shown[];
  const notes = await issue();
  expect(notes.map(({ amount }) => amount)).toEqual([...Array(7).fill('62200.00'), '62600.00']);
  expect(notes[0]).toMatchObject({ amount_in_words: 'Altmışikibinikiyüz Türk lirası', due_date: '2026-04-05' });
  expect(notes[7]!.amount_in_words).toBe('Altmışikibinaltıyüz Türk lirası');
  const statusesOf = async (some: readonly Shown[]) => {
    const shown = await Promise.all(some.map(({ id }) => dealer.get(`promissory-notes/${id}`)));
    return shown.map((answer) => dataOf(answer).status);
  };

  moveTo(api, '2026-04-25');
  const late = await pay('63222.47', { late_interest_amount: '1022.47' });
  expectTexts(await drawn(owner, `collections/${late.id}/receipt.pdf`), [
    '63.222,47 TL',
    '1.022,47 TL',
    '62.200,00 TL',
    '435.800,00 TL',
  ]);
  expect(await statusesOf(notes)).toEqual(['Tahsil Edildi', ...Array(7).fill('Portföyde')]);

  moveTo(api, '2026-05-10');
  const restructure = { from: '2026-06-05', installment_count: 10, add_finance_charge: '15000.00', reason: 'işini değiştirdi' };
  expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { restructure }))).toBe('409 promissory_note_active');
  for (const { id } of notes.slice(1))
    dataOf(await dealer.patch(`promissory-notes/${id}`, { status: 'İptal', note: 'yapılandırma' }));
  dataOf(await dealer.patch(`sales/${sale.id}`, { restructure }));
  const [annex, signed, contract] = (await dealer.get(`sales/${sale.id}/sale-documents`)).json.data;
  expect(annex).toMatchObject({ kind: 'Ödeme Planı', status: 'Taslak', version: 2, superseded_at: null });
  expect(signed).toMatchObject({ id: plan.id, status: 'İmzalandı', version: 1, superseded_at: expect.any(String) });
  expect(contract).toMatchObject({ kind: 'Satış Sözleşmesi', status: 'İmzalandı', superseded_at: null });
  expectTexts(await fileOf(annex), ['05.06.2026 45.080,00', '05.03.2027 45.080,00']);
  const reissued = await issue();
  expect(reissued.map(({ amount, due_date }) => `${due_date} ${amount}`)).toEqual(
    Array.from({ length: 10 }, (_, n) => `${new Date(Date.UTC(2026, 5 + n, 5)).toISOString().slice(0, 10)} 45080.00`),
  );

  moveTo(api, '2026-06-05');
  await pay('45080.00');
  expect(await statusesOf(reissued)).toEqual(['Tahsil Edildi', ...Array(9).fill('Portföyde')]);
  expect(verdictOf(await generate(dealer, sale.id, 'ibraname'))).toBe('409 sale_not_completed');
  const settled = await pay('368687.72', { discount_amount: '37032.28', discount_reason: 'Erken Ödeme' });
  expect(await statusesOf(reissued)).toEqual(Array(10).fill('Tahsil Edildi'));
  expectTexts(await drawn(owner, `collections/${settled.id}/receipt.pdf`), [
    '368.687,72 TL',
    '37.032,28 TL',
    'Kalan borç 0,00 TL',
  ]);
  const release = dataOf(await generate(dealer, sale.id, 'ibraname'));
  expectTexts(await fileOf(release), ['05.06.2026', sale.sale_no]);
  const query = 'currency=TL&from=2026-03-01&to=2026-06-30';
  expectTexts(await drawn(owner, `customers/${customer}/statement.pdf?${query}`), ['368.687,72', '37.032,28', '0,00']);

  dataOf(await reverse(dealer, settled.id));
  const sent = await dealer.post(`sale-documents/${release.id}/send`, { channel: 'Bağlantı' });
  expect(verdictOf(sent), 'what it says is paid is open again').toBe('409 sale_not_completed');
  expect(await statusesOf(reissued)).toEqual(['Tahsil Edildi', ...Array(9).fill('Portföyde')]);
  expectTexts(await drawn(owner, `collections/${settled.id}/receipt.pdf`), ['İPTAL EDİLDİ']);
});
