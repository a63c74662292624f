// Every template, drawn and read by an independent program: each word is present, in Turkish letters, on pages of the right size.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawInto, TEMPLATES } from '../../../src/domain/papers/drawing/draw.ts';
import { drawPaper, MAX_PAPER_LINES } from '../../../src/domain/papers/drawing/paper-drawing.ts';
import { type Paper, type PaperCode, paperText, readPaperText } from '../../../src/domain/papers/paper.ts';
import { noteSentence } from '../../../src/domain/papers/templates/promissory-notes.ts';
import { vehicleWord } from '../../../src/domain/stock/vehicle-words.ts';
import { cashContract, type Fullness, onRoll, SAMPLES } from './sample-papers.ts';

const run = promisify(execFile);
const canRead = existsSync('/usr/bin/pdftotext');
if (!canRead && process.env.CI) throw new Error('pdftotext (poppler-utils) is missing');
if (!canRead) console.warn('SKIPPED: papers are not read back, because pdftotext (poppler-utils) is missing');

let folder: string;
let number = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'papers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function drawn(paper: Paper): Promise<string> {
  number += 1;
  const path = join(folder, `${number}.pdf`);
  await drawInto(paper, path);
  return path;
}

/** In reading order, with whitespace collapsed. */
async function textOf(paper: Paper): Promise<string> {
  const { stdout } = await run('pdftotext', ['-raw', await drawn(paper), '-'], { maxBuffer: 50_000_000 });
  return stdout.replace(/\s+/g, ' ');
}

const bare = (text: string): string => text.replace(/\s+/g, '');
const CODES = Object.keys(TEMPLATES) as PaperCode[];
const FULLNESS = ['usual', 'longest', 'emptiest'] as const satisfies readonly Fullness[];
const sample = (code: PaperCode, fullness: Fullness = 'usual', country: 'TR' | 'KKTC' = 'TR'): Paper =>
  SAMPLES[code](fullness, country);

describe.each(CODES)('%s', (code) => {
  test.each(FULLNESS)('the same data gives the same bytes, also after storing and reading: %s', async (fullness) => {
    const paper = sample(code, fullness);
    const [one, other] = [await drawn(paper), await drawn(readPaperText(paperText(paper)))];
    expect((await readFile(one)).equals(await readFile(other))).toBe(true);
  });

  test.runIf(canRead).each(FULLNESS)('every recorded value is legible, nothing is cut off: %s', async (fullness) => {
    const paper = sample(code, fullness, 'KKTC');
    const text = bare(await textOf(paper));
    for (const word of textsIn(paper)) expect(text, word).toContain(bare(word));
    for (const minor of amountsIn(paper)) expect(text).toContain(minor);
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('null');
    expect(text).not.toContain('�');
  });

  test('it is tagged, in Turkish, and references nothing external', async () => {
    const bytes = (await readFile(await drawn(sample(code)))).toString('latin1');
    expect(bytes).toContain('/Marked true');
    expect(bytes).toMatch(/\/Lang \(tr-TR\)/);
    expect(bytes).toContain('pdfaid:part>2<');
    expect(bytes).toContain('D:20260115093000Z');
    expect(bytes).not.toMatch(/\/(JS|JavaScript|URI|Launch|OpenAction|AA)\b/);
  });
});

/** The texts of a paper that its template must show, without those that only control it. */
const UNPRINTED = /^(code|version|country|language|created_at|logo|size|payment_type|kind|alt|document_version|purpose_|seq)$/;
const PER_TEMPLATE: Partial<Record<PaperCode, RegExp>> = {
  // A statement shows the customer's name, and no vehicle.
  hesap_ekstresi: /^(id_no|tax_no|tax_office|address|phone|representative|email|sha256)$/,
  ihtar_mektubu: /^(id_no|tax_no|tax_office|representative|phone|color|fuel_type|transmission)$/,
  senet: /^(phone|name_|tax_office_|clauses|verification|code|url|email|city|legal_name|head)$/,
  kefaletname: /^(color|fuel_type|transmission|trade_in_vehicle|rows|delivery_due_on|currency_exemption)$/,
  odeme_plani:
    /^(color|fuel_type|transmission|trade_in_vehicle|delivery_due_on|currency_exemption|id_no|tax_no|tax_office|address|phone|representative)$/,
  teslim_tutanagi: /^(currency|trade_in_vehicle|rows|delivery_due_on|currency_exemption|guarantors)$/,
  ibraname: /^(color|fuel_type|transmission|trade_in_vehicle|rows|delivery_due_on|currency_exemption|guarantors)$/,
  kvkk_aydinlatma: /^(id_no|tax_no|tax_office|name_of_company|customer)$/,
  satis_sozlesmesi: /^(trade_in_vehicle)$/,
  vitrin_etiketi: /^(words|contact_url|model_year|km)$/,
  teklif: /^(words|contact_url|model_year|km|price)$/,
  makbuz: /^(color|fuel_type|transmission|clauses|email)$/,
  kapora_makbuzu: /^(color|fuel_type|transmission|clauses|email)$/,
  iade_makbuzu: /^(color|fuel_type|transmission|clauses|email)$/,
};

function* valuesIn(code: PaperCode, value: unknown, name = ''): Generator<readonly [name: string, value: unknown]> {
  if (UNPRINTED.test(name) || PER_TEMPLATE[code]?.test(name) || (code === 'senet' && name === 'head')) return;
  if (value instanceof Date || value instanceof Uint8Array || value === null) return;
  if (typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) yield* valuesIn(code, inner, Array.isArray(value) ? '' : key);
  else yield [name, value];
}

const shownDay = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? text.split('-').reverse().join('.') : text);

const textsIn = (paper: Paper): string[] =>
  [...valuesIn(paper.code, paper)].flatMap(([, value]) =>
    typeof value === 'string'
      ? shownDay(
          /^\d+\.\d{6}$/.test(value) ? value.replace('.', ',').replace(/0000$/, '') : vehicleWord(wordsOf(paper), value),
        ).split('\n')
      : [],
  );

/** Papers about a car on offer are also in English. */
const wordsOf = (paper: Paper): 'tr' | 'en' => ('words' in paper ? paper.words : 'tr');

const MONEY_UNSHOWN =
  /^(paid|discounted|collected_amount|discounted_amount|late_interest|discount|debit|credit|trade_in_amount|balance|down_payment|sale_price|finance_charge|total_receivable|financed_amount)$/;

const amountsIn = (paper: Paper): string[] =>
  [...valuesIn(paper.code, paper)].flatMap(([name, value]) => {
    if (typeof value !== 'bigint' || MONEY_UNSHOWN.test(name)) return [];
    const digits = value.toString().replace('-', '').padStart(3, '0');
    return [`${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')},${digits.slice(-2)}`];
  });

const VERIFIED_AT =
  'Bu belgenin numarası, günü, tutarı ve dosya özeti şu adreste doğrulanır: https://galeri.example/dogrula/7Q4MZK2W9TB3X5HN6RCD8PVFJY';

describe.runIf(canRead)('legal requirements', () => {
  test('a consumer in Türkiye who pays by installments reads every required point, in 12 points', async () => {
    const paper = SAMPLES.satis_sozlesmesi('usual', 'TR');
    const text = await textOf(paper);
    for (const expected of [
      'Peşin satış bedeli: 14.249,92 STG',
      'Taksitli satış bedeli: 15.299,92 STG',
      'Vade farkı: 1.050,00 STG',
      'Yıllık faiz oranı: %18,40',
      '%20,00',
      'en geç 20.01.2026',
      'yedi gün içinde',
      'Erken ödeme',
      'Temerrüt',
      '12/12',
      'Telefon: +90 542 111 22 33',
      'Vergi dairesi / no: Lefkoşa Vergi Dairesi / 1234567890',
      'Yazıyla: Yalnız Onbeşbinikiyüzdoksandokuz İngiliz sterlini doksaniki peni',
    ])
      expect(text).toContain(expected);
    const { stdout } = await run('pdftotext', ['-bbox', await drawn(paper), '-']);
    const heights = [...stdout.matchAll(/yMin="([\d.]+)"[^>]*yMax="([\d.]+)">([^<]+)</g)].map(
      ([, top, bottom, word]) => [Number(bottom) - Number(top), word] as const,
    );
    // A line of 12 points is 16.3 high; only the foot of each page is smaller, with the words beside the QR.
    const small = heights.filter(([height]) => height < 16).map(([, word]) => word);
    const allowed = `Akdeniz Oto Ticaret Ltd. · Satış sözleşmesi 1/2 2/2 ${VERIFIED_AT}`.split(' ');
    expect(small.filter((word) => !allowed.includes(word!))).toEqual([]);
  });

  test('others get the short contract, and cash has no plan', async () => {
    const text = await textOf(SAMPLES.satis_sozlesmesi('usual', 'KKTC'));
    expect(text).not.toContain('Cayma');
    expect(text).toContain('Tanık 1');
    expect(text).toContain('Pul');
    const cash = await textOf(cashContract('TR'));
    expect(cash).not.toContain('Ödeme planı');
    expect(cash).not.toContain('Gecikme faizi');
  });

  test('a note has the elements of a bono, once as an original and then marked as a copy', async () => {
    const paper = SAMPLES.senet('usual', 'TR');
    const text = await textOf(paper);
    expect(text).toContain(
      'İşbu bono mukabilinde 15.02.2026 tarihinde, lehtar Akdeniz Oto Ticaret Ltd. adına, #941,66# STG (yalnız Dokuzyüzkırkbir İngiliz sterlini altmışaltı peni) tutarını kayıtsız ve şartsız ödeyeceğim. Bu bono nama yazılıdır, emre yazılı değildir. Bedeli malen alınmıştır.',
    );
    expect(noteSentence(paper.notes[0]!)).toContain('#941,66# STG');
    for (const expected of [
      'Ödeme yeri: Lefkoşa',
      'Düzenleme yeri ve tarihi: Lefkoşa, 15.01.2026',
      'Düzenleyen: Ayşe Güneş',
      '12345678901',
      'Atatürk Cad. 5/3, Girne',
      'Kefil: Mehmet Öztürk',
      'İmza',
    ])
      expect(text).toContain(expected);
    expect(text).not.toMatch(/emrine|faiz|muaccel|mahkeme|müteselsil|aval/i);
    expect(text).not.toContain('ÖRNEKTİR');
    const copy = await textOf({ ...paper, notes: paper.notes.map((note) => ({ ...note, is_copy: true })) });
    expect(copy.match(/ÖRNEKTİR, ASLI YERİNE GEÇMEZ/g)).toHaveLength(4);
  });

  test('guarantors of a company in Türkiye sign as aval, and a page holds three notes', async () => {
    const paper = SAMPLES.senet('usual', 'TR');
    const company = {
      ...paper,
      notes: paper.notes.map((note) => ({ ...note, maker: { ...note.maker, kind: 'Kurumsal' as const } })),
    };
    expect(await textOf(company)).toContain('Aval veren: Mehmet Öztürk');
    expect(await textOf({ ...company, country: 'KKTC' })).toContain('Kefil: Mehmet Öztürk');
    expect((await textOf(paper)).match(/BONO \/ SENET/g)).toHaveLength(4);
    const { stdout } = await run('pdfinfo', [await drawn(paper)]);
    expect(stdout).toMatch(/Pages:\s+2\n/);
  });

  test('a guarantee leaves space for what must be written by hand', async () => {
    const paper = SAMPLES.kefaletname('usual', 'TR');
    const text = await textOf(paper);
    for (const expected of ['azami miktar', 'Kefalet tarihi', 'Eşin rızası']) expect(text).toContain(expected);
    expect(text).not.toMatch(/müteselsil/i);
    expect(await textOf({ ...paper, customer: { ...paper.customer, kind: 'Kurumsal' } })).toContain('Müteselsil');
  });

  test('a receipt reserves the rights to earlier open rows, and states when it is reversed', async () => {
    const paper = SAMPLES.makbuz('usual', 'KKTC');
    for (const one of [paper, onRoll(paper)]) {
      const text = await textOf(one);
      for (const expected of [
        'T-2026-00007',
        '60.000,00 TL',
        'Yalnız Altmışbin Türk lirası',
        'STG-TL 64,50',
        '13.03.2026',
        'Önceki vadelerden doğan haklarımız saklıdır.',
        'Kalan borç',
        '9.369,77 STG',
        '+90 533 123 45 67',
      ])
        expect(text).toContain(expected);
      expect(text).not.toContain('İPTAL EDİLDİ');
      expect(await textOf({ ...one, is_reversed: true })).toContain('İPTAL EDİLDİ');
      expect(await textOf({ ...one, open_earlier: [] })).not.toContain('saklıdır');
    }
    const { stdout } = await run('pdfinfo', [await drawn(onRoll(SAMPLES.makbuz('longest', 'TR')))]);
    expect(stdout).toMatch(/Pages:\s+1\n/);
    expect(stdout).toMatch(/Page size:\s+226\.77/);
  });
});

test.runIf(canRead)('strange names are drawn as far as the font has letters, and none is a command', async () => {
  const paper = SAMPLES.kapora_makbuzu('usual', 'TR');
  const hostile = ')>>/JS(app.alert(1)) \u202eters\u0000 Ελένη Дмитрий 王 😀 ₺€£';
  const path = await drawn({ ...paper, payer: hostile });
  const { stdout } = await run('pdftotext', [path, '-']);
  expect(stdout).toContain(')>>/JS(app.alert(1)) ters Ελένη Дмитрий ? ? ₺€£');
});

test('papers are drawn in other processes: hashes are right, ten at once, and again after a process was killed', async () => {
  const paper = SAMPLES.senet('usual', 'TR');
  const files = await Promise.all(Array.from({ length: 10 }, () => drawPaper(paper, 'account', folder)));
  expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(1);
  expect(new Set(files.map(({ name }) => name)).size).toBe(10);
  const first = files[0]!;
  const bytes = await readFile(first.path);
  const { createHash } = await import('node:crypto');
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(first.sha256);
  expect(bytes.length).toBe(first.sizeBytes);
  for (const file of files) await file.remove();
  expect(existsSync(first.path)).toBe(false);
  const { stdout } = await run('pgrep', ['-P', String(process.pid), '-f', 'paper-worker.ts']);
  const again = Promise.all(
    Array.from({ length: 6 }, () => drawPaper(SAMPLES.hesap_ekstresi('longest', 'TR'), 'account', folder)),
  );
  // The processes of this test only.
  for (const pid of stdout.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
  expect(new Set((await again).map(({ sha256 }) => sha256)).size).toBe(1);
});

test('a paper that takes too long is refused, and not retried', async () => {
  const paper = SAMPLES.senet('usual', 'TR');
  await (await drawPaper(paper, 'account', folder)).remove();
  const { stdout } = await run('pgrep', ['-P', String(process.pid), '-f', 'paper-worker.ts']);
  for (const pid of stdout.trim().split('\n')) process.kill(Number(pid), 'SIGSTOP');
  await expect(drawPaper(paper, 'account', folder, 100)).rejects.toThrow('took too long');
});

test('a paper with too many lines is refused before it is drawn', async () => {
  const paper = SAMPLES.hesap_ekstresi('usual', 'TR');
  const [statement] = paper.statements;
  const lines = Array.from({ length: MAX_PAPER_LINES / 2 + 1 }, () => statement!.lines[0]!);
  const long = { ...statement!, lines };
  await expect(drawPaper({ ...paper, statements: [long, long] }, 'account', folder)).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
});
