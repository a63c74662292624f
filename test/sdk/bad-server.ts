// A server with scripted replies, for the clients' tests.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BadAnswer = (response: ServerResponse) => void;

export interface BadServer {
  readonly url: string;
  /** The requests, in order. */
  readonly requests: readonly { readonly key: string | undefined; readonly body: string }[];
  /** The headers of the requests, in order. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** The addresses of the requests, in order. */
  readonly paths: readonly string[];
  close(): void;
}

/** Replies in this order; the last one for all further requests. */
export async function startBadServer(...answers: readonly BadAnswer[]): Promise<BadServer> {
  const requests: { key: string | undefined; body: string }[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  const server = createServer(async (request, response) => {
    const pieces = await request.toArray();
    headers.push(request.headers);
    paths.push(request.url!);
    requests.push({ key: request.headers['idempotency-key'] as string | undefined, body: Buffer.concat(pieces).toString() });
    (answers[requests.length - 1] ?? answers.at(-1)!)(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    paths,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): BadAnswer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

export const made = json(201, { success: true, data: { id: 'made' }, meta: {} });
export const cut: BadAnswer = (response) => response.socket!.destroy();
export const refused = json(422, { error: { code: 'validation_failed', message: 'x' } });

/** One of each kind of temporary failure, then the requested reply. */
export const TROUBLE: readonly BadAnswer[] = [
  json(503, { error: { code: 'service_unavailable' } }, { 'retry-after': '1' }),
  json(500, { error: { code: 'internal_error' } }),
  (response) => proxyPage(502, '502 Bad Gateway')(response),
  cut,
  (response) => {
    response.writeHead(201, { 'content-length': '1000' }).write('{"success":true,"data":{"id":"ma');
    setTimeout(() => response.socket!.destroy(), 50);
  },
  json(409, { error: { code: 'idempotency_in_progress' } }),
  made,
];

/** A page of a proxy, as when it cannot reach the service. */
export const proxyPage =
  (status: number, title: string, headers: Record<string, string> = {}): BadAnswer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'text/html', ...headers })
      .end(`<html><head><title>${title}</title></head><body><h1>nginx</h1></body></html>`);
