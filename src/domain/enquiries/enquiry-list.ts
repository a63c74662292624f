// Enquiries as the panel shows them: a list, and one with its history.
import type { Db } from '../../kit/db.ts';
import type { Paging } from '../../kit/page.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import type { SealingKeys } from '../../kit/work.ts';
import { openEntry, openPerson, type Seller, seenBy } from './enquiry.ts';
import { type EnquirySource, type EnquiryStage, type EntryKind, OPEN_STAGES } from './enquiry-states.ts';

export interface EnquiryItem {
  readonly id: string;
  readonly source: EnquirySource;
  readonly stage: EnquiryStage;
  readonly lost_reason: string | null;
  /** Null where the person was erased. */
  readonly name: string | null;
  readonly phone: string | null;
  readonly vehicle_id: string | null;
  readonly vehicle: string | null;
  readonly owner_id: string | null;
  readonly owner: string | null;
  readonly next_step_on: string | null;
  readonly customer_id: string | null;
  readonly sale_id: string | null;
  readonly offer: EnquiryOffer | null;
  readonly last_activity_at: string;
  readonly created_at: string;
}

export interface EnquiryOffer {
  readonly id: string;
  readonly listing_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly status: string;
}

export interface EnquiryEntry {
  readonly id: string;
  readonly kind: EntryKind;
  readonly value: string | null;
  readonly text: string | null;
  readonly actor: string | null;
  readonly created_at: string;
}

export interface EnquiryDetail extends EnquiryItem {
  readonly entries: readonly EnquiryEntry[];
}

export interface EnquiryFilter {
  /** `open`: not won and not lost. */
  readonly stage?: EnquiryStage | 'open' | undefined;
  readonly source?: EnquirySource | undefined;
  readonly owner_id?: string | undefined;
  readonly vehicle_id?: string | undefined;
}

type Stored = Omit<EnquiryItem, 'name' | 'phone'> & {
  readonly name_encrypted: Buffer | null;
  readonly phone_encrypted: Buffer | null;
};

const FIELDS: Sql = sql`id, source, stage, lost_reason, name_encrypted, phone_encrypted, vehicle_id, owner_id, next_step_on, customer_id,
  sale_id, utc_text(last_activity_at) as last_activity_at, utc_text(created_at) as created_at,
  (select concat_ws(' ', model_year, brand, model) from ${own('vehicles')} where vehicles.id = vehicle_id) as vehicle,
  (select full_name from ${own('members')} where members.id = owner_id) as owner,
  (select json_build_object('id', offered.id, 'listing_id', listing_id, 'amount', money_text(amount_minor), 'currency', currency,
    'status', status) from (select * from ${own('marketplace_offers')}) offered where offered.id = offer_id) as offer`;

function shown(keys: SealingKeys, { name_encrypted, phone_encrypted, ...rest }: Stored): EnquiryItem {
  const { name, phone } = openPerson(keys, { id: rest.id, name_encrypted, phone_encrypted });
  const { id, source, stage, lost_reason, ...more } = rest;
  return { id, source, stage, lost_reason, name, phone, ...more };
}

function whereOf({ stage, source, owner_id, vehicle_id }: EnquiryFilter, seller: Seller): Sql[] {
  return [
    seenBy(seller),
    ...(stage === undefined ? [] : [stage === 'open' ? sql`stage = any(${[...OPEN_STAGES]}::text[])` : sql`stage = ${stage}`]),
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(owner_id === undefined ? [] : [sql`owner_id = ${owner_id}`]),
    ...(vehicle_id === undefined ? [] : [sql`vehicle_id = ${vehicle_id}`]),
  ];
}

/** The latest activity first; one more than the page if there is a next page. */
export async function listEnquiries(
  db: Db,
  keys: SealingKeys,
  filter: EnquiryFilter,
  seller: Seller,
  { limit, offset }: Paging,
): Promise<EnquiryItem[]> {
  const found =
    await db.rows<Stored>(sql`select ${FIELDS} from (select * from ${own('enquiries')} where true${allOf(whereOf(filter, seller))}
    order by last_activity_at desc, id desc limit ${limit + 1} offset ${offset}) enquiries order by ${rawSql('enquiries.last_activity_at desc, enquiries.id desc')}`);
  return found.map((one) => shown(keys, one));
}

/** How many are in each stage. */
export const countEnquiries = (db: Db, seller: Seller): Promise<{ stage: EnquiryStage; count: number }[]> =>
  db.rows(
    sql`select stage, count(*)::int as count from ${own('enquiries')} where ${seenBy(seller)} group by stage order by stage`,
  );

const MAX_ENTRIES = 200;

export async function readEnquiry(db: Db, keys: SealingKeys, id: string, seller: Seller): Promise<EnquiryDetail> {
  const found = await db.one<Stored>(
    sql`select ${FIELDS} from (select * from ${own('enquiries')} where id = ${id} and ${seenBy(seller)}) enquiries`,
  );
  const entries = await db.rows<Omit<EnquiryEntry, 'text'> & { text_encrypted: Buffer | null }>(
    sql`select id, kind, value, text_encrypted, actor, utc_text(created_at) as created_at from ${own('enquiry_entries')}
      where enquiry_id = ${id} order by enquiry_entries.created_at desc, id desc limit ${MAX_ENTRIES}`,
  );
  const open = entries.map(({ text_encrypted, ...entry }) => ({ ...entry, text: openEntry(keys, entry.id, text_encrypted) }));
  return { ...shown(keys, found), entries: open };
}
