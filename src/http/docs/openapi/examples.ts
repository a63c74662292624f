// One real request and reply of every endpoint, taken from a run on the demonstration dealer (`npm run examples`) and kept true by a test.
import { readFileSync } from 'node:fs';
import { addDays } from '../../../domain/clock/days.ts';

export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The same as a form with a file, where the endpoint takes one. */
  readonly form?: { readonly file: string; readonly fields: Readonly<Record<string, string>> };
  readonly status: number;
  readonly reply: unknown;
}

const EXAMPLES = JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Example>
>;

/** Fields whose day must be in the future when the request is sent; the recorded day will have passed. */
const DAYS_AHEAD: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'POST payment-promises': { promised_date: 14 },
  'POST network-auctions': { ends_at: 3 },
};

/** Null for an endpoint without a body. */
export function exampleOf(endpointId: string, today?: string): Example | null {
  const example = Object.hasOwn(EXAMPLES, endpointId) ? EXAMPLES[endpointId]! : null;
  const ahead = Object.entries(DAYS_AHEAD[endpointId] ?? {});
  if (example === null || today === undefined || ahead.length === 0) return example;
  const days = Object.fromEntries(ahead.map(([field, count]) => [field, `${addDays(today, count)}${hourOf(example, field)}`]));
  return { ...example, body: { ...(example.body as object), ...days } };
}

/** An instant keeps its hour, and a day has none. */
const hourOf = ({ body }: Example, field: string): string => String((body as Record<string, unknown>)[field]).slice(10);
