import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings } from '../../../src/domain/accounts/settings.ts';
import { addNotification, type NewNotification } from '../../../src/domain/notifications/notification.ts';
import { TIMED_TRANSITIONS } from '../../../src/domain/timed-transitions.ts';
import { newId } from '../../../src/kit/ids.ts';
import { eventsBy } from '../../support/events.ts';
import { type Answer, TEST_ACTOR, type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

const refusal = ({ status, json }: Answer) => [status, json.error?.code];
const SOLD: NewNotification = {
  kind: 'webhook.disabled',
  title: { en: 'A webhook was stopped', tr: 'Bir webhook durduruldu' },
  body: { en: 'It failed for five days.', tr: 'Beş gün boyunca başarısız oldu.' },
};

const notify = ({ accountId }: Dealer, overrides: Partial<NewNotification> = {}, now = api.clock.now()): Promise<string> => {
  const account = { id: accountId, timezone: 'Europe/Istanbul' };
  const call = { dataSet: accountId, account, actor: TEST_ACTOR, now };
  return api.service.parts.writer.write(call, (work) => addNotification(work, { ...SOLD, ...overrides }));
};

test('are in the account’s language, newest first, and reading the list does not mark them as read', async () => {
  const id = await notify(dealer, {}, new Date(api.clock.now().getTime() - 60_000));
  const resource_id = newId();
  const second = await notify(dealer, { kind: 'vehicle.reservation_released', resource_type: 'vehicle', resource_id });
  const { data } = (await dealer.get(`notifications/${id}`)).json;
  expect(data).toMatchObject({ kind: 'webhook.disabled', title: 'Bir webhook durduruldu', read_at: null, resource_id: null });
  const listed = (await dealer.get('notifications')).json.data;
  expect(listed.map((one: { id: string }) => one.id)).toEqual([second, id]);
  expect(listed[0]).toMatchObject({ resource_type: 'vehicle', resource_id, read_at: null });
  expect((await dealer.get('notifications?kind=webhook.disabled')).json.data).toEqual([data]);
  const english = await newDealer(api);
  await api.database.inTenant(english.accountId, 'write', (db) =>
    changeSettings(db, { locale: 'en' }, { actor: TEST_ACTOR, now: new Date(), transitions: TIMED_TRANSITIONS }),
  );
  const theirs = await notify(english);
  expect((await english.get(`notifications/${theirs}`)).json.data.title).toBe('A webhook was stopped');
  expect(refusal(await dealer.get(`notifications/${theirs}`))).toEqual([404, 'not_found']);
});

test('is marked as read once: a second time changes and emits nothing', async () => {
  const id = await notify(dealer);
  const events = await eventsBy(api, dealer.accountId, async () => {
    const first = (await dealer.post(`notifications/${id}/read`)).json.data;
    expect(first.read_at).toMatch(/Z$/);
    const again = await dealer.post(`notifications/${id}/read`);
    expect([again.status, again.json.data]).toEqual([200, first]);
    expect((await dealer.get(`notifications/${id}`)).json.data).toEqual(first);
  });
  expect(events).toEqual([]);
  const unread = (await dealer.get('notifications?unread=true&limit=100')).json.data;
  expect(unread.map((one: { id: string }) => one.id)).not.toContain(id);
  expect(refusal(await dealer.post(`notifications/${newId()}/read`))).toEqual([404, 'not_found']);
});

test('marks all as read, or those created before a time, for this account only', async () => {
  const [own, other] = [await newDealer(api), await newDealer(api)];
  await notify(other);
  for (const minutes of [30, 20, 10]) await notify(own, {}, new Date(api.clock.now().getTime() - minutes * 60_000));
  const before = new Date(api.clock.now().getTime() - 15 * 60_000).toISOString();
  expect((await own.post('notifications/read-all', { before })).json.data).toEqual({ updated: 2 });
  expect((await own.get('notifications?unread=true')).json.data).toHaveLength(1);
  expect((await own.post('notifications/read-all')).json.data).toEqual({ updated: 1 });
  expect((await own.post('notifications/read-all', {})).json.data).toEqual({ updated: 0 });
  expect((await other.get('notifications?unread=true')).json.data).toHaveLength(1);
  expect(refusal(await own.post('notifications/read-all', { before: 'yesterday' }))).toEqual([422, 'validation_failed']);
});
