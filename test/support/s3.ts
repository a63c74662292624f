// A real S3 server, with its own folder and port, and a wire to it that can be cut.
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Context {
  readonly req: IncomingMessage;
  status: number;
  body: string;
}

interface Running {
  readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
  readonly httpServer: { closeAllConnections(): void };
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
type Make = new (options: Record<string, unknown>) => Running;
// It has no types.
const S3rver = createRequire(import.meta.url)('s3rver') as Make;

export interface S3Server {
  /** With the only key it knows. */
  readonly url: string;
  connections: number;
  /** This many connections fail that way; open ones end. 0: all connections work again. */
  treat(fate: 'refused' | number, times: number): void;
  close(): Promise<void>;
}

export async function openS3(bucket = 'galeri-test'): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'galeri-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  // It does not verify signatures of version 4, so this does, as the store would: wrong ones are refused.
  server.middleware.unshift(async (context, next) => {
    if (isSigned(context.req, 'S3RVER')) return next();
    context.status = 403;
    context.body = '<Error><Code>SignatureDoesNotMatch</Code></Error>';
  });
  const { port } = await server.run();
  const sockets = new Set<Socket>();
  const treated: { fate: 'refused' | number; times: number } = { fate: 'refused', times: 0 };
  const wire = createServer((client) => carry(client));
  const carry = (client: Socket): void => {
    s3.connections += 1;
    const fate = treated.times > 0 ? treated.fate : Number.POSITIVE_INFINITY;
    treated.times -= 1;
    client.on('error', () => {});
    sockets.add(client);
    if (fate === 'refused') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    upstream.on('error', () => client.destroy());
    sockets.add(upstream);
    let left = fate;
    client.on('data', (piece) => {
      upstream.write(piece.subarray(0, Math.min(piece.length, left)));
      left -= piece.length;
      if (left > 0) return;
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    });
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('close', () => other.destroy());
  };
  const at = await listen(wire);
  const s3: S3Server = {
    url: `http://S3RVER:S3RVER@127.0.0.1:${at}/${bucket}/dealers?region=eu-central-1`,
    connections: 0,
    treat: (fate, times) => {
      Object.assign(treated, { fate, times });
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => wire.close(resolve));
      server.httpServer.closeAllConnections();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return s3;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Signature version 4 from its specification, without the code under test. Unknown keys are left to the server. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, secret: string): boolean {
  const form = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, key, scope, signed, signature] = form.exec(headers.authorization ?? '') ?? [];
  if (key === undefined) return false;
  if (key !== 'S3RVER') return true;
  const [path, query = ''] = url.split('?');
  const lines = signed!.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, path, query, lines.join(''), signed, headers['x-amz-content-sha256']].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  );
  const signingKey = scope!.split('/').reduce<Buffer>((made, part) => hmac(made, part), Buffer.from(`AWS4${secret}`));
  return hmac(signingKey, toSign).toString('hex') === signature;
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
