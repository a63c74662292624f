// A customer's own page: what it shows, the code that opens it, and what a link never does.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setSuspended } from '../../../src/domain/accounts/suspension.ts';
import { findStaffPageCode } from '../../../src/domain/customer-page/page-codes.ts';
import { LINK_DAYS } from '../../../src/domain/customer-page/page-writes.ts';
import { eraseCustomer } from '../../../src/domain/customers/customer-erase.ts';
import { claimMails } from '../../../src/domain/mail/mail-queue.ts';
import { sealingKeys, vaultKeys } from '../../../src/domain/vault/vault.ts';
import { own, sql, theAccount } from '../../../src/kit/sql.ts';
import { type Browser, newPerson, signedIn } from '../../panel/people.ts';
import { carOf, collect, customerOf, dataOf, newKey, reverse, type Shown, sell } from '../../support/books.ts';
import { asPlatform } from '../../support/platform.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { generate, paperDealer, soldCar } from '../documents/papers.ts';
import { Signer } from '../documents/signing-page.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
beforeAll(async () => {
  // No mail is delivered: these tests read the mail queue.
  api = await testService({ env: { SMTP_URL: 'smtp://127.0.0.1:1', TRUST_PROXY: '127.0.0.1' } });
  await openAll(api);
  dealer = await paperDealer(api, 'KKTC', { name: 'Merkez <Oto>', phone: '+905331112233' });
  owner = await ownerOf(dealer);
});
afterAll(() => api.close());

const ownerOf = async ({ accountId }: Dealer): Promise<Browser> => signedIn(api, await newPerson(api, { accountId }));
const post = (path: string, body: unknown = {}, who = owner): Promise<Answer> => who.api(path, { method: 'POST', body });
const stateOf = async (customer: string) => (await owner.api(`customers/${customer}/page`)).json.data;

async function linkTo(customer: string, who = owner): Promise<Signer> {
  return new Signer(api, dataOf(await post(`customers/${customer}/page`, { channel: 'Bağlantı' }, who)).url);
}

const codesOf = async (customer: string, who = owner): Promise<string[]> =>
  dataOf(await post(`customers/${customer}/page/code`, {}, who)).map(({ code }: Shown) => code);

/** With a code that staff read out. */
async function enter(visitor: Signer, customer: string, who = owner): Promise<void> {
  expect((await visitor.post('kod')).status).toBe(303);
  const [code] = (await codesOf(customer, who)) as [string];
  expect((await visitor.post('ac', { code })).status).toBe(303);
}

async function opened(customer: string, who = owner): Promise<Signer> {
  const visitor = await linkTo(customer, who);
  await enter(visitor, customer, who);
  return visitor;
}

const under = (visitor: Signer, path: string): Promise<Response> =>
  fetch(`${visitor.browser.url}${visitor.path}${path}`, {
    redirect: 'manual',
    headers: { cookie: visitor.browser.cookieText(), 'x-forwarded-for': visitor.address },
  });

/** Everything of a reply but its id and time. */
const essence = ({ status, text, headers }: Answer) => [
  status,
  text,
  [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'),
];

const audited = async (target: string): Promise<string[]> =>
  (
    await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows<{ action: string }>(sql`select action from ${own('audit_log')} where target = ${target}
        and action like 'customer_page.%' order by created_at, id`),
    )
  ).map(({ action }) => action);

/** The text of the newest mail, as the job that sends it reads it. */
async function mailedTo(email: string): Promise<string> {
  const mails = await api.database.onPlatform('write', (db) =>
    claimMails(db, vaultKeys(api.service.parts.writer.secrets), new Date(Date.now() + 1000)),
  );
  const mail = mails.findLast(({ to }) => to === email)!;
  // The subject is not sealed.
  expect(mail.subject).not.toMatch(/\d/);
  return mail.text;
}

describe('the page', () => {
  test('shows the customer’s own sales, installments, debts, receipts and how to pay, and nothing else', async () => {
    const { sale, customer } = await soldCar(dealer, { notes: 'SATIŞNOTU' });
    const vehicle_id = await carOf(dealer, { model: 'Passat', price: '300000.00', currency: 'TL' });
    const terms = { sale_price: '300000.00', currency: 'TL', installment_count: 3 };
    const second = dataOf(await sell(dealer, { vehicle_id, customer_id: customer, ...terms }));
    const receipt = dataOf(await collect(dealer, sale.id, '4000.00', { note: 'TAHSİLATNOTU' }));
    dataOf(await dealer.patch(`customers/${customer}`, { note: 'MÜŞTERİNOTU', risk_level: 'high' }));
    const other = await soldCar(dealer);
    const bank = { bank: 'Liman Bank', holder: 'Merkez Ltd.', iban: 'TR33 0006 1005 1978 6457 8413 26', currency: 'TL' };
    dataOf(await post('settings/bank-accounts', bank));
    const visitor = await linkTo(customer);
    const first = await visitor.open();
    expect(first.status).toBe(200);
    expect(first.text).toContain('Kod iste');
    // Before the code the page names the dealer only.
    expect(first.text).toContain('Merkez &lt;Oto&gt;');
    expect(first.text).not.toMatch(/Ayşe|Yılmaz|S-20\d\d|Liman/);
    await enter(visitor, customer);
    const { text, headers } = await visitor.open();
    for (const shown of ['Ayşe Yılmaz', sale.sale_no, second.sale_no, 'Passat', 'TR33 0006 1005 1978', 'Liman Bank'])
      expect(text).toContain(shown);
    // 14,250 + 1,050 − 4,000 in STG, 300,000 in TL.
    expect(text).toContain('11.300,00 STG');
    expect(text).toContain('300.000,00 TL');
    expect(text).toContain(receipt.receipt_no);
    expect(text).toContain('tel:+905331112233');
    expect(text).not.toMatch(/NOTU|Çağlar|Mehmet|ADDRESS7|IDNO7|risk/i);
    expect(text).not.toContain(other.sale.sale_no);
    expect(text).not.toMatch(/<script|onclick|style=/);
    expect([headers.get('cache-control'), headers.get('x-robots-tag'), headers.get('x-frame-options')]).toEqual([
      ...['no-store', 'noindex', 'DENY'],
    ]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect((await visitor.open({ 'accept-language': 'en' })).text).toContain('What you owe');
  });

  test('a cancelled sale has no plan and no debt', async () => {
    const { sale, customer } = await soldCar(dealer);
    const visitor = await opened(customer);
    expect((await visitor.open()).text).toContain('class="plan"');
    dataOf(await dealer.post(`sales/${sale.id}/cancel`, { reason: 'vazgeçti' }, newKey()));
    const { text } = await visitor.open();
    expect(text).toContain('İptal edildi');
    expect(text).toContain('Borcunuz yok.');
    expect(text).not.toContain('class="plan"');
  });

  test('writes names as text, also those that contain HTML', async () => {
    const customer = await customerOf(dealer, { first_name: '<script>alert(1)</script>', last_name: '"><img src=x>' });
    const { text } = await (await opened(customer)).open();
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('gives own receipts as PDF only, each opening audited', async () => {
    const mine = await soldCar(dealer);
    const others = await soldCar(dealer);
    const stranger = await paperDealer(api);
    const strange = await soldCar(stranger);
    const receipt = dataOf(await collect(dealer, mine.sale.id, '100.00', { note: 'Kasadan' })).id;
    const visitor = await linkTo(mine.customer);
    expect((await under(visitor, `/makbuz/${receipt}`)).status).toBe(303);
    await enter(visitor, mine.customer);
    const pdf = await under(visitor, `/makbuz/${receipt}`);
    expect([pdf.status, pdf.headers.get('content-type'), pdf.headers.get('cache-control')]).toEqual([
      ...[200, 'application/pdf', 'no-store'],
    ]);
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    // The dealer's note is on the dealer's copy only, which has another verification code.
    if (existsSync('/usr/bin/pdftotext'))
      expect(execFileSync('pdftotext', ['-raw', '-', '-'], { input: bytes }).toString()).not.toContain('Kasadan');
    const copies = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows(sql`select variant from ${own('paper_verifications')} where record_id = ${receipt}`),
    );
    expect(copies).toEqual([{ variant: 'A5-musteri' }]);
    expect(await audited(receipt)).toEqual(['customer_page.receipt_opened']);
    const notMine = [
      dataOf(await collect(dealer, others.sale.id, '100.00')).id,
      dataOf(await collect(stranger, strange.sale.id, '100.00')).id,
      mine.sale.id,
      'x',
    ];
    for (const id of notMine) expect((await under(visitor, `/makbuz/${id}`)).status, id).toBe(404);
    dataOf(await reverse(dealer, receipt));
    expect((await under(visitor, `/makbuz/${receipt}`)).status).toBe(404);
  });

  test('opens the signing page of own papers, which asks for a code of its own', async () => {
    const sent = async () => {
      const { sale, customer } = await soldCar(dealer);
      const { id } = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
      dataOf(await dealer.post(`sale-documents/${id}/send`, { channel: 'Bağlantı' }));
      return { id, customer };
    };
    const [mine, others] = [await sent(), await sent()];
    const visitor = await opened(mine.customer);
    const { text } = await visitor.open();
    expect(text).toContain(mine.id);
    expect(text).not.toContain(others.id);
    const there = await visitor.post('imza', { belge: mine.id });
    expect(there.status).toBe(303);
    const signer = new Signer(api, `http://x${there.headers.get('location')}`);
    const page = await signer.open();
    expect(page.text).toContain('Kod iste');
    expect(page.text).toContain('Ayşe Yılmaz');
    for (const id of [others.id, mine.customer, 'x'])
      expect((await visitor.post('imza', { belge: id })).headers.get('location')).toContain(visitor.path);
    const closed = await linkTo(mine.customer);
    expect((await closed.post('imza', { belge: mine.id })).headers.get('location')).toContain(closed.path);
  });

  test('each opening is in the audit log, and the panel shows how the code came', async () => {
    const customer = await customerOf(dealer);
    const visitor = await opened(customer);
    await visitor.open();
    await visitor.open();
    expect(await audited(customer)).toEqual([
      ...['customer_page.link_created', 'customer_page.code_shown', 'customer_page.opened', 'customer_page.opened'],
    ]);
    const name = (await owner.readSession()).json.data.person.full_name;
    const { link, openings } = await stateOf(customer);
    expect(link).toMatchObject({ channel: 'Bağlantı', address: null, created_by: name });
    expect(openings).toEqual([{ at: expect.any(String), delivery: 'staff', address: null, seen_by: [name] }]);
  });
});

describe('the code', () => {
  test('has five tries, then a new one is needed; five an hour, over all links; it is used once', async () => {
    const customer = await customerOf(dealer);
    const visitor = await linkTo(customer);
    await visitor.post('kod');
    const [code] = (await codesOf(customer)) as [string];
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 5; n += 1) expect((await visitor.post('ac', { code: wrong })).text).toContain('Kod yanlış');
    expect((await visitor.post('ac', { code })).text).toContain('süresi doldu');
    expect(await codesOf(customer)).toEqual([]);
    expect((await visitor.open()).text).toContain('Kod iste');
    await visitor.post('kod');
    const [next] = (await codesOf(customer)) as [string];
    expect((await visitor.post('ac', { code: next })).status).toBe(303);
    expect((await visitor.post('ac', { code: next })).status).toBe(422);
    const again = await linkTo(customer);
    for (let n = 0; n < 3; n += 1) expect((await again.post('kod')).status).toBe(303);
    expect((await again.post('kod')).status).toBe(429);
  });

  test('comes fifteen times a day at most', async () => {
    const customer = await customerOf(dealer);
    const visitor = await linkTo(customer);
    const hourLater = () =>
      api.database.inTenant(dealer.accountId, 'write', (db) =>
        db.exec(
          sql`update customer_page_codes set created_at = created_at - interval '61 minutes' where account_id = ${theAccount}`,
        ),
      );
    for (let n = 0; n < 15; n += 1) {
      expect((await visitor.post('kod')).status).toBe(303);
      if (n % 5 === 4) await hourLater();
    }
    expect((await visitor.post('kod')).status).toBe(429);
  });

  test('that no member of staff has seen opens nothing: it was guessed', async () => {
    const customer = await customerOf(dealer);
    const visitor = await linkTo(customer);
    await visitor.post('kod');
    const found = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      findStaffPageCode(db, sealingKeys(api.secrets, dealer.accountId), customer, api.clock.realNow()),
    );
    expect((await visitor.post('ac', { code: found!.code })).status).toBe(422);
  });

  test('goes by mail if the link did, and is then never shown to staff', async () => {
    const email = 'posta@example.com';
    const customer = await customerOf(dealer, { email });
    expect(dataOf(await post(`customers/${customer}/page`, { channel: 'E-posta' })).url).toBeNull();
    expect((await stateOf(customer)).link).toMatchObject({ channel: 'E-posta', address: 'p•••@example.com' });
    const visitor = new Signer(api, /https?:\S+\/m\/\S+/.exec(await mailedTo(email))![0]);
    expect((await visitor.open()).text).toContain('p•••@example.com');
    await visitor.post('kod');
    expect(await codesOf(customer)).toEqual([]);
    const code = /kodunuz: (\d{6})/.exec(await mailedTo(email))![1]!;
    expect((await visitor.post('ac', { code })).status).toBe(303);
    expect((await visitor.open()).text).toContain('Satışlarınız');
    expect((await stateOf(customer)).openings).toMatchObject([{ delivery: 'mail', address: 'p•••@example.com', seen_by: [] }]);
    const without = await customerOf(dealer, { email: null });
    expect((await post(`customers/${without}/page`, { channel: 'E-posta' })).json.error.code).toBe('recipient_contact_missing');
    expect((await post(`customers/${customer}/page`, { channel: 'SMS' })).status).toBe(422);
  });

  test('opens a session of thirty minutes, for its own link and only from our own pages', async () => {
    const [customer, other] = [await customerOf(dealer), await customerOf(dealer)];
    const [visitor, thief] = [await linkTo(customer), await linkTo(other)];
    const from = { 'sec-fetch-site': 'cross-site' };
    expect((await visitor.post('kod', {}, from)).status).toBe(303);
    expect(await codesOf(customer)).toEqual([]);
    await enter(visitor, customer);
    const cookie = [...visitor.browser.cookies];
    expect(cookie).toMatchObject([['__Secure-page', expect.stringMatching(/^[\w-]{43}$/)]]);
    for (const [name, value] of cookie) thief.browser.cookies.set(name, value);
    expect((await thief.open()).text).toContain('Kod iste');
    expect((await visitor.open()).text).toContain('Satışlarınız');
    api.clock.advance(29 * 60_000);
    expect((await visitor.open()).text).toContain('Satışlarınız');
    api.clock.advance(2 * 60_000);
    expect((await visitor.open()).text).toContain('Kod iste');
    owner = await ownerOf(dealer);
  });
});

describe('a link', () => {
  test('is sent with a cookie that is limited to it', async () => {
    const customer = await customerOf(dealer);
    const visitor = await linkTo(customer);
    await visitor.post('kod');
    const [code] = (await codesOf(customer)) as [string];
    const set = (await visitor.post('ac', { code })).headers.getSetCookie();
    expect(set).toEqual([
      expect.stringMatching(/^__Secure-page=[\w-]{43}; Path=\/m\/[\w-]{48}; Secure; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('has 160 random bits, and only its hash is stored', async () => {
    const customer = await customerOf(dealer);
    const [one, two] = [await linkTo(customer), await linkTo(customer)];
    const [token, other] = [one, two].map(({ path }) => Buffer.from(path.slice('/m/'.length), 'base64url'));
    expect(token).toHaveLength(16 + 20);
    expect(token!.subarray(16)).not.toEqual(other!.subarray(16));
    const stored = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows(sql`select customer_links::text as text from ${own('customer_links')} where customer_id = ${customer}`),
    );
    expect(JSON.stringify(stored)).not.toContain(one.path.slice(3));
  });

  test('wrong, replaced, revoked, of a deleted or erased customer or a suspended dealer: the same reply to the byte', async () => {
    const wrong = await new Signer(api, `http://x/m/${'A'.repeat(48)}`).open();
    expect([wrong.status, wrong.text.includes('Bu bağlantı bir sayfa açmıyor')]).toEqual([404, true]);
    const isWrong = async (visitor: Signer, what: string) => {
      expect(essence(await visitor.open()), what).toEqual(essence(wrong));
      expect((await under(visitor, '/makbuz/x')).status, what).toBe(404);
      if (what !== '/m')
        expect(essence(await visitor.post('kod')), what).toEqual(essence(await new Signer(api, 'http://x/m/x').post('kod')));
    };
    for (const path of ['/m', '/m/', '/m/x', '/m/%00', '/m/..%2f', `/m/${'A'.repeat(47)}`, `/m/${'a'.repeat(900)}`])
      await isWrong(new Signer(api, `http://x${path}`), path);
    const customer = await customerOf(dealer);
    const replaced = await opened(customer);
    const live = await linkTo(customer);
    await isWrong(replaced, 'replaced');
    expect((await live.open()).status).toBe(200);
    for (const altered of [`${live.path}/`, `${live.path}/x`, `${live.path}=`, live.path.toUpperCase().replace('/M/', '/m/')])
      expect((await new Signer(api, `http://x${altered}`).open()).status, altered).toBe(404);
    await enter(live, customer);
    expect((await post(`customers/${customer}/page/revoke`)).json.data.link).toBeNull();
    expect((await post(`customers/${customer}/page/revoke`)).status).toBe(200);
    await isWrong(live, 'revoked');
    expect((await audited(customer)).filter((action) => action.endsWith('revoked'))).toHaveLength(1);
    const suspended = await linkTo(customer);
    const suspend = (to: boolean) =>
      api.database.onPlatform('write', (db) =>
        setSuspended(db, dealer.accountId, to, null, { type: 'cli', name: 'test' }, api.clock.now()),
      );
    await suspend(true);
    try {
      await isWrong(suspended, 'suspended');
    } finally {
      await suspend(false);
    }
    expect((await suspended.open()).status).toBe(200);
    dataOf(await dealer.delete(`customers/${customer}`));
    await isWrong(suspended, 'deleted');
    const erased = await customerOf(dealer, { email: 'silinecek@example.com' });
    dataOf(await post(`customers/${erased}/page`, { channel: 'E-posta' }));
    const gone = await linkTo(erased);
    await asPlatform(api, dealer.accountId, (work) => eraseCustomer(work, erased));
    await isWrong(gone, 'erased');
    expect(
      await api.database.onPlatform('read', (db) => db.rows(sql`select id from mails where recipient = 'silinecek@example.com'`)),
    ).toEqual([]);
    const left = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows(sql`select address, revoked_at is null as live from ${own('customer_links')} where customer_id = ${erased}`),
    );
    expect(left).toEqual([
      { address: null, live: false },
      { address: null, live: false },
    ]);
  });

  test('refuses other methods before it looks at the token', async () => {
    const live = await linkTo(await customerOf(dealer));
    for (const visitor of [live, new Signer(api, 'http://x/m/x')]) {
      expect((await under(visitor, '/kod')).status).toBe(405);
      expect((await visitor.post('makbuz/x')).status).toBe(405);
    }
  });

  test('ends after ninety days of business time', async () => {
    const { customer } = await soldCar(dealer);
    const visitor = await opened(customer);
    expect((await visitor.open()).text).not.toContain('class="late"');
    api.clock.advance(LINK_DAYS * 86_400_000 - 60_000);
    expect((await visitor.open()).status).toBe(200);
    api.clock.advance(2 * 60_000);
    expect((await visitor.open()).status).toBe(404);
    owner = await ownerOf(dealer);
    expect((await stateOf(customer)).link).toBeNull();
    // The next one takes its place, and shows what has become overdue.
    const { text } = await (await opened(customer)).open();
    expect(text).toContain('class="late"');
    expect(text).toMatch(/role="alert">Gecikmiş: [\d.,]+ STG/);
  });
});

test('the dealer’s bank accounts: valid IBANs, each once, ten at most, only the owner’s', async () => {
  const mine = await paperDealer(api);
  const who = await ownerOf(mine);
  const account = { bank: 'Liman Bank', holder: 'Merkez Ltd.', iban: 'TR330006100519786457841326', currency: 'TL' };
  expect((await post('settings/bank-accounts', { ...account, iban: 'TR330006100519786457841327' }, who)).status).toBe(422);
  const { id } = dataOf(await post('settings/bank-accounts', account, who));
  expect((await post('settings/bank-accounts', account, who)).json.error.details).toMatchObject([
    { field: 'iban', code: 'duplicate' },
  ]);
  dataOf(await post('settings/bank-accounts', { ...account, currency: 'EUR' }, who));
  const page = await opened(await customerOf(mine), who);
  expect((await page.open()).text.match(/Liman Bank/g)).toHaveLength(2);
  expect((await owner.api(`settings/bank-accounts/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await who.api(`settings/bank-accounts/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await who.api('settings/bank-accounts')).json.data).toMatchObject([{ currency: 'EUR', iban: account.iban }]);
  const more = ['TR050009900000000000000001', 'TR750009900000000000000002', account.iban].flatMap((iban) =>
    ['TL', 'STG', 'USD'].map((currency) => ({ ...account, iban, currency })),
  );
  for (const one of more) expect((await post('settings/bank-accounts', one, who)).status).toBe(200);
  const eleventh = await post('settings/bank-accounts', { ...account, iban: 'TR050009900000000000000001', currency: 'EUR' }, who);
  expect(eleventh.json.error.details).toMatchObject([{ code: 'not_allowed' }]);
});
