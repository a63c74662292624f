// Anonymous clients, or ones with a false identity, use up nothing that others need.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { askFrom, leave, type RudeClient, rudeClient } from './rude-sockets.ts';

let api: TestService;
let key: string;
beforeAll(async () => {
  api = await testService({ env: { TRUST_PROXY: '127.0.0.1', FAILED_AUTH_LIMIT: '1000000' } });
  const accountId = await api.account();
  await api.vehicle(accountId);
  key = (await api.key(accountId)).secret;
});
afterAll(() => api.close());

/** The head of a sign-in form and its first letter: the rest never comes. */
const halfForm = (address = '203.0.113.7') =>
  [
    'POST /panel/giris HTTP/1.1',
    'Host: x',
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 200',
    '',
    'e',
  ].join('\r\n');

/** 503 at once; on a slow machine some already had their 422, or timed out before they were read. */
const refusedOf = (clients: readonly RudeClient[]) =>
  clients.filter((client) => client.socket.destroyed || /^HTTP\/1\.1 (503|422)/.test(client.received()));

/** A complete form without our token: 403 shows that it was read. */
const formFrom = async (address: string): Promise<number> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address };
  return (await api.call('/panel/giris', { method: 'POST', headers, body: 'email=a' })).status;
};

describe('two thousand incomplete forms', () => {
  test('from one address: keys, health, readiness and people elsewhere are answered', async () => {
    const clients = await Promise.all(Array.from({ length: 2100 }, () => rudeClient(api.service.url, halfForm())));
    try {
      // The last of them has been read once a following request is answered.
      await api.call('/healthz');
      expect((await api.call('vehicles', { key })).status).toBe(200);
      expect((await api.call('/healthz')).status).toBe(200);
      expect((await api.call('/readyz')).status).toBe(200);
      expect((await api.call('/docs')).status).toBe(200);
      expect((await api.call('/panel/giris', { headers: { 'x-forwarded-for': '198.51.100.4' } })).status).toBe(200);
      const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '198.51.100.4' };
      // A foreign form, refused as such: it was read.
      expect((await api.call('/panel/giris', { method: 'POST', headers: form, body: 'email=a' })).status).toBe(403);
      await until(() => refusedOf(clients).length >= 2100 - 32);
    } finally {
      leave(clients);
    }
  });

  test('from many addresses: only forms are refused', async () => {
    const clients = await Promise.all(
      Array.from({ length: 2100 }, (_, index) => rudeClient(api.service.url, halfForm(`10.${index >> 8}.${index & 255}.1`))),
    );
    try {
      await api.call('/healthz');
      expect((await api.call('vehicles', { key })).status).toBe(200);
      expect((await api.call('/readyz')).status).toBe(200);
      expect((await api.call('/panel/giris')).status).toBe(200);
      await until(() => refusedOf(clients).length >= 2100 - 256);
      expect(clients.filter((client) => client.received().startsWith('HTTP/1.1 503')).length).toBeGreaterThan(200);
    } finally {
      leave(clients);
    }
  });

  test('an IPv6 network counts as one client, for any number of addresses', async () => {
    const clients = await Promise.all(
      Array.from({ length: 40 }, (_, index) => rudeClient(api.service.url, halfForm(`2001:db8:1:2::${index + 1}`))),
    );
    const other = await rudeClient(api.service.url, halfForm('2001:db8:1:3::1'));
    try {
      await until(() => clients.filter((client) => client.received().startsWith('HTTP/1.1 503')).length === 8);
      expect(other.received()).toBe('');
    } finally {
      leave([...clients, other]);
    }
  });

  test('from one IPv6 customer, in all networks of its /48, leave places for other clients', async () => {
    const from = (index: number) => `2001:db8:7:${index.toString(16)}::1`;
    // Four /56 of one /48, and sixteen /64 of each.
    const clients = await Promise.all(
      Array.from({ length: 320 }, (_, index) =>
        rudeClient(api.service.url, halfForm(from(((index >> 4) % 4) * 256 + (index % 16)))),
      ),
    );
    try {
      await until(() => refusedOf(clients).length >= 320 - 64);
      // The total alone would have refused 64 of them, and the others only at the timeout.
      expect(clients.filter((client) => client.received().startsWith('HTTP/1.1 503')).length).toBeGreaterThan(64);
      expect(await formFrom('2001:db8:8::1')).toBe(403);
      expect(await formFrom('203.0.113.9')).toBe(403);
    } finally {
      leave(clients);
    }
  });

  test('from many addresses give way to a complete form', async () => {
    const clients = await Promise.all(
      Array.from({ length: 300 }, (_, index) => rudeClient(api.service.url, halfForm(`10.9.${index >> 8}.${index & 255}`))),
    );
    try {
      await until(() => refusedOf(clients).length >= 300 - 256);
      for (let count = 1; count <= 10; count += 1) expect(await formFrom(`198.51.100.${count}`)).toBe(403);
      // Also to one of the same network.
      const office = await Promise.all(Array.from({ length: 32 }, () => rudeClient(api.service.url, halfForm('192.0.2.1'))));
      expect(await formFrom('192.0.2.1')).toBe(403);
      leave(office);
    } finally {
      leave(clients);
    }
  });

  test('are given up when nothing more comes, with a reply', async () => {
    const client = await rudeClient(api.service.url, halfForm());
    await client.closed;
    expect(client.received()).toMatch(/^HTTP\/1\.1 422 /);
    expect(client.received()).toContain('"code":"too_slow"');
  });
});

test('readiness does not wait for a busy pool', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const busy = Array.from({ length: 3 }, () =>
    api.database.onPlatform('read', async (db) => {
      await db.one(sql`select 1 as one`);
      await held;
    }),
  );
  try {
    for (let time = 0; time < 5; time += 1) expect((await api.call('/readyz')).status).toBe(200);
  } finally {
    release();
    await Promise.all(busy);
  }
});

test('a network holds no more than half of the connections', async () => {
  const clients: RudeClient[] = [];
  try {
    // 127.0.0.1 is a trusted proxy here; this is a neighbour, whose connections are kept because they have sent a request.
    const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    for (let batch = 0; batch < 51; batch += 1)
      clients.push(
        ...(await Promise.all(Array.from({ length: 100 }, () => rudeClient(api.service.url, request, { from: '127.0.0.2' })))),
      );
    let closed = 0;
    for (const client of clients) void client.closed.then(() => (closed += 1));
    await until(() => closed >= 100);
    expect(await askFrom(api.service.url, '/healthz', '127.0.0.3')).toBe(200);
    await expect(askFrom(api.service.url, '/healthz', '127.0.0.2')).rejects.toThrow();
  } finally {
    leave(clients);
  }
});
