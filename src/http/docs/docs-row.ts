// One endpoint on the reference page: a summary line, and below it the request and the reply.
import { slugOf } from '../../domain/catalog/catalog.ts';
import {
  answerOf,
  bodySchemaOf,
  type FieldLine,
  fieldsOf,
  formSchemaOf,
  type JsonSchema,
  kindsOf,
} from '../../domain/catalog/json-schema.ts';
import type { Locale } from '../../kit/errors.ts';
import type { Param } from '../../kit/params.ts';
import type { ApiRow } from '../api/api-rows.ts';
import { type Html, type HtmlValue, html } from '../wire/html.ts';
import { breakable, codeBlock, icon, methodChip, pathCode, prose, riskBadge, statusBadge } from './docs-parts.ts';
import { curl, sampleReply } from './docs-samples.ts';
import { or, TYPES, WORDS } from './docs-words.ts';

export interface RowView {
  readonly api: string;
  readonly locale: Locale;
  readonly live: boolean;
  /** Answers 405 for now, because only GET is live on its path. */
  readonly shut: boolean;
  readonly open: boolean;
}

export const rowAnchor = (row: ApiRow): string => slugOf(row.id);

export function rowDetails(row: ApiRow, view: RowView): Html {
  const { locale } = view;
  return html`<details class="row${view.live ? '' : ' soon'}" id="${rowAnchor(row)}"${view.open ? html` open` : ''}>
<summary>${methodChip(row.method)}<h3>${pathCode(row.path)} <span class="name">${row.name[locale]}</span></h3>
<span class="marks"><code class="scope">${row.scope}</code>${riskBadge(row.risk, locale)}${statusBadge(view.live, locale)}</span>${icon('chevron')}</summary>
<div class="row-body">${request(row, view)}${reply(row, locale)}</div>
</details>`;
}

/** Parameters and body, beside a sample request. */
function request(row: ApiRow, { api, locale, live, shut }: RowView): Html {
  const soon = live ? null : html`<p class="note">${prose((shut ? WORDS.soonShut : WORDS.soon)[locale])}</p>`;
  const facts = html`<p class="facts"><span class="fact">${WORDS.scope[locale]} <code>${row.scope}</code></span> <a href="#${rowAnchor(row)}">${WORDS.link[locale]}</a></p>`;
  return html`<div>${soon}${facts}${takenTables(row, locale)}</div>${codeBlock(WORDS.request, curl(row, api), locale)}`;
}

/** Fields of the reply, beside a sample; null for rows without a body. */
function reply(row: ApiRow, locale: Locale): Html | null {
  const { body } = row;
  const sample = sampleReply(row);
  if (body === null || sample === null) return null;
  const fields = fieldsOf(answerOf(body).wire);
  const lines = fields.map((field) => fieldLine(field, locale, false));
  return html`<div>${table(WORDS.replyFields[locale], WORDS.holds[locale], lines, locale)}</div>${codeBlock(WORDS.reply, sample, locale)}`;
}

function takenTables(row: ApiRow, locale: Locale): HtmlValue[] {
  const takes = WORDS.takes[locale];
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const schema = name!.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' };
    return line(name!, typeText(schema, locale), html`<span class="said">${WORDS.required[locale]}</span>`);
  });
  const inQuery = Object.entries(row.params).map(([name, param]) => paramLine(name, param, locale));
  const { takes: inJson, upload } = row.body ?? {};
  const inBody = inJson === undefined ? [] : fieldsOf(bodySchemaOf(inJson));
  const inForm = upload === undefined ? [] : fieldsOf(formSchemaOf(upload));
  const lines = (fields: readonly FieldLine[]) => fields.map((field) => fieldLine(field, locale, field.required));
  return [
    table(WORDS.pathParams[locale], takes, inPath, locale),
    table(WORDS.queryParams[locale], takes, inQuery, locale),
    table(WORDS.bodyFields[locale], takes, lines(inBody), locale),
    table((inJson === undefined ? WORDS.formParts : WORDS.orForm)[locale], takes, lines(inForm), locale),
  ];
}

function table(caption: string, second: string, lines: readonly Html[], locale: Locale): Html | null {
  if (lines.length === 0) return null;
  return html`<table class="fields"><caption>${caption}</caption><thead><tr><th scope="col">${WORDS.name[locale]}</th><th scope="col">${second}</th></tr></thead><tbody>${lines}</tbody></table>`;
}

function line(name: string, type: string, ...more: readonly HtmlValue[]): Html {
  const at = name.lastIndexOf('.') + 1;
  const shown = html`${at > 0 && html`<span class="within">${breakable(name.slice(0, at))}</span><wbr>`}${breakable(name.slice(at))}`;
  return html`<tr><th scope="row"><code>${shown}</code></th><td>${type}${more.map((part) => part && html` ${part}`)}</td></tr>`;
}

/** Shows the allowed values in words rather than the type, unless it is a fixed set of values. */
function paramLine(name: string, { allowed, schema, fallback, required }: Param<unknown>, locale: Locale): Html {
  const values = schema.enum as readonly string[] | undefined;
  const preset =
    fallback === undefined
      ? null
      : html`<span class="said">${WORDS.preset[locale]} <code class="value">${String(fallback)}</code></span>`;
  return line(
    name,
    values === undefined ? allowed[locale] : typeText(schema, locale),
    values && valueList(values, locale),
    preset,
    required && html`<span class="said">${WORDS.required[locale]}</span>`,
  );
}

function fieldLine({ path, schema, required }: FieldLine, locale: Locale, showRequired: boolean): Html {
  const values = (schema.enum as readonly unknown[] | undefined)?.filter((value) => value !== null).map(String);
  const note = typeof schema.description === 'string' ? html`<span class="said">${schema.description}</span>` : null;
  const must = showRequired && required ? html`<span class="said">${WORDS.required[locale]}</span>` : null;
  return line(path, typeText(schema, locale), must, values && valueList(values, locale), note);
}

/** A long set of values is collapsed, so that the table stays readable. */
function valueList(values: readonly string[], locale: Locale): Html {
  const chips = html`<span>${values.map((value) => html`<code class="value">${value}</code> `)}</span>`;
  return values.length <= 10
    ? chips
    : html`<details class="more"><summary>${values.length} ${WORDS.values[locale]}</summary>${chips}</details>`;
}

function typeText(schema: JsonSchema, locale: Locale): string {
  const words = kindsOf(schema).map((kind) => (TYPES[kind] ?? TYPES.any!)[locale]);
  return words.length === 0 ? TYPES.any![locale] : words.join(` ${or[locale]} `);
}
