// Every endpoint × every state of a key × every spelling of the request: which step of the pipeline answers, and with what.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret } from '../../src/domain/keys/key-secret.ts';
import { revokeKey } from '../../src/domain/keys/keys.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import { filled, type SpecEndpoint, specEndpoints } from '../spec/spec-text.ts';
import { type Answer, TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { limitHeadersFault, refusalFault } from './expect.ts';
import { each, encodedLetters, sendPatiently } from './wire.ts';

const LIMIT = 100_000;
const FORMS = ['bare', 'php', 'encoded', 'HEAD', 'OPTIONS', 'PUT'] as const;
type Form = (typeof FORMS)[number];

interface Cell {
  readonly endpoint: SpecEndpoint;
  readonly form: Form;
  readonly method: string;
  readonly target: string;
}

const cells: Cell[] = specEndpoints.flatMap((endpoint) => {
  const path = filled(endpoint.path, randomUUID());
  return FORMS.map((form) => {
    const method = form === 'HEAD' || form === 'OPTIONS' || form === 'PUT' ? form : endpoint.method;
    const written = form === 'php' ? `${path}.php` : form === 'encoded' ? encodedLetters(path) : path;
    return { endpoint, form, method, target: `/api/v1/${written}` };
  });
});

/** The endpoints of one path, as the specification lists them. */
const byPath = Map.groupBy(specEndpoints, (endpoint) => endpoint.path);
const openMethods = (path: string): string => {
  const endpoints = byPath.get(path)!;
  const open = endpoints.filter((endpoint) => endpoint.status === 'A');
  return (open.length > 0 ? open : endpoints).map((endpoint) => endpoint.method).join(', ');
};

/** The expected refusal after the limiter, from the specification alone: null = the endpoint answers. */
function expectedPastLimiter({ endpoint, method }: Cell, held: boolean): string | null {
  const own = byPath.get(endpoint.path)!.find((one) => one.method === method);
  const readable = byPath.get(endpoint.path)!.some((one) => one.method === 'GET' && one.status === 'A');
  if (own === undefined || (method !== 'GET' && readable && own.status === 'Y')) return 'method_not_allowed';
  if (!held) return 'insufficient_scope';
  return own.status === 'Y' ? 'endpoint_not_active' : null;
}

function fault(answer: Answer, cell: Cell, code: string | null): string | null {
  if (code === null) return answer.status === 200 && answer.json.success === true ? null : `${answer.status} instead of 200`;
  const wrong = refusalFault(answer, code, { method: cell.method });
  if (wrong !== null) return wrong;
  const allow = answer.headers.get('allow');
  if (code === 'method_not_allowed' && allow !== openMethods(cell.endpoint.path)) return `Allow: ${allow}`;
  if (code !== 'method_not_allowed' && allow !== null) return `Allow: ${allow} on ${code}`;
  if (code === 'insufficient_scope' && answer.json.error.required_scope !== cell.endpoint.scope) {
    return `required_scope ${answer.json.error.required_scope}`;
  }
  return null;
}

let api: TestService;
let accountId: string;
/** Each holds every other endpoint: endpoints that share a scope are in different keys. */
const halves: string[] = [];

beforeAll(async () => {
  api = await testService({ env: { FAILED_AUTH_LIMIT: '1000000' } });
  accountId = await api.account();
  for (const half of [0, 1]) {
    const endpoints = specEndpoints.filter((_, index) => index % 2 === half).map((endpoint) => endpoint.id);
    halves.push((await api.key(accountId, { endpoints, limitPerMinute: LIMIT })).secret);
  }
});
afterAll(() => api.close());

async function walk(
  keyFor: (endpoint: SpecEndpoint) => string | undefined,
  expected: (cell: Cell) => string | null,
  limit: number | null,
  headers: Record<string, string> = {},
): Promise<void> {
  const wrong: string[] = [];
  await each(cells, async (cell) => {
    const answer = await sendPatiently(api.service.url, { ...cell, key: keyFor(cell.endpoint), headers });
    const found = fault(answer, cell, expected(cell)) ?? limitHeadersFault(answer, limit);
    if (found !== null) wrong.push(`${cell.method} ${cell.target} (${cell.form}): ${found}`);
  });
  expect(wrong.slice(0, 10)).toEqual([]);
}

describe('before the limiter every path and method gets the same reply', () => {
  test('without a key: key_missing', () =>
    walk(
      () => undefined,
      () => 'key_missing',
      null,
    ));

  test('with a text that is not a key: key_malformed', () =>
    walk(
      () => 'letmein',
      () => 'key_malformed',
      null,
    ));

  test('with a mistyped key: key_malformed', () => {
    const good = newSecret('production');
    const mistyped = good.slice(0, -1) + (good.endsWith('a') ? 'b' : 'a');
    return walk(
      () => mistyped,
      () => 'key_malformed',
      null,
    );
  });

  test('with a well-formed key that was never issued: key_invalid', () => {
    const unknown = newSecret('production');
    return walk(
      () => unknown,
      () => 'key_invalid',
      null,
    );
  });

  test('with a revoked key: key_revoked', async () => {
    const { id, secret } = await api.key(accountId, { template: 'read-only' });
    await api.database.onPlatform('write', (db) => revokeKey(db, id, TEST_ACTOR));
    await walk(
      () => secret,
      () => 'key_revoked',
      null,
    );
  });

  test('with an expired key: key_expired', async () => {
    const { secret } = await api.key(accountId, { expiresAt: new Date(Date.now() - 1000) });
    await walk(
      () => secret,
      () => 'key_expired',
      null,
    );
  });

  test('from an address that is not on the list: ip_not_allowed', async () => {
    const { secret } = await api.key(accountId, { allowedIps: [parseRange('203.0.113.0/24')!] });
    await walk(
      () => secret,
      () => 'ip_not_allowed',
      null,
    );
  });
});

test('over the limit every path and method gets 429, with the limit in its headers', async () => {
  const { secret } = await api.key(accountId, { limitPerMinute: 1 });
  expect((await api.call('vehicles', { key: secret })).status).toBe(200);
  await walk(
    () => secret,
    () => 'rate_limit_exceeded',
    1,
  );
});

describe('after the limiter the path, the method, the policy and the release decide', () => {
  test('an endpoint that the key does not hold, although it holds others of the same scope', () =>
    walk(
      (endpoint) => halves[1 - (specEndpoints.indexOf(endpoint) % 2)],
      (cell) => expectedPastLimiter(cell, false),
      LIMIT,
    ));

  test('an endpoint that the key holds', () =>
    walk(
      (endpoint) => halves[specEndpoints.indexOf(endpoint) % 2],
      (cell) => expectedPastLimiter(cell, true),
      LIMIT,
    ));
});
