// A dealer's own clauses below the built-in text of each paper.
import type { Db } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import { type Field, type Fields, nullable, textField, type Values } from '../records/fields.ts';
import { updateAccount } from '../records/record.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { CLAUSE_CODES, type ClauseCode, MAX_CLAUSES } from './papers-states.ts';

const clauseField = nullable(textField(MAX_CLAUSES, { lines: true }));
export const PAPER_SETTING_FIELDS = Object.fromEntries(CLAUSE_CODES.map((code) => [code, clauseField])) as Readonly<
  Record<ClauseCode, Field<string | null>>
> satisfies Fields;

export type PaperSettings = Readonly<Record<ClauseCode, string | null>>;

type Stored = Readonly<Partial<Record<ClauseCode, string>>>;

const shown = (stored: Stored): PaperSettings =>
  Object.fromEntries(CLAUSE_CODES.map((code) => [code, stored[code] ?? null])) as PaperSettings;

export async function readPaperSettings(db: Db): Promise<PaperSettings> {
  const { clauses } = await db.one<{ clauses: Stored }>(sql`select paper_clauses::json as clauses from ${own('accounts')}`);
  return shown(clauses);
}

export async function changePaperSettings(
  db: Db,
  body: Values<typeof PAPER_SETTING_FIELDS>,
  { actor, now }: { readonly actor: Actor; readonly now: Date },
): Promise<PaperSettings> {
  const { id, clauses } = await db.one<{ id: string; clauses: Stored }>(
    sql`select id, paper_clauses::json as clauses from ${own('accounts')} for no key update`,
  );
  const before = shown(clauses);
  const changed = CLAUSE_CODES.filter((code) => body[code] !== undefined && (body[code] ?? null) !== before[code]);
  if (changed.length === 0) return before;
  const of = (from: Readonly<Record<string, string | null | undefined>>) =>
    Object.fromEntries(changed.map((code) => [code, from[code] ?? null]));
  const after = { ...before, ...of(body) } as PaperSettings;
  const kept = Object.fromEntries(Object.entries(after).filter(([, text]) => text !== null));
  await updateAccount(db, { paper_clauses: JSON.stringify(kept), updated_at: now });
  await audit(db, actor, 'account.changed', id, { accountId: id, before: of(before), after: of(after) });
  return after;
}
