// A file that is made while it is sent, over real sockets: only as fast as it is read, and not for someone who has left.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { PanelCall, PanelParts } from '../../src/http/panel/call.ts';
import { sendFile } from '../../src/http/panel/download.ts';
import { createMetrics } from '../../src/http/wire/metrics.ts';
import { createLog } from '../../src/kit/log.ts';
import { PanelFile } from '../../src/panel/kit/endpoint.ts';

const parts = { common: [], metrics: createMetrics(), log: createLog('silent') } as unknown as PanelParts;
const call = { id: 'req_1', started: 0 } as PanelCall;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** The reply to a download of these pieces, not yet read. */
async function download(pieces: AsyncIterable<string>): Promise<{ reply: IncomingMessage; refused: Promise<unknown> }> {
  let refuse: (error: unknown) => void = () => {};
  const refused = new Promise<unknown>((resolve) => {
    refuse = resolve;
  });
  const server = createServer((_, response) => {
    sendFile(parts, call, new PanelFile('günlük.csv', 'text/csv', pieces), response, false).catch((error) => {
      refuse(error);
      response.writeHead(503).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close().closeAllConnections());
  const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { reply, refused };
}

test('comes whole, piece by piece, under its own name', async () => {
  const { reply } = await download(
    (async function* () {
      yield 'bir\r\n';
      yield '';
      yield 'iki\r\n';
    })(),
  );
  let text = '';
  for await (const piece of reply.setEncoding('utf8')) text += piece;
  expect(text).toBe('bir\r\niki\r\n');
  expect(reply.headers['content-disposition']).toContain(`filename*=UTF-8''g%C3%BCnl%C3%BCk.csv`);
});

test('nothing more is made for someone who has left, nor far ahead of someone who reads slowly', async () => {
  let made = 0;
  let over = false;
  const { reply } = await download(
    (async function* () {
      try {
        // Without an end: only leaving ends it.
        for (; ; made += 1) yield 'x'.repeat(1024 * 1024);
      } finally {
        over = true;
      }
    })(),
  );
  await once(reply, 'readable');
  // As far as the sockets take it, and there it stays.
  await expect.poll(() => reply.readableLength > 0).toBe(true);
  expect(made).toBeLessThan(100);
  reply.destroy();
  await expect.poll(() => over).toBe(true);
});

test('what cannot even begin is refused, not cut off', async () => {
  const { reply, refused } = await download({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the database is away')) }),
  });
  expect(reply.statusCode).toBe(503);
  expect(await refused).toEqual(new Error('the database is away'));
});
