// Who changed what on a vehicle. For write-only fields only the name is recorded.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { formatMoney } from '../../kit/money.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { arrayOf, either, nullable, object, oneOf, only, plainValue, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type Columns, shownColumns } from '../records/record.ts';
import { changedFields } from '../writes/record-events.ts';
import { VEHICLE_FIELDS, WRITE_ONLY_VEHICLE_FIELDS } from './vehicle.ts';
import { PastCondition } from './vehicle-condition.ts';

export const HISTORY_EVENTS = [
  'created',
  'updated',
  'price_changed',
  'status_changed',
  'reserved',
  'reservation_released',
  'sold',
  'published',
  'unpublished',
  'deleted',
  'restored',
  'photo_added',
  'photo_removed',
] as const;
export type HistoryEvent = (typeof HISTORY_EVENTS)[number];

/** A plain value, the equipment or the condition of the car. */
const HistoryValue = either(plainValue(), arrayOf(text()), PastCondition);

export const HistoryEntry = object({
  id: uuid(),
  event: oneOf(HISTORY_EVENTS),
  changes: arrayOf(
    either(
      object({ field: text('price'), old: HistoryValue, new: HistoryValue }),
      object({ field: text(), redacted: only(true) }),
    ),
  ),
  actor: object({ type: oneOf(['api_key', 'panel', 'system']), name: text() }),
  note: nullable(text()),
  created_at: timestamp(),
});

export type Change =
  | { readonly field: string; readonly old: unknown; readonly new: unknown }
  | { readonly field: string; readonly redacted: true };

const KEPT: ReadonlySet<string> = new Set(WRITE_ONLY_VEHICLE_FIELDS);

/** Changed columns as changes of API fields. */
export function changesOf(stored: Columns, changed: Columns): Change[] {
  const [before, after] = [shownColumns(VEHICLE_FIELDS, stored), shownColumns(VEHICLE_FIELDS, changed)];
  return Object.entries(after)
    .filter(([column]) => column !== 'updated_at')
    .map(([column, value]) => {
      const field = column.replace(/_minor$/, '');
      return KEPT.has(field) ? { field, redacted: true } : { field, old: shown(before[column]), new: shown(value) };
    });
}

const shown = (value: unknown): unknown =>
  typeof value === 'bigint' ? formatMoney(value) : value instanceof Date ? value.toISOString() : (value ?? null);

/** The same changes for an event, without write-only fields. */
export function changedFieldsOf(changes: readonly Change[]): ReturnType<typeof changedFields> {
  const open = changes.filter((change) => 'old' in change);
  const side = (which: 'old' | 'new') => Object.fromEntries(open.map((change) => [change.field, change[which]]));
  return changedFields(side('old'), side('new'));
}

/** After all existing entries, so that entries are in the order of the changes, whichever request began first. */
const afterTheLast = (vehicleId: string, now: Date): Sql =>
  sql`greatest(${now}, (select max(created_at) + interval '1 ms' from ${own('vehicle_history')} where vehicle_id = ${vehicleId}))`;

export function recordHistory(
  { db, now, actor }: Work,
  vehicleId: string,
  event: HistoryEvent,
  changes: readonly Change[] = [],
  note: string | null = null,
  customerId: string | null = customerOf(changes),
): void {
  const type = actor.type === 'cli' ? 'system' : actor.type;
  db.send(sql`insert into vehicle_history (account_id, id, vehicle_id, event, changes, actor_type, actor_name, note, customer_id, created_at)
    values (${theAccount}, ${newId(now.getTime())}, ${vehicleId}, ${event}, ${JSON.stringify(changes)}::json, ${type}, ${actor.fullName ?? actor.name}, ${note}, ${customerId}::uuid,
      ${event === 'created' ? now : afterTheLast(vehicleId, now)})`);
}

/** The customer of the reservation: the entry's note may be about them and is erased with them. */
function customerOf(changes: readonly Change[]): string | null {
  const change = changes.find(({ field }) => field === 'reservation.customer_id');
  if (change === undefined || !('old' in change)) return null;
  return ((change.new ?? change.old) as string | null) ?? null;
}

const SELECT_LIST = rawSql(
  "id, event, changes, json_build_object('type', actor_type, 'name', actor_name) as actor, note, utc_text(created_at) as created_at",
);

/** Newest first. The history of a deleted vehicle can be read too. */
export async function listHistory(db: Db, vehicleId: string, event: HistoryEvent | undefined, page: Paging): Promise<Page> {
  await db.one(sql`select id from ${own('vehicles')} where id = ${vehicleId}`);
  const where = [sql`vehicle_id = ${vehicleId}`, ...(event === undefined ? [] : [sql`event = ${event}`])];
  return listPage(db, { table: 'vehicle_history', shows: SELECT_LIST, where }, page);
}
