import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, findAccount } from '../../../src/domain/accounts/accounts.ts';
import { openPersonal, PERSONAL_FIELDS, type StoredCustomer } from '../../../src/domain/customers/customer.ts';
import { addGuarantor } from '../../../src/domain/customers/guarantor-writes.ts';
import {
  type ImportKind,
  type ImportSummary,
  importRows,
  importTarget,
} from '../../../src/domain/imports/targets/import-rows.ts';
import { foldName } from '../../../src/domain/records/person-fields.ts';
import { sealingKeys } from '../../../src/domain/vault/vault.ts';
import type { Actor } from '../../../src/domain/writes/audit.ts';
import { createClock } from '../../../src/kit/clock.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { testWriter } from '../../support/test-writer.ts';

const actor: Actor = { type: 'system', name: 'test' };
let base: TestDatabase;
let admin: Session;
beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

async function newAccount(country: 'KKTC' | 'TR' = 'KKTC'): Promise<string> {
  const { database } = base;
  return (await database.onPlatform('write', (db) => createAccount(db, { name: 'Galeri', country }, actor, new Date()))).id;
}

type Cells = Record<string, unknown>;

async function run(kind: ImportKind, accountId: string, input: Cells[]): Promise<ImportSummary> {
  const { database, secrets } = base;
  const account = (await database.onPlatform('read', (db) => findAccount(db, accountId)))!;
  const target = importTarget(kind, account, secrets);
  async function* rows() {
    for (const [index, one] of input.entries()) yield { row: index + 1, cells: one };
  }
  return importRows({
    writer: testWriter(base),
    account,
    kind,
    target,
    rows: rows(),
    clock: createClock(),
    actor,
  });
}

const counts = ({ total, created, updated, unchanged, failed }: ImportSummary) => ({
  total,
  created,
  updated,
  unchanged,
  failed,
});
const codes = ({ errors }: ImportSummary) => errors.map(({ row, field, code }) => [row, field, code]);

const stock = (accountId: string) =>
  base.database.inTenant(accountId, 'read', (db) =>
    db.rows<Cells>(sql`select * from ${own('vehicles')} where deleted_at is null order by plate, id`),
  );
const stockOf = async (accountId: string, column: string) => (await stock(accountId)).map((row) => row[column]);
const people = (accountId: string) =>
  base.database.inTenant(accountId, 'read', (db) =>
    db.rows<StoredCustomer>(sql`select * from ${own('customers')} order by last_name, id`),
  );

const golf = (overrides: Cells = {}): Cells => ({
  brand: 'Volkswagen',
  model: 'Golf',
  model_year: '2018',
  km: '84000',
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Hatchback',
  color: 'Beyaz',
  plate: 'AB 123',
  city: 'Lefkoşa',
  price: '14500',
  ...overrides,
});
const ayse = (overrides: Cells = {}): Cells => ({
  first_name: 'Ayşe',
  last_name: 'Yılmaz',
  phone: '0533 812 34 56',
  ...overrides,
});

describe('vehicles', () => {
  test('a row creates a vehicle with the account currency, today as stock date and its write-only fields', async () => {
    const account = await newAccount();
    const costs = { purchase_price: '11800.50', customs_fee: '650', other_costs: '0', chassis_no: 'wvw 1', engine_no: 'cax 2' };
    expect(counts(await run('vehicles', account, [golf({ ...costs, trim: 'Highline', source: 'Takas' })]))).toMatchObject({
      created: 1,
    });
    expect(await stock(account)).toMatchObject([
      {
        plate: 'AB 123',
        model_year: 2018,
        price_minor: 1_450_000n,
        currency: 'STG',
        status: 'Stokta',
        purchase_price_minor: 1_180_050n,
        purchase_currency: 'STG',
        customs_fee_minor: 65_000n,
        other_costs_minor: 0n,
        chassis_no: 'WVW1',
        engine_no: 'CAX2',
        trim: 'Highline',
        source: 'Takas',
        stock_date: new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Famagusta' }).format(new Date()),
        sold_via: null,
      },
    ]);
  });

  test('the same rows again create and change nothing', async () => {
    const account = await newAccount();
    const rows = [
      golf({ external_ref: 'A-1', created_at: '2025-03-01T10:00:00Z', purchase_price: '9000' }),
      golf({ plate: 'AB 124', status: 'Satıldı', chassis_no: 'X 1' }),
      golf({ plate: 'AB 125', currency: 'GBP', status: 'Auction’da', description: 'Tek elden' }),
    ];
    expect(counts(await run('vehicles', account, rows))).toEqual({ total: 3, created: 3, updated: 0, unchanged: 0, failed: 0 });
    const before = await stock(account);
    expect(counts(await run('vehicles', account, rows))).toEqual({ total: 3, created: 0, updated: 0, unchanged: 3, failed: 0 });
    expect(await stock(account)).toEqual(before);
  });

  test('a match changes only given fields that differ', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf({ external_ref: 'A-1' }), golf({ plate: 'AB 200' })]);
    const before = await stock(account);
    const again = await run('vehicles', account, [
      { external_ref: 'A-1', km: '90000' },
      { plate: 'ab  200', price: '14500.00' },
    ]);
    expect(counts(again)).toEqual({ total: 2, created: 0, updated: 1, unchanged: 1, failed: 0 });
    const after = await stock(account);
    const listed = expect.stringContaining('"km":90000');
    expect(after[0]).toEqual({ ...before[0], km: 90_000, updated_at: expect.any(Date), list_json: listed });
    expect((after[0]!.updated_at as Date).getTime()).toBeGreaterThan((before[0]!.updated_at as Date).getTime());
    expect(after[1]).toEqual(before[1]);
  });

  test('external_ref takes precedence over plate: a vehicle with a new plate stays one vehicle', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf({ external_ref: 'A-1', plate: 'AB 123' })]);
    expect(counts(await run('vehicles', account, [golf({ external_ref: 'A-1', plate: 'ABC 123' })]))).toMatchObject({
      updated: 1,
    });
    expect(await stockOf(account, 'plate')).toEqual(['ABC 123']);
  });

  test('a vehicle without external_ref gets the one its plate comes with', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf()]);
    expect(counts(await run('vehicles', account, [golf({ external_ref: 'A-9' })]))).toMatchObject({ updated: 1, created: 0 });
    expect(await stockOf(account, 'external_ref')).toEqual(['A-9']);
  });

  test('states are applied: a sold vehicle is sold elsewhere, today, and unpublished', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf({ is_marketplace_visible: 'true' }), golf({ plate: 'AB 200', status: 'Rezerve' })]);
    expect(await stockOf(account, 'is_marketplace_visible')).toEqual([true, false]);
    await run('vehicles', account, [{ plate: 'AB 123', status: 'Satıldı' }]);
    expect(await stock(account)).toMatchObject([
      { status: 'Satıldı', sold_via: 'Harici', sold_at: expect.stringMatching(/^2/), is_marketplace_visible: false },
      { status: 'Rezerve', sold_via: null },
    ]);
    await run('vehicles', account, [{ plate: 'AB 123', km: 5, status: 'Stokta' }]);
    expect((await stock(account))[0]).toMatchObject({ status: 'Stokta', sold_via: null, sold_at: null, km: 5 });
  });

  test('without a status the state is kept', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf({ status: 'Rezerve' })]);
    await run('vehicles', account, [golf({ km: '1' })]);
    expect(await stock(account)).toMatchObject([{ status: 'Rezerve', km: 1 }]);
  });

  test('a plate matches the vehicle in stock rather than one sold before', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf({ status: 'Satıldı', external_ref: 'old' }), golf({ external_ref: 'new' })]);
    expect(await stockOf(account, 'external_ref')).toHaveLength(2);
    await run('vehicles', account, [{ plate: 'AB 123', color: 'Siyah' }]);
    expect(await stock(account)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ external_ref: 'new', color: 'Siyah' }),
        expect.objectContaining({ external_ref: 'old', color: 'Beyaz' }),
      ]),
    );
  });

  test('a plate of two sold vehicles is ambiguous, and neither is changed', async () => {
    const account = await newAccount();
    await run('vehicles', account, [
      golf({ status: 'Satıldı', external_ref: '1' }),
      golf({ status: 'Satıldı', external_ref: '2' }),
    ]);
    const before = await stock(account);
    expect(codes(await run('vehicles', account, [{ plate: 'AB 123', color: 'Siyah' }]))).toEqual([
      [1, 'plate', 'ambiguous_match'],
    ]);
    expect(await stock(account)).toEqual(before);
  });

  test('a vehicle sold by a sale keeps the fields that the sale locks', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf()]);
    await admin.rows(`update vehicles set status = 'Satıldı', sold_via = 'Satış', sold_at = current_date where account_id = $1`, [
      account,
    ]);
    const summary = await run('vehicles', account, [golf({ km: '1' }), golf({ price: '1' }), golf({ status: 'Stokta' })]);
    expect(counts(summary)).toMatchObject({ updated: 1, failed: 2 });
    expect(codes(summary)).toEqual(
      [
        [2, 'km', 'vehicle_locked'],
        [3, 'km', 'vehicle_locked'],
      ].map(([row, , code]) => [row, row === 2 ? 'price' : 'status', code]),
    );
  });

  test('errors are reported by row and field, and affect no other row', async () => {
    const account = await newAccount();
    const summary = await run('vehicles', account, [
      golf({ plate: 'AB 1' }),
      golf({ plate: 'AB 2', model_year: '20I9', price: '1.000,5O' }),
      { plate: 'AB 3', brand: 'Fiat' },
      golf({ plate: 'AB 4', nonsense: 1 }),
      golf({ plate: 'AB 5', branch_id: '00000000-0000-4000-8000-000000000000' }),
      golf({ plate: 'AB 6' }),
    ]);
    expect(counts(summary)).toEqual({ total: 6, created: 2, updated: 0, unchanged: 0, failed: 4 });
    expect(codes(summary)).toEqual([
      [2, 'model_year', 'invalid'],
      [2, 'price', 'invalid_amount'],
      ...['model', 'model_year', 'km', 'fuel_type', 'transmission', 'body_type', 'color', 'city', 'price'].map((field) => [
        3,
        field,
        'required',
      ]),
      [4, 'nonsense', 'unknown_field'],
      [5, 'branch_id', 'unknown_reference'],
    ]);
    expect(await stockOf(account, 'plate')).toEqual(['AB 1', 'AB 6']);
  });

  test('a value in use by another vehicle is refused by name', async () => {
    const account = await newAccount();
    await run('vehicles', account, [
      golf({ external_ref: '1', chassis_no: 'GIZLI1' }),
      golf({ external_ref: '2', plate: 'AB 200' }),
    ]);
    const summary = await run('vehicles', account, [
      { external_ref: '2', plate: 'AB 123' },
      { external_ref: '2', chassis_no: 'gizli 1' },
      { external_ref: '2', km: '7' },
    ]);
    expect(codes(summary)).toEqual([
      [1, 'plate', 'plate_in_use'],
      [2, 'chassis_no', 'chassis_in_use'],
    ]);
    expect(JSON.stringify(summary)).not.toMatch(/gizli/i);
    expect(counts(summary)).toMatchObject({ updated: 1, failed: 2 });
  });

  test("another account's same plate and reference are neither seen nor changed", async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()];
    await run('vehicles', theirs, [golf({ external_ref: 'A-1' })]);
    const before = await stock(theirs);
    expect(counts(await run('vehicles', mine, [golf({ external_ref: 'A-1', km: '1' })]))).toMatchObject({
      created: 1,
      updated: 0,
    });
    expect(await stock(theirs)).toEqual(before);
  });

  test('a deleted vehicle is not matched; its plate is free', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf({ external_ref: 'A-1' })]);
    await admin.rows('update vehicles set deleted_at = now() where account_id = $1', [account]);
    expect(counts(await run('vehicles', account, [golf({ external_ref: 'A-1' })]))).toMatchObject({ created: 1 });
  });

  test('created_at is stored as given, and the stock age counts from it', async () => {
    const account = await newAccount('TR');
    await run('vehicles', account, [
      golf({ created_at: '2025-03-01T23:30:00Z' }),
      golf({ plate: 'AB 200', created_at: '2025-03-01', stock_date: '2025-01-01' }),
    ]);
    expect(await stock(account)).toMatchObject([
      { created_at: new Date('2025-03-01T23:30:00Z'), stock_date: '2025-03-02', currency: 'TL' },
      { created_at: new Date('2025-02-28T21:00:00Z'), stock_date: '2025-01-01' },
    ]);
  });

  test('each batch that changed something writes one audit entry', async () => {
    const account = await newAccount();
    const rows = Array.from({ length: 450 }, (_, index) => golf({ plate: `AB ${index}` }));
    await run('vehicles', account, rows);
    await run('vehicles', account, rows);
    const log = await admin.rows(
      `select after from audit_log where account_id = $1 and action = 'vehicles.imported' order by id`,
      [account],
    );
    expect(log.map(({ after }) => after)).toEqual([
      { rows: [1, 200], created: 200, updated: 0 },
      { rows: [201, 400], created: 200, updated: 0 },
      { rows: [401, 450], created: 50, updated: 0 },
    ]);
  });

  test('rows of the same vehicle within one file match each other', async () => {
    const account = await newAccount();
    const summary = await run('vehicles', account, [golf(), golf({ km: '1' }), golf({ km: '1' })]);
    expect(counts(summary)).toEqual({ total: 3, created: 1, updated: 1, unchanged: 1, failed: 0 });
  });
});

test('names are folded as the database folds them', async () => {
  const names = [
    'IŞIK',
    'ışık',
    'İnci ÇAĞLAR',
    'Öznur Güneş',
    'Âdile Hakkî',
    'SÛZAN',
    'Ahmet',
    'CITROËN',
    'Škoda',
    'ÉMILIE Åse Øystein',
  ];
  const [row] = await admin.rows<{ folded: string[] }>(
    'select array_agg(fold_tr(name) order by place) as folded from unnest($1::text[]) with ordinality as n (name, place)',
    [names],
  );
  expect(names.map(foldName)).toEqual(row!.folded);
});

describe('customers', () => {
  const personal = {
    id_no: '123 456 78901',
    tax_no: '112 233 44 55',
    address: 'Gizli Sokak 5\nGirne',
    monthly_income: '25000.5',
    birth_date: '1985-04-23',
  };

  test('personal data is stored encrypted, decrypts in its row, and is nowhere in plain text', async () => {
    const account = await newAccount();
    expect(
      counts(await run('customers', account, [ayse({ ...personal, email: 'a@example.com', risk_level: 'high', note: 'x' })])),
    ).toMatchObject({ created: 1 });
    const [stored] = await people(account);
    expect(stored).toMatchObject({
      first_name: 'Ayşe',
      phone: '+905338123456',
      email: 'a@example.com',
      risk_level: 'high',
      note: 'x',
    });
    const keys = sealingKeys(base.secrets, account);
    expect(PERSONAL_FIELDS.map((name) => openPersonal(keys, stored!, name))).toEqual([
      '12345678901',
      '1122334455',
      'Gizli Sokak 5\nGirne',
      '25000.50',
      '1985-04-23',
    ]);
    const [{ dump }] = (await admin.rows(
      `select customers::text || ' ' || (select string_agg(audit_log::text, ' ') from audit_log) as dump from customers where account_id = $1`,
      [account],
    )) as [{ dump: string }];
    const hidden = ['12345678901', '1122334455', 'Gizli', '25000', '1985-04-23'];
    for (const text of hidden) {
      expect(dump).not.toContain(text);
      expect(dump).not.toContain(Buffer.from(text).toString('hex'));
    }
    expect(() => openPersonal(keys, { ...stored!, id: 'another' } as StoredCustomer, 'id_no')).toThrow('does not open');
  });

  test('the same rows again change nothing, encrypted values included', async () => {
    const account = await newAccount();
    const rows = [ayse(personal), ayse({ first_name: 'Ali', external_ref: 'C-1', created_at: '2025-01-01' })];
    await run('customers', account, rows);
    const before = await people(account);
    expect(counts(await run('customers', account, rows))).toEqual({ total: 2, created: 0, updated: 0, unchanged: 2, failed: 0 });
    expect(await people(account)).toEqual(before);
  });

  test('a changed personal value updates only that value', async () => {
    const account = await newAccount();
    await run('customers', account, [ayse(personal)]);
    const [before] = await people(account);
    expect(counts(await run('customers', account, [ayse({ ...personal, monthly_income: '30000' })]))).toMatchObject({
      updated: 1,
    });
    const [after] = await people(account);
    expect(openPersonal(sealingKeys(base.secrets, account), after!, 'monthly_income')).toBe('30000.00');
    expect(after!.address_encrypted).toEqual(before!.address_encrypted);
    expect(after!.id_no_index).toEqual(before!.id_no_index);
  });

  test('the identity number finds a customer whose name and phone have changed', async () => {
    const account = await newAccount();
    await run('customers', account, [ayse(personal)]);
    const married = { first_name: 'Ayşe', last_name: 'Demir', phone: '0542 111 22 33', id_no: '12345678901' };
    expect(counts(await run('customers', account, [married]))).toMatchObject({ updated: 1, created: 0 });
    expect(await people(account)).toMatchObject([{ last_name: 'Demir', phone: '+905421112233' }]);
  });

  test('phone and folded name together find a customer, either alone does not', async () => {
    const account = await newAccount();
    await run('customers', account, [ayse({ last_name: 'Işık' })]);
    const summary = await run('customers', account, [
      { first_name: 'AYSE', last_name: 'ISIK', phone: '+905338123456', note: 'aynı' },
      ayse({ first_name: 'Ali', last_name: 'Işık' }),
      ayse({ last_name: 'Işık', phone: '0533 000 00 00' }),
    ]);
    expect(counts(summary)).toMatchObject({ updated: 1, created: 2 });
  });

  test('two customers with the same phone and name are ambiguous; a reference distinguishes them', async () => {
    const account = await newAccount();
    await run('customers', account, [ayse({ external_ref: 'anne' }), ayse({ external_ref: 'kız' })]);
    expect(await people(account)).toHaveLength(2);
    const summary = await run('customers', account, [ayse({ note: 'x' }), ayse({ external_ref: 'kız', note: 'y' })]);
    expect(codes(summary)).toEqual([[1, 'phone', 'ambiguous_match']]);
    expect(counts(summary)).toMatchObject({ updated: 1, failed: 1 });
    expect((await people(account)).map(({ external_ref, note }) => [external_ref, note]).sort()).toEqual([
      ['anne', null],
      ['kız', 'y'],
    ]);
  });

  test('a person with another identity number is another person, with any name and phone', async () => {
    const account = await newAccount();
    const rows = [ayse({ id_no: '11111111111' }), ayse({ id_no: '22222222222' })];
    expect(counts(await run('customers', account, rows))).toMatchObject({ created: 2 });
    expect(counts(await run('customers', account, rows))).toMatchObject({ unchanged: 2 });
  });

  test('an identity number of another customer is refused without being repeated', async () => {
    const account = await newAccount();
    await run('customers', account, [
      ayse({ external_ref: '1', id_no: '11111111111' }),
      ayse({ external_ref: '2', id_no: '22222222222' }),
    ]);
    const summary = await run('customers', account, [{ external_ref: '2', id_no: '11111111111' }]);
    expect(codes(summary)).toEqual([[1, 'id_no', 'duplicate_customer']]);
    expect(JSON.stringify(summary)).not.toContain('11111111111');
  });

  test('a file cannot make a customer their own guarantor; rows without the number are not checked', async () => {
    const accountId = await newAccount();
    const ada = { external_ref: 'C-1', first_name: 'Ada', last_name: 'Kefil', phone: '05331234501' };
    const can = { external_ref: 'C-2', first_name: 'Can', last_name: 'Kefil', phone: '05331234502' };
    await run('customers', accountId, [ada, can]);
    const { id } = (await people(accountId)).find(({ external_ref }) => external_ref === 'C-1')!;
    const person = { first_name: 'Kefil', last_name: 'Bey', phone: '+905331234503', id_no: '99988877766' };
    const call = {
      dataSet: accountId,
      account: { id: accountId, timezone: 'UTC' },
      actor,
      now: new Date(),
    };
    await testWriter(base).write(call, (work) => addGuarantor(work, id, person));
    const summary = await run('customers', accountId, [
      { ...ada, id_no: '99988877766' },
      { ...can, id_no: '99988877766' },
    ]);
    expect(counts(summary)).toEqual({ total: 2, created: 0, updated: 1, unchanged: 0, failed: 1 });
    expect(codes(summary)).toEqual([[1, 'id_no', 'guarantor_is_customer']]);
    expect(counts(await run('customers', accountId, [{ ...ada, note: 'Aranacak' }]))).toMatchObject({ updated: 1, failed: 0 });
  });

  test("another account's same person is not seen", async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()];
    await run('customers', theirs, [ayse(personal)]);
    expect(counts(await run('customers', mine, [ayse({ ...personal, note: 'benim' })]))).toMatchObject({ created: 1 });
    const [[ours], [other]] = [await people(mine), await people(theirs)];
    expect(other!.note).toBeNull();
    expect(ours!.id_no_index).not.toEqual(other!.id_no_index);
  });
});

test('only the first ten thousand errors are kept, all are counted', async () => {
  const summary = await run(
    'vehicles',
    await newAccount(),
    Array.from({ length: 2000 }, () => ({ trim: 'x', plate: 'AB 1' })),
  );
  expect(summary.errors).toHaveLength(10_000);
  expect(summary.errors_left_out).toBe(2000 * 10 - 10_000);
  expect(summary.failed).toBe(2000);
});

describe('the changes of an import emit', () => {
  const emitted = async (account: string) =>
    (
      await admin.rows<{ kind: string; plate: string | null }>(
        `select kind, payload::json->'data'->'object'->>'plate' as plate from events where account_id = '${account}' order by sequence`,
      )
    ).map(({ kind, plate }) => [kind, plate]);
  const histories = (account: string) =>
    admin.rows(`select plate, array_agg(event order by h.created_at) as events from vehicle_history h
      join vehicles v on v.id = vehicle_id where h.account_id = '${account}' group by plate order by plate`);

  test('an event and history entry per vehicle, none for a row that changes nothing or is refused', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf(), golf({ plate: 'AB 124', chassis_no: 'C 1' }), golf({ plate: 'AB 125' })]);
    const again = [
      golf({ price: '13000' }),
      golf({ plate: 'AB 125', chassis_no: 'C 1' }),
      golf({ plate: 'AB 124', status: 'Satıldı' }),
      golf({ plate: 'AB 125' }),
      golf({ price: '12500' }),
    ];
    expect(counts(await run('vehicles', account, again))).toEqual({ total: 5, created: 0, updated: 3, unchanged: 1, failed: 1 });
    expect(await emitted(account)).toEqual([
      ['vehicle.created', 'AB 123'],
      ['vehicle.created', 'AB 124'],
      ['vehicle.created', 'AB 125'],
      ['vehicle.updated', 'AB 123'],
      ['vehicle.price_changed', 'AB 123'],
      ['vehicle.sold', 'AB 124'],
      ['vehicle.status_changed', 'AB 124'],
      ['vehicle.updated', 'AB 123'],
      ['vehicle.price_changed', 'AB 123'],
    ]);
    expect(await histories(account)).toEqual([
      { plate: 'AB 123', events: ['created', 'price_changed', 'price_changed'] },
      { plate: 'AB 124', events: ['created', 'status_changed'] },
      { plate: 'AB 125', events: ['created'] },
    ]);
    expect(await stockOf(account, 'price_minor')).toEqual([1_250_000n, 1_450_000n, 1_450_000n]);
  });

  test('two rows about one vehicle in one batch are applied in order', async () => {
    const account = await newAccount();
    await run('vehicles', account, [golf({ is_marketplace_visible: 'true' })]);
    await run('vehicles', account, [
      golf({ km: '1', status: 'Rezerve' }),
      golf({ km: '2' }),
      golf({ km: '3', status: 'Stokta' }),
    ]);
    expect(await stock(account)).toMatchObject([{ km: 3, status: 'Stokta', is_marketplace_visible: true }]);
    expect(await histories(account)).toEqual([
      { plate: 'AB 123', events: ['created', 'status_changed', 'updated', 'status_changed'] },
    ]);
  });

  test('a visible vehicle has a listing, which follows its state; a hold created here ends with it', async () => {
    const account = await newAccount();
    const listings = () =>
      admin.rows(`select status, close_reason from listings where account_id = '${account}' order by created_at`);
    await run('vehicles', account, [golf({ is_marketplace_visible: 'true' })]);
    expect(await listings()).toEqual([{ status: 'Yayında', close_reason: null }]);
    const [{ id }] = (await stock(account)) as [{ id: string }];
    await admin.rows(
      `insert into reservations (account_id, id, vehicle_id, kind) values ('${account}', gen_random_uuid(), '${id}', 'Müşteri')`,
    );
    await admin.rows(`update vehicles set status = 'Rezerve', is_marketplace_visible = false where id = '${id}'`);
    await admin.rows(`update listings set status = 'Askıda' where vehicle_id = '${id}'`);
    await run('vehicles', account, [golf({ status: 'Satıldı' })]);
    expect(await listings()).toEqual([{ status: 'Kapandı', close_reason: 'satıldı' }]);
    expect(await admin.rows(`select status from reservations where vehicle_id = '${id}'`)).toEqual([{ status: 'Tamamlandı' }]);
    expect(await stock(account)).toMatchObject([{ status: 'Satıldı', is_marketplace_visible: false }]);
  });

  test('a customer’s event carries ids only', async () => {
    const account = await newAccount();
    await run('customers', account, [ayse({ id_no: '123456' })]);
    await run('customers', account, [ayse({ id_no: '123456', note: 'arasın' })]);
    const found = await admin.rows<{ kind: string; object: object }>(
      `select kind, payload::json->'data'->'object' as object from events where account_id = '${account}' order by sequence`,
    );
    expect(found.map(({ kind, object }) => [kind, Object.keys(object)])).toEqual([
      ['customer.created', ['id']],
      ['customer.updated', ['id']],
    ]);
  });
});
