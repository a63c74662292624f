// The messages of an MCP client on this machine, one JSON object per line, handed to the service over HTTP. Imports nothing of the service, so
// that the client package can contain the same file.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface Bridge {
  /** The service's address, without /mcp. */
  readonly url: string;
  readonly key: string;
  readonly isReadOnly: boolean;
  readonly input: Readable;
  readonly output: Writable;
  readonly userAgent: string;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** The service answers within seconds; a longer silence is an outage. */
const TIMEOUT_MS = 60_000;
const MAX_LINE = 1024 * 1024;

/** Until the client closes its end, and every answer is written. */
export async function runBridge(bridge: Bridge): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input: bridge.input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const answer = answerLine(bridge, line).finally(() => running.delete(answer));
    running.add(answer);
  }
  await Promise.all(running);
}

async function answerLine(bridge: Bridge, line: string): Promise<void> {
  let message: Message | null = null;
  try {
    message = line.length <= MAX_LINE ? (JSON.parse(line) as Message) : null;
  } catch {
    // Answered below, as a message that cannot be read.
  }
  if (message === null || typeof message !== 'object')
    return write(bridge, failure(null, -32700, 'The line is not one JSON message'));
  const id = message.id ?? null;
  try {
    const response = await fetch(`${bridge.url}/mcp${bridge.isReadOnly ? '/readonly' : ''}`, {
      method: 'POST',
      headers: headersOf(bridge, message),
      body: line,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (id === null) return;
    write(bridge, isAnswer(text) ? text : failure(id, -32000, refusalOf(response.status, text)));
  } catch (error) {
    if (id !== null) write(bridge, failure(id, -32000, `${bridge.url} did not answer: ${(error as Error).message}`));
  }
}

/** What HTTP clients send beside the body; standard input has no headers. */
function headersOf({ key, userAgent }: Bridge, { method, params }: Message): Record<string, string> {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const name = method === 'tools/call' ? params?.name : method === 'resources/read' ? params?.uri : undefined;
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': userAgent,
    ...(typeof version === 'string' ? { 'mcp-protocol-version': version, 'mcp-method': String(method) } : {}),
    ...(typeof version === 'string' && typeof name === 'string' ? { 'mcp-name': encoded(name) } : {}),
  };
}

const encoded = (name: string): string =>
  /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;

function isAnswer(text: string): boolean {
  try {
    return (JSON.parse(text) as { jsonrpc?: unknown }).jsonrpc === '2.0';
  } catch {
    return false;
  }
}

/** The envelope of the API where the key is refused; never the page of a proxy. */
function refusalOf(status: number, text: string): string {
  try {
    const { code, message } = (JSON.parse(text) as { error: { code: string; message: string } }).error;
    return `${code}: ${message}`;
  } catch {
    return `HTTP ${status}`;
  }
}

const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

const write = ({ output }: Bridge, line: string): void => {
  output.write(`${line}\n`);
};
