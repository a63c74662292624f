// A collector of traces on loopback: keeps the spans that arrive by OTLP over HTTP.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Attributes = Readonly<Record<string, string | number>>;

export interface CollectedSpan {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Attributes;
  readonly resource: Attributes;
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly hasFailed: boolean;
}

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** Of each request. */
  readonly headers: IncomingHttpHeaders[];
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

interface Encoded {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}

const attributesOf = (encoded: readonly Encoded[]): Attributes =>
  Object.fromEntries(encoded.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

export async function openCollector(): Promise<Collector> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      collector.headers.push(request.headers);
      if (request.url === '/v1/traces') collector.spans.push(...spansIn(JSON.parse(Buffer.concat(parts).toString('utf8'))));
      collector.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: [],
    answer: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}

// biome-ignore lint/suspicious/noExplicitAny: OTLP as it arrives
function spansIn({ resourceSpans }: any): CollectedSpan[] {
  // biome-ignore lint/suspicious/noExplicitAny: OTLP as it arrives
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: OTLP as it arrives
    scopeSpans[0].spans.map((span: any) => ({
      traceId: span.traceId,
      id: span.spanId,
      parentId: span.parentSpanId,
      name: span.name,
      kind: span.kind,
      attributes: attributesOf(span.attributes),
      resource: attributesOf(resource.attributes),
      startedAt: BigInt(span.startTimeUnixNano),
      endedAt: BigInt(span.endTimeUnixNano),
      hasFailed: span.status?.code === 2,
    })),
  );
}
