// The request that an endpoint's samples send: the one its example was taken with, so that it finds what it names in the demonstration.
import type { ApiEndpoint } from '../../api/api-endpoints.ts';
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

export interface EndpointSamples {
  /** As JSON, or without a body. */
  readonly plain: SampleRequest | null;
  /** With a file, where the endpoint takes one. */
  readonly form: SampleRequest | null;
}

/** Null for an endpoint that has no example, because it is not built. */
export function samplesOf(endpoint: ApiEndpoint, { api, today }: DocsView): EndpointSamples | null {
  const example = exampleOf(endpoint.id, today);
  if (example === null || endpoint.body === null) return null;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.params?.[name] ?? ''));
  const query = new URLSearchParams(example.query);
  const request = {
    method: endpoint.method,
    url: `${api}/${path}${query.size > 0 ? `?${query}` : ''}`,
    headers: headersOf(endpoint),
  };
  const { form } = example;
  const onlyForm = endpoint.body.bodySchema === undefined && endpoint.body.upload !== undefined;
  return {
    plain: onlyForm ? null : { ...request, ...(example.body === undefined ? {} : { json: example.body }) },
    form: form === undefined || endpoint.body.upload === undefined ? null : { ...request, form },
  };
}

/** Samples of writes are dry runs, so that a pasted sample changes nothing. */
function headersOf({ id, method, body }: ApiEndpoint): (readonly [string, string])[] {
  if (method === 'GET') return [];
  const key = body?.idempotency === 'required' ? [['Idempotency-Key', `${id.replace(/\W+/g, '-')}-1`] as const] : [];
  return [...key, ['X-Dry-Run', 'true']];
}
