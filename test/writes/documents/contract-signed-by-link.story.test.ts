// S1 of the acceptance stories, papers and notes: twelve notes, a contract that both parties sign by link, a guarantee on paper
// only, and notes that follow the payments.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect, dataOf, moveTo, reverse, type Shown, storeRates, verdictOf } from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { openAll } from '../../support/writer.ts';
import { generate, paperDealer, soldCar } from './papers.ts';
import { Signer } from './signing-page.ts';

let api: TestService;
beforeAll(async () => {
  api = await testService({ at: '2026-01-15T12:00:00Z', env: { TRUST_PROXY: '127.0.0.1' } });
  await openAll(api);
  await storeRates(api, 'KKTCMB', '2026-01-30', '2026-03-13');
});
afterAll(() => api.close());

test('S1: notes, a contract by link, a guarantee by hand', async () => {
  const dealer = await paperDealer(api);
  const { sale } = await soldCar(dealer, { sale_date: '2026-01-15', first_due_date: '2026-02-15' });
  const notes = dataOf(await dealer.post('promissory-notes', { sale_id: sale.id, issue_place: 'Lefkoşa' })) as unknown as Shown[];
  expect(notes.map(({ amount }) => amount)).toEqual([...Array(11).fill('941.66'), '941.74']);
  expect(new Set(notes.map(({ payee_name }) => payee_name))).toEqual(new Set(['Merkez Otomotiv Ticaret Ltd. Şti.']));
  expect(notes[0]).toMatchObject({ status: 'Portföyde', amount_in_words: 'Dokuzyüzkırkbir İngiliz sterlini altmışaltı peni' });

  const { id, status } = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
  expect(status).toBe('Taslak');
  const sent = dataOf(await dealer.post(`sale-documents/${id}/send`, { channel: 'Bağlantı' }));
  expect(sent.status).toBe('Gönderildi');
  for (const { url } of sent.signing_links) {
    const signer = new Signer(api, url);
    await signer.enter(api, dealer, id);
    expect((await signer.decide('sign')).status).toBe(303);
  }
  expect(dataOf(await dealer.get(`documents/${id}`)).status).toBe('İmzalandı');
  expect(verdictOf(await dealer.post(`sale-documents/${id}/void`, { reason: 'x' }))).toBe('409 document_already_signed');
  expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { sale_price: '14000.00' }))).toBe('409 sale_terms_locked');
  expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { guarantor_ids: [] }))).toBe('409 guarantor_bound');
  const guarantee = dataOf(await generate(dealer, sale.id, 'kefaletname'));
  expect(guarantee.status).toBe('Taslak');
  expect(verdictOf(await dealer.post(`sale-documents/${guarantee.id}/send`, { channel: 'Bağlantı' }))).toBe(
    '409 wet_signature_required',
  );

  const noteStatus = async (place: number) => dataOf(await dealer.get(`promissory-notes/${notes[place - 1]!.id}`)).status;
  dataOf(await collect(dealer, sale.id, '4000.00', { currency: 'STG', collected_on: '2026-01-15' }));
  moveTo(api, '2026-02-14');
  dataOf(await collect(dealer, sale.id, '1000.00', { currency: 'STG' }));
  expect([await noteStatus(1), await noteStatus(2)]).toEqual(['Tahsil Edildi', 'Portföyde']);
  moveTo(api, '2026-03-15');
  const lira = dataOf(await collect(dealer, sale.id, '60000.00', { currency: 'TL' }));
  expect([await noteStatus(2), await noteStatus(3)]).toEqual(['Tahsil Edildi', 'Portföyde']);
  moveTo(api, '2026-03-16');
  dataOf(await reverse(dealer, lira.id, {}));
  expect(await noteStatus(2)).toBe('Portföyde');
  moveTo(api, '2026-03-20');
  dataOf(await collect(dealer, sale.id, '1000.00', { currency: 'USD' }));
  dataOf(await collect(dealer, sale.id, '9557.36', { currency: 'STG' }));
  for (let place = 1; place <= 12; place += 1) expect(await noteStatus(place)).toBe('Tahsil Edildi');
  expect(verdictOf(await generate(dealer, sale.id, 'ibraname'))).toBe('201');
});
