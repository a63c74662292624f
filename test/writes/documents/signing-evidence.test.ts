// The evidence page of a signature: where each code was sent or which staff member saw it, and nothing more.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimMails } from '../../../src/domain/mail/mail-queue.ts';
import { vaultKeys } from '../../../src/domain/vault/vault.ts';
import { sql } from '../../../src/kit/sql.ts';
import { type Browser, newPerson, signedIn } from '../../panel/people.ts';
import { dataOf, type Shown, verdictOf } from '../../support/books.ts';
import { download } from '../../support/pictures.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { generate, paperDealer, soldCar } from './papers.ts';
import { Signer } from './signing-page.ts';

const canRead = existsSync('/usr/bin/pdftotext');
const RECIPIENT = { role: 'Müşteri', name: 'Ayşe Yılmaz', email: 'ayse.yilmaz@example.com', phone: '+905331112233' };
let api: TestService;
let dealer: Dealer;
let staff: Browser;
let witness: string;
beforeAll(async () => {
  // No mail is delivered: these tests read the mail queue.
  api = await testService({ env: { SMTP_URL: 'smtp://127.0.0.1:1', TRUST_PROXY: '127.0.0.1' } });
  await openAll(api);
  dealer = await paperDealer(api);
  staff = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  witness = (await staff.readSession()).json.data.person.full_name;
});
afterAll(() => api.close());

const send = (id: string, channel: string, overrides: Record<string, unknown> = {}) =>
  dealer.post(`sale-documents/${id}/send`, { channel, ...overrides });

/** A document that was sent to one customer, whose link the dealer holds too. */
async function sent(channel: 'E-posta' | 'Bağlantı'): Promise<{ readonly id: string; readonly signer: Signer }> {
  const { sale } = await soldCar(dealer);
  const { id } = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
  const out = dataOf(await send(id, 'Bağlantı', { recipients: [RECIPIENT] }));
  if (channel === 'E-posta') dataOf(await send(id, 'E-posta'));
  return { id, signer: new Signer(api, out.signing_links[0].url) };
}

const shownCodes = async (id: string): Promise<string[]> =>
  (await staff.api(`sale-documents/${id}/codes`)).json.data.map(({ code }: Shown) => code);

/** The newest code that was mailed. The subject is not sealed, so it has no code. */
async function mailedCode(): Promise<string> {
  const mails = await api.database.onPlatform('write', (db) =>
    claimMails(db, vaultKeys(api.service.parts.writer.secrets), new Date(Date.now() + 1000)),
  );
  const mail = mails.findLast(({ to, subject }) => to === RECIPIENT.email && subject.startsWith('Onay kodunuz'))!;
  expect(mail.subject).not.toMatch(/\d/);
  return /kodunuz: (\d{6})/.exec(mail.text)![1]!;
}

async function evidenceOf(id: string): Promise<string> {
  const copy = dataOf(await dealer.get(`sale-documents/${id}/signed-copy`));
  const { bytes } = await download(copy.url);
  const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: bytes }).toString().replace(/\s+/g, ' ');
  return text.slice(text.indexOf('ONAY SAYFASI'));
}

const statusOf = async (id: string): Promise<string> => dataOf(await dealer.get(`documents/${id}`)).status;
const signedOver = async (id: string): Promise<string> =>
  (await dealer.get(`sale-documents/${id}/events?limit=100`)).json.data.find(({ kind }: Shown) => kind === 'signed')?.channel;

describe('the evidence page', () => {
  test.runIf(canRead)('shows remote and the masked address when the code was mailed', async () => {
    const { id, signer } = await sent('E-posta');
    await signer.post('kod');
    expect(await shownCodes(id)).toEqual([]);
    expect((await signer.post('ac', { code: await mailedCode() })).status).toBe(303);
    await signer.decide('sign');
    const page = await evidenceOf(id);
    expect(page).toContain('Uzaktan, bağlantı ve kod ile');
    expect(page).toContain('e-posta ile a•••@example.com adresine gönderildi; panelde gösterilmedi (onay bu kodla verildi)');
    expect(page).not.toContain('Şahit');
    expect(page).toContain('İmza (yazılarak) Ayşe Güneş');
    expect(await signedOver(id)).toBe('E-posta');
  });

  test.runIf(canRead)('shows witnessed on site and the name of the staff member who saw the code', async () => {
    const { id, signer } = await sent('Bağlantı');
    await signer.post('kod');
    const [code] = (await shownCodes(id)) as [string];
    expect(await shownCodes(id)).toEqual([code]);
    expect((await signer.post('ac', { code })).status).toBe(303);
    await signer.post('karar', { decision: 'sign', sure: 'yes', drawn: 'M10 100L60 20L110 180L160 40L300 100M320 90L360 90' });
    const page = await evidenceOf(id);
    expect(page).toContain('İmza (çizilerek)');
    expect(page).toContain(`Şahit huzurunda, yerinde imza. Şahit: ${witness}`);
    expect(page).toMatch(/çalışana gösterildi: Kişi \d+ \([\d. :]+\) \(onay bu kodla verildi\)/);
    expect(page).not.toContain('Uzaktan');
    expect(page).not.toContain('90533');
    expect(await signedOver(id)).toBe('Bağlantı');
    const seen = await api.database.onPlatform('read', (db) =>
      db.rows(sql`select 1 from audit_log where target = ${id} and action = 'sale_document.code_shown'`),
    );
    expect(seen).toHaveLength(1);
  });

  test.runIf(canRead)('keeps the name that the witness had when they saw the code', async () => {
    const { id, signer } = await sent('Bağlantı');
    await signer.post('kod');
    const [code] = (await shownCodes(id)) as [string];
    const rename = (full_name: string) => staff.api('me', { method: 'PATCH', body: { full_name } });
    expect((await rename('Bambaşka Biri')).status).toBe(200);
    expect(await shownCodes(id)).toEqual([code]);
    await signer.post('ac', { code });
    await signer.decide('sign');
    const page = await evidenceOf(id);
    await rename(witness);
    expect(page).toContain(`Şahit huzurunda, yerinde imza. Şahit: ${witness}`);
    expect(page).not.toContain('Bambaşka');
  });

  test.runIf(canRead)('also names the code that was not used', async () => {
    const { id, signer } = await sent('Bağlantı');
    await signer.post('kod');
    await shownCodes(id);
    dataOf(await send(id, 'E-posta'));
    await signer.post('kod');
    await signer.post('ac', { code: await mailedCode() });
    await signer.decide('sign');
    const page = await evidenceOf(id);
    expect(page).toContain('Uzaktan');
    expect(page).toMatch(/Kod 1 [\d. :]+ çalışana gösterildi: Kişi \d+ \([\d. :]+\) Kod 2/);
  });
});

describe('another channel', () => {
  test('voids the code that staff saw', async () => {
    const { id, signer } = await sent('Bağlantı');
    await signer.post('kod');
    const [code] = (await shownCodes(id)) as [string];
    dataOf(await send(id, 'E-posta'));
    expect((await signer.post('ac', { code })).text).toContain('Yeni kod isteyin');
    expect((await signer.read()).status).toBe(303);
  });

  test('never shows a mailed code to staff', async () => {
    const { id, signer } = await sent('E-posta');
    await signer.post('kod');
    dataOf(await send(id, 'Bağlantı'));
    expect(await shownCodes(id)).toEqual([]);
    expect((await signer.post('ac', { code: await mailedCode() })).status).toBe(422);
  });

  test('ends the session that was opened with the previous channel’s code', async () => {
    const { id, signer } = await sent('Bağlantı');
    await signer.post('kod');
    const [code] = (await shownCodes(id)) as [string];
    await signer.post('ac', { code });
    expect((await signer.read()).status).toBe(200);
    dataOf(await send(id, 'E-posta'));
    expect((await signer.read()).status).toBe(303);
    await signer.decide('sign');
    expect(await statusOf(id)).toBe('Görüntülendi');
  });

  test('the same channel again keeps code and session', async () => {
    const { id, signer } = await sent('Bağlantı');
    await signer.post('kod');
    const [code] = (await shownCodes(id)) as [string];
    dataOf(await send(id, 'Bağlantı'));
    expect((await signer.post('ac', { code })).status).toBe(303);
    dataOf(await send(id, 'Bağlantı'));
    expect((await signer.read()).status).toBe(200);
  });
});

test('refuses a code for staff that no one has opened in the panel', async () => {
  const { id, signer } = await sent('Bağlantı');
  await signer.post('kod');
  const [code] = (await shownCodes(id)) as [string];
  await api.database.inTenant(dealer.accountId, 'write', (db) =>
    db.exec(sql`update signing_codes set seen_by = '[]' where code_encrypted is not null`),
  );
  expect((await signer.post('ac', { code })).text).toContain('Kod yanlış');
});

test('SMS is refused, because there is no gateway', async () => {
  const { sale } = await soldCar(dealer);
  const { id } = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
  const refused = await send(id, 'SMS', { recipients: [RECIPIENT] });
  expect(verdictOf(refused)).toBe('422 validation_failed');
  expect(refused.json.error.details).toMatchObject([{ field: 'channel', code: 'channel_not_available' }]);
  expect(refused.json.error.details[0].message).toContain('SMS gateway');
  expect(await statusOf(id)).toBe('Taslak');
});
