// A live view as a browser holds it: messages with their ids, until it is closed or the server ends it.
import type { LogLine } from '../../src/domain/usage/log-lines.ts';
import type { Browser } from './people.ts';

export interface Message {
  readonly id: string;
  readonly lines: readonly LogLine[];
  readonly missed: boolean;
}

export interface Tail {
  readonly status: number;
  readonly messages: Message[];
  /** The request ids of all messages, in the order received. */
  seen(): string[];
  /** The id of the last message, as a browser sends it when it reconnects. */
  lastId(): string;
  /** Settles when the server, or close(), has ended it. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export async function openTail(browser: Browser, query = '', lastEventId?: string): Promise<Tail> {
  const ending = new AbortController();
  const response = await fetch(`${browser.url}/panel/api/logs/tail${query}`, {
    signal: ending.signal,
    headers: {
      cookie: browser.cookieText(),
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  const messages: Message[] = [];
  const ended = readAll(response, messages);
  return {
    status: response.status,
    messages,
    seen: () => messages.flatMap(({ lines }) => lines.map(({ request_id }) => request_id)),
    lastId: () => messages.at(-1)!.id,
    ended,
    close: () => {
      ending.abort();
      return ended;
    },
  };
}

async function readAll(response: Response, messages: Message[]): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const id = /^id: (.*)$/m.exec(part)?.[1];
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (id !== undefined && data !== undefined) messages.push({ id, ...JSON.parse(data) });
      }
    }
  } catch {
    // The connection was cut, by either side.
  }
}
