// The record that the path of a write names, as its own GET reads it.
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { own, sql } from '../../kit/sql.ts';
import { type ApiRow, isList } from './api-rows.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { contextOf } from './run-row.ts';
import type { RowWrite, WriteRunner } from './run-write.ts';

/** Rows that read the record; that of an action (`vehicles/{id}/reserve`) is the one it stands under. */
export function readersOf(catalog: Catalog<ApiRow>, path: string): ApiRow[] {
  const paths = [path, path.slice(0, path.lastIndexOf('/'))];
  return paths
    .map((one) => catalog.match(one)?.methods.get('GET'))
    .filter((row) => row !== undefined)
    .filter(({ body }) => body !== null && !isList(body));
}

/**
 * Before a large body is read: on a record that does not exist, nothing of it is wanted. Unless its Idempotency-Key was answered before:
 * then that answer is the reply, whatever has become of the record, and the body tells whether it is the same request.
 */
export async function requireRecord(
  runner: WriteRunner,
  call: RowWrite,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  const [reader] = Object.keys(params).length === 0 ? [] : readersOf(runner.catalog, call.path);
  if (reader === undefined) return;
  const key = readIdempotencyKey(call.request.headersDistinct['idempotency-key'], false);
  await runner.database.inTenant(call.caller.dataSetId, 'read', async (db) => {
    const known = key === null ? [] : await db.rows(sql`select key from ${own('idempotency')} where key = ${key}`);
    if (known.length > 0) return;
    await reader.body!.run(contextOf(runner, call, { db, params }));
  });
}
