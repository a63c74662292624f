// A world's exchange rates end with the real day and are carried on, marked; its receipts and notes have numbers with a prefix.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../src/domain/clock/days.ts';
import { paymentRate } from '../../src/domain/exchange-rates/payment-rate.ts';
import { bulletinHistory, bulletinInForce, rateOfDay } from '../../src/domain/exchange-rates/rate-table.ts';
import { keepNumber, nextNumbers } from '../../src/domain/records/number-series.ts';
import { ratesInForce } from '../../src/domain/reports/car-cost.ts';
import { collect } from '../../src/domain/sales/collection-writes.ts';
import type { Db } from '../../src/kit/db.ts';
import { compile, sql } from '../../src/kit/sql.ts';
import type { Work } from '../../src/kit/work.ts';
import { openSession } from '../../src/postgres/database.ts';
import { asWorld, type TestWorld } from '../support/as-world.ts';
import { aDealer, carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { storeBulletinFor } from '../support/bulletins.ts';
import { dayFrom } from '../support/clock.ts';
import { planOf } from '../support/plans.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';

let api: TestService;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
});
afterAll(() => api.close());

const read = <T>(dataSet: string, run: (db: Db) => Promise<T>): Promise<T> => api.database.inTenant(dataSet, 'read', run);
const inWorld = <T>(of: TestWorld, run: (work: Work) => Promise<T>): Promise<T> => api.service.parts.writer.write(of.call(), run);

describe('exchange rates', () => {
  let production: Dealer;
  let world: TestWorld;
  let dealer: Dealer;
  let saleId: string;
  /** The last bulletin is of yesterday, so that midnight during the test changes nothing that it asserts. */
  const yesterday = dayFrom(-1);
  const later = dayFrom(40);
  beforeAll(async () => {
    await storeBulletinFor(api.database, 'KKTCMB', { day: dayFrom(-3) });
    await storeBulletinFor(api.database, 'KKTCMB', { day: yesterday, number: '2026/999' });
    production = await aDealer(api);
    dealer = await aDealer(api);
    const sale = await sell(dealer, {
      vehicle_id: await carOf(dealer),
      customer_id: await customerOf(dealer),
      sale_price: '2000.00',
      currency: 'STG',
      down_payment: '100.00',
      installment_count: 2,
    });
    saleId = dataOf(sale).id;
    world = await asWorld(api.adminUrl, dealer.accountId);
    await world.moveClock(45);
  });

  test('after the real day the last bulletin is carried on and marked; production has none', async () => {
    const real = await read(production.accountId, (db) => rateOfDay(db, 'KKTCMB', yesterday, 'STG-TL'));
    expect(real).toMatchObject({ source: 'KKTCMB', rate_date: yesterday, bulletin_no: '2026/999' });
    const carried = await read(world.id, (db) => rateOfDay(db, 'KKTCMB', later, 'STG-TL'));
    expect(carried).toEqual({ ...real, source: 'sandbox', rate_date: later });
    expect(await read(production.accountId, (db) => bulletinInForce(db, 'KKTCMB', later))).toBeNull();
  });

  test('up to the real day a world has the published rates', async () => {
    const inForce = (dataSet: string, day: string) => read(dataSet, (db) => bulletinInForce(db, 'KKTCMB', day));
    for (const day of [dayFrom(-2), yesterday])
      expect(await inForce(world.id, day)).toEqual(await inForce(production.accountId, day));
    expect(await inForce(world.id, dayFrom(-60))).toBeNull();
  });

  test('beyond its own day a world has no rate that production would not have', async () => {
    expect(await read(world.id, (db) => bulletinInForce(db, 'KKTCMB', dayFrom(70)))).toBeNull();
    const soon = await read(world.id, (db) => bulletinInForce(db, 'KKTCMB', dayFrom(50)));
    expect(soon).toMatchObject({ source: 'sandbox' });
    expect(soon!.rateDate < dayFrom(50)).toBe(true);
  });

  test('the history lists every later day, newest first, in pages', async () => {
    const span = { from: dayFrom(-3), to: later };
    const all = await read(world.id, (db) => bulletinHistory(db, 'KKTCMB', span, 100));
    expect(all.slice(0, 2).map(({ rateDate, source }) => [rateDate, source])).toEqual([
      [later, 'sandbox'],
      [addDays(later, -1), 'sandbox'],
    ]);
    expect(all.slice(-2).map(({ rateDate, source }) => [rateDate, source])).toEqual([
      [yesterday, 'KKTCMB'],
      [dayFrom(-3), 'KKTCMB'],
    ]);
    const paged = [];
    for (let offset = 0; offset < all.length; offset += 7)
      paged.push(...(await read(world.id, (db) => bulletinHistory(db, 'KKTCMB', span, 7, offset))));
    expect(paged).toEqual(all);
    expect(await read(production.accountId, (db) => bulletinHistory(db, 'KKTCMB', span, 100))).toHaveLength(2);
  });

  test('a payment in another currency records the mark', async () => {
    const rate = await read(world.id, (db) => paymentRate(db, { debt: 'STG', paid: 'TL', day: later }));
    expect(rate).toMatchObject({ pair: 'STG-TL', day: later, source: 'sandbox' });
    const body = { sale_id: saleId, amount: 50_000n, currency: 'TL', method: 'Nakit' } as never;
    const { id } = await inWorld(world, (work) => collect(work, body));
    const [kept] = await read(world.id, (db) =>
      db.rows<{ rate_source: string; receipt_no: string }>(sql`select rate_source, receipt_no from collections where id = ${id}`),
    );
    expect(kept).toMatchObject({ rate_source: 'sandbox', receipt_no: expect.stringMatching(/^S-T-\d{4}-\d{5}$/) });
  });

  test('reports value with the carried rates', async () => {
    const days = (dataSet: string) =>
      read(dataSet, (db) => db.rows<{ day: string; STG: string }>(ratesInForce({ from: later, to: later })));
    expect(await days(production.accountId)).toEqual([]);
    expect(await days(world.id)).toMatchObject([{ day: later }]);
  });

  test('a report asks once for the real day, for any number of days', async () => {
    const tenant = await openSession(api.urls.tenantUrl);
    try {
      const statement = compile(ratesInForce({ from: dayFrom(-400), to: yesterday }), production.accountId);
      const nodes = await planOf(tenant, production.accountId, statement, false);
      const calls = nodes.filter((node) => node['Function Name'] === 'world_rate_days');
      expect(calls.map((node) => node['Actual Loops'])).toEqual([1]);
    } finally {
      await tenant.close();
    }
  });
});

describe('numbers', () => {
  const year = (of: TestWorld) => of.now().toISOString().slice(0, 4);

  test('receipts and notes of a world have the prefix, sales do not; production has none', async () => {
    const dealer = await aDealer(api);
    const numbers = async (work: Work) =>
      (['S', 'T', 'N'] as const).reduce<Promise<string[]>>(
        async (all, series) => [...(await all), ...(await nextNumbers(work, series, 1)).map(({ text }) => text)],
        Promise.resolve([]),
      );
    const call = { dataSet: dealer.accountId, account: { id: dealer.accountId, timezone: 'Asia/Famagusta' } };
    const actor = { type: 'system', name: 'test' } as const;
    const real = await api.service.parts.writer.write({ ...call, actor, now: new Date() }, numbers);
    expect(real.map((text) => text.replace(/\d{4}/, 'YYYY'))).toEqual(['S-YYYY-00001', 'T-YYYY-00001', 'N-YYYY-00001']);
    const world = await asWorld(api.adminUrl, dealer.accountId);
    const texts = await inWorld(world, numbers);
    expect(texts.map((text) => text.replace(/\d{4}/, 'YYYY'))).toEqual(['S-YYYY-00002', 'S-T-YYYY-00002', 'S-N-YYYY-00002']);
  });

  test('an imported number of a world is not used again; in production such a number is another system’s', async () => {
    const dealer = await aDealer(api);
    const world = await asWorld(api.adminUrl, dealer.accountId);
    const next = async (work: Work) => (await nextNumbers(work, 'T', 1))[0]!.text;
    await inWorld(world, async (work) => keepNumber(work, 'T', `S-T-${year(world)}-00041`));
    expect(await inWorld(world, next)).toBe(`S-T-${year(world)}-00042`);
    const other = await aDealer(api);
    const call = { ...world.call(), dataSet: other.accountId, account: { id: other.accountId, timezone: 'Asia/Famagusta' } };
    const { writer } = api.service.parts;
    await writer.write(call, async (work) => keepNumber(work, 'T', `S-T-${year(world)}-00041`));
    expect(await writer.write(call, next)).toBe(`T-${year(world)}-00001`);
  });
});
