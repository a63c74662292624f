// Simulated recipients of documents: the beginning of the e-mail address, or the last digit of the phone number, decides what they do.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCustomer } from '../../../src/domain/customers/customer-writes.ts';
import { findDocument, type StoredDocument } from '../../../src/domain/documents/document.ts';
import { findTemplate } from '../../../src/domain/documents/document-templates.ts';
import { generateDocument } from '../../../src/domain/documents/generated/sale-document-generate.ts';
import { voidSaleDocument } from '../../../src/domain/documents/generated/sale-document-void.ts';
import type { SendBody } from '../../../src/domain/documents/signing/recipients.ts';
import { sendDocument } from '../../../src/domain/documents/signing/sale-document-send.ts';
import { openFiles } from '../../../src/domain/files/open-files.ts';
import { createSale } from '../../../src/domain/sales/sale-writes.ts';
import { newDataDir } from '../../support/data-dir.ts';
import { actsOf, addCar, DAY, eventsOf, failuresIn, HOUR, minor, type TestWorld, testWorld } from './people-world.ts';

let world: TestWorld;
beforeAll(async () => {
  const dataDir = await newDataDir('people');
  world = await testWorld({ files: () => openFiles({ dataDir }) });
});
afterAll(async () => {
  expect(await failuresIn(world)).toEqual([]);
  await world.close();
});

const TEMPLATE = findTemplate('KKTC', { code: 'satis_sozlesmesi' })!.id;
let people = 0;

async function send(body: SendBody): Promise<string> {
  const sale = await world.write(async (work) => {
    const customer = await addCustomer(work, {
      first_name: 'Ayşe',
      last_name: 'Yılmaz',
      phone: '+905338001120',
      id_no: `PW${++people}`,
    });
    return createSale(work, { vehicle_id: await addCar(work), customer_id: customer.id, sale_price: minor('9000.00') });
  });
  const { id } = await world.write((work) => generateDocument(work, sale.id, { template_id: TEMPLATE }));
  await world.write((work) => sendDocument(work, id, body, true));
  return id;
}

const to = (...contacts: { email?: string; phone?: string }[]): SendBody => ({
  channel: contacts.every(({ email }) => email !== undefined) ? 'E-posta' : 'Bağlantı',
  recipients: contacts.map((contact, index) => ({ role: 'Müşteri', name: `Alıcı ${index + 1}`, ...contact })),
});

const documentNow = (id: string): Promise<StoredDocument> =>
  world.writer.database.inTenant(world.id, 'read', (db) => findDocument(db, id));

test.each([
  ['imzalar@example.com', { email: 'imzalar@example.com' }],
  ['a phone number that ends in 1', { phone: '+905338001121' }],
])('%s signs at once', async (_, contact) => {
  const id = await send(to(contact));
  expect(await documentNow(id)).toMatchObject({ status: 'İmzalandı', signature_method: 'Bağlantı' });
  expect(await eventsOf(world, id)).toEqual([
    'sale_document.generated',
    'sale_document.sent',
    'sale_document.viewed',
    'sale_document.signed',
    'sale_document.completed',
  ]);
  const [signed] = await world.admin.rows<{ signed_file_id: string }>('select signed_file_id from documents where id = $1', [id]);
  expect(signed!.signed_file_id).toEqual(expect.any(String));
});

test.each([
  ['gec@example.com', { email: 'gec@example.com' }],
  ['a phone number that ends in 2', { phone: '+905338001122' }],
])('%s signs after 3 days', async (_, contact) => {
  const id = await send(to(contact));
  await world.pass(3 * DAY - HOUR);
  expect(await documentNow(id)).toMatchObject({ status: 'Gönderildi' });
  await world.pass(2 * HOUR);
  expect(await documentNow(id)).toMatchObject({ status: 'İmzalandı' });
});

test.each([
  ['reddeder@example.com', { email: 'reddeder@example.com' }],
  ['a phone number that ends in 3', { phone: '+905338001123' }],
])('%s declines at once', async (_, contact) => {
  const id = await send(to(contact));
  expect(await documentNow(id)).toMatchObject({ status: 'Reddedildi' });
});

test('another address leaves the document to a person', async () => {
  const id = await send(to({ email: 'ayse@example.com', phone: '+905338001121' }));
  await world.pass(4 * DAY);
  expect(await documentNow(id)).toMatchObject({ status: 'Gönderildi' });
});

test('each of several recipients decides alone; the document is complete with the last', async () => {
  const id = await send(to({ email: 'imzalar1@example.com' }, { email: 'gec@example.com' }));
  expect(await documentNow(id)).toMatchObject({ status: 'Görüntülendi' });
  await world.pass(3 * DAY + HOUR);
  expect(await documentNow(id)).toMatchObject({ status: 'İmzalandı' });
});

test('a signature on a document that was voided is recorded as not possible', async () => {
  const id = await send(to({ email: 'gec@example.com' }));
  await world.write((work) => voidSaleDocument(work, id, 'Vazgeçildi'));
  await world.pass(3 * DAY + HOUR);
  const [recipient] = await world.admin.rows<{ id: string }>('select id from document_recipients where document_id = $1', [id]);
  expect(await actsOf(world, recipient!.id)).toEqual([expect.objectContaining({ outcome: 'not_found' })]);
});
