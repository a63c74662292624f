// A dry run rolls each of its batches back, so a later batch does not see an earlier one in the database. This keeps the relevant
// part in memory: the keys that were created or changed, and the unique values that they use.
import { createHash } from 'node:crypto';
import type { ImportTargetName, KeyField } from '../connectors/connector-config.ts';
import type { ImportRow, SourceRow } from '../feed-row.ts';
import { feedValue, type ImportMoment, type ImportTarget, type RowFault } from '../import-target.ts';
import { type RowResult, valuesOf } from '../targets/import-rows.ts';

const UNIQUE: Readonly<Record<ImportTargetName, Readonly<Record<string, string>>>> = {
  vehicles: { plate: 'plate_in_use', chassis_no: 'chassis_in_use', external_ref: 'external_ref_in_use' },
  customers: { id_no: 'duplicate_customer', external_ref: 'external_ref_in_use' },
};

export interface ImportDryRun {
  /** The result for the row that an earlier batch determines, or null. */
  known(row: SourceRow, moment: ImportMoment): RowResult | null;
  remember(rows: readonly SourceRow[], results: readonly RowResult[], moment: ImportMoment): void;
  created(): number;
}

export function createImportDryRun(kind: ImportTargetName, keyField: KeyField, target: ImportTarget): ImportDryRun {
  const seen = new Map<string, { digest: string; isNew: boolean }>();
  const usedBy = new Map<string, string>();
  let created = 0;
  const readValue = (row: ImportRow, field: string, moment: ImportMoment): string | null => {
    const cell = row.cells[field];
    if (cell === undefined) return null;
    const { values } = target.read({ [field]: feedValue(target.fields, field, cell, target.reading?.(field)) }, moment);
    const value = (values as Record<string, unknown>)[field];
    return typeof value === 'string' ? value : null;
  };
  const digestOf = (row: ImportRow): string => createHash('sha1').update(JSON.stringify(row.cells)).digest('base64');
  const uniques = (row: ImportRow, moment: ImportMoment) =>
    Object.keys(UNIQUE[kind])
      .filter((field) => field !== keyField)
      .map((field) => ({ field, value: readValue(row, field, moment) }))
      .filter(({ value }) => value !== null)
      .map(({ field, value }) => ({ field, uniqueValue: `${field} ${value}` }));

  return {
    known: (row, moment) => {
      if ('problem' in row) return null;
      const key = readValue(row, keyField, moment);
      if (key === null) return null;
      const before = seen.get(key);
      if (before?.digest === digestOf(row)) return { outcome: 'unchanged' };
      const clash = uniques(row, moment).find(({ uniqueValue }) => (usedBy.get(uniqueValue) ?? key) !== key);
      if (clash !== undefined) return { errors: [inUse(UNIQUE[kind][clash.field]!, clash.field)] };
      // The row's values are always validated.
      const { errors } = target.read(valuesOf(target, row.cells), moment);
      return before?.isNew && errors.length + (row.faults?.length ?? 0) === 0 ? { outcome: 'updated' } : null;
    },
    remember: (rows, results, moment) => {
      for (const [index, row] of rows.entries()) {
        const result = results[index]!;
        if ('problem' in row || 'errors' in result || result.outcome === 'unchanged') continue;
        const key = readValue(row, keyField, moment);
        if (key === null) continue;
        const isNew = result.outcome === 'created' || (seen.get(key)?.isNew ?? false);
        if (result.outcome === 'created') created += 1;
        seen.set(key, { digest: digestOf(row), isNew });
        for (const { uniqueValue } of uniques(row, moment)) usedBy.set(uniqueValue, key);
      }
    },
    created: () => created,
  };
}

const inUse = (code: string, field: string): RowFault => ({
  field,
  code,
  message: { en: `An earlier row has the same ${field}`, tr: `Önceki bir satır aynı ${field} değerini taşıyor` },
});
