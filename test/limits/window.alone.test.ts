// The per-minute window against the simplest correct model: a list of admission times.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { limitKey } from '../../src/domain/keys/keys.ts';
import { createMemoryLimiter, type MemoryLimiter, WINDOW_MS } from '../../src/http/rate-limits/rate-limit.ts';
import { openSession } from '../../src/postgres/database.ts';
import { type Answer, TEST_ACTOR, type TestService, testService } from '../support/service.ts';

const SPAN = 1000;

/** Every admission ever made; the window holds those younger than the span. */
class Naive {
  readonly admitted: number[] = [];
  admit(limit: number, now: number) {
    const inWindow = () => this.admitted.filter((at) => now - at < SPAN);
    const before = inWindow();
    const admitted = before.length < limit;
    if (admitted) this.admitted.push(now);
    const after = inWindow();
    // Refused: the request is admitted once enough have left that fewer than the limit remain.
    const retryIn = admitted ? 0 : before[before.length - limit]! + SPAN - now;
    return { admitted, used: after.length, oldestLeavesIn: after.length === 0 ? 0 : after[0]! + SPAN - now, retryIn };
  }
}

/** The most admissions in any interval of one span. */
function maxInAnyWindow(times: readonly number[]): number {
  let max = 0;
  let first = 0;
  times.forEach((time, last) => {
    while (times[first]! <= time - SPAN) first += 1;
    max = Math.max(max, last - first + 1);
  });
  return max;
}

const open: MemoryLimiter[] = [];
function limiterAt(clock: { now: number }): MemoryLimiter {
  const limiter = createMemoryLimiter(() => clock.now, SPAN);
  open.push(limiter);
  return limiter;
}
afterEach(async () => {
  vi.useRealTimers();
  for (const limiter of open.splice(0)) await limiter.close();
});

const step = fc.record({
  // Mostly bursts, now and then a pause; the edge of the window occurs often.
  wait: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 }), fc.constantFrom(SPAN - 1, SPAN, SPAN + 1)),
  key: fc.constantFrom('a', 'b'),
  times: fc.integer({ min: 1, max: 12 }),
});

describe('the window', () => {
  test('decides and counts like the naive list, for any change of the limit', () => {
    const steps = fc.array(fc.tuple(step, fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(steps, (all) => {
        const clock = { now: 5_000_000 };
        const limiter = limiterAt(clock);
        const naive = { a: new Naive(), b: new Naive() };
        for (const [{ wait, key, times }, limit] of all) {
          clock.now += wait;
          for (let time = 0; time < times; time += 1) {
            expect(limiter.admit(key, limit)).toEqual(naive[key as 'a' | 'b'].admit(limit, clock.now));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('admits no more than the limit in any span, and all that fits', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, limit) => {
        const clock = { now: 0.5 };
        const limiter = limiterAt(clock);
        const admitted: number[] = [];
        for (const { wait, times } of steps) {
          clock.now += wait;
          for (let time = 0; time < times; time += 1) {
            const free = admitted.filter((at) => at > clock.now - SPAN).length < limit;
            const taken = limiter.admit('key', limit);
            expect(taken.admitted).toBe(free);
            if (taken.admitted) admitted.push(clock.now);
          }
        }
        expect(maxInAnyWindow(admitted)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 300 },
    );
  });

  test('reports exactly when the next one is admitted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 5, maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        (waits, limit) => {
          const clock = { now: 0 };
          const limiter = limiterAt(clock);
          for (const wait of waits) {
            clock.now += wait;
            const { admitted, retryIn } = limiter.admit('key', limit);
            if (admitted) continue;
            expect(retryIn).toBeGreaterThan(0);
            clock.now += retryIn - 1;
            expect(limiter.admit('key', limit).admitted).toBe(false);
            clock.now += 1;
            expect(limiter.admit('key', limit).admitted).toBe(true);
          }
        },
      ),
    );
  });

  test('reports its use without using it, and forgets with the window', () => {
    const clock = { now: 0 };
    const limiter = limiterAt(clock);
    expect(limiter.used('key')).toBe(0);
    expect(limiter.size()).toBe(0);
    for (let time = 0; time < 5; time += 1) limiter.admit('key', 3);
    for (let time = 0; time < 5; time += 1) expect(limiter.used('key')).toBe(3);
    clock.now += SPAN;
    expect(limiter.used('key')).toBe(0);
  });

  test('a request that is refused a thousand times does not delay its own admission', () => {
    const clock = { now: 0 };
    const limiter = limiterAt(clock);
    limiter.admit('key', 2);
    limiter.admit('key', 2);
    for (let time = 0; time < 1000; time += 1) {
      clock.now += 0.5;
      expect(limiter.admit('key', 2)).toMatchObject({ admitted: false, used: 2 });
    }
    clock.now = SPAN;
    expect(limiter.admit('key', 2)).toMatchObject({ admitted: true, used: 1 });
  });

  test('a changed limit keeps the counts', () => {
    const clock = { now: 0 };
    const limiter = limiterAt(clock);
    for (let time = 0; time < 10; time += 1) limiter.admit('key', 10);
    expect(limiter.admit('key', 10)).toMatchObject({ admitted: false, used: 10 });
    expect(limiter.admit('key', 12)).toMatchObject({ admitted: true, used: 11 });
    expect(limiter.admit('key', 3)).toMatchObject({ admitted: false, used: 11, retryIn: SPAN });
    clock.now = SPAN;
    expect(limiter.admit('key', 3)).toMatchObject({ admitted: true, used: 1 });
  });

  test('grows to a large limit and stays exact', () => {
    const clock = { now: 0 };
    const limiter = limiterAt(clock);
    const limit = 100_000;
    for (let time = 1; time <= limit; time += 1) {
      clock.now = time / limit;
      expect(limiter.admit('key', limit).used === time).toBe(true);
    }
    expect(limiter.admit('key', limit)).toMatchObject({ admitted: false, used: limit });
    // A quarter of them has left.
    clock.now = SPAN + 0.25;
    expect(limiter.admit('key', limit)).toMatchObject({ admitted: true, used: limit - 25_000 + 1 });
  });

  test('idle windows are dropped, busy ones are not', async () => {
    vi.useFakeTimers();
    const limiter = createMemoryLimiter(() => Date.now(), SPAN);
    open.push(limiter);
    for (let key = 0; key < 5000; key += 1) limiter.admit(`key ${key}`, 5);
    expect(limiter.size()).toBe(5000);
    await vi.advanceTimersByTimeAsync(SPAN * 0.8);
    for (let time = 0; time < 5; time += 1) limiter.admit('key 7', 5);
    await vi.advanceTimersByTimeAsync(SPAN * 0.8);
    expect(limiter.size()).toBe(1);
    // The four of the second burst are still counted: the sweep removed nothing from it.
    expect(limiter.admit('key 7', 5)).toMatchObject({ admitted: true, used: 5 });
    await vi.advanceTimersByTimeAsync(SPAN * 2);
    expect(limiter.size()).toBe(0);
  });

  test('dropping idle windows never admits one more', async () => {
    vi.useFakeTimers();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 10, maxLength: 60 }), async (waits) => {
        const limiter = createMemoryLimiter(() => Date.now(), SPAN);
        const naive = new Naive();
        for (const wait of waits) {
          await vi.advanceTimersByTimeAsync(wait);
          for (let time = 0; time < 3; time += 1) expect(limiter.admit('key', 4)).toEqual(naive.admit(4, Date.now()));
        }
        await limiter.close();
      }),
      { numRuns: 50 },
    );
  });
});

describe('over HTTP', () => {
  let service: TestService;
  let accountId: string;
  beforeAll(async () => {
    service = await testService({ env: { FAILED_AUTH_LIMIT: '30' } });
    accountId = await service.account();
  });
  afterAll(() => service.close());

  /** Admitted means not refused by the limit: a later 503 of a busy database counts as admitted. */
  const statuses = (answers: readonly Answer[]) => ({
    admitted: answers.filter(({ status }) => status !== 429).length,
    limited: answers.filter(({ status }) => status === 429).length,
  });
  const burst = (count: number, key: string, path = 'vehicles') =>
    Promise.all(Array.from({ length: count }, () => service.call(path, { key })));

  test('200 at once and a limit of 50: 50 are admitted and 150 refused, each with the remaining number', async () => {
    const { secret } = await service.key(accountId, { limitPerMinute: 50 });
    const answers = await burst(200, secret);
    expect(statuses(answers)).toEqual({ admitted: 50, limited: 150 });
    const left = answers
      .filter(({ status }) => status !== 429)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(left.sort((one, other) => one - other)).toEqual(Array.from({ length: 50 }, (_, place) => place));
    for (const { status, headers, json } of answers) {
      expect(headers.get('ratelimit-policy')).toBe('"minute";q=50;w=60');
      expect(headers.get('x-ratelimit-limit')).toBe('50');
      const [, remaining, reset] = /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit')!)!;
      expect(remaining).toBe(headers.get('x-ratelimit-remaining'));
      expect(Number(reset)).toBeGreaterThanOrEqual(1);
      expect(Number(reset)).toBeLessThanOrEqual(WINDOW_MS / 1000);
      const ends = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
      expect(ends).toBeGreaterThan(-30);
      expect(ends).toBeLessThan(62);
      if (status !== 429) continue;
      expect(json.error.code).toBe('rate_limit_exceeded');
      expect(remaining).toBe('0');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });

  test('several keys at once do not share a window', async () => {
    const keys = await Promise.all([7, 20, 33].map((limitPerMinute) => service.key(accountId, { limitPerMinute })));
    const answers = await Promise.all(keys.map(({ secret }) => burst(60, secret)));
    expect(answers.map((some) => statuses(some).admitted)).toEqual([7, 20, 33]);
  });

  test('developer/rate-limit counts itself; every admitted call counts, with any reply', async () => {
    const { secret } = await service.key(accountId, { limitPerMinute: 5 });
    const first = await service.call('developer/rate-limit', { key: secret });
    expect(first.json.data).toMatchObject({ limit_per_minute: 5, used_in_last_minute: 1, remaining: 4, window_seconds: 60 });
    expect((await service.call('nothing/here', { key: secret })).status).toBe(404);
    expect((await service.call('vehicles?limit=0', { key: secret })).status).toBe(400);
    const vehicles = await service.call('vehicles', { key: secret });
    const again = await service.call('vehicles', { key: secret, headers: { 'if-none-match': vehicles.headers.get('etag')! } });
    expect(again.status).toBe(304);
    expect(again.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await service.call('developer/rate-limit', { key: secret })).status).toBe(429);
  });

  test('a new limit takes effect without emptying the window', async () => {
    const { id, secret } = await service.key(accountId, { limitPerMinute: 10 });
    expect(statuses(await burst(30, secret))).toEqual({ admitted: 10, limited: 20 });
    const limit = async (perMinute: number) => {
      await service.database.onPlatform('write', (db) => limitKey(db, id, perMinute, TEST_ACTOR));
      await service.settled();
    };
    await limit(14);
    expect(statuses(await burst(30, secret))).toEqual({ admitted: 4, limited: 26 });
    await limit(3);
    const [refused] = await burst(1, secret);
    expect(refused!.status).toBe(429);
    expect(refused!.headers.get('x-ratelimit-remaining')).toBe('0');
    await limit(15);
    expect(statuses(await burst(30, secret))).toEqual({ admitted: 1, limited: 29 });
  });

  test('a key that is refused before the limiter keeps its quota', async () => {
    const { id, secret } = await service.key(accountId, { limitPerMinute: 3 });
    await service.call('vehicles', { key: secret });
    const setIps = async (list: string) => {
      const admin = await openSession(service.adminUrl);
      await admin.rows(`update api_keys set allowed_ips = '${list}' where id = '${id}'`);
      await admin.close();
      await service.settled();
    };
    await setIps('{203.0.113.0/24}');
    for (const answer of await burst(20, secret)) {
      expect(answer.json.error.code).toBe('ip_not_allowed');
      expect(answer.headers.get('ratelimit')).toBeNull();
    }
    await setIps('{}');
    expect(statuses(await burst(20, secret))).toEqual({ admitted: 2, limited: 18 });
  });

  test('failing requests have a separate limit, beyond which a valid key still passes', async () => {
    const answers = await burst(100, 'gal_prod_nonsense');
    const codes = answers.map(({ json }) => json.error.code as string);
    expect(codes.filter((code) => code === 'key_malformed')).toHaveLength(30);
    expect(codes.filter((code) => code === 'too_many_failed_attempts')).toHaveLength(70);
    for (const { status, headers } of answers.filter(({ status }) => status === 429)) {
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    const { secret } = await service.key(accountId);
    expect((await service.call('vehicles', { key: secret })).status).toBe(200);
  });
});
