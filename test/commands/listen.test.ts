// `galeri listen` as an integrator runs it: a separate process, a real service, a receiver that verifies with the usual library.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/domain/keys/keys.ts';
import { newWebhookSecret } from '../../src/domain/webhooks/webhook-signing.ts';
import { openReceiver, type Receiver, status, verify } from '../jobs/receiver.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';
import { type Running, running } from './running.ts';

const ROW = 'GET webhooks/{webhook_id}/deliveries';

let base: TestDatabase;
let api: TestService;
let receiver: Receiver;
const started: Running[] = [];
beforeAll(async () => {
  base = await testDatabase();
  api = await testService({ shared: base });
  await openAll(api);
  receiver = await openReceiver();
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await receiver.close();
  await api.close();
  await base.close();
});

function listen(key: string, args: string[] = [], env: Record<string, string> = {}, input: string | null = null): Running {
  const settings = { GALERI_URL: api.service.url, ...(key === '' ? {} : { GALERI_KEY: key }), ...env };
  const command = running(['listen', '--forward-to', receiver.url, ...args], settings, input);
  started.push(command);
  return command;
}
const opened = (command: Running) =>
  expect.poll(() => command.stdout() + command.stderr()).toMatch(/Forwarding events|"forward_to"/);
const gotOf = (dealer: Dealer) => receiver.got.filter(({ json }) => json.account_id === dealer.accountId);
const typesOf = (dealer: Dealer) => gotOf(dealer).map(({ json }) => json.type);
const sequencesOf = (dealer: Dealer) => gotOf(dealer).map(({ json }) => json.sequence);

test('forwards events, signed with the secret that it prints once; only of its own account; Ctrl-C ends it', async () => {
  const [dealer, other] = [await newDealer(api), await newDealer(api)];
  const command = listen(dealer.key);
  await opened(command);
  await dealer.post('vehicles', aCar());
  await other.post('vehicles', aCar());
  await dealer.post('tasks', { title: 'Ara' });
  await expect.poll(() => typesOf(dealer)).toEqual(['vehicle.created', 'task.created']);
  const secret = /Signing secret, for this run only: (whsec_\S+)\n/.exec(command.stdout())![1]!;
  for (const received of gotOf(dealer)) {
    verify(secret, received);
    expect(received.headers['webhook-id']).toBe(received.json.id);
  }
  await expect
    .poll(() => command.stdout())
    .toMatch(/#1 {2}vehicle\.created {2}evt_\w+ {2}200 {2}\d+ ms\n#2 {2}task\.created .* 200 /);
  expect(await command.stop()).toBe(0);
  expect(command.stderr()).toBe('stopped; --since 2 resumes from here\n');
  expect(gotOf(other)).toEqual([]);
  expect(command.stdout()).not.toContain(dealer.key);
});

test('prints lines for programs; uses a given secret without printing it; reads the key from stdin; filters kinds; reports what a receiver refuses', async () => {
  const dealer = await newDealer(api);
  await dealer.post('vehicles', aCar());
  const secret = newWebhookSecret();
  receiver.answer = status(500);
  const args = ['--json', '--since', '0', '--events', 'vehicle.*'];
  const command = listen('', args, { GALERI_WEBHOOK_SECRET: secret }, `${dealer.key}\n`);
  await opened(command);
  await dealer.post('tasks', { title: 'Ara' });
  await dealer.post('vehicles', aCar());
  await expect.poll(() => command.lines().length).toBe(3);
  receiver.answer = status(200);
  const [head, ...lines] = command.lines();
  expect(head).toEqual({ service: api.service.url, forward_to: receiver.url });
  expect(lines).toMatchObject([
    { sequence: 1, type: 'vehicle.created', status: 500, reason: null },
    { sequence: 3, type: 'vehicle.created', status: 500, reason: null },
  ]);
  for (const received of gotOf(dealer)) verify(secret, received);
  expect(await command.stop('SIGTERM')).toBe(0);
});

test('a service that restarts, and a command that is killed: every event is forwarded, none is skipped', async () => {
  const dealer = await newDealer(api);
  const first = listen(dealer.key);
  await opened(first);
  await dealer.post('vehicles', aCar());
  await expect.poll(() => sequencesOf(dealer)).toEqual([1]);
  const { port } = new URL(api.service.url);
  await api.close();
  await expect.poll(() => first.stderr()).toContain('trying again in');
  api = await testService({ shared: base, env: { PORT: port } });
  await dealerWith(api, dealer.accountId, dealer.key).post('vehicles', aCar());
  await expect.poll(() => sequencesOf(dealer)).toEqual([1, 2]);
  expect(first.stderr()).toContain('reconnected\n');
  await first.stop('SIGKILL');
  await dealerWith(api, dealer.accountId, dealer.key).post('vehicles', aCar());
  const second = listen(dealer.key, ['--since', '2']);
  await expect.poll(() => sequencesOf(dealer)).toEqual([1, 2, 3]);
  expect(await second.stop()).toBe(0);
});

test('a missing receiver is reported, and the next event is still sent', async () => {
  const dealer = await newDealer(api);
  const gone = await openReceiver();
  await gone.close();
  const command = listen(dealer.key, ['--json', '--forward-to', gone.url]);
  await opened(command);
  await dealer.post('vehicles', aCar());
  await dealer.post('vehicles', aCar());
  await expect
    .poll(() => command.lines().slice(1))
    .toMatchObject([
      { sequence: 1, status: null, reason: 'ECONNREFUSED' },
      { sequence: 2, status: null, reason: 'ECONNREFUSED' },
    ]);
  expect(await command.stop()).toBe(0);
});

test('a key that is revoked ends it, with one line', async () => {
  const accountId = await api.account();
  const { id, secret } = await api.key(accountId, { endpoints: [ROW] });
  const command = listen(secret);
  await opened(command);
  await api.database.onPlatform('write', (db) => revokeKey(db, id, TEST_ACTOR));
  expect(await command.code).toBe(1);
  expect(command.stderr()).toMatch(/galeri: \S+ refused the event stream: This API key has been revoked \(key_revoked\)\n$/);
});

describe('prints one line and exits 1 for', () => {
  const refusalOf = async (command: Running): Promise<string> => {
    expect(await command.code).toBe(1);
    expect(command.stdout()).toBe('');
    return command.stderr();
  };

  test('bad input', async () => {
    const { key } = await newDealer(api);
    const other = createServer((_, response) => response.end('<p>Welcome</p>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const page = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const bad: [() => Running, string][] = [
      [() => running(['listen'], {}), '--forward-to is missing'],
      [
        () => running(['listen', '--forward-to', 'localhost:8000'], {}),
        '--forward-to must be an address that begins with http:// or https://',
      ],
      [
        () => running(['listen', '--forward-to', 'http://a:b@localhost/'], {}),
        '--forward-to must not contain a user name or password',
      ],
      [() => running(['listen', '--forward-to', receiver.url, '--key', key], {}), "Unknown option '--key'"],
      [() => listen(''), 'the key is missing: set GALERI_KEY, or send it on stdin'],
      [() => listen('gal_prod_x'), 'the key is not well formed'],
      [() => listen(key, [], { GALERI_URL: 'example' }), 'GALERI_URL must be an address'],
      [() => listen(key, [], { GALERI_WEBHOOK_SECRET: 'whsec_short' }), 'GALERI_WEBHOOK_SECRET must be whsec_'],
      [() => listen(key, ['--events', 'cars']), 'events must be event kinds separated by commas'],
      [() => listen(key, ['--since', 'yesterday']), 'since must be a sequence (42), a time back'],
      [() => listen(key, ['--since', '77']), 'since must be a sequence of this account, up to 0'],
      [() => listen(key, [], { GALERI_URL: 'http://127.0.0.1:1' }), 'cannot reach the service at http://127.0.0.1:1 ('],
      [() => listen(key, [], { GALERI_URL: page }), 'refused the event stream: unexpected reply'],
    ];
    for (const [start, message] of bad) {
      const line = await refusalOf(start());
      expect(line).toContain(message);
      expect(line).toMatch(/^galeri: [^\n]+\n$/);
    }
    other.close();
  });

  test('a key without permission, and an endpoint that is not open', async () => {
    const accountId = await api.account();
    const without = await api.key(accountId, { endpoints: ['GET vehicles'] });
    expect(await refusalOf(listen(without.secret))).toContain('(insufficient_scope)');
    await api.release('Yakında', ROW);
    const { secret } = await api.key(accountId, { endpoints: [ROW] });
    expect(await refusalOf(listen(secret))).toContain('(endpoint_not_active)');
    await api.release('Aktif', ROW);
  });
});
