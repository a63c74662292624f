// A lot with more bids than one page holds, read and checked from the first bid by both clients.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Galeri, readLotBids, verifyBids } from '../../sdk/typescript/src/index.ts';
import { aBidder, aLot, anEvent } from '../support/auctions.ts';
import { dataOf, type Shown, verdictOf } from '../support/books.ts';
import { isPhpMissing } from '../support/php.ts';
import { isPythonMissing, python } from '../support/python.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';

const BIDS = 130;
let api: TestService;
let reader: Dealer;
let lot: Shown;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  const [operator, seller, one] = [await aBidder(api), await aBidder(api), await aBidder(api)];
  reader = await aBidder(api);
  lot = await aLot(api, seller, await anEvent(api, operator));
  dataOf(await operator.post(`live-auctions/lots/${lot.id}/start`));
  for (let n = 0; n < BIDS; n += 1)
    dataOf(await (n % 2 === 0 ? one : reader).post(`live-auctions/lots/${lot.id}/bid`, { amount: `${8000 + n * 100}.00` }));
});
afterAll(() => api.close());

const read = async (cursor: string) => reader.get(`live-auctions/lots/${lot.id}?bids_cursor=${cursor}`);
const numbersOf = ({ bids }: Shown): number[] => bids.map(({ bid_seq }: Shown) => bid_seq);

test('the lot shows its newest 20 bids and a link to the first page', async () => {
  const shown = dataOf(await reader.get(`live-auctions/lots/${lot.id}`));
  expect(numbersOf(shown)).toEqual(Array.from({ length: 20 }, (_, index) => BIDS - index));
  expect(shown.bids_cursor).toBe('0');
});

test('pages go from the first bid to the last, each bid once', async () => {
  const first = dataOf(await read('0'));
  const second = dataOf(await read(first.bids_cursor));
  expect(second.bids_cursor).toBeNull();
  expect([...numbersOf(first), ...numbersOf(second)]).toEqual(Array.from({ length: BIDS }, (_, index) => index + 1));
  expect(second.bids.at(-1).chain).toBe(second.chain_head);
  expect(dataOf(await read(String(BIDS)))).toMatchObject({ bids: [], bids_cursor: null });
});

test.each(['-1', 'x', '1.5', '99999999999', ''])('refuses bids_cursor=%s by name', async (cursor) => {
  const refused = await read(cursor);
  expect([verdictOf(refused), refused.json.error.param]).toEqual(['400 invalid_parameter', 'bids_cursor']);
});

test('the TypeScript client reads and checks all of them', async () => {
  const log = await readLotBids(new Galeri({ key: reader.key, url: api.service.url }), lot.id);
  expect([log.bids.length, await verifyBids(log)]).toEqual([BIDS, null]);
  expect(await verifyBids({ ...log, bids: log.bids.filter(({ bid_seq }) => bid_seq !== 42) })).toBe(42);
});

test.skipIf(isPhpMissing())('the PHP client reads and checks all of them', async () => {
  const env = { ...process.env, GALERI_KEY: reader.key, GALERI_URL: api.service.url, LOT_ID: lot.id };
  const { stdout } = spawn('php', ['test/sdk/lot-bids.php'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  expect(JSON.parse(await text(stdout))).toEqual([BIDS, null]);
});

test.skipIf(isPythonMissing())('the Python client reads and checks all of them', async () => {
  const env = { GALERI_KEY: reader.key, GALERI_URL: api.service.url, LOT_ID: lot.id };
  expect(JSON.parse((await python('test/sdk/python/lot_bids.py', env)).stdout)).toEqual([BIDS, null, 42]);
});
