// The event stream, links and the panel in the isolated sandbox, and that they end with their world.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLAUSE_CODES } from '../../src/domain/papers/papers-states.ts';
import { sql } from '../../src/kit/sql.ts';
import { resources } from '../../src/resources/index.ts';
import { expectRefusal } from '../contract/expect.ts';
import { openStream } from '../events/stream.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { dataOf } from '../support/books.ts';
import { until } from '../support/patience.ts';
import { aJpeg, sendForm } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { insertWorld, removeWorld, setWorldClock, testSandbox } from '../support/worlds.ts';
import { aCar, type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';
import { generate, soldCar } from '../writes/documents/papers.ts';

const DAY = 86_400_000;
const every = resources.flatMap(({ endpoints }) => endpoints).map(({ id }) => id);

let api: TestService;
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated' }, sandbox: testSandbox });
  await openAll(api);
});
afterAll(() => api.close());

async function sandboxed(): Promise<{ live: Dealer; sandbox: Dealer; worldId: string }> {
  const live = await newDealer(api);
  const { secret } = await api.key(live.accountId, { endpoints: every, environment: 'sandbox' });
  const { id } = await insertWorld(api.database, live.accountId, api.clock.times());
  return { live, sandbox: dealerWith(api, live.accountId, secret), worldId: id };
}

async function reset({ accountId }: Dealer): Promise<void> {
  await removeWorld(api.database, accountId, api.clock.realNow());
  await insertWorld(api.database, accountId, api.clock.times());
}

describe('the event stream', () => {
  test('has the events of the world only, and ends when the world is reset', async () => {
    const { live, sandbox } = await sandboxed();
    const stream = await openStream(api.service.url, sandbox.key);
    await live.post('vehicles', aCar());
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    await until(() => stream.texts.length > 0, 'the event arrives');
    expect(stream.texts.map((text) => JSON.parse(text))).toMatchObject([{ environment: 'sandbox', resource: { id } }]);
    await reset(live);
    await stream.ended;
    expect(stream.texts).toHaveLength(1);
  });
});

describe('links', () => {
  test('a file of a world can be read until the world is reset; then its link is gone', async () => {
    const { live, sandbox } = await sandboxed();
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    const sender = { url: api.service.url, key: sandbox.key };
    const { url } = dataOf(await sendForm(sender, `vehicles/${id}/photos`, [{ name: 'file', value: await aJpeg() }]));
    const path = new URL(url).pathname;
    expect((await api.call(path)).status).toBe(200);
    await reset(live);
    expectRefusal(await api.call(path), 'gone');
  });

  test('a signing page of a world has the time of the world, and is gone after a reset', async () => {
    const { live, sandbox, worldId } = await sandboxed();
    const { sale } = await soldCar(sandbox);
    const { id } = dataOf(await generate(sandbox, sale.id, 'teslim_tutanagi'));
    const { signing_links } = dataOf(await sandbox.post(`sale-documents/${id}/send`, { channel: 'Bağlantı' }));
    const path = new URL(signing_links[0].url).pathname;
    const opened = await api.call(path);
    expect(opened.status).toBe(200);
    expect(opened.text).toContain('Kod iste');
    await setWorldClock(api.database, worldId, { offsetMs: 400 * DAY });
    expect((await api.call(path)).text).not.toContain('Kod iste');
    await reset(live);
    expect((await api.call(path)).status).toBe(410);
  });

  test('a customer’s page of a world says so; its link ends by the time of the world and by a reset', async () => {
    const { live, sandbox, worldId } = await sandboxed();
    const { customer } = await soldCar(sandbox);
    const owner = await signedIn(api, await newPerson(api, { accountId: live.accountId }));
    const made = await owner.api(`sandbox/customers/${customer}/page`, { method: 'POST', body: { channel: 'Bağlantı' } });
    const path = new URL(dataOf(made).url).pathname;
    const opened = await api.call(path);
    expect(opened.text).toContain('Kod iste');
    expect(opened.text).toContain('sandbox');
    await setWorldClock(api.database, worldId, { offsetMs: 89 * DAY });
    expect((await api.call(path)).status).toBe(200);
    await setWorldClock(api.database, worldId, { offsetMs: 91 * DAY });
    expect((await api.call(path)).status).toBe(404);
    await setWorldClock(api.database, worldId, { offsetMs: 0 });
    await reset(live);
    expect((await api.call(path)).status).toBe(404);
  });
});

describe('the panel', () => {
  const personIn = async (accountId: string, role: 'owner' | 'developer' | 'sales') =>
    signedIn(api, await newPerson(api, { accountId, role }));

  test('the path of a call says in which environment it runs', async () => {
    const { live, worldId } = await sandboxed();
    const owner = await personIn(live.accountId, 'owner');
    const inWorld = await owner.api('sandbox/v1/vehicles', { method: 'POST', body: aCar() });
    expect(inWorld.status).toBe(201);
    expect((await owner.api('sandbox/v1/vehicles')).json.data).toHaveLength(1);
    expect((await owner.api('v1/vehicles')).json.data).toEqual([]);
    expect((await owner.api('sandbox/v1/account')).json.data).toMatchObject({
      id: worldId,
      api_key: { environment: 'sandbox' },
    });
    expect((await owner.api('v1/account')).json.data.id).toBe(live.accountId);
  });

  test('its own rows use the world too, at its time; keys and the log stay those of the account', async () => {
    const { live, worldId } = await sandboxed();
    const owner = await personIn(live.accountId, 'owner');
    await setWorldClock(api.database, worldId, { offsetMs: 40 * DAY });
    const branch = { name: 'Sandbox Şube', city: 'Girne' };
    expect((await owner.api('sandbox/branches', { method: 'POST', body: branch })).status).toBe(200);
    const namesIn = async (path: string) => (await owner.api(path)).json.data.map(({ name }: { name: string }) => name);
    expect(await namesIn('sandbox/branches')).toContain('Sandbox Şube');
    expect(await namesIn('branches')).not.toContain('Sandbox Şube');
    expect((await owner.api('sandbox/keys')).json.data.length).toBe((await owner.api('keys')).json.data.length);
    expect((await owner.api('sandbox/keys')).json.data.length).toBeGreaterThan(0);
  });

  test('settings of the world are its own: the row of the account stays as it was', async () => {
    const { live } = await sandboxed();
    const owner = await personIn(live.accountId, 'owner');
    const rowOf = (id: string) =>
      api.database.onPlatform('read', (db) => db.one(sql`select to_jsonb(one) as row from accounts one where id = ${id}`));
    const [before, shown] = [await rowOf(live.accountId), (await owner.api('settings')).json.data];
    const { data: inWorld } = (await owner.api('sandbox/settings')).json;
    const rule = { day: 5, channel: 'E-posta', active: true };
    const changed = { name: 'Deneme', timezone: 'Europe/London', reservation_days: 33, upcoming_days: 77, reminders: [rule] };
    expect((await owner.api('sandbox/settings', { method: 'PATCH', body: changed })).json.data).toMatchObject(changed);
    const clause = { [CLAUSE_CODES[0]]: 'Yalnız sandbox.' };
    expect((await owner.api('sandbox/settings/paper', { method: 'PATCH', body: clause })).json.data).toMatchObject(clause);
    expect(inWorld).not.toMatchObject(changed);
    expect(await rowOf(live.accountId)).toEqual(before);
    expect((await owner.api('settings')).json.data).toEqual(shown);
    // And the other way round.
    expect((await owner.api('settings', { method: 'PATCH', body: { reservation_days: 9 } })).status).toBe(200);
    expect((await owner.api('sandbox/settings')).json.data).toMatchObject(changed);
  });

  test('owners and developers enter it, others do not', async () => {
    const { live } = await sandboxed();
    expect((await (await personIn(live.accountId, 'developer')).api('sandbox/v1/vehicles')).status).toBe(200);
    const sales = await personIn(live.accountId, 'sales');
    expect((await sales.api('v1/vehicles')).status).toBe(200);
    expect((await sales.api('sandbox/v1/vehicles')).json.error.code).toBe('not_permitted');
  });

  test('a write waits for the clock, as with a key', async () => {
    const { live, worldId } = await sandboxed();
    const owner = await personIn(live.accountId, 'owner');
    const reachedAt = api.clock.now();
    const targetAt = new Date(reachedAt.getTime() + DAY);
    await setWorldClock(api.database, worldId, { status: 'advancing', reachedAt, targetAt });
    const refused = await owner.api('sandbox/branches', { method: 'POST', body: { name: 'Şube', city: 'Girne' } });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'clock_moving']);
  });
});
