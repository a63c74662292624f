// The receivers that the reference and the panel show, started unchanged and sent deliveries.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '../../src/domain/webhooks/webhook-signing.ts';

const fileOf = (ending: string): string =>
  new URL(`../../src/http/docs/samples/docs-receiver.${ending}`, import.meta.url).pathname;

interface Language {
  readonly name: string;
  /** Undefined if it is not installed. */
  readonly command: string | undefined;
  readonly args: (port: number) => readonly string[];
  /** Receives what the receiver prints about an event. */
  readonly says: 'stdout' | 'stderr';
  /** Whether it remembers seen events itself; the PHP sample leaves that to the database. */
  readonly remembers: boolean;
}

const onPath = (name: string): string | undefined => (spawnSync(name, ['--version']).status === 0 ? name : undefined);

const LANGUAGES: readonly Language[] = [
  { name: 'Node', command: process.execPath, args: () => [fileOf('mjs')], says: 'stdout', remembers: true },
  { name: 'Python', command: onPath('python3'), args: () => [fileOf('py')], says: 'stdout', remembers: true },
  {
    name: 'PHP',
    command: onPath('php'),
    args: (port) => ['-S', `127.0.0.1:${port}`, fileOf('php')],
    says: 'stderr',
    remembers: false,
  },
];

async function freePort(): Promise<number> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as { port: number };
  await new Promise((resolve) => free.close(resolve));
  return port;
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  );

describe.each(LANGUAGES)('the receiver in $name', ({ name, command, args, says, remembers }) => {
  if (command === undefined) {
    test.skip(`SKIPPED: ${name} is not installed here`);
    return;
  }
  const secret = newWebhookSecret();
  let receiver: ChildProcess;
  let url: string;
  let printed = '';

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const env = { ...process.env, GALERI_WEBHOOK_SECRET: secret, PORT: String(port) };
    receiver = spawn(command, [...args(port)], { env });
    receiver[says]!.on('data', (text) => {
      printed += text;
    });
    // Up as soon as it answers at all.
    for (let tries = 0; tries < 150; tries += 1) {
      if (await answers(url)) return;
      await wait(100);
    }
    throw new Error('the receiver did not start');
  });
  afterAll(() => receiver.kill());

  test.each([undefined, '', 'whsec_'])('accepts nothing with the secret %j', async (unset) => {
    const port = await freePort();
    const { GALERI_WEBHOOK_SECRET: _, ...rest } = process.env;
    const env = { ...rest, PORT: String(port), ...(unset === undefined ? {} : { GALERI_WEBHOOK_SECRET: unset }) };
    const unready = spawn(command, [...args(port)], { env, stdio: 'ignore' });
    const ended = once(unready, 'exit').then(() => true);
    const address = `http://127.0.0.1:${port}`;
    const isUp = async () => (await Promise.race([ended, answers(address)])) || Promise.reject(new Error('neither up nor ended'));
    await expect.poll(isUp).toBe(true);
    const forged = signatureHeaders(['whsec_'], { id: 'evt_1', payload }, new Date());
    // It has ended, or answers with an error.
    const status = await post(forged, payload, address).catch(() => 500);
    unready.kill();
    expect(status).toBe(500);
  });

  const payload = JSON.stringify({
    id: 'evt_1',
    type: 'vehicle.created',
    sequence: 7,
    resource: { path: '/api/v1/vehicles/1' },
    ad: 'Gümüş',
  });
  const post = async (headers: Record<string, string>, body = payload, to = url): Promise<number> =>
    (await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).status;
  const deliver = (secrets: readonly string[], body = payload, at = new Date()): Promise<number> =>
    post(signatureHeaders(secrets, { id: 'evt_1', payload }, at), body);

  test('accepts what we signed, also during a rotation of the secret', async () => {
    expect(await deliver([secret])).toBe(204);
    expect(await deliver([newWebhookSecret(), secret])).toBe(204);
    await expect.poll(() => printed).toContain('7 vehicle.created /api/v1/vehicles/1');
    if (remembers) expect(printed.split('vehicle.created')).toHaveLength(2);
  });

  test('refuses foreign signatures, changed bodies, old timestamps and invalid signatures', async () => {
    expect(await deliver([newWebhookSecret()])).toBe(401);
    expect(await deliver([secret], payload.replace('7', '8'))).toBe(401);
    expect(await deliver([secret], payload, new Date(Date.now() - 600_000))).toBe(401);
    const good = signatureHeaders([secret], { id: 'evt_1', payload }, new Date());
    expect(await post({ ...good, 'webhook-id': 'evt_2' })).toBe(401);
    expect(await post({ ...good, 'webhook-timestamp': 'now' })).toBe(401);
    expect(await post({ ...good, 'webhook-signature': 'v1,' })).toBe(401);
    expect(await post({ ...good, 'webhook-signature': 'v1,ü' })).toBe(401);
    expect(await post({})).toBe(401);
  });
});
