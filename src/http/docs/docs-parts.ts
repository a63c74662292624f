// Small pieces the reference page is made of: icons, badges, code, text with code in it.
import type { Method, Risk } from '../../kit/endpoint.ts';
import type { Locale, Text } from '../../kit/errors.ts';
import type { ApiRow } from '../api/api-rows.ts';
import { Html, type HtmlValue, html } from '../wire/html.ts';
import { RISKS, STATUSES } from './docs-words.ts';

/** Every icon once, drawn on 16 × 16; used by name. */
export const SPRITE = new Html(`<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">
<symbol id="i-eye" viewBox="0 0 16 16"><path d="M1.3 8S3.7 3.5 8 3.5 14.7 8 14.7 8 12.3 12.5 8 12.5 1.3 8 1.3 8Z"/><circle cx="8" cy="8" r="2"/></symbol>
<symbol id="i-pencil" viewBox="0 0 16 16"><path d="m2.5 13.5.8-3.2 7.6-7.6a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2l-7.6 7.6-3.2.8ZM9.6 4l2.4 2.4"/></symbol>
<symbol id="i-trash" viewBox="0 0 16 16"><path d="M2.5 4.5h11M6 4.5V2.7h4v1.8M3.9 4.5l.6 8.8h7l.6-8.8M6.7 7.2v3.6M9.3 7.2v3.6"/></symbol>
<symbol id="i-shield" viewBox="0 0 16 16"><path d="M8 1.7 3 3.6v4c0 3.2 2.2 5.6 5 6.7 2.8-1.1 5-3.5 5-6.7v-4L8 1.7ZM8 5.3v3.2M8 10.8v.1"/></symbol>
<symbol id="i-check" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2"/><path d="m5.4 8.2 1.8 1.8 3.4-3.8"/></symbol>
<symbol id="i-clock" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2"/><path d="M8 4.6V8l2.2 1.4"/></symbol>
<symbol id="i-chevron" viewBox="0 0 16 16"><path d="m6 4 4 4-4 4"/></symbol>
</svg>`);

export const icon = (name: string): Html =>
  html`<svg class="icon" width="14" height="14" aria-hidden="true" focusable="false"><use href="#i-${name}"/></svg>`;

export const riskBadge = (risk: Risk, locale: Locale): Html =>
  html`<span class="badge risk-${risk}">${icon(RISKS[risk].icon)}${RISKS[risk].name[locale]}</span>`;

export function statusBadge(live: boolean, locale: Locale): Html {
  const status = live ? STATUSES.live : STATUSES.soon;
  return html`<span class="badge ${live ? 'is-live' : 'is-soon'}">${icon(status.icon)}${status.name[locale]}</span>`;
}

export const methodChip = (method: Method): Html => html`<span class="method method-${method.toLowerCase()}">${method}</span>`;

/** 2xx, 4xx and 5xx by colour, and always with the number. */
export const statusChip = (status: number): Html => html`<span class="http http-${Math.floor(status / 100)}">${status}</span>`;

/** Text between backticks becomes code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code class="term">${part}</code>`))}`;

/** Highlights the parameters of a path, which may break after a slash. */
export const pathCode = (path: string): Html =>
  html`<code class="path">${path.split(/(\{\w+\}|\/)/).map((part) => {
    if (part === '/') return html`/<wbr>`;
    return part.startsWith('{') ? html`<span class="param">${part}</span>` : part;
  })}</code>`;

export const codeBlock = (label: Text, content: Html | string, locale: Locale): Html =>
  html`<figure class="code"><figcaption>${label[locale]}</figcaption><pre><code>${content}</code></pre></figure>`;

/** Long names may break between their parts, not within a word. */
export const breakable = (name: string): Html =>
  html`${name.split(/(?<=[._\]])/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;

export interface GuideSection {
  readonly id: string;
  readonly title: Text;
  /** Paragraphs; an array is a list of items. */
  readonly text: readonly (Text | readonly Text[])[];
  readonly more?: (view: GuideView) => HtmlValue;
}

export interface GuideView {
  readonly rows: readonly ApiRow[];
  readonly api: string;
  readonly locale: Locale;
}
