// Bytes on a socket, and the replies: for requests that no HTTP client would send.
import { connect } from 'node:net';
import type { Answer } from '../support/service.ts';

export interface Exchange {
  readonly replies: Answer[];
  /** Bytes after the last complete reply. */
  readonly rest: string;
}

interface Parsed {
  readonly answer: Answer;
  readonly length: number;
}

/** Writes each part separately and reads until the server ends the connection, or until this many replies have arrived. */
export function exchange(url: string, parts: readonly (string | Buffer)[], until: 'closed' | number): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let received = Buffer.alloc(0);
    socket.on('connect', async () => {
      for (const part of parts) {
        if (socket.writable) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
        if (parts.length > 1) await new Promise((go) => setTimeout(go, 60));
      }
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (until !== 'closed' && readReplies(received).replies.length >= until) socket.end();
    });
    // A server that closes a connection with unread bytes resets it; its reply has already arrived.
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : undefined));
    socket.on('close', () => resolve(readReplies(received)));
  });
}

function readReplies(bytes: Buffer): { replies: Answer[]; rest: string } {
  const replies: Answer[] = [];
  let at = 0;
  for (;;) {
    const parsed = readReply(bytes.subarray(at));
    if (parsed === null) return { replies, rest: bytes.subarray(at).toString('latin1') };
    if (parsed.answer.status >= 200) replies.push(parsed.answer);
    at += parsed.length;
  }
}

function readReply(bytes: Buffer): Parsed | null {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const [first, ...lines] = bytes.subarray(0, head).toString('latin1').split('\r\n') as [string, ...string[]];
  const status = Number(/^HTTP\/1\.1 (\d{3}) \S.*$/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`not a reply: ${first}`);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const size = status === 304 || status < 200 ? 0 : Number(headers.get('content-length') ?? Number.NaN);
  if (Number.isNaN(size)) throw new Error(`a reply without Content-Length: ${first}`);
  if (bytes.length < head + 4 + size) return null;
  const text = bytes.subarray(head + 4, head + 4 + size).toString('utf8');
  return {
    answer: { status, headers, text, json: text.startsWith('{') ? JSON.parse(text) : undefined },
    length: head + 4 + size,
  };
}
