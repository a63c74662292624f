// The common part of every paper of an account: its letterhead, its country, and its own clauses.
import type { Db } from '../../kit/db.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { type Country, type PaperCode, type PaperHead, TEMPLATE_VERSION } from './paper.ts';

interface Account extends PaperHead {
  readonly country: Country;
  readonly clauses: Readonly<Record<string, string>>;
  readonly is_sandbox: boolean;
}

/** The letterhead, from the account. */
export const PAPER_HEAD: Sql = sql`name, legal_name, address, city, phone, email, tax_office, tax_no, paper_logo as logo`;

export interface PaperBase {
  readonly version: number;
  readonly country: Country;
  readonly language: 'tr';
  readonly created_at: Date;
  readonly day: string;
  readonly head: PaperHead;
  readonly clauses: string | null;
  readonly verification: null;
  readonly specimen?: true;
}

/** Papers of a world cannot be mistaken for real ones. */
export const specimenOf = (isSandbox: boolean): Pick<PaperBase, 'specimen'> => (isSandbox ? { specimen: true } : {});

export async function readPaperBase(
  db: Db,
  code: PaperCode,
  when: { readonly created_at: Date; readonly day: string },
): Promise<PaperBase> {
  const { country, clauses, is_sandbox, ...head } = await db.one<Account>(
    sql`select ${PAPER_HEAD}, country, paper_clauses::json as clauses, world_id is not null as is_sandbox
      from ${own('accounts')}`,
  );
  return {
    version: TEMPLATE_VERSION,
    country,
    language: 'tr',
    ...when,
    head,
    clauses: clauses[code] ?? null,
    verification: null,
    ...specimenOf(is_sandbox),
  };
}
