// The JSON Schema of an endpoint's shapes as the reference shows it: short, in the terms of the wire, with named parts set apart.
import type { Body, BodyReader, ObjectBody, Upload } from '../../kit/endpoint.ts';
import { elementOf, jsonSchemaOf, type Schema } from '../../kit/schema.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface WireSchema {
  readonly root: JsonSchema;
  /** Schemas that carry a name of their own; `$ref`s point at them as `#/components/schemas/<name>`. */
  readonly named: Readonly<Record<string, JsonSchema>>;
}

export const SCHEMAS = '#/components/schemas/';

// Kept, because the reference page and OpenAPI walk every endpoint on each call and shapes never change while the process runs.
const known = new WeakMap<Schema, WireSchema>();

export function wireSchemaOf(schema: Schema): WireSchema {
  const kept = known.get(schema);
  if (kept !== undefined) return kept;
  const { $defs = {}, ...root } = tidy(jsonSchemaOf(schema)) as Record<string, JsonSchema>;
  const made = { root, named: $defs as Record<string, JsonSchema> };
  known.set(schema, made);
  return made;
}

/** The schema of an endpoint's reply, or of one item where the reply is a list (a page, or all items as some writes return). */
export function answerOf(body: Body): { readonly wire: WireSchema; readonly list: boolean } {
  const listed = 'lists' in body ? body.lists : elementOf(body.returns);
  return { wire: wireSchemaOf(listed ?? (body as ObjectBody).returns), list: listed !== null };
}

/** A request body is declared as JSON Schema already. */
export const bodySchemaOf = ({ schema }: BodyReader<unknown>): WireSchema => ({ root: schema, named: {} });

/** The parts of a form: the file and the endpoint's text fields. */
export function formSchemaOf({ bodySchema, maxBytes }: Upload<unknown>): WireSchema {
  const { required = [], properties, ...rest } = bodySchema.schema as { required?: readonly string[]; properties: object };
  const max = Math.round(maxBytes / 1024 / 1024);
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: `≤ ${max} MB` };
  return { root: { ...rest, required: ['file', ...required], properties: { file, ...properties } }, named: {} };
}

/** For these formats the long pattern that the schema library adds says nothing new. */
const IMPLIED_BY_FORMAT = new Set(['uuid', 'date', 'date-time']);

function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node)
    .filter(([name, value]) => !isNoise(name, value, node as JsonSchema))
    .map(([name, value]) => [name, name === '$ref' ? refInDocument(value) : tidy(value)] as const);
  return withNull(Object.fromEntries(entries));
}

const refInDocument = (ref: unknown): unknown => (typeof ref === 'string' ? ref.replace('#/$defs/', SCHEMAS) : ref);

function isNoise(name: string, value: unknown, { format, type }: JsonSchema): boolean {
  if (name === 'pattern') return typeof value === 'string' && typeof format === 'string' && IMPLIED_BY_FORMAT.has(format);
  if (name === 'minimum' || name === 'maximum') return type === 'integer' && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  // We may add fields at any time, so the schema must not make clients refuse unknown ones.
  return name === 'additionalProperties' && value === false;
}

/** `anyOf: [string, null]` is `type: [string, null]`, which readers and generators show as one type. */
function withNull(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null' || typeof anyOf[0]?.type !== 'string') return node;
  const { type, enum: values, ...inner } = anyOf[0] as { type: string; enum?: unknown[] };
  return { type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }), ...inner, ...rest };
}

export interface FieldLine {
  /** `api_key.prefix`, `by_endpoint[].count` */
  readonly path: string;
  readonly schema: JsonSchema;
  readonly types: readonly string[];
  readonly required: boolean;
}

/** Every field of a shape, the fields of nested objects and lists under their own paths. */
export function fieldsOf(wire: WireSchema): FieldLine[] {
  const walk = (node: JsonSchema, prefix: string, above: readonly JsonSchema[]): FieldLine[] => {
    const object = resolve(node, wire);
    // A shape that contains itself is shown once.
    if (above.includes(object)) return [];
    const required = (object.required ?? []) as readonly string[];
    return Object.entries((object.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, found]) => {
      const schema = resolve(found, wire);
      const path = prefix + name;
      const line = { path, schema: withOwnMarks(schema, found), types: typesOf(schema), required: required.includes(name) };
      const inner = schema.items === undefined ? schema : resolve(schema.items as JsonSchema, wire);
      return [line, ...walk(inner, schema.items === undefined ? `${path}.` : `${path}[].`, [...above, object])];
    });
  };
  return walk(wire.root, '', []);
}

/** A reference has beside it what is declared of the deprecated field itself. */
function withOwnMarks(schema: JsonSchema, { $ref: _, anyOf: __, ...own }: JsonSchema): JsonSchema {
  return own.deprecated === true ? { ...schema, ...own } : schema;
}

/** Follows a reference, takes the object of an `anyOf: [object, null]`, and shows several shapes as one with the fields of each. */
export function resolve(node: JsonSchema, wire: WireSchema): JsonSchema {
  if (typeof node.$ref === 'string') return resolve(wire.named[node.$ref.slice(SCHEMAS.length)] ?? {}, wire);
  if (!Array.isArray(node.anyOf)) return node;
  const options = (node.anyOf as JsonSchema[]).map((option) => resolve(option, wire));
  if (options.every((option) => option.type === 'object')) return together(options);
  const value = options.find((option) => option.type !== 'null');
  if (value === undefined || options.length !== 2 || options.every((option) => option.type !== 'null')) return node;
  return { ...value, type: [...typesOf(value), 'null'] };
}

/** A field is required where every shape requires it; a field that has a fixed value in each shape gets the values of all. */
function together(shapes: readonly JsonSchema[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const shape of shapes) {
    for (const [name, schema] of Object.entries((shape.properties ?? {}) as Record<string, JsonSchema>)) {
      const known = properties[name];
      const values = [known?.enum ?? known?.const ?? [], schema.const ?? []].flat();
      properties[name] =
        known === undefined ? schema : typeof schema.const === 'string' ? { type: 'string', enum: values } : known;
    }
  }
  const required = Object.keys(properties).filter((name) =>
    shapes.every((shape) => (shape.required as string[])?.includes(name)),
  );
  return { type: 'object', properties, required };
}

function typesOf({ type, anyOf }: JsonSchema): string[] {
  if (Array.isArray(anyOf)) return [...new Set((anyOf as JsonSchema[]).flatMap(typesOf))];
  return Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : [];
}

const MONEY = /\\d\{2\}\$|\\d\{1,2\}\)\?\$/;
const KINDS = new Set(['uuid', 'date', 'date-time']);

/** What a value is on the wire: `uuid`, `date-time`, `money`, `string`, `integer`, `null` … */
export function kindsOf(schema: JsonSchema): string[] {
  const isMoney = typeof schema.pattern === 'string' && MONEY.test(schema.pattern);
  if (schema.contentMediaType !== undefined) return ['file'];
  const text = isMoney ? 'money' : KINDS.has(String(schema.format)) ? String(schema.format) : 'string';
  return typesOf({ type: schema.type }).map((type) => (type === 'string' ? text : type));
}
