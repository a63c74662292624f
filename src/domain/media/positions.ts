// Places 1..n of what hangs on a vehicle in an order of its own (photos, videos), without gaps. The vehicle is locked by whoever
// calls: nobody else moves anything meanwhile.
import type { Db } from '../../kit/db.ts';
import { type Detail, fail } from '../../kit/errors.ts';
import { own, rawSql, sql, type TenantTable, theAccount } from '../../kit/sql.ts';
import { type Field, integerField, Refused } from '../records/fields.ts';

export type OrderedTable = Extract<TenantTable, 'vehicle_photos' | 'vehicle_videos'>;

/** Any whole number by its form: which places there are is known only once the vehicle is looked at. */
export const positionField: Field<number> = {
  ...integerField(1, 1_000_000),
  schema: { type: 'integer', minimum: 1 },
  read: (value) =>
    Number.isSafeInteger(value)
      ? (value as number)
      : new Refused('invalid', { en: 'a whole number from 1', tr: "1'den başlayan bir tam sayı" }),
};

/** Ids in their order. */
export async function idsInOrder(db: Db, table: OrderedTable, vehicleId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    sql`select id from ${own(table)} where vehicle_id = ${vehicleId} order by "position", id`,
  );
  return rows.map(({ id }) => id);
}

/** The order with `id` at this place, wherever it was before; at the end where no place is given. */
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

/** What was asked for is exactly what is there, each once. */
export function isPermutation(order: readonly string[], asked: readonly string[]): boolean {
  const all = new Set(asked);
  return all.size === asked.length && asked.length === order.length && order.every((id) => all.has(id));
}

/** In one statement: places are unique, and are so again when it ends. What keeps its place is not touched. */
export async function setPositions(db: Db, table: OrderedTable, vehicleId: string, order: readonly string[]): Promise<void> {
  await db.exec(sql`update ${rawSql(table)} set "position" = asked.place
    from unnest(${order}::uuid[]) with ordinality as asked(id, place)
    where ${rawSql(table)}.account_id = ${theAccount} and ${rawSql(table)}.vehicle_id = ${vehicleId}
      and ${rawSql(table)}.id = asked.id and ${rawSql(table)}."position" <> asked.place`);
}
