// The request log of an account, newest first. Its only index begins with the key, so each key is read separately and the results
// are merged: a page costs its number of rows for each key, however long the log is.
import type { Db } from '../../kit/db.ts';
import type { Text } from '../../kit/errors.ts';
import { timeOfRequestId } from '../../kit/ids.ts';
import type { Period } from '../../kit/period.ts';
import { allOf, own, type Sql, sql } from '../../kit/sql.ts';
import type { Environment } from '../keys/key-secret.ts';
import { maskAddress } from '../net/address.ts';

/** One finished request, as the panel shows it. */
export interface LogLine {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** The requested catalog endpoint; null if no endpoint matched. */
  readonly endpoint: string | null;
  readonly status: number;
  readonly error_code: string | null;
  readonly duration_ms: number;
  /** Masked for viewers. */
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly response_bytes: number;
  /** `mcp` and the client's name for calls of agents. */
  readonly via: string | null;
  readonly client: string | null;
  readonly key_id: string;
  readonly key_name: string;
  readonly environment: Environment;
}

export const STATUS_CLASSES = ['ok', '4xx', '5xx', 'errors'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

export interface LogFilter {
  readonly key?: string | undefined;
  readonly method?: string | undefined;
  /** A part of the path, ignoring case. */
  readonly path?: string | undefined;
  readonly status?: StatusClass | undefined;
  readonly error?: string | undefined;
  /** `mcp`: calls of agents. */
  readonly via?: string | undefined;
}

const STATUSES: Readonly<Record<StatusClass, readonly [from: number, to: number]>> = {
  ok: [100, 399],
  '4xx': [400, 499],
  '5xx': [500, 599],
  errors: [400, 599],
};

/** The filter as SQL; isWanted() is the same filter for lines of a live view. */
function conditionsOf({ method, path, status, error, via }: LogFilter): Sql[] {
  const conditions: Sql[] = [];
  if (method !== undefined) conditions.push(sql`method = ${method}`);
  if (path !== undefined) conditions.push(sql`position(lower(${path}) in lower(path)) > 0`);
  if (status !== undefined) conditions.push(sql`status between ${STATUSES[status][0]} and ${STATUSES[status][1]}`);
  if (error !== undefined) conditions.push(sql`error_code = ${error}`);
  if (via !== undefined) conditions.push(sql`via = ${via}`);
  return conditions;
}

export function isWanted(line: LogLine, { key, method, path, status, error, via }: LogFilter): boolean {
  return (
    (key === undefined || line.key_id === key) &&
    (method === undefined || line.method === method) &&
    (path === undefined || line.path.toLowerCase().includes(path.toLowerCase())) &&
    (status === undefined || (line.status >= STATUSES[status][0] && line.status <= STATUSES[status][1])) &&
    (error === undefined || line.error_code === error) &&
    (via === undefined || line.via === via)
  );
}

export interface UnnamedLine extends Omit<LogLine, 'at' | 'key_name' | 'environment'> {
  readonly at: Date;
}

/** An address reveals where someone is, so viewers see its network only. */
export const withMaskedAddress = (line: LogLine): LogLine => ({ ...line, ip: line.ip === null ? null : maskAddress(line.ip) });

export interface LogPage {
  readonly lines: readonly LogLine[];
  /** The request id after which the next page begins; null at the end. */
  readonly next: string | null;
  /** How far back the search went, if it stopped before the page was full because matches are rare. */
  readonly searched_to: string | null;
}

export interface LogWindow {
  readonly period: Period;
  /** A request id: only older requests are shown. The id contains its time, so it is a complete cursor. */
  readonly before: string | null;
  readonly limit: number;
}

/** How many lines, over all keys, a page may scan for matches of its filter. */
const MAX_SCANNED = 50_000;
const MIN_SCANNED = 1000;

/** A key of the account. It is read before the log, which may be in another database. */
export interface LoggedKey {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
}

export const readLoggedKeys = (db: Db, { key }: LogFilter = {}): Promise<LoggedKey[]> =>
  db.rows<LoggedKey>(
    sql`select id, name, environment from ${own('api_keys')} where ${key === undefined ? sql`true` : sql`id = ${key}`}`,
  );

const idsOf = (keys: readonly LoggedKey[]): Sql => sql`unnest(${keys.map(({ id }) => id)}::uuid[]) as wanted(id)`;

/** Lines with the names of their keys. */
export function withKeys(found: readonly UnnamedLine[], keys: readonly LoggedKey[]): LogLine[] {
  const known = new Map(keys.map((key) => [key.id, key]));
  return found.flatMap(({ at, ...line }) => {
    const key = known.get(line.key_id);
    return key === undefined ? [] : [{ ...line, key_name: key.name, environment: key.environment, at: at.toISOString() }];
  });
}

export async function readLogPage(
  log: Db,
  keys: readonly LoggedKey[],
  filter: LogFilter,
  { period, before, limit }: LogWindow,
): Promise<LogPage> {
  const conditions = conditionsOf(filter);
  const within = sql`key_id = wanted.id and at >= ${period.from} and at < ${period.end}${olderThan(before)}`;
  const newest = sql`order by at desc, request_id desc`;
  const scanned = Math.max(MIN_SCANNED, Math.floor(MAX_SCANNED / Math.max(1, keys.length)), limit + 1);
  const looked =
    conditions.length === 0
      ? sql`select * from ${own('request_logs')} where ${within} ${newest} limit ${limit + 1}`
      : sql`select * from (select * from ${own('request_logs')} where ${within} ${newest} limit ${scanned}) scanned
          where true${allOf(conditions)} ${newest} limit ${limit + 1}`;
  const found = await log.rows<UnnamedLine>(sql`select ${LINE} from ${idsOf(keys)} cross join lateral (${looked}) line
    order by line.at desc, line.request_id desc limit ${limit + 1}`);
  const stop = conditions.length === 0 ? null : await readStop(log, keys, sql`${within} ${newest} offset ${scanned - 1} limit 1`);
  return pageOf(withKeys(found, keys), stop?.request_id ?? null, limit);
}

const LINE = sql`line.request_id, line.at, line.method, line.path, line.endpoint, line.status, line.error_code, line.duration_ms,
  line.ip, line.user_agent, line.response_bytes, line.via, line.client, line.key_id`;

function olderThan(before: string | null): Sql {
  const time = before === null ? null : timeOfRequestId(before);
  // The second condition uses the index; the first excludes partitions of later days.
  return time === null ? sql`` : sql` and at <= ${new Date(time)} and (at, request_id) < (${new Date(time)}, ${before})`;
}

/** The position of the key whose scan stopped first; undefined if every key was scanned to the end. */
async function readStop(log: Db, keys: readonly LoggedKey[], last: Sql): Promise<{ request_id: string } | undefined> {
  const [stop] = await log.rows<{ request_id: string }>(sql`select line.request_id from ${idsOf(keys)}
    cross join lateral (select at, request_id from ${own('request_logs')} where ${last}) line
    order by line.at desc, line.request_id desc limit 1`);
  return stop;
}

/** Lines beyond the stop are left for the next page, because another key may have lines there that were not scanned. */
function pageOf(found: readonly LogLine[], stop: string | null, limit: number): LogPage {
  const sure = stop === null ? found : found.filter((line) => line.request_id >= stop);
  const lines = sure.slice(0, limit);
  if (sure.length > limit) return { lines, next: lines.at(-1)!.request_id, searched_to: null };
  const searched = stop === null ? null : new Date(timeOfRequestId(stop)!).toISOString();
  return { lines, next: stop, searched_to: searched };
}

/** The id contains its time, so only that moment of each key is searched. */
export async function findLogLine(log: Db, keys: readonly LoggedKey[], requestId: string): Promise<LogLine | null> {
  const at = timeOfRequestId(requestId);
  if (at === null) return null;
  const found = await log.rows<UnnamedLine>(sql`select ${LINE} from ${idsOf(keys)} cross join lateral (
    select * from ${own('request_logs')} where key_id = wanted.id and at = ${new Date(at)} and request_id = ${requestId}) line`);
  return withKeys(found, keys)[0] ?? null;
}

export interface LoggedRefusal {
  readonly refusal: { readonly fields: readonly { field: string; code: string; message: Text }[] } | null;
  readonly query_names: string | null;
}

/** The log's data of a request besides its line. */
export const readRefusal = (db: Db, { key_id, at, request_id }: LogLine): Promise<LoggedRefusal> =>
  db.one<LoggedRefusal>(sql`select refusal, query_names from ${own('request_logs')}
    where key_id = ${key_id} and at = ${new Date(at)} and request_id = ${request_id}`);
