// `account move` killed with SIGKILL in each of its phases: the dealer is never writable at two places, --abort or the next run leads on.
// A lock of the test holds the command in the phase.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountCommand } from '../../src/commands/account/account.ts';
import { claimMails, mailId, queueReminders } from '../../src/domain/mail/mail-queue.ts';
import { vaultKeys } from '../../src/domain/vault/vault.ts';
import { dealersToLookAt } from '../../src/jobs/queue-reminders.ts';
import { dayIn } from '../../src/kit/clock.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { until } from '../support/patience.ts';
import { aCar, dealerWith, newDealer, type Dealer as OpenDealer } from '../support/writer.ts';
import { moveTo, newPlace, type Place, rowsOf, settingsOf } from './moves.ts';
import { printed } from './printed.ts';
import { type Running, running } from './running.ts';

let old: Place;
let fresh: Place;
let elsewhere: Place;

beforeAll(async () => {
  [old, fresh, elsewhere] = [await newPlace(), await newPlace(), await newPlace()];
  Object.assign(process.env, settingsOf(old));
});
afterAll(async () => {
  await old?.close();
  await fresh?.close();
  await elsewhere?.close();
});

/** In this process: only what is killed needs one of its own. */
const move = (dealer: OpenDealer, ...args: string[]): Promise<string> =>
  printed(() => accountCommand.run(['move', dealer.accountId, ...args]));

const start = (dealer: OpenDealer, ...args: string[]): Running =>
  running(['account', 'move', dealer.accountId, ...args], settingsOf(old));

const stateOf = async ({ accountId }: OpenDealer): Promise<string | undefined> =>
  (await old.admin.rows<{ state: string }>('select state from account_moves where id = $1', [accountId]))[0]?.state;

/** Whether a car can be added, at the old and at the new place. */
async function writable(dealer: OpenDealer): Promise<string> {
  const there = dealerWith(fresh.api, dealer.accountId, dealer.key);
  return `${(await dealer.post('vehicles', aCar())).status} ${(await there.post('vehicles', aCar())).status}`;
}

interface Held {
  readonly at: () => Place;
  /** Holds what the command waits for in this phase. */
  readonly lock: string;
  readonly state: string;
}

/** Starts the command, waits until it waits for the lock, kills it, and releases the lock. */
async function killIn({ at, lock, state }: Held, dealer: OpenDealer): Promise<void> {
  const holder: Session = await openSession(at().api.adminUrl);
  try {
    await holder.rows(`begin; ${lock}`);
    const command = start(dealer, ...moveTo(fresh));
    await until(async () => {
      const [waiting] = await at().admin.rows(
        `select from pg_locks join pg_database on pg_database.oid = database and datname = current_database() where not granted`,
      );
      if (command.child.exitCode !== null) throw new Error(`the command ended: ${command.stderr()}${command.stdout()}`);
      return waiting !== undefined && (await stateOf(dealer)) === state;
    }, `the command waits while the move is ${state}`);
    await command.stop('SIGKILL');
  } finally {
    await holder.rows('rollback');
    await holder.close();
  }
}

async function completes(dealer: OpenDealer): Promise<void> {
  const mine = (await rowsOf(old, [dealer.accountId])).vehicles;
  await move(dealer, ...moveTo(fresh));
  const there = await rowsOf(fresh, [dealer.accountId]);
  if (mine !== undefined) for (const row of mine) expect(there.vehicles).toContain(row);
  expect(await rowsOf(old, [dealer.accountId])).toEqual({});
  await expect.poll(() => writable(dealer)).toBe('410 201');
}

const WHILE_CLOSED: Held = {
  at: () => fresh,
  lock: 'lock table account_moves in share row exclusive mode',
  state: 'closed',
};

test.each<[string, Held]>([
  ['the first copy', { at: () => fresh, lock: 'lock table vehicles in access exclusive mode', state: 'copying' }],
  ['the closing', { at: () => old, lock: 'lock table webhooks in row exclusive mode', state: 'closed' }],
  ['the second copy', WHILE_CLOSED],
])('killed in %s the dealer stays at the old place: --abort opens it, and a new run moves it', async (_, held) => {
  const dealer = await newDealer(old.api);
  expect(await writable(dealer)).toBe('201 401');
  await killIn(held, dealer);
  expect(await writable(dealer)).toBe(held.state === 'copying' ? '201 401' : '503 401');
  if (held.state === 'closed')
    for (const to of [['--abort'], ['--files', elsewhere.api.filesDir]])
      await expect(move(dealer, '--to', elsewhere.api.adminUrl, ...to)).rejects.toThrow('is not the database at --to');
  await move(dealer, '--to', fresh.api.adminUrl, '--abort');
  expect(await writable(dealer)).toBe('201 401');
  await completes(dealer);
});

test.each<[string, Held]>([
  ['before its keys are redirected', { at: () => old, lock: 'lock table moved_keys in access exclusive mode', state: 'closed' }],
  ['before its rows are removed', { at: () => old, lock: 'lock table password_resets in access exclusive mode', state: 'moved' }],
])('killed %s the dealer is at the new place: it cannot be aborted, and a new run completes it', async (_, held) => {
  const dealer = await newDealer(old.api);
  await dealer.post('vehicles', aCar());
  await killIn(held, dealer);
  await expect.poll(() => writable(dealer)).toBe(held.state === 'moved' ? '410 201' : '503 201');
  await expect(move(dealer, '--to', fresh.api.adminUrl, '--abort')).rejects.toThrow('has arrived at the new place');
  await expect(move(dealer, '--to', fresh.api.adminUrl, '--files', 'shared')).rejects.toThrow('use the same --files value');
  Object.assign(process.env, settingsOf(fresh));
  await expect(move(dealer, ...moveTo(elsewhere))).rejects.toThrow('first run the same command again in the old deployment');
  Object.assign(process.env, settingsOf(old));
  await completes(dealer);
});

test('while a dealer is closed, jobs leave it out and serve the others', async () => {
  const [dealer, other] = [await newDealer(old.api), await newDealer(old.api)];
  const { database, secrets } = old.api;
  const now = new Date();
  const vault = vaultKeys(secrets);
  const mails = [dealer, other].map(({ accountId }) => ({
    id: mailId([accountId]),
    dataSet: accountId,
    reminder: '{}',
    mail: { to: 'a@example.com', subject: 'x', text: 'x' },
  }));
  for (const mail of mails) await database.onPlatform('write', (db) => queueReminders(db, vault, [mail], now));
  const rules = `'[{"day":0,"channel":"E-posta","active":true}]'`;
  const ids = [dealer.accountId, other.accountId];
  await old.admin.rows(`update accounts set reminders = ${rules} where id = any($1)`, [ids]);
  await killIn(WHILE_CLOSED, dealer);
  const claimed = await database.onPlatform('write', (db) => claimMails(db, vault, now));
  expect(claimed.map(({ id }) => id)).toEqual([mails[1]!.id]);
  const noon = new Date(`${dayIn(now, 'Europe/Istanbul')}T10:00:00Z`);
  const looked = await database.onPlatform('read', (db) => dealersToLookAt(db, noon));
  expect(ids.filter((id) => looked.some((one) => one.id === id))).toEqual([other.accountId]);
  await completes(dealer);
});

test('while a dealer is closed, writes get 503 with a time to retry, reads are answered, and other dealers work', async () => {
  const [dealer, other] = [await newDealer(old.api), await newDealer(old.api)];
  await killIn(WHILE_CLOSED, dealer);
  const refused = await dealer.post('vehicles', aCar());
  expect([refused.status, refused.json.error.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'service_unavailable',
    '1',
  ]);
  expect((await dealer.get('vehicles')).status).toBe(200);
  expect((await other.post('vehicles', aCar())).status).toBe(201);
  await old.api.logged();
  const lines = await old.admin.rows('select from request_logs where account_id = $1', [other.accountId]);
  expect(lines.length).toBeGreaterThan(0);
  await completes(dealer);
});

test('while a dealer is closed, it is read although something of it has become due', async () => {
  const dealer = await newDealer(old.api);
  const { data: car } = (await dealer.post('vehicles', aCar())).json;
  const { data: customer } = (await dealer.post('customers', { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '+905331234567' }))
    .json;
  expect((await dealer.post(`vehicles/${car.id}/reserve`, { customer_id: customer.id })).status).toBe(200);
  await killIn(WHILE_CLOSED, dealer);
  old.api.clock.advance(60 * 86_400_000);
  expect((await dealer.get('vehicles')).status).toBe(200);
  await completes(dealer);
});
