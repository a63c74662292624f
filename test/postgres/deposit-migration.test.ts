// A deployment from before deposits were money: holds with a deposit get a record of it, and continue from there.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deriveSecrets } from '../../src/domain/vault/secrets.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { prepareRoles } from '../../src/postgres/roles.ts';
import { resources } from '../../src/resources/index.ts';
import { customerOf, dataOf, rowsOf, type Shown, sell } from '../support/books.ts';
import { TEST_SECRET, type TestDatabase } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, dealerWith, openAll } from '../support/writer.ts';

const YEAR = new Date().getUTCFullYear();
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [DEALER, MAIN, BRANCH, AYSE, ALI] = [id(1), id(2), id(3), id(4), id(5)];
const [HELD, ELSEWHERE, LAST_YEAR, FREE, NOBODYS, ENDED] = [id(11), id(12), id(13), id(14), id(15), id(16)];

const car = (vehicle: string, branch: string | null, status = 'Rezerve'): string =>
  `insert into vehicles (account_id, id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city, price_minor,
    currency, stock_date, status, branch_id)
  values ('${DEALER}', '${vehicle}', 'Volkswagen', 'Golf', 2018, 1, 'Benzin', 'Otomatik', 'Hatchback', 'Gri', 'P ${vehicle.slice(-2)}', 'Girne', 100000,
    'STG', '2026-01-01', '${status}', ${branch === null ? 'null' : `'${branch}'`});`;
const hold = (
  vehicle: string,
  at: string,
  customer: string | null,
  deposit: number | null,
  currency: string | null,
  status = 'Aktif',
): string =>
  `insert into reservations (account_id, id, vehicle_id, kind, status, customer_id, reserved_until, deposit_amount_minor, deposit_currency, note, created_at)
  values ('${DEALER}', '${id(100 + Number(vehicle.slice(-2)))}', '${vehicle}', 'Müşteri', '${status}', ${customer === null ? 'null' : `'${customer}'`},
    '${YEAR + 1}-12-31', ${deposit}, ${currency === null ? 'null' : `'${currency}'`}, 'söz verildi', '${at}');`;
const person = (customer: string): string =>
  `insert into customers (account_id, id, first_name, last_name, phone) values ('${DEALER}', '${customer}', 'Ayşe', 'Yılmaz', '+905331234567');`;

const OLD = `insert into accounts (id, name, country, default_currency, timezone, rate_source)
    values ('${DEALER}', 'Oto', 'KKTC', 'STG', 'Asia/Famagusta', 'KKTCMB');
  insert into data_sets (id, account_id, kind) values ('${DEALER}', '${DEALER}', 'production');
  insert into branches (account_id, id, name, city, is_main) values ('${DEALER}', '${MAIN}', 'Merkez', 'Girne', true), ('${DEALER}', '${BRANCH}', 'Şube', 'Girne', false);
  ${person(AYSE)} ${person(ALI)}
  ${car(HELD, null)} ${car(ELSEWHERE, BRANCH)} ${car(LAST_YEAR, null)} ${car(FREE, null)} ${car(NOBODYS, null)} ${car(ENDED, null, 'Stokta')}
  ${hold(HELD, `${YEAR}-02-01T10:00:00Z`, AYSE, 50000, 'STG')}
  ${hold(ELSEWHERE, `${YEAR}-01-20T10:00:00Z`, ALI, 1234567, 'TL')}
  ${hold(LAST_YEAR, `${YEAR - 1}-12-31T21:30:00Z`, AYSE, 100, 'USD')}
  ${hold(FREE, `${YEAR}-02-02T10:00:00Z`, AYSE, 0, 'STG')}
  ${hold(NOBODYS, `${YEAR}-02-03T10:00:00Z`, null, 7000, 'STG')}
  ${hold(ENDED, `${YEAR}-01-05T10:00:00Z`, AYSE, 9000, 'STG', 'Süresi Doldu')}`;

let server: Session;
let base: TestDatabase;
let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  server = await openSession(inject('adminUrl'));
  const name = `t_${randomBytes(6).toString('hex')}`;
  await server.rows(`create database ${name}`);
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  await migrate(url.href, undefined, { only: (file) => file <= '0022-companies-and-settings.sql' });
  const old = await openSession(url.href);
  await old.rows(OLD);
  await old.close();
  await migrate(url.href);
  const secrets = deriveSecrets(TEST_SECRET);
  const urls = await prepareRoles(url.href, secrets.roles);
  const database = openDatabase(urls);
  const close = async () => {
    await database.close();
    await server.rows(`drop database ${name} with (force)`);
    await server.close();
  };
  base = { database, secrets, adminUrl: url.href, urls, close };
  api = await testService({ shared: base });
  await openAll(api);
  const endpoints = resources.flatMap(({ endpoints }) => endpoints.map((endpoint) => endpoint.id));
  dealer = dealerWith(api, DEALER, (await api.key(DEALER, { endpoints })).secret);
});
afterAll(async () => {
  await api?.close();
  await base?.close();
});

const list = async (query = ''): Promise<Shown[]> => (await dealer.get(`collections?type=Kapora${query}`)).json.data;
const reservationOf = async (vehicle: string): Promise<Shown> => dataOf(await dealer.get(`vehicles/${vehicle}`)).reservation;

test('each deposit that holds a vehicle is an open Kapora with its date, branch and the year’s number', async () => {
  const shown = (await list()).map((one) => [
    ...[one.receipt_no, one.collected_on, one.amount, one.currency, one.method, one.deposit_status],
    ...[one.vehicle_id, one.customer_id, one.branch_id, one.reservation_id, one.allocations.length, one.sale_id],
  ]);
  expect(shown).toEqual([
    [`T-${YEAR}-00002`, `${YEAR}-02-01`, '500.00', 'STG', 'Nakit', 'Açık', HELD, AYSE, MAIN, id(111), 0, null],
    [`T-${YEAR}-00001`, `${YEAR}-01-20`, '12345.67', 'TL', 'Nakit', 'Açık', ELSEWHERE, ALI, BRANCH, id(112), 0, null],
    // 23:30 in Girne.
    [`T-${YEAR - 1}-00001`, `${YEAR - 1}-12-31`, '1.00', 'USD', 'Nakit', 'Açık', LAST_YEAR, AYSE, MAIN, id(113), 0, null],
  ]);
});

test('the reservation shows it as before', async () => {
  const [{ id: collection_id }] = (await list()) as [Shown];
  expect(await reservationOf(HELD)).toMatchObject({
    customer_id: AYSE,
    reserved_until: `${YEAR + 1}-12-31`,
    deposit_amount: '500.00',
    deposit_currency: 'STG',
    deposit: { amount: '500.00', currency: 'STG', collection_id },
  });
  expect(await reservationOf(FREE)).toMatchObject({ deposit: null, deposit_amount: null });
});

test('an amount that was never paid stays readable, and one of an ended hold creates no record', async () => {
  expect(await reservationOf(NOBODYS)).toMatchObject({ deposit: null });
  const admin = await openSession(base.adminUrl);
  const [held] = await admin.rows(`select note from reservations where vehicle_id = '${NOBODYS}'`);
  await admin.close();
  expect(held).toEqual({ note: 'söz verildi\nKapora: 70.00 STG' });
  expect((await list()).filter(({ vehicle_id }) => vehicle_id === ENDED)).toEqual([]);
});

test('continues from there: the buyer’s deposit is the first payment, and the next number follows', async () => {
  const sale = dataOf(await sell(dealer, { vehicle_id: HELD, customer_id: AYSE, sale_price: '1000.00' }));
  expect(sale).toMatchObject({ collected_amount: '500.00', outstanding_amount: '500.00' });
  expect((await rowsOf(dealer, sale.id))[0]).toMatchObject({ paid_amount: '500.00', status: 'Kısmi Ödendi' });
  expect((await list(`&deposit_status=${encodeURIComponent('Mahsup Edildi')}`)).map(({ receipt_no }) => receipt_no)).toEqual([
    `T-${YEAR}-00002`,
  ]);
  const customer_id = await customerOf(dealer);
  dataOf(await dealer.post(`vehicles/${ENDED}/reserve`, { customer_id, deposit_amount: '10.00' }));
  const [newest] = (await list(`&deposit_status=${encodeURIComponent('Açık')}`)) as [Shown];
  expect(newest).toMatchObject({ receipt_no: `T-${YEAR}-00005`, vehicle_id: ENDED });
});
