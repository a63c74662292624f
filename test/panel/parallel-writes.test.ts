// Concurrent writes of the panel for one dealer: no deadlock, and a transaction that loses one is retried, so that no person sees
// an error.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { eventually } from '../start/process.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { aCar, aPerson, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, PASSWORD, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
let administrator: Browser;
let session: Session;
let main: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  administrator = await signedIn(api, await newPerson(api, { admin: true }));
  await administrator.api('session/reauthenticate', { method: 'POST', body: { password: PASSWORD } });
  main = (await owner.api('branches')).json.data[0].id;
  session = await openSession(api.adminUrl);
});
afterAll(async () => {
  await session?.close();
  await api.close();
});

let number = 0;
const patch = (browser: Browser, path: string, body: object) => browser.api(path, { method: 'PATCH', body });
const settings = () => patch(owner, 'settings', { reservation_days: 1 + (number++ % 30) });
const paper = () => patch(owner, 'settings/paper', { satis_sozlesmesi: `Madde ${number++}` });
const branch = () => owner.api('branches', { method: 'POST', body: { name: `Şube ${number++}`, city: 'Girne' } });
const renamed = () => patch(owner, `branches/${main}`, { name: `Merkez ${number++}` });
const capabilities = () =>
  patch(administrator, `admin/accounts/${dealer.accountId}/capabilities`, { marketplace: number++ % 2 === 0 });

test('settings, papers, branches, capabilities and records are written concurrently, without a deadlock', async () => {
  const deadlocks = async () =>
    Number(
      (
        await session.rows<{ n: string }>('select deadlocks::text as n from pg_stat_database where datname = current_database()')
      )[0]!.n,
    );
  const before = await deadlocks();
  const car = () => dealer.post('vehicles', aCar());
  const customer = () => dealer.post('customers', aPerson());
  const refused: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    const acts = [settings, car, paper, customer, branch, renamed, capabilities].flatMap((act) => [act, act, act]);
    const answers = await Promise.all(acts.map((act) => act()));
    refused.push(...answers.filter(({ status }) => status >= 300).map(({ status, text }) => `${status} ${text}`));
  }
  expect(refused).toEqual([]);
  expect(await deadlocks()).toBe(before);
});

/**
 * The session holds the data set's row, the action waits for it with a lock on `table`, and then the session requests that lock:
 * a deadlock. The session checks for deadlocks later than the action does, so that the action loses.
 */
async function losingOnce(table: string, where: string, act: () => Promise<Answer>): Promise<Answer> {
  await session.rows(`begin; set local deadlock_timeout = '1h'; set local lock_timeout = 0`);
  try {
    await session.rows(`select from data_sets where id = '${dealer.accountId}' for update`);
    const answer = act();
    const watcher = await openSession(api.adminUrl);
    try {
      const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => (await watcher.rows(waiting)).length > 0);
    } finally {
      await watcher.close();
    }
    await session.rows(`select from ${table} where ${where} for update`);
    await session.rows('commit');
    return await answer;
  } catch (error) {
    await session.rows('rollback');
    throw error;
  }
}

test.each([
  ['settings', settings],
  ['papers', paper],
])('an action that loses a deadlock is retried: %s', async (_, act) => {
  const answer = await losingOnce('accounts', `id = '${dealer.accountId}'`, act);
  expect([answer.status, answer.json.error?.code]).toEqual([200, undefined]);
});
