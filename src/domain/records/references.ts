// Ids in a body that must name a live record of the same account. Each record is locked until the write ends, so that it cannot
// be deleted, and a member cannot be deactivated, meanwhile.
import type { Db } from '../../kit/db.ts';
import { type Detail, fail } from '../../kit/errors.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';

const LIVE = {
  vehicles: 'deleted_at is null',
  sales: 'true',
  installments: 'true',
  customers: 'deleted_at is null',
  members: 'active',
  documents: 'deleted_at is null',
} as const;

/** `having`: columns that it must have these values in; a null is not there to be had. */
export type Reference = readonly [
  field: string,
  table: keyof typeof LIVE,
  id: string | null | undefined,
  having?: Readonly<Record<string, string | null>>,
];

/** Locks in the order given, which must be the domain's order of locks: vehicles first. */
export async function requireReferences(db: Db, references: readonly Reference[]): Promise<void> {
  const missing: string[] = [];
  for (const [field, table, id, having = {}] of references) {
    if (id === null || id === undefined) continue;
    const found = await db.rows(live(table, id, having));
    if (found.length === 0) missing.push(field);
  }
  if (missing.length > 0)
    fail('unknown_reference', { details: missing.map(unknownReference), words: { field: missing.join(', ') } });
}

function live(table: keyof typeof LIVE, id: string, having: Readonly<Record<string, string | null>>): Sql {
  const also = Object.entries(having).map(([column, value]) => sql`${rawSql(column)}::text = ${value}::text`);
  return sql`select id from ${own(table)} where id = ${id} and ${rawSql(LIVE[table])}${allOf(also)} for key share`;
}

const unknownReference = (field: string): Detail => ({
  field,
  code: 'unknown_reference',
  message: { en: `${field} names no record of this account`, tr: `${field} bu hesabın bir kaydını göstermiyor` },
});
