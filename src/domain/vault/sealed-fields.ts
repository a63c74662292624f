// The personal fields of a record: each is encrypted in its column `<field>_encrypted`; identity numbers can be found by a blind
// index.
import { formatMoney } from '../../kit/money.ts';
import type { SealingKeys } from '../../kit/work.ts';
import type { Fields } from '../records/fields.ts';
import type { Columns } from '../records/record.ts';
import { blindIndex, seal, unseal } from './vault.ts';

export type SealedTable = 'customers' | 'guarantors';

type FieldValues = Readonly<Record<string, unknown>>;

export const sealedNames = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name]!.stored === 'encrypted');

/** The given personal fields as encrypted columns. */
export function sealFields(keys: SealingKeys, table: SealedTable, id: string, fields: Fields, values: FieldValues): Columns {
  const columns: Record<string, unknown> = {};
  for (const name of sealedNames(fields)) {
    if (values[name] === undefined) continue;
    const text = personalText(values[name]);
    columns[`${name}_encrypted`] = text === null ? null : seal(keys.ring, sealedCell(keys, table, id, name), text);
    if (name === 'id_no') columns.id_no_index = text === null ? null : idNoIndex(keys, table, text);
  }
  return columns;
}

export function openField(keys: SealingKeys, table: SealedTable, stored: Columns, name: string): string | null {
  const sealed = stored[`${name}_encrypted`] as Buffer | null;
  return sealed === null ? null : unseal(keys.ring, sealedCell(keys, table, stored.id as string, name), sealed);
}

/** The columns of fields whose value changes. Values are decrypted to compare, because encrypting twice gives different bytes. */
export function changedSealed(
  keys: SealingKeys,
  table: SealedTable,
  stored: Columns,
  fields: Fields,
  values: FieldValues,
): Columns {
  const changed = sealedNames(fields).filter(
    (name) => values[name] !== undefined && personalText(values[name]) !== openField(keys, table, stored, name),
  );
  const toSeal = Object.fromEntries(changed.map((name) => [name, values[name]]));
  return sealFields(keys, table, stored.id as string, fields, toSeal);
}

/** The index under which a new identity number is stored. */
const idNoIndex = ({ index, account }: SealingKeys, table: SealedTable, idNo: string): Buffer =>
  blindIndex(index, account, `${table}.id_no`, idNo);

/**
 * The indexes under which a number may be stored: more than one while the vault's key is being changed. Each table has different
 * indexes for the same number, so use those of the table that is searched.
 */
export const idNoIndexes = (keys: SealingKeys, table: SealedTable, idNo: string): Buffer[] =>
  [keys.index, ...keys.otherIndexes].map((index) => idNoIndex({ ...keys, index }, table, idNo));

/** The indexes of older keys, under which the unique index does not notice an equal number. */
export const otherIdNoIndexes = (keys: SealingKeys, table: SealedTable, idNo: string): Buffer[] =>
  idNoIndexes(keys, table, idNo).slice(1);

const personalText = (value: unknown): string | null =>
  typeof value === 'bigint' ? formatMoney(value) : (value as string | null);

const sealedCell = ({ account }: SealingKeys, table: SealedTable, row: string, name: string) => ({
  account,
  table,
  column: `${name}_encrypted`,
  row,
});
