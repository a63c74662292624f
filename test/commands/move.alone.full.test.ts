// `account move` between two deployments: everything of the dealer is at the new place, nothing at the old one, and others are untouched.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountCommand } from '../../src/commands/account/account.ts';
import { UsageError } from '../../src/commands/command.ts';
import { decideDemo, openDemo } from '../../src/commands/serve/serve-demo.ts';
import { readConfig } from '../../src/config.ts';
import { proveBooks } from '../../src/domain/wallet/books.ts';
import type { Connected } from '../../src/postgres/connect.ts';
import { prepareRoles } from '../../src/postgres/roles.ts';
import { Browser, newPerson } from '../panel/people.ts';
import { hashes } from '../support/backups.ts';
import { aCar, dealerWith } from '../support/writer.ts';
import { type Dealer, fillDealer } from '../tenancy/dealers.ts';
import { addFile, closeDeals, moveTo, newPlace, type Place, rowsOf, settingsOf } from './moves.ts';
import { printed } from './printed.ts';

const { poll: eventually } = expect;
let old: Place;
let fresh: Place;
/** The sealed values that fillDealer() makes up are in `fresh` by then. */
let third: Place | undefined;
let full: Dealer;
let rival: Dealer;

beforeAll(async () => {
  [old, fresh] = [await newPlace(), await newPlace()];
  await old.admin.rows(`insert into deployment (demo) values ('none') on conflict (only_row) do update set demo = 'none'`);
  full = await fillDealer(old.api, 'Qalfaq', 7);
  rival = await fillDealer(old.api, 'Wbetaw', 8);
  Object.assign(process.env, settingsOf(old));
});
afterAll(async () => {
  await old?.close();
  await fresh?.close();
  await third?.close();
});

const move = async (...args: string[]) => JSON.parse(await printed(() => accountCommand.run(['move', ...args, '--json'])));
const refusal = async (...args: string[]): Promise<string> => {
  const error = await accountCommand.run(['move', ...args]).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).not.toContain('\n');
  return (error as Error).message;
};
const imbalanceAt = ({ api }: Place) => api.database.onPlatform('read', async (db) => (await proveBooks(db)).imbalance);

test('open deals with dealers of the old place are named', async () => {
  const before = [await hashes(old.api.adminUrl), await hashes(fresh.api.adminUrl)];
  const line = await refusal(full.accountId, ...moveTo(fresh));
  expect(line).toMatch(/^the dealer has open business here; close it first: .*open offer [0-9a-f-]{36}/);
  expect([await hashes(old.api.adminUrl), await hashes(fresh.api.adminUrl)]).toEqual(before);
});

test('mistakes are one line', async () => {
  await closeDeals(old);
  expect(await refusal(full.accountId, '--files', 'shared')).toBe('--to is missing');
  expect(await refusal(full.accountId, '--to', 'nowhere', '--files', 'shared')).toMatch(/^--to is not the DATABASE_URL/);
  expect(await refusal(full.accountId, '--to', old.api.adminUrl, '--files', 'shared')).toBe(
    '--to is the database of this deployment',
  );
  expect(await refusal(full.accountId, '--finish')).toBe(`the account ${full.accountId} has not moved away from here`);
  expect(await refusal(full.accountId, '--to', fresh.api.adminUrl, '--abort')).toBe(
    `the account ${full.accountId} is not being moved`,
  );
  expect(await refusal(full.accountId, ...moveTo(fresh), '--public-url', 'x')).toMatch(/^--public-url must be/);
});

test('another secret at the new place is refused', async () => {
  const role = new URL(fresh.api.urls.platformUrl);
  await fresh.admin.rows(`alter role ${role.username} password 'another'`);
  expect(await refusal(full.accountId, ...moveTo(fresh))).toMatch(/^GALERI_SECRET of the deployment at --to is another one/);
  await fresh.admin.rows(`alter role ${role.username} password '${role.password}'`);
});

test('a person or showroom address of another dealer there is named', async () => {
  const person = await newPerson(old.api, { accountId: full.accountId });
  await fresh.admin.rows(
    `insert into people (id, email, full_name, password_hash) values (gen_random_uuid(), $1, 'Başka Biri', 'x')`,
    [person.email.toUpperCase()],
  );
  expect(await refusal(full.accountId, ...moveTo(fresh))).toContain('another person has this address');
  await fresh.admin.rows('delete from people where email = $1', [person.email.toUpperCase()]);
});

test('--dry-run counts and changes nothing', async () => {
  await old.api.logged();
  const before = [await hashes(old.api.adminUrl), await hashes(fresh.api.adminUrl)];
  const shown = await move(full.accountId, ...moveTo(fresh), '--dry-run');
  expect(shown.rows).toBeGreaterThan(100);
  expect(await hashes(fresh.api.adminUrl)).toEqual(before[1]);
  expect(await hashes(old.api.adminUrl)).toEqual(before[0]);
});

test('a dealer with a row in every table is at the new place with all of it, and nothing is left', async () => {
  const { call } = old.api;
  const secret = full.keys.all.secret;
  const file = await addFile(old, full.accountId, 'the file of a dealer');
  await old.api.logged();
  const there = await hashes(fresh.api.adminUrl);
  const [mine, others] = [await rowsOf(old, [full.accountId]), await rowsOf(old, [rival.accountId])];
  const [sequence] = await old.admin.rows<{ sequence: string }>('select sequence from data_sets where id = $1', [full.accountId]);

  const moved = await move(full.accountId, ...moveTo(fresh), '--public-url', 'https://cell2.example.com');
  expect(await rowsOf(fresh, [full.accountId])).toEqual(mine);
  expect(moved.closed_ms).toBeLessThan(60_000);
  expect(await rowsOf(old, [rival.accountId])).toEqual(others);
  // What is left is the log of other dealers' bids.
  expect(Object.keys(await rowsOf(old, [full.accountId])).filter((name) => !name.startsWith('auction_bid'))).toEqual([]);
  expect(existsSync(join(old.api.filesDir, file))).toBe(false);
  expect(readFileSync(join(fresh.api.filesDir, file), 'utf8')).toBe('the file of a dealer');
  const after = await hashes(fresh.api.adminUrl);
  for (const name of ['exchange_rates', 'releases', 'rate_news', 'platform_bank_accounts']) expect(after[name]).toBe(there[name]);

  await eventually(async () => (await call('/api/v1/vehicles?limit=2', { key: secret })).status).toBe(308);
  const redirected = await call('/api/v1/vehicles?limit=2', { key: secret });
  expect(redirected.headers.get('location')).toBe('https://cell2.example.com/api/v1/vehicles?limit=2');
  expect(redirected.json.error.code).toBe('account_moved');
  await eventually(async () => (await fresh.api.call('/api/v1/vehicles', { key: secret })).status).toBe(200);
  const made = await dealerWith(fresh.api, full.accountId, secret).post('vehicles', aCar());
  expect(made.status).toBe(201);
  const numbers = await fresh.admin.rows<{ sequence: string }>(
    'select sequence from events where account_id = $1 and sequence > $2 order by 1',
    [full.accountId, sequence!.sequence],
  );
  expect(numbers.map((one) => BigInt(one.sequence))).toEqual(
    numbers.map((_, at) => BigInt(sequence!.sequence) + BigInt(at) + 1n),
  );
  expect(numbers.length).toBeGreaterThan(0);
  expect((await call('/api/v1/vehicles', { key: rival.keys.all.secret })).status).toBe(200);
  expect(moved.prefixes).toContain(secret.slice(0, 13));
});

test('--finish ends the redirect', async () => {
  await move(full.accountId, '--finish');
  await eventually(async () => (await old.api.call('/api/v1/vehicles', { key: full.keys.all.secret })).status).toBe(401);
});

test('a dealer of the demonstration moves with its people and sales, and the books agree at both places', async () => {
  third = await newPlace();
  const there = third;
  const dataDir = dirname(old.api.filesDir);
  const state = await old.api.database.onPlatform('write', (db) => decideDemo(db, 'always', false));
  const urls = await prepareRoles(old.api.adminUrl, old.api.secrets.roles);
  const connected = { ...old.api, urls } as unknown as Connected;
  const demo = (await openDemo(readConfig({ DATA_DIR: dataDir }), connected, state, 'always', old.api.clock))!;
  const [dealer] = await old.admin.rows<{ id: string }>(
    'select account_id as id from api_keys where account_id in (select id from accounts where is_demo)',
  );
  const account = dealer!.id;
  expect(await refusal(account, ...moveTo(there))).toContain(' with ');
  await closeDeals(old);
  await old.api.logged();
  const people = await old.admin.rows<{ email: string }>(
    'select email from people where id in (select person_id from members where account_id = $1) order by 1',
    [account],
  );
  expect(people.length).toBeGreaterThan(0);
  const before = [await imbalanceAt(old), await imbalanceAt(there)];
  const mine = await rowsOf(old, [account]);
  await move(account, ...moveTo(there));
  expect(await rowsOf(there, [account])).toEqual(mine);
  expect([await imbalanceAt(old), await imbalanceAt(there)]).toEqual(before);
  const gone = await old.api.call('/api/v1/vehicles', { key: demo.key });
  expect([gone.status, gone.headers.get('location')]).toEqual([410, null]);
  await eventually(async () => (await there.api.call('/api/v1/sales', { key: demo.key })).status).toBe(200);
  const { email, password } = demo.people.find(({ email }) => email === people[0]!.email)!;
  expect((await new Browser(there.api.service.url).signIn(email, password)).status).toBe(303);
  expect((await new Browser(old.api.service.url).signIn(email, password)).status).not.toBe(303);
});
