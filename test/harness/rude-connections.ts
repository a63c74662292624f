// Hostile connections: on every endpoint a request that is complete, partial or nonsense, sent and abandoned in hostile ways.
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from './random.ts';

/** Credentials, so that a request gets as far as it can. */
export interface Targets {
  readonly port: number;
  readonly key: string;
  readonly vehicle: string;
  /** A signed link from its path on; renewed now and then, because it is valid for a quarter of an hour only. */
  file: string;
  /** The session of a person signed in to the panel. */
  readonly cookie: string;
}

const BOUNDARY = 'rude';

type Target = (targets: Targets, random: Random) => { readonly head: readonly string[]; readonly body?: string | Buffer };

export const TARGETS: Readonly<Record<string, Target>> = {
  api: ({ key }) => ({ head: ['GET /api/v1/vehicles?limit=100 HTTP/1.1', `Authorization: Bearer ${key}`] }),
  'api of a stranger': (_, random) => ({
    head: ['POST /api/v1/vehicles HTTP/1.1', 'Content-Type: application/json'],
    body: JSON.stringify({ brand: 'x'.repeat(random.below(20_000)) }),
  }),
  write: ({ key }, random) => ({
    head: ['POST /api/v1/vehicles/bulk-create HTTP/1.1', `Authorization: Bearer ${key}`, 'Content-Type: application/json'],
    body: JSON.stringify({ items: [], note: 'x'.repeat(random.below(200_000)) }),
  }),
  upload: ({ key, vehicle }, random) => ({
    head: [
      `POST /api/v1/vehicles/${vehicle}/photos HTTP/1.1`,
      `Authorization: Bearer ${key}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      ...(random.chance(0.3) ? ['Expect: 100-continue'] : []),
    ],
    body: Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`),
      Buffer.alloc(random.below(300_000), 1),
      Buffer.from(random.chance(0.5) ? `\r\n--${BOUNDARY}--\r\n` : '\r\n'),
    ]),
  }),
  panel: () => ({ head: ['GET /panel/giris HTTP/1.1'] }),
  showroom: (_, random) => ({ head: [`GET /g/galeri-${random.below(1000)}?marka=${'x'.repeat(random.below(100))} HTTP/1.1`] }),
  'showroom form': (_, random) => ({
    head: [
      'POST /g/galeri-oto/01890000-0000-7000-8000-000000000000/soru HTTP/1.1',
      'Content-Type: application/x-www-form-urlencoded',
      'Sec-Fetch-Site: same-origin',
    ],
    body: `name=Ali&phone=05331234567&consent=yes&message=${'x'.repeat(random.below(20_000))}`,
  }),
  'panel form': () => ({
    head: ['POST /panel/giris HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded', 'Sec-Fetch-Site: same-origin'],
    body: `email=a%40example.com&password=${'x'.repeat(2000)}`,
  }),
  'panel api': ({ cookie }) => ({ head: ['GET /panel/api/session HTTP/1.1', `Cookie: ${cookie}`] }),
  stream: ({ cookie }) => ({ head: ['GET /panel/api/logs/tail HTTP/1.1', `Cookie: ${cookie}`, 'Accept: text/event-stream'] }),
  events: ({ key }) => ({ head: ['GET /events/v1?since=0 HTTP/1.1', `Authorization: Bearer ${key}`] }),
  files: ({ file }) => ({ head: [`GET ${file} HTTP/1.1`] }),
  docs: () => ({ head: ['GET /docs HTTP/1.1'] }),
  openapi: () => ({ head: ['GET /openapi.json HTTP/1.1', 'Accept-Encoding: gzip'] }),
  connect: () => ({ head: ['CONNECT x:1 HTTP/1.1'] }),
  upgrade: ({ cookie }) => ({
    head: [
      'GET /panel/api/logs/tail HTTP/1.1',
      `Cookie: ${cookie}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: eA==',
    ],
  }),
  nonsense: (_, random) => ({ head: [random.bytes(1 + random.below(200)).toString('latin1')] }),
};

function bytesOf(target: Target, targets: Targets, random: Random): Buffer {
  const { head, body = '' } = target(targets, random);
  const content = Buffer.from(body);
  const length = content.length > 0 ? [`Content-Length: ${content.length}`] : [];
  const request = Buffer.concat([Buffer.from([...head, 'Host: x', ...length, '', ''].join('\r\n'), 'latin1'), content]);
  // Now and then followed by another request, or by garbage.
  const more = random.chance(0.1) ? Buffer.from(random.pick(['x\r\n\r\n', 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n'])) : '';
  return Buffer.concat([request, Buffer.from(more)]);
}

type Manner = (socket: Socket, bytes: Buffer, random: Random) => Promise<void>;

const part = (bytes: Buffer, random: Random): Buffer => bytes.subarray(0, 1 + random.below(bytes.length));
/** Mostly a moment, now and then longer than the server waits for a head. */
const aWhile = (random: Random): Promise<void> => wait(random.chance(0.002) ? 12_000 : random.below(300));
const untilAnswered = (socket: Socket): Promise<unknown> =>
  Promise.race([new Promise((resolve) => socket.once('data', resolve).once('close', resolve)), wait(2000)]);

export const MANNERS: Readonly<Record<string, Manner>> = {
  'resets at once': async (socket, bytes) => {
    socket.write(bytes);
    socket.resetAndDestroy();
  },
  'resets in the middle': async (socket, bytes, random) => {
    socket.write(part(bytes, random));
    await wait(random.below(20));
    socket.resetAndDestroy();
  },
  'resets at the first word of the answer': async (socket, bytes) => {
    socket.write(bytes);
    await untilAnswered(socket);
    socket.resetAndDestroy();
  },
  stalls: async (socket, bytes, random) => {
    socket.write(part(bytes, random));
    await aWhile(random);
  },
  trickles: async (socket, bytes, random) => {
    for (let at = 0; at < Math.min(bytes.length, 30) && socket.writable; at += 1) {
      socket.write(bytes.subarray(at, at + 1));
      await wait(random.below(15));
    }
    if (random.chance(0.5)) socket.resetAndDestroy();
  },
  'never reads': async (socket, bytes, random) => {
    socket.pause();
    socket.write(bytes);
    await aWhile(random);
    if (random.chance(0.5)) socket.resetAndDestroy();
  },
  'ends its half in the middle': async (socket, bytes, random) => {
    socket.end(part(bytes, random));
    await untilAnswered(socket);
  },
  'says nothing': async (_, __, random) => aWhile(random),
};

/** Returns when the connection is closed. Uses another address than well-behaved clients. */
export async function beRude(targets: Targets, random: Random, target: string, manner: string): Promise<void> {
  const bytes = bytesOf(TARGETS[target]!, targets, random);
  const socket = connect({ port: targets.port, host: '127.0.0.1', localAddress: `127.0.0.${2 + random.below(200)}` });
  socket.on('error', () => {}).resume();
  const gone = new Promise((resolve) => socket.once('close', resolve));
  const opened = new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  await opened;
  if (!socket.destroyed) await MANNERS[manner]!(socket, bytes, random);
  socket.destroy();
  await gone;
}
