// All papers of a sale in one act, what they lack, and the papers of a car on offer: over HTTP, read back from the files.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { aDealer, carOf, customerOf, dataOf, newKey, type Shown, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const canRead = existsSync('/usr/bin/pdftotext');
let api: TestService;
let dealer: Dealer;
let owner: Browser;
beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
});
afterAll(() => api.close());

const TERMS = { sale_price: '1200.00', currency: 'STG', sale_date: '2026-11-01', installment_count: 6 };

async function sold(person: Record<string, unknown> = {}): Promise<{ sale: string; car: string; customer: string }> {
  const customer = await customerOf(dealer, { first_name: 'Şükrü', last_name: 'Çağlayangil', ...person });
  const car = await carOf(dealer);
  const { id } = dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, ...TERMS }));
  return { sale: id, car, customer };
}

const post = (path: string, body: Record<string, unknown> = {}) => owner.api(path, { method: 'POST', body });

async function fileOf(path: string): Promise<{ status: number; text: string; pages: number }> {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${owner.url}/panel/api/${path}`, { headers: { 'sec-fetch-site': 'same-origin', cookie } });
  const input = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) return { status: response.status, text: input.toString(), pages: 0 };
  const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input }).toString();
  return { status: 200, text: text.replace(/\s+/g, ' '), pages: text.split('\f').length - 1 };
}

describe('all papers of a sale', () => {
  test('are prepared in one act, each that can be; the others are named with the reason', async () => {
    const { sale } = await sold();
    const first = await post(`sales/${sale}/papers`);
    expect(first.status).toBe(200);
    const { prepared, refused } = first.json.data;
    const titles = [...prepared, ...refused].map(({ title }: Shown) => title).sort();
    expect(titles).toEqual(['KVKK aydınlatma metni', 'Satış sözleşmesi', 'Teslim tutanağı', 'Ödeme planı']);
    for (const { code, message } of refused) expect([code, message]).toEqual([expect.any(String), expect.any(String)]);
    // What is there is not made again.
    const again = await post(`sales/${sale}/papers`);
    expect(again.json.data.prepared).toEqual([]);
    const documents = dataOf(await dealer.get(`sales/${sale}/sale-documents`)) as unknown as Shown[];
    expect(documents.map(({ version, status }) => [version, status])).toEqual(prepared.map(() => [1, 'Taslak']));
  });

  test.runIf(canRead)('are printed in one file, and each opening is in the audit log', async () => {
    const { sale } = await sold();
    expect((await fileOf(`sales/${sale}/papers.pdf`)).status).toBe(404);
    const { prepared } = (await post(`sales/${sale}/papers`)).json.data;
    const { text, pages } = await fileOf(`sales/${sale}/papers.pdf`);
    expect(pages).toBeGreaterThanOrEqual(prepared.length);
    for (const heading of ['ÖDEME PLANI', 'ARAÇ TESLİM TUTANAĞI', 'AYDINLATMA METNİ']) expect(text).toContain(heading);
    // Each paper has its own page numbers and its own code.
    expect(text.match(/ 1\/\d/g)!.length).toBeGreaterThanOrEqual(prepared.length);
    expect(new Set(text.match(/dogrula\/[0-9A-Z]{26}/g)).size).toBe(prepared.length);
    const opened = await api.database.onPlatform('read', (db) =>
      db.rows<{ target: string }>(
        sql`select target from audit_log where action = 'file.opened' and target = any(${prepared.map(({ id }: Shown) => id)}::text[])`,
      ),
    );
    expect(opened).toHaveLength(prepared.length);
  });

  test('are sent for signature in one act', async () => {
    const { sale } = await sold();
    const { prepared } = (await post(`sales/${sale}/papers`)).json.data;
    const sent = (await post(`sales/${sale}/papers/send`, { channel: 'Bağlantı' })).json.data;
    expect(sent.sent.length).toBeGreaterThan(1);
    expect(sent.links.every(({ url }: Shown) => url.includes('/sign/'))).toBe(true);
    expect(new Set(sent.links.map(({ title }: Shown) => title))).toEqual(new Set(sent.sent));
    expect(prepared.length).toBeGreaterThanOrEqual(sent.sent.length);
    expect((await post(`sales/${sale}/papers/send`, { channel: 'Bağlantı' })).json.data.sent).toEqual([]);
    expect((await post(`sales/${sale}/papers/send`, { channel: 'SMS' })).status).toBe(422);
  });

  test('are not prepared for a cancelled sale, nor for another dealer', async () => {
    const { sale } = await sold();
    const stranger = await aDealer(api);
    const other = await signedIn(api, await newPerson(api, { accountId: stranger.accountId }));
    for (const path of [`sales/${sale}/papers`, `sales/${sale}/papers/send`])
      expect((await other.api(path, { method: 'POST', body: path.endsWith('send') ? { channel: 'Bağlantı' } : {} })).status).toBe(
        404,
      );
    for (const path of [`sales/${sale}/paper-gaps`, `sales/${sale}/papers.pdf`]) expect((await other.api(path)).status).toBe(404);
    dataOf(await dealer.post(`sales/${sale}/cancel`, { reason: 'vazgeçildi' }, newKey()));
    expect((await post(`sales/${sale}/papers`)).json.error.code).toBe('sale_cancelled');
  });
});

test('what papers would print as an empty line is named without its value, and no longer once it is entered', async () => {
  const { sale, car, customer } = await sold({ id_no: null, address: null });
  const gaps = async () =>
    (await owner.api(`sales/${sale}/paper-gaps`)).json.data.map(({ record, field, id }: Shown) => [record, field, id]);
  const before = await gaps();
  expect(before).toContainEqual(['vehicle', 'chassis_no', car]);
  expect(before).toContainEqual(['vehicle', 'engine_no', car]);
  expect(before).toContainEqual(['customer', 'id_no', customer]);
  expect(before).toContainEqual(['account', 'address', expect.any(String)]);
  dataOf(await dealer.patch(`vehicles/${car}`, { chassis_no: 'WVWZZZ1KZAW000001', engine_no: 'CAX123456' }));
  dataOf(await dealer.patch(`customers/${customer}`, { id_no: '10000000146', address: 'Girne' }));
  expect((await owner.api('settings', { method: 'PATCH', body: { address: 'Dereboyu 12' } })).status).toBe(200);
  const after = await gaps();
  expect(after.filter(([record]: string[]) => record !== 'account')).toEqual([]);
  expect(after.map(([, field]: string[]) => field)).not.toContain('address');
});

describe.runIf(canRead)('papers of a car on offer', () => {
  test('a sticker has the car, its price and the dealer, in the size and language asked for', async () => {
    const car = await carOf(dealer, { price: '14500.00', currency: 'STG' });
    const turkish = await fileOf(`vehicles/${car}/sticker.pdf`);
    expect([turkish.pages, turkish.text.includes('14.500,00 STG'), turkish.text.includes('Kilometre')]).toEqual([1, true, true]);
    const english = await fileOf(`vehicles/${car}/sticker.pdf?size=A5&language=en`);
    expect([english.pages, english.text.includes('Gearbox')]).toEqual([1, true]);
    expect((await fileOf(`vehicles/${car}/sticker.pdf?size=A3`)).status).toBe(400);
  });

  test('a sticker and an offer have the technical facts, the equipment and the parts that are not original, in the language asked for', async () => {
    const condition = { painted: ['Tavan'], locally_painted: ['Ön Tampon'], replaced: ['Sol Ön Kapı'] };
    const facts = { engine_cc: 1598, power_hp: 120, drive: '4x4', steering: 'Sağ', owners: 0, inspection_until: '2027-05-04' };
    const equipment = Array.from({ length: 60 }, (_, index) => `Donanım ${index + 1}`);
    const car = await carOf(dealer, { fuel_type: 'Dizel', ...facts, equipment, warranty: '6 ay', condition });
    for (const paper of ['sticker.pdf?', 'sticker.pdf?size=A5&', 'offer.pdf?valid_until=2026-11-23&']) {
      const turkish = await fileOf(`vehicles/${car}/${paper}language=tr`);
      expect(turkish.pages, paper).toBe(1);
      for (const wanted of [
        '1.598 cc',
        '120 hp',
        '4x4',
        '04.05.2027',
        '6 ay',
        'Donanım 14 +46',
        'Sol Ön Kapı',
        'Lokal boyalı (L): Ön Tampon',
      ])
        expect(turkish.text, paper).toContain(wanted);
      const english = await fileOf(`vehicles/${car}/${paper}language=en`);
      for (const wanted of ['Diesel', 'Right', '1,598 cc', 'Replaced (R): Front left door', 'Painted (P): Roof'])
        expect(english.text, paper).toContain(wanted);
    }
  });

  test('an offer states price, down payment and installments that add up, until when', async () => {
    const car = await carOf(dealer, { price: '1000.00', currency: 'STG' });
    const of = (query: string) => fileOf(`vehicles/${car}/offer.pdf?${query}`);
    const offer = await of('valid_until=2026-11-23&down_payment=100&finance_charge=101&installment_count=10&customer=Ay%C5%9Fe');
    expect(offer.pages).toBe(1);
    for (const expected of [
      'TEKLİF',
      'Sayın Ayşe',
      '1.000,00 STG',
      '100,00 STG',
      '1/10 16.12.2026 100,10',
      '10/10',
      '23.11.2026',
    ])
      expect(offer.text).toContain(expected);
    const cash = await of('valid_until=2026-11-23');
    expect(cash.text).not.toContain('Peşinat');
    expect((await of('valid_until=2026-11-15')).status).toBe(400);
    expect((await of('valid_until=2026-11-23&down_payment=5000&installment_count=3')).status).toBe(400);
    expect((await of('valid_until=2026-11-23&down_payment=5000')).status).toBe(400);
    expect((await of('')).status).toBe(400);
  });
});
