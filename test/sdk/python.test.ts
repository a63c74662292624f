// The Python client against a real service, and against misbehaving servers.
import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/config.ts';
import { aJpeg } from '../support/pictures.ts';
import { isPythonMissing, PYTHON_CLIENT, python } from '../support/python.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, aPerson, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type BadServer, cut, made, proxyPage, refused, startBadServer, TROUBLE } from './bad-server.ts';

const isMissing = isPythonMissing();
const programAt = (name: string) => join(import.meta.dirname, 'python', name);
const once = (env: Record<string, string>) => python(programAt('once.py'), env);

describe.skipIf(isMissing)('a service', () => {
  let api: TestService;
  let dealer: Dealer;
  beforeAll(async () => {
    api = await testService();
    await openAll(api);
    dealer = await newDealer(api);
  });
  afterAll(() => api.close());

  test('is read and written, with typed refusals, uploads and conditional reads, and walked completely', async () => {
    const plates = Array.from({ length: 8 }, (_, number) => `WALK ${number}`);
    for (const plate of plates) expect((await dealer.post('vehicles', { ...aCar(), plate, city: 'Lefkoşa' })).status).toBe(201);
    const { secret } = await api.key(dealer.accountId, { endpoints: ['GET account'], limitPerMinute: 2 });
    const env = { GALERI_KEY: dealer.key, GALERI_URL: api.service.url, LIMITED_KEY: secret };
    const seen = JSON.parse((await python(programAt('tour.py'), { ...env, PICTURE: (await aJpeg()).toString('base64') })).stdout);
    expect(new Set(Object.values(seen.live))).toEqual(new Set([200]));
    expect(Object.keys(seen.live)).toHaveLength(6);
    expect(seen).toMatchObject({ dry: 'PY 1', made: [201, false, true, true, '10250.50'], edited: 12, dry_form: true });
    expect(seen.refused).toEqual({
      conflict: ['Conflict', 409, 'plate_in_use', null, 'plate', true],
      invalid: ['InvalidRequest', 422, 'validation_failed', null, 'plate', true],
      absent: ['NotFound', 404, 'not_found', null, null, true],
      parameter: ['InvalidRequest', 400, 'invalid_parameter', 'limit', null, true],
      key: ['Unauthorized', 401, 'key_malformed', null, null, true],
      stale: ['Conflict', 412, 'precondition_failed', null, null, true],
    });
    expect(seen.walk.toSorted()).toEqual(plates);
    expect([seen.photo, seen.conditional, seen.not_a_list]).toEqual([[201, 'Ön'], [13, null], 'InvalidRequest']);
    expect(seen.limits).toEqual([['insufficient_scope', 'vehicles:read', false], 'ok', ['rate_limit_exceeded', null, true]]);
  });

  test('has an example that mirrors the stock, and sales with their installments', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galeri-mirror-'));
    try {
      const env = { GALERI_KEY: dealer.key, GALERI_URL: api.service.url };
      const mirror = (list = 'vehicles') =>
        promisify(execFile)('python3', [join(PYTHON_CLIENT, 'examples/mirror.py'), join(folder, `${list}.json`), list], {
          env: { ...process.env, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: '1', ...env },
        });
      const { id } = (await dealer.post('vehicles', aCar())).json.data;
      expect((await mirror()).stdout).toContain('live vehicles changed since 2000-01-01');
      expect((await dealer.delete(`vehicles/${id}`)).status).toBe(200);
      expect((await mirror()).stdout).toContain('1 deleted vehicles changed');
      const customer = (await dealer.post('customers', aPerson())).json.data;
      const vehicle = (await dealer.post('vehicles', aCar())).json.data;
      const terms = { vehicle_id: vehicle.id, customer_id: customer.id, sale_price: '12000.00', installment_count: 12 };
      const sale = (await dealer.post('sales', { ...terms, currency: vehicle.currency }, { 'idempotency-key': vehicle.id })).json
        .data;
      expect((await mirror('sales')).stdout).toContain('1 live sales changed');
      const copies = JSON.parse(await readFile(join(folder, 'sales.json'), 'utf8'));
      expect(copies[sale.id].installments).toHaveLength(12);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe.skipIf(isMissing)('a misbehaving server', () => {
  let server: BadServer;
  afterEach(() => server.close());

  test('a write is retried with the same key and body after every temporary failure; the hooks see each attempt', async () => {
    server = await startBadServer(...TROUBLE);
    const { stdout, stderr } = await once({ GALERI_URL: server.url });
    expect(stdout).toBe('made');
    expect(server.requests).toHaveLength(TROUBLE.length);
    const [first] = server.requests;
    expect(first).toEqual({ key: expect.stringMatching(/^[0-9a-f-]{36}$/), body: '{"plate": "ŞĞ 1"}' });
    for (const request of server.requests) expect(request).toEqual(first);
    for (const headers of server.headers) expect(headers['user-agent']).toBe(`erp/4.2 galeri-python/${VERSION}`);
    expect(stderr).toContain('POST 1 503 ApiError POST 2 500 ApiError POST 3 502 NotTheApi POST 4 ConnectionFailed');
  });

  test('a refusal is not retried', async () => {
    server = await startBadServer(refused, made);
    expect((await once({ GALERI_URL: server.url })).stdout).toBe('validation_failed');
    expect(server.requests).toHaveLength(1);
  });

  test('the page of a proxy is named as such, and redirects are not followed', async () => {
    server = await startBadServer(
      proxyPage(403, 'Access denied'),
      proxyPage(302, 'Moved', { location: 'https://elsewhere.example/' }),
    );
    expect((await once({ GALERI_URL: server.url })).stdout).toContain('(text/html, "Access denied")');
    expect((await once({ GALERI_URL: server.url })).stdout).toContain('to https://elsewhere.example/');
    expect(server.requests).toHaveLength(2);
  });

  test('gives up after the maximum of attempts', async () => {
    server = await startBadServer(cut);
    expect((await once({ GALERI_URL: server.url, RETRIES: '2' })).stdout).toBe('no answer');
    expect(server.requests).toHaveLength(3);
  });

  test('a call has its own time limit', async () => {
    server = await startBadServer(() => {});
    const { stdout, stderr } = await once({ GALERI_URL: server.url, RETRIES: '1', TIMEOUT: '0.05' });
    expect([stdout, stderr]).toEqual(['no answer', 'POST 1 ConnectionFailed POST 2']);
  });
});

describe.skipIf(isMissing)('webhooks', () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const body = JSON.stringify({ type: 'vehicle.created', data: { object: { brand: 'Škoda' } } });
  const delivery = (at = Math.floor(Date.now() / 1000)) => {
    const key = Buffer.from(secret.slice(6), 'base64');
    const signature = createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64');
    return { 'Webhook-Id': 'evt_1', 'Webhook-Timestamp': String(at), 'Webhook-Signature': `v1,AAAA v1,${signature}` };
  };
  const verdict = async (fields: { body?: string; headers?: Record<string, string>; secrets?: string | string[] }) =>
    (await python(programAt('webhook.py'), {}, JSON.stringify({ body, headers: delivery(), secrets: secret, ...fields }))).stdout;

  test('a signed one is accepted, also during a rotation of the secret', async () => {
    expect(await verdict({})).toBe('vehicle.created');
    expect(await verdict({ secrets: [`whsec_${randomBytes(32).toString('base64')}`, secret] })).toBe('vehicle.created');
  });

  test('another body, secret or time is refused', async () => {
    expect(await verdict({ body: `${body} ` })).toBe('no signature matches');
    expect(await verdict({ secrets: `whsec_${randomBytes(32).toString('base64')}` })).toBe('no signature matches');
    expect(await verdict({ headers: delivery(Math.floor(Date.now() / 1000) - 400) })).toBe('the timestamp is too far from now');
    expect(await verdict({ headers: { ...delivery(), 'Webhook-Signature': 'v1,é' } })).toBe('no signature matches');
    expect(await verdict({ headers: {} })).toBe('headers are missing');
  });
});

describe.skipIf(isMissing)('the package', () => {
  test('is built without a network, installed into an empty folder and imported from there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galeri-python-'));
    const run = promisify(execFile);
    try {
      await cp(PYTHON_CLIENT, join(folder, 'source'), { recursive: true });
      const options = ['--no-index', '--no-deps', '--disable-pip-version-check', '--quiet'];
      await run('python3', ['-m', 'pip', 'wheel', ...options, '--wheel-dir', folder, join(folder, 'source')]);
      const wheel = `galeri-${VERSION}-py3-none-any.whl`;
      await run('python3', ['-m', 'pip', 'install', ...options, '--target', join(folder, 'site'), join(folder, wheel)]);
      const program =
        'import galeri, os; print(galeri.VERSION, os.path.exists(os.path.join(os.path.dirname(galeri.__file__), "py.typed")))';
      const env = { ...process.env, PYTHONPATH: join(folder, 'site') };
      expect((await run('python3', ['-c', program], { cwd: folder, env })).stdout.trim()).toBe(`${VERSION} True`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
