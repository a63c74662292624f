// The PHP client against a real service, and against misbehaving servers.
import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/config.ts';
import { isPhpMissing } from '../support/php.ts';
import { aJpeg } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type BadServer, cut, made, proxyPage, refused, startBadServer, TROUBLE } from './bad-server.ts';

const run = promisify(execFile);
const isMissing = isPhpMissing();

async function php(program: string, env: Record<string, string>, input = ''): Promise<string> {
  const running = run('php', [fileURLToPath(new URL(program, import.meta.url))], { env: { ...process.env, ...env } });
  running.child.stdin!.end(input);
  return (await running).stdout;
}

describe.skipIf(isMissing)('a service', () => {
  let api: TestService;
  let dealer: Dealer;
  beforeAll(async () => {
    api = await testService();
    await openAll(api);
    dealer = await newDealer(api);
  });
  afterAll(() => api.close());

  test('is read and written, with typed refusals, and walked completely', async () => {
    const plates = Array.from({ length: 8 }, (_, number) => `WALK ${number}`);
    for (const plate of plates) expect((await dealer.post('vehicles', { ...aCar(), plate, city: 'Lefkoşa' })).status).toBe(201);
    const { secret } = await api.key(dealer.accountId, { endpoints: ['GET account'], limitPerMinute: 2 });
    const env = { GALERI_KEY: dealer.key, GALERI_URL: api.service.url, LIMITED_KEY: secret };
    const seen = JSON.parse(await php('tour.php', { ...env, PICTURE: (await aJpeg()).toString('base64') }));
    expect(new Set(Object.values(seen.live))).toEqual(new Set([200]));
    expect(Object.keys(seen.live)).toHaveLength(6);
    expect(seen).toMatchObject({ dry: 'PHP 1', made: [201, false, true, true, '10250.50'], edited: 12 });
    expect(seen.refused).toEqual({
      conflict: ['Conflict', 409, 'plate_in_use', null, 'plate', true],
      invalid: ['InvalidRequest', 422, 'validation_failed', null, 'plate', true],
      absent: ['NotFound', 404, 'not_found', null, null, true],
      parameter: ['InvalidRequest', 400, 'invalid_parameter', 'limit', null, true],
      key: ['Unauthorized', 401, expect.any(String), null, null, true],
    });
    expect(seen.walk.toSorted()).toEqual(plates);
    expect(seen.photo).toEqual([201, 'Ön']);
    expect(seen.conditional).toEqual([13, null]);
    expect(seen.limits).toEqual([['insufficient_scope', 'vehicles:read', false], 'ok', ['rate_limit_exceeded', null, true]]);
  });
});

describe.skipIf(isMissing)('a misbehaving server', () => {
  let server: BadServer;
  afterEach(() => server.close());

  test('a write is retried with the same key and body after 503, 409, a cut and a partial reply', async () => {
    server = await startBadServer(...TROUBLE);
    expect(await php('once.php', { GALERI_URL: server.url })).toBe('made');
    expect(server.requests).toHaveLength(TROUBLE.length);
    const [first] = server.requests;
    expect(first).toEqual({ key: expect.stringMatching(/^[0-9a-f]{32}$/), body: '{"plate":"ŞĞ 1"}' });
    for (const request of server.requests) expect(request).toEqual(first);
  });

  test('a refusal is not retried', async () => {
    server = await startBadServer(refused, made);
    expect(await php('once.php', { GALERI_URL: server.url })).toBe('validation_failed');
    expect(server.requests).toHaveLength(1);
  });

  test('the page of a proxy is named as such, and not retried where waiting does not help', async () => {
    server = await startBadServer(proxyPage(403, 'Access denied'));
    expect(await php('once.php', { GALERI_URL: server.url })).toContain('(text/html, "Access denied")');
    expect(server.requests).toHaveLength(1);
    expect(server.headers[0]!['user-agent']).toBe(`galeri-php/${VERSION}`);
  });

  test('gives up after the maximum of attempts', async () => {
    server = await startBadServer(cut);
    expect(await php('once.php', { GALERI_URL: server.url, RETRIES: '2' })).toBe('no answer');
    expect(server.requests).toHaveLength(3);
  });
});

describe.skipIf(isMissing)('webhooks', () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const body = JSON.stringify({ type: 'vehicle.created', data: { object: { brand: 'Škoda' } } });
  const delivery = (at = Math.floor(Date.now() / 1000), by = secret) => {
    const key = Buffer.from(by.slice(6), 'base64');
    const signature = createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64');
    return { 'Webhook-Id': 'evt_1', 'Webhook-Timestamp': String(at), 'Webhook-Signature': `v1,AAAA v1,${signature}` };
  };
  const verdict = (fields: { body?: string; headers?: Record<string, string>; secrets?: string | string[] }) =>
    php('webhook.php', {}, JSON.stringify({ body, headers: delivery(), secrets: secret, ...fields }));

  test('a signed one is accepted, also during a rotation of the secret', async () => {
    expect(await verdict({})).toBe('vehicle.created');
    expect(await verdict({ secrets: [`whsec_${randomBytes(32).toString('base64')}`, secret] })).toBe('vehicle.created');
  });

  test('another body, secret or time is refused', async () => {
    expect(await verdict({ body: `${body} ` })).toBe('no signature matches');
    expect(await verdict({ secrets: `whsec_${randomBytes(32).toString('base64')}` })).toBe('no signature matches');
    expect(await verdict({ headers: delivery(Math.floor(Date.now() / 1000) - 400) })).toBe('the timestamp is too far from now');
    expect(await verdict({ headers: {} })).toBe('headers are missing');
  });
});
