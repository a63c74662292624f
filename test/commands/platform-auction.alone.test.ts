// The administrator's commands for live auctions: requests decided, events scheduled, moved and cancelled, lots withdrawn.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { platformCommand } from '../../src/commands/platform/platform.ts';
import { newId } from '../../src/kit/ids.ts';
import { aBidder } from '../support/auctions.ts';
import { carOf, dataOf } from '../support/books.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { printed } from './printed.ts';

let api: TestService;
let folder = '';
let [operator, seller]: Dealer[] = [];
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  folder = await mkdtemp(join(tmpdir(), 'galeri-platform-'));
  Object.assign(process.env, { DATABASE_URL: api.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
  [operator, seller] = [await aBidder(api, { name: 'Müzayede Evi' }), await aBidder(api)];
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
const galeri = async (...args: string[]): Promise<any> =>
  JSON.parse(await printed(() => platformCommand.run([...args, '--json'])));
const refused = (...args: string[]) => expect(platformCommand.run(args)).rejects;
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const planned = () =>
  galeri('event', 'create', '--title', 'Kasım müzayedesi', '--starts-at', inHours(3), '--operator', operator!.accountId);
const newRequest = async () =>
  dataOf(await seller!.post('auction-requests', { vehicle_id: await carOf(seller!), start_price: '8000.00' }));

test('an event is scheduled for its operator, moved, and cancelled once', async () => {
  const event = await planned();
  expect(event).toMatchObject({
    status: 'Planlandı',
    title: 'Kasım müzayedesi',
    operator: { name: 'Müzayede Evi' },
    lot_count: 0,
  });
  const later = inHours(5);
  expect(await galeri('event', 'reschedule', event.id, '--starts-at', later)).toMatchObject({ starts_at: later });
  expect(await galeri('event', 'cancel', event.id, '--reason', 'yağmur')).toMatchObject({ status: 'İptal' });
  await refused('event', 'cancel', event.id).toThrow('(event_closed)');
  await refused('event', 'reschedule', event.id, '--starts-at', later).toThrow('(event_closed)');
  expect(dataOf(await seller!.get(`live-auctions/${event.id}`))).toMatchObject({ status: 'İptal', am_i_operator: false });
});

test('a request is approved into an event as a lot, once, and the lot withdrawn', async () => {
  const event = await planned();
  const request = await newRequest();
  const approve = (id: string, ...more: string[]) => ['auction-request', 'approve', id, '--event', event.id, ...more];
  const approved = await galeri(...approve(request.id, '--lot-no', '7', '--min-increment', '250.50', '--note', 'ilk sıralarda'));
  expect(approved).toMatchObject({ status: 'Onaylandı', decision_note: 'ilk sıralarda' });
  const lot = dataOf(await seller!.get(`live-auctions/lots/${approved.lot_id}`));
  expect(lot).toMatchObject({ lot_no: 7, min_increment: '250.50', status: 'Sırada', event_id: event.id });
  await refused(...approve(request.id, '--lot-no', '8')).toThrow('(request_closed)');
  const next = await newRequest();
  await refused(...approve(next.id, '--lot-no', '7')).toThrow('(lot_no_taken)');
  expect(await galeri('auction-request', 'reject', next.id, '--note', 'fotoğraf yok')).toMatchObject({
    status: 'Reddedildi',
    decision_note: 'fotoğraf yok',
    lot_id: null,
  });
  expect(await galeri('lot', 'withdraw', lot.id, '--reason', 'hasarlı')).toMatchObject({ status: 'Çekildi' });
  await refused('lot', 'withdraw', lot.id).toThrow('(lot_not_waiting)');
});

test('missing, wrong or unknown input prints one line', async () => {
  const request = await newRequest();
  await refused('auction-request', 'approve', request.id).toThrow('event');
  await refused('auction-request', 'approve', request.id, '--event', newId(), '--lot-no', '1').toThrow('(event_not_open)');
  await refused('auction-request', 'approve', newId(), '--event', newId(), '--lot-no', '1').toThrow(
    'there is no auction request',
  );
  await refused('auction-request', 'close', request.id).toThrow('approve or reject');
  await refused('event', 'create', '--title', 'x', '--starts-at', 'yarın', '--operator', operator!.accountId).toThrow(
    'starts_at',
  );
  await refused('event', 'create', '--title', 'x', '--starts-at', inHours(1), '--operator', newId()).toThrow(
    'there is no account',
  );
  await refused('event', 'cancel', newId()).toThrow('there is no event');
  await refused('lot', 'withdraw', 'x').toThrow('there is no lot x');
});
