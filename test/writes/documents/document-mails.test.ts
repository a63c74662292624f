// Mail that dealers send through the platform: budget, frequency, number of recipients, wording, and order of delivery.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimMails, queueDealerMail, queueMail, queueReminders } from '../../../src/domain/mail/mail-queue.ts';
import { sealingKeys, vaultKeys } from '../../../src/domain/vault/vault.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { dataOf } from '../../support/books.ts';
import type { Answer } from '../../support/service.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { generate, paperDealer, soldCar } from './papers.ts';
import { Signer } from './signing-page.ts';

let api: TestService;
let admin: Session;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ env: { SMTP_URL: 'smtp://127.0.0.1:1', TRUST_PROXY: '127.0.0.1' } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
});
beforeEach(async () => {
  await admin.rows('delete from mails');
  dealer = await paperDealer(api);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

async function draft(): Promise<string> {
  const { sale } = await soldCar(dealer);
  return dataOf(await generate(dealer, sale.id, 'teslim_tutanagi')).id;
}
const send = (id: string, overrides: Record<string, unknown> = {}): Promise<Answer> =>
  dealer.post(`sale-documents/${id}/send`, { channel: 'E-posta', ...overrides });
const recipients = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ role: 'Müşteri', name: `Alıcı ${at}`, email: `alici${at}@example.com` }));
const claim = () =>
  api.database.onPlatform('write', (db) =>
    claimMails(db, vaultKeys(api.service.parts.writer.secrets), new Date(Date.now() + 1000)),
  );
const setUsed = (used: number) =>
  admin.rows(
    `insert into mail_budgets (account_id, since, used) values ($1, now(), $2)
     on conflict (account_id) do update set since = now(), used = excluded.used`,
    [dealer.accountId, used],
  );

test('a document goes to at most five recipients', async () => {
  const id = await draft();
  const refused = await send(id, { recipients: recipients(6) });
  expect([refused.status, refused.json.error.code]).toEqual([422, 'validation_failed']);
  expect(refused.json.error.details[0].field).toBe('recipients');
  expect((await send(id, { recipients: recipients(5) })).status).toBe(200);
  expect(await claim()).toHaveLength(5);
});

test('a sale with more than five people is mailed to none of them until recipients are named', async () => {
  const { sale, customer, guarantor } = await soldCar(dealer);
  const guarantors = [guarantor];
  for (let count = 1; count <= 4; count += 1) {
    const person = { first_name: 'Kefil', last_name: 'Kişi', phone: `+90542876540${count}`, email: `kefil${count}@example.com` };
    guarantors.push(dataOf(await dealer.post(`customers/${customer}/guarantors`, person)).id);
  }
  dataOf(await dealer.patch(`sales/${sale.id}`, { guarantor_ids: guarantors }));
  const id = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi')).id;
  const refused = await send(id);
  expect(refused.json.error.details).toMatchObject([{ field: 'recipients', code: 'too_many' }]);
  expect((await send(id, { channel: 'Bağlantı' })).json.data.signing_links).toHaveLength(6);
});

test('a recipient is mailed about a document once in ten minutes and five times a day', async () => {
  const id = await draft();
  const later = (columns: string, interval: string) =>
    admin.rows(
      `update document_recipients set ${columns
        .split(' ')
        .map((one) => `${one} = ${one} - interval '${interval}'`)
        .join(', ')} where document_id = $1`,
      [id],
    );
  expect((await send(id, { recipients: recipients(1) })).status).toBe(200);
  const again = await send(id);
  expect([again.status, again.json.error.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(again.json.error.details).toMatchObject([{ field: 'recipients', code: 'too_many_mails' }]);
  expect(again.json.error.message).toMatch(
    /^Alıcı 0 can receive one e-mail per document every 10 minutes and at most 5 per day; retry in \d+ s$/,
  );
  const wait = Number(again.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(600);
  // A link that the dealer hands over is not mail.
  expect((await send(id, { channel: 'Bağlantı' })).status).toBe(200);
  for (let count = 2; count <= 5; count += 1) {
    await later('mailed_at', '11 minutes');
    expect((await send(id)).status).toBe(200);
  }
  await later('mailed_at', '11 minutes');
  const sixth = await send(id);
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(600);
  await later('mailed_at mails_from', '24 hours');
  expect((await send(id)).status).toBe(200);
});

test('mail of documents and of signing codes counts towards the account’s budget', async () => {
  const [first, second] = [await draft(), await draft()];
  await setUsed(28);
  expect((await send(first, { recipients: recipients(2) })).status).toBe(200);
  const refused = await send(second, { recipients: recipients(1) });
  expect([refused.status, refused.json.error.details[0].code]).toEqual([429, 'too_many_mails']);
  expect(refused.json.error.message).toBe('Your account can send 30 mails per minute; retry in 60 s');
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(dataOf(await dealer.get(`documents/${second}`)).status).toBe('Taslak');
  const [mail, ...others] = await claim();
  expect(others).toHaveLength(1);
  const signer = new Signer(api, /https?:\S+\/sign\/\S+/.exec(mail!.text)![0]);
  expect((await signer.post('kod')).status).toBe(429);
  await setUsed(29);
  expect((await signer.post('kod')).status).toBe(303);
  expect((await claim()).map(({ subject }) => subject.slice(0, 10))).toEqual(['Onay kodun']);
});

test('an address that several recipients share gets one mail with a link for each of them', async () => {
  const id = await draft();
  const people = ['Ayşe Yılmaz', 'Ali Yılmaz', 'Can Demir'];
  const [shared, also, other] = ['Aile@Example.com', 'aile@example.com', 'can@example.com'];
  const recipients = [shared, also, other].map((email, at) => ({ role: 'Müşteri', name: people[at], email }));
  await setUsed(28);
  expect((await send(id, { recipients })).status).toBe(200);
  const mails = await claim();
  const named = (text: string) => people.filter((name) => text.includes(name));
  expect(mails.map(({ to, text }) => [to.toLowerCase(), named(text)])).toEqual(
    expect.arrayContaining([
      ['aile@example.com', people.slice(0, 2)],
      ['can@example.com', people.slice(2)],
    ]),
  );
  expect(mails).toHaveLength(2);
  const links = mails.flatMap(({ text }) => text.match(/https?:\S+\/sign\/\S+/g)!);
  expect(new Set(links).size).toBe(3);
  // Each link opens for the person above it.
  const family = mails.find(({ to }) => to.toLowerCase() === 'aile@example.com')!;
  for (const name of people.slice(0, 2)) {
    const link = family.text.slice(family.text.indexOf(`${name}:\n`)).match(/https?:\S+\/sign\/\S+/)![0];
    expect((await new Signer(api, link).open()).text).toContain(name);
  }
});

test('text written by the dealer is marked as the dealer’s, line by line', async () => {
  const id = await draft();
  const message = 'Hesabınız kapatıldı.\nGiriş: https://kotu.example/giris\n\nGaleri ekibi';
  expect((await send(id, { recipients: recipients(1), message })).status).toBe(200);
  const [mail] = await claim();
  const lines = mail!.text.split('\n');
  const name = dataOf(await dealer.get('account')).name;
  const from = lines.indexOf(`${name} adlı galerinin notu:`);
  expect(lines.slice(from + 1, from + 5)).toEqual(message.split('\n').map((line) => `> ${line}`));
  expect(lines.filter((line) => !line.startsWith('>')).join('\n')).not.toMatch(/kotu|kapatıldı|ekibi/);
});

test('mail of the platform is sent first, then accounts take turns', async () => {
  const other = await paperDealer(api);
  const vault = vaultKeys(api.service.parts.writer.secrets);
  const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000);
  const queued = (from: Dealer, to: string, when: Date) =>
    api.database.inTenant(from.accountId, 'write', (db) =>
      queueDealerMail(
        { db, keys: sealingKeys(api.secrets, from.accountId), now: when, realNow: when },
        { to: `${to}@example.com`, subject: to, text: to },
        { isSandbox: false, about: { kind: 'document', id: randomUUID() } },
      ),
    );
  for (let count = 0; count < 25; count += 1) await queued(dealer, `many${count}`, at(count));
  await queued(other, 'few0', at(30));
  await queued(other, 'few1', at(31));
  await api.database.onPlatform('write', (db) =>
    queueMail(db, vault, { to: 'reset@example.com', subject: 'reset', text: '' }, at(40)),
  );
  const order = (await claim()).map(({ subject }) => subject);
  expect(order).toHaveLength(20);
  expect(order[0]).toBe('reset');
  expect(order.slice(1, 3).toSorted()).toEqual(['few0', 'many0']);
  expect(order.slice(3, 5).toSorted()).toEqual(['few1', 'many1']);
  expect(order.slice(5)).toEqual(Array.from({ length: 15 }, (_, at) => `many${at + 2}`));
  expect(await claim()).toHaveLength(8);
});

test('a later run queues reminders beyond the account’s budget', async () => {
  const vault = vaultKeys(api.service.parts.writer.secrets);
  const due = Array.from({ length: 40 }, (_, at) => ({
    id: randomUUID(),
    dataSet: dealer.accountId,
    reminder: '{}',
    mail: { to: `kisi${at}@example.com`, subject: 'Hatırlatma', text: 'x' },
  }));
  const queue = () => api.database.onPlatform('write', (db) => queueReminders(db, vault, due, new Date()));
  expect(await queue()).toBe(30);
  expect(await queue()).toBe(0);
  await admin.rows(`update mail_budgets set since = since - interval '61 seconds' where account_id = $1`, [dealer.accountId]);
  expect(await queue()).toBe(10);
});

test('the name of a recipient or a dealer makes no link in a mail', async () => {
  await admin.rows(`update accounts set name = 'www.evil.example' where id = $1`, [dealer.accountId]);
  const named = { role: 'Müşteri', name: 'http://evil.example/pay', email: 'alici@example.com' };
  dataOf(await send(await draft(), { recipients: [named] }));
  const [mail] = await claim();
  const links = `${mail!.subject}\n${mail!.text}`.match(/\S*:\/\/\S*|\w+\.example\S*/g)!;
  expect(links).toHaveLength(1);
  expect(links[0]).toMatch(/\/sign\//);
});
