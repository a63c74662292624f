// Number formats of a file: an ambiguous one is asked about on a terminal, refused without one, and decided by --numbers or by
// the file itself.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importCommand } from '../../src/commands/import.ts';
import { aDealer, dataOf, type Shown } from '../support/books.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { printed } from './printed.ts';

const SCRIPT = '/usr/bin/script';
const canType = existsSync(SCRIPT);
if (!canType) console.warn('SKIPPED: the terminal prompts are not tested, because script (util-linux) is missing');

let api: TestService;
let dealer: Dealer;
let folder: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await aDealer(api);
  folder = await mkdtemp(join(tmpdir(), 'galeri-numbers-'));
  Object.assign(process.env, { DATABASE_URL: api.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await api?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

let files = 0;
async function file(content: string): Promise<string> {
  const path = join(folder, `${++files}.csv`);
  await writeFile(path, content);
  return path;
}

let plates = 0;
/** A vehicle for each pair of km and price. */
async function stock(...cars: readonly (readonly [km: string, price: string])[]): Promise<{ path: string; plates: string[] }> {
  const named = cars.map(([km, price]) => ({ plate: `NUM ${++plates}`, km, price }));
  const rows = named.map(
    ({ plate, km, price }) => `Škoda;Octavia;2019;${km};Dizel;Otomatik;Sedan;Gümüş;${plate};Girne;${price};STG`,
  );
  const header = 'brand;model;model_year;km;fuel_type;transmission;body_type;color;plate;city;price;currency';
  return { path: await file([header, ...rows].join('\n')), plates: named.map(({ plate }) => plate) };
}

async function run(...args: string[]): Promise<Shown> {
  return JSON.parse(
    await printed(async () => {
      await importCommand.run(['vehicles', '--account', dealer.accountId, ...args, '--json']);
    }),
  );
}

const pricesOf = async (found: readonly string[]): Promise<unknown[]> => {
  const listed = await Promise.all(found.map((plate) => dealer.get(`vehicles?plate=${encodeURIComponent(plate)}`)));
  return listed.flatMap(({ json }) => json.data.map(({ km, price }: Shown) => [km, price]));
};

describe('a file with ambiguous numbers', () => {
  test.each([
    ['one group, both ways', ['84.000', '12.500'], ['90,000', '14,500']],
    ['one group only', ['84000', '12.500'], ['90000', '14500']],
    ['fractions of both forms', ['84.000', '12500,50'], ['90000', '14500.50']],
  ] as const)('is refused without a terminal: %s', async (_, one, other) => {
    const { path, plates: found } = await stock(one, other);
    await expect(run('--file', path)).rejects.toThrow(/has the number [\d.]+, which can be read in two ways: .*--numbers tr/);
    expect(await pricesOf(found)).toEqual([]);
  });

  test('is read in the format of --numbers', async () => {
    const turkish = await stock(['84.000', '12.500'], ['90.000', '1.250.000,50']);
    expect(await run('--file', turkish.path, '--numbers', 'tr')).toMatchObject({ created: 2, failed: 0 });
    expect(await pricesOf(turkish.plates)).toEqual([
      [84000, '12500.00'],
      [90000, '1250000.50'],
    ]);
    const english = await stock(['84,000', '12,500']);
    expect(await run('--file', english.path, '--numbers', 'en')).toMatchObject({ created: 1, failed: 0 });
    expect(await pricesOf(english.plates)).toEqual([[84000, '12500.00']]);
    const wrong = await stock(['84000', '12.500']);
    const refused = await run('--file', wrong.path, '--numbers', 'en');
    expect(refused).toMatchObject({ created: 0, failed: 1, errors: [{ field: 'price' }] });
  });

  test('is read in the format of its other numbers, if they decide', async () => {
    const { path, plates: found } = await stock(['84.000', '12500,50']);
    expect(await run('--file', path)).toMatchObject({ created: 1, failed: 0 });
    expect(await pricesOf(found)).toEqual([[84000, '12500.50']]);
  });

  test('--numbers accepts tr and en', async () => {
    const { path } = await stock(['1', '1']);
    await expect(run('--file', path, '--numbers', 'de')).rejects.toThrow('--numbers must be tr (1.234,56) or en (1,234.56)');
  });

  test.skipIf(!canType).each([
    ['tr', 'maybe\ntr\n', { created: 1 }],
    ['no answer', 'no\nno\nno\n', null],
  ])('prompts on a terminal: %s', async (_, typed, expected) => {
    const { path, plates: found } = await stock(['84.000', '12.500']);
    const { output, code } = await onTerminal(`import vehicles --account ${dealer.accountId} --file ${path} --json`, typed);
    expect(output).toContain('has the number 84.000. Which number format does it use, tr (1.234,56) or en (1,234.56)?');
    expect(code).toBe(expected === null ? 1 : 0);
    expect(await pricesOf(found)).toEqual(expected === null ? [] : [[84000, '12500.00']]);
  });
});

/** Types each line when its question appears. */
async function onTerminal(command: string, typed: string): Promise<{ output: string; code: number | null }> {
  const child = spawn(SCRIPT, ['-qefc', `bin/galeri ${command}`, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = typed.split('\n').slice(0, -1);
  let output = '';
  let prompts = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const questions = output.split('Which number format').length - 1;
    for (; prompts < Math.min(questions, lines.length); prompts += 1) child.stdin.write(`${lines[prompts]}\n`);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { output, code };
}

describe('files of sales', () => {
  const sales = async (price: string, amounts: readonly string[]) => {
    const ref = `N-${++plates}`;
    const plate = `SAT ${plates}`;
    const car =
      'vehicle.brand,vehicle.model,vehicle.model_year,vehicle.km,vehicle.fuel_type,vehicle.transmission,vehicle.body_type,vehicle.color,vehicle.plate,vehicle.city';
    const path = await file(
      [
        `external_ref;sale_date;currency;sale_price;customer.first_name;customer.last_name;customer.phone;${car.replaceAll(',', ';')}`,
        `${ref};2026-01-05;STG;${price};Ali;Can;+9053312345${String(plates).padStart(2, '0')};Škoda;Octavia;2019;84000;Dizel;Otomatik;Sedan;Gümüş;${plate};Girne`,
      ].join('\n'),
    );
    const rows = await file(
      ['external_ref;type;date;amount', ...amounts.map((amount, at) => `${ref};Taksit;2026-0${at + 2}-05;${amount}`)].join('\n'),
    );
    return { path, rows };
  };
  const imported = async (...args: string[]): Promise<Shown> =>
    JSON.parse(
      await printed(async () => {
        await importCommand.run(['sales', '--account', dealer.accountId, ...args, '--json']);
      }),
    );

  test('are asked about in the same way, and read in the format of --numbers', async () => {
    const { path, rows } = await sales('12.500', ['6.250', '6.250']);
    await expect(imported('--file', path, '--rows', rows)).rejects.toThrow(/12\.500, which can be read in two ways/);
    expect(await imported('--file', path, '--rows', rows, '--numbers', 'tr')).toMatchObject({ created: 1, failed: 0 });
    const [sale] = dataOf(await dealer.get('sales?limit=1')) as unknown as Shown[];
    expect(sale).toMatchObject({ sale_price: '12500.00' });
  });
});
