// One endpoint as an agent needs it: parameters, body, errors, events, and one real example of the demonstration.
import { deprecationWords } from '../../domain/catalog/deprecation.ts';
import { bodySchemaOf, type FieldLine, fieldsOf, kindsOf } from '../../domain/catalog/json-schema.ts';
import { ERRORS, type Locale } from '../../kit/errors.ts';
import type { ApiEndpoint } from '../api/api-endpoints.ts';
import { isCommon, refusalsOf } from '../docs/openapi/endpoint-refusals.ts';
import { exampleOf } from '../docs/openapi/examples.ts';
import { pathWords, queryWords } from '../docs/openapi/param-words.ts';
import type { Json } from './protocol.ts';

/** Longer examples are left out; the fields describe the same. */
const MAX_EXAMPLE = 6000;

export function describeEndpoint(
  endpoint: ApiEndpoint,
  endpoints: readonly ApiEndpoint[],
  { locale, today }: { readonly locale: Locale; readonly today: string },
): Json {
  const { id, method, path, risk, scope, name, body, params } = endpoint;
  const refusals = [...refusalsOf(endpoint, endpoints, { live: true, shut: false })].flatMap(([status, codes]) =>
    codes.filter((code) => !isCommon(code)).map((code) => ({ status, code, meaning: ERRORS[code][locale] })),
  );
  return {
    endpoint: id,
    name: name[locale],
    risk,
    scope,
    about: body?.about?.[locale === 'en' ? 0 : 1],
    deprecated: body?.deprecated && deprecationWords(body.deprecated)[locale],
    path_parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => ({ name: one, about: pathWords(one!)?.[locale] })),
    query_parameters: Object.entries(params).map(([one, { allowed, schema, required }]) => ({
      name: one,
      allowed: allowed[locale],
      default: schema.default,
      required: required === true,
      about: queryWords(one)?.[locale],
    })),
    body_fields: bodyFields(endpoint),
    takes_file: body?.upload !== undefined && body.bodySchema === undefined ? true : undefined,
    errors: refusals,
    events: body?.emits ?? [],
    example: method === 'GET' ? readExample(id) : writeExample(id, today),
  };
}

function bodyFields({ body }: ApiEndpoint): Json[] {
  const reader = body?.bodySchema ?? body?.upload?.bodySchema;
  return reader === undefined ? [] : fieldsOf(bodySchemaOf(reader)).map(fieldOf);
}

const LIMITS = ['enum', 'const', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'default', 'description'] as const;

const fieldOf = ({ path, schema, required }: FieldLine): Json => ({
  name: path,
  type: kindsOf(schema).join(' or '),
  required: required || undefined,
  ...Object.fromEntries(LIMITS.flatMap((limit) => (schema[limit] === undefined ? [] : [[limit, schema[limit]]]))),
});

function readExample(id: string): Json | undefined {
  const example = exampleOf(id);
  if (example === null) return undefined;
  const { params, query, reply } = example;
  return bounded({ params, query, reply });
}

function writeExample(id: string, today: string): Json | undefined {
  const example = exampleOf(id, today);
  if (example === null) return undefined;
  const { params, query, body, status, reply } = example;
  return bounded({ params, query, body, status, reply });
}

function bounded(example: Json): Json {
  if (JSON.stringify(example).length <= MAX_EXAMPLE) return example;
  const { reply: _, ...rest } = example;
  return rest;
}
