// The examples of the reference are real replies of the demonstration. `npm run examples` regenerates them.
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_AT, SAMPLE_META } from '../../src/domain/catalog/sample.ts';
import { type ApiEndpoint, apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import type { Example } from '../../src/http/docs/openapi/examples.ts';
import { resources } from '../../src/resources/index.ts';
import { fileParts, sendForm } from '../support/pictures.ts';
import type { TestService } from '../support/service.ts';
import type { Dealer } from '../support/writer.ts';
import { exampleDealer } from './example-dealer.ts';
import { type ExampleRequest, exampleRequest, LOADED_AT } from './example-requests.ts';

const FILE = new URL('../../src/http/docs/openapi/examples.json', import.meta.url);
const built = apiEndpoints(resources).filter(({ body }) => body !== null);

let api: TestService;
let dealer: Dealer;

beforeAll(async () => {
  ({ api, dealer } = await exampleDealer());
});
afterAll(() => api?.close());

describe('examples', () => {
  it('equal the replies of the demonstration', async () => {
    const taken: Record<string, Example> = {};
    for (const endpoint of built) taken[endpoint.id] = await take(endpoint);
    if (process.env.UPDATE_EXAMPLES) await writeFile(FILE, `${JSON.stringify(taken, null, 1)}\n`);
    const kept = JSON.parse(await readFile(FILE, 'utf8')) as Record<string, Example>;
    expect(Object.keys(kept)).toEqual(built.map(({ id }) => id));
    for (const { id } of built) {
      // The usage of a key differs on every run; its description does not.
      if (id.startsWith('GET developer/') || id === 'GET membership/usage')
        expect(shapeOf(taken[id]), id).toEqual(shapeOf(kept[id]));
      else expect(taken[id], id).toEqual(kept[id]);
    }
  });
});

async function take(endpoint: ApiEndpoint): Promise<Example> {
  const request = exampleRequest(endpoint);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => request.params![name]!);
  const query = new URLSearchParams(request.query);
  const answer = await ask(endpoint, `${path}${query.size > 0 ? `?${query}` : ''}`, request);
  expect(answer.status, `${endpoint.id} ${answer.text}`).toBe(endpoint.body!.successStatus ?? 200);
  if (endpoint.id === 'GET developer/request-logs') answer.json.data.length = Math.min(answer.json.data.length, 1);
  // A key with every endpoint would make the longest example of all.
  if (endpoint.id === 'GET account/capabilities') answer.json.data.endpoints.length = 3;
  // A paper drawn now has a random code, and its length depends on the code's picture.
  if (endpoint.id === DRAWS && answer.json.data.file) answer.json.data.file.size_bytes = 30465;
  return { ...request, status: answer.status, reply: normalised(answer.json) };
}

const DRAWS = 'POST sales/{sale_id}/sale-documents/generate';
const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');

async function ask({ method, body: row }: ApiEndpoint, path: string, { body, form }: ExampleRequest) {
  if (method === 'GET') return dealer.get(path);
  const dry = { 'X-Dry-Run': 'true', 'Idempotency-Key': randomUUID() };
  if (row!.bodySchema === undefined && form !== undefined)
    return sendForm({ url: api.service.url, key: dealer.key }, path, fileParts(PDF, form.fields), dry);
  return method === 'DELETE'
    ? dealer.delete(path, dry)
    : method === 'PATCH'
      ? dealer.patch(path, body, dry)
      : dealer.post(path, body, dry);
}

const SAMPLE_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const SAMPLE_ID = '0199f3a2-6c1e-7b40-9d52-3f8a1e64c7b9';

/** Values that differ on every run: current times, new ids, secrets. */
function normalised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, name === 'secret_hint' ? 'x8Q=' : normalised(member)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (isOfThisRun(value)) return value.endsWith('Z') ? SAMPLE_AT.toISOString() : SAMPLE_META.timestamp;
  // Days from now, by the moved clock.
  if (/^2026-\d\d-\d\dT09:0\d:\d\d\.\d{3}Z$/.test(value) && !value.endsWith('T09:00:00.000Z')) return SAMPLE_AT.toISOString();
  // Times of this run, by the moved clock.
  if (value.startsWith(`${LOADED_AT.toISOString().slice(0, 10)}T`) && value !== LOADED_AT.toISOString())
    return value.endsWith('Z') ? SAMPLE_AT.toISOString() : SAMPLE_META.timestamp;
  return (
    value
      .replace(/req_[0-9a-z]{26}/g, SAMPLE_META.request_id)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, SAMPLE_ID)
      .replace(/evt_01[0-9a-z]{24}/g, `evt_${SAMPLE_META.request_id.slice(4)}`)
      .replace(/whsec_[\w+/=]+/g, 'whsec_<shown once>')
      .replace(/gal_prod_\w+/g, 'gal_prod_ab12')
      // Of a paper drawn now: it prints the time, and its link is signed for it.
      .replace(/^[0-9a-f]{64}$/, SAMPLE_HASH)
      .replace(/^http:\/\/127\.0\.0\.1:\d+\/(files|sign)\/[\w-]+$/, 'https://galeri.example.com/$1/AZqL3kQ…')
  );
}

/** A time within a day of the real clock. Whole days are the demonstration's, and one of them may be today. */
const isOfThisRun = (value: string): boolean =>
  /^\d{4}-\d\d-\d\dT/.test(value) && Math.abs(Date.parse(value) - Date.now()) < 90_000_000;

/** Names and types, no values; lists by their first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
  }
  return value === null ? 'null' : typeof value;
}
