// Writes of agents after their preview. A row is the only right to act: it is made by a token within the ceilings, by the client's window,
// or by a person's decision, and each preview has one row.
import { dayIn } from '../../kit/clock.ts';
import { type Db, Rollback } from '../../kit/db.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { SealingKeys } from '../../kit/work.ts';
import type { AgentCeilings, AgentWriteState } from '../keys/agent-states.ts';
import { APPROVAL_MINUTES } from '../keys/agent-states.ts';
import { seal, unseal } from '../vault/vault.ts';
import type { Amount } from './agent-money.ts';
import { ceilingOf } from './agent-rules.ts';

export interface AgentWrite {
  readonly id: string;
  readonly keyId: string;
  readonly endpoint: string;
  readonly path: string;
  readonly money: readonly Amount[];
  readonly client: string | null;
}

export interface AgentWriteRow {
  readonly id: string;
  readonly key_id: string;
  readonly endpoint: string;
  readonly path: string;
  readonly status: AgentWriteState;
  readonly confirmed_by: 'token' | 'client' | 'panel' | null;
  readonly expires_at: Date;
  readonly created_at: Date;
}

export async function findAgentWrite(db: Db, id: string, keyId: string): Promise<AgentWriteRow | null> {
  const [row] = await db.rows<AgentWriteRow>(sql`select id, key_id, endpoint, path, status, confirmed_by, expires_at, created_at
    from ${own('agent_writes')} where id = ${id} and key_id = ${keyId}`);
  return row ?? null;
}

/** The sums leave the ceiling of the day. */
export class BeyondDay extends Rollback {}

/** False if the preview has a row already. */
export async function approveByToken(
  db: Db,
  write: AgentWrite,
  { ceilings, day, realNow }: { readonly ceilings: AgentCeilings; readonly day: string; readonly realNow: Date },
): Promise<boolean> {
  if (!(await insertWrite(db, write, sql`'approved'`, sql`'token'`, realNow, null))) return false;
  for (const { currency, minor } of write.money) {
    const ceiling = ceilingOf(ceilings, currency, 'day');
    if (minor > ceiling) throw new BeyondDay('more than the ceiling of a day');
    const taken = await db.exec(sql`insert into agent_days (account_id, key_id, day, currency, alone_minor)
      values (${theAccount}, ${write.keyId}, ${day}, ${currency}, ${minor})
      on conflict (account_id, key_id, day, currency) do update set alone_minor = agent_days.alone_minor + excluded.alone_minor
        where agent_days.alone_minor + excluded.alone_minor <= ${ceiling}`);
    if (taken === 0) throw new BeyondDay('the ceiling of the day is reached');
  }
  return true;
}

/** What the window of the client answered. False if the preview has a row already. */
export const decideByClient = (db: Db, write: AgentWrite, isAccepted: boolean, realNow: Date): Promise<boolean> =>
  insertWrite(db, write, isAccepted ? sql`'approved'` : sql`'rejected'`, sql`'client'`, realNow, null);

/** So many writes of a key wait at once; a looping agent must not bury the people who decide. */
const MAX_WAITING = 20;
/** One mail for the writes of a key that begin to wait in the same ten minutes; the others are on the page without one. */
const MAIL_EVERY_MS = 10 * 60_000;

/** `known`: the preview has a row already; `full`: too many wait. `isNews`: the people get a mail. */
export interface Asked {
  readonly outcome: 'asked' | 'known' | 'full';
  readonly isNews: boolean;
}

export async function askPeople(db: Db, keys: SealingKeys, write: AgentWrite, preview: unknown, realNow: Date): Promise<Asked> {
  const since = new Date(Math.floor(realNow.getTime() / MAIL_EVERY_MS) * MAIL_EVERY_MS);
  const { waiting, recent } = await db.one<{ waiting: number; recent: number }>(sql`select
      count(*) filter (where status = 'waiting' and expires_at > ${realNow})::int as waiting,
      count(*) filter (where preview_encrypted is not null and created_at >= ${since})::int as recent
    from ${own('agent_writes')} where key_id = ${write.keyId} and created_at > ${new Date(realNow.getTime() - 2 * 3_600_000)}`);
  if (waiting >= MAX_WAITING) return { outcome: 'full', isNews: false };
  const sealed = seal(keys.ring, cellOf(keys, write.id), JSON.stringify(preview));
  const isMade = await insertWrite(db, write, sql`'waiting'`, sql`null`, realNow, sealed);
  return { outcome: isMade ? 'asked' : 'known', isNews: isMade && recent === 0 };
}

async function insertWrite(
  db: Db,
  { id, keyId, endpoint, path, money, client }: AgentWrite,
  status: Sql,
  confirmedBy: Sql,
  realNow: Date,
  preview: Buffer | null,
): Promise<boolean> {
  const expires = new Date(realNow.getTime() + APPROVAL_MINUTES * 60_000);
  const sums = JSON.stringify(money.map(({ currency, minor }) => ({ currency, minor: String(minor) })));
  const made =
    await db.exec(sql`insert into agent_writes (account_id, id, key_id, endpoint, path, status, confirmed_by, money, client,
      preview_encrypted, created_at, expires_at)
    values (${theAccount}, ${id}, ${keyId}, ${endpoint}, ${path}, ${status}, ${confirmedBy}, ${sums}::jsonb, ${client}, ${preview},
      ${realNow}, ${expires}) on conflict (account_id, id) do nothing`);
  return made === 1;
}

/** Of several decisions at once, one counts. False: it was decided before, or its hour is over. */
export async function decideInPanel(db: Db, id: string, isApproved: boolean, personId: string, realNow: Date): Promise<boolean> {
  const changed =
    await db.exec(sql`update agent_writes set status = ${isApproved ? 'approved' : 'rejected'}, confirmed_by = 'panel',
      decided_by = ${personId}, decided_at = ${realNow}
    where account_id = ${theAccount} and id = ${id} and status = 'waiting' and expires_at > ${realNow}`);
  return changed === 1;
}

/** After the act: counts it once, however often it is repeated. A refused one gives back its part of the ceiling of its own day. */
export async function finishAgentWrite(
  db: Db,
  { id, keyId, money }: AgentWrite,
  isDone: boolean,
  { realNow, timezone }: { readonly realNow: Date; readonly timezone: string },
): Promise<void> {
  type Row = { confirmed_by: string; created_at: Date };
  const [row] = await db.rows<Row>(sql`update agent_writes set status = ${isDone ? 'done' : 'failed'}
    where account_id = ${theAccount} and id = ${id} and status = 'approved' returning confirmed_by, created_at`);
  if (row === undefined) return;
  const day = dayIn(realNow, timezone);
  const approvedOn = dayIn(row.created_at, timezone);
  if (isDone) await addDay(db, keyId, { day, currency: '', writes: 1 });
  for (const { currency, minor } of money) {
    if (isDone) await addDay(db, keyId, { day, currency, moved: minor });
    else if (row.confirmed_by === 'token')
      await db.exec(sql`update agent_days set alone_minor = greatest(0, alone_minor - ${minor})
        where account_id = ${theAccount} and key_id = ${keyId} and day = ${approvedOn} and currency = ${currency}`);
  }
}

interface DayFigures {
  readonly day: string;
  readonly currency: string;
  readonly calls?: number;
  readonly refused?: number;
  readonly writes?: number;
  readonly moved?: bigint;
}

export const addDay = (
  db: Db,
  keyId: string,
  { day, currency, calls = 0, refused = 0, writes = 0, moved = 0n }: DayFigures,
): Promise<number> =>
  db.exec(sql`insert into agent_days (account_id, key_id, day, currency, calls, refused, writes, moved_minor)
    values (${theAccount}, ${keyId}, ${day}, ${currency}, ${calls}, ${refused}, ${writes}, ${moved})
    on conflict (account_id, key_id, day, currency) do update set calls = agent_days.calls + excluded.calls,
      refused = agent_days.refused + excluded.refused, writes = agent_days.writes + excluded.writes,
      moved_minor = agent_days.moved_minor + excluded.moved_minor`);

export const openPreview = (keys: SealingKeys, id: string, sealed: Buffer): unknown =>
  JSON.parse(unseal(keys.ring, cellOf(keys, id), sealed));

const cellOf = ({ account }: SealingKeys, row: string) => ({ account, table: 'agent_writes', column: 'preview_encrypted', row });
