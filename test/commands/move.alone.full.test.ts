// `account move` between two deployments: everything of the dealer is at the new place, nothing at the old one, and others are untouched.
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountCommand } from '../../src/commands/account/account.ts';
import { UsageError } from '../../src/commands/command.ts';
import { decideDemo, openDemo } from '../../src/commands/serve/serve-demo.ts';
import { readConfig } from '../../src/config.ts';
import { SEALED_COLUMNS } from '../../src/domain/reseal.ts';
import { vaultMark } from '../../src/domain/vault/secrets.ts';
import { proveBooks } from '../../src/domain/wallet/books.ts';
import type { Connected } from '../../src/postgres/connect.ts';
import { prepareRoles } from '../../src/postgres/roles.ts';
import { Browser, newPerson } from '../panel/people.ts';
import { hashes } from '../support/backups.ts';
import { aCar, dealerWith, newDealer } from '../support/writer.ts';
import { type Dealer, fillDealer } from '../tenancy/dealers.ts';
import { bidOnTheOther } from '../tenancy/fill-writes.ts';
import { addFile, closeDeals, moveTo, newPlace, type Place, rowsOf, settingsOf, unchecked } from './moves.ts';
import { printed } from './printed.ts';

const { poll: eventually } = expect;
let old: Place;
let fresh: Place;
let third: Place | undefined;
let full: Dealer;
let rival: Dealer;

beforeAll(async () => {
  [old, fresh] = [await newPlace(), await newPlace()];
  full = await fillDealer(old.api, 'Qalfaq', 7);
  rival = await fillDealer(old.api, 'Wbetaw', 8);
  // Each has bid on an ended auction of the other.
  for (const [bidder, seller] of [
    [full, rival],
    [rival, full],
  ] as const)
    await bidOnTheOther(old.api.database, bidder, seller);
  // fillDealer() makes up the values of these columns; the first byte names the vault secret.
  for (const [table, column] of SEALED_COLUMNS.map((name) => name.split('.')))
    await unchecked(old, `update ${table} set ${column} = set_byte(${column}, 0, 1) where length(${column}) > 0`);
  await unchecked(
    old,
    `update network_auctions set status = 'Bitti', result = 'Satılmadı', ended_at = now() where id in (select item_id from auction_bids)`,
  );
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
  expect(line).toMatch(/^complete or cancel these before the move: .*open offer [0-9a-f-]{36}/);
  expect([await hashes(old.api.adminUrl), await hashes(fresh.api.adminUrl)]).toEqual(before);
});

test('mistakes are one line', async () => {
  await closeDeals(old);
  expect(await refusal(full.accountId, '--files', 'shared')).toBe('--to is missing');
  expect(await refusal(full.accountId, '--to', 'nowhere', '--files', 'shared')).toMatch(/^--to is not the DATABASE_URL/);
  expect(await refusal(full.accountId, '--to', old.api.adminUrl, '--files', 'shared')).toBe(
    '--to must be the database of another deployment',
  );
  expect(await refusal(full.accountId, '--finish')).toBe(`the account ${full.accountId} has not moved away from here`);
  expect(await refusal(full.accountId, '--to', fresh.api.adminUrl, '--abort')).toBe(
    `the account ${full.accountId} is not being moved`,
  );
  expect(await refusal(full.accountId, ...moveTo(fresh), '--public-url', 'x')).toMatch(/^--public-url must be/);
  // Its own files under another path.
  const path = join(dirname(fresh.api.filesDir), 'link');
  symlinkSync(old.api.filesDir, path);
  expect(await refusal(full.accountId, '--to', fresh.api.adminUrl, '--files', path)).toBe(
    'both deployments use this file store; use --files shared',
  );
});

test('another secret at the new place is refused', async () => {
  await fresh.admin.rows(`update deployment set vault_mark = '0123456789abcdef'`);
  expect(await refusal(full.accountId, ...moveTo(fresh))).toMatch(/^the deployment at --to has a different GALERI_VAULT_SECRET/);
  await fresh.admin.rows('update deployment set vault_mark = null');
  expect(await refusal(full.accountId, ...moveTo(fresh))).toMatch(/^start the service at --to once/);
  await fresh.admin.rows('update deployment set vault_mark = $1', [vaultMark(fresh.api.secrets)]);
  const reseal = (from: number, to: number) =>
    unchecked(
      old,
      `update enquiries set name_encrypted = set_byte(name_encrypted, 0, ${to}) where get_byte(name_encrypted, 0) = ${from}`,
    );
  await reseal(1, 99);
  expect(await refusal(full.accountId, ...moveTo(fresh))).toMatch(/^some values are encrypted with an earlier vault secret/);
  await reseal(99, 1);
  const role = new URL(fresh.api.urls.platformUrl);
  await fresh.admin.rows(`alter role ${role.username} password 'another'`);
  expect(await refusal(full.accountId, ...moveTo(fresh))).toMatch(/^the deployment at --to has a different GALERI_SECRET/);
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
  // Bids go along with the auction that they are on.
  const withoutBids = (rows: Record<string, string[]>) =>
    Object.entries(rows).filter(([name]) => !name.startsWith('auction_bid'));
  expect(withoutBids(await rowsOf(old, [rival.accountId]))).toEqual(withoutBids(others));
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

const bidsOn = async ({ admin }: Place, seller: string): Promise<string[]> =>
  (
    await admin.rows<{ row: string }>(
      `select to_jsonb(b)::text as row from auction_bids b join network_auctions a on a.id = b.item_id
        where a.account_id = $1 and b.account_id <> $1 order by 1`,
      [seller],
    )
  ).map(({ row }) => row);

test('the dealer who bid on its ended auction follows: the bids of both are at the new place', async () => {
  const [onFull, onRival] = [await bidsOn(fresh, full.accountId), await bidsOn(old, rival.accountId)];
  expect([onFull.length > 0, onRival.length > 0]).toEqual([true, true]);
  await move(rival.accountId, ...moveTo(fresh));
  expect(await bidsOn(fresh, full.accountId)).toEqual(onFull);
  expect(await bidsOn(fresh, rival.accountId)).toEqual(onRival);
  await move(rival.accountId, '--finish');
  // Back and away again, while the other one stays.
  for (const [from, to] of [
    [fresh, old],
    [old, fresh],
  ] as const) {
    Object.assign(process.env, settingsOf(from));
    await move(rival.accountId, ...moveTo(to));
    expect(await bidsOn(to, rival.accountId)).toEqual(onRival);
  }
  Object.assign(process.env, settingsOf(old));
  expect(await bidsOn(fresh, full.accountId)).toEqual(onFull);
  await move(rival.accountId, '--finish');
});

test('back and away again', async () => {
  const dealer = await newDealer(old.api);
  const key = (place: Place) => dealerWith(place.api, dealer.accountId, dealer.key);
  const bulletin = (place: Place, bank: string, daysAgo: number) =>
    place.admin.rows(
      `insert into exchange_rates (source, rate_date, base, buying, selling, fetched_at)
        values ($1, now()::date - $2::int, 'EUR', 6.6, 6.7, now())`,
      [bank, daysAgo],
    );
  for (const days of [1, 20, 2000]) for (const bank of ['TCMB', 'KKTCMB']) await bulletin(old, bank, days);
  await bulletin(fresh, 'TCMB', 5);
  for (const [from, to] of [
    [old, fresh],
    [fresh, old],
    [old, fresh],
  ] as const) {
    Object.assign(process.env, settingsOf(from));
    await move(dealer.accountId, ...moveTo(to));
    await eventually(async () => (await key(to).post('vehicles', aCar())).status).toBe(201);
    await eventually(async () => (await key(from).get('vehicles')).status).toBe(410);
  }
  Object.assign(process.env, settingsOf(old));
  // Reports of past days need the rates of those days; later ones are the new place's own.
  const days = await fresh.admin.rows(
    'select source, now()::date - rate_date as days from exchange_rates order by source, rate_date desc',
  );
  const of = (source: string, ...ages: number[]) => ages.map((age) => ({ source, days: age }));
  expect(days).toEqual([...of('KKTCMB', 20, 2000), ...of('TCMB', 5, 20, 2000)]);
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
