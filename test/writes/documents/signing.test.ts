// Signing by link on a phone: the code first, then the document, then the decision; and what a link never does.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setSuspended } from '../../../src/domain/accounts/suspension.ts';
import { readToken } from '../../../src/domain/documents/signing/signing-link.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { openSession } from '../../../src/postgres/database.ts';
import { eventually } from '../../start/process.ts';
import { dataOf, moveTo, type Shown, verdictOf } from '../../support/books.ts';
import { download } from '../../support/pictures.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { eventKinds, generate, paperDealer, soldCar, uploadScan } from './papers.ts';
import { codesOf, Signer } from './signing-page.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ at: '2026-01-15T12:00:00Z', env: { TRUST_PROXY: '127.0.0.1' } });
  await openAll(api);
  dealer = await paperDealer(api);
});
afterAll(() => api.close());

/** A document that was sent, with a signer for each recipient. */
async function sent(code = 'teslim_tutanagi'): Promise<{ id: string; sale: Shown; signers: Signer[] }> {
  const { sale } = await soldCar(dealer);
  const { id } = dataOf(await generate(dealer, sale.id, code));
  const { signing_links } = dataOf(await dealer.post(`sale-documents/${id}/send`, { channel: 'Bağlantı' }));
  return { id, sale, signers: signing_links.map(({ url }: Shown) => new Signer(api, url)) };
}

const statusOf = async (id: string): Promise<string> => dataOf(await dealer.get(`documents/${id}`)).status;

describe('a link', () => {
  test('shows the pages before the code and the file after it, and accepts the decision', async () => {
    const { id, signers } = await sent();
    const [signer] = signers as [Signer];
    const first = await signer.open();
    expect(first.status).toBe(200);
    expect(first.text).toContain('Kod iste');
    expect(first.text).not.toContain('/belge');
    expect(first.text).toMatch(/<svg[^>]*viewBox="0 0 793.71 1122.52"/);
    expect(first.text.replace(/\s+/g, ' ')).toContain('ARAÇ TESLİM TUTANAĞI');
    expect(first.text).not.toMatch(/<script|onclick|style=/);
    const { headers } = first;
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY']);
    expect((await signer.read()).status).toBe(303);
    expect((await signer.decide('sign')).status).toBe(303);
    expect(await statusOf(id)).toBe('Gönderildi');
    expect((await signer.post('kod')).status).toBe(303);
    expect((await signer.open()).text).toContain('name="code"');
    expect((await signer.post('ac', { code: 'abcdef' })).status).toBe(422);
    const [code] = (await codesOf(api, dealer, id)) as [string];
    expect((await signer.post('ac', { code })).status).toBe(303);
    expect(await statusOf(id)).toBe('Görüntülendi');
    const page = await signer.open();
    expect(page.text).toContain('Belgeyi okudum, anladım');
    expect(page.text).toContain('/belge');
    expect(page.text).toContain('<script src="/sign/imza.js" defer>');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const pdf = await signer.read();
    expect([pdf.status, pdf.headers.get('content-type'), pdf.headers.get('cache-control')]).toEqual([
      ...[200, 'application/pdf', 'no-store'],
    ]);
    const hash = createHash('sha256')
      .update(Buffer.from(await pdf.arrayBuffer()))
      .digest('hex');
    expect(page.text).toContain(hash);
    expect((await signer.post('karar', { decision: 'sign' })).status).toBe(422);
    for (const signature of [
      {},
      { typed: ' A ' },
      { typed: ' \u200b\u200b\u2060\u200b ' },
      { typed: '\u3164\u3164\u3164' },
      { typed: '. . .' },
      { drawn: 'M1 1L2 2' },
      { drawn: 'M1 1L900 2L3 3L4 4L5 5' },
      { drawn: '"/><script>' },
    ])
      expect((await signer.post('karar', { decision: 'sign', sure: 'yes', ...signature })).status).toBe(422);
    expect((await signer.decide('sign')).status).toBe(303);
    const last = await signer.open();
    expect(last.text).toContain('Belgeyi onayladınız');
    expect(last.text).not.toContain('TUTANAĞI');
    for (const other of signers.slice(1)) {
      await other.enter(api, dealer, id);
      await other.decide('sign');
    }
    expect(await statusOf(id)).toBe('İmzalandı');
    const copy = dataOf(await dealer.get(`sale-documents/${id}/signed-copy`));
    const mine = Buffer.from(await (await signer.read()).arrayBuffer());
    expect(mine).toEqual((await download(copy.url)).bytes);
    expect(await eventKinds(dealer, id)).toEqual([
      ...['created', 'sent', 'sent', 'viewed', 'signed', 'viewed', 'signed', 'completed'],
    ]);
    const evidence = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows<Shown>(sql`select evidence_address, evidence_sentence, evidence_code from ${own('document_recipients')}
        where document_id = ${id} and "position" = 1`),
    );
    expect(evidence).toEqual([
      { evidence_address: signer.address, evidence_sentence: expect.stringContaining('onaylıyorum'), evidence_code: code },
    ]);
  });

  test('uses Turkish unless the client asks for English', async () => {
    const { signers } = await sent();
    expect((await signers[0]!.open({})).text).toContain('<html lang="tr">');
    expect((await signers[0]!.open({ 'accept-language': 'en-GB' })).text).toContain('Get a code');
  });

  test('is declined once, for all recipients', async () => {
    const { id, signers } = await sent();
    await signers[0]!.enter(api, dealer, id);
    expect((await signers[0]!.decide('decline')).status).toBe(303);
    expect(await statusOf(id)).toBe('Reddedildi');
    expect((await signers[1]!.open()).text).toContain('Belge reddedildi');
    expect((await signers[1]!.post('kod')).status).toBe(303);
    expect(await codesOf(api, dealer, id)).toEqual([]);
    expect((await signers[0]!.read()).status).toBe(303);
  });

  test('allows five attempts per code and five codes per hour, and accepts no code twice', async () => {
    const { id, signers } = await sent();
    const [signer, other] = signers as [Signer, Signer];
    await signer.post('kod');
    const [code] = (await codesOf(api, dealer, id)) as [string];
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 5; n += 1) expect((await signer.post('ac', { code: wrong })).text).toContain('Kod yanlış');
    expect((await signer.post('ac', { code })).text).toContain('süresi doldu');
    expect((await signer.read()).status).toBe(303);
    for (let n = 0; n < 4; n += 1) expect((await signer.post('kod')).status).toBe(303);
    expect((await signer.post('kod')).status).toBe(429);
    await other.post('kod');
    const [, others] = (await codesOf(api, dealer, id)) as [string, string];
    expect((await other.post('ac', { code: others })).status).toBe(303);
    expect((await new Signer(api, `http://x${other.path}`).post('ac', { code: others })).status).toBe(422);
  });

  test('refuses cross-site forms and sessions of another link', async () => {
    const { id, signers } = await sent();
    const [signer, other] = signers as [Signer, Signer];
    await signer.enter(api, dealer, id);
    const from = { 'sec-fetch-site': 'cross-site' };
    await signer.post('karar', { decision: 'sign', sure: 'yes' }, from);
    await signer.post('kod', {}, from);
    expect(await statusOf(id)).toBe('Görüntülendi');
    const thief = new Signer(api, `http://x${other.path}`);
    for (const [name, value] of signer.browser.cookies) thief.browser.cookies.set(name, value);
    expect((await thief.read()).status).toBe(303);
    await thief.decide('sign');
    expect(await eventKinds(dealer, id)).not.toContain('signed');
  });

  test('opens nothing once the dealer has voided the document or a scan has completed it', async () => {
    for (const end of ['void', 'scan'] as const) {
      const { id, signers } = await sent();
      await signers[0]!.enter(api, dealer, id);
      if (end === 'void') dataOf(await dealer.post(`sale-documents/${id}/void`, { reason: 'vazgeçildi' }));
      else dataOf(await uploadScan(api, dealer, { signs_document_id: id }));
      await signers[0]!.decide('decline');
      expect(await statusOf(id)).toBe(end === 'void' ? 'İptal' : 'İmzalandı');
      expect((await signers[1]!.open()).text).not.toContain('/belge');
      if (end === 'void') expect((await signers[0]!.read()).status).toBe(303);
    }
  });

  test('accepts no code and no decision while its dealer is suspended, and does not reveal why', async () => {
    const { id, signers } = await sent();
    const [signer, other] = signers as [Signer, Signer];
    await signer.enter(api, dealer, id);
    await other.post('kod');
    const [code] = (await codesOf(api, dealer, id)) as [string];
    const suspend = (to: boolean) =>
      api.database.onPlatform('write', (db) =>
        setSuspended(db, dealer.accountId, to, null, { type: 'cli', name: 'test' }, api.clock.now()),
      );
    await suspend(true);
    try {
      for (const [locale, words] of [
        ['tr', 'Bu belge şu anda onaya açık değil'],
        ['en', 'cannot be approved at the moment'],
      ] as const) {
        const { status, text } = await signer.open({ 'accept-language': locale });
        expect([status, text.includes(words)]).toEqual([200, true]);
        expect(text).not.toMatch(/askı|suspend|name="code"|name="decision"/i);
      }
      expect((await other.post('kod')).status).toBe(303);
      expect(await codesOf(api, dealer, id)).toEqual([code]);
      await other.post('ac', { code });
      for (const one of signers) {
        expect((await one.read()).status).toBe(303);
        await one.decide('sign');
      }
      expect(await eventKinds(dealer, id)).toEqual(['created', 'sent', 'sent', 'viewed']);
    } finally {
      await suspend(false);
    }
    await signer.decide('sign');
    expect(await eventKinds(dealer, id)).toContain('signed');
  });

  test('audits each download of the file', async () => {
    const { id, signers } = await sent();
    await signers[0]!.enter(api, dealer, id);
    await signers[0]!.read();
    const lines = await api.database.onPlatform('read', (db) =>
      db.rows<{ action: string }>(sql`select action from audit_log where target = ${id} and actor = 'signing page'`),
    );
    expect(lines.map(({ action }) => action)).toContain('file.opened');
  });
});

/** Runs each up to its last statement, or to where it waits for another, before any of them commits. */
async function atOnce<T>(...acts: (() => Promise<T>)[]): Promise<T[]> {
  const [holder, watcher] = [await openSession(api.adminUrl), await openSession(api.adminUrl)];
  try {
    await holder.rows('begin');
    await holder.rows(`select from data_sets where id = '${dealer.accountId}' for no key update`);
    const replies = Promise.all(acts.map((act) => act()));
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => (await watcher.rows(waiting)).length >= acts.length);
    await holder.rows('commit');
    return await replies;
  } finally {
    await Promise.all([holder.close(), watcher.close()]);
  }
}

describe('two concurrent signers', () => {
  test('both sign, and the document is completed once', async () => {
    const { id, signers } = await sent();
    for (const signer of signers) await signer.enter(api, dealer, id);
    await atOnce(...signers.map((signer) => () => signer.decide('sign')));
    expect(await statusOf(id)).toBe('İmzalandı');
    const kinds = await eventKinds(dealer, id);
    expect(kinds.filter((kind) => kind === 'signed')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'completed')).toHaveLength(1);
  });

  test('one signs while the other declines: one outcome', async () => {
    const { id, signers } = await sent();
    for (const signer of signers) await signer.enter(api, dealer, id);
    await atOnce(
      () => signers[0]!.decide('sign'),
      () => signers[1]!.decide('decline'),
    );
    expect(await statusOf(id)).toBe('Reddedildi');
  });

  test('the same recipient twice: one signature', async () => {
    const { id, signers } = await sent();
    await signers[0]!.enter(api, dealer, id);
    await atOnce(...[0, 1].map(() => () => signers[0]!.decide('sign')));
    expect((await eventKinds(dealer, id)).filter((kind) => kind === 'signed')).toHaveLength(1);
  });

  test('the last signs while the dealer voids: signed or void, never both', async () => {
    const outcomes = new Set<string>();
    for (let n = 0; n < 4; n += 1) {
      const { id, signers } = await sent();
      for (const signer of signers) await signer.enter(api, dealer, id);
      await signers[0]!.decide('sign');
      const [, answer] = await atOnce(
        () => signers[1]!.decide('sign'),
        () => dealer.post(`sale-documents/${id}/void`, { reason: 'vazgeçildi' }),
      );
      const status = await statusOf(id);
      expect([status, verdictOf(answer!)]).toEqual(
        status === 'İptal' ? ['İptal', '200'] : ['İmzalandı', '409 document_already_signed'],
      );
      const ends = (await eventKinds(dealer, id)).filter((kind) => kind === 'voided' || kind === 'completed');
      expect(ends).toHaveLength(1);
      outcomes.add(status);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });
});

describe('guessed and altered links', () => {
  test('a hundred thousand open no document', async () => {
    const { signers } = await sent();
    const token = signers[0]!.path.split('/').at(-1)!;
    const real = readToken(token)!;
    expect(real.dataSet).toBe(dealer.accountId);
    const hashes: Buffer[] = [];
    let refused = 0;
    const mine = Buffer.from(dealer.accountId.replaceAll('-', ''), 'hex');
    for (let n = 0; n < 100_000; n += 1) {
      const read = readToken(alteredOf(token, mine, n));
      if (read === null || read.dataSet !== dealer.accountId) refused += 1;
      else hashes.push(read.hash);
    }
    expect(refused).toBeGreaterThan(10_000);
    expect(hashes.length).toBeGreaterThan(50_000);
    const found = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows(sql`select 1 from ${own('signing_links')} where token_hash = any(${hashes}::bytea[])`),
    );
    expect(found).toEqual([]);
  });

  test('a few hundred through the public page all return the same page', async () => {
    const { signers } = await sent();
    const token = signers[0]!.path.split('/').at(-1)!;
    const mine = Buffer.from(dealer.accountId.replaceAll('-', ''), 'hex');
    const pages = new Set<string>();
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n += 1) {
      const headers = { 'accept-language': 'tr' };
      const response = await fetch(`${api.service.url}/sign/${encodeURIComponent(alteredOf(token, mine, n))}`, { headers });
      statuses.add(response.status);
      if (response.status === 404) pages.add(await response.text());
    }
    // One network is rate limited after this many.
    expect([...statuses].sort()).toEqual([404, 429]);
    expect(pages.size).toBe(1);
  });

  test('a thousand, each from a separate network, on every page of a link: none opens anything', async () => {
    const { signers, id } = await sent();
    const token = signers[0]!.path.split('/').at(-1)!;
    const mine = Buffer.from(dealer.accountId.replaceAll('-', ''), 'hex');
    const statuses = new Set<number>();
    const knock = async (n: number) => {
      const act = ['', '/belge', '/kod', '/ac', '/karar'][n % 5]!;
      const isForm = n % 5 > 1;
      const headers = { 'x-forwarded-for': `10.${20 + Math.floor(n / 250)}.${n % 250}.7`, 'sec-fetch-site': 'same-origin' };
      const form = isForm ? { method: 'POST', body: new URLSearchParams({ code: '000000', decision: 'sign', sure: 'yes' }) } : {};
      const url = `${api.service.url}/sign/${encodeURIComponent(alteredOf(token, mine, n) || 'x')}${act}`;
      const response = await fetch(url, { redirect: 'manual', headers, ...form });
      statuses.add(response.status);
      expect(await response.text()).not.toMatch(/%PDF|name="code"|Ayşe/);
    };
    for (let n = 0; n < 1000; n += 10) await Promise.all(Array.from({ length: 10 }, (_, more) => knock(n + more)));
    expect([...statuses]).toEqual([404]);
    expect(await eventKinds(dealer, id)).toEqual(['created', 'sent', 'sent']);
  });

  test.each(['', '/', '/x/y', '/constructor', '/kod/'])('%s of a link returns no page', async (more) => {
    const response = await fetch(`${api.service.url}/sign${more}`, { redirect: 'manual' });
    expect([404, 405, 429]).toContain(response.status);
  });
});

describe('a link after its expiry', () => {
  test('shows that it has expired, and accepts no decision', async () => {
    const { id, signers } = await sent();
    await signers[0]!.enter(api, dealer, id);
    const { expires_at } = dataOf(await dealer.get(`documents/${id}`));
    moveTo(api, expires_at.slice(0, 10), '23:00:00');
    await Promise.all([signers[0]!.decide('sign'), signers[1]!.post('kod')]);
    expect(await statusOf(id)).toBe('Süresi Doldu');
    expect((await signers[0]!.open()).text).toContain('Onay süresi doldu');
    expect((await signers[0]!.read()).status).toBe(303);
    expect(await codesOf(api, dealer, id)).toEqual([]);
    expect(await eventKinds(dealer, id)).not.toContain('signed');
  });
});

/** One letter changed, truncated, extended, of another data set, or guessed whole. */
function alteredOf(token: string, mine: Buffer, n: number): string {
  const place = n % token.length;
  const letter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[(n * 7) % 64]!;
  const other = letter === token[place] ? (letter === 'A' ? 'B' : 'A') : letter;
  if (n % 8 === 0) return token.slice(0, place);
  if (n % 8 === 1) return `${token}${letter}`;
  if (n % 8 === 2) return randomBytes(48).toString('base64url');
  if (n % 8 === 3) return `${token.slice(0, place)}${other}${token.slice(place + 1)}`;
  return Buffer.concat([mine, randomBytes(32)]).toString('base64url');
}
