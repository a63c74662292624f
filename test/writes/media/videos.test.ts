import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerOf } from '../../../src/domain/media/video.ts';
import { newId } from '../../../src/kit/ids.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { eventsBy } from '../../support/events.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

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
}

const refusal = ({ status, json }: Answer) => [status, json.error?.code];
const link = (name: string) => `https://example.com/${name}`;
const car = () => api.vehicle(dealer.accountId);
const add = async (vehicle: string, name: string, overrides: Record<string, unknown> = {}): Promise<string> =>
  (await dealer.post(`vehicles/${vehicle}/videos`, { url: link(name), ...overrides })).json.data.id;
const listed = async (vehicle: string): Promise<Shown[]> => (await dealer.get(`vehicles/${vehicle}/videos`)).json.data;

/** The names in their order; throws unless positions are 1..n. */
async function order(vehicle: string): Promise<string> {
  const videos = await listed(vehicle);
  expect(videos.map(({ position }) => position)).toEqual(videos.map((_, index) => index + 1));
  return videos.map(({ url }) => url.slice(link('').length)).join('');
}

/** A vehicle with a video for each letter. */
async function carWith(names: string): Promise<{ vehicle: string; ids: Record<string, string> }> {
  const vehicle = await car();
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = await add(vehicle, name);
  return { vehicle, ids };
}

test('a video is returned in full, read, listed and counted; its link is returned unchanged', async () => {
  const vehicle = await car();
  const url = 'https://www.YouTube.com/watch?v=dQw4w9WgXcQ&t=%C3%BC';
  const answer = await dealer.post(`vehicles/${vehicle}/videos`, { url, title: ' İç  mekân ', duration_seconds: 75 });
  expect(answer.status).toBe(201);
  const { data } = answer.json;
  expect(data).toMatchObject({
    vehicle_id: vehicle,
    url,
    provider: 'youtube',
    title: 'İç mekân',
    duration_seconds: 75,
    position: 1,
  });
  expect((await dealer.get(`vehicles/${vehicle}/videos/${data.id}`)).json.data).toEqual(data);
  expect(await listed(vehicle)).toEqual([data]);
  expect((await dealer.get(`vehicles/${vehicle}`)).json.data.video_count).toBe(1);
});

test.each([
  ['https://youtube.com/watch?v=1', 'youtube'],
  ['https://youtu.be/1', 'youtube'],
  ['https://YOUTU.BE./1', 'youtube'],
  ['https://m.youtube.com/shorts/1', 'youtube'],
  ['https://vimeo.com/1', 'vimeo'],
  ['https://player.vimeo.com/video/1', 'vimeo'],
  ['https://youtube.com.example.com/1', 'other'],
  ['https://notyoutube.com/1', 'other'],
  ['https://example.com/youtube.com', 'other'],
  ['https://example.com/?u=https://youtu.be/1', 'other'],
  ['https://constructor.com/1', 'other'],
])('the provider of %s is %s, by the whole name of its host', (url, provider) => {
  expect(providerOf(url)).toBe(provider);
});

test('an edit of the link detects its provider again; an edit without changes emits nothing', async () => {
  const { vehicle, ids } = await carWith('a');
  const path = `vehicles/${vehicle}/videos/${ids.a}`;
  const [event] = await eventsBy(api, dealer.accountId, async () => {
    expect((await dealer.patch(path, { url: 'https://vimeo.com/7', title: null })).json.data).toMatchObject({
      provider: 'vimeo',
    });
  });
  expect(event).toMatchObject({ kind: 'vehicle_video.updated', id: ids.a });
  expect(event!.payload.resource.path).toBe(`/api/v1/${path}`);
  expect(event!.payload.data).toMatchObject({ changed: ['url', 'provider'], previous: { url: link('a'), provider: 'other' } });
  const { updated_at } = (await dealer.get(path)).json.data;
  const same = { url: 'https://vimeo.com/7', title: null, duration_seconds: null, position: 1 };
  expect(await eventsBy(api, dealer.accountId, () => dealer.patch(path, same))).toEqual([]);
  expect((await dealer.get(path)).json.data.updated_at).toBe(updated_at);
});

describe('positions are 1..n without gaps', () => {
  test.each([
    [undefined, 'abcx'],
    [1, 'xabc'],
    [2, 'axbc'],
    [4, 'abcx'],
  ])('adding one at %s', async (position, expected) => {
    const { vehicle } = await carWith('abc');
    const body = position === undefined ? {} : { position };
    const [event] = await eventsBy(api, dealer.accountId, () => add(vehicle, 'x', body));
    expect(await order(vehicle)).toBe(expected);
    expect(event!.payload.data.object).toMatchObject({ url: link('x'), position: expected.indexOf('x') + 1 });
  });

  test.each([
    ['a', 3, 'bcad'],
    ['d', 1, 'dabc'],
    ['b', 4, 'acdb'],
    ['c', 2, 'acbd'],
    ['b', 2, 'abcd'],
  ])('moving %s to %i', async (name, position, expected) => {
    const { vehicle, ids } = await carWith('abcd');
    const events = await eventsBy(api, dealer.accountId, async () => {
      const moved = await dealer.patch(`vehicles/${vehicle}/videos/${ids[name]}`, { position });
      expect(moved.json.data.position).toBe(position);
    });
    expect(await order(vehicle)).toBe(expected);
    expect(events.map(({ payload }) => payload.data.changed)).toEqual(expected === 'abcd' ? [] : [['position']]);
  });

  test.each(['a', 'b', 'c'])('removing %s', async (name) => {
    const { vehicle, ids } = await carWith('abc');
    const events = await eventsBy(api, dealer.accountId, async () => {
      const gone = await dealer.delete(`vehicles/${vehicle}/videos/${ids[name]}`);
      expect([gone.status, gone.json.data.id]).toEqual([200, ids[name]]);
    });
    expect(events.map(({ kind, id }) => [kind, id])).toEqual([['vehicle_video.deleted', ids[name]]]);
    expect(await order(vehicle)).toBe('abc'.replace(name, ''));
    expect((await dealer.get(`vehicles/${vehicle}/videos/${ids[name]}`)).status).toBe(404);
    expect((await dealer.delete(`vehicles/${vehicle}/videos/${ids[name]}`)).status).toBe(404);
  });

  test.each([0, -1, 4, 5, 1_000_000])('refuses an edit to position %i of three, and names the valid ones', async (position) => {
    const { vehicle, ids } = await carWith('abc');
    const answer = await dealer.patch(`vehicles/${vehicle}/videos/${ids.a}`, { position, title: 'x' });
    expect(refusal(answer)).toEqual([422, 'position_out_of_range']);
    expect(answer.json.error.message).toContain('3');
    expect((await dealer.get(`vehicles/${vehicle}/videos/${ids.a}`)).json.data.title).toBeNull();
  });

  test.each([0, 5])('refuses adding one at position %i', async (position) => {
    const { vehicle } = await carWith('abc');
    const answer = await dealer.post(`vehicles/${vehicle}/videos`, { url: link('x'), position });
    expect(refusal(answer)).toEqual([422, 'position_out_of_range']);
    expect(await order(vehicle)).toBe('abc');
  });

  test('under concurrent writes, and the limit holds', async () => {
    const vehicle = await car();
    const added = await Promise.all(
      [...'abcdefgh'].map((name) => dealer.post(`vehicles/${vehicle}/videos`, { url: link(name), position: 1 })),
    );
    expect(added.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(added.filter((answer) => refusal(answer)[1] === 'video_limit_reached')).toHaveLength(3);
    const videos = await listed(vehicle);
    await Promise.all(
      videos.flatMap(({ id }, index) => [
        dealer.patch(`vehicles/${vehicle}/videos/${id}`, { position: 5 - index }),
        index === 2 ? dealer.delete(`vehicles/${vehicle}/videos/${id}`) : dealer.get(`vehicles/${vehicle}/videos/${id}`),
      ]),
    );
    expect(await order(vehicle)).toHaveLength(4);
  });

  test('enforced by the database too', async () => {
    const { vehicle, ids } = await carWith('ab');
    const set = (position: number) =>
      api.database.inTenant(dealer.accountId, 'write', (db) =>
        db.exec(sql`update vehicle_videos set "position" = ${position} where account_id = ${dealer.accountId} and id = ${ids.a}`),
      );
    await expect(set(2)).rejects.toThrow(/vehicle_videos_place/);
    await expect(set(6)).rejects.toThrow(/check/);
    expect(await order(vehicle)).toBe('ab');
  });
});

test('a complete order is set at once, returned as a list, and emitted once', async () => {
  const { vehicle, ids } = await carWith('abc');
  const video_ids = [ids.c!, ids.a!.toUpperCase(), ids.b!];
  const expected = video_ids.map((id) => id.toLowerCase());
  const events = await eventsBy(api, dealer.accountId, async () => {
    const answer = await dealer.post(`vehicles/${vehicle}/videos/reorder`, { video_ids });
    expect(answer.json.data.map(({ id }: Shown) => id)).toEqual(expected);
    expect(answer.json.meta).toEqual({ limit: 3, offset: 0, count: 3 });
    expect((await dealer.post(`vehicles/${vehicle}/videos/reorder`, { video_ids })).status).toBe(200);
  });
  expect(await order(vehicle)).toBe('cab');
  expect(events.map(({ kind, id }) => [kind, id])).toEqual([['vehicle_video.reordered', vehicle]]);
  expect(events[0]!.payload.data).toEqual({
    object: { vehicle_id: vehicle, video_ids: expected },
    changed: ['video_ids'],
    previous: { video_ids: [ids.a, ids.b, ids.c] },
  });
});

test('refuses an order that is not exactly the existing videos', async () => {
  const { vehicle, ids } = await carWith('abc');
  const { a, b, c } = ids;
  const { ids: others } = await carWith('x');
  for (const video_ids of [[], [a, b], [a, b, b], [a, b, c, c], [a, b, others.x], [a, b, c, others.x], [a, b, newId()]]) {
    const answer = await dealer.post(`vehicles/${vehicle}/videos/reorder`, { video_ids });
    expect(refusal(answer)).toEqual([422, 'video_set_mismatch']);
    expect(answer.json.error.details[0].field).toBe('video_ids');
  }
  for (const body of [{}, { video_ids: 'a' }, { video_ids: ['x'] }, { video_ids: null }])
    expect(refusal(await dealer.post(`vehicles/${vehicle}/videos/reorder`, body))).toEqual([422, 'validation_failed']);
  expect(await order(vehicle)).toBe('abc');
  const empty = await dealer.post(`vehicles/${await car()}/videos/reorder`, { video_ids: [] });
  expect([empty.status, empty.json.data]).toEqual([200, []]);
});

test.each([
  'http://example.com/v',
  'ftp://example.com/v',
  'javascript:alert(1)',
  'data:text/html,x',
  '//example.com/v',
  'https:example.com/v',
  'https:/example.com/v',
  'https:\\\\example.com\\v',
  'https://user@example.com/v',
  'https://user:pass@example.com/v',
  'https://example.com/a b',
  'https://example.com/"onerror=x',
  'https://example.com/<script>',
  'https://localhost/v',
  'https://127.0.0.1/v',
  'https://0x7f.1/v',
  'https://[::1]/v',
  'https://169.254.169.254/v',
  'https://intranet/v',
  'https://',
  `https://example.com/${'x'.repeat(2000)}`,
  '',
  7,
  null,
])('refuses %s as a link to a video', async (url) => {
  const answer = await dealer.post(`vehicles/${await car()}/videos`, { url });
  expect(refusal(answer)).toEqual([422, 'validation_failed']);
  expect(answer.json.error.details[0].field).toBe('url');
});

test.each([{}, { url: link('a'), provider: 'vimeo' }, { url: link('a'), title: '' }, { url: link('a'), duration_seconds: 0 }])(
  'refuses %j',
  async (body) => {
    expect(refusal(await dealer.post(`vehicles/${await car()}/videos`, body))).toEqual([422, 'validation_failed']);
  },
);

test('a deleted vehicle keeps its videos unchanged, shows them, and has them after a restore', async () => {
  const { vehicle, ids } = await carWith('ab');
  await dealer.delete(`vehicles/${vehicle}`);
  const path = `vehicles/${vehicle}/videos`;
  for (const answer of [
    await dealer.post(path, { url: link('c') }),
    await dealer.patch(`${path}/${ids.a}`, { title: 'x' }),
    await dealer.delete(`${path}/${ids.a}`),
    await dealer.post(`${path}/reorder`, { video_ids: [ids.b, ids.a] }),
  ])
    expect(refusal(answer)).toEqual([409, 'vehicle_deleted']);
  expect(await order(vehicle)).toBe('ab');
  await dealer.post(`vehicles/${vehicle}/restore`);
  expect(await order(vehicle)).toBe('ab');
  expect((await dealer.get(`vehicles/${vehicle}`)).json.data.video_count).toBe(2);
});

test('a sold vehicle accepts videos; another dealer’s or another vehicle’s videos are refused', async () => {
  const sold = await api.vehicle(dealer.accountId, { status: 'Satıldı' });
  expect((await dealer.post(`vehicles/${sold}/videos`, { url: link('a') })).status).toBe(201);
  const { vehicle, ids } = await carWith('a');
  const stranger = await newDealer(api);
  for (const answer of [
    await stranger.get(`vehicles/${vehicle}/videos`),
    await stranger.get(`vehicles/${vehicle}/videos/${ids.a}`),
    await stranger.post(`vehicles/${vehicle}/videos`, { url: link('b') }),
    await stranger.patch(`vehicles/${vehicle}/videos/${ids.a}`, { title: 'x' }),
    await stranger.delete(`vehicles/${vehicle}/videos/${ids.a}`),
    await stranger.post(`vehicles/${vehicle}/videos/reorder`, { video_ids: [ids.a] }),
    await dealer.get(`vehicles/${sold}/videos/${ids.a}`),
    await dealer.patch(`vehicles/${sold}/videos/${ids.a}`, { title: 'x' }),
    await dealer.delete(`vehicles/${sold}/videos/${ids.a}`),
    await dealer.get(`vehicles/${newId()}/videos`),
  ])
    expect(refusal(answer)).toEqual([404, 'not_found']);
  expect(await order(vehicle)).toBe('a');
  const kept = await api.database.inTenant(stranger.accountId, 'read', (db) =>
    db.rows(sql`select id from ${own('vehicle_videos')}`),
  );
  expect(kept).toEqual([]);
});
