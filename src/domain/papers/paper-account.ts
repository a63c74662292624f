// The common part of every paper of an account: its letterhead, its country, and its own clauses.
import type { Db } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import { type Country, type PaperCode, type PaperHead, TEMPLATE_VERSION } from './paper.ts';

interface Account {
  readonly name: string;
  readonly legal_name: string | null;
  readonly city: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly country: Country;
  readonly clauses: Readonly<Record<string, string>>;
  readonly logo: Uint8Array | null;
  readonly is_sandbox: boolean;
}

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
    sql`select name, legal_name, city, phone, email, country, paper_logo as logo, paper_clauses::json as clauses,
      world_id is not null as is_sandbox from ${own('accounts')}`,
  );
  return {
    version: TEMPLATE_VERSION,
    country,
    language: 'tr',
    ...when,
    head: { ...head, address: null },
    clauses: clauses[code] ?? null,
    verification: null,
    ...specimenOf(is_sandbox),
  };
}
