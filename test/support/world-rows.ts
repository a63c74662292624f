// Every row of an isolated sandbox in a form in which two sandboxes can be compared: without ids, and without what is drawn at random,
// sealed for one account, or of the real clock.
import { TENANT_TABLES } from '../../src/kit/tenant-tables.ts';

type Query = (text: string, values: unknown[]) => Promise<{ row: Record<string, unknown> }[]>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
/** Addresses of showrooms, ids of events and requests, hashes, codes of papers and bytes. */
const MADE = /sandbox-[0-9a-f]{12}|evt_[0-9a-z]{26}|req_[0-9a-z]{26}|[0-9a-f]{64}|\b[0-9A-HJKMNP-TV-Z]{26}\b|\\\\x[0-9a-f]+/g;
const DRAWN =
  /_encrypted$|_index$|^stamp|^sha256$|^size_bytes$|^secret|_hash$|^written_in$|^version$|^(evidence_)?code$|^next_due_at$|^expires_at$|^live$|^text_hash$/;
/** Of requests and of the process. */
const REAL: ReadonlySet<string> = new Set([
  ...['audit_log', 'idempotency', 'stored_files', 'signing_codes', 'signing_links', 'customer_links', 'customer_page_codes'],
  ...['request_logs', 'usage_calls', 'usage_latency', 'usage_secrets', 'webhook_deliveries', 'webhook_attempts'],
]);
/** Numbers of all accounts together. */
const NUMBERED: ReadonlySet<string> = new Set(['sandbox_messages', 'sandbox_acts']);

/** `times`: with the times of the sandbox; else they read `at`. */
export interface Precision {
  readonly times: boolean;
}

const normal = (text: string, { times }: Precision): string =>
  text
    .replace(UUID, 'id')
    .replace(INSTANT, times ? '$&' : 'at')
    .replace(MADE, 'made');

/** By table, sorted. */
export async function rowsOfWorld(query: Query, world: string, precision: Precision): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of TENANT_TABLES) {
    if (REAL.has(table)) continue;
    const column = table === 'accounts' || table === 'data_sets' ? 'id' : 'account_id';
    const rows = await query(
      `select to_jsonb(one) as row from ${table} one where ${column} in (select id from accounts where world_id = $1)`,
      [world],
    );
    found[table] = rows.map(({ row }) => textOf(table, row, precision)).sort();
  }
  return found;
}

function textOf(table: string, row: Record<string, unknown>, precision: Precision): string {
  const kept = Object.entries(row).filter(
    ([name]) => !DRAWN.test(name) && name !== 'payload' && !(name === 'number' && NUMBERED.has(table)),
  );
  // Names of files are drawn; a chain is computed from ids.
  return normal(JSON.stringify(kept), precision);
}

/** Events of the dealer's own account, in order. */
export async function eventsOfWorld(query: Query, world: string, precision: Precision): Promise<string[]> {
  const rows = await query(
    'select to_jsonb(one) as row from (select payload from events where account_id = $1 and sequence is not null order by sequence) one',
    [world],
  );
  return rows.map(({ row }) => {
    const { type, timestamp, sequence, data } = JSON.parse(String(row.payload));
    return normal(JSON.stringify({ type, timestamp, sequence, data }), precision);
  });
}

/** Rows without their times, sorted, and the times apart. */
export function timesApart(rows: readonly string[]): { readonly texts: string[]; readonly times: Date[] } {
  const parts = rows.map((row) => ({ text: row.replace(INSTANT, 'at'), times: row.match(INSTANT) ?? [] }));
  const key = ({ text, times }: (typeof parts)[number]) => `${text} ${times.join(' ')}`;
  parts.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return { texts: parts.map(({ text }) => text), times: parts.flatMap(({ times }) => times.map((time) => new Date(time))) };
}
