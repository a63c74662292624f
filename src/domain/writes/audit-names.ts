// The audit log stores ids and e-mail addresses; for readers they are replaced with current names: the plate, the customer, the
// receipt.
import { allAnswers, type Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { NAMED_TO_PLATFORM } from './audit-names-platform.ts';
import type { AuditEntry } from './audit-trail.ts';

export interface AuditAbout {
  readonly kind: 'vehicle' | 'customer' | 'sale' | 'key' | 'member' | 'account' | 'other';
  readonly id: string;
  readonly name: string;
}

export interface NamedEntry extends AuditEntry {
  /** The person's name at the dealer, or the address if there is no such member. */
  readonly actor_name: string;
  /** The record's name; null if it has none or was deleted. */
  readonly about: AuditAbout | null;
  /** Names for the ids among the values before and after, as far as they are known. */
  readonly names: Readonly<Record<string, string>>;
}

const person = sql`coalesce(company_name, first_name || ' ' || last_name)`;

/** Parts of a sale have the name that is printed on paper, and link to their sale. */
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
  sql`select person_id, 'member', id, full_name from ${own('members')}`,
  sql`select id, 'other', id, email from ${own('invitations')}`,
  sql`select id, 'other', id, name from ${own('saved_views')}`,
  sql`select id, 'key', key_id, (select name from ${own('api_keys')} where api_keys.id = key_id) from ${own('limit_requests')}`,
  sql`select id, 'other', id, title from ${own('tasks')}`,
  sql`select id, 'other', id, title from ${own('documents')}`,
  sql`select id, 'other', id, url from ${own('webhooks')}`,
  sql`select id, 'other', id, name from ${own('import_connectors')}`,
  sql`select id, 'other', id, name from ${own('branches')}`,
];

type AuditTarget = AuditAbout & { readonly target: string };

/** With the tenant role, for one page of the log. */
export const withNames = <Entry extends AuditEntry>(db: Db, entries: readonly Entry[]): Promise<(Entry & NamedEntry)[]> =>
  named(
    db,
    entries,
    NAMED,
    sql`select person_id as target, full_name as name, 'member' as kind, id from ${own('members')}
    where person_id is not null`,
  );

/** With the platform role. */
export const withPlatformNames = <Entry extends AuditEntry>(db: Db, entries: readonly Entry[]): Promise<(Entry & NamedEntry)[]> =>
  named(db, entries, NAMED_TO_PLATFORM, sql`select id as target, full_name as name, 'other' as kind, id from people`);

async function named<Entry extends AuditEntry>(
  db: Db,
  entries: readonly Entry[],
  sources: readonly Sql[],
  people: Sql,
): Promise<(Entry & NamedEntry)[]> {
  const ids = new Map(entries.map((entry) => [entry, idsIn(entry)]));
  const targets = [...new Set([...ids.values()].flat())];
  const actors = [...new Set(entries.flatMap(({ person_id }) => person_id ?? []))];
  const [members, ...found] = await allAnswers([
    db.rows<AuditTarget>(sql`select * from (${people}) people where target = any(${actors}::uuid[])`),
    ...sources.map((source) =>
      db.rows<AuditTarget>(
        sql`select * from (${source}) named(target, kind, id, name) where named.target = any(${targets}::uuid[])`,
      ),
    ),
  ]);
  const records = new Map(found.flat().map(({ target, ...named }) => [target, named]));
  const names = new Map(members!.map(({ target, name }) => [target, name]));
  return entries.map((entry) => ({
    ...entry,
    actor_name: names.get(entry.person_id ?? '') ?? entry.actor,
    about: records.get(entry.target) ?? null,
    names: Object.fromEntries(ids.get(entry)!.flatMap((id) => (records.has(id) ? [[id, records.get(id)!.name]] : []))),
  }));
}

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

const idsIn = ({ target, before, after }: AuditEntry): string[] => [
  ...new Set([...(isUuid(target) ? [target] : []), ...(JSON.stringify([before, after]).match(ID) ?? [])]),
];
