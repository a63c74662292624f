import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDemoCustomer, turkishIdNo } from '../../../src/demo/demo-customer.ts';
import { loadDemo } from '../../../src/demo/demo-data.ts';
import { dealerOf } from '../../../src/demo/demo-dealer.ts';
import { randomOf } from '../../../src/demo/demo-random.ts';
import { newDemoVehicle, plateOf } from '../../../src/demo/demo-vehicle.ts';
import { CUSTOMER_FIELDS } from '../../../src/domain/customers/customer.ts';
import { readFields } from '../../../src/domain/records/fields.ts';
import { normalIdNo, normalPhone } from '../../../src/domain/records/person-fields.ts';
import { columnOf, shownColumns } from '../../../src/domain/records/record.ts';
import { VEHICLE_FIELDS } from '../../../src/domain/stock/vehicle.ts';
import { deriveSecrets } from '../../../src/domain/vault/secrets.ts';
import { sealingKeys } from '../../../src/domain/vault/vault.ts';
import { isUuid } from '../../../src/kit/ids.ts';
import { formatMoney } from '../../../src/kit/money.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

const now = new Date('2026-11-15T10:00:00Z');
const context = { today: '2026-11-15', timeZone: 'Europe/Istanbul' };
const [girne, istanbul] = [dealerOf(0), dealerOf(1)];

describe('generated data', () => {
  test('a thousand vehicles of each market satisfy every rule of a vehicle', () => {
    for (const dealer of [girne, istanbul]) {
      for (let place = 0; place < 1000; place += 1) {
        const vehicle = newDemoVehicle(dealer, place, now);
        const input = Object.keys(VEHICLE_FIELDS).flatMap((name) => {
          const value = shownColumns(VEHICLE_FIELDS, vehicle)[columnOf(VEHICLE_FIELDS, name)];
          return value === null ? [] : [[name, typeof value === 'bigint' ? formatMoney(value) : value]];
        });
        expect(readFields(VEHICLE_FIELDS, Object.fromEntries(input), context).errors).toEqual([]);
        expect(vehicle.plate).toMatch(dealer === girne ? /^[A-Z]{2,3} \d{3}$/ : /^\d\d ([A-Z]{3} \d{3}|[A-Z]{2} \d{4})$/);
        expect((vehicle.created_at as Date).getTime()).toBeGreaterThan(now.getTime() - 550 * 86_400_000);
        expect((vehicle.created_at as Date).getTime()).toBeLessThanOrEqual((vehicle.updated_at as Date).getTime());
        expect((vehicle.updated_at as Date).getTime()).toBeLessThanOrEqual(now.getTime());
        expect(vehicle.sold_at !== null).toBe(vehicle.status === 'Satıldı');
      }
    }
  });

  test('the mix is that of a real stock', () => {
    const share = (dealer: typeof girne, is: (vehicle: ReturnType<typeof newDemoVehicle>) => boolean) =>
      Array.from({ length: 2000 }, (_, place) => newDemoVehicle(dealer, place, now)).filter(is).length / 2000;
    expect(share(girne, ({ status }) => status === 'Stokta')).toBeCloseTo(0.7, 1);
    expect(share(girne, ({ status }) => status === 'Satıldı')).toBeCloseTo(0.12, 1);
    expect(share(girne, ({ currency }) => currency === 'STG')).toBeGreaterThan(0.8);
    expect(share(istanbul, ({ currency }) => currency === 'TL')).toBeGreaterThan(0.95);
  });

  test('two hundred thousand plates of a dealer are distinct', () => {
    for (const dealer of [girne, istanbul]) {
      const random = randomOf('plates');
      // Without the province: they differ even if all have the same one.
      const plates = Array.from({ length: 200_000 }, (_, place) => plateOf(random, dealer, place).replace(/^\d\d /, ''));
      expect(new Set(plates).size).toBe(200_000);
    }
  });

  test('customers have valid phones and identity numbers of their country', () => {
    const keys = sealingKeys(deriveSecrets('a secret of at least thirty-two characters'), girne.id);
    for (let place = 0; place < 500; place += 1) {
      const customer = newDemoCustomer(girne, keys, place, now);
      expect(normalPhone(customer.phone)).toBe(customer.phone);
      const { first_name, last_name, phone, email, kind, company_name, tax_office } = customer as Record<string, unknown>;
      const body = { first_name, last_name, phone, email, kind, company_name, tax_office };
      expect(readFields(CUSTOMER_FIELDS, body, context).errors).toEqual([]);
    }
    const numbers = Array.from({ length: 5000 }, (_, place) => turkishIdNo(place, 1));
    expect(new Set(numbers).size).toBe(5000);
    for (const number of numbers) {
      const digits = [...number].map(Number);
      expect(normalIdNo(number)).toBe(number);
      expect(digits).toHaveLength(11);
      expect(digits.slice(0, 10).reduce((all, one) => all + one, 0) % 10).toBe(digits[10]);
    }
  });

  test('any number of dealers have distinct ids and names', () => {
    const dealers = Array.from({ length: 2000 }, (_, index) => dealerOf(index));
    expect(new Set(dealers.map(({ id }) => id)).size).toBe(2000);
    expect(new Set(dealers.map(({ name }) => name)).size).toBe(2000);
    expect(dealers.every(({ id }) => isUuid(id))).toBe(true);
    expect(dealerOf(5)).toEqual(dealerOf(5));
  });
});

describe('loading', () => {
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
  const load = (dealers: number, vehicles: number, customers: number, at = now) =>
    loadDemo(base.database, base.secrets, { dealers, vehicles, customers, now: at });
  const stored = () => admin.rows('select * from vehicles order by account_id, id');

  test('a second load adds and changes nothing, at any time', async () => {
    expect((await load(2, 60, 40)).map(({ vehicles, customers }) => [vehicles, customers])).toEqual([
      [60, 40],
      [60, 40],
    ]);
    const before = await stored();
    expect(before).toHaveLength(120);
    const again = await load(2, 60, 40, new Date('2027-02-01T10:00:00Z'));
    expect(again.map(({ vehicles, customers }) => [vehicles, customers])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await stored()).toEqual(before);
    expect(await admin.rows('select count(*)::int as accounts from accounts')).toEqual([{ accounts: 2 }]);
  });

  test('a vehicle is visible where it has a listing, and only there', async () => {
    await load(1, 60, 0);
    const listed = await admin.rows<{ vehicle_id: string }>(`select vehicle_id from listings where status = 'Yayında'`);
    const visible = await admin.rows<{ id: string }>('select id from vehicles where is_marketplace_visible');
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.map(({ vehicle_id }) => vehicle_id).sort()).toEqual(visible.map(({ id }) => id).sort());
  });

  test('a larger load adds what is missing, and reports progress', async () => {
    const lines: string[] = [];
    const size = { dealers: 1, vehicles: 1300, customers: 40, now, progress: (line: string) => lines.push(line) };
    const [dealer] = await loadDemo(base.database, base.secrets, size);
    expect(dealer).toMatchObject({ vehicles: 1240, customers: 0 });
    expect(lines.at(-1)).toContain('1240 vehicles added');
    expect(await admin.rows('select count(*)::int as vehicles from vehicles where account_id = $1', [dealer!.id])).toEqual([
      { vehicles: 1300 },
    ]);
  });

  test('personal data of demonstration customers is encrypted like any other', async () => {
    const rows = await admin.rows<{ dump: string }>(
      'select customers::text as dump from customers where address_encrypted is not null',
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { dump } of rows) expect(dump).not.toMatch(/Caddesi|Bulvarı|Yolu/);
  });
});
