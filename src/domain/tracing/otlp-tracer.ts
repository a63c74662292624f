// Spans to a collector: OTLP over HTTP, encoded as JSON. Loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set.
import { randomPart } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { Attributes, Span, SpanKind, SpanOptions, Tracer } from './spans.ts';
import type { Sampling, TracingConfig } from './trace-settings.ts';

export interface OtlpTracer extends Tracer {
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

export interface TracerOptions {
  readonly config: TracingConfig;
  /** Of this process, beside the attributes of the deployment. */
  readonly resource: Attributes;
  readonly log: Log;
  /** How long the collector may take for a batch, and how often spans are sent; tests set them. */
  readonly deadlineMs?: number;
  readonly everyMs?: number;
}

/** Spans that wait for the collector. Further ones are dropped and counted, so that memory stays bounded. */
const MAX_WAITING = 8192;
const BATCH = 512;
const FLUSH_MS = 1000;
const DEADLINE_MS = 10_000;
const CLOSE_WITHIN_MS = 2000;

export function openTracer(options: TracerOptions): OtlpTracer {
  const { config, resource, log, deadlineMs = DEADLINE_MS, everyMs = FLUSH_MS } = options;
  /** As JSON: texts cost the garbage collector less than spans would while they wait. */
  const waiting: string[] = [];
  const closing = new AbortController();
  const head = headOf({ ...config.resource, ...resource });
  const clock = createClock();
  let [exported, dropped] = [0, 0];
  let isFailing = false;
  let running: Promise<void> | null = null;

  const send = async (batch: readonly string[]): Promise<void> => {
    try {
      await post(config, `${head}${batch.join(',')}]}]}]}`, AbortSignal.any([AbortSignal.timeout(deadlineMs), closing.signal]));
      exported += batch.length;
      if (isFailing) log.info('traces are exported again');
      isFailing = false;
    } catch (error) {
      dropped += batch.length;
      if (!isFailing) log.warn('traces cannot be exported and are dropped', { reason: reasonOf(error) });
      isFailing = true;
    }
  };
  const sendAll = async (): Promise<void> => {
    clock.adjust();
    while (waiting.length > 0) await send(waiting.splice(0, BATCH));
  };
  const flush = (): Promise<void> => {
    running ??= sendAll().finally(() => {
      running = null;
    });
    return running;
  };
  const ended = (span: OtlpSpan): void => {
    if (waiting.length >= MAX_WAITING) {
      dropped += 1;
      return;
    }
    waiting.push(encodeSpan(span, clock.nanoseconds));
    if (waiting.length >= BATCH && running === null) void flush();
  };
  const timer = setInterval(flush, everyMs).unref();

  return {
    begin: (name, traceparent, options) => {
      const caller = readTraceparent(traceparent);
      const traceId = caller?.traceId ?? randomPart(16).toString('hex');
      const isSampled = caller !== null && config.sampling.followsCaller ? caller.isSampled : isChosen(traceId, config.sampling);
      return new OtlpSpan({ traceId, isSampled, ended }, caller?.spanId ?? null, name, options);
    },
    counts: () => ({ exported, dropped }),
    close: async () => {
      clearInterval(timer);
      const late = setTimeout(() => closing.abort(), Math.min(CLOSE_WITHIN_MS, deadlineMs));
      await flush();
      clearTimeout(late);
    },
  };
}

/** What the spans of a trace share in this process. */
interface Trace {
  readonly traceId: string;
  readonly isSampled: boolean;
  readonly ended: (span: OtlpSpan) => void;
}

class OtlpSpan implements Span {
  readonly #trace: Trace;
  readonly id = randomPart(8).toString('hex');
  readonly parentId: string | null;
  readonly kind: SpanKind;
  readonly startedAt: number;
  readonly attributes: Attributes[];
  name: string;
  endedAt = 0;
  hasFailed = false;

  constructor(trace: Trace, parentId: string | null, name: string, options: SpanOptions = {}) {
    const { kind = 'internal', attributes = {}, startedAt = performance.now() } = options;
    this.#trace = trace;
    this.parentId = parentId;
    this.name = name;
    this.kind = kind;
    this.attributes = [attributes];
    this.startedAt = startedAt;
  }

  get traceId(): string {
    return this.#trace.traceId;
  }

  get traceparent(): string {
    return `00-${this.#trace.traceId}-${this.id}-${this.#trace.isSampled ? '01' : '00'}`;
  }

  get isEnded(): boolean {
    return this.endedAt !== 0;
  }

  begin(name: string, options?: SpanOptions): Span {
    return new OtlpSpan(this.#trace, this.id, name, options);
  }

  describe(attributes: Attributes, name = this.name): void {
    this.name = name;
    this.attributes.push(attributes);
  }

  end(hasFailed = false): void {
    if (this.isEnded) return;
    this.endedAt = performance.now();
    this.hasFailed = hasFailed;
    if (this.#trace.isSampled) this.#trace.ended(this);
  }
}

interface CallerSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version 00, and what a later version must begin with. Ids of zeros only are invalid. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

export function readTraceparent(text: string | null | undefined): CallerSpan | null {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(text ?? '') ?? [];
  if (version === undefined || (version === '00' && rest !== undefined)) return null;
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}

/** By the random end of the trace id, so that every process of a deployment decides the same. */
const isChosen = (traceId: string, { ratio }: Sampling): boolean => Number.parseInt(traceId.slice(-13), 16) < ratio * 16 ** 13;

async function post({ url, headers }: TracingConfig, body: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    redirect: 'error',
    signal,
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
}

/** fetch() hides the reason of a lost connection in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return String(cause instanceof Error ? cause : error);
}

const KIND_NUMBERS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
/** Beyond this difference the machine's clock was set, and times are counted from there. */
const CLOCK_TOLERANCE_MS = 5;

/** Spans have times of performance.now(), because the machine's clock may be set while they run. */
function createClock() {
  let origin = performance.timeOrigin;
  return {
    adjust: (): void => {
      const shown = Date.now() - performance.now();
      if (Math.abs(shown - origin) > CLOCK_TOLERANCE_MS) origin = shown;
    },
    nanoseconds: (at: number): string => `${Math.round((origin + at) * 1000)}000`,
  };
}

const headOf = (resource: Attributes): string =>
  `{"resourceSpans":[{"resource":{"attributes":[${encodeAttributes([resource])}]},"scopeSpans":[{"scope":{"name":"galeri"},"spans":[`;

function encodeSpan(span: OtlpSpan, nanoseconds: (at: number) => string): string {
  const parent = span.parentId === null ? '' : `"parentSpanId":"${span.parentId}",`;
  const status = span.hasFailed ? ',"status":{"code":2}' : '';
  const times = `"startTimeUnixNano":"${nanoseconds(span.startedAt)}","endTimeUnixNano":"${nanoseconds(span.endedAt)}"`;
  return `{"traceId":"${span.traceId}","spanId":"${span.id}",${parent}"name":${JSON.stringify(span.name)},"kind":${KIND_NUMBERS[span.kind]},${times},"attributes":[${encodeAttributes(span.attributes)}]${status}}`;
}

/** What was described later replaces what was described before. */
function encodeAttributes(described: readonly Attributes[]): string {
  let text = '';
  described.forEach((attributes, place) => {
    for (const key in attributes) {
      if (described.some((later, other) => other > place && key in later)) continue;
      const value = attributes[key]!;
      const encoded = typeof value === 'number' ? `{"intValue":"${value}"}` : `{"stringValue":${JSON.stringify(value)}}`;
      text += `${text === '' ? '' : ','}{"key":"${key}","value":${encoded}}`;
    }
  });
  return text;
}
