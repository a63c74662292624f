// One-time codes of six digits that open a link: on signing pages and on customers' pages. Each row records how the code was delivered,
// where to, and which staff saw it. At most one code of an owner is open, and at most one session. Codes and sessions use real time.
import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { own, rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Actor, Work } from '../../kit/work.ts';
import { takeMailBudget } from '../mail/mail-budget.ts';
import { maskEmail } from '../privacy/mask.ts';
import { seal, unseal } from '../vault/vault.ts';

const CODE_MS = 10 * 60_000;
const SESSION_MS = 30 * 60_000;
/** Wrong codes after which a new one is needed. */
const MAX_TRIES = 5;
/** The maximum number of codes per person and hour, */
const MAX_CODES = 5;
/** and per day, so that no one tries a million codes at five an hour. */
const MAX_CODES_A_DAY = 15;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type Delivery = 'mail' | 'staff';

export interface SeenBy {
  readonly person_id: string | null;
  readonly name: string;
  readonly at: string;
}

interface Columns {
  readonly table: 'signing_codes' | 'customer_page_codes';
  /** Whom or what a code opens. */
  readonly owner: 'recipient_id' | 'link_id';
  /** The column that keeps a used code, where evidence shows it. */
  readonly used?: 'used_code';
}

export interface NewCode {
  readonly ownerId: string;
  /** Ids of all owners that are the same person. */
  readonly owners: Sql;
  /** The code is mailed to this address; null: staff read it in the panel. */
  readonly email: string | null;
  /** Time by which the account's mails are counted. */
  readonly budgetAt: Date;
}

export interface LinkCodes {
  isOpen(realNow: Date): Sql;
  /** Columns: whether a code waits to be entered, and whether the session of this browser is open. */
  state(ownerId: string, realNow: Date, session: Buffer | null): Sql;
  /** The owner is locked. Null if too many were generated. */
  make(work: Work, code: NewCode): Promise<string | null>;
  /**
   * The owner is locked. A code can be used once; wrong codes are counted, and the fifth ends it. A code for staff that no one has
   * opened in the panel can only have been guessed.
   */
  take(work: Work, ownerId: string, entered: string, session: Buffer): Promise<'ok' | 'wrong' | 'none'>;
  /** Open codes and sessions of these owners end. */
  void(work: Work, owners: Sql): Promise<void>;
  /** The owner's open code, even if it is too old. */
  openIds(db: Db, ownerId: string): Promise<string[]>;
  unseal(keys: Work['keys'], row: { readonly id: string; readonly code_encrypted: Buffer }): string;
  /** Stored before the codes are shown: that member of staff confirms to whom they were given. */
  logSeen(db: Db, ids: readonly string[], actor: Actor, realNow: Date): Promise<void>;
}

interface CodesMade {
  readonly hour: number;
  readonly day: number;
}

function countCodes(rows: Sql, which: Sql, realNow: Date): Sql {
  const since = (span: number) => new Date(realNow.getTime() - span);
  return sql`select count(*)::int as day, (count(*) filter (where created_at > ${since(HOUR_MS)}))::int as hour
    from ${rows} where ${which} and created_at > ${since(DAY_MS)}`;
}

export function linkCodes(columns: Columns): LinkCodes {
  const [table, owner] = [rawSql(columns.table), rawSql(columns.owner)];
  const rows = own(columns.table);
  const cellOf = (account: string, id: string) => ({ account, table: columns.table, column: 'code_encrypted', row: id });
  const isOpen = (realNow: Date): Sql => sql`${table}.code_encrypted is not null and ${table}.expires_at > ${realNow}
    and ${table}.tries < ${MAX_TRIES}`;
  const openCode = ({ ring, account }: Work['keys'], row: { readonly id: string; readonly code_encrypted: Buffer }): string =>
    unseal(ring, cellOf(account, row.id), row.code_encrypted);
  return {
    isOpen,
    unseal: openCode,
    state: (ownerId, realNow, session) => sql`
      exists (select from ${rows} where ${owner} = ${ownerId} and ${isOpen(realNow)}) as "hasCode",
      exists (select from ${rows} where ${owner} = ${ownerId} and session_hash = ${session}
        and session_expires_at > ${realNow}) as "isOpen"`,

    make: async ({ db, keys, realNow }, { ownerId, owners, email, budgetAt }) => {
      const made = await db.one<CodesMade>(countCodes(rows, sql`${owner} in (${owners})`, realNow));
      if (made.hour >= MAX_CODES || made.day >= MAX_CODES_A_DAY) return null;
      if (email !== null && !(await takeMailBudget(db, theAccount, 1, budgetAt))) return null;
      await db.exec(sql`update ${table} set code_encrypted = null, voided_at = ${realNow}
        where account_id = ${theAccount} and ${owner} = ${ownerId} and code_encrypted is not null`);
      const [code, id] = [String(randomInt(1_000_000)).padStart(6, '0'), newId(realNow.getTime())];
      await db.exec(sql`insert into ${table} (account_id, id, ${owner}, created_at, delivery, address, code_encrypted, expires_at)
        values (${theAccount}, ${id}, ${ownerId}, ${realNow}, ${email === null ? 'staff' : 'mail'}, ${email && maskEmail(email)},
          ${seal(keys.ring, cellOf(keys.account, id), code)}, ${new Date(realNow.getTime() + CODE_MS)})`);
      return code;
    },

    take: async ({ db, keys, realNow }, ownerId, entered, session) => {
      const [open] = await db.rows<{ id: string; code_encrypted: Buffer; can_be_known: boolean }>(sql`select id, code_encrypted,
          delivery <> 'staff' or jsonb_array_length(seen_by) > 0 as can_be_known
        from ${rows} where ${owner} = ${ownerId} and ${isOpen(realNow)}`);
      if (open === undefined) return 'none';
      const code = openCode(keys, open);
      const isRight = /^\d{6}$/.test(entered) && timingSafeEqual(Buffer.from(code), Buffer.from(entered));
      if (!isRight || !open.can_be_known) {
        await db.exec(sql`update ${table} set tries = tries + 1 where account_id = ${theAccount} and id = ${open.id}`);
        return 'wrong';
      }
      await db.exec(sql`update ${table} set session_hash = null, session_expires_at = null
        where account_id = ${theAccount} and ${owner} = ${ownerId} and session_hash is not null`);
      const used = columns.used === undefined ? sql`` : sql`, ${rawSql(columns.used)} = ${code}`;
      await db.exec(sql`update ${table} set code_encrypted = null, used_at = ${realNow}, session_hash = ${session},
          session_expires_at = ${new Date(realNow.getTime() + SESSION_MS)}${used} where account_id = ${theAccount} and id = ${open.id}`);
      return 'ok';
    },

    void: async ({ db, realNow }, owners) => {
      await db.exec(sql`update ${table} set code_encrypted = null, session_hash = null, session_expires_at = null,
          voided_at = ${realNow}
        where account_id = ${theAccount} and ${owner} in (${owners}) and (code_encrypted is not null or session_hash is not null)`);
    },

    openIds: async (db, ownerId) => {
      const found = await db.rows<{ id: string }>(
        sql`select id from ${rows} where ${owner} = ${ownerId} and code_encrypted is not null`,
      );
      return found.map(({ id }) => id);
    },

    logSeen: async (db, ids, actor, realNow) => {
      const seen: SeenBy = { person_id: actor.personId ?? null, name: actor.fullName ?? actor.name, at: realNow.toISOString() };
      await db.exec(sql`update ${table} set seen_by = seen_by || ${JSON.stringify(seen)}::jsonb
        where account_id = ${theAccount} and id = any(${ids}::uuid[])`);
    },
  };
}
