// Requests of a plain HTTP client: the target exactly as written, any method, nothing added.
import { Agent, request } from 'node:http';
import type { Answer } from '../support/service.ts';

export interface Sent {
  readonly method?: string;
  /** Sent exactly like this: neither resolved nor encoded. */
  readonly target: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function send(url: string, { method = 'GET', target, key, headers, body }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: target,
        headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const received = new Headers();
          for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
            received.append(incoming.rawHeaders[index]!, incoming.rawHeaders[index + 1]!);
          }
          const json = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
          resolve({ status: incoming.statusCode!, headers: received, text, json });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** As a client should: repeats a request answered 503 (on a machine too busy to hear its own database in time). */
export async function sendPatiently(url: string, sent: Sent): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(url, sent);
    if (answer.status !== 503 || attempt === 5) return answer;
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('retry-after')) * 1000));
  }
}

/** Runs over many items a few at a time, in order of their index. */
export async function each<T>(items: readonly T[], act: (item: T) => Promise<void>, width = 16): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const item = items[next]!;
      next += 1;
      await act(item);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}

/** Every letter as %XX: the same path, written by a client that encodes too much. */
export const encodedLetters = (path: string): string =>
  path.replace(/[a-z]/gi, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
