// The commands of `sdk/cli`, from their sources: what they refuse, and `logs tail`, which reads the request log over HTTP.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '../../src/domain/keys/keys.ts';
import { type Running, running } from '../commands/running.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';

const PROGRAM = [process.execPath, resolve(import.meta.dirname, '../../sdk/cli/src/galeri.ts')];
const ENDPOINTS = ['GET account', 'GET developer/request-logs'];

let base: TestDatabase;
let api: TestService;
const started: Running[] = [];
beforeAll(async () => {
  base = await testDatabase();
  api = await testService({ shared: base });
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await api?.close();
  await base?.close();
});

function galeri(args: string[], env: Record<string, string> = {}): Running {
  const command = running(args, { GALERI_URL: api.service.url, ...env }, null, PROGRAM);
  started.push(command);
  return command;
}

const newKey = async () => api.key(await api.account(), { endpoints: ENDPOINTS });
const follows = (command: Running) => expect.poll(() => command.stderr()).toContain('Following the requests of the key');
const idsOf = (command: Running) => command.lines().map(({ request_id }) => request_id);

test('logs tail prints each request of the key once, in their order, and none of its own; Ctrl-C ends it', async () => {
  const [one, other] = [await newKey(), await newKey()];
  await api.call('account', { key: one.secret });
  const command = galeri(['logs', 'tail'], { GALERI_KEY: one.secret });
  await follows(command);
  const asked: (string | null)[] = [];
  for (const path of ['account', 'customers', 'account']) {
    await api.call('account', { key: other.secret });
    const { headers } = await api.call(path, { key: one.secret, headers: { 'user-agent': 'Sayaç/1' } });
    asked.push(headers.get('x-request-id'));
  }
  await expect.poll(() => idsOf(command).sort()).toEqual(asked.toSorted());
  const last = await api.call('account?x=1', { key: one.secret });
  asked.push(last.headers.get('x-request-id'));
  await expect.poll(() => idsOf(command).sort()).toEqual(asked.toSorted());
  const times = command.lines().map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
  expect(command.lines().find(({ status }) => status === 403)).toMatchObject({
    method: 'GET',
    path: '/api/v1/customers',
    error_code: 'insufficient_scope',
    user_agent: 'Sayaç/1',
    key_id: one.id,
  });
  expect(await command.stop()).toBe(0);
  expect(command.stderr()).toBe(`Following the requests of the key at ${api.service.url}; Ctrl-C stops it.\n`);
});

test('logs tail reads more requests than a page has', async () => {
  const { secret: key } = await newKey();
  const command = galeri(['logs', 'tail'], { GALERI_KEY: key });
  await follows(command);
  const asked = await Promise.all(Array.from({ length: 230 }, () => api.call('account', { key })));
  await expect.poll(() => idsOf(command).length).toBe(asked.length);
  expect(new Set(idsOf(command))).toEqual(new Set(asked.map(({ headers }) => headers.get('x-request-id'))));
  expect(await command.stop('SIGTERM')).toBe(0);
});

test('logs tail waits for a service that restarts, and loses nothing; a revoked key ends it with one line', async () => {
  const { id, secret: key } = await newKey();
  const command = galeri(['logs', 'tail'], { GALERI_KEY: key });
  await follows(command);
  await api.call('account', { key });
  const { port } = new URL(api.service.url);
  await api.close();
  await expect.poll(() => command.stderr()).toContain('trying again in');
  api = await testService({ shared: base, env: { PORT: port } });
  await api.call('account', { key });
  await expect.poll(() => idsOf(command).length).toBe(2);
  await api.database.onPlatform('write', (db) => revokeKey(db, id, TEST_ACTOR));
  expect(await command.code).toBe(1);
  expect(command.stderr()).toMatch(/\ngaleri: \S+ refused the request log: This API key has been revoked \(key_revoked\)\n$/);
});

test('bad input is refused with one line and exit 1', async () => {
  const { secret: key } = await api.key(await api.account(), { endpoints: ['GET account'] });
  const bad: [string[], Record<string, string>, string][] = [
    [['serve'], {}, 'there is no command "serve"; this package has listen, logs, sandbox and mcp'],
    [['logs'], {}, 'logs takes tail'],
    [['logs', 'tail', 'x'], {}, 'unexpected argument "x"'],
    [['logs', 'tail', '--account', 'x'], {}, '--account and --key work on the machine of the service only'],
    [['logs', 'tail'], {}, 'the key is missing: set GALERI_KEY, or send it on stdin'],
    [['logs', 'tail'], { GALERI_KEY: key }, 'refused the request log: '],
    [['logs', 'tail'], { GALERI_KEY: key, GALERI_URL: 'http://127.0.0.1:1' }, 'cannot reach the service at http://127.0.0.1:1 ('],
    [['sandbox'], {}, 'sandbox takes show, reset, clock or messages'],
    [['sandbox', 'show', '--account', 'x'], {}, '--account works on the machine of the service only'],
    [['listen'], {}, '--forward-to is missing'],
    [['mcp'], {}, 'the key is missing: set GALERI_KEY'],
  ];
  for (const [args, env, message] of bad) {
    const command = galeri(args, env);
    expect(await command.code, args.join(' ')).toBe(1);
    expect(command.stdout()).toBe('');
    expect(command.stderr()).toContain(message);
    expect(command.stderr()).toMatch(/^galeri: [^\n]+\n$/);
  }
});
