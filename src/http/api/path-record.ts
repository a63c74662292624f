// Finds the record in the path of a write by the row that GETs it.
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { own, sql } from '../../kit/sql.ts';
import { type ApiRow, isList } from './api-rows.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { contextOf } from './run-row.ts';
import type { RowWrite, WriteRunner } from './run-write.ts';

/** The rows that GET the record; for an action (`vehicles/{id}/reserve`) that is the row of its parent path. */
export function readersOf(catalog: Catalog<ApiRow>, path: string): ApiRow[] {
  const paths = [path, path.slice(0, path.lastIndexOf('/'))];
  return paths
    .map((one) => catalog.match(one)?.methods.get('GET'))
    .filter((row) => row !== undefined)
    .filter(({ body }) => body !== null && !isList(body));
}

/**
 * Called before a large body is read, which is pointless if the record does not exist. If the Idempotency-Key was answered
 * before, that answer is the reply whatever happened to the record, and the body is needed to see whether the request is the
 * same.
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
