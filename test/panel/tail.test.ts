// The live view of the log: new lines appear once in every view of their account and in no other; a view that was cut resumes
// where it was; and views end with the right to see them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginSession } from '../../src/domain/identity/sessions.ts';
import { newRequestId } from '../../src/kit/ids.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { until } from '../support/patience.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, signedIn, type TestPerson } from './people.ts';
import { openTail, type Tail } from './tail.ts';

let service: TestService;
let admin: Session;
let accountId: string;
let key: { id: string; secret: string };
let person: TestPerson;
let owner: Browser;
const open: Tail[] = [];

beforeAll(async () => {
  service = await testService();
  admin = await openSession(service.adminUrl);
  accountId = await service.account();
  key = await service.key(accountId);
  person = await newPerson(service, { accountId });
  owner = await signedIn(service, person);
});
afterAll(async () => {
  await Promise.all(open.map((tail) => tail.close()));
  await admin?.close();
  await service?.close();
});

/** Opened, with a position: what is written from now on must arrive. */
async function tailOf(browser: Browser, query = '', lastEventId?: string): Promise<Tail> {
  const tail = await openTail(browser, query, lastEventId);
  open.push(tail);
  if (tail.status === 200) await until(() => tail.messages.length > 0);
  return tail;
}

const call = async (path = 'vehicles', secret = key.secret): Promise<string> =>
  (await service.call(path, { key: secret })).headers.get('x-request-id')!;

test('a request appears immediately in every view of its account, and never in another account’s', async () => {
  const other = await service.account();
  const stranger = await signedIn(service, await newPerson(service, { accountId: other }));
  const [one, two, foreign] = [await tailOf(owner), await tailOf(owner), await tailOf(stranger)];
  const mine = [await call(), await call('nothing')];
  const theirs = [await call('vehicles', (await service.key(other)).secret)];
  await until(() => one.seen().length === 2 && two.seen().length === 2 && foreign.seen().length === 1);
  expect(one.seen()).toEqual(mine);
  expect(two.seen()).toEqual(mine);
  expect(foreign.seen()).toEqual(theirs);
  expect(one.messages.flatMap(({ lines }) => lines)[1]).toMatchObject({ path: '/api/v1/nothing', status: 404, key_id: key.id });
  await Promise.all([one.close(), two.close(), foreign.close()]);
});

test('applies filters, and shows viewers masked addresses', async () => {
  const viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
  const [errors, masked] = [await tailOf(owner, '?status=errors'), await tailOf(viewer)];
  await call();
  const wrong = await call('nothing');
  await until(() => masked.seen().length === 2 && errors.seen().length > 0);
  expect(errors.seen()).toEqual([wrong]);
  expect(new Set(masked.messages.flatMap(({ lines }) => lines.map(({ ip }) => ip)))).toEqual(new Set(['127.0.•.•']));
  await Promise.all([errors.close(), masked.close()]);
});

describe('resuming', () => {
  test('after a cut connection delivers everything written in between, and nothing twice', async () => {
    const before = await tailOf(owner);
    const first = [await call(), await call()];
    await until(() => before.seen().length === 2);
    const left = before.lastId();
    await before.close();
    const during = [await call(), await call('nothing'), await call()];
    await service.logged();
    const after = await tailOf(owner, '', left);
    const last = await call();
    await until(() => after.seen().includes(last));
    expect([...before.seen(), ...after.seen()]).toEqual([...first, ...during, last]);
    expect(after.messages.some(({ missed }) => missed)).toBe(false);
    await after.close();
  });

  test('from a list continues exactly after the list', async () => {
    await call();
    await service.logged();
    const { data } = (await owner.api('logs?limit=200')).json;
    const between = await call();
    await service.logged();
    const tail = await tailOf(owner, `?since=${encodeURIComponent(data.position)}`);
    const later = await call();
    await until(() => tail.seen().includes(later));
    expect(tail.seen()).toEqual([between, later]);
    expect(data.lines.map((line: { request_id: string }) => line.request_id)).not.toContain(between);
    await tail.close();
  });

  test('a line that another node writes or commits late still arrives once', async () => {
    const tail = await tailOf(owner);
    const insert = (session: Session, id: string, secondsAgo: number) =>
      session.rows(
        `with line as (insert into request_logs (account_id, key_id, at, request_id, method, path, status, duration_ms, response_bytes)
           values ($1, $2, now() - make_interval(secs => $3), $4, 'GET', '/late', 200, 1, 1))
         insert into usage_secrets values ($1, $2, $5, 1, now()) on conflict (account_id, key_id, secret_id) do update set calls = usage_secrets.calls + 1`,
        [accountId, key.id, secondsAgo, id, crypto.randomUUID()],
      );
    const slow = await openSession(service.adminUrl);
    const [held, old] = [newRequestId(Date.now() - 60_000), newRequestId(Date.now() - 120_000)];
    // Started before, committed after the lines of others: its transaction is older than what has been read by then.
    await slow.rows('begin');
    await insert(slow, held, 60);
    const now = await call();
    await until(() => tail.seen().includes(now));
    await insert(admin, old, 120);
    await until(() => tail.seen().includes(old));
    const resumedFrom = tail.lastId();
    expect(tail.seen()).toEqual([now, old]);
    await slow.rows('commit');
    await until(() => tail.seen().includes(held));
    const again = await tailOf(owner, '', resumedFrom);
    await until(() => again.seen().includes(held));
    expect(tail.seen()).toEqual([now, old, held]);
    expect(again.seen()).toEqual([held]);
    await slow.close();
    await Promise.all([tail.close(), again.close()]);
  });

  test('a position of another database is reported as a gap, and breaks no other view', async () => {
    const steady = await tailOf(owner);
    const position = steady.lastId();
    const [at, snapshot] = [position.split('.')[0]!, position.split('.')[1]!];
    const foreign = await tailOf(owner, '', `${at}.999999999:999999999:`);
    expect(foreign.messages[0]!.missed).toBe(true);
    const ancient = await tailOf(owner, '', `${Number(at) - 3_600_000}.${snapshot}`);
    expect(ancient.messages[0]!.missed).toBe(true);
    for (const bad of ['x', '1.2.3', '1.9:3:', '1.1:9:5,4', `1.1:9:${'5,'.repeat(20)}`, "1.1:2:'"]) {
      const tail = await openTail(owner, '', bad);
      await until(() => tail.messages.length > 0);
      expect(tail.messages[0], bad).toMatchObject({ lines: [], missed: true });
      await tail.close();
    }
    expect((await owner.api('logs/tail?since=1.9:3:')).status).toBe(400);
    const id = await call();
    await until(() => steady.seen().includes(id));
    await Promise.all([steady.close(), foreign.close(), ancient.close()]);
  });

  test('without a stream the same lines are returned by polling', async () => {
    const { position } = (await owner.api('logs/news')).json.data;
    const id = await call('nothing');
    await call();
    await service.logged();
    const news = (await owner.api(`logs/news?status=errors&since=${encodeURIComponent(position)}`)).json.data;
    expect(news.lines.map((line: { request_id: string }) => line.request_id)).toEqual([id]);
    expect((await owner.api(`logs/news?since=${encodeURIComponent(news.position)}`)).json.data.lines).toEqual([]);
  });
});

describe('limits', () => {
  test('one person with forty sessions leaves views for others', async () => {
    const person = await newPerson(service, { accountId });
    const tails: Tail[] = [];
    for (let count = 0; count < 40; count += 1) {
      const browser = new Browser(service.service.url);
      const token = await service.database.onPlatform('write', (db) =>
        beginSession(db, person.id, { ip: '127.0.0.1', userAgent: null }, service.clock.now(), { pending: false }),
      );
      browser.cookies.set('__Host-panel', token);
      tails.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => openTail(browser)))));
    }
    // Ten at once; a few more as the oldest sessions and their views end.
    expect(tails.filter((tail) => tail.status === 200).length).toBeLessThan(100);
    const other = await openTail(await signedIn(service, await newPerson(service, { accountId })));
    expect(other.status).toBe(200);
    await Promise.all([...tails, other].map((tail) => tail.close()));
  });

  test('allows five views per session, and another once one is closed', async () => {
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    const tails = await Promise.all([1, 2, 3, 4, 5].map(() => tailOf(browser)));
    const { status, json } = await browser.api('logs/tail');
    expect([status, json.error.code]).toEqual([429, 'too_many_streams']);
    await tails.pop()!.close();
    let sixth: Tail;
    await until(async () => {
      sixth = await openTail(browser);
      return sixth.status === 200;
    });
    await Promise.all([...tails, sixth!].map((tail) => tail.close()));
  });

  test('a client that does not read is dropped, and the others continue', async () => {
    const steady = await tailOf(owner);
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    const stuck = await fetch(`${browser.url}/panel/api/logs/tail`, { headers: { cookie: browser.cookieText() } });
    const before = steady.messages.length;
    expect(await openViews(browser)).toBe(1);
    // Far more than sockets and streams buffer: lines of eight kilobytes, a hundred per message.
    for (let round = 0; round < 40 && (await openViews(browser)) > 0; round += 1) {
      await admin.rows(
        `with line as (insert into request_logs (account_id, key_id, at, request_id, method, path, status, duration_ms, response_bytes)
           select $1, $2, now(), 'req_' || substr(md5(random()::text), 1, 26), 'GET', repeat('x', 8000), 200, 1, 1 from generate_series(1, 100))
         insert into usage_secrets values ($1, $2, $3, 1, now())`,
        [accountId, key.id, crypto.randomUUID()],
      );
      const had = steady.messages.length;
      await until(() => steady.messages.length > had);
    }
    expect(await openViews(browser)).toBe(0);
    expect(steady.messages.length).toBeGreaterThan(before);
    await stuck.body?.cancel().catch(() => {});
    await steady.close();
  });

  /** The number of views that the session can no longer open, up to one. */
  async function openViews(browser: Browser): Promise<number> {
    const probes: Tail[] = [];
    for (let count = 0; count < 5; count += 1) {
      const probe = await openTail(browser);
      if (probe.status !== 200) break;
      probes.push(probe);
    }
    await Promise.all(probes.map((probe) => probe.close()));
    return 5 - probes.length;
  }
});

describe('a view ends', () => {
  test('with its session', async () => {
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    const tail = await tailOf(browser);
    expect((await browser.api('sessions/sign-out-everywhere', { method: 'POST' })).status).toBe(200);
    await admin.rows('delete from sessions where person_id <> $1', [person.id]);
    await tail.ended;
    expect((await browser.api('logs/tail')).status).toBe(401);
  });

  test('with the role it was opened by', async () => {
    const developer = await newPerson(service, { accountId, role: 'developer' });
    const browser = await signedIn(service, developer);
    const tail = await tailOf(browser);
    await admin.rows(`update members set role = 'sales' where person_id = $1`, [developer.id]);
    await tail.ended;
    expect((await browser.api('logs/tail')).status).toBe(403);
  });
});

describe.skipIf(isRedisMissing())('several nodes', () => {
  let redis: TestRedis;
  let other: TestService;
  let first: TestService;
  beforeAll(async () => {
    redis = await startRedis();
    first = await testService({ env: { REDIS_URL: redis.url } });
    other = await testService({ env: { REDIS_URL: redis.url }, shared: first });
  });
  afterAll(async () => {
    await other?.close();
    await first?.close();
    await redis?.stop();
  });

  test('requests served by one node are seen on the other, and a view resumes there', async () => {
    const account = await first.account();
    const { secret } = await first.key(account);
    const someone = await newPerson(first, { accountId: account });
    const browser = await signedIn(other, someone);
    const tail = await tailOf(browser);
    const ids: string[] = [];
    for (const node of [first, other, first])
      ids.push((await node.call('vehicles', { key: secret })).headers.get('x-request-id')!);
    await until(() => tail.seen().length === 3);
    expect(new Set(tail.seen())).toEqual(new Set(ids));
    await tail.close();
    const later = (await other.call('vehicles', { key: secret })).headers.get('x-request-id')!;
    const moved = await tailOf(await signedIn(first, someone), '', tail.lastId());
    await until(() => moved.seen().length > 0);
    expect(moved.seen()).toEqual([later]);
    await moved.close();
  });
});
