// A real webhook receiver on loopback: records requests, and answers as configured.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  readonly json: any;
}

export interface Receiver {
  readonly url: string;
  readonly got: Received[];
  /** How the next requests are answered. */
  answer: (response: ServerResponse, received: Received) => void;
  /** Until this many have arrived. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export const status =
  (code: number, body = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end(body);
  };

export async function openReceiver(): Promise<Receiver> {
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const received = { headers: request.headers, body, json: JSON.parse(body) };
      receiver.got.push(received);
      receiver.answer(response, received);
      for (const wake of waiting.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got: [],
    answer: status(200, 'ok'),
    until: async (count) => {
      while (receiver.got.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** With the package that receivers use: throws unless it is ours, complete and recent. */
export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
