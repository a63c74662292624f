// The TypeScript client against a real service, and against servers that behave badly.
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  ConnectionFailed,
  Galeri,
  InvalidRequest,
  NotFound,
  Unauthorized,
  verifyWebhook,
} from '../../sdk/typescript/src/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

describe('a service', () => {
  let api: TestService;
  let dealer: Dealer;
  let galeri: Galeri;
  beforeAll(async () => {
    api = await testService();
    await openAll(api);
    dealer = await newDealer(api);
    galeri = new Galeri({ key: dealer.key, url: api.service.url });
  });
  afterAll(() => api.close());

  test('answers the six live rows', async () => {
    const live = [
      '/vehicles',
      '/customers',
      '/account',
      '/developer/usage',
      '/developer/request-logs',
      '/developer/rate-limit',
    ] as const;
    for (const path of live) expect((await galeri.get(path)).status).toBe(200);
  });

  test('is written once under one key, tried dry, and edited by ETag', async () => {
    const body = aCar() as never;
    expect((await galeri.post('/vehicles', { body, dryRun: true })).headers.get('dry-run')).toBe('true');
    const made = await galeri.post('/vehicles', { body, idempotencyKey: 'ts-1' });
    const again = await galeri.post('/vehicles', { body, idempotencyKey: 'ts-1' });
    expect([made.status, made.isReplayed, again.isReplayed, again.data.id]).toEqual([201, false, true, made.data.id]);
    const params = { vehicle_id: made.data.id };
    const { etag } = await galeri.get('/vehicles/{vehicle_id}', { params });
    const edited = await galeri.patch('/vehicles/{vehicle_id}', { params, body: { km: 77 }, ifMatch: etag! });
    expect(edited.data.km).toBe(77);
    await expect(galeri.patch('/vehicles/{vehicle_id}', { params, body: { km: 78 }, ifMatch: etag! })).rejects.toMatchObject({
      status: 412,
    });
  });

  test('refuses in types', async () => {
    const absent = { params: { vehicle_id: '00000000-0000-4000-8000-000000000000' } };
    await expect(galeri.get('/vehicles/{vehicle_id}', absent)).rejects.toBeInstanceOf(NotFound);
    const invalid = await galeri.post('/vehicles', { body: { ...aCar(), plate: '' } as never }).catch((error) => error);
    expect(invalid).toBeInstanceOf(InvalidRequest);
    expect(invalid).toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'plate' }],
      requestId: expect.stringMatching(/^req_/),
    });
    const stranger = new Galeri({ key: 'wrong', url: api.service.url });
    await expect(stranger.get('/account')).rejects.toBeInstanceOf(Unauthorized);
  });

  test('is walked whole, whatever comes and goes meanwhile', async () => {
    const plates = Array.from({ length: 9 }, (_, number) => `WALK ${number}`);
    for (const plate of plates) expect((await dealer.post('vehicles', { ...aCar(), plate, city: 'Lefke' })).status).toBe(201);
    const seen: string[] = [];
    for await (const { plate } of galeri.each('/vehicles', { query: { limit: 2, city: 'Lefke' } })) {
      seen.push(plate);
      if (seen.length === 3) await dealer.post('vehicles', { ...aCar(), plate: 'WALK new', city: 'Lefke' });
    }
    expect(seen.filter((plate) => plate !== 'WALK new').toSorted()).toEqual(plates);
  });
});

describe('a server that behaves badly', () => {
  let server: Server;
  const keys: unknown[] = [];
  const answering = async (...answers: readonly ((response: ServerResponse) => void)[]): Promise<Galeri> => {
    keys.length = 0;
    server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      request.resume().on('end', () => (answers[keys.length - 1] ?? answers.at(-1)!)(response));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return new Galeri({ key: 'key', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, maxRetries: 4 });
  };
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const json =
    (status: number, value: unknown, headers: Record<string, string> = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
  const made = json(201, { success: true, data: { id: 'made' }, meta: {} });
  const body = {} as never;

  test('a write is sent again with the same key after 503, a cut and a half reply', async () => {
    const galeri = await answering(
      json(503, { error: { code: 'service_unavailable' } }, { 'retry-after': '1' }),
      (response) => response.socket!.destroy(),
      (response) => {
        response.writeHead(201, { 'content-length': '1000' }).write('{"success":true,"data":{"id":"ma');
        setTimeout(() => response.socket!.destroy(), 50);
      },
      json(409, { error: { code: 'idempotency_in_progress' } }),
      made,
    );
    expect((await galeri.post('/vehicles', { body })).data.id).toBe('made');
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([5, 1, expect.any(String)]);
  });

  test('what is refused is not sent again, and no answer is said to be none', async () => {
    const refusing = await answering(json(422, { error: { code: 'validation_failed', message: 'x' } }), made);
    await expect(refusing.post('/vehicles', { body })).rejects.toBeInstanceOf(InvalidRequest);
    expect(keys).toHaveLength(1);
    server.close();
    const cut = await answering((response) => response.socket!.destroy());
    await expect(cut.post('/vehicles', { body })).rejects.toBeInstanceOf(ConnectionFailed);
    expect([keys.length, new Set(keys).size]).toEqual([5, 1]);
  });
});

describe('webhooks', () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const body = JSON.stringify({ type: 'vehicle.created', data: { object: { brand: 'Škoda' } } });
  const headersOf = (at = Math.floor(Date.now() / 1000)) => {
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`evt_1.${at}.${body}`)
      .digest('base64');
    return { 'Webhook-Id': 'evt_1', 'Webhook-Timestamp': String(at), 'Webhook-Signature': `v1,AAAA v1,${signature}` };
  };

  test('a signed one is taken, another body, secret or time is refused', async () => {
    expect(await verifyWebhook(body, headersOf(), ['whsec_AAAA', secret])).toMatchObject({ type: 'vehicle.created' });
    expect(await verifyWebhook(body, new Headers(headersOf()), secret)).toMatchObject({ type: 'vehicle.created' });
    await expect(verifyWebhook(`${body} `, headersOf(), secret)).rejects.toThrow('no signature matches');
    await expect(verifyWebhook(body, headersOf(), 'whsec_AAAA')).rejects.toThrow('no signature matches');
    await expect(verifyWebhook(body, headersOf(Math.floor(Date.now() / 1000) - 400), secret)).rejects.toThrow('too far from now');
    await expect(verifyWebhook(body, {}, secret)).rejects.toThrow('headers are missing');
  });
});
