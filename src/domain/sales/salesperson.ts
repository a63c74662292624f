// What a salesperson may do with money in the panel: take it for their own sales. They waive nothing, return nothing, put nothing off, and do
// not make another's sale their own. Keys and other roles are not concerned.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Actor, Work } from '../../kit/work.ts';
import type { StoredSale } from './sale.ts';

type Acting = Pick<Work, 'db' | 'actor'>;

const isSalesperson = ({ role }: Actor): boolean => role === 'sales';

async function isOwnSale(db: Db, { personId }: Actor, { salesperson_id }: StoredSale): Promise<boolean> {
  const found = await db.rows(
    sql`select from ${own('members')} where id = ${salesperson_id}::uuid and person_id = ${personId ?? null}::uuid`,
  );
  return found.length > 0;
}

interface Taken {
  readonly discount_amount?: bigint | undefined;
  /** An agreed rate may differ from the bank's by a fifth, which is a discount too. */
  readonly exchange_rate?: unknown;
}

export async function requireOwnSale({ db, actor }: Acting, sale: StoredSale, taken: Taken): Promise<void> {
  if (!isSalesperson(actor)) return;
  const waives = taken.discount_amount !== undefined || taken.exchange_rate !== undefined;
  if (waives || !(await isOwnSale(db, actor, sale))) fail('not_permitted');
}

/** Their own sale may be handed to a colleague; no other sale becomes their own. */
export async function refuseClaim(
  { db, actor }: Acting,
  sale: StoredSale,
  salespersonId: string | null | undefined,
): Promise<void> {
  if (!isSalesperson(actor) || salespersonId === undefined || salespersonId === sale.salesperson_id) return;
  if (!(await isOwnSale(db, actor, sale))) fail('not_permitted');
}

/** Restructuring puts debts off, as postponing does. */
export function refuseRestructuring({ actor }: Pick<Work, 'actor'>): void {
  if (isSalesperson(actor)) fail('not_permitted');
}

/** Cancelling a sale returns or keeps what was collected. */
export function refuseSettling({ actor }: Pick<Work, 'actor'>, sale: StoredSale, refunded: bigint): void {
  if (isSalesperson(actor) && (sale.collected_amount_minor !== 0n || refunded !== 0n)) fail('not_permitted');
}
