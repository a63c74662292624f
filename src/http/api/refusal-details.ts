// Details that a refused write gains from the endpoint and the caller: read-only fields, and the record that has the same value.
import { answerOf, resolve } from '../../domain/catalog/json-schema.ts';
import { type Detail, Failure } from '../../kit/errors.ts';
import type { ApiEndpoint } from './api-endpoints.ts';
import type { EndpointWrite, WriteRunner } from './endpoint-call.ts';

const shown = new WeakMap<ApiEndpoint, ReadonlySet<string>>();

/** The fields of the record that the endpoint returns. */
function fieldsShown(endpoint: ApiEndpoint): ReadonlySet<string> {
  const known = shown.get(endpoint);
  if (known !== undefined) return known;
  const { wire } = answerOf(endpoint.body!);
  const names = new Set(Object.keys((resolve(wire.root, wire).properties ?? {}) as object));
  shown.set(endpoint, names);
  return names;
}

/** Reads a body; a field that the record has but that cannot be written is refused as read-only instead of as unknown. */
export function readBodyOf<T>(endpoint: ApiEndpoint, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.details === undefined) throw error;
    const details = error.facts.details.map((detail) =>
      detail.code === 'unknown_field' && fieldsShown(endpoint).has(detail.field) ? readOnly(detail) : detail,
    );
    throw new Failure(error.code, { ...error.facts, details });
  }
}

const readOnly = ({ field, code }: Detail): Detail => ({
  field,
  code,
  message: { en: `${field} is read-only here`, tr: `${field} burada salt okunur` },
});

interface RefusedWrite {
  readonly runner: WriteRunner;
  readonly call: EndpointWrite;
}

/** Names the record that already has the value, if the caller may read it. Read after the transaction, which its violation ended. */
export async function withDuplicate({ runner, call }: RefusedWrite, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure) || error.facts.duplicate === undefined) return error;
  const { duplicate, details = [], ...facts } = error.facts;
  const mayRead = call.caller.key().endpoints();
  const [first, ...rest] = details;
  if (first === undefined || !mayRead.some(({ method, path, live }) => live && `${method} ${path}` === duplicate.endpoint))
    return new Failure(error.code, { ...facts, details });
  const [other] = await runner.database.inTenant(call.caller.dataSetId, 'read', (db) =>
    db.rows<{ readonly id: string }>(duplicate.find),
  );
  const named = other === undefined ? first : { ...first, record_id: other.id };
  return new Failure(error.code, { ...facts, details: [named, ...rest] });
}
