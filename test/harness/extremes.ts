// Values at and slightly beyond the limits of a field, derived from its JSON Schema.
export type JsonSchema = Readonly<Record<string, unknown>>;

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
}

const DAYS = ['0000-01-01', '0001-01-01', '0001-12-31', '1582-10-10', '9999-01-01', '9999-12-31', '2024-02-29'];
const INSTANTS = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-14:00',
  '+010000-01-01T00:00:00Z',
];
const AMOUNTS = ['0', '0.01', '999999999999.99', 999_999_999_999.99, '-0.01', '-999999999999.99', '1000000000000', 1e21];
const RATES = ['0.000001', '0.01', '999999.999999', '999.99', '200', '0'];
const WHOLE = [-1, 0, 1, 2_147_483_647, 2_147_483_648, Number.MAX_SAFE_INTEGER, 1e300];
/**
 * The longest texts by characters and by bytes; characters that change how others are displayed; characters that a database
 * refuses.
 */
const textsOf = (max: number): string[] => [
  'ş'.repeat(max),
  '\u{1f697}'.repeat(max),
  'a'.repeat(max + 1),
  'a\u202eb\u2066c',
  'a\u200bb',
  '\u0000',
  '\ud800',
  ' ',
  '%',
  "'\\",
];
const MAX_TEXT = 1000;
/** Longer lists are a matter of size, which the body limits cover. */
const MAX_ITEMS = 120;

const typesOf = ({ type }: FieldSchema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

export function extremesOf(schema: JsonSchema): unknown[] {
  const fieldSchema = schema as FieldSchema;
  const types = typesOf(fieldSchema);
  if (fieldSchema.anyOf !== undefined) return fieldSchema.anyOf.flatMap(extremesOf);
  if (fieldSchema.enum !== undefined) return [...fieldSchema.enum, null];
  if (fieldSchema.format === 'date') return [...DAYS, null];
  if (fieldSchema.format === 'date-time') return [...INSTANTS, ...DAYS, null];
  if (fieldSchema.format === 'uuid')
    return ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', null];
  if (types.includes('integer')) {
    const { minimum = 0, maximum = 1_000_000_000 } = fieldSchema;
    return [minimum, maximum, minimum - 1, maximum + 1, ...WHOLE, null];
  }
  if (types.includes('boolean')) return [true, false, null];
  if (types.includes('array')) {
    const item = sampleOf(fieldSchema.items ?? {});
    return [[], [item], [item, item], Array.from({ length: Math.min(fieldSchema.maxItems ?? 50, MAX_ITEMS) }, () => item), null];
  }
  if (types.includes('object')) return [{}, sampleOf(schema), null];
  if (fieldSchema.pattern !== undefined) return [...AMOUNTS, ...RATES, ...DAYS, '9999-12', '0000-01', null];
  return [...textsOf(Math.min(fieldSchema.maxLength ?? 200, MAX_TEXT)), null];
}

/** The simplest value that the schema accepts. */
export function sampleOf(schema: JsonSchema): unknown {
  const fieldSchema = schema as FieldSchema;
  const types = typesOf(fieldSchema);
  if (fieldSchema.anyOf !== undefined) return sampleOf(fieldSchema.anyOf[0]!);
  if (fieldSchema.enum !== undefined) return fieldSchema.enum[0];
  if (fieldSchema.examples !== undefined) return fieldSchema.examples[0];
  if (fieldSchema.format === 'date') return '2026-11-15';
  if (fieldSchema.format === 'date-time') return '2036-11-15T09:00:00Z';
  if (fieldSchema.format === 'uuid') return '0190a6c0-0000-7000-8000-000000000000';
  if (types.includes('integer')) return fieldSchema.minimum ?? 1;
  if (types.includes('boolean')) return true;
  if (types.includes('array')) return [sampleOf(fieldSchema.items ?? {})];
  if (types.includes('object')) {
    const { properties = {}, required = [] } = fieldSchema;
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
  }
  return fieldSchema.pattern === undefined ? 'deneme' : '10';
}

export interface Place {
  /** `installments[0].amount` */
  readonly name: string;
  readonly schema: JsonSchema;
  /** The body with another value at this path. */
  readonly put: (body: unknown, value: unknown) => unknown;
}

/** Every field of a body, including those in objects and in the first item of a list, whether or not the body has them. */
export function placesOf(schema: JsonSchema): Place[] {
  const { properties = {} } = schema as FieldSchema;
  return Object.entries(properties).flatMap(([name, field]): Place[] => {
    const put = (body: unknown, value: unknown) => ({ ...(body as object), [name]: value });
    const held = (body: unknown) => (body as Record<string, unknown> | undefined)?.[name];
    const here: Place = { name, schema: field, put };
    const { items, properties: inner } = field as FieldSchema;
    if (inner !== undefined) {
      const objectIn = (body: unknown) => held(body) ?? sampleOf(field);
      return [
        here,
        ...placesOf(field).map((place) => ({
          ...place,
          name: `${name}.${place.name}`,
          put: (body: unknown, value: unknown) => put(body, place.put(objectIn(body), value)),
        })),
      ];
    }
    if (items === undefined) return [here];
    const listIn = (body: unknown): unknown[] => {
      const input = held(body);
      return Array.isArray(input) && input.length > 0 ? input : [sampleOf(items)];
    };
    const first: Place = {
      name: `${name}[0]`,
      schema: items,
      put: (body, value) => put(body, [value, ...listIn(body).slice(1)]),
    };
    const insideFirst = placesOf(items).map((place) => ({
      ...place,
      name: `${name}[0].${place.name}`,
      put: (body: unknown, value: unknown) => put(body, [place.put(listIn(body)[0], value), ...listIn(body).slice(1)]),
    }));
    return [here, first, ...insideFirst];
  });
}
