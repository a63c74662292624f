// Reads text/event-stream: messages with id, event and data, separated by empty lines; comments are skipped.

export interface StreamMessage {
  readonly id: string | null;
  /** `message` by default. */
  readonly event: string;
  /** null: the message only sets the position. */
  readonly data: string | null;
}

/** Far longer than any event. */
const MAX_LENGTH = 1_000_000;

export class NoEventStream extends Error {}

export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let rest = '';
  let lines: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const ended = text.split('\n');
    // Only the new chunk is searched, so that a long line in small pieces costs linear time.
    ended[0] = rest + ended[0]!;
    rest = ended.pop()!;
    length += text.length;
    for (const line of ended) {
      const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (plain !== '') lines.push(plain);
      else {
        const message = messageOf(lines);
        lines = [];
        length = 0;
        if (message !== null) yield message;
      }
    }
    if (length > MAX_LENGTH) throw new NoEventStream('what the service sends is no event stream');
  }
}

/** null if there are only comments. */
function messageOf(lines: readonly string[]): StreamMessage | null {
  const fields = lines.filter((line) => !line.startsWith(':')).map(fieldOf);
  if (fields.length === 0) return null;
  const last = (name: string) => fields.findLast((field) => field.name === name)?.value;
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value);
  return { id: last('id') ?? null, event: last('event') ?? 'message', data: data.length === 0 ? null : data.join('\n') };
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { name: line, value: '' };
  return { name: line.slice(0, colon), value: line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1) };
}
