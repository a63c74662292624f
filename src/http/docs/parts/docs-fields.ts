// Tables of what an endpoint takes and answers: names, types, lengths, defaults, sets of values.
import { type FieldLine, type JsonSchema, kindsOf } from '../../../domain/catalog/json-schema.ts';
import type { Locale } from '../../../kit/errors.ts';
import type { Param } from '../../../kit/params.ts';
import { type Html, type HtmlValue, html } from '../../wire/html.ts';
import { queryWords } from '../openapi/param-words.ts';
import { breakable, prose } from './docs-parts.ts';
import { or, TYPES, WORDS } from './docs-words.ts';

/** Gives each name of an endpoint an anchor once, so that search can lead to it: what is taken comes before what is answered. */
export type Anchors = (name: string) => Html | null;

export function anchorsOf(endpointAnchor: string): Anchors {
  const shown = new Set<string>();
  return (name) => {
    if (shown.has(name)) return null;
    shown.add(name);
    return html` id="${endpointAnchor}.${name}"`;
  };
}

export function fieldTable(caption: string, lines: readonly Html[], locale: Locale): Html | null {
  if (lines.length === 0) return null;
  return html`<table class="fields"><caption>${caption}</caption><thead><tr><th scope="col">${WORDS.name[locale]}</th><th scope="col">${WORDS.holds[locale]}</th></tr></thead><tbody>${lines}</tbody></table>`;
}

interface Line {
  readonly name: string;
  readonly anchor: Html | null;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** In place of the type, where words say it better. */
  readonly type?: string;
  readonly preset?: HtmlValue;
  readonly words?: HtmlValue;
}

export const pathLine = (name: string, words: string, anchors: Anchors, locale: Locale): Html => {
  const schema = name.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' };
  return line({ name, anchor: anchors(name), required: true, schema, words: prose(words, locale) }, locale);
};

export function paramLine(name: string, param: Param<unknown>, anchors: Anchors, locale: Locale): Html {
  const { allowed, schema, fallback, required = false } = param;
  const words = queryWords(name)?.[locale];
  return line(
    {
      name,
      anchor: anchors(name),
      required,
      schema,
      // Shows the error message of a pattern instead of the pattern, which is hard to read.
      ...(schema.pattern === undefined ? {} : { type: allowed[locale] }),
      preset: fallback === undefined ? null : html`<code class="value">${String(fallback)}</code>`,
      words: words && prose(words, locale),
    },
    locale,
  );
}

export function fieldLine(
  { path, schema, required }: FieldLine,
  anchors: Anchors,
  locale: Locale,
  shown: 'taken' | 'answered',
): Html {
  const text = (locale === 'tr' ? schema['x-description-tr'] : undefined) ?? schema.description;
  const words = typeof text === 'string' ? prose(text, locale) : null;
  const preset = schema.default === undefined ? null : html`<code class="value">${JSON.stringify(schema.default)}</code>`;
  return line({ name: path, anchor: anchors(path), required: shown === 'taken' && required, schema, preset, words }, locale);
}

function line({ name, anchor, required, schema, type, preset, words }: Line, locale: Locale): Html {
  const at = name.lastIndexOf('.') + 1;
  const shown = html`${at > 0 && html`<span class="within">${breakable(name.slice(0, at))}</span><wbr>`}${breakable(name.slice(at))}`;
  const values = ((schema.enum ?? []) as readonly unknown[]).filter((value) => value !== null).map(String);
  const facts = [
    type ?? [typeText(schema, locale), boundsOf(schema, locale)].filter(Boolean).join(', '),
    preset && html`${WORDS.preset[locale]} ${preset}`,
  ].filter(Boolean);
  return html`<tr${anchor}><th scope="row"><code>${shown}</code>${required && html` <span class="must">${WORDS.required[locale]}</span>`}</th><td>${facts.map((part, index) => html`${index > 0 && ' · '}${part}`)}${values.length > 0 && html` ${valueList(values, locale)}`}${words && html`<div class="words">${words}</div>`}</td></tr>`;
}

/** A long set of values is collapsed, so that the table stays readable. */
function valueList(values: readonly string[], locale: Locale): Html {
  const chips = html`<span>${values.map((value) => html`<code class="value">${value}</code> `)}</span>`;
  return values.length <= 10
    ? chips
    : html`<details class="more"><summary>${values.length} ${WORDS.values[locale]}</summary>${chips}</details>`;
}

export function typeText(schema: JsonSchema, locale: Locale): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const words = kindsOf(schema).map((kind) => (TYPES[kind] ?? TYPES.any!)[locale]);
  return words.length === 0 ? TYPES.any![locale] : words.join(` ${or[locale]} `);
}

/** Lengths and ranges, in words. */
function boundsOf(schema: JsonSchema, locale: Locale): string {
  const number = (value: unknown) => (Number(value) > 9999 ? Number(value).toLocaleString(locale) : String(value));
  const range = (low: unknown, high: unknown): string | null => {
    if (low === undefined && high === undefined) return null;
    if (high === undefined) return `≥ ${number(low)}`;
    return low === undefined ? `≤ ${number(high)}` : low === high ? number(low) : `${number(low)}–${number(high)}`;
  };
  const items = range(schema.minItems, schema.maxItems);
  const length = range(schema.minLength, schema.maxLength);
  const size = range(schema.minimum, schema.maximum);
  return [items && `${items} ${WORDS.items[locale]}`, length && `${length} ${WORDS.characters[locale]}`, size]
    .filter(Boolean)
    .join(', ');
}
