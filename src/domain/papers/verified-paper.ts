// What a stranger who holds a paper is shown by its code: nothing about people.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { sql } from '../../kit/sql.ts';
import type { PaperCode } from './paper.ts';

const CODE = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export interface VerifiedPaper {
  readonly kind: PaperCode;
  readonly number: string;
  readonly day: string;
  readonly amount_minor: bigint | null;
  readonly currency: Currency | null;
  readonly sha256: string | null;
  readonly is_void: boolean;
}

/** On the platform's door: whoever asks belongs to no account. Null where there is no such code. */
export async function readVerifiedPaper(db: Db, code: string): Promise<VerifiedPaper | null> {
  if (!CODE.test(code)) return null;
  const [found] =
    await db.rows<VerifiedPaper>(sql`select kind, number, day, amount_minor, currency, encode(sha256, 'hex') as sha256,
    voided_at is not null as is_void from paper_verifications where code = ${code}`);
  return found ?? null;
}
