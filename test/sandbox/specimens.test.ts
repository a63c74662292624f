// Papers of a world: «ÖRNEKTİR / SPECIMEN» across every page and every note, also beside other marks; verification says sandbox.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTemplate } from '../../src/domain/documents/document-templates.ts';
import { fillPaper, readPaperDealer } from '../../src/domain/documents/sale-paper.ts';
import { drawInto, TEMPLATES } from '../../src/domain/papers/drawing/draw.ts';
import { type Paper, type PaperCode, paperText, type Receipt, readPaperText } from '../../src/domain/papers/paper.ts';
import { readPaperBase } from '../../src/domain/papers/paper-account.ts';
import { SPECIMEN } from '../../src/domain/papers/templates/paper-layout.ts';
import { keepVerification, newVerification } from '../../src/domain/papers/verification.ts';
import { readNotesPaper } from '../../src/domain/sale-papers/note-paper.ts';
import { lockSaleWithInstallments } from '../../src/domain/sales/sale-money.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { onRoll, SAMPLES } from '../domain/papers/sample-papers.ts';
import { asWorld } from '../support/as-world.ts';
import { dataOf } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { openAll } from '../support/writer.ts';
import { paperDealer, soldCar } from '../writes/documents/papers.ts';

const run = promisify(execFile);
const canRead = existsSync('/usr/bin/pdftotext');
if (!canRead && process.env.CI) throw new Error('pdftotext (poppler-utils) is missing');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specimens-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The text of each page, without whitespace. */
async function pagesOf(paper: Paper): Promise<string[]> {
  const path = join(folder, `${newId()}.pdf`);
  await drawInto(paper, path);
  const { stdout } = await run('pdftotext', ['-raw', path, '-'], { maxBuffer: 50_000_000 });
  return stdout
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replace(/\s+/g, ''));
}

const MARK = SPECIMEN.replace(/\s+/g, '');
const count = (text: string, word: string): number => text.split(word).length - 1;
const specimen = (paper: Paper): Paper => ({ ...paper, specimen: true });
const CODES = Object.keys(TEMPLATES) as PaperCode[];

describe.runIf(canRead)('a specimen', () => {
  test.each(CODES)('%s: every page has the mark; the real paper has none', async (code) => {
    const paper = SAMPLES[code]('longest', 'KKTC');
    for (const page of await pagesOf(specimen(paper))) expect(page).toContain(MARK);
    for (const page of await pagesOf(paper)) expect(page).not.toContain(MARK);
  });

  test.each(['makbuz', 'kapora_makbuzu', 'iade_makbuzu'] as const)('%s on a roll, also if it was reversed', async (code) => {
    const paper = { ...onRoll(SAMPLES[code]('usual', 'TR') as Receipt), is_reversed: true };
    const [page] = await pagesOf(specimen(paper));
    expect(page).toContain(MARK);
    expect(page).toContain('İPTALEDİLDİ');
  });

  test('each note of a sheet has its own mark, because they are cut apart', async () => {
    const paper = SAMPLES.senet('usual', 'TR') as Extract<Paper, { code: 'senet' }>;
    const notes = Array.from({ length: 3 }, () => paper.notes[0]!);
    const pages = await pagesOf({ ...paper, notes, specimen: true });
    expect(pages.map((page) => count(page, MARK))).toEqual([3]);
  });

  test('the page of signatures has it too', async () => {
    const contract = SAMPLES.satis_sozlesmesi('usual', 'TR') as Extract<Paper, { code: 'satis_sozlesmesi' }>;
    const evidence = { document_id: newId(), sha256: 'ab'.repeat(32), consent: 'Onay', signers: [] };
    const pages = await pagesOf({ ...contract, evidence, specimen: true });
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page).toContain(MARK);
  });

  test('a stored specimen stays one', () => {
    expect(readPaperText(paperText(specimen(SAMPLES.makbuz('usual', 'TR')))).specimen).toBe(true);
  });
});

describe('in a world', () => {
  let api: TestService;
  beforeAll(async () => {
    api = await testService();
    await openAll(api);
  });
  afterAll(() => api.close());

  test('every reader of papers makes specimens; in production the stored text has no trace of them', async () => {
    const dealer = await paperDealer(api);
    const { sale } = await soldCar(dealer);
    const [note] = dataOf(await dealer.post('promissory-notes', { sale_id: sale.id, issue_place: 'Lefkoşa' })) as unknown as [
      { id: string },
    ];
    const keys = sealingKeys(api.secrets, dealer.accountId);
    const read = () =>
      api.database.inTenant(dealer.accountId, 'write', async (db) => {
        const [now, today] = [new Date(), new Date().toISOString().slice(0, 10)];
        const paperDealer = await readPaperDealer(db);
        const template = findTemplate('KKTC', { code: 'satis_sozlesmesi' })!;
        const locked = (await lockSaleWithInstallments(db, sale.id))!;
        const body = { dealer: paperDealer, template, locked, version: 1, note: null };
        return [
          await readPaperBase(db, 'makbuz', { created_at: now, day: today }),
          await fillPaper({ db, keys, now, today }, body),
          await readNotesPaper(db, keys, [note.id]),
        ];
      });
    for (const paper of await read()) expect(JSON.stringify(Object.keys(paper))).not.toContain('specimen');
    await asWorld(api.adminUrl, dealer.accountId);
    for (const paper of await read()) expect(paper.specimen).toBe(true);
  });

  test('the verification page says in both languages that the paper is of a sandbox, and knows none of a removed world', async () => {
    const dealer = await paperDealer(api);
    const record = newId();
    const { code } = newVerification('http://galeri.example');
    await api.database.inTenant(dealer.accountId, 'write', async (db) => {
      const paper = {
        kind: 'makbuz',
        record_id: record,
        number: 'S-T-2026-00001',
        day: '2026-01-15',
        amount: 100n,
        currency: 'TL',
      } as const;
      await keepVerification({ db, now: new Date() }, code, paper, null);
      return db.rows(sql`select from ${own('paper_verifications')}`);
    });
    const page = (lang: string) => fetch(`${api.service.url}/dogrula/${code}?lang=${lang}`);
    const real = await (await page('tr')).text();
    expect(real).toContain('Bu belge gerçektir');
    expect(real).not.toContain('sandbox');
    const world = await asWorld(api.adminUrl, dealer.accountId);
    const tr = await (await page('tr')).text();
    expect(tr).toContain('sandbox (deneme ortamı)');
    expect(tr).not.toContain('Bu belge gerçektir');
    expect(tr).toContain('S-T-2026-00001');
    expect(await (await page('en')).text()).toContain('a specimen from a sandbox');
    await world.remove();
    expect((await page('tr')).status).toBe(404);
  });
});
