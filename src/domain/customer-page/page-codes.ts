// One-time codes of customers' links, and those that staff read out.
import type { Db } from '../../kit/db.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { linkCodes, type SeenBy } from '../link-codes/link-codes.ts';

export const PAGE_CODES = linkCodes({ table: 'customer_page_codes', owner: 'link_id' });

/** All links of the customer. */
export const linksOf = (customerId: string): Sql =>
  sql`select id from ${own('customer_links')} where customer_id = ${customerId}`;

interface StaffCode {
  readonly id: string;
  readonly code_encrypted: Buffer;
  readonly expires_at: Date;
  readonly seen_by: readonly SeenBy[];
}

export interface FoundPageCode {
  readonly id: string;
  readonly code: string;
  readonly expires_at: string;
  readonly seen_by: readonly SeenBy[];
}

/** The open code of the customer's live link, if it was made for staff: one that was mailed is for the customer only. */
export async function findStaffPageCode(
  db: Db,
  keys: Work['keys'],
  customerId: string,
  realNow: Date,
): Promise<FoundPageCode | null> {
  await db.one(sql`select id from ${own('customers')} where id = ${customerId} and deleted_at is null`);
  const [found] =
    await db.rows<StaffCode>(sql`select customer_page_codes.id, code_encrypted, customer_page_codes.expires_at, seen_by
    from ${own('customer_page_codes')} join ${own('customer_links')} on customer_links.id = link_id
    where customer_id = ${customerId} and revoked_at is null and delivery = 'staff' and ${PAGE_CODES.isOpen(realNow)}`);
  if (found === undefined) return null;
  const { id, expires_at, seen_by } = found;
  return { id, code: PAGE_CODES.unseal(keys, found), expires_at: expires_at.toISOString(), seen_by };
}
