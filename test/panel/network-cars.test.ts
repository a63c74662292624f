// The search for the network's vehicles in the panel: by parts of words, within bounds, in a chosen order; and only with a card's
// fields.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawSql, sql } from '../../src/kit/sql.ts';
import { carOf } from '../support/books.ts';
import { listedCar } from '../support/market.ts';
import { type TestService, testService } from '../support/service.ts';
import { newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let buyer: Browser;
beforeAll(async () => {
  service = await testService();
  await openAll(service);
  const seller = await newDealer(service, { name: 'Lefkoşa Yıldız Oto', city: 'Lefkoşa' });
  for (const car of [
    { brand: 'Volkswagen', model: 'Golf 1.6 TDI', model_year: 2018, km: 84_000, price: '14500.00', plate: 'KANARYA 1' },
    { brand: 'Mercedes-Benz', model: 'C 200', model_year: 2016, km: 120_000, price: '13350.00', city: 'Gazimağusa' },
    { brand: 'Škoda', model: 'Octavia', model_year: 2020, km: 40_000, price: '700000.00', currency: 'TL' },
  ])
    await listedCar(seller, await carOf(seller, car));
  accountId = await service.account({ name: 'Girne Oto' });
  buyer = await signedIn(service, await newPerson(service, { accountId }));
});
afterAll(() => service.close());

const ask = (query: string) => buyer.api(encodeURI(`network/cars${query}`));
const found = async (query: string): Promise<string> =>
  (await ask(query)).json.data.map(({ vehicle }: { vehicle: { brand: string } }) => vehicle.brand.slice(0, 2)).join(' ');

test('by parts of words, in any case, spelling and order', async () => {
  expect(await found('?q=golf')).toBe('Vo');
  expect(await found('?q=GOL volks')).toBe('Vo');
  expect(await found('?q=mercedes')).toBe('Me');
  expect(await found('?q=magusa')).toBe('Me');
  expect(await found('?q=yildiz 2020')).toBe('Šk');
  expect(await found('?q=SKODA')).toBe('Šk');
  expect(await found('?q=golf 2020')).toBe('');
  expect(await found('?q=%')).toBe('');
  // The plate is not on the card.
  expect(await found('?q=kanarya')).toBe('');
  expect(JSON.stringify((await ask('')).json)).not.toContain('KANARYA');
});

test('within bounds, in the requested order, page by page', async () => {
  expect(await found('?sort=price_asc')).toBe('Me Vo Šk');
  expect(await found('?sort=price_desc')).toBe('Vo Me Šk');
  expect(await found('?sort=year')).toBe('Šk Vo Me');
  expect(await found('?sort=km')).toBe('Šk Vo Me');
  expect(await found('?year_min=2018&km_max=84000')).toBe('Šk Vo');
  expect(await found('?currency=STG&price_max=14000')).toBe('Me');
  expect(await found('?sort=km&limit=1&offset=1')).toBe('Vo');
  expect((await ask('?price_max=14000')).json.error.code).toBe('invalid_parameter');
  expect((await ask('?sort=plate')).json.error.code).toBe('invalid_parameter');
});

test('only within the network', async () => {
  const set = (to: boolean) =>
    service.database.onPlatform('write', (db) =>
      db.exec(sql`update accounts set ${rawSql('dealer_network')} = ${to} where id = ${accountId}`),
    );
  await set(false);
  expect((await ask('')).json.error.code).toBe('capability_not_enabled');
  await set(true);
});
