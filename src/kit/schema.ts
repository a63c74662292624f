// Shapes of requests and replies. Only this file imports the schema library.
import { z } from 'zod';
import { CURRENCIES } from './money.ts';
import { rawSql, type Sql } from './sql.ts';

export type Schema<T = unknown> = z.ZodType<T>;
export type Of<S> = S extends z.ZodType<infer T> ? T : never;
export type Shape = z.ZodObject;

/** The SQL that reads a field, if it is not simply its column. */
const readAs = z.registry<{ column: (field: string) => string }>();

export const uuid = () => z.uuid();
export const text = (example?: string) => (example === undefined ? z.string() : z.string().meta({ examples: [example] }));
export const integer = () => z.int();
export const number = () => z.number();
export const flag = () => z.boolean();
/** An object with any members, such as the public shape of another record. `T` is its type for TypeScript readers. */
export const anything = <T = unknown>(example: unknown = {}, values: Readonly<Record<string, unknown>> | true = true) =>
  z.unknown().meta({ type: 'object', additionalProperties: values, examples: [example] }) as z.ZodType<T>;
export const day = () => z.iso.date();
export const oneOf = <const V extends readonly [string, ...string[]]>(values: V) => z.enum(values);
export const currency = () => oneOf(CURRENCIES);
const decimal = (pattern: RegExp, example: string, column: (field: string) => string) =>
  z
    .string()
    .regex(pattern)
    .meta({ examples: [example] })
    .register(readAs, { column });
/** A decimal string with two digits; stored as bigint minor units in `<field>_minor`. */
export const money = (example = '941.66') => decimal(/^-?\d{1,12}\.\d{2}$/, example, (field) => `money_text(${field}_minor)`);
/** Like money, stored in hundredths. */
export const percent = () => money('40.77');
/** A rate of exchange with six digits, stored as numeric. */
export const rate = () => decimal(/^\d{1,12}\.\d{6}$/, '64.500000', (field) => `${field}::text`);
/** Stored as the text of its JSON. */
export const jsonText = <S extends z.ZodType>(schema: S): S => {
  readAs.add(schema as z.ZodType, { column: (field) => `"${field}"::json` });
  return schema;
};
/** UTC with milliseconds and Z. */
export const timestamp = () => z.iso.datetime().register(readAs, { column: (field) => `utc_text(${field})` });
export const nullable = <S extends z.ZodType>(schema: S) => z.nullable(schema);
/** May be absent. */
export const optional = <S extends z.ZodType>(schema: S) => z.optional(schema);
/** Adds members to the JSON Schema of a field. */
export const described = <S extends Schema>(schema: S, meta: Readonly<Record<string, unknown>>): S => schema.meta(meta);
export const object = <const F extends z.ZodRawShape>(fields: F) => z.strictObject(fields);
/** One of several shapes, distinguished by a field that has a different fixed value in each. */
export const either = <const S extends readonly z.ZodType[]>(...shapes: S) => z.union(shapes);
export const only = <const V extends string | true>(value: V) => z.literal(value);
/** A value in a history. */
export const plainValue = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const arrayOf = <S extends z.ZodType>(schema: S) => z.array(schema);
export const withoutNull = (schema: Schema): Schema => (schema instanceof z.ZodNullable ? (schema.unwrap() as Schema) : schema);
export const elementOf = (schema: Schema): Schema | null => (schema instanceof z.ZodArray ? (schema.element as Schema) : null);

/** The public columns of a shape, in its order: the response filter of rows whose JSON the database generates. */
const columnLists = new WeakMap<Shape, Sql>();

export function columnsOf(shape: Shape): Sql {
  let known = columnLists.get(shape);
  if (known === undefined) {
    known = writeColumns(shape);
    columnLists.set(shape, known);
  }
  return known;
}

function writeColumns(shape: Shape): Sql {
  const columns = Object.entries(shape.shape).map(([field, type]) => {
    const inner = type instanceof z.ZodNullable ? (type.unwrap() as z.ZodType) : (type as z.ZodType);
    const read = readAs.get(inner)?.column(field);
    return read === undefined ? `"${field}"` : `${read} as "${field}"`;
  });
  return rawSql(columns.join(', '));
}

export const jsonSchemaOf = (schema: Schema): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output' });
  return rest;
};
