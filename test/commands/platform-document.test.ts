// What became of a sale document outside the signing page: opened, signed, declined, told by the number of the recipient.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { platformCommand } from '../../src/commands/platform/platform.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { dataOf, type Shown } from '../support/books.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { eventKinds, generate, paperDealer, soldCar } from '../writes/documents/papers.ts';
import { printed } from './printed.ts';

let api: TestService;
let dealer: Dealer;
let folder = '';
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  folder = await mkdtemp(join(tmpdir(), 'galeri-platform-'));
  Object.assign(process.env, { DATABASE_URL: api.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
  dealer = await paperDealer(api);
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
const galeri = async (...args: string[]): Promise<any> =>
  JSON.parse(await printed(() => platformCommand.run(['document', ...args, '--json'])));
const refused = (...args: string[]) => expect(platformCommand.run(['document', ...args])).rejects;

/** Sent to the customer and her guarantor. */
async function sent(): Promise<Shown> {
  const { sale } = await soldCar(dealer);
  const made = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
  return dataOf(await dealer.post(`sale-documents/${made.id}/send`, { channel: 'Bağlantı' }));
}

test('a document is opened by one recipient, signed by both, and then completed', async () => {
  const { id } = await sent();
  const states = ({ recipients, status }: Shown) => [...recipients.map((one: Shown) => one.status), status];
  expect(states(await galeri('viewed', id, '--recipient', '1'))).toEqual(['Görüntüledi', 'Bekliyor', 'Görüntülendi']);
  expect(states(await galeri('signed', id, '--recipient', '2'))).toEqual(['Görüntüledi', 'İmzaladı', 'Görüntülendi']);
  expect(states(await galeri('signed', id, '--recipient', '1'))).toEqual(['İmzaladı', 'İmzaladı', 'İmzalandı']);
  expect(await eventKinds(dealer, id)).toEqual(['created', 'sent', 'sent', 'viewed', 'signed', 'signed', 'completed']);
  await refused('signed', id, '--recipient', '1').toThrow('(invalid_transition)');
  const audited = await api.database.onPlatform('read', (db) =>
    db.rows<{ action: string }>(sql`select action from audit_log where target = ${id} and actor_type = 'cli' order by id`),
  );
  expect(audited.map(({ action }) => action)).toEqual([
    'sale_document.viewed_recorded',
    'sale_document.signed_recorded',
    'sale_document.signed_recorded',
  ]);
});

test('one who declines ends it; what is unknown is one clear line', async () => {
  const { id } = await sent();
  expect(await galeri('declined', id, '--recipient', '2')).toMatchObject({ status: 'Reddedildi' });
  await refused('viewed', id, '--recipient', '1').toThrow('(invalid_transition)');
  await refused('signed', newId(), '--recipient', '1').toThrow('there is no document');
  await refused('signed', (await sent()).id, '--recipient', '3').toThrow('has no recipient 3');
  await refused('signed', id).toThrow('--recipient');
  await refused('printed', id, '--recipient', '1').toThrow('viewed, signed, declined');
});
