// One request's failure ends only that request: no connection and no exception of a handler stops the server.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer, type Handler, listen, stopListening } from '../../src/http/server.ts';
import { readPieces } from '../../src/http/wire/request-body.ts';
import { createClock } from '../../src/kit/clock.ts';
import type { Log } from '../../src/kit/log.ts';
import { exchange } from '../contract/raw-socket.ts';
import { uncaughtDuring } from '../support/uncaught.ts';

const PLANTED = 'planted';
const ASK = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';
const CONNECT = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';

let running: Server | null = null;
afterEach(async () => {
  if (running !== null) await stopListening(running);
  running = null;
});

async function serve(site: Handler): Promise<{ server: Server; port: number; url: string; logged: string[] }> {
  const logged: string[] = [];
  const say = (message: string, facts: Record<string, unknown> = {}) => logged.push(`${message} ${facts.reason}`);
  const log: Log = { debug: say, info: say, warn: say, error: say };
  const server = createHttpServer({
    api: site,
    panel: site,
    files: site,
    events: site,
    signing: site,
    showroom: site,
    customerPage: site,
    sandbox: site,
    mcp: site,
    site,
    clock: createClock(),
    log,
  });
  const port = await listen(server, '127.0.0.1', 0, log);
  running = server;
  return { server, port, url: `http://127.0.0.1:${port}`, logged };
}

const hello: Handler = async (_, response) => {
  response.end('hello');
};

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

test.each([
  ['CONNECT', CONNECT],
  ['CONNECT followed by data', `${CONNECT}${'x'.repeat(1000)}`],
  ['an upgrade', 'GET /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['invalid bytes', 'x\r\n\r\n'],
  ['invalid bytes after a request', `${ASK}x\r\n\r\n`],
  ['a request', ASK],
  ['half a request', ASK.slice(0, 20)],
  ['half a body', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc'],
])('%s, then a reset: everyone else is served', async (_, bytes) => {
  const { port, url, server } = await serve(hello);
  const uncaught = await uncaughtDuring(async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = await opened(port);
      socket.write(bytes);
      socket.resetAndDestroy();
    }
    await expect.poll(() => openConnections(server)).toBe(0);
  });
  expect(uncaught).toEqual([]);
  expect(await (await fetch(url)).text()).toBe('hello');
});

test.each([
  ['CONNECT', CONNECT, 405],
  ['invalid bytes', 'x\r\n\r\n', 400],
])('a client that sends %s and never leaves is refused and disconnected', async (_, bytes, status) => {
  const { port, server } = await serve(hello);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(bytes);
  const [reply] = await once(socket, 'data');
  expect(String(reply)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  await expect.poll(() => openConnections(server)).toBe(0);
  socket.destroy();
});

test('a body that broke off before it was read is not waited for', async () => {
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { port, server } = await serve(async (request, response) => {
    arrived.resolve();
    // As a request waits for its key, or an upload for the code that reads it.
    await gate.promise;
    await readPieces(request, () => {}).catch(({ code }) => response.writeHead(422).end(code));
  });
  const broke = once(server, 'clientError');
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
  socket.write('POST /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100\r\n\r\nabc');
  await arrived.promise;
  socket.end();
  await broke;
  gate.resolve();
  const [reply] = await once(socket, 'data');
  expect(reply).toMatch(/^HTTP\/1.1 422 [\s\S]*validation_failed/);
  await once(socket, 'end');
  await expect.poll(() => openConnections(server)).toBe(0);
});

const THROWING: Record<string, Handler> = {
  'throws at once': () => {
    throw new Error(PLANTED);
  },
  rejects: async () => {
    throw new Error(PLANTED);
  },
  'throws a value that is not an error': () => {
    throw Object.create(null);
  },
};

test.each(Object.entries(THROWING))('a handler that %s returns 500 to its caller and logs a line', async (_, fails) => {
  const { url, logged } = await serve((request, response) => (request.url === '/bad' ? fails : hello)(request, response));
  const uncaught = await uncaughtDuring(async () => {
    for (const expects of ['', 'Expect: 100-continue\r\n', 'Expect: nothing\r\n']) {
      const { replies } = await exchange(url, [`GET /bad HTTP/1.1\r\nHost: x\r\n${expects}\r\n`], 1);
      expect(replies.map(({ status, json }) => [status, json.error.code])).toEqual([[500, 'internal_error']]);
      expect(replies[0]!.text).not.toContain(PLANTED);
    }
  });
  expect(uncaught).toEqual([]);
  expect(logged).toHaveLength(3);
  expect(await (await fetch(url)).text()).toBe('hello');
});

const LATE: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  'writes after the end': (_, response) => {
    response.end('hello');
    response.write('more');
  },
  'fails in the middle of a reply': (_, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('hello');
    throw new Error(PLANTED);
  },
  'fails after the reply': (_, response) => {
    response.writeHead(200, { 'Content-Length': 5, Connection: 'close' }).end('hello');
    throw new Error(PLANTED);
  },
};

test.each(Object.entries(LATE))('a handler that %s loses only its own connection', async (name, act) => {
  const { url, port } = await serve((request, response) => {
    if (request.url !== '/bad') return hello(request, response);
    act(request, response);
    return null;
  });
  let received = '';
  const uncaught = await uncaughtDuring(async () => {
    const socket = await opened(port);
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
      if (!name.includes('middle') && received.endsWith('hello')) socket.end();
    });
    socket.write('GET /bad HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'close');
  });
  expect(uncaught).toEqual([]);
  // The reply before the failure has arrived; the interrupted one has not.
  if (!name.includes('middle')) expect(received).toMatch(/^HTTP\/1.1 200 [\s\S]*hello/);
  expect(await (await fetch(url)).text()).toBe('hello');
});

test('connections that cannot be accepted are lost repeatedly, and the rest are served', async () => {
  const { url, server, logged } = await serve(hello);
  const uncaught = await uncaughtDuring(async () => {
    // As libuv reports a process without file descriptors.
    const { onconnection } = (server as unknown as { _handle: { onconnection(status: number): void } })._handle;
    for (let count = 0; count < 5; count += 1)
      setImmediate(() => onconnection.call((server as unknown as { _handle: object })._handle, -24));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect(uncaught).toEqual([]);
  expect(logged).toEqual([expect.stringMatching(/^connections cannot be accepted .*EMFILE/)]);
  expect(await (await fetch(url)).text()).toBe('hello');
});
