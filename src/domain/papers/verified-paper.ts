// The public information about a paper, found by its code: the dealer, and no personal data.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { sql } from '../../kit/sql.ts';
import { showWorlds } from '../worlds/world.ts';
import type { DealerFace } from './dealer-face.ts';
import type { PaperCode } from './paper.ts';

const CODE = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export interface VerifiedPaper {
  /** The paper's dealer, by the name that papers print. */
  readonly dealer: string;
  readonly face: DealerFace;
  readonly kind: PaperCode;
  readonly number: string;
  readonly day: string;
  readonly amount_minor: bigint | null;
  readonly currency: Currency | null;
  readonly sha256: string | null;
  readonly is_void: boolean;
  /** Of a world: it is not a real document. */
  readonly is_sandbox: boolean;
}

/** With the platform role, because the caller belongs to no account. Null if there is no such code. */
export async function readVerifiedPaper(db: Db, code: string): Promise<VerifiedPaper | null> {
  if (!CODE.test(code)) return null;
  showWorlds(db);
  const [found] = await db.rows<
    Omit<VerifiedPaper, 'face'> & DealerFace
  >(sql`select coalesce(accounts.legal_name, accounts.name) as dealer, accounts.name,
      accounts.city, accounts.phone, accounts.paper_logo as logo, paper_verifications.kind, number, day,
      amount_minor, currency, encode(sha256, 'hex') as sha256, voided_at is not null as is_void,
      accounts.world_id is not null as is_sandbox
    from paper_verifications join data_sets on data_sets.id = paper_verifications.account_id
      join accounts on accounts.id = data_sets.account_id
    where code = ${code} and not exists (select from worlds where worlds.id = accounts.world_id and removed_at is not null)`);
  if (found === undefined) return null;
  const { name, city, phone, logo, ...paper } = found;
  return { ...paper, face: { name, city, phone, logo } };
}
