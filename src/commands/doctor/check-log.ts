// The check of LOG_DATABASE_URL.
import type { Config } from '../../config.ts';
import { openSession } from '../../postgres/database.ts';
import { migrationState } from '../../postgres/migration-plan.ts';
import { findServer } from '../../postgres/pooler.ts';
import { broken, ok, skipped, warning } from './findings.ts';

/** `days`: how many have a partition, of today and the seven that the worker makes every hour. */
const LOOK = `select exists (select from accounts) as dealers, (select count(to_regclass(
    'request_logs_' || to_char((now() at time zone 'UTC')::date + day, 'YYYYMMDD')))::int from generate_series(0, 7) as day) as days`;
/** In the first hour of a day its seventh next is not made yet. */
const FEWEST_DAYS = 7;
const LOG_SIZE = `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 as bytes from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname ~ '^(request_logs|usage)_'`;

export async function checkLogDatabase({ logDatabaseUrl }: Config) {
  if (logDatabaseUrl === null) return skipped('LOG_DATABASE_URL is not set: the request log and usage are in the main database');
  const url = await findServer(logDatabaseUrl, {}, 'LOG_DATABASE_URL');
  const session = await openSession(url);
  try {
    const { applied, open } = await migrationState(url);
    if (applied === 0) return skipped('the log database is empty; the first start makes the tables');
    const [found] = await session.rows<{ dealers: boolean; days: number }>(LOOK);
    const { dealers, days } = found!;
    if (dealers) return broken('LOG_DATABASE_URL names a database with the data of dealers; use a separate database for the log');
    if (open > 0) return warning(`${open} migration(s) are still to be applied in the log database: the next start applies them`);
    if (days < 2) return broken('the log has no partition for tomorrow; check that a worker is running');
    if (days < FEWEST_DAYS) return warning(`the log has partitions for ${days} days only; check that a worker is running`);
    const [size] = await session.rows<{ bytes: number }>(LOG_SIZE);
    return ok(`accepts writes, ${(size!.bytes / 1e6).toFixed(1)} MB of request log and usage`);
  } finally {
    await session.close();
  }
}
