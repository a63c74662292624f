// Bulk writes on vehicles. Each row succeeds or fails separately.
import { Failure, fail, type Locale, messageOf } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { arrayOf, either, integer, type Of, object, only, text, uuid } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type CreateBody, createBody, patchBody, readCreateBody, readPatchBody } from '../records/body.ts';
import {
  currencyField,
  type Field,
  type FieldContext,
  listField,
  moneyField,
  objectField,
  required,
  uuidField,
} from '../records/fields.ts';
import { refuseUnknown } from '../records/references.ts';
import { audit } from '../writes/audit.ts';
import { lockVehicles, VEHICLE_EDIT_FIELDS, VEHICLE_FIELDS } from './vehicle.ts';
import { addVehicle, editVehicle } from './vehicle-writes.ts';

const MAX_ROWS = 100;

/** Rows are parsed one by one later, so that only the bad row is refused. */
const rowField = (schema: Field<unknown>['schema']): Field<unknown> => ({ ...uuidField, schema, read: (value) => value });

const EDIT_SCHEMA = patchBody(VEHICLE_EDIT_FIELDS).schema as { readonly properties: Readonly<Record<string, unknown>> };
const UPDATE_SCHEMA = { ...EDIT_SCHEMA, properties: { id: uuidField.schema, ...EDIT_SCHEMA.properties }, required: ['id'] };

export const BULK_CREATE_FIELDS = {
  vehicles: required(listField(rowField(createBody(VEHICLE_FIELDS).schema), MAX_ROWS, 1)),
} as const;
export const BULK_UPDATE_FIELDS = { updates: required(listField(rowField(UPDATE_SCHEMA), MAX_ROWS, 1)) } as const;

const Failed = object({
  index: integer(),
  status: only('failed'),
  error: object({
    code: text('plate_in_use'),
    message: text(),
    details: arrayOf(object({ field: text(), code: text(), message: text() })),
  }),
});
const done = <const S extends 'created' | 'updated'>(status: S) =>
  either(object({ index: integer(), status: only(status), id: uuid() }), Failed);

export const BulkCreated = object({ created: integer(), failed: integer(), results: arrayOf(done('created')) });
export const BulkUpdated = object({ updated: integer(), failed: integer(), results: arrayOf(done('updated')) });

type Row = Readonly<Record<string, unknown>>;

export async function createVehicles(work: Work, rows: readonly unknown[], locale: Locale): Promise<Of<typeof BulkCreated>> {
  const results = await eachAlone(work, rows, locale, 'created', (row) =>
    addVehicle(work, readCreateBody(VEHICLE_FIELDS, row, contextOf(work))),
  );
  return { created: countOf(results, 'created'), failed: countOf(results, 'failed'), results };
}

export async function updateVehicles(work: Work, rows: readonly unknown[], locale: Locale): Promise<Of<typeof BulkUpdated>> {
  const ids = rows.map(idOf);
  refuseTwice(ids);
  await lockVehicles(
    work.db,
    ids.filter((id) => id !== null),
  );
  const results = await eachAlone(work, rows, locale, 'updated', ({ id: _, ...edit }, index) => {
    const id = ids[index] ?? fail('validation_failed', { details: [NO_ID] });
    return editVehicle(work, id, readPatchBody(VEHICLE_EDIT_FIELDS, edit, contextOf(work)));
  });
  return { updated: countOf(results, 'updated'), failed: countOf(results, 'failed'), results };
}

const NO_ID = { field: 'id', code: 'required', message: { en: 'id must be a uuid', tr: 'id bir uuid olmalı' } };

function idOf(row: unknown): string | null {
  const id = isObject(row) ? row.id : null;
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null;
}

/** The same id twice is refused, because it would be unclear which edit applies. */
function refuseTwice(ids: readonly (string | null)[]): void {
  const details = ids.flatMap((id, index) =>
    id !== null && ids.indexOf(id) < index
      ? [
          {
            field: `updates[${index}].id`,
            code: 'duplicate',
            message: { en: 'this id occurs more than once; send each vehicle once', tr: 'bu araç iki kez verilmiş' },
          },
        ]
      : [],
  );
  if (details.length > 0) fail('validation_failed', { details });
}

const contextOf = ({ today, account }: Work): FieldContext => ({ today, timeZone: account.timezone });

const isObject = (row: unknown): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row);

type Result<S extends string> = { index: number; status: S; id: string } | Of<typeof Failed>;

async function eachAlone<const S extends 'created' | 'updated'>(
  work: Work,
  rows: readonly unknown[],
  locale: Locale,
  status: S,
  run: (row: Row, index: number) => Promise<{ readonly id: string }>,
): Promise<Result<S>[]> {
  const results: Result<S>[] = [];
  for (const [index, row] of rows.entries()) {
    try {
      const { id } = await work.step(async () =>
        run(isObject(row) ? row : fail('validation_failed', { details: [NO_ROW] }), index),
      );
      results.push({ index, status, id });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      results.push({ index, status: 'failed', error: errorIn(error, locale) });
    }
  }
  return results;
}

const NO_ROW = { field: '', code: 'invalid', message: { en: 'the row must be an object', tr: 'satır bir nesne olmalı' } };

function errorIn({ code, facts }: Failure, locale: Locale): Of<typeof Failed>['error'] {
  const details = (facts.details ?? []).map(({ field, code, message }) => ({
    field,
    code,
    message: typeof message === 'string' ? message : message[locale],
  }));
  return { code, message: messageOf(code, facts, locale), details };
}

const countOf = (results: readonly { readonly status: string }[], status: string): number =>
  results.filter((result) => result.status === status).length;

/** A price of a bulk change: before it, and as the change left it. */
const undoneField = objectField({
  id: required(uuidField),
  price: required(moneyField({ above: 0n })),
  currency: required(currencyField),
  changed_price: required(moneyField({ above: 0n })),
  changed_currency: required(currencyField),
});
export const UNDO_PRICES_FIELDS = { changes: required(listField(undoneField, MAX_ROWS, 1)) } as const;

export interface UndonePrices {
  readonly undone: number;
  /** Changed again since, or no longer open to a change. */
  readonly kept: number;
}

/** Puts prices back that are still as the bulk change left them. */
export async function undoPrices(work: Work, changes: CreateBody<typeof UNDO_PRICES_FIELDS>['changes']): Promise<UndonePrices> {
  const ids = changes.map(({ id }) => id!);
  await lockVehicles(work.db, ids);
  const found = await work.db.rows<{ id: string; price_minor: bigint; currency: string }>(
    sql`select id, price_minor, currency from ${own('vehicles')} where id = any(${ids}::uuid[])`,
  );
  if (found.length < new Set(ids).size) refuseUnknown('changes');
  const stored = new Map(found.map((vehicle) => [vehicle.id, vehicle]));
  let undone = 0;
  for (const { id, price, currency, changed_price, changed_currency } of changes) {
    const vehicle = stored.get(id!);
    if (vehicle === undefined || vehicle.price_minor !== changed_price || vehicle.currency !== changed_currency) continue;
    try {
      await work.step(() => editVehicle(work, id!, { price: price!, currency: currency! }));
      undone += 1;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  await audit(work.db, work.actor, 'vehicles.prices_undone', work.account.id, { accountId: work.account.id, after: { undone } });
  return { undone, kept: changes.length - undone };
}
