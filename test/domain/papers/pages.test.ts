// How papers break into pages: every paper at its usual and its smallest size has the pages that it should have, and none of them
// is nearly empty. Signatures, stamp and witnesses are on a page with text of the paper.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawInto, TEMPLATES } from '../../../src/domain/papers/drawing/draw.ts';
import type { Country, Paper, PaperCode } from '../../../src/domain/papers/paper.ts';
import { cashContract, contractOf, type Fullness, onRoll, planOf, SAMPLES } from './sample-papers.ts';

const run = promisify(execFile);
const canRead = existsSync('/usr/bin/pdftotext');
if (!canRead && process.env.CI) throw new Error('pdftotext (poppler-utils) is missing');

let folder: string;
let number = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pages-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The lines of text of each page, without the foot that every page has. */
async function pagesOf(paper: Paper): Promise<string[][]> {
  number += 1;
  const path = join(folder, `${number}.pdf`);
  await drawInto(paper, path);
  const { stdout } = await run('pdftotext', ['-layout', path, '-'], { maxBuffer: 50_000_000 });
  const pages = stdout.split('\f').slice(0, -1);
  return pages.map((page) => page.split('\n').filter((line) => line.trim() !== '' && !FOOT.test(line)));
}

const FOOT = /şu adreste doğrulanır|^\s*https:\S+$|\d+\/\d+\s*$/;
const SIGNATURE = /^\s*(İmza|Pul|Tanık|Kimlik no|Ad soyad|Satıcı|Alıcı|Kefil|Alacaklı|Kapatan|Teslim eden)\b/;
const LEAST_LINES = 5;

/** How many pages; all others have one. A letter and a statement have their own for each addressee. */
const PAGES: Partial<Record<PaperCode, Partial<Record<Fullness, number>>>> = {
  satis_sozlesmesi: { usual: 2, emptiest: 2 },
  senet: { usual: 2 },
  hesap_ekstresi: { usual: 2 },
  ihtar_mektubu: { usual: 2, emptiest: 2 },
};
const pagesWanted = (code: PaperCode, fullness: Fullness): number => PAGES[code]?.[fullness] ?? 1;

async function expectPages(paper: Paper, count: number): Promise<void> {
  const pages = await pagesOf(paper);
  expect(pages).toHaveLength(count);
  for (const lines of pages) expect(lines.length, lines.join('\n')).toBeGreaterThanOrEqual(LEAST_LINES);
  // A page of signatures alone would have no other line.
  for (const lines of pages) expect(lines.filter((line) => !SIGNATURE.test(line)).length).toBeGreaterThan(1);
}

const CODES = Object.keys(TEMPLATES) as PaperCode[];
const COUNTRIES = ['TR', 'KKTC'] as const satisfies readonly Country[];

describe.runIf(canRead).each(COUNTRIES)('pages of papers in %s', (country) => {
  test.each(CODES)('%s, as a dealer has it and with almost nothing recorded', async (code) => {
    for (const fullness of ['usual', 'emptiest'] as const)
      await expectPages(SAMPLES[code](fullness, country), pagesWanted(code, fullness));
  });

  test('a contract has two pages, with up to 24 installments', async () => {
    await expectPages(cashContract(country), 2);
    for (const count of [6, 12, 13, 24]) await expectPages(contractOf(country, count), 2);
  });

  test('a plan of up to 36 installments has one page, a longer one keeps its signatures with installments', async () => {
    for (const count of [1, 12, 13, 24, 36]) await expectPages(planOf(country, count), 1);
    for (const count of [60, 61, 62, 63]) await expectPages(planOf(country, count), 2);
  });

  test('a receipt on a roll is one page', () => expectPages(onRoll(SAMPLES.makbuz('usual', country)), 1));

  test('own clauses of any length leave no page with signatures alone', async () => {
    const paper = SAMPLES.teslim_tutanagi('usual', country);
    for (let lines = 1; lines <= 40; lines += 3) {
      const clauses = Array.from({ length: lines }, (_, index) => `Ek madde ${index + 1} saklıdır.`).join('\n');
      for (const page of await pagesOf({ ...paper, clauses })) expect(page.length).toBeGreaterThanOrEqual(LEAST_LINES);
    }
  });
});

test.runIf(canRead)('the page that a plan continues on has several of its installments', async () => {
  const { sale } = contractOf('KKTC', 24);
  const paper = { ...SAMPLES.satis_sozlesmesi('emptiest', 'KKTC'), sale, guarantors: [] };
  const continued: number[] = [];
  // A longer address moves the plan down, until it no longer fits on the first page.
  for (let words = 4; words <= 10; words += 2) {
    const [, second] = await pagesOf({ ...paper, customer: { ...paper.customer, address: 'Mağusa Caddesi '.repeat(words) } });
    continued.push(second!.join('\n').match(/\b\d+\/24\b/g)?.length ?? 0);
  }
  const broken = continued.filter((count) => count > 0);
  expect(broken).not.toEqual([]);
  expect(Math.min(...broken)).toBeGreaterThanOrEqual(6);
});

test.runIf(canRead)('a plan of more than twelve installments is set in two columns', async () => {
  const two = await pagesOf(planOf('TR', 13));
  expect(two[0]!.some((line) => /6\/13 .*7\/13 |5\/13 .*12\/13 /.test(line) || /Peşinat.*7\/13/.test(line))).toBe(true);
  const one = await pagesOf(planOf('TR', 12));
  expect(one[0]!.some((line) => /\/12 .*\/12 /.test(line))).toBe(false);
});
