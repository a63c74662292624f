// The request log in the panel: filters, explanations of single requests, CSV and Excel export, live view.
import { FILE_FORMS, FILE_TYPES, writeTable } from '../../domain/formats/table-write.ts';
import type { XlsxCell, XlsxKind } from '../../domain/formats/xlsx-write.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { patient } from '../../domain/records/list-file.ts';
import type { Step, TimelinePoint } from '../../domain/usage/account-usage.ts';
import { readTimeline } from '../../domain/usage/account-usage.ts';
import { type Explanation, explain } from '../../domain/usage/log-explain.ts';
import {
  findLogLine,
  isWanted,
  type LogFilter,
  type LogLine,
  type LogPage,
  type LogWindow,
  readLoggedKeys,
  readLogPage,
  readRefusal,
  STATUS_CLASSES,
  withMaskedAddress,
} from '../../domain/usage/log-lines.ts';
import { currentPosition, type News, positionText, readNews, readPosition } from '../../domain/usage/log-tail-reader.ts';
import { dayIn } from '../../kit/clock.ts';
import { type Database, inLog, logOf } from '../../kit/db.ts';
import { ERRORS, type ErrorCode, fail } from '../../kit/errors.ts';
import { timeOfRequestId } from '../../kit/ids.ts';
import { integerParam, momentParam, oneOfParam, type Param, textParam, uuidParam, withFallback } from '../../kit/params.ts';
import { type Period, readPeriod } from '../../kit/period.ts';
import { own, sql } from '../../kit/sql.ts';
import { type PanelAccount, PanelFile, panelGet, panelStream } from '../kit/endpoint.ts';
import { logTailOf } from './log-tail.ts';

/** A page of the log, and the position from which a live view continues without a gap. */
export type LogList = LogPage & { readonly position: string };

export interface LogEntry {
  readonly line: LogLine;
  /** Null for a request that succeeded. */
  readonly why: Explanation | null;
  /** The parameters or fields that were refused, each with its rule in the reader's language. */
  readonly refused: readonly RefusedField[];
  /** The names of the query's parameters; their values are not kept. */
  readonly query_names: readonly string[];
}

export interface RefusedField {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface LogTimeline {
  readonly step: Step;
  readonly points: readonly TimelinePoint[];
}

/** A message of the live view. */
export type TailMessage = News;
/** The same for browsers that cannot keep a stream open, by polling. */
export type LogNewsView = News & { readonly position: string };

export interface LogKey {
  readonly id: string;
  readonly name: string;
  readonly revoked: boolean;
}

const requestIdParam: Param<string> = {
  allowed: { en: 'a request id (req_…)', tr: 'bir istek kimliği (req_…)' },
  schema: { type: 'string', pattern: '^req_' },
  read: (text) => (timeOfRequestId(text) === null ? undefined : text),
};

const positionParam: Param<string> = {
  allowed: { en: 'a position returned by an earlier response of this log', tr: 'günlükte bir konum' },
  schema: { type: 'string' },
  read: (text) => (readPosition(text) === null ? undefined : text),
};

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'] as const;

const FILTERS = {
  key: uuidParam,
  method: oneOfParam(METHODS),
  path: textParam(200),
  status: oneOfParam(STATUS_CLASSES),
  error: oneOfParam(Object.keys(ERRORS) as ErrorCode[]),
  via: oneOfParam(['mcp']),
} as const;

const PERIOD = { from: momentParam, to: momentParam } as const;
/** The log is kept for thirty days. */
const SPAN = { days: 1, max: 31 };
/** Lines of an export that are in memory at once. */
const EXPORTED_AT_ONCE = 5000;

/** The roles that may read developer endpoints. */
const READERS = rolesFor({ scope: 'developer:read', risk: 'read' });

/** Viewers, and administrators who view an account, see only the network of an address. */
const shownTo = ({ role }: PanelAccount): ((line: LogLine) => LogLine) =>
  role === 'viewer' ? withMaskedAddress : (line) => line;

export const logEndpoints = [
  panelGet('logs', {
    who: READERS,
    databaseRole: 'tenant',
    ofOwner: true,
    query: {
      ...FILTERS,
      ...PERIOD,
      request_id: requestIdParam,
      before: requestIdParam,
      limit: withFallback(integerParam(1, 200), 50),
    },
    run: async ({ db, query, account, realNow }) => {
      const { from, to, request_id, before = null, limit, ...filter } = query;
      if (request_id !== undefined) {
        const keys = await readLoggedKeys(db);
        return inLog(async (log): Promise<LogList> => {
          const position = await currentPosition(log);
          const line = await findLogLine(log, keys, request_id);
          return { lines: line === null ? [] : [shownTo(account)(line)], next: null, searched_to: null, position };
        });
      }
      const period = readPeriod({ from, to }, realNow, account.timezone, SPAN);
      const keys = await readLoggedKeys(db, filter);
      return inLog(async (log): Promise<LogList> => {
        const position = await currentPosition(log);
        const page = await readLogPage(log, keys, filter, { period, before, limit });
        return { ...page, lines: page.lines.map(shownTo(account)), position };
      });
    },
  }),
  panelGet('logs/lines/{line}', {
    who: READERS,
    databaseRole: 'none',
    ofOwner: true,
    run: async ({ params, account, services, realNow, locale }): Promise<LogEntry> => {
      const { database, catalog } = services;
      const keys = await database.inTenant(account.id, 'read', (db) => readLoggedKeys(db));
      const { line, refusal, query_names } = await logOf(database).inTenant(account.id, 'read', async (log) => {
        const line = (await findLogLine(log, keys, params.line)) ?? fail('not_found');
        return { line, ...(await readRefusal(log, line)) };
      });
      const release = await services.release();
      const why =
        line.error_code === null
          ? null
          : await database.inTenant(account.id, 'read', (db) => explain(db, catalog, release, line, realNow));
      const refused = (refusal?.fields ?? []).map((one) => ({ ...one, message: one.message[locale] }));
      return { line: shownTo(account)(line), why, refused, query_names: query_names?.split(',') ?? [] };
    },
  }),
  panelGet('logs/timeline', {
    who: READERS,
    databaseRole: 'tenant',
    ofOwner: true,
    query: { key: uuidParam, ...PERIOD },
    run: async ({ query, account, realNow }) => {
      const period = readPeriod(query, realNow, account.timezone, SPAN);
      const step = period.end.getTime() - period.from.getTime() > 4 * 86_400_000 ? 'day' : 'hour';
      const question = { period, step, timezone: account.timezone, key: query.key } as const;
      return inLog(async (log): Promise<LogTimeline> => ({ step, points: await readTimeline(log, question) }));
    },
  }),
  panelGet('logs/keys', {
    who: READERS,
    databaseRole: 'tenant',
    ofOwner: true,
    run: ({ db }): Promise<LogKey[]> =>
      db.rows(sql`select id, name, revoked_at is not null as revoked from ${own('api_keys')}
        order by revoked_at is not null, fold_tr(name), id limit 1000`),
  }),
  panelGet('logs/export', {
    who: READERS,
    databaseRole: 'none',
    ofOwner: true,
    query: { ...FILTERS, ...PERIOD, form: withFallback(oneOfParam(FILE_FORMS), 'csv') },
    run: async ({ query, account, realNow, services }): Promise<PanelFile> => {
      const { from, to, form, ...filter } = query;
      const period = readPeriod({ from, to }, realNow, account.timezone, SPAN);
      const name = `galeri-log-${dayIn(realNow, account.timezone)}.${form}`;
      const columns = COLUMNS.map((title) => ({ title, kind: KINDS[title] ?? ('text' as const) }));
      const pages = exported(services.database, account, filter, period);
      // With commas in every language: programs read it, too.
      return new PanelFile(name, FILE_TYPES[form], writeTable(form, { name: 'Log', columns, pages }, 'en'));
    },
  }),
  panelGet('logs/news', {
    who: READERS,
    databaseRole: 'none',
    ofOwner: true,
    query: { ...FILTERS, since: positionParam },
    run: async ({ query: { since, ...filter }, account, services }): Promise<LogNewsView> => {
      const from = since === undefined ? null : readPosition(since);
      const watched = from === null ? [] : [{ accountId: account.id, since: from }];
      const { position, news } = await readNews(services.database, watched);
      return { ...linesFor(account, filter, news[0] ?? { lines: [], missed: false }), position: positionText(position) };
    },
  }),
  panelStream('logs/tail', {
    who: READERS,
    ofOwner: true,
    query: { ...FILTERS, since: positionParam },
    stream: ({ query: { since = null, ...filter }, account, services }, stream) =>
      logTailOf(services.database, services.log).follow({
        accountId: account.id,
        since: stream.lastEventId ?? since,
        closed: stream.closed,
        // One message per query: a browser processes a message completely or not at all, so its position is always exact.
        send: (news, position) => stream.send({ id: position, event: 'news', data: linesFor(account, filter, news) }),
      }),
  }),
];

const shown = new WeakMap<News, Map<string, TailMessage>>();

/** Views with the same filter share one result, so that it is filtered, masked and serialised only once. */
function linesFor(account: PanelAccount, filter: LogFilter, news: News): TailMessage {
  const known = shown.get(news) ?? new Map<string, TailMessage>();
  shown.set(news, known);
  const name = `${account.role === 'viewer'} ${JSON.stringify(filter)}`;
  const message = known.get(name) ?? {
    lines: news.lines.filter((line) => isWanted(line, filter)).map(shownTo(account)),
    missed: news.missed,
  };
  known.set(name, message);
  return message;
}

/** Each page is read in its own transaction, so that a slow browser holds none. */
async function* exported(
  database: Database,
  account: PanelAccount,
  filter: LogFilter,
  period: Period,
): AsyncGenerator<readonly (readonly XlsxCell[])[]> {
  const inTenant = patient((work) => logOf(database).inTenant(account.id, 'read', work));
  const keys = await database.inTenant(account.id, 'read', (db) => readLoggedKeys(db, filter));
  let before: string | null = null;
  do {
    const window: LogWindow = { period, before, limit: EXPORTED_AT_ONCE };
    const page: LogPage = await inTenant((log) => readLogPage(log, keys, filter, window));
    yield page.lines.map(shownTo(account)).map((line) => COLUMNS.map((column) => line[column]));
    before = page.next;
  } while (before !== null);
}

const COLUMNS = [
  'at',
  'request_id',
  'key_name',
  'environment',
  'method',
  'path',
  'endpoint',
  'status',
  'error_code',
  'duration_ms',
  'ip',
  'user_agent',
  'response_bytes',
  'via',
  'client',
] as const satisfies readonly (keyof LogLine)[];

/** Moments stay as they are, in UTC: they are compared with other logs. */
const KINDS: Readonly<Partial<Record<(typeof COLUMNS)[number], XlsxKind>>> = {
  status: 'number',
  duration_ms: 'number',
  response_bytes: 'number',
};
