// Reads new lines of the request log since a position, for live views. Lines are written in batches by every node, some long
// after their request began, so neither their time nor their id shows which are new. PostgreSQL's snapshots do: a line is new to
// a snapshot if the transaction that wrote it is not visible in it. A snapshot as text is therefore a position from which any
// node continues, without gaps or duplicates.
import { type Database, type Db, logOf } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import { type LoggedKey, type LogLine, type UnnamedLine, withKeys } from './log-lines.ts';

/** A reader's position: `xmin:xmax:xip,…` of a snapshot, and when it was taken. */
export interface LogPosition {
  readonly snapshot: string;
  readonly takenAt: number;
}

export const positionText = ({ snapshot, takenAt }: LogPosition): string => `${takenAt}.${snapshot}`;

const POSITION = /^(\d{1,15})\.(\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?)$/;
const MAX_TEXT = 8000;

/** Null if the text is not a snapshot: it comes from a browser, and one bad position would fail the query of all views. */
export function readPosition(text: string): LogPosition | null {
  const parts = text.length > MAX_TEXT ? null : POSITION.exec(text);
  if (parts === null) return null;
  const [xmin, xmax] = [BigInt(parts[2]!), BigInt(parts[3]!)];
  if (xmin < 1n || xmin > xmax) return null;
  let before = xmin - 1n;
  for (const open of parts[4] === '' ? [] : parts[4]!.split(',').map(BigInt)) {
    if (open <= before || open >= xmax) return null;
    before = open;
  }
  return { snapshot: text.slice(text.indexOf('.') + 1), takenAt: Number(parts[1]) };
}

/** The position of this transaction: everything that it can read is before it. */
export async function currentPosition(db: Db): Promise<string> {
  const [row] = await db.rows<{ snapshot: string; taken: Date }>(
    sql`select pg_current_snapshot()::text as snapshot, now() as taken`,
  );
  return positionText({ snapshot: row!.snapshot, takenAt: row!.taken.getTime() });
}

export interface Watched {
  readonly accountId: string;
  readonly since: LogPosition;
}

export interface LogNews {
  readonly position: LogPosition;
  /** For each watched key, in the same order. */
  readonly news: readonly News[];
}

export interface News {
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** More was written than a live view can show; the list has the rest. */
  readonly missed: boolean;
}

/** How old a new line may be: requests can be slow, and a node may be unable to write for a while. */
const LOOKED_BACK_MS = 15 * 60_000;
/** How much one query returns of one account. */
export interface NewsLimits {
  /** How many lines of one key are examined, newest first; a key with the usual limit makes fewer in that time. */
  readonly perKey: number;
  readonly lines: number;
}

/** For a screen: more than anyone can read, and reading must stay cheap. */
const SCREEN: NewsLimits = { perKey: 1000, lines: 100 };

type NewLine = UnnamedLine & { snapshot: string; taken: Date; place: number | null };

/**
 * One statement for all views, so that they have the same position. usage_secrets, which is written together with the lines,
 * shows which keys were used; unused keys cost nothing. A row's transaction id has 32 bits; the 64-bit id is the newest one that
 * is not after the snapshot.
 */
async function readLines(log: Db, watched: readonly Watched[], limits: NewsLimits): Promise<NewLine[]> {
  return log.rows<NewLine>(sql`
    with here as (select pg_current_snapshot() as snapshot, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as newest),
    watched as (select account_id, since::pg_snapshot as since, place::int as place from
      unnest(${watched.map(({ accountId }) => accountId)}::uuid[], ${watched.map(({ since }) => since.snapshot)}::text[])
      with ordinality as given(account_id, since, place))
    select here.snapshot::text as snapshot, now() as taken, line.* from here left join lateral (
      select watched.place, newest.* from watched cross join lateral (
        select line.request_id, line.at, line.method, line.path, line.endpoint, line.status, line.error_code, line.duration_ms,
          line.ip, line.user_agent, line.response_bytes, line.via, line.client, line.key_id
        from (select distinct u.key_id from usage_secrets u where u.account_id = watched.account_id
          and not pg_visible_in_snapshot((here.newest - ((here.newest - u.xmin::text::bigint) & 4294967295))::text::xid8, watched.since)) used
        cross join lateral (select l.*, l.xmin::text::bigint as writer from request_logs l
          where l.account_id = watched.account_id and l.key_id = used.key_id and l.at > now() - interval '15 minutes'
          order by l.at desc, l.request_id desc limit ${limits.perKey}) line
        where not pg_visible_in_snapshot((here.newest - ((here.newest - line.writer) & 4294967295))::text::xid8, watched.since)
        order by line.at desc, line.request_id desc limit ${limits.lines + 1}) newest
    ) line on true`);
}

/** The names of the keys are read afterwards, because they may be in another database, and most readings find no line. */
export async function readNews(database: Database, watched: readonly Watched[], limits = SCREEN): Promise<LogNews> {
  const { found } = await readNewsOf(database, async () => watched, limits);
  return found;
}

/** `choose` is called in the transaction of the reading, so that both see the same snapshot. */
export async function readNewsOf(
  database: Database,
  choose: (log: Db) => Promise<readonly Watched[]>,
  limits: NewsLimits,
): Promise<{ readonly watched: readonly Watched[]; readonly found: LogNews }> {
  const { watched, lines } = await logOf(database).onPlatform('read', async (log) => {
    const watched = await choose(log);
    return { watched, lines: await readLines(log, watched, limits) };
  });
  return { watched, found: newsFrom(lines, watched, await keysOf(database, lines, watched), limits) };
}

async function keysOf(database: Database, lines: readonly NewLine[], watched: readonly Watched[]): Promise<LoggedKey[]> {
  const ids = new Set(lines.flatMap(({ place, key_id }) => (place === null ? [] : [key_id])));
  if (ids.size === 0) return [];
  const accounts = [...new Set(watched.map(({ accountId }) => accountId))];
  return database.onPlatform('read', (db) =>
    db.rows<LoggedKey>(sql`select id, name, environment from api_keys
      where account_id = any(${accounts}::uuid[]) and id = any(${[...ids]}::uuid[])`),
  );
}

function newsFrom(
  found: readonly NewLine[],
  watched: readonly Watched[],
  keys: readonly LoggedKey[],
  limits: NewsLimits,
): LogNews {
  const byPlace = Map.groupBy(found, ({ place }) => place);
  const position = { snapshot: found[0]!.snapshot, takenAt: found[0]!.taken.getTime() };
  return {
    position,
    news: watched.map((one, index) => newsOf(byPlace.get(index + 1) ?? [], keys, one.since, position, limits.lines)),
  };
}

function newsOf(
  found: readonly NewLine[],
  keys: readonly LoggedKey[],
  since: LogPosition,
  position: LogPosition,
  max: number,
): News {
  const lines = withKeys(
    found.map(({ snapshot: _, taken: __, place: ___, ...line }) => line),
    keys,
  );
  lines.sort((one, other) => (one.request_id < other.request_id ? -1 : 1));
  // The position is too old, or from before the database was restored from a backup.
  const stale = position.takenAt - since.takenAt > LOOKED_BACK_MS || newestOf(since) > newestOf(position);
  return { lines: lines.slice(-max), missed: stale || lines.length > max };
}

/** Accounts whose keys were used since `since`; call it in the transaction of readNews, so that both see the same snapshot. */
export async function accountsUsedSince(db: Db, since: LogPosition): Promise<string[]> {
  const rows = await db.rows<{ account_id: string }>(sql`
    with here as materialized (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as newest)
    select distinct u.account_id from usage_secrets u, here where not pg_visible_in_snapshot(
      (here.newest - ((here.newest - u.xmin::text::bigint) & 4294967295))::text::xid8, ${since.snapshot}::text::pg_snapshot)`);
  return rows.map(({ account_id }) => account_id);
}

const newestOf = ({ snapshot }: LogPosition): bigint => BigInt(snapshot.split(':')[1]!);
