// Named schemas of the description: records, requests, envelopes and sets of values, each once, none written out in place.
import { partsOfDeprecated } from '../../../domain/catalog/deprecation.ts';
import {
  answerOf,
  bodySchemaOf,
  formSchemaOf,
  type JsonSchema,
  SCHEMAS,
  type WireSchema,
  wireSchemaOf,
} from '../../../domain/catalog/json-schema.ts';
import type { Body } from '../../../kit/endpoint.ts';
import { ERRORS } from '../../../kit/errors.ts';
import { elementOf, withoutNull } from '../../../kit/schema.ts';
import type { ApiEndpoint } from '../../api/api-endpoints.ts';
import { enumNameOf, memberNamesOf } from './openapi-enums.ts';
import { operationIdOf, pascal, schemaNameOf, singular } from './openapi-names.ts';

export type Part = Readonly<Record<string, unknown>>;

export const schemaRef = (name: string): Part => ({ $ref: SCHEMAS + name });

export interface EndpointSchemas {
  readonly reply: Part;
  readonly json?: Part;
  readonly form?: Part;
  readonly params: Readonly<Record<string, Part>>;
}

export interface Schemas {
  readonly of: ReadonlyMap<string, EndpointSchemas>;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

const known = new WeakMap<readonly ApiEndpoint[], Schemas>();

/**
 * Of every endpoint, whichever of them are then described: a name must not depend on what a key holds. Reads come first, so that a record
 * is called after the endpoint that reads it and not after one that happens to answer it too.
 */
export function schemasOf(endpoints: readonly ApiEndpoint[]): Schemas {
  const kept = known.get(endpoints);
  if (kept !== undefined) return kept;
  const registry = createRegistry();
  registry.put(ERROR_CODE, 'ErrorCode');
  const inOrder = [...endpoints.filter(({ method }) => method === 'GET'), ...endpoints.filter(({ method }) => method !== 'GET')];
  const parts = new Map(
    inOrder.flatMap((endpoint) => (endpoint.body === null ? [] : [[endpoint.id, endpointSchemas(endpoint, registry)]])),
  );
  // Replies without more members get their names first.
  const withMore = new Set(inOrder.filter(({ body }) => body?.includes !== undefined).map(({ id }) => id));
  const last = [...parts].sort(([one], [other]) => Number(withMore.has(one)) - Number(withMore.has(other)));
  const of = new Map(last.map(([id, { reply, ...rest }]) => [id, { ...rest, reply: reply() }]));
  const components = Object.fromEntries(Object.entries(registry.components).sort(([a], [b]) => (a < b ? -1 : 1)));
  const made = { of, components };
  known.set(endpoints, made);
  return made;
}

type EndpointParts = Omit<EndpointSchemas, 'reply'> & { readonly reply: () => Part };

function endpointSchemas(endpoint: ApiEndpoint, registry: Registry): EndpointParts {
  const { bodySchema, upload } = endpoint.body!;
  const id = operationIdOf(endpoint);
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  const { wire, list } = answerOf(endpoint.body!);
  const item = registry.record(wire, schemaNameOf(endpoint, list));
  return {
    reply: () => registry.envelope(item, list, withIncludes(item, endpoint.body!, registry)),
    ...(bodySchema && { json: registry.record(bodySchemaOf(bodySchema), `${name}Request`) }),
    ...(upload && { form: registry.record(formSchemaOf(upload), `${name}Form`) }),
    params: Object.fromEntries(
      Object.entries(endpoint.params).map(([param, { schema }]) => [param, registry.inPlace(schema, name + pascal(param))]),
    ),
  };
}

/** The record with the members that `include` adds. They are read after all records have their names. */
function withIncludes(item: Part, { includes }: Body, registry: Registry): Part {
  if (includes === undefined) return item;
  const members = Object.entries(includes).map(([name, { schema }]): [string, Part] => {
    const description = `Only with \`include=${name}\`.`;
    const element = elementOf(schema);
    const ref = registry.record(wireSchemaOf(element ?? withoutNull(schema)), pascal(element === null ? name : singular(name)));
    return [
      name,
      element === null ? { anyOf: [ref, { type: 'null' }], description } : { type: 'array', items: ref, description },
    ];
  });
  const name = `${String(item.$ref).slice(SCHEMAS.length)}Includes`;
  return { allOf: [item, registry.put({ type: 'object', properties: Object.fromEntries(members) }, name)] };
}

interface Registry {
  readonly components: Record<string, JsonSchema>;
  put(schema: JsonSchema, name: string): Part;
  record(wire: WireSchema, name: string): Part;
  /** `data`: the item, or the item with more members. */
  envelope(item: Part, list: boolean, data: Part): Part;
  inPlace(schema: JsonSchema, name: string): JsonSchema;
}

function createRegistry(): Registry {
  const components: Record<string, JsonSchema> = { ...SHARED };
  const byText = new Map<string, string>(Object.entries(SHARED).map(([name, schema]) => [JSON.stringify(schema), name]));
  const put = (schema: JsonSchema, proposed: string): Part => {
    const shape = JSON.stringify(schema);
    const held = byText.get(shape);
    if (held !== undefined) return schemaRef(held);
    let name = RENAMED[proposed] ?? proposed;
    for (let number = 2; Object.hasOwn(components, name); number += 1) name = `${proposed}${number}`;
    components[name] = schema;
    byText.set(shape, name);
    return schemaRef(name);
  };
  const inPlace = (schema: JsonSchema, name: string): JsonSchema => takeOut(schema, name, put);
  const claim = (name: string, schema: JsonSchema): void => {
    if (components[name] !== undefined && JSON.stringify(components[name]) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are called ${name}`);
    }
    components[name] = schema;
    byText.set(JSON.stringify(schema), name);
  };
  const freeName = (name: string): string => (components[name] === undefined ? name : `${name}WithIncludes`);
  return {
    components,
    put,
    inPlace,
    record: ({ root, named }, proposed) => {
      const name = RENAMED[proposed] ?? proposed;
      // Named schemas keep their own name, because references use it, even where another shape wanted the same name.
      for (const [own, schema] of Object.entries(named)) claim(own, membersTakenOut(schema, own, put));
      return typeof root.$ref === 'string' ? root : put(membersTakenOut(root, name, put), name);
    },
    envelope: (item, list, data) => {
      const name = String(item.$ref).slice(SCHEMAS.length);
      const envelopeName = `${name}${list ? 'List' : 'Response'}`;
      return put(
        {
          type: 'object',
          required: ['success', 'data', 'meta'],
          properties: {
            success: { type: 'boolean', const: true },
            data: list ? { type: 'array', items: data } : data,
            meta: schemaRef(list ? 'ListMeta' : 'Meta'),
          },
        },
        data === item ? envelopeName : freeName(envelopeName),
      );
    },
  };
}

type Put = (schema: JsonSchema, name: string) => Part;

/** The schema itself stays; the objects and sets of values within it become components. */
function membersTakenOut(schema: JsonSchema, name: string, put: Put): JsonSchema {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'properties') {
      const members = Object.entries(value as Record<string, JsonSchema>);
      return [key, Object.fromEntries(members.map(([member, inner]) => [member, takeOut(inner, name + pascal(member), put)]))];
    }
    if (key === 'items') return [key, takeOut(value as JsonSchema, singular(name), put)];
    if (key === 'anyOf' || key === 'oneOf')
      return [key, (value as JsonSchema[]).map((option) => takeOut(option, optionName(option, name), put))];
    if (key === 'additionalProperties' && typeof value === 'object') return [key, takeOut(value as JsonSchema, name, put)];
    return [key, value];
  });
  return Object.fromEntries(entries);
}

/** A reference to this schema, if it gets a name of its own. */
function takeOut(schema: JsonSchema, name: string, put: Put): JsonSchema {
  const parts = partsOfDeprecated(schema);
  if (parts !== null) return { ...takeOut(parts.type, name, put), ...parts.marks };
  const types = [schema.type].flat();
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.filter((value): value is string | number => value !== null);
    if (values.length < 2) return schema;
    const { type: _, enum: __, ...beside } = schema;
    return orNull(put(enumSchema(values), enumNameOf(values, name)), types, beside);
  }
  if (schema.properties !== undefined) {
    const { type: _, description, default: preset, ...shape } = schema;
    const beside = {
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
    };
    return orNull(put(membersTakenOut({ type: 'object', ...shape }, name, put), name), types, beside);
  }
  return membersTakenOut(schema, name, put);
}

const orNull = (ref: Part, types: readonly unknown[], beside: JsonSchema): JsonSchema =>
  types.includes('null') ? { anyOf: [ref, { type: 'null' }], ...beside } : { ...ref, ...beside };

/** Variants that differ by a constant are named after it: `…Created`, `…Failed`, `…Hidden` for one that has `hidden: true`. */
function optionName(option: JsonSchema, name: string): string {
  const members = Object.entries((option.properties ?? {}) as Record<string, JsonSchema>);
  const word = members.find(([, member]) => typeof member.const === 'string')?.[1].const as string | undefined;
  const flag = members.find(([, member]) => member.const === true)?.[0];
  if (word !== undefined) return name + memberNamesOf([word])[0];
  return flag === undefined ? name : name + pascal(flag);
}

function enumSchema(values: readonly (string | number)[]): JsonSchema {
  const names = memberNamesOf(values.map(String));
  const type = typeof values[0] === 'number' ? 'integer' : 'string';
  // The same information in two spellings, because generators differ in which one they read.
  return { type, enum: values, 'x-enum-varnames': names, 'x-enumNames': names };
}

/** Open: a generated client must not fail on a code that is added later, so the codes are listed and not enumerated. */
const ERROR_CODE: JsonSchema = {
  type: 'string',
  description:
    'One of the listed codes. Codes may be added at any time: for one that you do not know, decide by the HTTP status.',
  'x-extensible-enum': Object.keys(ERRORS),
};

/** Names for schemas whose place in the description would give a worse one. */
const RENAMED: Readonly<Record<string, string>> = {
  WebhookDeliveryDetailPayload: 'Event',
  WebhookDeliveryDetailPayloadResource: 'EventResource',
  WebhookDeliveryDetailPayloadData: 'EventData',
  AccountApiKey: 'ApiKey',
  AccountBranch: 'Branch',
  AccountBranchDetail: 'BranchDetail',
  BranchDetailStaff: 'StaffMember',
  CustomerGuarantor: 'Guarantor',
  DeveloperRequestLog: 'LoggedRequest',
  VehicleDetailReservation: 'Reservation',
  VehicleDetailReservationCounterparty: 'Counterparty',
  BulkCreateVehiclesResultResultCreated: 'BulkCreatedVehicle',
  BulkUpdateVehiclesResultResultUpdated: 'BulkUpdatedVehicle',
  BulkCreateVehiclesResultResultFailed: 'BulkFailure',
  BulkCreateVehiclesResultResultFailedError: 'BulkFailureError',
  BulkCreateVehiclesResultResultFailedErrorDetail: 'BulkFailureDetail',
};

const SHARED: Readonly<Record<string, JsonSchema>> = {
  Meta: {
    type: 'object',
    required: ['request_id', 'timestamp', 'api_version'],
    properties: {
      request_id: { type: 'string', pattern: '^req_', description: 'Same as the header `X-Request-Id` of the first reply.' },
      timestamp: { type: 'string', format: 'date-time', description: 'ISO 8601 with an explicit offset.' },
      api_version: { type: 'string', const: 'v1' },
    },
  },
  ListMeta: {
    type: 'object',
    required: ['limit', 'offset', 'count'],
    properties: {
      limit: { type: 'integer' },
      offset: { type: 'integer' },
      count: { type: 'integer', description: 'Records in this reply.' },
    },
  },
  ErrorDetail: {
    type: 'object',
    required: ['field', 'code', 'message'],
    properties: {
      field: { type: 'string', description: 'The field at fault, as a path: `config.url`.' },
      code: { type: 'string' },
      message: { type: 'string', description: 'For people, in the requested language.' },
      suggestion: { type: 'string', description: 'The probable correct name of a misspelt field.' },
      record_id: { type: 'string', format: 'uuid', description: 'The other record that has this value, if the key may read it.' },
    },
  },
  ApiError: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: schemaRef('ErrorCode'),
      message: { type: 'string', description: 'For people, in the requested language.' },
      param: { type: 'string', description: 'The parameter or header at fault.' },
      required_scope: { type: 'string', description: 'The scope the key lacks.' },
      details: { type: 'array', items: schemaRef('ErrorDetail') },
      doc_url: { type: 'string', format: 'uri', description: 'The page about this code: what it means and what to do.' },
    },
  },
  ErrorResponse: {
    type: 'object',
    required: ['success', 'error', 'meta'],
    properties: { success: { type: 'boolean', const: false }, error: schemaRef('ApiError'), meta: schemaRef('Meta') },
  },
};
