// p50 and p95 from the rollups against the exact ones: within 5 %, for any distribution of durations.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketOf, quantile } from '../../src/domain/usage/latency.ts';
import { newRequestId } from '../../src/kit/ids.ts';
import { type TestService, testService } from '../support/service.ts';

const COUNT = 10_000;

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Distribution = (random: () => number) => number;
const normal: Distribution = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const DISTRIBUTIONS: [string, Distribution][] = [
  ['even', (random) => 0.5 + random() * 200],
  ['log-normal, as latencies are', (random) => 3 * Math.exp(normal(random))],
  ['exponential', (random) => 0.05 - 12 * Math.log(1 - random())],
  ['two humps: cache and database', (random) => (random() < 0.6 ? 0.3 + random() * 0.2 : 25 + random() * 10)],
  ['a long tail', (random) => 1 / (1 - random()) ** 1.5],
  ['all the same', () => 7.77],
  ['very fast', (random) => 0.011 + random() * 0.05],
  ['very slow', (random) => 900 + random() * 9000],
];

/** By rank, as the rollups do it: the value that a share q of all calls did not exceed. */
const exact = (values: readonly number[], q: number): number =>
  [...values].sort((one, other) => one - other)[Math.max(1, Math.ceil(q * values.length)) - 1]!;
const off = (found: number, right: number): number => Math.abs(found - right) / right;

describe('through the rollup tables', () => {
  let service: TestService;
  let accountId: string;
  beforeAll(async () => {
    service = await testService();
    accountId = await service.account();
  });
  afterAll(() => service.close());

  test.each(DISTRIBUTIONS)('%s', async (_, distribution) => {
    const { id, secret } = await service.key(accountId);
    const random = randomFrom(42);
    const durations = Array.from({ length: COUNT }, () => Math.round(distribution(random) * 1000) / 1000);
    const { requestLog } = service.service.parts;
    for (const [place, durationMs] of durations.entries()) {
      // Over three hours, so that histograms are added up.
      const at = new Date(Date.now() - (place % 3) * 3_600_000);
      requestLog.record({
        accountId,
        keyId: id,
        secretId: id,
        at,
        requestId: newRequestId(at.getTime()),
        method: 'GET',
        path: '/api/v1/vehicles',
        endpoint: 'GET vehicles',
        status: 200,
        errorCode: null,
        durationMs,
        ip: '127.0.0.1',
        userAgent: null,
        responseBytes: 1,
        refusal: null,
        queryNames: null,
        via: null,
        client: null,
      });
    }
    await requestLog.flush();
    const { json } = await service.call('developer/usage', { key: secret });
    expect(json.data.total_requests).toBe(COUNT);
    expect(off(json.data.p50_ms, exact(durations, 0.5))).toBeLessThan(0.05);
    expect(off(json.data.p95_ms, exact(durations, 0.95))).toBeLessThan(0.05);
  });
});

describe('the histogram', () => {
  const duration = fc.double({ min: 0.01, max: 600_000, noNaN: true });
  const histogramOf = (durations: readonly number[]) =>
    [...Map.groupBy(durations, bucketOf)].map(([bucket, all]) => [bucket, all.length] as const);

  test('every quantile is within 5 % of the exact one', () => {
    fc.assert(
      fc.property(
        fc.array(duration, { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (durations, q) => {
          expect(off(quantile(histogramOf(durations), q)!, exact(durations, q))).toBeLessThan(0.05);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('the sum of the histograms of parts is that of the whole', () => {
    fc.assert(
      fc.property(
        fc.array(duration, { minLength: 1 }),
        fc.array(duration, { minLength: 1 }),
        fc.constantFrom(0.5, 0.95),
        (one, other, q) => {
          const added = [...histogramOf(one), ...histogramOf(other)];
          expect(quantile(added, q)).toBe(quantile(histogramOf([...one, ...other]), q));
        },
      ),
    );
  });

  test('a longer duration never falls into a lower bucket, and every bucket fits its column', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.double({ min: 0, max: 1e9, noNaN: true }), (one, other) => {
        const [short, long] = one < other ? [one, other] : [other, one];
        expect(bucketOf(short)).toBeLessThanOrEqual(bucketOf(long));
        expect(bucketOf(long)).toBeGreaterThanOrEqual(0);
        expect(bucketOf(long)).toBeLessThan(32_768);
      }),
    );
    expect(bucketOf(Number.NaN)).toBe(0);
    expect(quantile([], 0.5)).toBeNull();
  });
});
