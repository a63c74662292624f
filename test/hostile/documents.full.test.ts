// Hostile files as a scan: refused, or stored byte for byte and served as a download that no browser runs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aJpeg, download, fileParts, sendForm } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { hostileFiles } from './file-list.ts';
import { hostileForms } from './form-list.ts';

const FILES = await hostileFiles();
const TYPES = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'];
let api: TestService;
let dealer: Dealer;
let vehicle: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  vehicle = await api.vehicle(dealer.accountId);
});
afterAll(() => api.close());

test('no hostile file is executed, changed, or answered with a 5xx', async () => {
  const outcomes = { kept: 0, refused: 0 };
  for (const { name, content } of FILES) {
    const parts = fileParts(content, { kind: 'Diğer', vehicle_id: vehicle });
    const { status, json, text } = await sendForm({ url: api.service.url, key: dealer.key }, 'documents', parts);
    expect([201, 400, 413, 415, 422], `${name}: ${text.slice(0, 200)}`).toContain(status);
    if (status !== 201) {
      outcomes.refused += 1;
      continue;
    }
    outcomes.kept += 1;
    const { file } = json.data;
    expect(TYPES, name).toContain(file.content_type);
    const { response, bytes } = await download(file.url);
    expect(bytes.equals(content), name).toBe(true);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f-]{36}\.(pdf|jpg|png|webp)"$/);
    expect(response.headers.get('content-type')).toBe(file.content_type);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect([response.headers.get('x-content-type-options'), response.headers.get('cache-control')]).toEqual([
      'nosniff',
      'no-store',
    ]);
  }
  expect(outcomes.kept).toBeGreaterThan(10);
  expect(outcomes.refused).toBeGreaterThan(10);
});

test('no hostile form is answered with a 5xx, and one that is valid keeps its file complete', async () => {
  const scan = await aJpeg();
  const forms = hostileForms(scan, { texts: { kind: 'Diğer', vehicle_id: vehicle }, free: 'title' });
  const before = (await dealer.get('documents?limit=1')).json.data[0]?.id;
  const kept = new Set<string>();
  for (const { name, type, body, headers = {}, outcome } of forms) {
    const response = await fetch(`${api.service.url}/api/v1/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${dealer.key}`, 'content-type': type, ...headers },
      body: new Uint8Array(body),
    });
    const text = await response.text();
    expect(
      outcome === 'drawn' ? [201] : [...(outcome === 'either' ? [201] : []), 400, 413, 415, 422],
      `${name}: ${text.slice(0, 300)}`,
    ).toContain(response.status);
    if (response.status !== 201) continue;
    const { id, file } = JSON.parse(text).data;
    kept.add(id);
    expect((await download(file.url)).bytes.equals(scan), name).toBe(true);
  }
  expect(kept.size).toBeGreaterThan(20);
  const listed: { id: string }[] = (await dealer.get('documents?limit=100')).json.data;
  const since = listed.findIndex(({ id }) => id === before);
  expect(new Set(listed.slice(0, since < 0 ? undefined : since).map(({ id }) => id))).toEqual(kept);
});
