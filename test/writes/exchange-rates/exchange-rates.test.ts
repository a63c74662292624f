// The three endpoints of exchange rates: which bulletin applies to a day, which bank belongs to an account, and missing rates.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daysBefore } from '../../../src/domain/exchange-rates/bulletin-schedule.ts';
import { openSession } from '../../../src/postgres/database.ts';
import { QUOTES, storeBulletinFor } from '../../support/bulletins.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
/** In Türkiye, in Cyprus. */
let turk: Dealer;
let cypriot: Dealer;
// A separate day: a year after the first bulletin below, a walk over all of them would be too long.
const TODAY = '2026-10-14';
const LAST = daysBefore(TODAY, 2);

beforeAll(async () => {
  api = await testService({ at: `${TODAY}T10:00:00Z` });
  await openAll(api);
  turk = await newDealer(api, { country: 'TR' });
  cypriot = await newDealer(api, { country: 'KKTC' });
  await storeBulletinFor(api.database, 'TCMB', { day: LAST, number: '2026/211' });
  await storeBulletinFor(api.database, 'TCMB', {
    day: daysBefore(LAST, 1),
    number: '2026/210',
    quotes: { ...QUOTES, USD: ['48.0000', '48.1000', '47.9500', '48.2000'] },
  });
  await storeBulletinFor(api.database, 'TCMB', { day: '2026-01-15', number: '2026/10' });
  await storeBulletinFor(api.database, 'TCMB', { day: '2026-01-16', number: '2026/11' });
});
afterAll(() => api.close());

const refused = async (dealer: Dealer, path: string) => {
  const { status, json } = await dealer.get(path);
  return { status, code: json.error.code, param: json.error.param };
};

describe('GET exchange-rates', () => {
  test("returns the six canonical pairs of the newest bulletin of the account's bank", async () => {
    const { status, json, headers } = await turk.get('exchange-rates');
    expect(status).toBe(200);
    expect(json.data.map(({ pair }: { pair: string }) => pair)).toEqual([
      'STG-TL',
      'EUR-TL',
      'USD-TL',
      'STG-EUR',
      'STG-USD',
      'EUR-USD',
    ]);
    expect(json.meta).toMatchObject({ limit: 6, offset: 0, count: 6 });
    expect(json.data[2]).toMatchObject({
      pair: 'USD-TL',
      base: 'USD',
      quote: 'TL',
      buying: '48.073200',
      selling: '48.159800',
      banknote_buying: '48.039600',
      banknote_selling: '48.232100',
      rate_date: LAST,
      source: 'TCMB',
      bulletin_no: '2026/211',
    });
    expect(json.data[3]).toMatchObject({
      pair: 'STG-EUR',
      base: 'STG',
      quote: 'EUR',
      banknote_buying: null,
      banknote_selling: null,
    });
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('accepts another bank; a bank without a bulletin has no rate, and none is derived', async () => {
    expect((await cypriot.get('exchange-rates?source=TCMB')).json.data[0].source).toBe('TCMB');
    expect(await refused(cypriot, 'exchange-rates')).toMatchObject({ status: 409, code: 'rate_not_available' });
    expect(await refused(turk, 'exchange-rates?source=KKTCMB')).toMatchObject({ status: 409, code: 'rate_not_available' });
    expect(await refused(turk, 'exchange-rates?source=tcmb')).toMatchObject({ status: 400, param: 'source' });
  });

  test('uses the newest bulletin of the day or of the ten days before', async () => {
    const on = async (date: string) => (await turk.get(`exchange-rates?date=${date}`)).json.data?.[0].rate_date;
    expect(await on('2026-01-15')).toBe('2026-01-15');
    expect(await on('2026-01-16')).toBe('2026-01-16');
    expect(await on('2026-01-26')).toBe('2026-01-16');
    expect(await refused(turk, 'exchange-rates?date=2026-01-27')).toMatchObject({ status: 409, code: 'rate_not_available' });
    expect(await refused(turk, 'exchange-rates?date=2026-01-14')).toMatchObject({ status: 409, code: 'rate_not_available' });
    expect(await on(daysBefore(TODAY, -8))).toBe(LAST);
    expect(await refused(turk, `exchange-rates?date=${daysBefore(TODAY, -9)}`)).toMatchObject({ status: 409 });
    for (const bad of ['2026-02-30', 'today', '2026-01-15T10:00:00Z'])
      expect(await refused(turk, `exchange-rates?date=${bad}`)).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
        param: 'date',
      });
  });

  test('names in Turkish too the bank and the day without a bulletin', async () => {
    const { json } = await cypriot.get('exchange-rates?date=2026-03-01', { 'accept-language': 'tr' });
    expect(json.error.message).toBe('KKTCMB kaynağının 01.03.2026 ve önceki on gün için bülteni yok');
  });
});

describe('GET exchange-rates/{currency_pair}', () => {
  test('returns any of the twelve ordered pairs', async () => {
    const of = async (pair: string) => {
      const { buying, selling } = (await turk.get(`exchange-rates/${pair}`)).json.data;
      return [buying, selling];
    };
    expect(await of('STG-TL')).toEqual(['64.726800', '65.064300']);
    expect(await of('TL-STG')).toEqual(['0.015369', '0.015450']);
    expect(await of('STG-USD')).toEqual(['1.344001', '1.353442']);
    expect(await of('USD-STG')).toEqual(['0.738857', '0.744047']);
    for (const pair of ['EUR-TL', 'USD-TL', 'STG-EUR', 'EUR-USD', 'TL-EUR', 'TL-USD', 'EUR-STG', 'USD-EUR'])
      expect((await turk.get(`exchange-rates/${pair}`)).status, pair).toBe(200);
    expect((await turk.get('exchange-rates/TL-USD?date=2026-01-20')).json.data.rate_date).toBe('2026-01-16');
  });

  test('returns 404 for any other name', async () => {
    for (const pair of ['TL-TL', 'USD-USD', 'usd-tl', 'GBP-TL', 'USD', 'USDTL', 'USD-JPY', 'x', '%00', 'constructor'])
      expect(await refused(turk, `exchange-rates/${pair}`), pair).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('returns no rate without a bulletin', async () => {
    expect(await refused(turk, 'exchange-rates/USD-TL?date=2020-01-01')).toMatchObject({
      status: 409,
      code: 'rate_not_available',
    });
  });
});

describe('GET exchange-rates/history', () => {
  const days = async (query: string) =>
    (await turk.get(`exchange-rates/history?${query}`)).json.data.map(({ rate_date }: { rate_date: string }) => rate_date);

  test('returns one pair by day, newest first, only for days that have a bulletin', async () => {
    expect(await days(`pair=USD-TL&from=2026-01-01&to=${TODAY}`)).toEqual([
      LAST,
      daysBefore(LAST, 1),
      '2026-01-16',
      '2026-01-15',
    ]);
    const { json } = await turk.get(`exchange-rates/history?pair=TL-USD&from=${daysBefore(LAST, 1)}&to=${LAST}`);
    expect(json.data.map(({ pair, selling }: { pair: string; selling: string }) => [pair, selling])).toEqual([
      ['TL-USD', '0.020802'],
      ['TL-USD', '0.020833'],
    ]);
    expect(await days('pair=USD-TL&from=2026-01-16&to=2026-01-16')).toEqual(['2026-01-16']);
    expect(await days('pair=USD-TL&from=2026-02-01&to=2026-02-28')).toEqual([]);
    expect(await days('pair=USD-TL&source=KKTCMB&from=2026-01-01&to=2026-01-31')).toEqual([]);
  });

  test('converts an instant to the account’s calendar day', async () => {
    // 23:30 in Greenwich is the next day in Istanbul.
    expect(await days('pair=USD-TL&from=2026-01-15T23:30:00Z&to=2026-01-17')).toEqual(['2026-01-16']);
  });

  test('returns pages', async () => {
    const query = `pair=STG-TL&from=2026-01-01&to=${TODAY}`;
    const first = await turk.get(`exchange-rates/history?${query}&limit=3`);
    expect(first.json.meta).toEqual({ limit: 3, offset: 0, count: 3 });
    expect(first.headers.get('link')).toContain('rel="next"');
    const second = await turk.get(`exchange-rates/history?${query}&limit=3&offset=3`);
    expect(second.json.data.map(({ rate_date }: { rate_date: string }) => rate_date)).toEqual(['2026-01-15']);
    expect(second.headers.get('link')).not.toContain('rel="next"');
  });

  test.each([
    ['no pair', 'from=2026-01-01&to=2026-01-31', 'pair'],
    ['no from', 'pair=USD-TL&to=2026-01-31', 'from'],
    ['no to', 'pair=USD-TL&from=2026-01-31', 'to'],
    ['a pair that is none', 'pair=USD-USD&from=2026-01-01&to=2026-01-31', 'pair'],
    ['from after to', 'pair=USD-TL&from=2026-01-02&to=2026-01-01', 'from'],
    ['367 days', 'pair=USD-TL&from=2025-01-01&to=2026-01-02', 'from'],
  ])('refuses %s', async (_, query, param) => {
    expect(await refused(turk, `exchange-rates/history?${query}`)).toEqual({ status: 400, code: 'invalid_parameter', param });
  });

  test('accepts ranges up to 366 days', async () => {
    expect((await turk.get('exchange-rates/history?pair=USD-TL&from=2025-01-01&to=2026-01-01')).status).toBe(200);
  });
});

test("the dealers' role reads rates, changes none, and cannot read the tables about the banks", async () => {
  const session = await openSession(api.urls.tenantUrl);
  try {
    expect((await session.rows('select from exchange_rates')).length).toBeGreaterThan(0);
    for (const text of [
      `update exchange_rates set buying = 1`,
      'delete from exchange_rates',
      `insert into exchange_rates (source, rate_date, base, buying, selling, fetched_at) values ('TCMB', '2026-02-02', 'USD', 1, 1, now())`,
      'select from rate_looks',
      'select from rate_news',
    ])
      await expect(session.rows(text), text).rejects.toMatchObject({ code: '42501' });
  } finally {
    await session.close();
  }
});
