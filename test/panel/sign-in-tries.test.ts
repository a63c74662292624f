// Wrong sign-ins are counted by person and by network, and refusing a delayed one costs almost nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { invite } from '../../src/domain/identity/invitations.ts';
import { hashPassword } from '../../src/domain/identity/people.ts';
import { nameKey } from '../../src/domain/identity/sign-in-tries.ts';
import { addressGroup } from '../../src/domain/net/address.ts';
import { purgeOldRows } from '../../src/jobs/purge-old-rows.ts';
import { sql } from '../../src/kit/sql.ts';
import { openSession } from '../../src/postgres/database.ts';
import { unmoved } from '../support/clock.ts';
import { until } from '../support/patience.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn } from './people.ts';

const QUARTER = 15 * 60_000;
/** Forty refusals take a moment; every five seconds of it cause one more database query. */
const AGAIN = 12;
let service: TestService;
let accountId: string;
/** Statements about attempts that reached the database. */
let calls = 0;
beforeAll(async () => {
  service = await testService({
    env: { TRUST_PROXY: '127.0.0.0/8', FAILED_AUTH_LIMIT: '5' },
    database: {
      watch: (statement) => {
        if (/sign_in_|password_hash/.test(statement.text)) calls += 1;
        return statement;
      },
    },
  });
  accountId = await service.account();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(QUARTER + 1000);
  await exec(sql`delete from sign_in_failures`);
  await exec(sql`delete from sign_in_locks`);
});

const exec = (statement: ReturnType<typeof sql>) => service.database.onPlatform('write', (db) => db.exec(statement));

let hosts = 0;
/** Another network each time, unless one is named. */
const anywhere = () => `198.51.${Math.floor(hosts / 250)}.${(hosts++ % 250) + 1}`;

async function tryOnce(email: string, { from = anywhere(), password = 'wrong password' } = {}): Promise<number> {
  const browser = new Browser(service.service.url);
  return (await browser.submit('/panel/giris', { email, password }, { 'x-forwarded-for': from })).status;
}

async function tryMany(count: number, email: (index: number) => string, from?: (index: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1)
    statuses.push(await tryOnce(email(index), from === undefined ? {} : { from: from(index) }));
  return statuses;
}

describe('one person', () => {
  test('has one counter for every spelling of the address; so has an unknown address', async () => {
    const spellings = ['ilker', 'İlker', 'ILKER', 'Ilker', 'i̇lker', 'ılker', 'il\u212Aer'];
    const known = await newPerson(service, { accountId });
    await exec(sql`update people set email = 'ilker@bilinen.example' where id = ${known.id}`);
    for (const domain of ['bilinen.example', 'bilinmeyen.example']) {
      expect(await tryMany(5, (index) => `${spellings[index]}@${domain}`), domain).toEqual([422, 422, 422, 422, 422]);
      // The first lock lasts a second, which a busy machine may need for the attempts below.
      await exec(sql`update sign_in_locks set locked_until = locked_until + interval '1 hour' where locked_until is not null`);
      for (const spelling of spellings) expect(await tryOnce(`${spelling}@${domain}`), `${spelling}@${domain}`).toBe(429);
      const [{ counters }] = (await service.database.onPlatform('read', (db) =>
        db.rows<{ counters: number }>(sql`select count(*)::int as counters from sign_in_locks`),
      )) as [{ counters: number }];
      expect(counters).toBe(domain === 'bilinen.example' ? 1 : 2);
    }
  });

  test('the database matches no spelling that another counter counts, for any letter', async () => {
    const letters = await service.database.onPlatform('read', (db) =>
      db.rows<{ letter: string; lower: string }>(sql`select chr(n) as letter, lower(chr(n)) as lower
        from generate_series(33, 131071) n where n not between 55296 and 57343 and lower(chr(n)) <> chr(n)`),
    );
    expect(letters.length).toBeGreaterThan(1000);
    expect(letters.filter(({ letter, lower }) => nameKey(letter) !== nameKey(lower))).toEqual([]);
  });
});

describe('one network', () => {
  test('is the /64 of an IPv6 address, and the IPv4 address in any spelling', async () => {
    const inside = await tryMany(
      31,
      (index) => `a${index}@example.com`,
      (index) => `2001:db8:7:8:${((index * 7919) % 65_536).toString(16)}::${index + 1}`,
    );
    expect(inside).toEqual([...new Array(30).fill(422), 429]);
    expect(await tryOnce('b@example.com', { from: '2001:db8:7:9::1' })).toBe(422);
    const mixed = await tryMany(
      31,
      (index) => `c${index}@example.com`,
      (index) => (index % 2 ? '203.0.113.9' : '::ffff:203.0.113.9'),
    );
    expect(mixed).toEqual([...new Array(30).fill(422), 429]);
  });

  test('applies to wrong keys of the API too', async () => {
    const call = (from: string) => service.call('vehicles', { headers: { 'x-forwarded-for': from } });
    for (let host = 1; host <= 5; host += 1) expect((await call(`2001:db8:1:1::${host}`)).status).toBe(401);
    expect((await call('2001:db8:1:1:ffff::6')).json.error.code).toBe('too_many_failed_attempts');
    expect((await call('2001:db8:1:2::6')).status).toBe(401);
  });
});

describe('a refused attempt', () => {
  test('costs no database query and no password hash while its name is delayed, from any address', async () => {
    await tryMany(5, () => 'kilitli@example.com');
    await exec(sql`update sign_in_locks set locked_until = ${new Date(service.clock.now().getTime() + QUARTER)}`);
    expect(await tryOnce('kilitli@example.com')).toBe(429);
    calls = 0;
    expect(new Set(await tryMany(40, () => 'KİLİTLİ@example.com'))).toEqual(new Set([429]));
    expect(calls).toBeLessThan(AGAIN);
  });

  test('costs neither while its network is delayed, for any name', async () => {
    const from = () => '203.0.113.77';
    await tryMany(30, (index) => `d${index}@example.com`, from);
    expect(await tryMany(1, () => 'e@example.com', from)).toEqual([429]);
    calls = 0;
    expect(new Set(await tryMany(40, (index) => `f${index}@example.com`, from))).toEqual(new Set([429]));
    expect(calls).toBeLessThan(AGAIN);
  });

  test('is checked by the database again after seconds: what another process has cleared is cleared here', async () => {
    const person = await newPerson(service, { accountId });
    const from = '203.0.113.78';
    await tryMany(
      30,
      (index) => `g${index}@example.com`,
      () => from,
    );
    expect(await tryOnce(person.email, { from, password: PASSWORD })).toBe(429);
    await exec(sql`delete from sign_in_failures`);
    service.clock.advance(5001);
    expect(await tryOnce(person.email, { from, password: PASSWORD })).toBe(303);
  });

  test('does not block the panel: sign-ins wait for each other, not for the connections of the rest', async () => {
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    const blocker = await openSession(service.adminUrl);
    try {
      await blocker.rows('begin');
      await blocker.rows('lock table sign_in_locks in access exclusive mode');
      const waiting = Promise.all(Array.from({ length: 12 }, (_, index) => tryOnce(`h${index}@example.com`)));
      await until(
        async () => (await blocker.rows('select 1 from pg_locks where not granted and locktype = $1', ['relation'])).length > 0,
      );
      for (let count = 0; count < 5; count += 1) expect((await browser.api('session')).status).toBe(200);
      await blocker.rows('rollback');
      await waiting;
    } finally {
      await blocker.close();
    }
  });
});

test('an invalid link costs no password hash, and attempts with it do not block other sign-ins', async () => {
  const full = await service.account();
  const owner = await newPerson(service, { accountId: full });
  await exec(sql`update accounts set staff_limit = 1 where id = ${full}`);
  const invited = {
    accountId: full,
    email: 'davetli@example.com',
    fullName: 'Davetli',
    role: 'sales',
    invitedBy: owner.id,
  } as const;
  const { token } = await service.database.onPlatform('write', (db) => invite(db, invited, TEST_ACTOR, service.clock.now()));
  const accept = (from: string) =>
    new Browser(service.service.url).submit(
      `/panel/davet/${token}`,
      { full_name: 'Davetli', password: 'bambaşka uzun bir cümle' },
      { 'x-forwarded-for': from },
    );
  // The queue of this network is full, so a password hashed first would be refused with 503.
  const network = anywhere();
  const line = Promise.all(Array.from({ length: 17 }, () => hashPassword(PASSWORD, addressGroup(network))));
  expect((await accept(network)).status).toBe(403);
  await line;
  const { email } = await newPerson(service, { accountId });
  let isOver = false;
  const tries = Promise.all(Array.from({ length: 90 }, () => accept(anywhere()))).finally(() => {
    isOver = true;
  });
  while (!isOver) expect(await tryOnce(email, { password: PASSWORD })).toBe(303);
  // 503: ninety at once may wait longer for a connection than the service allows.
  for (const { status } of await tries) expect([403, 429, 503]).toContain(status);
});

test('old counters are purged, active ones stay', async () => {
  await tryOnce('eski@example.com', { from: '203.0.113.1' });
  service.clock.advance(QUARTER - 60_000);
  await tryOnce('yeni@example.com', { from: '203.0.113.2' });
  service.clock.advance(2 * 60_000);
  const count = async () => {
    const [found] = await service.database.onPlatform('read', (db) =>
      db.rows(
        sql`select (select count(*)::int from sign_in_failures) as failures, (select count(*)::int from sign_in_locks) as locks`,
      ),
    );
    return found;
  };
  await purgeOldRows(service.database, unmoved(service.clock.now()));
  expect(await count()).toEqual({ failures: 1, locks: 2 });
  service.clock.advance(86_400_000);
  await purgeOldRows(service.database, unmoved(service.clock.now()));
  expect(await count()).toEqual({ failures: 0, locks: 0 });
});
