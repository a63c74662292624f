// `galeri logs tail`: finished requests as they happen, of the whole platform, of one account or of one key.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../src/commands/command.ts';
import { logsCommand } from '../../src/commands/logs.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { newDealer } from '../support/writer.ts';
import { type Running, running } from './running.ts';

let api: TestService;
const started: Running[] = [];
beforeAll(async () => {
  api = await testService();
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await api.close();
});

const settings = () => ({ DATABASE_URL: api.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(api.filesDir, 'command') });

function tail(...args: string[]): Running {
  const command = running(['logs', 'tail', ...args], settings());
  started.push(command);
  return command;
}

/** Sends requests until the command has printed one: it shows only requests after its start. */
async function watching(command: Running, ask: () => Promise<unknown>): Promise<void> {
  await expect
    .poll(async () => {
      await ask();
      return command.stdout();
    })
    .not.toBe('');
}

test('prints each request once, with the fields of the log, the address masked; Ctrl-C ends it', async () => {
  const [one, other] = [await newDealer(api), await newDealer(api)];
  const { id: key, secret } = await api.key(one.accountId, { endpoints: ['GET vehicles'] });
  const [all, account, single] = [tail(), tail('--account', one.accountId, '--json'), tail('--key', key)];
  await watching(all, () => other.get('account'));
  await watching(account, () => one.get('account'));
  await watching(single, () => api.call('vehicles', { key: secret, headers: { 'user-agent': 'Sayaç/1' } }));
  await other.get('vehicles?limit=1');
  const refused = await api.call('customers', { key: secret });
  const id = refused.headers.get('x-request-id');
  for (const command of [all, account, single])
    await expect.poll(() => command.lines().map(({ request_id }) => request_id)).toContain(id);
  expect(single.lines().find(({ request_id }) => request_id === id)).toEqual({
    account_id: one.accountId,
    request_id: id,
    timestamp: expect.stringMatching(/Z$/),
    method: 'GET',
    path: '/api/v1/customers',
    endpoint: 'GET customers',
    status: 403,
    error_code: 'insufficient_scope',
    duration_ms: expect.any(Number),
    ip: '127.0.•.•',
    user_agent: expect.any(String),
    response_bytes: expect.any(Number),
    via: null,
    client: null,
    key_id: key,
    key_name: expect.any(String),
    environment: 'production',
  });
  expect(new Set(single.lines().map(({ key_id }) => key_id))).toEqual(new Set([key]));
  expect(new Set(account.lines().map(({ account_id }) => account_id))).toEqual(new Set([one.accountId]));
  await expect
    .poll(() => all.lines().map(({ account_id, path }) => [account_id, path]))
    .toContainEqual([other.accountId, '/api/v1/vehicles']);
  for (const command of [all, account, single]) {
    const ids = command.lines().map(({ request_id }) => request_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await command.stop()).toBe(0);
    expect(command.stderr()).toBe('');
  }
});

test.each([
  ['no act', [], 'logs takes tail'],
  ['another act', ['show'], 'logs takes tail'],
  ['a key that is not an id', ['tail', '--key', 'x'], '--key must be an id such as 0199c5f2-…, not "x"'],
])('%s prints one line', async (_, args, message) => {
  await expect(logsCommand.run(args)).rejects.toThrow(new UsageError(message));
});

test('an unknown account or key prints one line', async () => {
  const { accountId } = await newDealer(api);
  const { id } = await api.key(accountId);
  const none = '0199c5f2-0000-7000-8000-000000000000';
  for (const [args, message] of [
    [['--account', none], `there is no account ${none}; see galeri account list`],
    [['--key', none], `there is no key ${none}; see galeri key list --account ID`],
    [['--key', id, '--account', await api.account()], `there is no key ${id} in this account; see galeri key list --account ID`],
  ] as const) {
    const command = tail(...args);
    expect(await command.code).toBe(1);
    expect(command.stderr()).toBe(`galeri: ${message}\n`);
  }
});
