// Fetching from banks: well-formed, partial, late, duplicate, absurd and hostile replies of a local bank. The last good rates
// always stay, and nothing is emitted twice.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import type { RateUrls } from '../../src/domain/exchange-rates/bulletin-fetch.ts';
import { nextLook } from '../../src/domain/exchange-rates/bulletin-schedule.ts';
import { storeBulletin } from '../../src/domain/exchange-rates/bulletin-store.ts';
import { Rate } from '../../src/domain/exchange-rates/rate-table.ts';
import { announceRates } from '../../src/jobs/announce-rates.ts';
import { fetchRates, lookSooner, type RateParts } from '../../src/jobs/fetch-rates.ts';
import type { Log } from '../../src/kit/log.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type Bank, bulletinOf, kktcmbXml, openBank, QUOTES, tcmbXml } from '../support/bulletins.ts';
import { unmoved } from '../support/clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { testWriter } from '../support/test-writer.ts';

let base: TestDatabase;
let admin: Session;
let bank: Bank;
let logLines: { level: string; message: string; reason: unknown }[] = [];
beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
});
beforeEach(async () => {
  bank = await openBank();
  logLines = [];
  // As after years of fetching: nothing was missed.
  await admin.rows(`insert into rate_looks (source, next_look_at, filled_to)
    values ('TCMB', to_timestamp(0), '2099-01-01'), ('KKTCMB', to_timestamp(0), '2099-01-01')`);
});
afterEach(async () => {
  await bank.close();
  await admin.rows('truncate exchange_rates, rate_looks, rate_news');
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

const note = (level: string) => (message: string, facts?: Record<string, unknown>) => {
  logLines.push({ level, message, reason: facts?.reason });
};
const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };

const parts = (urls: Partial<RateUrls> = { TCMB: bank.url.TCMB }, more: Partial<RateParts> = {}): RateParts => ({
  database: base.database,
  log,
  outbound: { loopback: true },
  rateUrls: { TCMB: null, KKTCMB: null, ...urls },
  timeoutMs: 5000,
  ...more,
});
/** In Istanbul; in winter it is an hour earlier in Cyprus. */
const at = (day: string, time: string): Date => new Date(`${day}T${time}:00+03:00`);
const onCyprus = (day: string, time: string): Date => new Date(`${day}T${time}:00+02:00`);
const FRIDAY = '2026-11-13';
const MONDAY = '2026-11-16';
const AFTERNOON = at(FRIDAY, '15:40');

/** As if the wait were over: due now. */
async function look(now: Date, urls?: Partial<RateUrls>, more?: Partial<RateParts>): Promise<number> {
  await admin.rows(`update rate_looks set next_look_at = to_timestamp(0)`);
  return fetchRates(parts(urls, more), unmoved(now));
}
const serve = (xml: string | Buffer) => bank.serves.set('/kurlar/today.xml', xml);
const kept = () =>
  admin.rows<{ day: string; base: string; buying: string; no: string }>(
    `select rate_date::text as day, base, buying::text, bulletin_no as no from exchange_rates order by rate_date, base`,
  );
const days = async () => [...new Set((await kept()).map(({ day }) => day))];
const state = async () =>
  (
    await admin.rows<{ state: string; failures: number; next: Date }>(
      `select state, failures, next_look_at as next from rate_looks order by state = 'new'`,
    )
  )[0]!;

describe('a test clock', () => {
  test('that jumps queries no bank again: banks publish in real time', async () => {
    serve(tcmbXml({ day: FRIDAY }));
    await look(AFTERNOON);
    const requests = bank.paths.length;
    expect(requests).toBeGreaterThan(0);
    const realNow = new Date(AFTERNOON.getTime() + 60_000);
    for (const now of [at(MONDAY, '15:40'), at('2099-01-05', '15:40'), at('2026-01-15', '15:40')])
      expect(await fetchRates(parts(), { now, realNow })).toBe(0);
    expect(bank.paths).toHaveLength(requests);
  });

  test('has the bulletins of its own days, and still the newest of the bank', async () => {
    const load = (day: string, now: Date) =>
      base.database.onPlatform('write', (db) =>
        storeBulletin(db, bulletinOf('TCMB', { day }), {
          now,
          realNow: AFTERNOON,
          actor: { type: 'cli', name: 'x' },
          force: true,
        }),
      );
    expect(await load('2027-03-12', at('2027-03-12', '16:00'))).toMatchObject({ outcome: 'stored' });
    await expect(load('2027-03-15', at('2027-03-12', '16:00'))).rejects.toThrow('has not come yet');
    expect(await load(FRIDAY, at('2026-01-15', '16:00'))).toMatchObject({ outcome: 'stored' });
  });
});

describe('a bulletin', () => {
  test('that is well-formed is stored as a whole, once', async () => {
    serve(tcmbXml({ day: FRIDAY, number: '2026/211' }));
    expect(await look(AFTERNOON)).toBe(1);
    expect(await kept()).toEqual([
      { day: FRIDAY, base: 'EUR', buying: '56.123400', no: '2026/211' },
      { day: FRIDAY, base: 'STG', buying: '64.726800', no: '2026/211' },
      { day: FRIDAY, base: 'USD', buying: '48.073200', no: '2026/211' },
    ]);
    expect(await state()).toMatchObject({ state: 'current', failures: 0 });
    const before = await admin.rows('select * from exchange_rates order by base');
    expect(await look(at(FRIDAY, '18:00'))).toBe(0);
    expect(await admin.rows('select * from exchange_rates order by base')).toEqual(before);
    expect(await admin.rows('select from rate_news')).toHaveLength(1);
    expect(logLines.map(({ message }) => message)).toEqual(['exchange rates imported']);
  });

  test('that is late is awaited: an older one is stored for its own day, not for today', async () => {
    serve(tcmbXml({ day: '2026-11-12', number: '2026/210' }));
    expect(await look(AFTERNOON)).toBe(1);
    expect(await state()).toMatchObject({ state: 'waiting', next: new Date(AFTERNOON.getTime() + 15 * 60_000) });
    expect(await look(at(FRIDAY, '15:55'))).toBe(0);
    serve(tcmbXml({ day: FRIDAY, number: '2026/211' }));
    expect(await look(at(FRIDAY, '16:10'))).toBe(1);
    expect(await days()).toEqual(['2026-11-12', FRIDAY]);
    expect(logLines.map(({ message }) => message)).toEqual([
      'exchange rates imported',
      'a bulletin is awaited',
      'exchange rates imported',
      'exchange rates are up to date',
    ]);
  });

  test('of the same day with other values replaces it, and both are in the audit log', async () => {
    serve(tcmbXml({ day: FRIDAY, number: '2026/211' }));
    await look(AFTERNOON);
    serve(
      tcmbXml({ day: FRIDAY, number: '2026/211-2', quotes: { ...QUOTES, USD: ['48.1000', '48.2000', '48.0500', '48.3000'] } }),
    );
    expect(await look(at(FRIDAY, '17:40'))).toBe(1);
    expect((await kept()).find(({ base }) => base === 'USD')).toEqual({
      day: FRIDAY,
      base: 'USD',
      buying: '48.100000',
      no: '2026/211-2',
    });
    expect(await kept()).toHaveLength(3);
    const [logged] = await admin.rows<{ before: object; after: object; target: string }>(
      `select before, after, target from audit_log where action = 'rates.replaced'`,
    );
    expect(logged).toMatchObject({
      target: `TCMB ${FRIDAY}`,
      before: { bulletin_no: '2026/211', USD_buying: '48.073200', STG_buying: '64.726800' },
      after: { bulletin_no: '2026/211-2', USD_buying: '48.100000', STG_buying: '64.726800' },
    });
    expect(logLines.at(-1)!.message).toBe('exchange rates corrected by the bank');
  });

  test('that moved by more than 20 % is held for review', async () => {
    serve(tcmbXml({ day: '2026-11-12' }));
    await look(at('2026-11-12', '15:40'));
    serve(tcmbXml({ day: FRIDAY, quotes: { ...QUOTES, EUR: ['67.4000', '67.5000', '', ''] } }));
    expect(await look(AFTERNOON)).toBe(0);
    expect(await days()).toEqual(['2026-11-12']);
    expect(await state()).toMatchObject({ state: 'held' });
    const [warning] = logLines.filter(({ level }) => level === 'warn');
    expect(warning!.message).toContain('galeri rates fetch --source TCMB --force');
    expect(warning!.reason).toBe('its EUR is at 67.400000, more than a fifth away from 56.123400 on 2026-11-12');
    // Exactly 20 % is not more than 20 %.
    serve(tcmbXml({ day: FRIDAY, quotes: { ...QUOTES, EUR: ['67.34808', '67.4694', '', ''] } }));
    expect(await look(at(FRIDAY, '15:55'))).toBe(1);
  });

  test('whose first rates are too far apart is held too', async () => {
    serve(tcmbXml({ day: FRIDAY, quotes: { ...QUOTES, USD: ['4.8073', '48.1598', '', ''] } }));
    expect(await look(AFTERNOON)).toBe(0);
    expect(await state()).toMatchObject({ state: 'held' });
    expect(await kept()).toEqual([]);
  });

  const good = tcmbXml({ day: FRIDAY });
  test.each([
    ['partial', tcmbXml({ day: FRIDAY, quotes: { USD: QUOTES.USD, GBP: QUOTES.GBP } }), 'refused'],
    ['cut off', good.slice(0, 900), 'refused'],
    ['junk', 'not XML at all', 'refused'],
    ['NaN', good.replace('48.0732', 'NaN'), 'refused'],
    ['zero', good.replace('48.0732', '0'), 'refused'],
    ["the other bank's", kktcmbXml({ day: FRIDAY }), 'refused'],
    ['with a document type', good.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>'), 'refused'],
    ['of two megabytes', Buffer.alloc(2_000_000, 0x20), 'refused'],
    ['dated tomorrow, with none of today', tcmbXml({ day: '2026-11-14' }), 'waiting'],
  ])('that is %s writes nothing: the last good one stays', async (_, xml, expected) => {
    serve(tcmbXml({ day: '2026-11-12' }));
    await look(at('2026-11-12', '15:40'));
    const before = await admin.rows('select * from exchange_rates order by base');
    serve(xml);
    expect(await look(AFTERNOON)).toBe(0);
    expect(await admin.rows('select * from exchange_rates order by base')).toEqual(before);
    expect(await state()).toMatchObject({ state: expected });
  });
});

describe('a bank', () => {
  test.each<[string, (response: import('node:http').ServerResponse) => void]>([
    ['answers 500', (response) => response.writeHead(500).end()],
    ['sends us elsewhere', (response) => response.writeHead(302, { location: '/elsewhere.xml' }).end()],
    ['hangs up', (response) => response.destroy()],
    ['is silent', () => {}],
    [
      'breaks off',
      (response) =>
        void response
          .writeHead(200, { 'content-length': '5000' })
          .write(tcmbXml({ day: FRIDAY }).slice(0, 900), () => response.destroy()),
    ],
    ['never ends', (response) => void endless(response)],
  ])('that %s is retried with growing pauses, and reported once', async (what, answer) => {
    bank.serves.set('/elsewhere.xml', tcmbXml({ day: FRIDAY }));
    bank.serves.set('/kurlar/today.xml', (_, response) => answer(response));
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      expect(await look(AFTERNOON, undefined, { timeoutMs: 300 })).toBe(0);
      waits.push(((await state()).next.getTime() - AFTERNOON.getTime()) / 60_000);
    }
    expect(await kept()).toEqual([]);
    expect(bank.paths).not.toContain('/elsewhere.xml');
    expect(logLines.map(({ level }) => level)).toEqual(['warn']);
    if (what !== 'never ends') expect(waits).toEqual([1, 2, 4, 8, 15, 15]);
    serve(tcmbXml({ day: FRIDAY }));
    expect(await look(at(FRIDAY, '19:00'))).toBe(1);
    expect(logLines.map(({ message }) => message).slice(1)).toEqual(['exchange rates imported', 'exchange rates are up to date']);
  });

  test('is not queried if its address is empty or not allowed', async () => {
    expect(await fetchRates(parts({ TCMB: null }), unmoved(AFTERNOON))).toBe(0);
    expect(await fetchRates(parts(undefined, { outbound: { loopback: false } }), unmoved(AFTERNOON))).toBe(0);
    expect(bank.paths).toEqual([]);
    expect(await state()).toMatchObject({ state: 'unreachable' });
  });

  test('that publishes the afternoon before: tomorrow is left for tomorrow, today is fetched by its date', async () => {
    const urls = { KKTCMB: bank.url.KKTCMB };
    bank.serves.set('/kur/gunluk.xml', kktcmbXml({ day: MONDAY, number: '2026/183' }));
    bank.serves.set('/kur/tarih/20261113', kktcmbXml({ day: FRIDAY, number: '2026/182' }));
    expect(await look(at(FRIDAY, '16:00'), urls)).toBe(1);
    expect(await days()).toEqual([FRIDAY]);
    // Saturday has none, and none is due: the next fetch is at the start of Monday.
    expect(await look(at('2026-11-14', '09:00'), urls)).toBe(0);
    expect(await state()).toMatchObject({ state: 'current', next: onCyprus(MONDAY, '00:00') });
    expect(await look(onCyprus(MONDAY, '00:00'), urls)).toBe(1);
    expect(await days()).toEqual([FRIDAY, MONDAY]);
    expect(bank.paths).toEqual([
      '/kur/gunluk.xml',
      '/kur/tarih/20261113',
      '/kur/gunluk.xml',
      '/kur/tarih/20261113',
      '/kur/gunluk.xml',
    ]);
  });

  test('is queried by one of several processes, and not before it is due', async () => {
    serve(tcmbXml({ day: FRIDAY }));
    const taken = await Promise.all(Array.from({ length: 8 }, () => fetchRates(parts(), unmoved(AFTERNOON))));
    expect(taken.filter((count) => count === 1)).toHaveLength(1);
    expect(bank.paths).toHaveLength(1);
    await fetchRates(parts(), unmoved(new Date(AFTERNOON.getTime() + 60_000)));
    expect(bank.paths).toHaveLength(1);
  });

  test('that a process was querying when it stopped is queried by the next, without recording a failure', async () => {
    bank.serves.set('/kurlar/today.xml', () => {});
    const stopping = new AbortController();
    const asking = fetchRates(parts(undefined, { signal: stopping.signal, timeoutMs: 60_000 }), unmoved(AFTERNOON));
    while (bank.paths.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stopping.abort();
    expect(await asking).toBe(0);
    expect(logLines).toEqual([]);
    serve(tcmbXml({ day: FRIDAY }));
    expect(await fetchRates(parts(), unmoved(AFTERNOON))).toBe(1);
  });

  test('that was unavailable is queried at once by a process that starts', async () => {
    bank.serves.set('/kurlar/today.xml', (_, response) => response.writeHead(503).end());
    await look(AFTERNOON);
    await lookSooner(base.database, AFTERNOON);
    serve(tcmbXml({ day: FRIDAY }));
    expect(await fetchRates(parts(), unmoved(AFTERNOON))).toBe(1);
    await lookSooner(base.database, AFTERNOON);
    expect(await fetchRates(parts(), unmoved(AFTERNOON))).toBe(0);
    expect(bank.paths).toHaveLength(2);
  });
});

describe('missed days', () => {
  const served = (days: readonly string[]) => {
    for (const day of days) {
      const [year, month, date] = day.split('-');
      bank.serves.set(`/kurlar/${year}${month}/${date}${month}${year}.xml`, tcmbXml({ day }));
    }
  };

  test('are fetched by date, once, and a first start fetches ten days of rates', async () => {
    await admin.rows('update rate_looks set filled_to = null');
    serve(tcmbXml({ day: FRIDAY }));
    // The tenth was a holiday.
    const before = ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06', '2026-11-09', '2026-11-11', '2026-11-12'];
    served(before);
    expect(await look(AFTERNOON)).toBe(8);
    expect(await days()).toEqual([...before, FRIDAY]);
    expect(bank.paths).toContain('/kurlar/202611/10112026.xml');
    expect(bank.paths).toHaveLength(9);
    expect(await look(at(FRIDAY, '18:00'))).toBe(0);
    expect(bank.paths).toHaveLength(10);
    // Three business days later, two of them missed.
    serve(tcmbXml({ day: '2026-11-18' }));
    served([MONDAY, '2026-11-17']);
    expect(await look(at('2026-11-18', '15:40'))).toBe(3);
    expect((await days()).slice(-4)).toEqual([FRIDAY, MONDAY, '2026-11-17', '2026-11-18']);
  });

  test('come first: the newest is compared with them, also on a first start', async () => {
    await admin.rows(`update rate_looks set filled_to = '2026-11-11'`);
    served(['2026-11-12']);
    serve(tcmbXml({ day: FRIDAY, quotes: { ...QUOTES, USD: ['480.732', '481.598', '', ''] } }));
    expect(await look(AFTERNOON)).toBe(1);
    expect(await days()).toEqual(['2026-11-12']);
    expect(await state()).toMatchObject({ state: 'held' });
  });

  test('are fetched later if the bank stopped answering in between', async () => {
    await admin.rows(`update rate_looks set filled_to = '2026-11-06'`);
    serve(tcmbXml({ day: FRIDAY }));
    served(['2026-11-09', '2026-11-10', '2026-11-12']);
    bank.serves.set('/kurlar/202611/11112026.xml', (_, response) => response.destroy());
    expect(await look(AFTERNOON)).toBe(3);
    served(['2026-11-11']);
    expect(await look(at(FRIDAY, '18:00'))).toBe(2);
    expect(await days()).toEqual(['2026-11-09', '2026-11-10', '2026-11-11', '2026-11-12', FRIDAY]);
  });

  test('of a bank that publishes ahead: a holiday is covered by a later bulletin, which keeps its own date', async () => {
    const urls = { KKTCMB: bank.url.KKTCMB };
    await admin.rows(`update rate_looks set filled_to = '2026-11-10'`);
    // Thursday and Friday are holidays: the bulletin that covers them is dated Monday, and only Wednesday's is in force.
    for (const path of ['/kur/gunluk.xml', '/kur/tarih/20261112', '/kur/tarih/20261113'])
      bank.serves.set(path, kktcmbXml({ day: MONDAY, number: '2026/183' }));
    bank.serves.set('/kur/tarih/20261111', kktcmbXml({ day: '2026-11-11', number: '2026/182' }));
    expect(await look(at(FRIDAY, '09:00'), urls)).toBe(1);
    expect(await days()).toEqual(['2026-11-11']);
    expect(await state()).toMatchObject({ state: 'waiting' });
  });
});

describe('the next fetch', () => {
  const next = (source: 'TCMB' | 'KKTCMB', state: 'current' | 'waiting', now: Date) =>
    nextLook(source, state, 0, now).toISOString();
  test.each([
    ['awaited in the afternoon: in a quarter of an hour', 'TCMB', 'waiting', at(FRIDAY, '15:30'), at(FRIDAY, '15:45')],
    ['had: in two hours, for a correction', 'TCMB', 'current', at(FRIDAY, '15:45'), at(FRIDAY, '17:45')],
    [
      'had, after midnight: when the next business day publishes',
      'TCMB',
      'current',
      at('2026-11-14', '00:30'),
      at(MONDAY, '15:30'),
    ],
    ['in the morning, the day before had: this afternoon', 'TCMB', 'current', at(FRIDAY, '09:00'), at(FRIDAY, '15:30')],
    ['a day that passed without one: hourly', 'TCMB', 'waiting', at('2026-11-14', '09:00'), at('2026-11-14', '10:00')],
    ['shortly before it publishes: then', 'TCMB', 'waiting', at(FRIDAY, '15:10'), at(FRIDAY, '15:30')],
    ['published ahead: when its day starts', 'KKTCMB', 'current', onCyprus('2026-11-15', '12:00'), onCyprus(MONDAY, '00:00')],
    [
      'published ahead and not there: in a quarter of an hour',
      'KKTCMB',
      'waiting',
      onCyprus(MONDAY, '08:00'),
      onCyprus(MONDAY, '08:15'),
    ],
  ] as const)('%s', (_, source, state, now, expected) => {
    expect(next(source, state, now)).toBe(expected.toISOString());
  });
});

describe('the accounts', () => {
  const events = (account: string) =>
    admin.rows<{ payload: string; sequence: bigint }>(
      `select payload, sequence from events where account_id = '${account}' and kind = 'exchange_rate.updated' order by sequence`,
    );
  const account = async (country: 'TR' | 'KKTC') =>
    (
      await base.database.onPlatform('write', (db) =>
        createAccount(db, { name: 'Galeri', country }, { type: 'system', name: 'test' }, new Date()),
      )
    ).id;
  const notifier = (database = base.database) => ({ writer: testWriter({ database, secrets: base.secrets }) });

  test('of that bank are notified once each, by any number of runs and processes', async () => {
    const [ours, others] = [await account('TR'), await account('KKTC')];
    // Created before the bulletin came.
    const soon = new Date(Date.now() + 60_000);
    serve(tcmbXml({ day: FRIDAY, number: '2026/211' }));
    await fetchRates(parts(), unmoved(soon));
    const counts = await Promise.all([1, 2, 3].map(() => announceRates(notifier(), () => unmoved(soon))));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1);
    expect(await announceRates(notifier(), () => unmoved(soon))).toBe(0);
    expect(await events(others)).toEqual([]);
    const [event, ...more] = await events(ours);
    expect(more).toEqual([]);
    const { type, resource, data } = JSON.parse(event!.payload);
    expect(type).toBe('exchange_rate.updated');
    expect(resource).toMatchObject({ kind: 'exchange_rate', path: `/api/v1/exchange-rates?date=${FRIDAY}&source=TCMB` });
    expect(data.object).toMatchObject({ source: 'TCMB', rate_date: FRIDAY, bulletin_no: '2026/211' });
    expect(data.object.rates.map(({ pair }: { pair: string }) => pair)).toEqual([
      'STG-TL',
      'EUR-TL',
      'USD-TL',
      'STG-EUR',
      'STG-USD',
      'EUR-USD',
    ]);
    expect(Object.keys(data.object)).toEqual(['source', 'rate_date', 'bulletin_no', 'rates']);
    expect(Object.keys(data.object.rates[0])).toEqual(Object.keys(Rate.shape));
    expect(data.changed).toEqual([]);
  });

  test('with a test clock years ahead are notified too, once, although the bank is queried in real time', async () => {
    const years = new Date('2031-03-04T09:00:00Z');
    const { id } = await base.database.onPlatform('write', (db) =>
      createAccount(db, { name: 'Prova', country: 'TR' }, { type: 'system', name: 'test' }, years),
    );
    const times = { now: new Date(years.getTime() + 60_000), realNow: AFTERNOON };
    serve(tcmbXml({ day: FRIDAY }));
    await fetchRates(parts(), times);
    expect(await announceRates(notifier(), () => times)).toBeGreaterThanOrEqual(1);
    expect(await events(id)).toHaveLength(1);
  });

  test('are notified of a correction with the previous value', async () => {
    const ours = await account('TR');
    const soon = new Date(Date.now() + 60_000);
    serve(tcmbXml({ day: FRIDAY }));
    await fetchRates(parts(), unmoved(soon));
    serve(tcmbXml({ day: FRIDAY, quotes: { ...QUOTES, USD: ['48.1000', '48.2000', '', ''] } }));
    await look(soon);
    await announceRates(notifier(), () => unmoved(soon));
    const [, corrected] = (await events(ours)).map(({ payload }) => JSON.parse(payload).data);
    expect(corrected.changed).toEqual(['rates']);
    expect(corrected.previous.rates[2]).toMatchObject({ pair: 'USD-TL', buying: '48.073200' });
    expect(corrected.object.rates[2]).toMatchObject({ pair: 'USD-TL', buying: '48.100000' });
  });

  test('are all notified although the notifier is killed halfway, and none twice', async () => {
    const ours = await Promise.all(Array.from({ length: 12 }, () => account('TR')));
    const soon = new Date(Date.now() + 60_000);
    serve(tcmbXml({ day: FRIDAY }));
    await fetchRates(parts(), unmoved(soon));
    let writes = 0;
    const dying: typeof base.database = {
      ...base.database,
      inTenant: (...input) => {
        writes += 1;
        // The process is gone: nothing after this is written, not even its own progress.
        if (writes > 5) throw new Error('killed');
        return base.database.inTenant(...input);
      },
    };
    await expect(announceRates(notifier(dying), () => unmoved(soon))).rejects.toThrow('killed');
    // A correction arrives in between: it waits for what it corrects.
    serve(tcmbXml({ day: FRIDAY, quotes: { ...QUOTES, USD: ['48.1000', '48.2000', '', ''] } }));
    expect(await look(soon)).toBe(1);
    // Its claim is still valid: no other process takes over before it expires.
    expect(await announceRates(notifier(), () => unmoved(soon))).toBe(0);
    const later = new Date(soon.getTime() + 61_000);
    expect(await announceRates(notifier(), () => unmoved(later))).toBeGreaterThanOrEqual(7 + 12);
    for (const one of ours)
      expect((await events(one)).map(({ payload }) => JSON.parse(payload).data.changed)).toEqual([[], ['rates']]);
  });
});

/** Endless white space: well-formed so far, for any reader. */
async function endless(response: import('node:http').ServerResponse): Promise<void> {
  response.writeHead(200);
  const space = Buffer.alloc(65_536, 0x20);
  while (!response.destroyed) {
    response.write(space);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
