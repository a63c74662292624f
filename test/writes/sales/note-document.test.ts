// The document of a promissory note: generated once per content, an original until it is printed, then a copy; its link opens
// only the current one.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aDealer, customerOf, dataOf, moveTo, type Shown, sell, verdictOf } from '../../support/books.ts';
import { aPerson, type Dealer } from '../../support/writer.ts';
import { closeScene, newScene, type Scene, TODAY } from './refused.ts';

let scene: Scene;
let dealer: Dealer;
let made: Shown;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));
beforeEach(async () => {
  moveTo(scene.api, TODAY);
  dealer = await aDealer(scene.api);
  const customer = await customerOf(dealer, { address: 'Şehit Çağlayan Sk. 4, Lefkoşa' });
  const guarantor = dataOf(await dealer.post(`customers/${customer}/guarantors`, aPerson({ last_name: 'Güneşoğlu' }))).id;
  const vehicle = await scene.api.vehicle(dealer.accountId);
  const body = {
    vehicle_id: vehicle,
    customer_id: customer,
    guarantor_ids: [guarantor],
    sale_price: '2825.00',
    currency: 'STG',
  };
  const sale = dataOf(await sell(dealer, { ...body, installment_count: 3 }));
  [made] = dataOf(await dealer.post('promissory-notes', { sale_id: sale.id, issue_place: 'Lefkoşa' })) as unknown as [Shown];
});

const document = async (): Promise<Shown> => dataOf(await dealer.get(`promissory-notes/${made.id}/document`));
const open = async ({ url }: Shown): Promise<{ status: number; bytes: Buffer }> => {
  const answer = await fetch(scene.api.service.url + new URL(url).pathname);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const fileStates = () =>
  scene.admin.rows<{ state: string }>('select state from stored_files where account_id = $1 order by created_at', [
    dealer.accountId,
  ]);

test('is a PDF with the stated size and hash, and the same bytes on a second request', async () => {
  const first = await document();
  expect(first).toMatchObject({ content_type: 'application/pdf', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(Date.parse(first.expires_at) - scene.api.clock.realNow().getTime()).toBeLessThanOrEqual(15 * 60_000);
  const { status, bytes } = await open(first);
  expect([status, bytes.length, bytes.subarray(0, 5).toString()]).toEqual([200, first.size_bytes, '%PDF-']);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(first.sha256);
  expect((await document()).sha256).toBe(first.sha256);
  expect(await fileStates()).toEqual([{ state: 'kept' }]);
});

test('is stored once for concurrent requests, and emits no event', async () => {
  const events = await scene.admin.rows('select id from events where account_id = $1', [dealer.accountId]);
  const all = await Promise.all(Array.from({ length: 4 }, document));
  expect(new Set(all.map(({ sha256 }) => sha256)).size).toBe(1);
  for (const one of all) expect((await open(one)).status).toBe(200);
  expect((await fileStates()).filter(({ state }) => state === 'kept')).toHaveLength(1);
  expect(await scene.admin.rows('select id from events where account_id = $1', [dealer.accountId])).toHaveLength(events.length);
});

test('becomes a copy after printing, and the link to the original stops working', async () => {
  const original = await document();
  dataOf(await dealer.patch(`promissory-notes/${made.id}`, { printed: true }));
  const copy = await document();
  expect(copy.sha256).not.toBe(original.sha256);
  expect((await open(original)).status).toBe(404);
  expect((await open(copy)).status).toBe(200);
});

test('is regenerated for another place of payment, but not for a move to the bank', async () => {
  const first = await document();
  dataOf(await dealer.patch(`promissory-notes/${made.id}`, { payment_place: 'Girne' }));
  const second = await document();
  expect(second.sha256).not.toBe(first.sha256);
  dataOf(await dealer.patch(`promissory-notes/${made.id}`, { status: 'Bankada', bank_name: 'İş Bankası' }));
  expect((await document()).sha256).toBe(second.sha256);
});

test('a cancelled note is not printed, and other dealers cannot read notes', async () => {
  const path = `promissory-notes/${made.id}/document`;
  const other = await aDealer(scene.api);
  expect(verdictOf(await other.get(path))).toBe('404 not_found');
  dataOf(await dealer.patch(`promissory-notes/${made.id}`, { status: 'İptal', note: 'yanlış' }));
  expect(verdictOf(await dealer.get(path))).toBe('409 note_cancelled');
});
