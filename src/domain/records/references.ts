// Ids in a body that must name a live record of the same account. Each record is locked until the write ends, so that it cannot
// be deleted, and a member cannot be deactivated, before. A record that the write will change is locked for that at once
// (lockNamedVehicle) and not listed here: upgrading a shared lock could deadlock with another write that shares it.
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

/** `having`: required values of columns; null does not match. */
export type Reference = readonly [
  field: string,
  table: keyof typeof LIVE,
  id: string | null | undefined,
  having?: Readonly<Record<string, string | null>>,
];

/** The order in which all writes lock records: LIVE's order of tables, by id within a table. */
const RANKS = Object.keys(LIVE);
const placeOf = ([, table, id]: Reference): string => `${RANKS.indexOf(table)} ${id}`;

export async function requireReferences(db: Db, references: readonly Reference[]): Promise<void> {
  const found = new Map<string, boolean>();
  for (const [field, table, id, having = {}] of references.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))) {
    if (id === null || id === undefined) continue;
    found.set(field, (await db.rows(live(table, id, having))).length > 0);
  }
  const missing = references.map(([field]) => field).filter((field) => found.get(field) === false);
  if (missing.length > 0) refuseUnknown(...missing);
}

export const refuseUnknown = (...fields: readonly string[]): never =>
  fail('unknown_reference', { details: fields.map(unknownReference), words: { field: fields.join(', ') } });

function live(table: keyof typeof LIVE, id: string, having: Readonly<Record<string, string | null>>): Sql {
  const also = Object.entries(having).map(([column, value]) => sql`${rawSql(column)}::text = ${value}::text`);
  return sql`select id from ${own(table)} where id = ${id} and ${rawSql(LIVE[table])}${allOf(also)} for key share`;
}

const unknownReference = (field: string): Detail => ({
  field,
  code: 'unknown_reference',
  message: { en: `${field} does not refer to a record of this account`, tr: `${field} bu hesabın bir kaydını göstermiyor` },
});
