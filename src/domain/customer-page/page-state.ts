// What the panel shows of a customer's page: its live link, a code that waits, and how the page was opened. The link itself is not stored.
import type { Db } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Delivery, SeenBy } from '../link-codes/link-codes.ts';
import { PAGE_CODES } from './page-codes.ts';
import type { PageChannel } from './page-writes.ts';

export interface PageOpening {
  readonly at: string;
  readonly delivery: Delivery;
  /** Masked; of a code that was mailed. */
  readonly address: string | null;
  /** Names of the staff who saw the code. */
  readonly seen_by: readonly string[];
}

export interface PageState {
  readonly link: {
    readonly channel: PageChannel;
    readonly address: string | null;
    readonly created_by: string;
    readonly created_at: string;
    readonly expires_at: string;
  } | null;
  /** How the code comes that the customer has requested. */
  readonly code: { readonly delivery: Delivery; readonly expires_at: string } | null;
  readonly openings: readonly PageOpening[];
}

const MAX_OPENINGS = 5;

export async function readPageState(
  db: Db,
  customerId: string,
  { now, realNow }: { readonly now: Date; readonly realNow: Date },
): Promise<PageState> {
  await db.one(sql`select id from ${own('customers')} where id = ${customerId} and deleted_at is null`);
  const [link] = await db.rows<
    NonNullable<PageState['link']>
  >(sql`select channel, address, created_by, utc_text(created_at) as created_at,
      utc_text(expires_at) as expires_at
    from ${own('customer_links')} where customer_id = ${customerId} and revoked_at is null and expires_at > ${now}`);
  const [code] = await db.rows<
    NonNullable<PageState['code']>
  >(sql`select delivery, utc_text(customer_page_codes.expires_at) as expires_at
    from ${own('customer_page_codes')} join ${own('customer_links')} on customer_links.id = link_id
    where customer_id = ${customerId} and revoked_at is null and customer_links.expires_at > ${now} and ${PAGE_CODES.isOpen(realNow)}`);
  const openings = await db.rows<
    Omit<PageOpening, 'seen_by'> & { seen_by: SeenBy[] }
  >(sql`select utc_text(used_at) as at, delivery,
      customer_page_codes.address, seen_by
    from ${own('customer_page_codes')} join ${own('customer_links')} on customer_links.id = link_id
    where customer_id = ${customerId} and used_at is not null order by used_at desc limit ${MAX_OPENINGS}`);
  return {
    link: link ?? null,
    code: code ?? null,
    openings: openings.map((opening) => ({ ...opening, seen_by: opening.seen_by.map(({ name }) => name) })),
  };
}
