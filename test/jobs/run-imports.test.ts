// How imports run: by any worker, after a killed one, from well-behaved and hostile addresses, by the clock.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nextRun } from '../../src/domain/imports/connectors/connector-schedule.ts';
import { claimRun, keepClaim, startDueRuns } from '../../src/domain/imports/runs/claim-runs.ts';
import { applyBatch, ClaimLost, finishRun, openRun, startRun } from '../../src/domain/imports/runs/import-progress.ts';
import { LEASE_MS } from '../../src/domain/writes/lease.ts';
import { purgeOldRows } from '../../src/jobs/purge-old-rows.ts';
import type { Importer, ImportParts } from '../../src/jobs/run-imports.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { unmoved } from '../support/clock.ts';
import { TEST_SECRET } from '../support/database.ts';
import { eventsOf } from '../support/events.ts';
import { carConnector, csvOf, feedCar, newImporter } from '../support/imports.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let admin: Session;
let dealer: Dealer;
const importers: Importer[] = [];
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
});
beforeEach(async () => {
  dealer = await newDealer(api);
});
afterEach(async () => {
  await Promise.all(importers.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

type Fields = Record<string, unknown>;
const importerWith = (overrides: Partial<ImportParts> = {}): Importer => {
  const importer = newImporter(api, overrides);
  importers.push(importer);
  return importer;
};
const make = async (overrides: Fields = {}, config: Fields = {}): Promise<string> => {
  const { status, text, json } = await dealer.post('import/connectors', carConnector(overrides, config));
  expect(status, text).toBe(201);
  return json.data.id;
};
const ask = async (connector: string, body: Fields = {}): Promise<string> => {
  const { status, text, json } = await dealer.post(`import/connectors/${connector}/run`, body);
  expect(status, text).toBe(202);
  return json.data.id;
};
const read = async (id: string): Promise<Fields> => (await dealer.get(`import/runs/${id}`)).json.data;
const counts = ({ status, total_rows, created_count, updated_count, unchanged_count, error_count }: Fields) =>
  `${status}: ${total_rows} = ${created_count} + ${updated_count} + ${unchanged_count} + ${error_count}`;
const cars = (count: number): string =>
  csvOf(Array.from({ length: count }, (_, at) => feedCar(`KL ${at}`, at % 50 === 7 ? { KM: 'bozuk' } : {})));

describe('a worker that is killed', () => {
  test.each([false, true])(
    'halfway leaves its run to another, which resumes without repeating or skipping a row (dry run: %s)',
    async (dry_run) => {
      const rows = 400;
      const id = await ask(await make(), { content: cars(rows), dry_run });
      const child = fork(new URL('./import-child.ts', import.meta.url), { stdio: 'ignore' });
      child.send({ urls: api.urls, secret: TEST_SECRET, ahead: api.clock.now().getTime() - Date.now(), dieAfterMs: 0 });
      await once(child, 'exit');
      const half = await read(id);
      expect(half.status).toBe('Çalışıyor');
      expect(half.total_rows).toBeLessThan(rows);

      const importer = importerWith();
      expect(await importer.drain()).toBe(0);
      expect(LEASE_MS).toBeLessThan(60_000);
      api.clock.advance(LEASE_MS + 1000);
      expect(await importer.drain()).toBe(1);
      expect(counts(await read(id))).toBe('Kısmen Tamamlandı: 400 = 392 + 0 + 0 + 8');
      const errors = (await dealer.get(`import/runs/${id}/errors`)).json.data;
      expect(errors.map((one: Fields) => one.row_number)).toEqual([8, 58, 108, 158, 208, 258, 308, 358]);
      const stored = await admin.rows<{ count: bigint; plates: bigint }>(
        'select count(*), count(distinct plate) as plates from vehicles where account_id = $1',
        [dealer.accountId],
      );
      const made = dry_run ? 0n : 392n;
      expect(stored).toEqual([{ count: made, plates: made }]);
      const kinds = (await eventsOf(api, dealer.accountId)).map(({ kind }) => kind);
      const count = (kind: string) => kinds.filter((one) => one === kind).length;
      expect([count('vehicle.created'), count('import_run.started'), count('import_run.finished')]).toEqual([Number(made), 1, 1]);
      expect(await admin.rows('select part from import_contents where run_id = $1', [id])).toEqual([]);
    },
  );

  test('six times has the same result as without a kill', async () => {
    const rows = 600;
    const id = await ask(await make(), { content: cars(rows) });
    let before = 0;
    for (let kill = 0; kill < 6; kill += 1) {
      const child = fork(new URL('./import-child.ts', import.meta.url), { stdio: 'ignore' });
      // It ends in the middle of any step: a pause, a statement, a commit.
      const dieAfterMs = Math.random() * 60;
      child.send({ urls: api.urls, secret: TEST_SECRET, ahead: api.clock.now().getTime() - Date.now(), dieAfterMs });
      await once(child, 'exit');
      expect((await read(id)).total_rows).toBeGreaterThan(before);
      before = (await read(id)).total_rows as number;
      api.clock.advance(LEASE_MS + 1000);
    }
    expect(before).toBeLessThan(rows);
    expect(await importerWith().drain()).toBe(1);
    expect(counts(await read(id))).toBe('Kısmen Tamamlandı: 600 = 588 + 0 + 0 + 12');
    const [stored] = await admin.rows<Fields>(
      `select count(*)::int as cars, count(distinct plate)::int as plates,
        (select count(*)::int from vehicle_history where account_id = $1 and event = 'created') as histories,
        (select count(*)::int from events where account_id = $1 and kind = 'vehicle.created') as events,
        (select count(*)::int from import_row_errors where account_id = $1) as errors from vehicles where account_id = $1`,
      [dealer.accountId],
    );
    expect(stored).toEqual({ cars: 588, plates: 588, histories: 588, events: 588, errors: 12 });
  });

  test('and returns after all finds the run taken over, and writes nothing', async () => {
    const id = await ask(await make(), { content: cars(3) });
    const claimed = (await claimRun(api.database, api.clock.now()))!;
    expect(claimed.runId).toBe(id);
    expect(await claimRun(api.database, api.clock.now())).toBeNull();
    const mine = await openRun(api.service.parts.writer, claimed);
    api.clock.advance(LEASE_MS + 1);
    const [one, other] = [await claimRun(api.database, api.clock.now()), await claimRun(api.database, api.clock.now())];
    expect([one?.runId, other]).toEqual([id, null]);
    await expect(applyBatch(api.service.parts.writer, mine, api.clock, [{ row: 1, cells: { plate: 'KL 1' } }])).rejects.toThrow(
      ClaimLost,
    );
    expect(await keepClaim(api.database, claimed, null)).toBe(false);
    expect(await keepClaim(api.database, one!, null)).toBe(true);
    await importerWith().drain();
    expect(counts(await read(id))).toBe('Tamamlandı: 3 = 3 + 0 + 0 + 0');
  });

  test('dealers take turns: the one with a single run does not wait for all runs of another', async () => {
    const other = await newDealer(api);
    const queued: string[] = [];
    for (let count = 0; count < 3; count += 1) queued.push(await ask(await make(), { content: cars(1) }));
    const made = await other.post('import/connectors', carConnector({}, {}));
    const single = await other.post(`import/connectors/${made.json.data.id}/run`, { content: cars(1) });
    const order: (string | undefined)[] = [];
    for (let count = 0; count < 4; count += 1) {
      const claimed = await claimRun(api.database, api.clock.now());
      order.push(claimed?.runId);
      const run = await openRun(api.service.parts.writer, claimed!);
      await startRun(api.service.parts.writer, run, api.clock);
      await finishRun(api.service.parts.writer, run, api.clock, null);
      api.clock.advance(1000);
    }
    expect(order).toEqual([queued[0], single.json.data.id, queued[1], queued[2]]);
  });

  test('repeatedly by the same run fails that run in the end', async () => {
    const id = await ask(await make(), { content: cars(3) });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await claimRun(api.database, api.clock.now()))?.runId).toBe(id);
      api.clock.advance(LEASE_MS + 1);
    }
    await importerWith().drain();
    expect(await read(id)).toMatchObject({ status: 'Başarısız', failure_code: 'import_interrupted', total_rows: 0 });
  });

  test('a stopped one releases its run at once', async () => {
    const id = await ask(await make(), { content: cars(300) });
    const leaving = importerWith({ batchRows: 5, pauseRatio: 1 });
    leaving.nudge();
    await expect.poll(async () => (await read(id)).total_rows, { interval: 10 }).toBeGreaterThan(5);
    await leaving.close();
    expect((await read(id)).status).toBe('Çalışıyor');
    expect(await importerWith().drain()).toBe(1);
    expect(counts(await read(id))).toBe('Kısmen Tamamlandı: 300 = 294 + 0 + 0 + 6');
  });

  test('several claim different runs, each once', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      dealer = await newDealer(api);
      ids.push(await ask(await make(), { content: cars(20) }));
    }
    const ended = await Promise.all([importerWith().drain(), importerWith().drain(), importerWith().drain()]);
    expect(ended.reduce((sum, one) => sum + one, 0)).toBe(4);
    const states = await admin.rows('select distinct status, created_count from import_runs where id = any($1)', [ids]);
    expect(states).toEqual([{ status: 'Kısmen Tamamlandı', created_count: 19 }]);
  });
});

describe('a source at an address', () => {
  let server: Server;
  let base = '';
  let requests: IncomingMessage[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const feed = csvOf([feedCar('UR 1'), feedCar('UR 2')]);
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests = [];
    answer = (_, response) => response.end(feed);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const runUrl = async (overrides: Fields = {}, parts: Partial<ImportParts> = {}): Promise<Fields> => {
    const id = await ask(await make({ transport: 'url', ...overrides }, { url: `${base}/feed?x=SECRET7PATH` }));
    await importerWith(parts).drain();
    const run = await read(id);
    // Neither the address nor its reply is ever revealed.
    expect(JSON.stringify(run)).not.toMatch(/SECRET7|127\.0\.0\.1/);
    return run;
  };

  test.each([
    [{ username: 'u', password: 'ğ:p' }, { authorization: `Basic ${Buffer.from('u:ğ:p').toString('base64')}` }],
    [{ token: 'abc' }, { authorization: 'Bearer abc' }],
    [
      { headers: { 'X-Api-Key': 'k' }, token: 'abc' },
      { authorization: 'Bearer abc', 'x-api-key': 'k' },
    ],
  ])('is fetched once, with %j', async (credentials, headers) => {
    expect(counts(await runUrl({ credentials }))).toBe('Tamamlandı: 2 = 2 + 0 + 0 + 0');
    expect(requests).toHaveLength(1);
    expect(requests[0]!.headers).toMatchObject({ ...headers, 'accept-encoding': 'identity' });
  });

  test('may redirect three times, and its credentials are not sent to another origin', async () => {
    answer = (request, response) => {
      const hops = Number(/hop=(\d)/.exec(request.url!)?.[1] ?? 0);
      const host = hops === 1 ? base.replace('127.0.0.1', 'localhost') : '';
      if (hops < 3) response.writeHead(302, { location: `${host}/feed?hop=${hops + 1}` }).end();
      else response.end(feed);
    };
    expect(counts(await runUrl({ credentials: { token: 'abc', headers: { 'X-Key': 'k' } } }))).toBe(
      'Tamamlandı: 2 = 2 + 0 + 0 + 0',
    );
    expect(requests.map(({ headers }) => [headers.authorization, headers['x-key']].join())).toEqual([
      'Bearer abc,k',
      'Bearer abc,k',
      ',',
      ',',
    ]);
  });

  test.each<[string, string, (request: IncomingMessage, response: ServerResponse) => void, Partial<ImportParts>?]>([
    ['leads on for ever', 'source_unreachable', (_, response) => response.writeHead(301, { location: '/again' }).end()],
    [
      'leads to a private address',
      'source_unreachable',
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    ],
    [
      'redirects to another scheme',
      'source_unreachable',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
    ['refuses', 'source_http_error', (_, response) => response.writeHead(401).end('SECRET7BODY')],
    ['fails', 'source_http_error', (_, response) => response.writeHead(500).end('SECRET7BODY')],
    ['hangs up', 'source_unreachable', (request) => request.socket.destroy()],
    ['answers packed', 'source_encoded', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
    ['is a packed file', 'source_encoded', (_, response) => response.end(Buffer.from('1f8b08000000', 'hex'))],
    ['is empty', 'source_empty', (_, response) => response.end()],
    [
      'declares that it is too large',
      'source_too_large',
      (_, response) => response.writeHead(200, { 'content-length': 20 * 1024 * 1024 + 1 }).end('x'),
    ],
    [
      'is a byte too large',
      'source_too_large',
      (_, response) => {
        response.write(Buffer.alloc(20 * 1024 * 1024, 'x'));
        response.end('x');
      },
    ],
    [
      'breaks off',
      'source_cut_off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1000 }).write(feed);
        setTimeout(() => response.destroy(), 50);
      },
    ],
    [
      'drips',
      'source_cut_off',
      (_, response) => {
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(drip));
      },
      { fetchTimeoutMs: 500 },
    ],
    ['never answers', 'source_unreachable', () => {}, { fetchTimeoutMs: 300 }],
    ['is a page to sign in', 'missing_column', (_, response) => response.end('<html>\n<body>Giriş</body>\n</html>')],
  ])('that %s is reported by a code', async (_, code, behave, parts) => {
    answer = behave;
    expect(await runUrl({}, parts)).toMatchObject({ status: 'Başarısız', failure_code: code, total_rows: 0 });
  });

  test('a redirect to this machine is not followed unless allowed', async () => {
    const id = await ask(await make({ transport: 'url' }, { url: `${base}/feed` }));
    await importerWith({ outbound: { loopback: false } }).drain();
    expect(await read(id)).toMatchObject({ status: 'Başarısız', failure_code: 'url_not_allowed' });
    expect(requests).toEqual([]);
  });

  test('a second worker continues with the content already fetched', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => feedCar(`SW ${at}`));
    answer = (_, response) => response.end(csvOf(requests.length === 1 ? rows : rows.toReversed()));
    const id = await ask(await make({ transport: 'url' }, { url: `${base}/feed` }));
    const first = importerWith({ batchRows: 5, pauseRatio: 2 });
    first.nudge();
    await expect.poll(async () => (await read(id)).total_rows, { interval: 10 }).toBeGreaterThan(0);
    await first.close();
    await importerWith().drain();
    expect(counts(await read(id))).toBe('Tamamlandı: 60 = 60 + 0 + 0 + 0');
    expect(requests).toHaveLength(1);
  });

  test('runs by the clock: once after any pause, never concurrently, reported only on errors', async () => {
    const connector = await make({ transport: 'url', schedule: 'Saatlik' }, { url: `${base}/feed` });
    const importer = importerWith();
    await importer.drain();
    expect((await dealer.get('import/runs')).json.data).toEqual([]);
    api.clock.advance(26 * 3_600_000);
    await importer.drain();
    const [run, ...others] = (await dealer.get('import/runs')).json.data;
    expect([counts(run), run.trigger, others.length]).toEqual(['Tamamlandı: 2 = 2 + 0 + 0 + 0', 'Zamanlı', 0]);
    expect((await dealer.get('notifications')).json.data).toEqual([]);

    answer = (_, response) => response.writeHead(503).end();
    api.clock.advance(3_600_000);
    expect(await startDueRuns(api.service.parts.writer, api.clock.now())).toBe(1);
    api.clock.advance(3_600_000);
    expect(await startDueRuns(api.service.parts.writer, api.clock.now())).toBe(0);
    await importer.drain();
    const [notice] = (await dealer.get('notifications')).json.data;
    expect(notice).toMatchObject({ kind: 'import_run.failed', title: 'İçe aktarma başarısız' });

    for (const change of [{ status: 'Pasif' }, { status: 'Aktif', schedule: 'Elle' }]) {
      expect((await dealer.patch(`import/connectors/${connector}`, change)).status).toBe(200);
      api.clock.advance(2 * 3_600_000);
      expect(await startDueRuns(api.service.parts.writer, api.clock.now())).toBe(0);
    }
    expect((await dealer.get('import/runs')).json.data).toHaveLength(2);
  });
});

test('row errors are kept for ninety days; the run and its counts stay', async () => {
  const id = await ask(await make(), { content: cars(20) });
  await importerWith().drain();
  const errors = async () => (await dealer.get(`import/runs/${id}/errors`, { 'cache-control': 'no-cache' })).json.data.length;
  const inDays = (days: number) => new Date(api.clock.now().getTime() + days * 86_400_000);
  await purgeOldRows(api.database, unmoved(inDays(89)));
  expect(await errors()).toBe(1);
  await purgeOldRows(api.database, unmoved(inDays(91)));
  expect(await errors()).toBe(0);
  expect(counts(await read(id))).toBe('Kısmen Tamamlandı: 20 = 19 + 0 + 0 + 1');
});

test('the next time is after now, in the account’s night or hour', () => {
  const id = '0190a6c0-0000-7000-8000-00000000000f';
  const zone = 'Asia/Famagusta';
  const next = (schedule: 'Saatlik' | 'Günlük', now: string) => nextRun(schedule, id, new Date(now), zone)!.toISOString();
  expect(nextRun('Elle', id, new Date(), zone)).toBeNull();
  expect(next('Saatlik', '2026-01-10T10:14:59Z')).toBe('2026-01-10T10:15:00.000Z');
  expect(next('Saatlik', '2026-01-10T10:15:00Z')).toBe('2026-01-10T11:15:00.000Z');
  // 03:15 is 00:15 or 01:15 in UTC, depending on the season.
  expect(next('Günlük', '2026-01-10T12:00:00Z')).toMatch(/^2026-01-11T0[01]:15:00/);
  expect(next('Günlük', '2026-01-10T23:59:59Z')).toMatch(/^2026-01-11T0[01]:15:00/);
  expect(next('Günlük', '2026-01-11T01:15:00Z')).toMatch(/^2026-01-12T0[01]:15:00/);
});
