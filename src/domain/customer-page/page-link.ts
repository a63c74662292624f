// The link to a customer's page: 160 random bits, of which only the hash is stored. One of a customer is live at a time.
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';

const RANDOM_BYTES = 20;
const TOKEN = /^[A-Za-z0-9_-]{48}$/;

/** The link contains its data set, so that no other data set is searched. */
export interface PageToken {
  readonly dataSet: string;
  readonly hash: Buffer;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** No link has it: it is looked up for a token that cannot be one, so that every wrong token costs the same statement. */
const NO_DATA_SET = '00000000-0000-0000-0000-000000000000';

export function readPageToken(token: string): PageToken {
  if (!TOKEN.test(token)) return { dataSet: NO_DATA_SET, hash: hashOf('') };
  const hex = Buffer.from(token, 'base64url').subarray(0, 16).toString('hex');
  return { dataSet: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), hash: hashOf(token) };
}

export function newPageToken(dataSet: string): { readonly path: string; readonly hash: Buffer } {
  const bytes = Buffer.concat([Buffer.from(dataSet.replaceAll('-', ''), 'hex'), randomBytes(RANDOM_BYTES)]);
  const token = bytes.toString('base64url');
  return { path: `/m/${token}`, hash: hashOf(token) };
}

/** The customer of a link that was not revoked. */
export interface LinkedPage {
  readonly link_id: string;
  readonly customer_id: string;
  readonly expires_at: Date;
  readonly account_id: string;
  readonly timezone: string;
  readonly kind: 'production' | 'sandbox';
}

/** Null for an unknown or revoked link, for one of a deleted customer, and while the dealer is suspended: one statement for all. */
export async function findLinkedPage(db: Db, { hash }: PageToken): Promise<LinkedPage | null> {
  const [found] = await db.rows<LinkedPage>(sql`select customer_links.id as link_id, customer_id, customer_links.expires_at,
      accounts.id as account_id, accounts.timezone, data_sets.kind
    from ${own('customer_links')} join ${own('customers')} on customers.id = customer_id
      cross join ${own('accounts')} cross join ${own('data_sets')}
    where token_hash = ${hash} and revoked_at is null and customers.deleted_at is null and accounts.status = 'Aktif'`);
  return found ?? null;
}
