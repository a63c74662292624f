// Photos through the panel: a session, its own page and a role instead of a key.
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aJpeg, download, fileParts, formOf } from '../support/pictures.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let vehicle: string;
let sales: Browser;
let viewer: Browser;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
  vehicle = await service.vehicle(accountId);
  sales = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
  viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
});
afterAll(() => service.close());

const photos = () => `v1/vehicles/${vehicle}/photos`;

async function upload(who: Browser, bytes: Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${service.service.url}/panel/api/${photos()}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie: who.cookieText(), 'x-csrf-token': who.csrf, ...headers },
    body: formOf(fileParts(bytes)),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

test('a salesperson adds one; a viewer sees it by the same links but may not add', async () => {
  const added = await upload(sales, await aJpeg(300, 200));
  expect(added.status, added.text).toBe(201);
  const seen = await viewer.api(photos());
  expect(seen.json.data).toHaveLength(1);
  expect(seen.headers.get('cache-control')).toBe('no-store');
  expect((await download(seen.json.data[0].thumbnail_url)).response.status).toBe(200);
  const refused = await upload(viewer, await aJpeg(300, 200));
  expect([refused.status, refused.json.error.code]).toEqual([403, 'not_permitted']);
  const entry = (await sales.api(`v1/vehicles/${vehicle}/history`)).json.data[0];
  expect(entry).toMatchObject({ event: 'photo_added', actor: { type: 'panel' } });
});

test('lists of other records show the covers of cars by id, or what the drawing of a car needs; never those of another dealer', async () => {
  const bare = await service.vehicle(accountId, { body_type: 'SUV', color: 'Siyah' });
  const foreign = await service.vehicle(await service.account());
  const shown = await viewer.api(`vehicles/pictures?ids=${[vehicle, bare, foreign].join(',')}`);
  const byId = new Map(shown.json.data.map((car: { id: string }) => [car.id, car]));
  expect([...byId.keys()].sort()).toEqual([vehicle, bare].sort());
  expect(byId.get(bare)).toMatchObject({ body_type: 'SUV', color: 'Siyah', plate: expect.any(String), thumbnail_url: null });
  const { thumbnail_url } = byId.get(vehicle) as { thumbnail_url: string };
  expect((await download(thumbnail_url)).response.status).toBe(200);
  expect((await viewer.api('vehicles/pictures')).status).toBe(400);
});

test('refuses another page, a stranger and a session without its token before their upload ends', async () => {
  const large = Buffer.concat([await aJpeg(), Buffer.alloc(7_000_000)]);
  const answers = [
    await upload(sales, large, { 'x-csrf-token': 'no' }),
    await upload(sales, large, { 'sec-fetch-site': 'cross-site' }),
    await upload(sales, large, { cookie: '' }),
  ];
  expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
    [403, 'foreign_request'],
    [403, 'foreign_request'],
    [401, 'session_required'],
  ]);
  expect((await sales.api(photos())).json.data).toHaveLength(1);
  expect(await readdir(`${service.filesDir}/incoming`)).toEqual([]);
});

test('a refusal is in the language of the page', async () => {
  const answer = await upload(sales, Buffer.from('no picture'), { 'accept-language': 'tr' });
  expect([answer.status, answer.json.error.message]).toEqual([
    415,
    'Desteklenmeyen içerik; bozuk olmayan bir JPEG, PNG ya da WebP fotoğrafı gönderin',
  ]);
});
