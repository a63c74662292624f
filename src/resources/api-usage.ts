// The calling key's use of the API: counts, recent requests, limits. Hidden from every key: key material, other keys' traffic.
import { readUsage } from '../domain/usage/key-usage.ts';
import { type InLog, inLog } from '../kit/db.ts';
import { type Context, get, resource } from '../kit/endpoint.ts';
import { ERRORS, type ErrorCode } from '../kit/errors.ts';
import { timeOfRequestId } from '../kit/ids.ts';
import { linesOf, type Page, readPage, readWalk, stepOf, type WalkKey } from '../kit/page.ts';
import { integerParam, momentParam, oneOfParam, type Param, textParam, withFallback } from '../kit/params.ts';
import { readPeriod } from '../kit/period.ts';
import { arrayOf, columnsOf, integer, nullable, number, object, oneOf, text, timestamp, uuid } from '../kit/schema.ts';
import { allOf, own, sql } from '../kit/sql.ts';

const Usage = object({
  key_id: uuid(),
  key_name: text(),
  environment: oneOf(['production', 'sandbox']),
  period: object({ from: timestamp(), to: timestamp() }),
  total_requests: integer(),
  successful_requests: integer(),
  client_errors: integer(),
  server_errors: integer(),
  rate_limited: integer(),
  error_rate: number(),
  p50_ms: nullable(number()),
  p95_ms: nullable(number()),
  last_used_at: nullable(timestamp()),
  by_endpoint: arrayOf(object({ endpoint: nullable(text('GET vehicles')), count: integer(), error_rate: number() })),
  by_error_code: arrayOf(object({ code: text(), count: integer() })),
  series: arrayOf(object({ at: timestamp(), count: integer(), errors: integer() })),
});

const LoggedRequest = object({
  request_id: text(),
  timestamp: timestamp(),
  method: text(),
  path: text('/api/v1/vehicles'),
  endpoint: nullable(text('GET vehicles')),
  status: integer(),
  error_code: nullable(text()),
  duration_ms: number(),
  ip: nullable(text()),
  user_agent: nullable(text()),
  response_bytes: integer(),
  key_id: uuid(),
  key_name: text(),
  environment: oneOf(['production', 'sandbox']),
});

const RateLimit = object({
  limit_per_minute: integer(),
  used_in_last_minute: integer(),
  remaining: integer(),
  window_seconds: integer(),
  limit_per_hour: nullable(integer()),
  limit_per_day: nullable(integer()),
});

const requestIdParam: Param<string> = {
  allowed: { en: 'a request id (req_…)', tr: 'bir istek kimliği (req_…)' },
  schema: { type: 'string', pattern: '^req_' },
  read: (text) => (timeOfRequestId(text) === null ? undefined : text),
};

const UsageFilters = {
  from: momentParam,
  to: momentParam,
  group_by: withFallback(oneOfParam(['day', 'hour']), 'day'),
} as const;

const LogFilters = {
  from: momentParam,
  to: momentParam,
  status: integerParam(100, 599),
  method: oneOfParam(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS']),
  endpoint: textParam(120),
  error_code: oneOfParam(Object.keys(ERRORS) as ErrorCode[]),
  request_id: requestIdParam,
} as const;

export const apiUsage = resource('API usage', 'API kullanımı', [
  get('developer/usage', 'developer:read', 'read', 'Aktif', ['Read API usage', 'API kullanımını getir'], {
    about: [
      'Returns the usage of the calling key for up to 90 days: requests, errors and latencies, by endpoint and over time.',
      'Çağıran anahtarın en çok 90 günlük bir dönemde API kullanımı: sayılar, hatalar, gecikmeler; uç noktaya ve zamana göre.',
    ],
    query: UsageFilters,
    returns: Usage,
    fresh: true,
    run: async ({ key, query, realNow, account }) => {
      const period = readPeriod(query, realNow, account.timezone, { days: 30, max: 90 });
      return inLog((log) => readUsage(log, key, period, query.group_by, account.timezone));
    },
  }),
  get('developer/request-logs', 'developer:read', 'read', 'Aktif', ['List recent requests', 'Son istekleri listele'], {
    about: [
      'Returns the requests of the calling key in the last 30 days, newest first, without bodies.',
      'Çağıran anahtarın son 30 gündeki istekleri, en yeniden eskiye, gövdeleri olmadan.',
    ],
    query: LogFilters,
    lists: LoggedRequest,
    fresh: true,
    run: readLog,
  }),
  get('developer/rate-limit', 'developer:read', 'read', 'Aktif', ['Read the rate limit', 'İstek limitini getir'], {
    about: [
      'Returns the limit per minute of the calling key and the requests that remain; this request counts too.',
      'Çağıran anahtarın dakikada yapabilecekleri ve kalan; bu istek de sayılır.',
    ],
    returns: RateLimit,
    fresh: true,
    run: async ({ key, used }) => ({
      limit_per_minute: key.limit_per_minute,
      used_in_last_minute: used,
      remaining: Math.max(0, key.limit_per_minute - used),
      window_seconds: 60,
      limit_per_hour: key.limit_per_hour,
      limit_per_day: key.limit_per_day,
    }),
  }),
]);

const BY_TIME: WalkKey = { columns: { at: 'timestamptz', request_id: 'text' }, direction: 'desc' };

/** The calling key's requests of the last 30 days, newest first. A request id contains its time, by which it is found. */
async function readLog({ key, query, page, realNow, account }: Context<string, typeof LogFilters>): Promise<InLog<Page>> {
  const period = readPeriod(query, realNow, account.timezone, { days: 30, max: 31 });
  const where = [sql`key_id = ${key.id}`, sql`at >= ${period.from}`, sql`at < ${period.end}`];
  if (query.status !== undefined) where.push(sql`status = ${query.status}`);
  if (query.method !== undefined) where.push(sql`method = ${query.method}`);
  if (query.endpoint !== undefined) where.push(sql`endpoint = ${query.endpoint}`);
  if (query.error_code !== undefined) where.push(sql`error_code = ${query.error_code}`);
  if (query.request_id !== undefined) {
    where.push(sql`at = ${new Date(timeOfRequestId(query.request_id)!)}`, sql`request_id = ${query.request_id}`);
  }
  const step = page.walk === undefined ? null : stepOf(page.walk, BY_TIME);
  // The page is selected from the index alone, and only its rows are fetched.
  const window = sql`order by at desc, request_id desc limit ${page.limit + 1} offset ${page.offset}`;
  const chosen = sql`select at, request_id from ${own('request_logs')} where true${allOf([...where, ...(step?.where ?? [])])} ${window}`;
  const logged = sql`(
    select line.*, line.at as timestamp, ${key.name}::text as key_name, ${key.environment}::text as environment
    from (${chosen}) chosen cross join lateral (
      select * from ${own('request_logs')} where key_id = ${key.id} and at = chosen.at and request_id = chosen.request_id limit 1) line) logged`;
  const shown = columnsOf(LoggedRequest);
  if (step === null) return inLog((log) => readPage(log, linesOf(sql`select ${shown} from ${logged}`), page));
  const item = sql`cross join lateral (select ${shown}) item`;
  const lines = sql`select array[row_to_json(item)::text, json_build_array(logged.at, logged.request_id)::text] from ${logged} ${item}`;
  return inLog((log) => readWalk(log, lines, page));
}
