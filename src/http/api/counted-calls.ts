// Calls that are counted without a line in the request log. They are summed in memory, so that a flood of them costs a few rows a
// flush.
import { bucketOf } from '../../domain/usage/latency.ts';
import { type Database, type Db, sqlState } from '../../kit/db.ts';
import type { Log } from '../../kit/log.ts';
import { type Sql, sql } from '../../kit/sql.ts';

export interface CountedCall {
  readonly accountId: string;
  readonly keyId: string;
  readonly secretId: string;
  readonly at: Date;
  readonly endpoint: string | null;
  readonly errorCode: string | null;
  readonly durationMs: number;
}

export interface CountedCalls {
  add(call: CountedCall): void;
  /**
   * Counts each call exactly once, even when it has to try again. Throws where writing fails; the calls then stay for the next
   * try.
   */
  write(): Promise<void>;
  dropped(): number;
}

interface Group extends Pick<CountedCall, 'accountId' | 'keyId' | 'secretId' | 'endpoint' | 'errorCode'> {
  readonly bucket: number;
  calls: number;
  lastAt: number;
}

/** Counts that are written together. After a lost connection, the transaction's id shows whether it committed. */
interface Batch {
  readonly groups: readonly Group[];
  transaction: string | null;
}

/** Groups of equal calls, not calls; reached only while the database is unreachable. */
const MAX_GROUPS = 50_000;
const HOUR_MS = 3_600_000;

export function createCountedCalls(database: Database, log: Log): CountedCalls {
  let groups = new Map<string, Group>();
  let batch: Batch | null = null;
  let dropped = 0;
  return {
    add({ accountId, keyId, secretId, at: begun, endpoint, errorCode, durationMs }) {
      const at = begun.getTime();
      const bucket = bucketOf(durationMs);
      const name = `${secretId} ${errorCode} ${bucket} ${Math.floor(at / HOUR_MS)} ${endpoint}`;
      const group = groups.get(name);
      if (group !== undefined) {
        group.calls += 1;
        group.lastAt = Math.max(group.lastAt, at);
      } else if (groups.size >= MAX_GROUPS) dropped += 1;
      else groups.set(name, { accountId, keyId, secretId, endpoint, errorCode, bucket, calls: 1, lastAt: at });
    },
    async write() {
      if (batch === null && groups.size > 0) {
        batch = { groups: [...groups.values()], transaction: null };
        groups = new Map();
      }
      if (batch === null) return;
      const writing = batch;
      try {
        await database.onPlatform('write', (db) => writeBatch(db, writing));
      } catch (error) {
        if (!isRefusedValue(error)) throw error;
        const calls = writing.groups.reduce((sum, group) => sum + group.calls, 0);
        dropped += calls;
        log.warn('calls could not be counted and were dropped', { calls, reason: (error as Error).message });
      }
      batch = null;
    },
    dropped: () => dropped,
  };
}

/** A wrong value or a violated constraint; after any other failure of the database the same rows may be accepted later. */
export const isRefusedValue = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '');

async function writeBatch(db: Db, batch: Batch): Promise<void> {
  if (batch.transaction !== null && (await hasCommitted(db, batch.transaction))) return;
  const [begun] = await db.rows<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
  batch.transaction = begun!.id;
  const each = (pick: (group: Group) => string | number): (string | number)[] => batch.groups.map(pick);
  await db.exec(sql`set local synchronous_commit = off`);
  await db.exec(sql`with counted as materialized (
      select account_id, key_id, secret_id, endpoint, error_code, bucket, to_timestamp(at / 1000.0) as at,
        date_trunc('hour', to_timestamp(at / 1000.0), 'UTC') as hour, calls, calls as not_stored
      from unnest(${each(({ accountId }) => accountId)}::uuid[], ${each(({ keyId }) => keyId)}::uuid[],
        ${each(({ secretId }) => secretId)}::uuid[], ${each(({ endpoint }) => endpoint ?? '')}::text[],
        ${each(({ errorCode }) => errorCode ?? '')}::text[], ${each(({ bucket }) => bucket)}::smallint[],
        ${each(({ lastAt }) => lastAt)}::float8[], ${each(({ calls }) => calls)}::bigint[])
        as given(account_id, key_id, secret_id, endpoint, error_code, bucket, at, calls)),
    ${rollUp}`);
}

async function hasCommitted(db: Db, transaction: string): Promise<boolean> {
  const [row] = await db.rows<{ status: string | null }>(sql`select pg_xact_status(${transaction}::xid8) as status`);
  if (row!.status === 'in progress') throw new Error('an earlier try to count calls has not ended yet');
  return row!.status === 'committed';
}

/**
 * The end of a statement in which `counted` holds the counts. Rows are written in a fixed order, so that two nodes cannot
 * deadlock.
 */
export const rollUp: Sql = sql`by_code as (insert into usage_calls (account_id, key_id, hour, endpoint, error_code, calls, not_stored)
      select account_id, key_id, hour, endpoint, error_code, sum(calls), sum(not_stored) from counted
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (account_id, key_id, hour, endpoint, error_code) do update
        set calls = usage_calls.calls + excluded.calls, not_stored = usage_calls.not_stored + excluded.not_stored),
    by_latency as (insert into usage_latency (account_id, key_id, hour, bucket, calls)
      select account_id, key_id, hour, bucket, sum(calls) from counted group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (account_id, key_id, hour, bucket) do update set calls = usage_latency.calls + excluded.calls)
    insert into usage_secrets (account_id, key_id, secret_id, calls, last_used_at)
      select account_id, key_id, secret_id, sum(calls), max(at) from counted group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, key_id, secret_id) do update
        set calls = usage_secrets.calls + excluded.calls, last_used_at = greatest(usage_secrets.last_used_at, excluded.last_used_at)`;
