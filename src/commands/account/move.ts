// `account move`: one dealer with everything to another deployment (docs/decisions/0094-cells.md). All rows arrive in one transaction of the
// target, whose commit decides: before it the dealer is at the old place, after it at the new one. The next run finds an interrupted one in
// `account_moves` of both databases.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import type { FileStore } from '../../domain/files/file-store.ts';
import { openFiles } from '../../domain/files/open-files.ts';
import { readDatabaseUrl } from '../../domain/net/database-url.ts';
import { audit } from '../../domain/writes/audit.ts';
import { sqlState } from '../../kit/db.ts';
import { TEXT_FORMS } from '../../postgres/backup.ts';
import type { Connected } from '../../postgres/connect.ts';
import { openSession, type Session } from '../../postgres/database.ts';
import { readIdentity } from '../../postgres/pooler.ts';
import { makeLogPartitions } from '../../postgres/restore.ts';
import { CLI_ACTOR } from '../actor.ts';
import { accountId, print, progress, readOptions, required, UsageError } from '../command.ts';
import { withDatabase } from '../with-database.ts';
import { checkPlaces, type Ends, refuseOldSeals, refuseOpenDeals, refuseSamePlace, refuseTaken } from './move-check.ts';
import { copyFiles, isCopied, type MovedFiles, openTargetStore, refuseSameStore } from './move-files.ts';
import {
  accountsOf,
  type Compared,
  copyPeople,
  copyRates,
  firstLogDay,
  itemsOfOthers,
  type MovedTable,
  movedTables,
  raiseSequences,
  syncTable,
} from './moved-tables.ts';
import {
  closeForWrites,
  findMove,
  forgetMove,
  type MoveRow,
  redirectKeys,
  removeRows,
  removeTriggers,
  reopen,
} from './old-place.ts';

/** The longest silence of one statement, such as the digest of a large table. */
const STATEMENT_MS = 600_000;

interface Move extends Ends {
  readonly account: string;
  readonly config: Config;
  readonly publicUrl: string | null;
  readonly from: FileStore;
  /** Null: both places use the same store. */
  readonly to: FileStore | null;
  /** Of files on their way. */
  readonly folder: string;
  /** SHA-256 of `--files`. */
  readonly fileStore: string;
}

export async function moveAccount(args: string[]): Promise<void> {
  const options = readOptions(
    args,
    { to: 'text', files: 'text', 'public-url': 'text', 'dry-run': 'flag', abort: 'flag', finish: 'flag' },
    { min: 1, max: 1 },
  );
  const { words, json, abort, finish, 'dry-run': dry } = options;
  const account = accountId(words[0]!, 'the id');
  if ([abort, finish, dry].filter(Boolean).length > 1) throw new UsageError('--dry-run, --abort and --finish exclude each other');
  await withDatabase(async (connected, config) => {
    const source = await openSession(connected.adminUrl, { deadlineMs: STATEMENT_MS });
    try {
      await lockMove(source, account);
      if (finish) return await finishMove(connected, source, account, json);
      const target = await openTarget(required(options.to, 'to'));
      try {
        await refuseSamePlace({ source, target: target.session });
        await lockMove(target.session, account);
        const ends = { source, target: target.session, targetUrl: target.url };
        if (abort) return await abortMove(connected, ends, account, json);
        const stores = await openStores(config, required(options.files, 'files'));
        const move = { ...ends, ...stores, account, config, publicUrl: readPublicUrl(options['public-url']) };
        return await (dry ? showMove(connected, move, json) : runMove(connected, move, json));
      } finally {
        await target.session.close();
      }
    } finally {
      await source.close();
    }
  });
}

/** Held until the session ends, at both places: one command at a time, and not while the transaction of a killed one still runs. */
async function lockMove(session: Session, account: string): Promise<void> {
  try {
    await session.rows(`set lock_timeout = '30s'`);
    await session.rows(`select pg_advisory_lock(hashtextextended('galeri.move ' || $1, 0))`, [account]);
    await session.rows('set lock_timeout = 0');
  } catch (error) {
    throw sqlState(error) === '55P03' ? new UsageError(`another command moves the account ${account} now`) : error;
  }
}

async function openTarget(text: string): Promise<{ session: Session; url: string }> {
  const read = readDatabaseUrl(text);
  if ('problem' in read) throw new UsageError(`--to is not the DATABASE_URL of a deployment: ${read.problem}`);
  try {
    return { session: await openSession(read.url, { deadlineMs: STATEMENT_MS }), url: read.url };
  } catch (error) {
    throw new UsageError(`the database at --to cannot be used: ${(error as Error).message}`);
  }
}

async function openStores(config: Config, text: string): Promise<Pick<Move, 'from' | 'to' | 'folder' | 'fileStore'>> {
  const { store: from } = await openFiles(config);
  // Not among the uploads, whose old folders are swept.
  const folder = join(config.dataDir, 'moving');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const to = await openTargetStore(text, folder);
  if (to !== null) await refuseSameStore(from, to, folder);
  return { from, to, folder, fileStore: createHash('sha256').update(storeName(text)).digest('hex') };
}

/** Without the keys of the store, which may change before an interrupted move is completed. */
function storeName(text: string): string {
  if (!URL.canParse(text)) return text === 'shared' ? text : resolve(text);
  const { host, pathname } = new URL(text);
  return host + pathname;
}

function readPublicUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new UsageError('--public-url must be the PUBLIC_URL of the other deployment, such as https://cell2.example.com');
  return url.origin;
}

async function requireMovable({ secrets }: Connected, move: Move, ids: readonly string[]): Promise<void> {
  const { source, account } = move;
  const [found] = await source.rows<{ world_id: string | null }>('select world_id from accounts where id = $1', [account]);
  if (found === undefined) throw new UsageError(`there is no account ${account}; see galeri account list`);
  if (found.world_id !== null) throw new UsageError(`${account} is an isolated sandbox; it moves with its dealer`);
  await checkPlaces(move, secrets);
  await refuseOpenDeals(source, account, ids);
  await refuseTaken(move, ids);
}

async function showMove(connected: Connected, move: Move, json: boolean): Promise<void> {
  const ids = await accountsOf(move.source, move.account);
  await requireMovable(connected, move, ids);
  const tables = await movedTables(move.source, ids, await firstLogDay(move.source));
  const counts = await move.source.rows<{ table: string; rows: number }>(
    tables
      .map(({ name, condition }) => `select '${name}' as table, count(*)::int as rows from "${name}" where ${condition}`)
      .join(' union all '),
  );
  const rows = counts.reduce((sum, one) => sum + one.rows, 0);
  const [files] = await move.source.rows<{ count: number }>(
    `select count(*)::int as count from stored_files where state = 'kept' and account_id = any($1)`,
    [ids],
  );
  const shown = { account: move.account, rows, files: files!.count, tables: counts.filter((one) => one.rows > 0) };
  print(json, shown, `${rows} rows of ${shown.tables.length} tables and ${shown.files} files would move; nothing was changed`);
}

async function runMove(connected: Connected, move: Move, json: boolean): Promise<void> {
  const { source, target, account } = move;
  const before = await findMove(source, account);
  if (before?.state === 'arrived')
    throw new UsageError(
      `the move of ${account} to this deployment was interrupted; first run the same command again in the old deployment`,
    );
  if (before !== null) await requireSameTarget(before, move);
  const isMoved = before?.state === 'moved';
  const arrived = before !== null && (await hasArrived(target, account, before.move_id));
  if (isMoved && !arrived)
    throw new UsageError(`the account ${account} has moved to ${before.other_server}; nothing is left to complete`);
  if (arrived && before.file_store !== move.fileStore)
    throw new UsageError('an earlier move was interrupted; use the same --files value to complete it');
  if (before !== null && !isMoved && !arrived) await reopen(source, account);
  const copied = arrived ? null : await copyAccount(connected, move);
  const closedAt = performance.now();
  if (!isMoved) await redirectKeys(source, account);
  const closedMs = copied === null ? null : Math.round(copied.closedMs + performance.now() - closedAt);
  const ids = await accountsOf(source, account);
  const tables = await movedTables(source, ids, await firstLogDay(source));
  const { from, to } = move;
  const store = to && {
    from,
    isCopied: async (file: { name: string; sha256: string }) => copied?.done.has(file.name) || isCopied(to, file),
  };
  const kept = await removeRows(source, account, ids, tables, store);
  await removeTriggers(source, account);
  // What an interrupted command would look for.
  await target.rows(`delete from account_moves where id = $1 and state = 'arrived'`, [account]);
  const rows = copied?.tables.reduce((sum, one) => sum + one.rows, 0) ?? null;
  const result = {
    account,
    rows,
    files: copied?.files ?? null,
    missing_files: copied?.missing ?? null,
    files_left: kept,
    closed_ms: closedMs,
  };
  await note(connected, 'account.moved', account, result);
  const keys = await prefixes(target, source, account);
  print(
    json,
    { ...result, tables: copied?.tables ?? null, prefixes: keys },
    [
      copied === null
        ? `Completed the interrupted move of ${account}`
        : `Moved ${account}: ${rows} rows and ${copied.files} files copied and verified; writes were blocked for ${(closedMs! / 1000).toFixed(1)} s`,
      ...(copied !== null && copied.missing > 0 ? [`${copied.missing} FILES OF RECORDS WERE MISSING FROM THE OLD STORE`] : []),
      ...kept.map((name) => `File ${name} was kept in the old store: it is missing or different in the new one`),
      'Lines for the map of the balancer (replace CELL with the name of the backend):',
      ...keys.map((prefix) => `${prefix} CELL`),
    ].join('\n'),
  );
}

/** The first copy changes nothing elsewhere. From the closing on, only the database that may have taken over shows what to do. */
async function requireSameTarget(
  { state, other_server, other_database }: MoveRow,
  { target }: Pick<Ends, 'target'>,
): Promise<void> {
  if ((state === 'closed' || state === 'moved') && other_database !== (await readIdentity(target)))
    throw new UsageError(`the account is being moved to ${other_server}, which is not the database at --to`);
}

async function hasArrived(target: Session, account: string, moveId: string): Promise<boolean> {
  const [known] = await target.rows<{ is: boolean }>(`select to_regclass('public.account_moves') is not null as is`);
  if (!known!.is) return false;
  const there = await findMove(target, account);
  return there?.state === 'arrived' && there.move_id === moveId;
}

interface Copied {
  readonly tables: readonly Compared[];
  readonly files: number;
  readonly done: ReadonlySet<string>;
  readonly missing: number;
  readonly closedMs: number;
}

/** Until the commit at the end, any failure leaves the dealer at the old place, open. */
async function copyAccount(connected: Connected, move: Move): Promise<Copied> {
  const { source, target, account } = move;
  await requireMovable(connected, move, await accountsOf(source, account));
  const moveId = randomUUID();
  await source.rows(
    `insert into account_moves (id, move_id, state, other_server, other_database, file_store, public_url, started_at)
      values ($1, $2, 'copying', $3, $4, $5, $6, now())
    on conflict (id) do update set move_id = excluded.move_id, state = excluded.state, other_server = excluded.other_server,
      other_database = excluded.other_database, file_store = excluded.file_store, public_url = excluded.public_url,
      started_at = excluded.started_at, closed_at = null, moved_at = null`,
    [account, moveId, placeOf(move.targetUrl), await readIdentity(target), move.fileStore, move.publicUrl],
  );
  await makeLogPartitions(target);
  let isCommitting = false;
  try {
    await target.rows(`begin; ${TEXT_FORMS}; set local session_replication_role = replica`);
    const copied = await copyTwice(connected, move, moveId);
    isCommitting = true;
    await target.rows('commit');
    return copied;
  } catch (error) {
    // Whether an interrupted commit took place is found by the next run.
    if (isCommitting) throw error;
    await target.rows('rollback').catch(() => {});
    await reopen(source, account);
    throw sqlState(error) === '23505'
      ? new UsageError(`a row of this dealer conflicts with one in the deployment at --to: ${(error as Error).message}`)
      : error;
  }
}

/** First while the dealer works, then, closed for writes, what was written since. */
async function copyTwice({ secrets }: Connected, move: Move, moveId: string): Promise<Copied> {
  const { source, target, account } = move;
  const since = await firstLogDay(source);
  const files: MovedFiles = { done: new Set(), missing: new Set() };
  await inSnapshot(source, async () => {
    const ids = await accountsOf(source, account);
    const tables = await movedTables(source, ids, since, await itemsOfOthers(source, target, ids));
    await refuseOldSeals(source, tables, ids, secrets);
    await syncTables(move, tables);
    await sendFiles(move, ids, files);
  });
  const ids = await accountsOf(source, account);
  const tables = await movedTables(source, ids, since, await itemsOfOthers(source, target, ids));
  const closedAt = performance.now();
  progress('Closed for writes');
  await closeForWrites(source, account, ids, tables);
  if (String(await accountsOf(source, account)) !== String(ids))
    throw new UsageError('a sandbox was made or removed just now; run the command again');
  await refuseOpenDeals(source, account, ids);
  const compared = await inSnapshot(source, async () => {
    await refuseOldSeals(source, tables, ids, secrets);
    const all = await syncTables(move, tables);
    await copyPeople(source, target, ids);
    await copyRates(source, target);
    await sendFiles(move, ids, files);
    return all;
  });
  await arrive(move, moveId, ids, tables);
  return {
    tables: compared,
    files: files.done.size,
    done: files.done,
    missing: files.missing.size,
    closedMs: performance.now() - closedAt,
  };
}

async function inSnapshot<T>(source: Session, work: () => Promise<T>): Promise<T> {
  await source.rows(`begin isolation level repeatable read read only; ${TEXT_FORMS}`);
  try {
    return await work();
  } finally {
    await source.rows('rollback');
  }
}

async function syncTables({ source, target }: Move, tables: readonly MovedTable[]): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const table of tables) {
    const one = await syncTable(source, target, table);
    if (one.copied > 0) progress(`${table.name}: ${one.copied} rows`);
    compared.push(one);
  }
  return compared;
}

async function sendFiles({ source, from, to, folder }: Move, ids: readonly string[], files: MovedFiles): Promise<void> {
  if (to !== null) await copyFiles(source, ids, { from, to, folder }, files);
}

/** The last statements of the target's transaction. Its commit opens the dealer there, and notifies the nodes of the account and keys. */
async function arrive(
  { source, target, account }: Move,
  moveId: string,
  ids: readonly string[],
  tables: Awaited<ReturnType<typeof movedTables>>,
): Promise<void> {
  const [strange] = await target.rows<{ id: string }>(
    `select ledger_account_id as id from ledger_entries where account_id = any($1)
      and not exists (select from ledger_accounts where id = ledger_account_id) limit 1`,
    [ids],
  );
  if (strange !== undefined) throw new UsageError(`the books at --to do not have the platform account ${strange.id}`);
  await raiseSequences(target, tables);
  const [here] = await source.rows<{ name: string }>('select current_database() as name');
  await target.rows('set local session_replication_role = origin');
  await target.rows(
    `insert into account_moves (id, move_id, state, other_server, other_database, started_at, moved_at)
      values ($1, $2, 'arrived', $3, $4, now(), now())
    on conflict (id) do update set move_id = excluded.move_id, state = 'arrived', other_server = excluded.other_server,
      other_database = excluded.other_database, file_store = null, public_url = null, started_at = excluded.started_at, closed_at = null,
      moved_at = excluded.moved_at`,
    [account, moveId, here!.name, await readIdentity(source)],
  );
  // Of an earlier move away from here.
  await target.rows('delete from moved_keys where account = $1', [account]);
  // The trigger records this transaction as the last write, by which nodes find changed data sets.
  await target.rows('update data_sets set next_due_at = next_due_at where account_id = any($1)', [ids]);
  await target.rows(`select pg_notify('galeri_changes', 'account:' || id) from unnest($1::uuid[]) as id`, [ids]);
}

/** The dealer stays, if the new place has not taken over. */
async function abortMove(connected: Connected, { source, target }: Ends, account: string, json: boolean): Promise<void> {
  const before = await findMove(source, account);
  if (before === null || before.state === 'arrived') throw new UsageError(`the account ${account} is not being moved`);
  await requireSameTarget(before, { target });
  if (before.state === 'moved' || (await hasArrived(target, account, before.move_id)))
    throw new UsageError(
      `the account ${account} has arrived at the new place; run the command without --abort to complete the move`,
    );
  await reopen(source, account);
  await note(connected, 'account.move_aborted', account, {});
  print(json, { account, aborted: true }, `The move of ${account} is aborted; the dealer stays here, open for writes`);
}

async function finishMove(connected: Connected, source: Session, account: string, json: boolean): Promise<void> {
  if (!(await forgetMove(source, account))) throw new UsageError(`the account ${account} has not moved away from here`);
  await note(connected, 'account.move_finished', account, {});
  print(json, { account, finished: true }, `Requests with keys of ${account} are no longer redirected; they return 401`);
}

const note = ({ database }: Connected, action: string, account: string, after: Record<string, unknown>): Promise<void> =>
  database.onPlatform('write', (db) => audit(db, CLI_ACTOR, action, account, { after }));

/** Beginnings of secrets that only keys of this dealer have, for the map of a balancer. */
async function prefixes(target: Session, source: Session, account: string): Promise<string[]> {
  const own = await target.rows<{ prefix: string }>('select distinct prefix from key_secrets where account_id = $1 order by 1', [
    account,
  ]);
  const mine = own.map(({ prefix }) => prefix);
  const others = await Promise.all(
    [target, source].map((session) =>
      session.rows<{ prefix: string }>('select prefix from key_secrets where prefix = any($1) and account_id <> $2', [
        mine,
        account,
      ]),
    ),
  );
  const shared = new Set(others.flat().map(({ prefix }) => prefix));
  return mine.filter((prefix) => !shared.has(prefix));
}

/** Host and database, without user and password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.slice(0, 500) || 'unknown';
}
