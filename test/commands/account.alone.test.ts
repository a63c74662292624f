// `account create|set` and `staff create`: their output, their one-line errors, and that a key sees the change at once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountCommand } from '../../src/commands/account/account.ts';
import { UsageError } from '../../src/commands/command.ts';
import { staffCommand } from '../../src/commands/staff.ts';
import { setSuspended } from '../../src/domain/accounts/suspension.ts';
import { newId } from '../../src/kit/ids.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { TEST_SECRET } from '../support/database.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { printed } from './printed.ts';

/** A node learns of a change within a second. */
const { poll: eventually } = expect;

let api: TestService;
let admin: Session;
let folder = '';
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  folder = await mkdtemp(join(tmpdir(), 'galeri-account-'));
  Object.assign(process.env, { DATABASE_URL: api.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
  dealer = await newDealer(api, { name: 'Biz Oto' });
});
afterAll(async () => {
  await admin.close();
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const account = async (...args: string[]) => JSON.parse(await printed(() => accountCommand.run([...args, '--json'])));
const staff = async (...args: string[]) => JSON.parse(await printed(() => staffCommand.run([...args, '--json'])));
const refusal = async (run: () => Promise<unknown>): Promise<string> => {
  const error = await run().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).not.toContain('\n');
  return (error as Error).message;
};

describe('account', () => {
  test('is created with its registered name and phone', async () => {
    const made = await account('create', '--name', 'Yeni Oto', '--legal-name=Yeni Otomotiv Ltd.', '--phone', '0533 812 34 56');
    expect(Object.keys(made)).toEqual(['id', 'name']);
    const [row] = await admin.rows(`select legal_name, phone from accounts where id = '${made.id}'`);
    expect(row).toEqual({ legal_name: 'Yeni Otomotiv Ltd.', phone: '+905338123456' });
    expect(await refusal(() => accountCommand.run(['create', '--name', 'X', '--phone', 'yok']))).toContain('phone must be');
  });

  test('is changed, and a key that has read it before reads the change', async () => {
    const read = async (path: string) => (await dealer.get(path)).json.data;
    expect(await read('account')).toMatchObject({ legal_name: expect.stringMatching(/^Galeri /), city: null });
    expect((await read('account/capabilities')).account).toMatchObject({ dealer_network: true, import: true });
    const args = ['--legal-name', 'Biz Otomotiv Ltd.', '--phone', '05338120000', '--city=Lefkoşa'];
    const switches = ['--capability', 'dealer_network=off', '--capability=import=off'];
    const changed = await account('set', dealer.accountId, ...args, ...switches);
    expect(changed).toMatchObject({
      id: dealer.accountId,
      name: 'Biz Oto',
      legal_name: 'Biz Otomotiv Ltd.',
      phone: '+905338120000',
      city: 'Lefkoşa',
      status: 'Aktif',
      capabilities: { dealer_network: false, marketplace: true, live_auctions: true, import: false },
    });
    await eventually(() => read('account')).toMatchObject({ legal_name: 'Biz Otomotiv Ltd.', city: 'Lefkoşa' });
    await eventually(async () => (await read('account/capabilities')).account).toMatchObject({ dealer_network: false });
    const [line] = await admin.rows(
      `select before, after, actor_type from audit_log where action = 'account.changed' and target = '${dealer.accountId}'`,
    );
    expect(line).toMatchObject({
      actor_type: 'cli',
      before: { legal_name: 'Galeri 1 Ltd.', dealer_network: true },
      after: { legal_name: 'Biz Otomotiv Ltd.', dealer_network: false },
    });
    expect(await account('set', dealer.accountId, '--legal-name', '')).toMatchObject({ legal_name: null });
  });

  test('is suspended and reopened; a key that has read it before sees it', async () => {
    const suspended = await newDealer(api);
    const status = async () => (await suspended.get('account')).json.data.status;
    expect(await status()).toBe('Aktif');
    expect(await account('set', suspended.accountId, '--status', 'Askıda')).toMatchObject({ status: 'Askıda' });
    await eventually(status).toBe('Askıda');
    await eventually(async () => (await suspended.post('tasks', { title: 'x' })).json.error?.code).toBe('account_suspended');
    expect(await account('set', suspended.accountId, '--status=Aktif')).toMatchObject({ status: 'Aktif' });
    await eventually(async () => (await suspended.post('tasks', { title: 'x' })).status).toBe(201);
    expect(await status()).toBe('Aktif');
    // As the administrator's screen does.
    await api.database.onPlatform('write', (db) => setSuspended(db, suspended.accountId, true, null, TEST_ACTOR, new Date()));
    await eventually(status).toBe('Askıda');
  });

  test.each([
    [[], 'there is nothing to change'],
    [['--status', 'Kapalı'], 'status must be one of'],
    [['--status', ''], 'status is required'],
    [['--phone', 'abc'], 'phone must be'],
    [['--capability', 'boats=on'], '--capability must be one of'],
    [['--capability', 'import=maybe'], '--capability must be import=on or import=off'],
    [['--name', 'x'], "Unknown option '--name'"],
  ])('%j is refused and changes nothing', async (args, message) => {
    const stored = () => admin.rows(`select * from accounts where id = '${dealer.accountId}'`);
    const before = await stored();
    expect(await refusal(() => accountCommand.run(['set', dealer.accountId, ...args]))).toContain(message);
    expect(await stored()).toEqual(before);
  });

  test('that does not exist is reported', async () => {
    expect(await refusal(() => accountCommand.run(['set', newId(), '--city', 'X']))).toContain('there is no account');
    expect(await refusal(() => accountCommand.run(['set', 'biz', '--city', 'X']))).toContain('must be the id of an account');
  });
});

describe('staff', () => {
  test('without a branch belong to the main one, and can be named by a task', async () => {
    const { id, ...more } = await staff('create', '--account', dealer.accountId, '--name', 'Deniz Kaya');
    expect(more).toEqual({});
    const branches = (await dealer.get('account/branches')).json.data;
    const main = branches.find((one: { is_main: boolean }) => one.is_main);
    const listed = async () => (await dealer.get(`account/branches/${main.id}`)).json.data.staff;
    await eventually(listed).toEqual([{ id, full_name: 'Deniz Kaya', role: 'sales', active: true }]);
    expect((await dealer.post('tasks', { title: 'Ara', assignee_id: id })).status).toBe(201);
    const args = ['--account', dealer.accountId, '--name', 'Ece Su', '--branch', main.id, '--role', 'finance'];
    const second = await staff('create', ...args);
    await eventually(listed).toContainEqual({ id: second.id, full_name: 'Ece Su', role: 'finance', active: true });
  });

  test.each([
    [['--name', 'X'], '--account is missing'],
    [['--account', newId(), '--name', 'X'], 'there is no account'],
    [['--account', 'OURS'], '--name is missing'],
    [['--account', 'OURS', '--name', 'X', '--role', 'boss'], 'role must be one of'],
    [['--account', 'OURS', '--name', 'X', '--branch', newId()], 'There is no such branch'],
    [['--account', 'OURS', '--name', 'X', '--branch', 'merkez'], 'branch_id must be a uuid'],
  ])('%j is refused', async (args, message) => {
    const given = args.map((one) => (one === 'OURS' ? dealer.accountId : one));
    expect(await refusal(() => staffCommand.run(['create', ...given]))).toContain(message);
  });
});
