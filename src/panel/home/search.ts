// What Ctrl+K finds besides sales, customers and vehicles: receipts and notes by number, papers by title, listings by their car, keys
// by name. One request; each kind where the role may read it.
import { mayUse } from '../../domain/identity/roles.ts';
import { searchFor } from '../../domain/records/search.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import type { Scope } from '../../kit/endpoint.ts';
import { requiredParam, textParam } from '../../kit/params.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { type PanelAccount, panelGet } from '../kit/endpoint.ts';

export interface FoundPlace {
  readonly kind: 'receipt' | 'note' | 'document' | 'listing' | 'key';
  readonly id: string;
  readonly name: string;
  /** A number, a plate, an amount. */
  readonly beside: string;
  readonly sale_id: string | null;
  readonly customer_id: string | null;
  readonly vehicle_id: string | null;
}

const MAX_OF_A_KIND = 4;

export const searchEndpoints = [
  panelGet('search', {
    who: 'member',
    databaseRole: 'tenant',
    query: { q: requiredParam(textParam(80)) },
    run: ({ db, query, account }): Promise<FoundPlace[]> => findPlaces(db, query.q, account),
  }),
];

async function findPlaces(db: Db, q: string, { role }: PanelAccount): Promise<FoundPlace[]> {
  const may = (scope: Scope) => mayUse(role, { scope, risk: 'read' });
  // Receipts and promissory notes are found by number; a word without a digit skips that search.
  const isNumber = /\d/.test(q);
  const found = await allAnswers([
    isNumber && may('collections:read') ? of(db, receipts(q)) : NONE,
    isNumber && may('promissory-notes:read') ? of(db, notes(q)) : NONE,
    may('documents:read') ? of(db, documents(q)) : NONE,
    may('marketplace:read') ? of(db, listings(q)) : NONE,
    role === 'owner' || role === 'developer' ? of(db, keys(q)) : NONE,
  ]);
  return found.flat();
}

const NONE: Promise<FoundPlace[]> = Promise.resolve([]);
const of = (db: Db, statement: Sql): Promise<FoundPlace[]> => db.rows<FoundPlace>(sql`${statement} limit ${MAX_OF_A_KIND}`);
const where = (q: string, searched: Sql): Sql => searchFor(q, searched).reduce((all, one) => sql`${all} and ${one}`, sql`true`);

const receipts = (
  q: string,
): Sql => sql`select 'receipt' as kind, id, receipt_no as name, money_text(amount_minor) || ' ' || currency as beside,
    sale_id, customer_id, vehicle_id from ${own('collections')}
  where ${where(q, sql`fold_tr(receipt_no)`)} order by created_at desc, id desc`;

const notes = (
  q: string,
): Sql => sql`select 'note' as kind, id, note_no as name, money_text(amount_minor) || ' ' || currency as beside,
    sale_id, customer_id, null::uuid as vehicle_id from ${own('promissory_notes')}
  where ${where(q, sql`fold_tr(note_no)`)} order by due_date, id`;

const documents = (q: string): Sql => sql`select 'document' as kind, id, title as name, coalesce(status, kind) as beside,
    sale_id, customer_id, vehicle_id from ${own('documents')}
  where ${where(q, sql`fold_tr(title)`)} and erased_at is null and deleted_at is null order by created_at desc, id desc`;

const listings = (
  q: string,
): Sql => sql`select 'listing' as kind, listings.id, brand || ' ' || model || ' ' || model_year as name, plate as beside,
    null::uuid as sale_id, null::uuid as customer_id, vehicles.id as vehicle_id
  from ${own('vehicles')} join ${own('listings')} on listings.vehicle_id = vehicles.id and listings.status <> 'Kapandı'
  where vehicles.deleted_at is null and ${where(q, sql`vehicles.search`)} order by vehicles.created_at desc`;

const keys = (
  q: string,
): Sql => sql`select 'key' as kind, id, name, environment as beside, null::uuid as sale_id, null::uuid as customer_id,
    null::uuid as vehicle_id from ${own('api_keys')}
  where revoked_at is null and ${where(q, sql`fold_tr(name)`)} order by created_at desc, id desc`;
