// Ids in a body that must name a live record of the same account. Each record is locked until the write ends, so that it cannot
// be deleted, and a member cannot be deactivated, meanwhile.
import type { Db } from '../../kit/db.ts';
import { type Detail, fail } from '../../kit/errors.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';

const LIVE = {
  vehicles: 'deleted_at is null',
  sales: 'true',
  installments: 'true',
  customers: 'deleted_at is null',
  members: 'active',
} as const;

/** `table` is null for records that do not exist yet, such as documents: every id is then unknown. */
export type Reference = readonly [field: string, table: keyof typeof LIVE | null, id: string | null | undefined];

/** Locks in the order given, which must be the domain's order of locks: vehicles first. */
export async function requireReferences(db: Db, references: readonly Reference[]): Promise<void> {
  const missing: string[] = [];
  for (const [field, table, id] of references) {
    if (id === null || id === undefined) continue;
    const found = table === null ? [] : await db.rows(live(table, id));
    if (found.length === 0) missing.push(field);
  }
  if (missing.length > 0)
    fail('unknown_reference', { details: missing.map(unknownReference), words: { field: missing.join(', ') } });
}

const live = (table: keyof typeof LIVE, id: string) =>
  sql`select id from ${own(table)} where id = ${id} and ${rawSql(LIVE[table])} for key share`;

const unknownReference = (field: string): Detail => ({
  field,
  code: 'unknown_reference',
  message: { en: `${field} names no record of this account`, tr: `${field} bu hesabın bir kaydını göstermiyor` },
});
