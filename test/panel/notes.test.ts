// Promissory notes as the panel prints and moves them: originals once, three to a sheet, several at once, and the slip that
// accompanies them.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDealer, carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
let seller: Browser;
let notes: { id: string; note_no: string; sale_id: string }[];
beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  seller = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'sales' }));
  notes = [...(await notesOf(4, { id_no: '10000000146' })), ...(await notesOf(2))];
});
afterAll(() => api.close());

async function notesOf(installment_count: number, id_no: object = {}) {
  const customer_id = await customerOf(dealer, { first_name: 'Şükrü', last_name: 'Çağlayangil', ...id_no });
  const terms = { sale_price: '1200.00', currency: 'STG', sale_date: '2026-10-01', first_due_date: '2026-11-01' };
  const sale_id = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id, ...terms, installment_count })).id;
  return dataOf(await dealer.post('promissory-notes', { sale_id, issue_place: 'Lefkoşa' })) as unknown as typeof notes;
}

async function pdf(browser: Browser, path: string): Promise<{ status: number; text: string; pages: number }> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${browser.url}/panel/api/${path}`, { headers: { 'sec-fetch-site': 'same-origin', cookie } });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) return { status: response.status, text: bytes.toString(), pages: 0 };
  const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: bytes }).toString();
  return { status: 200, text: text.replace(/\s+/g, ' '), pages: text.split('\f').length - 1 };
}
const canRead = existsSync('/usr/bin/pdftotext');
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id).join(',');
const move = (browser: Browser, body: Record<string, unknown>) => browser.api('promissory-notes/move', { method: 'POST', body });
const COPY = 'ÖRNEKTİR';

test.runIf(canRead)(
  'originals are printed three to a sheet until printing is confirmed; then every print is a copy',
  async () => {
    const path = `promissory-notes/print.pdf?ids=${idsOf(notes.slice(0, 4))}`;
    const first = await pdf(owner, path);
    expect([first.status, first.pages]).toEqual([200, 2]);
    for (const { note_no } of notes.slice(0, 4)) expect(first.text).toContain(note_no);
    expect(first.text).toContain('10000000146');
    expect(first.text).not.toContain(COPY);
    expect((await move(seller, { note_ids: [notes[0]!.id], printed: true })).status).toBe(403);
    const done = await move(owner, { note_ids: notes.slice(0, 3).map(({ id }) => id), printed: true });
    expect(done.json.data).toEqual({ moved: 3 });
    const again = await pdf(seller, path);
    expect(again.text.split(COPY).length - 1).toBe(3);
    const log = await owner.api('audit?limit=100');
    expect(JSON.stringify(log.json)).toContain('promissory_note.opened');
  },
);

test.runIf(canRead)('several go to the bank together or not at all, with a slip that sums them', async () => {
  const some = notes.slice(1);
  const ids = some.map(({ id }) => id);
  expect((await move(owner, { note_ids: ids, status: 'Bankada' })).status).toBe(422);
  expect((await move(owner, { note_ids: [...ids, crypto.randomUUID()], status: 'Bankada', bank_name: 'İş' })).status).toBe(422);
  dataOf(await dealer.patch(`promissory-notes/${ids[2]}`, { status: 'Devredildi', transferred_to: 'Faktoring' }));
  expect((await move(owner, { note_ids: ids, status: 'Bankada', bank_name: 'İş Bankası' })).json.error.code).toBe(
    'invalid_transition',
  );
  expect(dataOf(await dealer.get(`promissory-notes/${ids[0]}`)).status).toBe('Portföyde');
  dataOf(await dealer.patch(`promissory-notes/${ids[2]}`, { status: 'Portföyde' }));
  dataOf(await move(owner, { note_ids: ids, status: 'Bankada', bank_name: 'İş Bankası' }));
  for (const id of ids) expect(dataOf(await dealer.get(`promissory-notes/${id}`))).toMatchObject({ status: 'Bankada' });
  const query = `handed_to=${encodeURIComponent('İş Bankası, Lefkoşa')}&purpose=Tahsile`;
  const slip = await pdf(owner, `promissory-notes/slip.pdf?ids=${idsOf(some)}&${query}`);
  for (const expected of ['SENET BORDROSU', 'İş Bankası, Lefkoşa', 'Tahsile', 'Senet adedi 5', '2.100,00 STG', some[0]!.note_no])
    expect(slip.text).toContain(expected);
  expect(slip.text).not.toContain('10000000146');
  const counts = await owner.api(`promissory-notes/counts?sale_id=${notes[0]!.sale_id}`);
  expect(counts.json.data).toMatchObject({ total: 4, statuses: { Portföyde: 1, Bankada: 3, İptal: 0 } });
});

test.runIf(canRead)('another dealer’s notes return 404', async () => {
  const other = await aDealer(api);
  const theirs = await signedIn(api, await newPerson(api, { accountId: other.accountId }));
  for (const path of ['print.pdf', 'slip.pdf'])
    expect((await pdf(theirs, `promissory-notes/${path}?ids=${notes[0]!.id}`)).status).toBe(404);
  expect((await move(theirs, { note_ids: [notes[0]!.id], printed: true })).status).toBe(422);
});
