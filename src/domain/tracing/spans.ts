// The span that work belongs to. Node's asynchronous context carries it, so that no function has to pass it on. Without a tracer there is
// no span, and these functions return at once.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Rollback } from '../../kit/db.ts';
import { Failure } from '../../kit/errors.ts';

/** Routes, states, counts and ids of ours. Never a name, an address, a path or a text of a caller. */
export type Attributes = Readonly<Record<string, string | number>>;

export type SpanKind = 'internal' | 'server' | 'client';

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** When it began, by performance.now(), if that was earlier. */
  readonly startedAt?: number;
}

export interface Span {
  readonly traceId: string;
  /** The header with which another service continues the trace (W3C Trace Context). */
  readonly traceparent: string;
  /** Work that outlives its span, such as an open stream, has no spans of its own. */
  readonly isEnded: boolean;
  begin(name: string, options?: SpanOptions): Span;
  describe(attributes: Attributes, name?: string): void;
  end(hasFailed?: boolean): void;
}

export interface SpanCounts {
  readonly exported: number;
  readonly dropped: number;
}

export interface Tracer {
  /** The first span of this process in a trace. `traceparent` continues the trace of a caller; a malformed one is ignored. */
  begin(name: string, traceparent: string | null | undefined, options?: SpanOptions): Span;
  counts(): SpanCounts;
}

const current = new AsyncLocalStorage<Span>();

export const currentSpan = (): Span | undefined => current.getStore();

export const inSpan = <T>(span: Span, run: () => T): T => current.run(span, run);

/** Runs work in a span of its own, if it belongs to one that is open. */
export function traced<T>(name: string, attributes: Attributes, run: () => Promise<T>): Promise<T> {
  const parent = current.getStore();
  return parent === undefined || parent.isEnded ? run() : runAndEnd(parent.begin(name, { attributes }), run);
}

/** A refusal is an answer, and a rollback on purpose is no failure. */
export async function runAndEnd<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    const value = await inSpan(span, run);
    span.end();
    return value;
  } catch (error) {
    span.end(!(error instanceof Failure || error instanceof Rollback));
    throw error;
  }
}
