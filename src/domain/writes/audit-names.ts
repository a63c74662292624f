// The audit log keeps ids and e-mail addresses; for people to read it, they become the names of today: the plate, the customer, the receipt.
import { allAnswers, type Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import type { AuditEntry } from './audit-trail.ts';

export interface AuditAbout {
  readonly kind: 'vehicle' | 'customer' | 'sale' | 'key' | 'member' | 'other';
  readonly id: string;
  readonly name: string;
}

export interface NamedEntry extends AuditEntry {
  /** As the dealer knows them; the address where nobody of that name is there. */
  readonly actor_name: string;
  /** What it was done to; null where it has no name or is gone. */
  readonly about: AuditAbout | null;
}

const person = sql`coalesce(company_name, first_name || ' ' || last_name)`;

/** Parts of a sale are named by what stands on paper, and lead to their sale. */
const NAMED: readonly Sql[] = [
  sql`select id as target, 'vehicle' as kind, id, plate as name from ${own('vehicles')}`,
  sql`select id, 'customer', id, ${person} from ${own('customers')}`,
  sql`select id, 'sale', id, sale_no from ${own('sales')}`,
  sql`select id, 'sale', sale_id, receipt_no from ${own('collections')}`,
  sql`select id, 'sale', sale_id, note_no from ${own('promissory_notes')}`,
  sql`select id, 'sale', sale_id, (select sale_no from ${own('sales')} where sales.id = sale_id) from ${own('installments')}`,
  sql`select id, 'sale', sale_id, (select sale_no from ${own('sales')} where sales.id = sale_id) from ${own('payment_promises')}`,
  sql`select id, 'customer', customer_id, first_name || ' ' || last_name from ${own('guarantors')}`,
  sql`select id, 'vehicle', vehicle_id, title from ${own('listings')}`,
  sql`select id, 'key', id, name from ${own('api_keys')}`,
  sql`select id, 'member', id, full_name from ${own('members')}`,
  sql`select id, 'other', id, title from ${own('tasks')}`,
  sql`select id, 'other', id, title from ${own('documents')}`,
  sql`select id, 'other', id, url from ${own('webhooks')}`,
  sql`select id, 'other', id, name from ${own('import_connectors')}`,
  sql`select id, 'other', id, name from ${own('branches')}`,
];

type Found = AuditAbout & { readonly target: string };

/** On the tenant door, for one page of the log. */
export async function withNames(db: Db, entries: readonly AuditEntry[]): Promise<NamedEntry[]> {
  const targets = [...new Set(entries.map(({ target }) => target).filter(isUuid))];
  const people = [...new Set(entries.flatMap(({ person_id }) => person_id ?? []))];
  const [members, ...found] = await allAnswers([
    db.rows<Found>(sql`select person_id as target, full_name as name, 'member' as kind, id from ${own('members')}
      where person_id = any(${people}::uuid[])`),
    ...NAMED.map((named) =>
      db.rows<Found>(sql`select * from (${named}) named(target, kind, id, name) where named.target = any(${targets}::uuid[])`),
    ),
  ]);
  const about = new Map(found.flat().map(({ target, ...named }) => [target, named]));
  const names = new Map(members!.map(({ target, name }) => [target, name]));
  return entries.map((entry) => ({
    ...entry,
    actor_name: names.get(entry.person_id ?? '') ?? entry.actor,
    about: about.get(entry.target) ?? null,
  }));
}
