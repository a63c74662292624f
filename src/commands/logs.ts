// `logs tail`: prints finished requests of all processes as they are logged, one JSON line each.
import { setTimeout as wait } from 'node:timers/promises';
import { type LogLine, withMaskedAddress } from '../domain/usage/log-lines.ts';
import { accountsUsedSince, type LogPosition, type NewsLimits, readNewsOf } from '../domain/usage/log-tail-reader.ts';
import { type Database, type Db, isUnavailable } from '../kit/db.ts';
import { isUuid } from '../kit/ids.ts';
import { sql } from '../kit/sql.ts';
import { type Command, readOptions, UsageError } from './command.ts';
import { onInterrupt } from './interrupt.ts';
import { withDatabase } from './with-database.ts';

export const logsCommand: Command = {
  usage: ['logs tail [--key ID] [--account ID]'],
  async run([act, ...args]) {
    if (act !== 'tail') throw new UsageError('logs takes tail');
    const options = readOptions(args, { key: 'text', account: 'text' });
    const key = idOf(options.key, 'key');
    const account = idOf(options.account, 'account');
    const stop = onInterrupt();
    await withDatabase(async ({ database }) => {
      const watched = await database.onPlatform('read', (db) => findWatched(db, account, key));
      await tail(database, watched, key, stop);
    });
    return undefined;
  },
};

function idOf(text: string | undefined, name: string): string | null {
  if (text === undefined) return null;
  if (!isUuid(text)) throw new UsageError(`--${name} must be an id such as 0199c5f2-…, not "${text}"`);
  return text.toLowerCase();
}

/** The account to watch; null: all accounts. */
async function findWatched(db: Db, account: string | null, key: string | null): Promise<string | null> {
  if (account !== null) {
    const [found] = await db.rows(sql`select 1 from accounts where id = ${account}`);
    if (found === undefined) throw new UsageError(`there is no account ${account}; see galeri account list`);
  }
  if (key === null) return account;
  const [owner] = await db.rows<{ account_id: string }>(sql`select account_id from api_keys where id = ${key}`);
  if (owner === undefined || (account !== null && owner.account_id !== account))
    throw new UsageError(`there is no key ${key}${account === null ? '' : ' in this account'}; see galeri key list --account ID`);
  return owner.account_id;
}

/** Lines are written to the database every 200 ms. */
const EVERY_MS = 250;
const AFTER_FAILURE_MS = 1000;
const LIMITS: NewsLimits = { perKey: 5000, lines: 5000 };

async function tail(database: Database, account: string | null, key: string | null, stop: AbortSignal): Promise<void> {
  let position: LogPosition | null = null;
  let failing = false;
  while (!stop.aborted) {
    try {
      position = await readOn(database, account, key, position);
      failing = false;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // The position is kept, so nothing is lost.
      if (!failing) process.stderr.write('the database is unavailable; waiting for it\n');
      failing = true;
    }
    await wait(failing ? AFTER_FAILURE_MS : EVERY_MS, undefined, { signal: stop }).catch(() => {});
  }
}

async function readOn(
  database: Database,
  account: string | null,
  key: string | null,
  since: LogPosition | null,
): Promise<LogPosition> {
  const choose = async (log: Db) => {
    const accounts = since === null ? [] : account === null ? await accountsUsedSince(log, since) : [account];
    return accounts.map((accountId) => ({ accountId, since: since! }));
  };
  const { watched, found } = await readNewsOf(database, choose, LIMITS);
  const { position, news } = found;
  const lines = news
    .flatMap((one, index) => one.lines.map((line) => ({ account_id: watched[index]!.accountId, line })))
    .filter(({ line }) => key === null || line.key_id === key)
    .sort((one, other) => (one.line.request_id < other.line.request_id ? -1 : 1));
  process.stdout.write(lines.map(({ account_id, line }) => `${JSON.stringify({ account_id, ...shown(line) })}\n`).join(''));
  if (news.some(({ missed }) => missed))
    process.stderr.write('some lines were skipped, because more is logged than can be shown\n');
  return position;
}

/** Field names of `developer/request-logs`; IP addresses are masked as for administrators in the panel. */
function shown(found: LogLine): object {
  const { request_id, at, ...line } = withMaskedAddress(found);
  return { request_id, timestamp: at, ...line };
}
