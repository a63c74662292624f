// The PHP client against a real service, and against servers that behave badly.
import { execFile, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

const run = promisify(execFile);
const isMissing = spawnSync('php', ['--version']).status !== 0;

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

  test('is read and written, refused in types, and walked whole', async () => {
    const plates = Array.from({ length: 8 }, (_, number) => `WALK ${number}`);
    for (const plate of plates) expect((await dealer.post('vehicles', { ...aCar(), plate, city: 'Lefkoşa' })).status).toBe(201);
    const seen = JSON.parse(await php('tour.php', { GALERI_KEY: dealer.key, GALERI_URL: api.service.url }));
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
  });
});

describe.skipIf(isMissing)('a server that behaves badly', () => {
  let server: Server;
  const keys: (string | undefined)[] = [];
  let bodies: string[] = [];
  const answering = async (...answers: readonly ((response: import('node:http').ServerResponse) => void)[]): Promise<string> => {
    keys.length = 0;
    bodies = [];
    server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key'] as string);
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        bodies.push(body);
        (answers[keys.length - 1] ?? answers.at(-1)!)(response);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const json =
    (status: number, value: unknown, headers: Record<string, string> = {}) =>
    (response: import('node:http').ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
  const made = json(201, { success: true, data: { id: 'made' }, meta: {} });

  test('a write is sent again with the same key and body after 503, 429, a cut and a half reply', async () => {
    const url = await answering(
      json(503, { error: { code: 'service_unavailable' } }, { 'retry-after': '1' }),
      (response) => response.socket!.destroy(),
      (response) => {
        response.writeHead(201, { 'content-length': '1000' }).write('{"success":true,"data":{"id":"ma');
        setTimeout(() => response.socket!.destroy(), 50);
      },
      json(409, { error: { code: 'idempotency_in_progress' } }),
      made,
    );
    expect(await php('once.php', { GALERI_URL: url })).toBe('made');
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(bodies)).toEqual(new Set(['{"plate":"ŞĞ 1"}']));
  });

  test('what is refused is not sent again', async () => {
    const url = await answering(json(422, { error: { code: 'validation_failed', message: 'x' } }), made);
    expect(await php('once.php', { GALERI_URL: url })).toBe('validation_failed');
    expect(keys).toHaveLength(1);
  });

  test('it gives up after so many tries', async () => {
    const url = await answering((response) => response.socket!.destroy());
    expect(await php('once.php', { GALERI_URL: url, RETRIES: '2' })).toBe('no answer');
    expect(keys).toHaveLength(3);
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
  const verdict = (given: { body?: string; headers?: Record<string, string>; secrets?: string | string[] }) =>
    php('webhook.php', {}, JSON.stringify({ body, headers: delivery(), secrets: secret, ...given }));

  test('a signed one is taken, also while the secret is being changed', async () => {
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
