// The Postman collection beside the description: its content by caller, and that no request in it changes anything unchanged.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
type Any = any;

const endpoints = apiEndpoints(resources);
const live = endpoints.filter(({ status }) => status === 'Aktif').map(({ id }) => id);
const requestsOf = (collection: Any): Any[] =>
  collection.item.flatMap((folder: Any) => folder.item.map(({ request }: Any) => request));
/** `GET vehicles/{vehicle_id}` */
const idOf = ({ method, url }: Any): string => `${method} ${url.path.join('/').replace(/:(\w+)/g, '{$1}')}`;
const idsOf = (collection: Any): string[] => requestsOf(collection).map(idOf);
const headersOf = (request: Any): Record<string, string> =>
  Object.fromEntries(request.header.filter((one: Any) => !one.disabled).map(({ key, value }: Any) => [key, value]));

describe('/postman.json', () => {
  let api: TestService;
  beforeAll(async () => {
    api = await testService();
  });
  afterAll(() => api.close());

  test('has the open endpoints for everyone, with only the key to fill in', async () => {
    const { status, json, text, headers } = await api.call('/postman.json');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(json.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
    expect(idsOf(json).toSorted()).toEqual(live.toSorted());
    expect(json.auth.bearer[0].value).toBe('{{apiKey}}');
    expect(json.variable.filter(({ value }: Any) => value === '')).toEqual([{ key: 'apiKey', value: '' }]);
    expect(json.variable.find(({ key }: Any) => key === 'baseUrl').value).toBe(`${api.service.parts.publicUrl()}/api/v1`);
    expect(text).not.toContain('undefined');
  });

  test('has the open endpoints that a key holds, does not contain the key, and refuses an invalid one', async () => {
    const { secret: key } = await api.key(await api.account(), { endpoints: ['GET vehicles', 'GET tasks'] });
    const { json, text, headers } = await api.call('/postman.json', { key });
    expect(idsOf(json)).toEqual(['GET vehicles']);
    expect(text).not.toContain(key);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await api.call('/postman.json', { key: 'wrong' })).json.error.code).toBe('key_malformed');
  });

  test('has every endpoint once it is open, each filled in with its example, and each write as a dry run', async () => {
    const built = endpoints.filter(({ body }) => body !== null);
    await api.release('Aktif', ...built.map(({ id }) => id));
    const { json } = await api.call('/postman.json');
    expect(idsOf(json).toSorted()).toEqual(built.map(({ id }) => id).toSorted());
    for (const request of requestsOf(json)) {
      const id = idOf(request);
      const headers = headersOf(request);
      if (request.method === 'GET') expect(headers, id).toEqual({});
      else expect(headers, id).toEqual({ 'Idempotency-Key': '{{$guid}}', 'X-Dry-Run': 'true' });
      for (const { key, value } of request.url.variable) expect(value, `${id} ${key}`).not.toBe('');
      for (const { key, value, disabled } of request.url.query) expect(disabled || value !== '', `${id} ${key}`).toBe(true);
      if (request.body?.mode === 'formdata')
        for (const part of request.body.formdata)
          expect(part.type === 'file' ? part.src : part.value, `${id} ${part.key}`).toBeTruthy();
      else if (request.body !== undefined) expect(typeof JSON.parse(request.body.raw), id).toBe('object');
      expect(request.description.length, id).toBeGreaterThan(20);
    }
    const forms = requestsOf(json).filter(({ body }: Any) => body?.mode === 'formdata');
    expect(forms.map(idOf)).toEqual(['POST documents']);
    for (const { response } of json.item.flatMap(({ item }: Any) => item))
      expect(JSON.parse(response[0].body).success).toBe(true);
  });
});
