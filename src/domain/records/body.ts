// The JSON bodies of writes, read by their fields: createBody for a new record, patchBody for an edit.
import type { BodyReader } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { type Field, type FieldContext, type FieldError, type Fields, missingFields, readFields, type Values } from './fields.ts';

/** Fields declared with required() are present, the others may be absent. */
export type CreateBody<F extends Fields> = Values<F> & {
  [K in keyof F as F[K] extends { required: true } ? K : never]: F[K] extends Field<infer T> ? T : never;
};

/** Reports all errors at once. A field that could not be read is not also reported as missing. */
export function readCreateBody<F extends Fields>(
  fields: F,
  input: Readonly<Record<string, unknown>>,
  context: FieldContext,
): CreateBody<F> {
  const { values, errors } = readFields(fields, input, context);
  const reported = new Set(errors.map(({ field }) => field));
  refuseAny([...errors, ...missingFields(fields, values).filter(({ field }) => !reported.has(field))]);
  return values as CreateBody<F>;
}

/** An empty edit is refused, because it is a mistake of the caller. */
export function readPatchBody<F extends Fields>(
  fields: F,
  input: Readonly<Record<string, unknown>>,
  context: FieldContext,
): Values<F> {
  const { values, errors } = readFields(fields, input, context);
  refuseAny(Object.keys(input).length === 0 ? [EMPTY] : errors);
  return values;
}

const EMPTY: FieldError = {
  field: '',
  code: 'required',
  message: { en: 'Give at least one field to change', tr: 'Değiştirilecek en az bir alan verin' },
};

function refuseAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) fail('validation_failed', { details: [...errors] });
}

export const createBody = <F extends Fields>(fields: F): BodyReader<CreateBody<F>> => ({
  read: (body, context) => readCreateBody(fields, body, context),
  fromText: textReader(fields),
  schema: schemaOf(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, schema: withDefaultValue(field) }])),
    Object.keys(fields).filter((name) => fields[name]!.required),
  ),
});

export const patchBody = <F extends Fields>(fields: F): BodyReader<Values<F>> => ({
  read: (body, context) => readPatchBody(fields, body, context),
  fromText: textReader(fields),
  schema: { ...schemaOf(fields, []), minProperties: 1 },
});

/** In the description, not as `default`: generators would make a field with a default required. */
function withDefaultValue({ schema, preset }: Field<unknown>): Field<unknown>['schema'] {
  if (preset === undefined) return schema;
  const [en, tr] = schema.deprecated === true ? [`${schema.description} `, `${schema['x-description-tr']} `] : ['', ''];
  return {
    ...schema,
    description: `${en}Default: ${preset.en}.`,
    'x-description-tr': `${tr}Varsayılan: ${preset.tr}.`,
  };
}

const textReader =
  (fields: Fields) =>
  (name: string, text: string): unknown =>
    Object.hasOwn(fields, name) ? fields[name]!.fromText(text) : text;

const schemaOf = (fields: Fields, required: readonly string[]): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});
