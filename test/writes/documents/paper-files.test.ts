// The file of a paper: its public verification code, its access log and its erasure.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePapers } from '../../../src/jobs/erase-papers.ts';
import { drainWork } from '../../../src/jobs/worker.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { collect, dataOf, moveTo, newKey, type Shown, verdictOf } from '../../support/books.ts';
import { download } from '../../support/pictures.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { generate, paperDealer, signAs, soldCar, uploadScan } from './papers.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ at: '2026-01-15T12:00:00Z', env: { TRUST_PROXY: '127.0.0.1' } });
  await openAll(api);
  dealer = await paperDealer(api);
});
afterAll(() => api.close());

const canRead = existsSync('/usr/bin/pdftotext');
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What a holder of the paper reads on it. */
const codeOn = (bytes: Buffer): string | undefined =>
  /dogrula\/([0-9A-Z]{26})/.exec(execFileSync('pdftotext', ['-raw', '-', '-'], { input: bytes }).toString())?.[1];

let askers = 0;
async function checked(code: string): Promise<{ status: number; text: string }> {
  askers += 1;
  const headers = { 'x-forwarded-for': `10.8.0.${askers}` };
  const response = await fetch(`${api.service.url}/dogrula/${code}?lang=tr`, { headers });
  return { status: response.status, text: await response.text() };
}

const openings = (target: string): Promise<Shown[]> =>
  api.database.onPlatform('read', (db) =>
    db.rows<Shown>(
      sql`select actor, ip, user_agent, account_id from audit_log where target = ${target} and action = 'file.opened'`,
    ),
  );

describe.runIf(canRead)('a sale’s paper is verified by the code printed on it', () => {
  test.each(['satis_sozlesmesi', 'odeme_plani', 'kefaletname', 'teslim_tutanagi', 'kvkk_aydinlatma'])('%s', async (code) => {
    const { sale } = await soldCar(dealer);
    const { file } = dataOf(await generate(dealer, sale.id, code));
    const printed = codeOn((await download(file.url)).bytes)!;
    const { status, text } = await checked(printed);
    expect(status).toBe(200);
    expect(text).toContain(file.sha256);
    expect(text).toContain(sale.sale_no);
    expect(text).toContain('15.01.2026');
    expect(text.includes('15.300,00 STG')).toBe(code !== 'kvkk_aydinlatma');
    expect(text).toContain('<dt>Düzenleyen</dt><dd>Merkez Otomotiv Ticaret Ltd. Şti.</dd>');
    expect(text).not.toMatch(/Ayşe|Mehmet|Çağlar|10000000146|<script/);
    expect(text).toContain('Bu belge gerçektir');
  });

  test('a replaced draft is recorded as void, and each draft has its own code', async () => {
    const { sale } = await soldCar(dealer);
    const codes: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const { file } = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
      codes.push(codeOn((await download(file.url)).bytes)!);
    }
    expect(codes[0]).not.toBe(codes[1]);
    expect((await checked(codes[0]!)).text).toContain('iptal edilmiştir');
    expect((await checked(codes[1]!)).text).not.toContain('iptal edilmiştir');
    dataOf(await dealer.post(`sales/${sale.id}/cancel`, { reason: 'cayma' }, newKey()));
    expect((await checked(codes[1]!)).text).toContain('iptal edilmiştir');
  });

  test('the signed copy is a separate file with its own hash on its page', async () => {
    const { sale } = await soldCar(dealer);
    const { id, file } = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    dataOf(await dealer.post(`sale-documents/${id}/send`, { channel: 'Bağlantı' }));
    for (const position of [1, 2]) await signAs(api, dealer, id, position);
    const copy = dataOf(await dealer.get(`sale-documents/${id}/signed-copy`));
    const { bytes } = await download(copy.url);
    const signed = codeOn(bytes)!;
    expect(signed).not.toBe(codeOn((await download(file.url)).bytes));
    expect((await checked(signed)).text).toContain(sha256Of(bytes));
    expect((await checked(signed)).text).not.toContain(file.sha256);
  });

  test('a dry run creates no code, and promissory notes have none', async () => {
    const { sale } = await soldCar(dealer);
    const count = async () =>
      (await api.database.inTenant(dealer.accountId, 'read', (db) => db.rows(sql`select 1 from ${own('paper_verifications')}`)))
        .length;
    const before = await count();
    const [{ id: template_id }] = (await dealer.get('document-templates')).json.data;
    await dealer.post(`sales/${sale.id}/sale-documents/generate`, { template_id }, { 'x-dry-run': 'true' });
    dataOf(await dealer.post('promissory-notes', { sale_id: sale.id, issue_place: 'Lefkoşa' }));
    const { file } = dataOf(await generate(dealer, sale.id, 'senet'));
    expect(codeOn((await download(file.url)).bytes)).toBeUndefined();
    expect(await count()).toBe(before);
  });

  test('limits verification to sixty requests a minute per client', async () => {
    const headers = { 'x-forwarded-for': '10.8.1.1' };
    const code = '7Q4MZK2W9TB3X5HN6RCD8PVFJY';
    const ask = async () => (await fetch(`${api.service.url}/dogrula/${code}`, { headers })).status;
    const statuses = new Map<number, number>();
    for (let n = 0; n < 80; n += 1) {
      const status = await ask();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [404, 60],
      [429, 20],
    ]);
  });
});

describe('a file with personal data', () => {
  test('is never cached, and each download is audited before the first byte', async () => {
    const { sale, customer } = await soldCar(dealer);
    const draft = dataOf(await generate(dealer, sale.id, 'satis_sozlesmesi'));
    const scan = dataOf(await uploadScan(api, dealer, { customer_id: customer, kind: 'Kimlik' }));
    const [note] = dataOf(await dealer.post('promissory-notes', { sale_id: sale.id, issue_place: 'Lefkoşa' })) as Shown[];
    const paper = dataOf(await dealer.get(`promissory-notes/${note!.id}/document`));
    for (const [id, { url, expires_at }] of [
      [draft.id, draft.file],
      [scan.id, scan.file],
      [note!.id, paper],
    ]) {
      expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
      expect(await openings(id)).toEqual([]);
      const headers = { 'x-forwarded-for': '10.7.0.9', 'user-agent': 'Göz/1' };
      const looked = await fetch(url, { method: 'HEAD', headers });
      expect([looked.status, looked.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await openings(id)).toEqual([]);
      for (let n = 1; n <= 2; n += 1) {
        const response = await fetch(url, { headers });
        expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
        await response.arrayBuffer();
        expect(await openings(id)).toHaveLength(n);
      }
      expect((await openings(id))[0]).toEqual({
        actor: 'file link',
        ip: '10.7.0.9',
        user_agent: 'G?z/1',
        account_id: dealer.accountId,
      });
    }
  });

  test('a download changes nothing that a dealer sees', async () => {
    const { sale } = await soldCar(dealer);
    const { file } = dataOf(await generate(dealer, sale.id, 'teslim_tutanagi'));
    const etag = async () => (await dealer.get(`sales/${sale.id}`)).headers.get('etag');
    const before = await etag();
    await download(file.url);
    expect(await etag()).toBe(before);
  });
});

describe('when its retention period ends', () => {
  test('each paper of the sale is erased on that day, not on the day before, and the rest stays', async () => {
    const his = await paperDealer(api, 'KKTC');
    const ended = await soldCar(his, { installment_count: undefined, down_payment: undefined, finance_charge: undefined });
    const open = await soldCar(his);
    const cancelled = await soldCar(his);
    dataOf(await generate(his, ended.sale.id, 'kvkk_aydinlatma'));
    const signed = dataOf(await generate(his, ended.sale.id, 'teslim_tutanagi'));
    dataOf(await his.post(`sale-documents/${signed.id}/send`, { channel: 'Bağlantı' }));
    for (const position of [1, 2]) await signAs(api, his, signed.id, position);
    const scan = dataOf(await uploadScan(api, his, { sale_id: ended.sale.id, kind: 'Kimlik' }));
    const kept = dataOf(await generate(his, open.sale.id, 'kvkk_aydinlatma'));
    const [note] = dataOf(await his.post('promissory-notes', { sale_id: cancelled.sale.id, issue_place: 'Girne' })) as Shown[];
    const paper = dataOf(await his.get(`promissory-notes/${note!.id}/document`));
    const [other] = dataOf(await his.post('promissory-notes', { sale_id: open.sale.id, issue_place: 'Girne' })) as Shown[];
    dataOf(await collect(his, ended.sale.id, '14250.00'));
    const copy = dataOf(await his.get(`sale-documents/${signed.id}/signed-copy`));
    dataOf(await his.post(`sales/${cancelled.sale.id}/cancel`, { reason: 'cayma' }, newKey()));

    // Links use the real clock, which is not moved.
    const eraseAt = (day: string) => erasePapers(api.service.parts.writer, new Date(`${day}T12:00:00Z`));
    expect(await eraseAt('2036-01-14')).toBe(0);
    expect((await download(scan.file.url)).response.status).toBe(200);
    // Three papers of the paid sale, twelve notes of the cancelled one; other dealers' retention ends that day too.
    expect(await eraseAt('2036-01-15')).toBeGreaterThanOrEqual(15);
    expect(await eraseAt('2036-01-15')).toBe(0);
    for (const { url } of [scan.file, signed.file, copy, paper]) expect((await download(url)).response.status).toBe(404);
    expect(dataOf(await his.get(`documents/${scan.id}`))).toMatchObject({ kind: 'Kimlik', file: null });
    expect(dataOf(await his.get(`documents/${signed.id}`))).toMatchObject({ status: 'İmzalandı', file: null });
    expect(verdictOf(await his.get(`sale-documents/${signed.id}/signed-copy`))).toBe('404 not_found');
    expect(dataOf(await his.get(`documents/${kept.id}`)).file.sha256).toBe(kept.file.sha256);
    expect(verdictOf(await his.get(`promissory-notes/${note!.id}/document`))).not.toBe('200');
    expect(verdictOf(await his.get(`promissory-notes/${other!.id}/document`))).toBe('200');
    const left = await api.database.inTenant(his.accountId, 'read', (db) =>
      db.rows<Shown>(sql`select paper_encrypted from ${own('documents')} where erased_at is not null and (file_id is not null
        or signed_file_id is not null or paper_encrypted is not null)`),
    );
    expect(left).toEqual([]);
    const erased = await api.database.onPlatform('read', (db) =>
      db.rows<Shown>(sql`select action, count(*)::int as count from audit_log where account_id = ${his.accountId}
        and action in ('document.erased', 'promissory_note.erased') group by action order by action`),
    );
    expect(erased).toEqual([
      { action: 'document.erased', count: 3 },
      { action: 'promissory_note.erased', count: 12 },
    ]);
  });

  test('is erased by the worker', async () => {
    const short = await paperDealer(api);
    await api.database.inTenant(short.accountId, 'write', (db) =>
      db.exec(sql`update accounts set document_retention_years = 1 where id = ${short.accountId}`),
    );
    const { sale } = await soldCar(short, { installment_count: undefined, down_payment: undefined, finance_charge: undefined });
    const { id } = dataOf(await generate(short, sale.id, 'kvkk_aydinlatma'));
    dataOf(await collect(short, sale.id, '14250.00'));
    const { writer, clock, files, log } = api.service.parts;
    const outbound = { loopback: false };
    const parts = { writer, clock, files, log, outbound, smtpUrl: null, rateUrls: { TCMB: null, KKTCMB: null } };
    moveTo(api, '2027-01-14');
    await drainWork(parts);
    expect(dataOf(await short.get(`documents/${id}`)).file).not.toBeNull();
    moveTo(api, '2027-01-15');
    await drainWork(parts);
    expect(dataOf(await short.get(`documents/${id}`)).file).toBeNull();
  });
});
