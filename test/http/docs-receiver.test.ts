// The receiver that the reference shows, started as it stands there and sent deliveries.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '../../src/domain/webhook-signing.ts';

const secret = newWebhookSecret();
let receiver: ChildProcess;
let url: string;
let printed = '';

beforeAll(async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as { port: number };
  await new Promise((resolve) => free.close(resolve));
  url = `http://127.0.0.1:${port}`;
  const file = new URL('../../src/http/docs-receiver.mjs', import.meta.url).pathname;
  receiver = spawn(process.execPath, [file], { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) } });
  receiver.stdout!.on('data', (text) => {
    printed += text;
  });
  // Up as soon as it answers at all.
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch(url, { method: 'POST' }).then(
        () => true,
        () => false,
      )
    )
      return;
    await wait(100);
  }
  throw new Error('the receiver did not start');
});
afterAll(() => receiver.kill());

const payload = JSON.stringify({
  id: 'evt_1',
  type: 'vehicle.created',
  sequence: 7,
  resource: { path: '/api/v1/vehicles/1' },
  ad: 'Gümüş',
});
const deliver = async (secrets: readonly string[], body = payload, at = new Date()): Promise<number> => {
  const headers = signatureHeaders(secrets, { id: 'evt_1', payload }, at);
  return (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).status;
};

test('takes what we signed, once, also while a secret is rotated', async () => {
  expect(await deliver([secret])).toBe(204);
  expect(await deliver([newWebhookSecret(), secret])).toBe(204);
  await expect.poll(() => printed).toBe('7 vehicle.created /api/v1/vehicles/1\n');
});

test('refuses what another signed, what was changed on the way, and what is old', async () => {
  expect(await deliver([newWebhookSecret()])).toBe(401);
  expect(await deliver([secret], payload.replace('7', '8'))).toBe(401);
  expect(await deliver([secret], payload, new Date(Date.now() - 600_000))).toBe(401);
});
