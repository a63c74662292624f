// The TypeScript client against a real service, and against misbehaving servers.
import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  ConnectionFailed,
  Galeri,
  InvalidRequest,
  NotFound,
  NotTheApi,
  TooManyRequests,
  Unauthorized,
  VERSION,
  verifyWebhook,
} from '../../sdk/typescript/src/index.ts';
import { aJpeg } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type BadServer, cut, made, proxyPage, refused, startBadServer, TROUBLE } from './bad-server.ts';

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

  test('answers the six live endpoints', async () => {
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

  test('is written once with one key, in a dry run, and edited by ETag', async () => {
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

  test('has no sandbox to control unless sandboxes are isolated', async () => {
    await expect(galeri.sandbox.reset()).rejects.toBeInstanceOf(NotFound);
    await expect(galeri.sandbox.clock()).rejects.toMatchObject({ code: 'sandbox_not_enabled' });
  });

  test('takes a photo as a form, the same one for every try', async () => {
    const { data: vehicle } = await galeri.post('/vehicles', { body: aCar() as never });
    const picture = new Uint8Array(await aJpeg());
    const params = { vehicle_id: vehicle.id };
    const form = { file: { data: picture, name: 'front.jpg', type: 'image/jpeg' }, caption: 'Ön' };
    const first = await galeri.post('/vehicles/{vehicle_id}/photos', { params, form, idempotencyKey: 'photo-1' });
    const again = await galeri.post('/vehicles/{vehicle_id}/photos', { params, form, idempotencyKey: 'photo-1' });
    expect([first.status, first.data.caption, again.isReplayed, again.data.id]).toEqual([201, 'Ön', true, first.data.id]);
    const blob = { file: new Blob([picture], { type: 'image/jpeg' }) };
    expect((await galeri.post('/vehicles/{vehicle_id}/photos', { params, form: blob })).status).toBe(201);
  });

  test('is read again only where it has changed', async () => {
    const { data: vehicle, etag } = await galeri.post('/vehicles', { body: aCar() as never });
    const params = { vehicle_id: vehicle.id };
    expect(await galeri.getIfChanged('/vehicles/{vehicle_id}', etag, { params })).toBeNull();
    await galeri.patch('/vehicles/{vehicle_id}', { params, body: { km: 5 } });
    expect((await galeri.getIfChanged('/vehicles/{vehicle_id}', etag, { params }))?.data.km).toBe(5);
    expect((await galeri.getIfChanged('/vehicles/{vehicle_id}', null, { params }))?.status).toBe(200);
  });

  test('says what a refusal says: scope, seconds, page, suggestion', async () => {
    const { secret } = await api.key(dealer.accountId, { endpoints: ['GET account'], limitPerMinute: 2 });
    const limited = new Galeri({ key: secret, url: api.service.url, maxRetries: 0 });
    const scope = await limited.get('/vehicles').catch((error) => error);
    expect(scope).toMatchObject({ code: 'insufficient_scope', requiredScope: 'vehicles:read', retryAfter: null });
    await limited.get('/account');
    const over = await limited.get('/account').catch((error) => error);
    expect(over).toBeInstanceOf(TooManyRequests);
    expect(over.retryAfter).toBeGreaterThan(0);
    const misspelt = await galeri.post('/vehicles', { body: { ...aCar(), modelyear: 1 } as never }).catch((error) => error);
    expect(misspelt).toMatchObject({ details: [{ field: 'modelyear', suggestion: 'model_year' }] });
  });

  test('is walked completely while records are added and removed', async () => {
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

describe('a misbehaving server', () => {
  let server: BadServer;
  afterEach(() => server.close());
  const client = (maxRetries = TROUBLE.length) => new Galeri({ key: 'key', url: server.url, maxRetries });
  const body = {} as never;

  test('a write is retried with the same key and body after 503, 409, a cut and a partial reply', async () => {
    server = await startBadServer(...TROUBLE);
    expect((await client().post('/vehicles', { body })).data.id).toBe('made');
    expect(server.requests).toHaveLength(TROUBLE.length);
    const [first] = server.requests;
    expect(first).toEqual({ key: expect.any(String), body: '{}' });
    for (const request of server.requests) expect(request).toEqual(first);
  });

  test('each attempt is seen by the hooks, and sent by the fetch that was given', async () => {
    server = await startBadServer(...TROUBLE);
    const seen: string[] = [];
    let fetched = 0;
    const watched = new Galeri({
      key: 'key',
      url: server.url,
      userAgent: 'erp/4.2',
      fetch: (...args) => {
        fetched += 1;
        return fetch(...args);
      },
      hooks: {
        onRequest: ({ method, attempt }) => seen.push(`${method} ${attempt}`),
        onReply: ({ status }) => seen.push(String(status)),
        onRetry: ({ failure }) => seen.push(failure.constructor.name),
      },
      maxRetries: TROUBLE.length,
    });
    await watched.post('/vehicles', { body });
    expect(seen.slice(0, 9)).toEqual([
      ...['POST 1', '503', 'ApiError', 'POST 2', '500', 'ApiError', 'POST 3', '502', 'NotTheApi'],
    ]);
    expect([seen.at(-1), fetched]).toEqual(['201', TROUBLE.length]);
    for (const headers of server.headers) expect(headers['user-agent']).toBe(`erp/4.2 galeri-typescript/${VERSION}`);
  });

  test('what a hook throws ends the call', async () => {
    server = await startBadServer(made);
    const onReply = () => {
      throw new Error('the log is full');
    };
    const logging = new Galeri({ key: 'key', url: server.url, hooks: { onReply } });
    await expect(logging.get('/account')).rejects.toThrow('the log is full');
    expect(server.requests).toHaveLength(1);
  });

  test('the page of a proxy is named as such, and not retried where waiting does not help', async () => {
    server = await startBadServer(proxyPage(403, 'Access denied'), proxyPage(200, 'Sign in'), (response) => {
      response.writeHead(301, { location: 'https://elsewhere.example/' }).end();
    });
    const names = [];
    for (let count = 0; count < 3; count += 1)
      names.push(
        await client()
          .get('/account')
          .catch((error) => error),
      );
    for (const error of names) expect(error).toBeInstanceOf(NotTheApi);
    expect(names.map(({ message }) => message)).toEqual([
      expect.stringContaining('text/html, "Access denied"'),
      expect.stringContaining('"Sign in"'),
      expect.stringContaining('to https://elsewhere.example/'),
    ]);
    expect(server.requests).toHaveLength(3);
  });

  test('a call has its own time limit and can be given up while it waits', async () => {
    server = await startBadServer(() => {});
    let attempts = 0;
    const hooks = { onRequest: () => (attempts += 1) };
    const patient = new Galeri({ key: 'key', url: server.url, maxRetries: 1, hooks });
    await expect(patient.get('/account', { timeoutMs: 20 })).rejects.toThrow(ConnectionFailed);
    expect(attempts).toBe(2);
    const stop = new AbortController();
    const waits = new Galeri({ key: 'key', url: server.url, hooks: { onRetry: () => stop.abort(new Error('enough')) } });
    await expect(waits.get('/account', { timeoutMs: 20, signal: stop.signal })).rejects.toThrow('enough');
  });

  test('a refusal is not retried', async () => {
    server = await startBadServer(refused, made);
    await expect(client().post('/vehicles', { body })).rejects.toBeInstanceOf(InvalidRequest);
    expect(server.requests).toHaveLength(1);
  });

  test('gives up after the maximum of attempts, and reports that there was no reply', async () => {
    server = await startBadServer(cut);
    await expect(client(4).post('/vehicles', { body })).rejects.toBeInstanceOf(ConnectionFailed);
    expect(server.requests.map(({ key }) => key)).toEqual(Array(5).fill(server.requests[0]!.key));
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

  test('a signed one is accepted, another body, secret or time is refused', async () => {
    expect(await verifyWebhook(body, headersOf(), ['whsec_AAAA', secret])).toMatchObject({ type: 'vehicle.created' });
    expect(await verifyWebhook(body, new Headers(headersOf()), secret)).toMatchObject({ type: 'vehicle.created' });
    await expect(verifyWebhook(`${body} `, headersOf(), secret)).rejects.toThrow('no signature matches');
    await expect(verifyWebhook(body, headersOf(), 'whsec_AAAA')).rejects.toThrow('no signature matches');
    await expect(verifyWebhook(body, headersOf(Math.floor(Date.now() / 1000) - 400), secret)).rejects.toThrow('too far from now');
    await expect(verifyWebhook(body, {}, secret)).rejects.toThrow('headers are missing');
  });
});
