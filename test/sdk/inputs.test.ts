// What programs commonly pass to the clients: dates, lists, the API's base URL, a secret that is not set.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Galeri, type GaleriOptions, verifyWebhook } from '../../sdk/typescript/src/index.ts';
import { isPhpMissing } from '../support/php.ts';
import { isPythonMissing, python } from '../support/python.ts';
import { type BadServer, json, startBadServer } from './bad-server.ts';

const SYNCHRONISE = '/api/v1/vehicles?updated_since=2026-11-15T09%3A00%3A00.250Z&include=photos%2Cvideos';
const INVALID = '422 validation_failed: Some fields are not valid (prioriti: unknown field; title is required)';
const NO_SECRET = 'a secret is whsec_ and base64';

/** Signed with an empty key, as anyone can sign. */
function forged() {
  const body = '{"type":"vehicle.created"}';
  const at = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', '').update(`evt_1.${at}.${body}`).digest('base64');
  return { body, headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` } };
}

let server: BadServer;
beforeEach(async () => {
  const details = [
    { field: 'prioriti', code: 'unknown_field', message: 'unknown field' },
    { field: 'title', code: 'required', message: 'title is required' },
  ];
  server = await startBadServer(
    json(200, { success: true, data: [], meta: {} }),
    json(422, { error: { code: 'validation_failed', message: 'Some fields are not valid', details } }),
  );
});
afterEach(() => server.close());
const environment = () => ({ GALERI_URL: server.url, DELIVERY: JSON.stringify(forged()) });

describe('TypeScript', () => {
  const client = (options: Partial<GaleriOptions> = {}) =>
    new Galeri({ key: 'gal_prod_x', url: `${server.url}/api/v1/`, maxRetries: 0, ...options });

  test('dates, lists and the base URL of the API are sent as the API reads them', async () => {
    const query = { updated_since: new Date('2026-11-15T12:00:00.250+03:00'), include: ['photos', 'videos'] };
    await client().get('/vehicles', { query } as never);
    expect(server.paths).toEqual([SYNCHRONISE]);
  });

  test('an error names the invalid fields', async () => {
    await client().get('/vehicles');
    await expect(client().post('/tasks', { body: { prioriti: 'x' } as never })).rejects.toThrow(INVALID);
  });

  test('a key or address that is not set is refused at once', () => {
    expect(() => client({ key: undefined as never })).toThrow('the key is empty');
    expect(() => client({ url: undefined as never })).toThrow('url begins with http:// or https://');
    expect(() => client({ url: '127.0.0.1:3000' })).toThrow('url begins with http:// or https://');
  });

  test('an empty or absent secret verifies nothing', async () => {
    const { body, headers } = forged();
    for (const secret of ['', 'whsec_', 'whsec_?', undefined as never])
      await expect(verifyWebhook(body, headers, secret)).rejects.toThrow(NO_SECRET);
  });
});

test.skipIf(isPythonMissing())('Python', async () => {
  const { stdout } = await python(join(import.meta.dirname, 'python/inputs.py'), environment());
  expect(server.paths).toEqual([SYNCHRONISE, '/api/v1/tasks']);
  expect(JSON.parse(stdout)).toEqual({
    naive: 'ValueError: a datetime needs a time zone',
    key: 'ValueError: the key contains a space or line break',
    path: 'TypeError: a file is sent as File.at(path) or File(content, name)',
    stream: 'TypeError: a file is sent as File.at(path) or File(content, name)',
    invalid: `InvalidRequest: ${INVALID}`,
    empty: `ValueError: ${NO_SECRET}`,
    prefix: `ValueError: ${NO_SECRET}`,
  });
});

test.skipIf(isPhpMissing())('PHP', async () => {
  const env = { ...process.env, ...environment() };
  const { stdout } = await promisify(execFile)('php', [join(import.meta.dirname, 'inputs.php')], { env });
  expect(server.paths).toEqual([SYNCHRONISE, '/api/v1/tasks']);
  expect(JSON.parse(stdout)).toEqual({
    object: 'InvalidArgumentException: updated_since is text, a number, a boolean, a date or a list of these',
    invalid: `Galeri\\InvalidRequest: ${INVALID}`,
    empty: `InvalidArgumentException: ${NO_SECRET}`,
    unset: `InvalidArgumentException: ${NO_SECRET}`,
    prefix: `InvalidArgumentException: ${NO_SECRET}`,
  });
});
