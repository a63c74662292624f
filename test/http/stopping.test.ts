// Stopping: idle connections end at once, a running request is answered first.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createHttpServer, listen, stopListening } from '../../src/http/server.ts';
import { createClock } from '../../src/kit/clock.ts';
import { createLog } from '../../src/kit/log.ts';

const log = createLog('silent');

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const ASK = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';

test('silent and idle connections end while a running request is still answered', async () => {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const refuse = async () => {
    throw new Error('another entry point');
  };
  const server = createHttpServer({
    api: refuse,
    panel: refuse,
    files: refuse,
    events: refuse,
    signing: refuse,
    showroom: refuse,
    customerPage: refuse,
    sandbox: refuse,
    mcp: refuse,
    site: async (request, response) => {
      if (request.url === '/slow') {
        entered.resolve();
        await gate.promise;
      }
      response.end('answered');
    },
    clock: createClock(),
    log,
  });
  const port = await listen(server, '127.0.0.1', 0, log);
  const silent = await opened(port);
  const idle = await opened(port);
  idle.write(ASK);
  await once(idle, 'data');
  const running = await opened(port);
  let answer = '';
  running.on('data', (text) => {
    answer += text;
  });
  running.write(ASK.replace('/x', '/slow'));
  await entered.promise;
  const gone = Promise.all([once(silent, 'close'), once(idle, 'close')]);
  const over = once(running, 'close');
  const stopped = stopListening(server);
  await gone;
  // If they had ended only at the timeout, this one would have been cut off with them.
  gate.resolve();
  await over;
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*answered/);
  await stopped;
});

test('a request that is just arriving is still read', async () => {
  const respond = async (_: unknown, response: { end(text: string): unknown }) => {
    response.end('answered');
  };
  const server = createHttpServer({
    api: respond,
    panel: respond,
    files: respond,
    events: respond,
    signing: respond,
    showroom: respond,
    customerPage: respond,
    sandbox: respond,
    mcp: respond,
    site: respond,
    clock: createClock(),
    log,
  });
  const port = await listen(server, '127.0.0.1', 0, log);
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const socket = await opened(port);
  const [there] = await connected;
  socket.write(ASK.slice(0, 10));
  await expect.poll(() => there.bytesRead).toBeGreaterThan(0);
  const stopped = stopListening(server);
  socket.write(ASK.slice(10));
  const [text] = await once(socket, 'data');
  expect(text).toContain('answered');
  await stopped;
});

test('a reply that takes too long is cut, and its reader sees that it is incomplete', async () => {
  const endless = async (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/csv' });
    response.write('first;row\n');
  };
  const entries = {
    api: endless,
    panel: endless,
    files: endless,
    events: endless,
    signing: endless,
    showroom: endless,
    customerPage: endless,
    sandbox: endless,
    mcp: endless,
  };
  const server = createHttpServer({ ...entries, site: endless, clock: createClock(), log });
  const port = await listen(server, '127.0.0.1', 0, log);
  const { body } = await fetch(`http://127.0.0.1:${port}/export`);
  const reader = body!.getReader();
  await reader.read();
  await stopListening(server, 1);
  await expect(reader.read()).rejects.toThrow();
});
