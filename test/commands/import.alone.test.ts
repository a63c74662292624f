import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/commands/command.ts';
import { importCommand } from '../../src/commands/import.ts';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';
import { sheetRows, workbookFile } from '../support/workbooks.ts';

const GALERI = fileURLToPath(new URL('../../bin/galeri', import.meta.url));

let base: TestDatabase;
let admin: Session;
let folder = '';
let account = '';
let neighbour = '';
beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  folder = await mkdtemp(join(tmpdir(), 'galeri-import-'));
  const make = (name: string) =>
    base.database.onPlatform('write', (db) =>
      createAccount(db, { name, country: 'KKTC' }, { type: 'system', name: 'test' }, new Date()),
    );
  account = (await make('Biz')).id;
  neighbour = (await make('Komşu')).id;
  Object.assign(process.env, settings());
});
afterAll(async () => {
  await admin.close();
  await base.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({ DATABASE_URL: base.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function galeri(...args: string[]): Promise<Result> {
  const env = { ...process.env, ...settings() };
  return new Promise((resolve) => {
    execFile(GALERI, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const COLUMNS =
  'brand;model;model_year;km;fuel_type;transmission;body_type;color;plate;city;price;currency;status;purchase_price;chassis_no';
const GOOD = [
  'Škoda;Octavia;2019;84000;Dizel;Otomatik;Sedan;Gümüş;girne 1;Gazimağusa;12500,;GBP;;9000;TMB 1',
  "Volkswagen;Golf;2018;90000;Benzin;Yarı Otomatik;Hatchback;Kırmızı;AB 124;İskele;14500.50;TRY;Auction'da;;",
].map((line) => line.replace('12500,', '12500'));

describe('a vehicle file', () => {
  const excel = `\uFEFF${COLUMNS}\r\n${GOOD.join('\r\n')}\r\n`;

  test('with a byte order mark, semicolons and Turkish letters is imported; a second time it changes nothing', async () => {
    const path = await file('araç.csv', excel);
    await galeri('import', 'vehicles', '--account', neighbour, '--file', path);
    const first = await galeri('import', 'vehicles', '--account', account, '--file', path, '--json');
    expect(first.stderr).toBe('');
    expect(JSON.parse(first.stdout)).toEqual({ total: 2, created: 2, updated: 0, unchanged: 0, failed: 0, errors: [] });
    expect(first.code).toBe(0);
    const rows = await admin.rows(
      'select plate, brand, city, currency, status, price_minor, purchase_price_minor, chassis_no from vehicles where account_id = $1 order by plate',
      [account],
    );
    expect(rows).toEqual([
      {
        plate: 'AB 124',
        brand: 'Volkswagen',
        city: 'İskele',
        currency: 'TL',
        status: "Auction'da",
        price_minor: 1_450_050n,
        purchase_price_minor: null,
        chassis_no: null,
      },
      {
        plate: 'GIRNE 1',
        brand: 'Škoda',
        city: 'Gazimağusa',
        currency: 'STG',
        status: 'Stokta',
        price_minor: 1_250_000n,
        purchase_price_minor: 900_000n,
        chassis_no: 'TMB1',
      },
    ]);
    const second = await galeri('import', 'vehicles', '--account', account, '--file', path);
    expect(second).toEqual({ code: 0, stdout: '2 rows: 0 created, 0 updated, 2 unchanged, 0 failed\n', stderr: '' });
  });

  test('as a dealer keeps it: a workbook with a title, Turkish headers, a currency in the header and a total', async () => {
    const [head, ...rest] = [
      ['Plaka', 'Marka', 'Modeli / Tipi', 'Model Yılı', 'KM.si', 'Yakıt', 'Vites', 'Kasa', 'Renk', 'Şehir', 'Fiyat (STG)'],
      ['KL 900', 'Toyota', 'Corolla', '2019 model', '84.000 km', 'Benzin', 'Oto.', 'Sedan', 'Beyaz', 'Girne', '£13,500'],
      ['KL 901', 'Toyota', 'Auris', '2018 model', '91.500 km', 'Dizel', 'Düz', 'HB', 'Siyah', 'Girne', 'sorunuz'],
    ];
    const total = [null, null, null, null, null, null, null, null, null, 'TOPLAM', 13_500];
    const path = join(folder, 'stok.xlsx');
    await writeFile(path, workbookFile({ sheets: { Stok: sheetRows([['ARAÇ LİSTESİ'], head!, ...rest, total]) } }));
    const { code, stdout } = await galeri(
      'import',
      'vehicles',
      '--account',
      account,
      '--file',
      path,
      '--json',
      '--numbers',
      'tr',
    );
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      total: 2,
      created: 1,
      errors: [{ row: 2, sheet_row: 4, field: 'price', code: 'invalid_amount' }],
    });
    expect(
      await admin.rows('select km, transmission, price_minor, currency from vehicles where account_id = $1 and plate = $2', [
        account,
        'KL 900',
      ]),
    ).toEqual([{ km: 84_000, transmission: 'Otomatik', price_minor: 1_350_000n, currency: 'STG' }]);
  });

  test('with bad rows imports the others, exits 2 and reports row, field and code', async () => {
    const before = await admin.rows('select * from vehicles where account_id = $1 order by id', [neighbour]);
    const path = await file(
      'some.csv',
      [
        COLUMNS,
        GOOD[0]!.replace('84000', '85000'),
        GOOD[1]!.replace('2018', '20I8'),
        'x;y',
        GOOD[0]!.replace('girne 1', 'AB 200'),
        '',
      ].join('\n'),
    );
    const json = await galeri('import', 'vehicles', '--account', account, '--file', path, '--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toEqual({
      total: 4,
      created: 0,
      updated: 1,
      unchanged: 0,
      failed: 3,
      errors: [
        {
          row: 2,
          sheet_row: 3,
          field: 'model_year',
          code: 'invalid',
          message: 'model_year cannot be read. It can be written as 2019 or 2019 model',
        },
        { row: 3, sheet_row: 4, field: null, code: 'wrong_cell_count', message: 'The row has 2 cells where the header has 15' },
        {
          row: 4,
          sheet_row: 5,
          field: 'chassis_no',
          code: 'chassis_in_use',
          message: 'Another vehicle in stock already has this chassis number',
        },
      ],
    });
    const text = await galeri('import', 'vehicles', '--account', account, '--file', path);
    expect(text.code).toBe(2);
    expect(text.stdout).toMatch(/^4 rows: 0 created, 0 updated, 1 unchanged, 3 failed\n\nrow 3 {2}model_year {2}invalid /);
    expect(await admin.rows('select * from vehicles where account_id = $1 order by id', [neighbour])).toEqual(before);
  });

  test('prints the first twenty errors for people', async () => {
    const path = await file('many.ndjson', `${'{"brand":\n'.repeat(25)}`);
    const { stdout, code } = await galeri('import', 'vehicles', '--account', account, '--file', path);
    expect(code).toBe(2);
    expect(stdout.match(/invalid_json/g)).toHaveLength(20);
    expect(stdout).toContain('… and 5 more; --json lists them');
  });
});

test('a customer file in ndjson encrypts personal data and never repeats it', async () => {
  const lines = [
    {
      first_name: 'Ayşe',
      last_name: 'Işık',
      phone: '0533 812 34 56',
      id_no: '1234567890',
      monthly_income: 25000,
      birth_date: '1985-04-23',
    },
    { first_name: 'Ali', last_name: 'Işık', phone: '0533 812 34 56', id_no: 'GIZLI-GIZLI-GIZLI-GIZLI-GIZLI', address: 5 },
  ];
  const path = await file('müşteri.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
  const { code, stdout, stderr } = await galeri('import', 'customers', '--account', account, '--file', path, '--json');
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ total: 2, created: 1, failed: 1 });
  expect(JSON.parse(stdout).errors.map(({ field }: { field: string }) => field)).toEqual(['id_no', 'address']);
  expect(stdout + stderr).not.toMatch(/GIZLI|1234567890/);
  const [{ dump }] = (await admin.rows('select customers::text as dump from customers where account_id = $1', [account])) as [
    { dump: string },
  ];
  expect(dump).toContain('+905338123456');
  expect(dump).not.toMatch(/1234567890|25000|1985-04-23/);
});

describe('usage errors', () => {
  const ok = { account: () => account, file: () => file('ok.csv', `${COLUMNS}\n`) };
  test.each<[string, () => Promise<string[]>, RegExp]>([
    ['no kind', async () => [], /import takes vehicles, customers or sales/],
    ['another kind', async () => ['listings'], /import takes vehicles, customers or sales/],
    ['no account', async () => ['vehicles', '--file', await ok.file()], /--account is missing/],
    ['no file', async () => ['vehicles', '--account', account], /--file is missing/],
    [
      'an account that is not an id',
      async () => ['vehicles', '--account', 'Biz', '--file', await ok.file()],
      /--account must be the id/,
    ],
    [
      'an unknown account',
      async () => ['vehicles', '--account', '00000000-0000-4000-8000-000000000000', '--file', await ok.file()],
      /there is no account 00000000/,
    ],
    [
      'a missing file',
      async () => ['vehicles', '--account', account, '--file', join(folder, 'absent.csv')],
      /there is no file .*absent\.csv/,
    ],
    [
      'a folder',
      async () => {
        await mkdir(join(folder, 'folder.csv'), { recursive: true });
        return ['vehicles', '--account', account, '--file', join(folder, 'folder.csv')];
      },
      /is a folder/,
    ],
    [
      'another kind of file',
      async () => ['vehicles', '--account', account, '--file', await file('x.xls', 'x')],
      /must end in \.csv, \.xlsx or \.ndjson/,
    ],
    [
      'an unknown column',
      async () => ['vehicles', '--account', account, '--file', await file('u.csv', 'plate,hue\n')],
      /unknown column "hue"; allowed are brand/,
    ],
    [
      'a column of the other kind',
      async () => ['customers', '--account', account, '--file', await file('s.csv', 'phone,status\n')],
      /unknown column "status"/,
    ],
  ])('%s', async (_, args, message) => {
    const refused = importCommand.run(await args());
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
  });

  test('are one line on stderr and exit 1', async () => {
    const path = await file('u.csv', 'plate,hue\n');
    const { code, stdout, stderr } = await galeri('import', 'vehicles', '--account', account, '--file', path);
    expect(stderr).toContain('unknown column "hue"; allowed are brand, model');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect([code, stdout]).toEqual([1, '']);
  });

  test('a file with only a header is valid', async () => {
    const { code, stdout } = await galeri('import', 'vehicles', '--account', account, '--file', await ok.file(), '--json');
    expect([code, JSON.parse(stdout).total]).toEqual([0, 0]);
  });
});

test('demo loads the requested number of dealers and vehicles, once', async () => {
  const first = await galeri('demo', '--dealers', '2', '--vehicles', '3', '--customers', '2', '--json');
  expect(first.code).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({
    dealers: [{ vehicles: 3, customers: 2 }, { vehicles: 3 }],
    added: { vehicles: 6, customers: 4 },
  });
  const second = await galeri('demo', '--dealers', '2', '--vehicles', '3', '--customers', '2');
  expect(second.stdout).toMatch(/ID .* NEW VEHICLES/);
  expect(second.stdout).toMatch(/Oto Galeri +0 +0/);
  expect(await galeri('demo', '--dealers', '0')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--dealers must be a whole number'),
  });
});
