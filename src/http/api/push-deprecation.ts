// What a reply says about its endpoint, or about the fields that the call used, if they are deprecated.
import { type DeprecatedField, deprecatedFieldsOf, deprecationHeaders, eachOnce } from '../../domain/catalog/deprecation.ts';
import type { Reply } from '../wire/reply.ts';
import type { Call } from './call.ts';

export function pushDeprecation({ headers, status, sent = [] }: Reply, call: Call, publicUrl: () => string): void {
  const { endpoint, rawQuery } = call;
  if (endpoint === null || endpoint.body === null) return;
  const { answered } = deprecatedFieldsOf(endpoint.body);
  const { deprecated } = endpoint.body;
  if (deprecated === undefined && sent.length === 0 && answered.length === 0) return;
  const fields = eachOnce([...sent, ...(status < 400 ? shownFields(answered, rawQuery) : [])]);
  headers.push(...deprecationHeaders(endpoint, deprecated, fields, publicUrl()));
}

/** Those of the fields that the reply has: `fields` limits it to some. */
function shownFields(fields: readonly DeprecatedField[], rawQuery: string): readonly DeprecatedField[] {
  const chosen = new URLSearchParams(rawQuery).get('fields')?.split(',');
  return chosen === undefined ? fields : fields.filter(({ path }) => chosen.includes(path.split(/[.[]/)[0]!));
}
