// Endpoints and fields that will be removed: how a field is declared, what every reply says (RFC 9745, RFC 8594), and what a
// declaration must promise.
import type { Body, Deprecation } from '../../kit/endpoint.ts';
import type { Text } from '../../kit/errors.ts';
import { described, type Schema } from '../../kit/schema.ts';
import { referenceOf } from './catalog.ts';
import { answerOf, bodySchemaOf, fieldsOf, formSchemaOf, type JsonSchema, type WireSchema } from './json-schema.ts';

interface Described {
  readonly id: string;
  readonly path: string;
  readonly category: string;
}

/** It works for at least this long after replies first say that it is deprecated. */
const NOTICE_MONTHS = 12;

/** What is wrong with a declaration; null if nothing is. */
export function deprecationFault(what: string, deprecation: Deprecation, isKnown: (name: string) => boolean): string | null {
  const { since, sunset, successor } = deprecation;
  const earliest = new Date(`${since}T00:00:00Z`);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS);
  if (sunset < earliest.toISOString().slice(0, 10))
    return `${what}: ${sunset} is less than ${NOTICE_MONTHS} months after ${since}`;
  return successor === undefined || isKnown(successor) ? null : `${what}: its successor ${successor} is not in the catalog`;
}

/** For descriptions, the reference and agents. */
export function deprecationWords({ since, sunset, successor }: Deprecation): Text {
  const [en, tr] = successor === undefined ? ['', ''] : [` Use \`${successor}\` instead.`, ` Yerine \`${successor}\` kullanın.`];
  return {
    en: `Deprecated since ${since}; it works at least until ${sunset}.${en}`,
    tr: `${since} tarihinden beri kullanımdan kaldırılıyor; en az ${sunset} tarihine kadar çalışır.${tr}`,
  };
}

/** Of an operation or a field in OpenAPI. */
export const deprecationMarks = ({ since, sunset, successor }: Deprecation): JsonSchema => ({
  deprecated: true,
  'x-deprecated-since': since,
  'x-sunset': sunset,
  ...(successor === undefined ? {} : { 'x-successor': successor }),
});

/** What a schema has of its field, not of its type. */
const OF_FIELD: readonly string[] = [
  'description',
  'x-description-tr',
  'deprecated',
  'x-deprecated-since',
  'x-sunset',
  'x-successor',
];

/** A field of a record that will be removed; `successor` is the field to use instead. In a body it is `deprecatedField`. */
export const deprecated = <S extends Schema>(schema: S, deprecation: Deprecation): S =>
  described(schema, deprecatedSchema({}, deprecation));

/** The JSON Schema of a deprecated field, from which replies, OpenAPI, the reference and the panel take the deprecation. */
export function deprecatedSchema(schema: JsonSchema, deprecation: Deprecation): JsonSchema {
  const fault = deprecationFault('a field', deprecation, () => true);
  if (fault !== null) throw new Error(fault);
  const { en, tr } = deprecationWords(deprecation);
  return { ...schema, description: en, 'x-description-tr': tr, ...deprecationMarks(deprecation) };
}

/** A deprecated field's schema in two: the marks of the field, and its type. Null if it is not deprecated. */
export function partsOfDeprecated(schema: JsonSchema): { readonly marks: JsonSchema; readonly type: JsonSchema } | null {
  if (schema.deprecated !== true) return null;
  const pick = (ofField: boolean) =>
    Object.fromEntries(Object.entries(schema).filter(([name]) => OF_FIELD.includes(name) === ofField));
  return { marks: pick(true), type: pick(false) };
}

export interface DeprecatedField extends Deprecation {
  /** `price`, `config.url`, `items[].price` */
  readonly path: string;
}

interface DeprecatedFields {
  /** Of the body of a request. */
  readonly taken: readonly DeprecatedField[];
  /** Of the records of a reply. */
  readonly answered: readonly DeprecatedField[];
}

const known = new WeakMap<Body, DeprecatedFields>();

export function deprecatedFieldsOf(body: Body): DeprecatedFields {
  const kept = known.get(body);
  if (kept !== undefined) return kept;
  const { bodySchema, upload } = body;
  const json = bodySchema === undefined ? [] : deprecatedIn(bodySchemaOf(bodySchema));
  const form = upload === undefined ? [] : deprecatedIn(formSchemaOf(upload));
  const made = { taken: eachOnce([...json, ...form]), answered: deprecatedIn(answerOf(body).wire) };
  known.set(body, made);
  return made;
}

const deprecatedIn = (wire: WireSchema): DeprecatedField[] =>
  fieldsOf(wire)
    .filter(({ schema }) => schema.deprecated === true)
    .map(({ path, schema }) => ({
      path,
      since: String(schema['x-deprecated-since']),
      sunset: String(schema['x-sunset']),
      ...(schema['x-successor'] === undefined ? {} : { successor: String(schema['x-successor']) }),
    }));

/** A field that is both taken and answered counts once. */
export const eachOnce = (fields: readonly DeprecatedField[]): DeprecatedField[] => [
  ...new Map(fields.map((field) => [field.path, field])).values(),
];

/** Those of the fields that a request's body has. */
export const sentFields = (fields: readonly DeprecatedField[], body: unknown): readonly DeprecatedField[] =>
  fields.filter(({ path }) => hasField(body, path.replaceAll('[]', '').split('.')));

function hasField(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((one) => hasField(one, [name, ...rest]));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return hasField((value as Readonly<Record<string, unknown>>)[name], rest);
}

/**
 * Name, value, name, value …, of the endpoint or else of the fields that a call used: the first of their days, and the page of
 * each. The address of a successor with ids is a URI template, so only its page is linked.
 */
export function deprecationHeaders(
  endpoint: Described,
  deprecation: Deprecation | undefined,
  fields: readonly DeprecatedField[],
  base: string,
): string[] {
  const found: readonly Deprecation[] = deprecation === undefined ? fields : [deprecation];
  if (found.length === 0) return [];
  const page = base + referenceOf(endpoint);
  const pages = deprecation === undefined ? fields.map(({ path }) => encodeURI(`${page}.${path}`)) : [page];
  const links = pages.map((address) => `<${address}>; rel="deprecation"`);
  const path = deprecation?.successor?.split(' ')[1];
  if (path !== undefined && !path.includes('{')) links.push(`<${base}/api/v1/${path}>; rel="successor-version"`);
  const first = (days: readonly string[]): Date => new Date(`${days.toSorted()[0]}T00:00:00Z`);
  const since = first(found.map((one) => one.since)).getTime() / 1000;
  const sunset = first(found.map((one) => one.sunset)).toUTCString();
  return ['Deprecation', `@${since}`, 'Sunset', sunset, 'Link', links.join(', ')];
}
