// `demo remove` beside real dealers: afterwards every table and the store are as before the demonstration.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { demoCommand } from '../../src/commands/demo.ts';
import { decideDemo, openDemo } from '../../src/commands/serve/serve-demo.ts';
import { readConfig } from '../../src/config.ts';
import { createReset } from '../../src/domain/identity/invitations.ts';
import { addMember, personByEmail } from '../../src/domain/identity/people.ts';
import { queueMail } from '../../src/domain/mail/mail-queue.ts';
import { vaultKeys } from '../../src/domain/vault/vault.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import type { Connected } from '../../src/postgres/connect.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { prepareRoles } from '../../src/postgres/roles.ts';
import { Browser, newPerson, signedIn } from '../panel/people.ts';
import { TEST_SECRET } from '../support/database.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { type Dealer, fillDealer } from '../tenancy/dealers.ts';
import { bidOnTheOther } from '../tenancy/fill-writes.ts';

let service: TestService;
let admin: Session;
let real: Dealer;
let dataDir: string;
beforeAll(async () => {
  service = await testService();
  admin = await openSession(service.adminUrl);
  dataDir = dirname(service.filesDir);
  Object.assign(process.env, { DATABASE_URL: service.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: dataDir });
  await admin.rows('insert into deployment default values on conflict do nothing');
  await admin.rows(`update deployment set demo = 'none'`);
  real = await fillDealer(service, 'Qalfaq', 7);
});
afterAll(async () => {
  await admin.close();
  await service.close();
});

async function remove(...args: string[]): Promise<Record<string, number>> {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  try {
    await demoCommand.run(['remove', '--json', ...args]);
  } finally {
    spy.mockRestore();
  }
  return JSON.parse(lines.join(''));
}

async function load() {
  const config = readConfig({ DATA_DIR: dataDir });
  const state = await service.database.onPlatform('write', (db) => decideDemo(db, 'always', false));
  const { database, secrets, adminUrl } = service;
  const urls = await prepareRoles(adminUrl, secrets.roles);
  const connected = { database, secrets, urls } as unknown as Connected;
  return (await openDemo(config, connected, state, 'always', service.clock))!;
}

const tables = async (): Promise<string[]> =>
  (
    await admin.rows<{ name: string }>(`select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  ).map(({ name }) => name);

/** Every row of every table except the audit log, as text. */
async function everything(): Promise<Record<string, string[]>> {
  await service.logged();
  const all: Record<string, string[]> = {};
  for (const name of await tables()) {
    if (name === 'audit_log') continue;
    const rows = await admin.rows<{ row: string }>(`select row_to_json(t)::text as row from "${name}" t order by 1`);
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

const filesOf = async (accountId: string): Promise<string[]> =>
  (await admin.rows<{ name: string }>('select name from stored_files where account_id = $1', [accountId])).map(({ name }) =>
    join(service.filesDir, name),
  );

async function putFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'x');
  }
}

test('every table and every file is as it was without it', async () => {
  const person = await newPerson(service, { accountId: real.accountId });
  await signedIn(service, person);
  await service.call('/api/v1/vehicles', { key: real.keys.all.secret });
  const realFiles = await filesOf(real.accountId);
  await putFiles(realFiles);
  const before = await everything();

  const demo = await load();
  // A dealer of the demonstration with a row in every table, used by its people and its key.
  const used = await fillDealer(service, 'Wbetaw', 8);
  const rival = await fillDealer(service, 'Eepsile', 9);
  for (const [one, other] of [
    [used, rival],
    [rival, used],
  ] as const)
    await bidOnTheOther(service.database, one, other);
  await admin.rows('update accounts set is_demo = true where id = any($1)', [[used.accountId, rival.accountId]]);
  const demoAccounts = await admin.rows<{ id: string }>('select id from accounts where is_demo');
  const demoFiles = (await Promise.all(demoAccounts.map(({ id }) => filesOf(id)))).flat();
  await putFiles(demoFiles);
  expect(demoFiles.length).toBeGreaterThan(0);
  await service.call('/api/v1/vehicles', { key: used.keys.all.secret });
  const { call } = service;
  expect((await call('/api/v1/vehicles', { key: demo.key })).status).toBe(200);
  const browser = new Browser(service.service.url);
  expect((await browser.signIn('yonetici@galeri.example.com', demo.people[0]!.password)).status).toBe(303);
  expect((await browser.readSession()).json.data.demo).toBe(true);
  await service.database.onPlatform('write', async (db) => {
    const boss = (await personByEmail(db, 'yonetici@galeri.example.com'))!;
    await createReset(db, person.id, { by: boss.id }, TEST_ACTOR, new Date());
    await createReset(db, boss.id, { by: null }, TEST_ACTOR, new Date());
    const mail = { to: boss.email, subject: 's', text: 't' };
    await queueMail(db, vaultKeys(service.secrets), mail, new Date());
  });
  await service.logged();
  const walled = await admin.rows<{
    name: string;
  }>(`select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'account_id' and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  for (const { name } of walled) {
    const [row] = await admin.rows(`select from "${name}" where account_id = $1 limit 1`, [used.accountId]);
    expect(row, `fillDealer() puts nothing into ${name}`).toBeDefined();
  }

  const removed = await remove();
  expect(removed).toMatchObject({ accounts: 5, people: 10, files: demoFiles.length });
  expect(await everything()).toEqual(before);
  expect(demoFiles.filter(existsSync)).toEqual([]);
  expect(realFiles.filter(existsSync)).toEqual(realFiles);
  expect(existsSync(join(dataDir, 'demo.json'))).toBe(false);
  // No events were emitted.
  expect((await call('/api/v1/vehicles', { key: demo.key })).status).toBe(401);
  expect((await call('/api/v1/vehicles', { key: real.keys.all.secret })).status).toBe(200);
  const [audited] = await admin.rows(
    `select actor_type, action from audit_log where action like 'demo.%' order by id desc limit 1`,
  );
  expect(audited).toEqual({ actor_type: 'cli', action: 'demo.removed' });
  expect(await remove()).toEqual({ accounts: 0, people: 0, rows: 0, files: 0 });
});

test('a person who works in a dealer of the demonstration is named first; --force removes the dealer anyway', async () => {
  await load();
  const [dealer] = await admin.rows<{ id: string; name: string }>(
    'select id, name from accounts where is_demo order by id limit 1',
  );
  const person = await newPerson(service, { accountId: dealer!.id });
  await expect(remove()).rejects.toThrow(
    `${person.email} works in the demonstration dealer ${dealer!.name}; --force removes ${dealer!.name} with all its data`,
  );
  expect(await admin.rows('select from accounts where is_demo')).toHaveLength(3);
  await remove('--force');
  expect(await admin.rows('select from accounts where is_demo')).toEqual([]);
  expect(await admin.rows('select from people where id = $1', [person.id])).toHaveLength(1);
});

test('a person of the demonstration who works for a real dealer is named first; with --force they stay as staff', async () => {
  await load();
  const accountId = await service.account({ name: 'Gerçek Oto' });
  const email = 'defne.aksoy@besparmakotogaleri.example.com';
  const [owner] = await admin.rows<{ id: string; email: string }>(
    'select id, email from people where is_demo and not is_admin limit 1',
  );
  const task = newId();
  const member = await service.database.onPlatform('write', (db) =>
    addMember(db, { accountId, personId: owner!.id, fullName: 'Defne', role: 'sales', email }, TEST_ACTOR),
  );
  await service.database.inTenant(accountId, 'write', (db) =>
    db.exec(sql`insert into tasks (account_id, id, title, assignee_id) values (${accountId}, ${task}, 'Ara', ${member.id})`),
  );
  await expect(remove()).rejects.toThrow(`${owner!.email} is a demonstration user on the staff of Gerçek Oto`);
  await remove('--force');
  expect(await admin.rows('select person_id, active, full_name from members where id = $1', [member.id])).toEqual([
    { person_id: null, active: false, full_name: 'Defne' },
  ]);
  expect(await admin.rows('select from tasks where id = $1', [task])).toHaveLength(1);
});
