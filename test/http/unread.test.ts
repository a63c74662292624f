// Connections that are not read: a stream without events stays, one with unread bytes is cut; and downloads have a share.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer, listen, stopListening } from '../../src/http/server.ts';
import { createClock } from '../../src/kit/clock.ts';
import { newRequestId } from '../../src/kit/ids.ts';
import { createLog } from '../../src/kit/log.ts';
import { openSession } from '../../src/postgres/database.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { lockOut } from '../support/database.ts';
import { until } from '../support/patience.ts';
import { testService } from '../support/service.ts';
import { leave, type RudeClient, rudeClient } from './rude-sockets.ts';

const clients: RudeClient[] = [];
afterEach(() => leave(clients.splice(0)));

test('an event stream without events stays open; one with unread bytes is cut', async () => {
  const open = new Map<string, ServerResponse>();
  const nothing = async () => {};
  const log = createLog('silent');
  const site = async (request: IncomingMessage, response: ServerResponse) => {
    open.set(request.url!, response);
    response.once('close', () => open.delete(request.url!));
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': open\n\n');
  };
  const server = createHttpServer({
    api: nothing,
    panel: nothing,
    files: nothing,
    events: nothing,
    signing: nothing,
    showroom: nothing,
    customerPage: nothing,
    sandbox: nothing,
    mcp: nothing,
    site,
    clock: createClock(),
    log,
    stalledMs: 600,
  });
  try {
    const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0, log)}`;
    const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const quiet = await rudeClient(url, ask('/quiet'));
    const deaf = await rudeClient(url, ask('/deaf'), { reads: false });
    clients.push(quiet, deaf);
    await until(() => open.size === 2);
    // More than the network buffers.
    open.get('/deaf')!.write(Buffer.alloc(32 * 1024 * 1024));
    await until(() => !open.has('/deaf'));
    open.get('/quiet')!.write('data: still here\n\n');
    await until(() => quiet.received().includes('still here'));
  } finally {
    leave(clients.splice(0));
    await stopListening(server);
  }
});

test('an account may have eight panel downloads in progress; a ninth is asked to retry, another account is not', async () => {
  const service = await testService();
  try {
    const dealers = await Promise.all(
      [1, 2].map(async () => {
        const accountId = await service.account();
        const { id } = await service.key(accountId);
        return { accountId, keyId: id, browser: await signedIn(service, await newPerson(service, { accountId })) };
      }),
    );
    const [dealer, neighbour] = dealers as [(typeof dealers)[0], (typeof dealers)[0]];
    await fillLog(service.adminUrl, dealer);
    const head = `GET /panel/api/logs/export HTTP/1.1\r\nHost: x\r\nCookie: ${dealer.browser.cookieText()}\r\n\r\n`;
    // Eight that have started and are not read further.
    while (clients.length < 8) {
      const client = await rudeClient(service.service.url, head, { reads: false });
      const [first] = (await once(client.socket, 'data')) as [Buffer];
      client.socket.pause();
      if (first.toString('latin1').startsWith('HTTP/1.1 200')) clients.push(client);
      else leave([client]);
    }
    for (let time = 0; time < 5; time += 1) expect((await dealer.browser.api('logs/export')).status).toBe(503);
    await until(async () => (await dealer.browser.api('logs')).status === 200);
    expect((await neighbour.browser.api('logs/export')).status).toBe(200);
    leave(clients.splice(0));
    await until(async () => (await dealer.browser.api('logs/export')).status === 200);
  } finally {
    await service.close();
  }
});

const LOGGED = 15_000;

/** Too long for the network to buffer completely; request ids encode their time, like real ones. */
async function fillLog(adminUrl: string, { accountId, keyId }: { accountId: string; keyId: string }): Promise<void> {
  const admin = await openSession(adminUrl);
  const times = Array.from({ length: LOGGED }, (_, index) => Date.now() - 60_000 - index);
  await admin.rows(
    `insert into request_logs (account_id, key_id, at, request_id, method, path, status, duration_ms, response_bytes)
      select $1::uuid, $2::uuid, to_timestamp(at / 1000.0), id, 'GET', repeat('x', 2000), 200, 1, 1
      from unnest($3::float8[], $4::text[]) as given(at, id)`,
    [accountId, keyId, times, times.map((at) => newRequestId(at))],
  );
  await admin.close();
}

test('a started download waits for a database that is briefly unavailable', async () => {
  const service = await testService();
  try {
    const accountId = await service.account();
    const { id: keyId } = await service.key(accountId);
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    await fillLog(service.adminUrl, { accountId, keyId });
    const { body } = await fetch(`${service.service.url}/panel/api/logs/export`, { headers: { cookie: browser.cookieText() } });
    const reader = body!.getReader();
    let text = Buffer.from((await reader.read()).value!).toString();
    const letIn = await lockOut(service);
    const back = wait(700).then(letIn);
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += Buffer.from(piece.value).toString();
    await back;
    expect(text.trim().split('\n')).toHaveLength(1 + LOGGED);
  } finally {
    await service.close();
  }
});
