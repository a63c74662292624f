// Positions 1..n, without gaps, of a vehicle's photos or videos. The caller has locked the vehicle, so nothing else moves them.
import type { Db } from '../../kit/db.ts';
import { type Detail, fail } from '../../kit/errors.ts';
import { own, rawSql, sql, theAccount } from '../../kit/sql.ts';
import type { TenantTable } from '../../kit/tenant-tables.ts';
import { type Field, integerField, Refused, withDefault } from '../records/fields.ts';

export type OrderedTable = Extract<TenantTable, 'vehicle_photos' | 'vehicle_videos'>;

/** Accepts any whole number, because the valid range is known only once the vehicle is read. */
export const positionField: Field<number> = {
  ...withDefault(integerField(1, 1_000_000), 'the last', 'sonuncu'),
  schema: { type: 'integer', minimum: 1 },
  read: (value) =>
    Number.isSafeInteger(value)
      ? (value as number)
      : new Refused('invalid', { en: 'a whole number from 1', tr: "1'den başlayan bir tam sayı" }),
};

/** The ids in the order of their positions. */
export async function idsInOrder(db: Db, table: OrderedTable, vehicleId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    sql`select id from ${own(table)} where vehicle_id = ${vehicleId} order by "position", id`,
  );
  return rows.map(({ id }) => id);
}

/** The order with `id` moved to this position (default: the end). */
export function orderWith(order: readonly string[], id: string, position?: number): string[] {
  const others = order.filter((one) => one !== id);
  const last = others.length + 1;
  const at = position ?? last;
  if (at < 1 || at > last) fail('position_out_of_range', { words: { last }, details: [outOfRange(last)] });
  return others.toSpliced(at - 1, 0, id);
}

const outOfRange = (last: number): Detail => ({
  field: 'position',
  code: 'position_out_of_range',
  message: { en: `position must be from 1 to ${last}`, tr: `position 1 ile ${last} arasında olmalı` },
});

/** Whether `ids` names exactly the existing ids, each once. */
export function isPermutation(order: readonly string[], ids: readonly string[]): boolean {
  const all = new Set(ids);
  return all.size === ids.length && ids.length === order.length && order.every((id) => all.has(id));
}

/** In one statement, because positions must be unique again when a statement ends. Rows that keep their position are not written. */
export async function setPositions(db: Db, table: OrderedTable, vehicleId: string, order: readonly string[]): Promise<void> {
  await db.exec(sql`update ${rawSql(table)} set "position" = asked.place
    from unnest(${order}::uuid[]) with ordinality as asked(id, place)
    where ${rawSql(table)}.account_id = ${theAccount} and ${rawSql(table)}.vehicle_id = ${vehicleId}
      and ${rawSql(table)}.id = asked.id and ${rawSql(table)}."position" <> asked.place`);
}
