// The papers of the panel, over HTTP: content, permissions, and the public page that verifies a receipt.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { own, sql } from '../../src/kit/sql.ts';
import { aDealer, carOf, collect, customerOf, dataOf, reverse, sell } from '../support/books.ts';
import { aJpeg, download, metadataOf, twoColours } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { generate } from '../writes/documents/papers.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
let customer: string;
let sale: string;
let money: string;
beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  customer = await customerOf(dealer, { first_name: 'Şükrü', last_name: 'Çağlayangil' });
  const terms = {
    sale_price: '1200.00',
    currency: 'STG',
    sale_date: '2026-08-01',
    first_due_date: '2026-09-01',
    installment_count: 12,
  };
  sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: customer, ...terms })).id;
  money = dataOf(await collect(dealer, sale, '150.00', { currency: 'STG', collected_on: '2026-11-10' })).id;
});
afterAll(() => api.close());

const bytesOf = async (path: string): Promise<{ status: number; type: string | null; bytes: Buffer }> => {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${owner.url}/panel/api/${path}`, { headers: { 'sec-fetch-site': 'same-origin', cookie } });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};
const canRead = existsSync('/usr/bin/pdftotext');
const textOf = (bytes: Buffer): string =>
  execFileSync('pdftotext', ['-raw', '-', '-'], { input: bytes }).toString().replace(/\s+/g, ' ');

test.runIf(canRead)(
  'a receipt states its allocation and the open amount, is the same each time, and is verified by its code',
  async () => {
    const first = await bytesOf(`collections/${money}/receipt.pdf`);
    expect([first.status, first.type]).toEqual([200, 'application/pdf']);
    const text = textOf(first.bytes);
    for (const expected of [
      'Şükrü Çağlayangil',
      '150,00 STG',
      'Yalnız Yüzelli İngiliz sterlini',
      'Taksit 1/12, 01.09.2026',
      'Taksit 2/12, 01.10.2026',
      '50,00 STG',
      'Önceki vadelerden doğan haklarımız saklıdır.',
      'Kalan borç 1.050,00 STG',
    ])
      expect(text).toContain(expected);
    const again = await bytesOf(`collections/${money}/receipt.pdf`);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    const roll = await bytesOf(`collections/${money}/receipt.pdf?size=80mm`);
    expect(roll.bytes.equals(first.bytes)).toBe(false);
    const code = /dogrula\/([0-9A-Z]{26})/.exec(text)![1]!;
    const page = await fetch(`${owner.url}/dogrula/${code}`);
    const shown = await page.text();
    expect(page.status).toBe(200);
    expect(shown).toContain(createHash('sha256').update(first.bytes).digest('hex'));
    expect(shown).toContain('150,00 STG');
    expect(shown).toContain('10.11.2026');
    expect(shown).not.toMatch(/Şükrü|Çağlayangil|<script/);
    expect((await fetch(`${owner.url}/dogrula/${code.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`)).status).toBe(404);
    dataOf(await reverse(dealer, money, {}));
    expect(textOf((await bytesOf(`collections/${money}/receipt.pdf`)).bytes)).toContain('İPTAL EDİLDİ');
    expect(await (await fetch(`${owner.url}/dogrula/${code}?lang=en`)).text()).toContain('it was cancelled');
  },
);

test.runIf(canRead)('a dealer’s own clauses are printed below the paper they were written for', async () => {
  const set = (body: Record<string, unknown>) => owner.api('settings/paper', { method: 'PATCH', body });
  expect((await set({ senet: 'Hüküm' })).status).toBe(422);
  const saved = await set({ hesap_ekstresi: 'İtirazlar on gün içinde bildirilir.', makbuz: 'Teşekkür ederiz.' });
  expect(saved.json.data).toMatchObject({ hesap_ekstresi: 'İtirazlar on gün içinde bildirilir.', ibraname: null });
  const path = `customers/${customer}/statement.pdf?currency=STG&from=2026-01-01&to=2026-12-31`;
  expect(textOf((await bytesOf(path)).bytes)).toContain('İtirazlar on gün içinde bildirilir.');
  await set({ hesap_ekstresi: null });
  expect(textOf((await bytesOf(path)).bytes)).not.toContain('İtirazlar');
  expect((await owner.api('settings/paper')).json.data).toMatchObject({ hesap_ekstresi: null, makbuz: 'Teşekkür ederiz.' });
});

test.runIf(canRead)('statements of one and of many, and a notice that is recorded', async () => {
  const range = 'currency=STG&from=2026-01-01&to=2026-12-31';
  const one = textOf((await bytesOf(`customers/${customer}/statement.pdf?${range}`)).bytes);
  for (const expected of ['HESAP EKSTRESİ', 'Şükrü Çağlayangil', 'Taksit 1', 'Kapanış bakiyesi']) expect(one).toContain(expected);
  const other = await customerOf(dealer, { first_name: 'Ali', last_name: 'Veli' });
  expect(textOf((await bytesOf(`statements.pdf?ids=${customer},${other}&${range}`)).bytes)).toContain('Ali Veli');
  expect((await bytesOf(`statements.pdf?ids=${crypto.randomUUID()}&${range}`)).status).toBe(404);
  // An id that is repeated counts once: the paper has one statement of it, however it is written.
  const repeated = [...Array.from({ length: 150 }, () => customer), customer.toUpperCase()].join(',');
  const once = textOf((await bytesOf(`statements.pdf?ids=${repeated}&${range}`)).bytes);
  const closings = (text: string) => text.match(/Kapanış bakiyesi/g)!.length;
  expect(closings(once)).toBe(closings(one));
  const notice = await owner.api(`sales/${sale}/notice`, { method: 'POST', body: { deadline: '2026-12-01' } });
  expect(notice.json.data).toEqual({ deadline: '2026-12-01', legal_stage: 'Yok' });
  const letter = textOf((await bytesOf(`sales/${sale}/notice.pdf?deadline=2026-12-01`)).bytes);
  for (const expected of ['İHTAR', 'Sayın Şükrü Çağlayangil', '01.12.2026 gününe kadar', '300,00 STG'])
    expect(letter).toContain(expected);
  const { json } = await owner.api(`v1/customers/${customer}/activity`);
  expect(JSON.stringify(json)).toContain('ihtar mektubu');
  expect((await owner.api(`sales/${sale}/notice`, { method: 'POST', body: { deadline: '2026-11-16' } })).status).toBe(422);
});

const sendLogo = (bytes: Buffer, browser = owner) => {
  const boundary = 'logo-of-a-dealer';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="logo"\r\n\r\n`;
  const raw = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return browser.api('settings/paper/logo', { method: 'POST', raw, headers });
};

test.runIf(canRead)('a logo is re-encoded, printed on every paper with a header, and removed completely', async () => {
  const path = `customers/${customer}/statement.pdf?currency=STG&from=2026-01-01&to=2026-12-31`;
  const pictures = (bytes: Buffer) =>
    execFileSync('pdfimages', ['-list', '-'], { input: bytes }).toString().split('\n').length - 3;
  expect(pictures((await bytesOf(path)).bytes)).toBe(0);
  const wide = await twoColours(3000, 600)
    .withExif({ IFD0: { Artist: 'gizli' } })
    .png()
    .toBuffer();
  const saved = await sendLogo(wide);
  expect(saved.status, saved.text).toBe(200);
  const { bytes, response } = await download(saved.json.data.logo.url);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(await metadataOf(bytes)).toMatchObject({ format: 'jpeg', width: 540, height: 108 });
  expect(bytes.includes('gizli')).toBe(false);
  expect(pictures((await bytesOf(path)).bytes)).toBe(1);
  for (const size of ['A5', '80mm'])
    expect(pictures((await bytesOf(`collections/${money}/receipt.pdf?size=${size}`)).bytes), size).toBe(1);
  const contract = await generate(dealer, sale, 'kvkk_aydinlatma');
  expect(pictures((await download(dataOf(contract).file.url)).bytes)).toBe(1);

  // Another replaces it, and a file that is not a picture does not.
  const second = await sendLogo(await aJpeg(60, 60));
  expect((await download(saved.json.data.logo.url)).response.status).toBe(404);
  expect(await metadataOf((await download(second.json.data.logo.url)).bytes)).toMatchObject({ width: 60, height: 60 });
  for (const [name, wrong] of [
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['half', wide.subarray(0, wide.length / 2)],
    ['webp', await twoColours().webp().toBuffer()],
    ['pdf', Buffer.from('%PDF-1.7\n')],
    ['nothing', Buffer.alloc(0)],
  ] as const)
    expect((await sendLogo(wrong)).status, name).toBe(415);
  expect((await sendLogo(Buffer.concat([wide, Buffer.alloc(1_100_000)]))).status).toBe(413);
  const seller = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'sales' }));
  expect((await sendLogo(wide, seller)).status).toBe(403);
  expect((await owner.api('settings/paper')).json.data.logo.url).toContain('/files/');

  const removed = await owner.api('settings/paper/logo', { method: 'DELETE' });
  expect([removed.status, removed.json.data.logo]).toEqual([200, null]);
  expect((await download(second.json.data.logo.url)).response.status).toBe(404);
  expect(pictures((await bytesOf(path)).bytes)).toBe(0);
  const kept = await api.database.inTenant(dealer.accountId, 'read', (db) =>
    db.rows(sql`select id from ${own('stored_files')} where state <> 'gone' and content_type = 'image/jpeg'`),
  );
  expect(kept).toEqual([]);
});
