// The request that a row's samples send: the one its example was taken with, so that it finds what it names in the demonstration.
import type { ApiRow } from '../../api/api-rows.ts';
import type { DocsView } from '../docs-view.ts';
import { exampleOf } from '../openapi/examples.ts';

export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** Besides Authorization, which is not among them because its value is no literal. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly json?: unknown;
  readonly form?: { readonly file: string; readonly fields: Readonly<Record<string, string>> };
}

export interface RowSamples {
  /** As JSON, or without a body. */
  readonly plain: SampleRequest | null;
  /** With a file, where the row takes one. */
  readonly form: SampleRequest | null;
}

/** Null for a row that has no example, because it is not built. */
export function samplesOf(row: ApiRow, { api, today }: DocsView): RowSamples | null {
  const example = exampleOf(row.id, today);
  if (example === null || row.body === null) return null;
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.params?.[name] ?? ''));
  const query = new URLSearchParams(example.query);
  const request = {
    method: row.method,
    url: `${api}/${path}${query.size > 0 ? `?${query}` : ''}`,
    headers: headersOf(row),
  };
  const { form } = example;
  const onlyForm = row.body.takes === undefined && row.body.upload !== undefined;
  return {
    plain: onlyForm ? null : { ...request, ...(example.body === undefined ? {} : { json: example.body }) },
    form: form === undefined || row.body.upload === undefined ? null : { ...request, form },
  };
}

/** A write is tried before it is done: pasted as it stands, it changes nothing. */
function headersOf({ id, method, body }: ApiRow): (readonly [string, string])[] {
  if (method === 'GET') return [];
  const key = body?.idempotency === 'required' ? [['Idempotency-Key', `${id.replace(/\W+/g, '-')}-1`] as const] : [];
  return [...key, ['X-Dry-Run', 'true']];
}
