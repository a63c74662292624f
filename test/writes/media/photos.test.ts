// Photos of a vehicle: by link and by file, in an order without gaps, with history, events and limits.
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, sql } from '../../../src/kit/sql.ts';
import { eventsBy } from '../../support/events.ts';
import { aJpeg, download, fileParts, metadataOf, sendForm } from '../../support/pictures.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

interface Shown {
  readonly id: string;
  readonly url: string;
  readonly position: number;
  readonly is_cover: boolean;
}

const refusal = ({ status, json }: Answer) => [status, json.error?.code];
const link = (name: string) => `https://cdn.example.com/${name}.jpg`;
const car = async (): Promise<string> => (await dealer.post('vehicles', aCar())).json.data.id;
const photos = (vehicle: string) => `vehicles/${vehicle}/photos`;
const add = async (vehicle: string, name: string, overrides: Record<string, unknown> = {}): Promise<string> =>
  (await dealer.post(photos(vehicle), { url: link(name), ...overrides })).json.data.id;
const uploadTo = (vehicle: string, texts: Record<string, string> = {}, bytes?: Buffer, headers?: Record<string, string>) =>
  aJpeg(400, 300).then((jpeg) =>
    sendForm({ url: api.service.url, key: dealer.key }, photos(vehicle), fileParts(bytes ?? jpeg, texts), headers),
  );
const listed = async (vehicle: string): Promise<Shown[]> => (await dealer.get(`${photos(vehicle)}?limit=100`)).json.data;

/** The names in their order; throws unless positions are 1..n and only the first is the cover. */
async function order(vehicle: string): Promise<string> {
  const found = await listed(vehicle);
  expect(found.map(({ position }) => position)).toEqual(found.map((_, index) => index + 1));
  expect(found.map(({ is_cover }) => is_cover)).toEqual(found.map((_, index) => index === 0));
  expect((await dealer.get(`vehicles/${vehicle}`)).json.data.photo_count).toBe(found.length);
  return found.map(({ url }) => url.replace(/^.*\/(\w+)\.jpg$/, '$1')).join('');
}

async function carWith(names: string): Promise<{ vehicle: string; ids: Record<string, string> }> {
  const vehicle = await car();
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = await add(vehicle, name);
  return { vehicle, ids };
}

const storedFiles = (): Promise<{ state: string }[]> =>
  api.database.inTenant(dealer.accountId, 'read', (db) =>
    db.rows<{ state: string }>(sql`select id, state from ${own('stored_files')} order by id`),
  );

describe('is added', () => {
  test('by a link, which is stored unchanged and never fetched', async () => {
    const vehicle = await car();
    const url = 'https://CDN.example.com/golf/1.PNG?w=800&ü';
    const answer = await dealer.post(photos(vehicle), { url, caption: ' Ön  yüz ' });
    expect(answer.status).toBe(201);
    expect(answer.json.data).toMatchObject({
      vehicle_id: vehicle,
      url,
      thumbnail_url: null,
      expires_at: null,
      content_type: 'image/png',
      size_bytes: null,
      caption: 'Ön yüz',
      position: 1,
      is_cover: true,
    });
    expect((await dealer.get(`${photos(vehicle)}/${answer.json.data.id}`)).json.data).toEqual(answer.json.data);
    const nameless = await dealer.post(photos(vehicle), { url: 'https://cdn.example.com/picture' });
    expect(nameless.json.data.content_type).toBe('application/octet-stream');
  });

  test.each([
    'http://cdn.example.com/1.jpg',
    'https://user:secret@cdn.example.com/1.jpg',
    'https://user@cdn.example.com/1.jpg',
    'https://127.0.0.1/1.jpg',
    'https://localhost/1.jpg',
    'https://[::1]/1.jpg',
    'ftp://cdn.example.com/1.jpg',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    '//cdn.example.com/1.jpg',
    '1.jpg',
    `https://cdn.example.com/${'a'.repeat(2000)}`,
  ])('but not by %s', async (url) => {
    const answer = await dealer.post(photos(await car()), { url });
    expect(refusal(answer)).toEqual([422, 'validation_failed']);
    expect(answer.json.error.details[0].field).toBe('url');
  });

  test('by a file, which is re-encoded and served by a link', async () => {
    const vehicle = await car();
    const answer = await uploadTo(vehicle, { caption: 'Şoför mahalli' }, await aJpeg(4032, 3024));
    expect(answer.status, answer.text).toBe(201);
    const { data } = answer.json;
    expect(data).toMatchObject({ content_type: 'image/jpeg', caption: 'Şoför mahalli', position: 1, is_cover: true });
    const picture = await download(data.url);
    const thumbnail = await download(data.thumbnail_url);
    expect(picture.bytes.length).toBe(data.size_bytes);
    expect(await metadataOf(picture.bytes)).toMatchObject({ format: 'jpeg', width: 2560, height: 1920 });
    expect(await metadataOf(thumbnail.bytes)).toMatchObject({ width: 480, height: 360 });
    const read = await dealer.get(`${photos(vehicle)}/${data.id}`);
    expect(read.headers.get('etag')).toBeNull();
    expect(read.headers.get('cache-control')).toBe('no-store');
    expect({ ...read.json.data, url: '', thumbnail_url: '', expires_at: '' }).toEqual({
      ...data,
      url: '',
      thumbnail_url: '',
      expires_at: '',
    });
  });

  test('at the requested position, moving the others back', async () => {
    const { vehicle } = await carWith('ab');
    await add(vehicle, 'c', { position: 1 });
    await add(vehicle, 'd', { position: 3 });
    await add(vehicle, 'e', { position: 5 });
    expect(await order(vehicle)).toBe('cadbe');
    expect((await uploadTo(vehicle, { position: '2' })).json.data).toMatchObject({ position: 2, is_cover: false });
    for (const position of [0, -1, 8, 1000]) {
      const answer = await dealer.post(photos(vehicle), { url: link('x'), position });
      expect(refusal(answer)).toEqual([422, 'position_out_of_range']);
      expect(answer.json.error.details[0].field).toBe('position');
    }
    expect(refusal(await uploadTo(vehicle, { position: '9' }))).toEqual([422, 'position_out_of_range']);
    expect((await listed(vehicle)).length).toBe(6);
  });

  test('up to thirty times, also by concurrent requests', async () => {
    const vehicle = await car();
    const answers: Answer[] = [];
    for (let at = 0; at < 26; at += 1) answers.push(await dealer.post(photos(vehicle), { url: link(`p${at}`) }));
    answers.push(
      ...(await Promise.all(Array.from({ length: 7 }, (_, at) => dealer.post(photos(vehicle), { url: link(`q${at}`) })))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    expect(answers.filter(({ status }) => status !== 201).map(refusal)).toEqual(Array(3).fill([409, 'photo_limit_reached']));
    const before = await storedFiles();
    expect(refusal(await uploadTo(vehicle))).toEqual([409, 'photo_limit_reached']);
    expect(await storedFiles()).toEqual(before);
    expect(await order(vehicle)).toMatch(/^p0p1/);
    const { max_photos_per_vehicle } = (await dealer.get('account/capabilities')).json.data.account;
    expect(max_photos_per_vehicle).toBe(30);
  });

  test('but not with both a link and a file, nor with neither', async () => {
    const vehicle = await car();
    const both = await uploadTo(vehicle, { url: link('a') });
    expect([...refusal(both), both.json.error.details[0].field]).toEqual([422, 'validation_failed', 'url']);
    const neither = await dealer.post(photos(vehicle), { caption: 'x' });
    expect([...refusal(neither), neither.json.error.details[0].field]).toEqual([422, 'validation_failed', 'url']);
  });

  test('but not from bytes that are not a picture, too many bytes, or too many pixels', async () => {
    const vehicle = await car();
    const before = await storedFiles();
    expect(refusal(await uploadTo(vehicle, {}, Buffer.from('<html>')))).toEqual([415, 'unsupported_media_type']);
    expect(refusal(await uploadTo(vehicle, {}, (await aJpeg(400, 300)).subarray(0, -500)))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    const over = Buffer.concat([await aJpeg(), Buffer.alloc(8 * 1024 * 1024)]);
    const large = await uploadTo(vehicle, {}, over);
    expect(refusal(large)).toEqual([413, 'payload_too_large']);
    expect(large.json.error.message).toContain('8 MB');
    const wide = await uploadTo(vehicle, {}, await aJpeg(10_000, 4002));
    expect(refusal(wide)).toEqual([422, 'image_too_large']);
    expect(wide.json.error.details).toMatchObject([{ field: 'file', code: 'image_too_large' }]);
    expect([await listed(vehicle), await storedFiles()]).toEqual([[], before]);
    expect(await readdir(`${api.filesDir}/incoming`)).toEqual([]);
  });
});

test('an upload repeated with its key is one photo, and a dry run adds none', async () => {
  const vehicle = await car();
  const headers = { 'idempotency-key': randomUUID() };
  const bytes = await aJpeg(200, 100);
  const dry = await uploadTo(vehicle, {}, bytes, { 'x-dry-run': 'true' });
  expect([dry.status, dry.headers.get('dry-run'), await listed(vehicle)]).toEqual([201, 'true', []]);
  const answers = await Promise.all(Array.from({ length: 4 }, () => uploadTo(vehicle, {}, bytes, headers)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await listed(vehicle)).toHaveLength(1);
  expect(refusal(await uploadTo(vehicle, {}, await aJpeg(202, 100), headers))).toEqual([422, 'idempotency_key_reused']);
});

describe('is changed', () => {
  test('moved to every position, made the cover, given a caption and cleared of it', async () => {
    const { vehicle, ids } = await carWith('abcd');
    const edit = (name: string, fields: Record<string, unknown>) => dealer.patch(`${photos(vehicle)}/${ids[name]}`, fields);
    expect((await edit('d', { position: 2 })).json.data).toMatchObject({ position: 2, is_cover: false });
    expect(await order(vehicle)).toBe('adbc');
    expect((await edit('c', { is_cover: true })).json.data).toMatchObject({ position: 1, is_cover: true });
    expect(await order(vehicle)).toBe('cadb');
    await edit('c', { position: 4, caption: 'son' });
    expect(await order(vehicle)).toBe('adbc');
    expect((await edit('c', { caption: null })).json.data.caption).toBeNull();
    expect((await edit('b', { is_cover: true, position: 1 })).status).toBe(200);
    expect(await order(vehicle)).toBe('badc');
  });

  test('but not to invalid values', async () => {
    const { vehicle, ids } = await carWith('ab');
    const edit = (input: unknown) => dealer.patch(`${photos(vehicle)}/${ids.a}`, input);
    expect(refusal(await edit({ position: 3 }))).toEqual([422, 'position_out_of_range']);
    expect(refusal(await edit({ position: 0 }))).toEqual([422, 'position_out_of_range']);
    for (const bad of [
      { is_cover: false },
      { is_cover: null },
      { is_cover: true, position: 2 },
      { url: link('z') },
      { position: '2' },
      {},
    ])
      expect(refusal(await edit(bad)), JSON.stringify(bad)).toEqual([422, 'validation_failed']);
    expect(refusal(await edit({ caption: 'x'.repeat(201) }))).toEqual([422, 'validation_failed']);
    expect(await order(vehicle)).toBe('ab');
  });

  test('by the complete order, and by nothing less', async () => {
    const { vehicle, ids } = await carWith('abc');
    const other = await carWith('x');
    const reorder = (names: readonly (string | undefined)[]) => dealer.post(`${photos(vehicle)}/reorder`, { photo_ids: names });
    const answer = await reorder([ids.c, ids.a, ids.b]);
    expect(answer.status).toBe(200);
    expect(answer.json.data.map(({ position }: Shown) => position)).toEqual([1, 2, 3]);
    expect(answer.json.meta).toEqual({ limit: 3, offset: 0, count: 3 });
    expect(await order(vehicle)).toBe('cab');
    for (const bad of [
      [],
      [ids.a],
      [ids.a, ids.b],
      [ids.a, ids.b, ids.b],
      [ids.a, ids.b, ids.c, ids.c],
      [ids.a, ids.b, other.ids.x],
    ]) {
      const refused = await reorder(bad);
      expect(refusal(refused)).toEqual([422, 'photo_set_mismatch']);
      expect(refused.json.error.details[0].field).toBe('photo_ids');
    }
    expect(await order(vehicle)).toBe('cab');
  });

  test('by concurrent requests, and the order stays complete', async () => {
    const { vehicle, ids } = await carWith('abcdef');
    const acts = Object.values(ids).flatMap((id, index) => [
      dealer.patch(`${photos(vehicle)}/${id}`, { position: 6 - index }),
      dealer.patch(`${photos(vehicle)}/${id}`, { is_cover: true }),
    ]);
    const answers = await Promise.all([
      ...acts,
      dealer.delete(`${photos(vehicle)}/${ids.c}`),
      dealer.post(photos(vehicle), { url: link('g') }),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect([...(await order(vehicle))].sort().join('')).toBe('abdefg');
  });
});

describe('is removed', () => {
  test('and the gap closes; the next one becomes the cover', async () => {
    const { vehicle, ids } = await carWith('abcd');
    const answer = await dealer.delete(`${photos(vehicle)}/${ids.a}`);
    expect([answer.status, answer.json.data.id]).toEqual([200, ids.a]);
    await dealer.delete(`${photos(vehicle)}/${ids.c}`);
    expect(await order(vehicle)).toBe('bd');
    expect(refusal(await dealer.delete(`${photos(vehicle)}/${ids.a}`))).toEqual([404, 'not_found']);
  });

  test('with its files, which can no longer be read', async () => {
    const vehicle = await car();
    const { data } = (await uploadTo(vehicle)).json;
    expect((await download(data.url)).response.status).toBe(200);
    const gone = async () => (await storedFiles()).filter(({ state }) => state === 'gone').length;
    const before = await gone();
    await dealer.delete(`${photos(vehicle)}/${data.id}`);
    expect(await gone()).toBe(before + 2);
    expect((await download(data.url)).response.status).toBe(404);
  });
});

test('returns 404 for a photo of another vehicle or another dealer', async () => {
  const { vehicle, ids } = await carWith('a');
  const other = await car();
  const stranger = await newDealer(api);
  for (const path of [`${photos(other)}/${ids.a}`, `${photos(vehicle)}/${randomUUID()}`]) {
    for (const answer of [await dealer.get(path), await dealer.patch(path, { caption: 'x' }), await dealer.delete(path)])
      expect(refusal(answer)).toEqual([404, 'not_found']);
  }
  const foreign = [
    await stranger.get(photos(vehicle)),
    await stranger.get(`${photos(vehicle)}/${ids.a}`),
    await stranger.post(photos(vehicle), { url: link('z') }),
    await stranger.post(`${photos(vehicle)}/reorder`, { photo_ids: [ids.a] }),
  ];
  expect(foreign.map(refusal)).toEqual(Array(4).fill([404, 'not_found']));
  expect(await order(vehicle)).toBe('a');
});

test('photos of a deleted vehicle are kept and readable but cannot change; after a restore all are there', async () => {
  const { vehicle, ids } = await carWith('ab');
  const { data } = (await uploadTo(vehicle)).json;
  await dealer.delete(`vehicles/${vehicle}`);
  expect(await listed(vehicle)).toHaveLength(3);
  expect((await download((await dealer.get(`${photos(vehicle)}/${data.id}`)).json.data.url)).response.status).toBe(200);
  const refused = [
    await dealer.post(photos(vehicle), { url: link('c') }),
    await uploadTo(vehicle),
    await dealer.patch(`${photos(vehicle)}/${ids.a}`, { caption: 'x' }),
    await dealer.delete(`${photos(vehicle)}/${ids.a}`),
    await dealer.post(`${photos(vehicle)}/reorder`, { photo_ids: [ids.b, ids.a, data.id] }),
  ];
  expect(refused.map(refusal)).toEqual(Array(5).fill([409, 'vehicle_deleted']));
  await dealer.post(`vehicles/${vehicle}/restore`);
  expect(await listed(vehicle)).toHaveLength(3);
  expect((await dealer.delete(`${photos(vehicle)}/${ids.a}`)).status).toBe(200);
});

test('photos may change in every other state of the vehicle', async () => {
  const vehicle = await car();
  await dealer.post(`vehicles/${vehicle}/reserve`, {});
  expect((await uploadTo(vehicle)).status).toBe(201);
  await dealer.post(`vehicles/${vehicle}/mark-sold`, {});
  expect((await uploadTo(vehicle)).status).toBe(201);
});

describe('emits events', () => {
  const about = (kind: string) => `vehicle_photo.${kind}`;

  test('once for each change, with the changed fields, and never with a signed link', async () => {
    const vehicle = await car();
    let id = '';
    const seen = await eventsBy(api, dealer.accountId, async () => {
      id = (await uploadTo(vehicle, { caption: 'Ön' })).json.data.id;
      const second = await add(vehicle, 'b');
      await dealer.patch(`${photos(vehicle)}/${second}`, { is_cover: true });
      await dealer.patch(`${photos(vehicle)}/${id}`, { caption: 'Arka' });
      await dealer.post(`${photos(vehicle)}/reorder`, { photo_ids: [id, second] });
      await dealer.delete(`${photos(vehicle)}/${id}`);
    });
    expect(seen.map(({ kind }) => kind)).toEqual(['created', 'created', 'updated', 'updated', 'reordered', 'deleted'].map(about));
    const [created, , moved, edited, reordered, deleted] = seen.map(({ payload }) => payload);
    expect(created.resource).toEqual({ kind: 'vehicle_photo', id, path: `/api/v1/${photos(vehicle)}/${id}` });
    expect(created.data.object).toMatchObject({
      id,
      vehicle_id: vehicle,
      url: null,
      thumbnail_url: null,
      caption: 'Ön',
      position: 1,
    });
    expect(Object.keys(created.data.object)).toEqual(Object.keys((await dealer.get(photos(vehicle))).json.data[0]));
    expect(moved.data).toMatchObject({ changed: ['position', 'is_cover'], previous: { position: 2, is_cover: false } });
    expect(edited.data).toMatchObject({ changed: ['caption'], previous: { caption: 'Ön' } });
    expect(reordered.resource).toMatchObject({ id: vehicle, path: `/api/v1/${photos(vehicle)}` });
    expect(reordered.data.changed).toEqual(['photo_ids']);
    expect(deleted.data.object.id).toBe(id);
    expect(JSON.stringify(seen)).not.toContain('/files/');
  });

  test('but none when nothing changed', async () => {
    const { vehicle, ids } = await carWith('ab');
    const seen = await eventsBy(api, dealer.accountId, async () => {
      for (const body of [{ position: 1 }, { is_cover: true }, { caption: null }])
        expect((await dealer.patch(`${photos(vehicle)}/${ids.a}`, body)).status).toBe(200);
      expect((await dealer.post(`${photos(vehicle)}/reorder`, { photo_ids: [ids.a, ids.b] })).status).toBe(200);
      await uploadTo(vehicle, {}, Buffer.from('no picture'));
      await uploadTo(vehicle, {}, undefined, { 'x-dry-run': 'true' });
    });
    expect(seen).toEqual([]);
  });

  test('and history entries of the vehicle with the actor', async () => {
    const { vehicle, ids } = await carWith('ab');
    await dealer.patch(`${photos(vehicle)}/${ids.b}`, { is_cover: true });
    await dealer.delete(`${photos(vehicle)}/${ids.a}`);
    const entries = (await dealer.get(`vehicles/${vehicle}/history`)).json.data;
    expect(entries.map(({ event, changes }: { event: string; changes: unknown }) => [event, changes])).toEqual([
      ['photo_removed', [{ field: 'photo_count', old: 2, new: 1 }]],
      ['photo_added', [{ field: 'photo_count', old: 1, new: 2 }]],
      ['photo_added', [{ field: 'photo_count', old: 0, new: 1 }]],
      ['created', []],
    ]);
    expect(entries[0].actor.type).toBe('api_key');
  });
});

test('the database enforces distinct positions within the limit', async () => {
  const { vehicle, ids } = await carWith('ab');
  const put = (position: number) =>
    api.database.inTenant(dealer.accountId, 'write', (db) =>
      db.exec(sql`update vehicle_photos set "position" = ${position} where account_id = ${dealer.accountId} and id = ${ids.b}`),
    );
  await expect(put(1)).rejects.toThrow('vehicle_photos_place');
  for (const position of [0, 31]) await expect(put(position)).rejects.toThrow('position');
  expect(await order(vehicle)).toBe('ab');
});
