// Small pieces the reference's pages are made of: icons, badges, code, text with code in it, links between pages.
import type { Method, Risk } from '../../../kit/endpoint.ts';
import type { Locale, Text } from '../../../kit/errors.ts';
import { Html, type HtmlValue, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { RISKS, STATUSES } from './docs-words.ts';

/** Every icon once, drawn on 16 × 16; used by name. */
export const SPRITE = new Html(`<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">
<symbol id="i-eye" viewBox="0 0 16 16"><path d="M1.3 8S3.7 3.5 8 3.5 14.7 8 14.7 8 12.3 12.5 8 12.5 1.3 8 1.3 8Z"/><circle cx="8" cy="8" r="2"/></symbol>
<symbol id="i-pencil" viewBox="0 0 16 16"><path d="m2.5 13.5.8-3.2 7.6-7.6a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2l-7.6 7.6-3.2.8ZM9.6 4l2.4 2.4"/></symbol>
<symbol id="i-trash" viewBox="0 0 16 16"><path d="M2.5 4.5h11M6 4.5V2.7h4v1.8M3.9 4.5l.6 8.8h7l.6-8.8M6.7 7.2v3.6M9.3 7.2v3.6"/></symbol>
<symbol id="i-shield" viewBox="0 0 16 16"><path d="M8 1.7 3 3.6v4c0 3.2 2.2 5.6 5 6.7 2.8-1.1 5-3.5 5-6.7v-4L8 1.7ZM8 5.3v3.2M8 10.8v.1"/></symbol>
<symbol id="i-check" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2"/><path d="m5.4 8.2 1.8 1.8 3.4-3.8"/></symbol>
<symbol id="i-clock" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2"/><path d="M8 4.6V8l2.2 1.4"/></symbol>
</svg>`);

const icon = (name: string): Html =>
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

/** Of Markdown: `code`, **strong** and [links](/docs#files), which keep the language within the reference. */
export function prose(text: string, locale: Locale): Html {
  const parts = text.split(/(`[^`]*`|\*\*[^*]*\*\*|\[[^\][]*\]\([^()]*\))/);
  return html`${parts.map((part) => {
    if (part.startsWith('`')) return html`<code class="term">${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    const middle = part.startsWith('[') ? part.indexOf('](') : -1;
    if (middle < 0) return part;
    return html`<a href="${localised(part.slice(middle + 2, -1), locale)}">${part.slice(1, middle)}</a>`;
  })}`;
}

/** Pages keep the language in their address, so that a link that is passed on shows the same. */
export function localised(address: string, locale: Locale): string {
  if (!address.startsWith('/docs')) return address;
  const [path, anchor] = address.split('#') as [string, string?];
  return `${path}?lang=${locale}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Highlights the parameters of a path, which may break after a slash. */
export const pathCode = (path: string): Html =>
  html`<code class="path">${path.split(/(\{\w+\}|\/)/).map((part) => {
    if (part === '/') return html`/<wbr>`;
    return part.startsWith('{') ? html`<span class="param">${part}</span>` : part;
  })}</code>`;

/** `languages`: shown while one of these is chosen; always without. */
export function codeBlock(label: string, content: Html | string, languages: readonly string[] = []): Html {
  const shownIn = languages.map((id) => ` in-${id}`).join('');
  const code = typeof content === 'string' ? highlighted(content) : content;
  return html`<figure class="code${languages.length > 0 && ' lang'}${shownIn}"><figcaption>${label}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

export const jsonBlock = (label: string, value: unknown): Html => codeBlock(label, highlighted(JSON.stringify(value, null, 2)));

/** Highlights strings, and in JSON the other values too, but not the names of members. */
export function highlighted(code: string): Html {
  const parts: Html[] = [];
  let from = 0;
  const isJson = /^[[{]/.test(code);
  for (const match of code.matchAll(/("(?:[^"\\\n]|\\.?)*(?:"|$))(:)?|\b(?:true|false|null|-?\d+(?:\.\d+)?)\b/gm)) {
    if (match[2] !== undefined || (match[1] === undefined && !isJson)) continue;
    parts.push(html`${code.slice(from, match.index)}<b class="${match[1] === undefined ? 'v' : 's'}">${match[0]}</b>`);
    from = match.index + match[0].length;
  }
  return html`${parts}${code.slice(from)}`;
}

/** Long names may break between their parts, not within a word. */
export const breakable = (name: string): Html =>
  html`${name.split(/(?<=[._\]])/).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;

export interface GuideSection {
  readonly id: string;
  readonly title: Text;
  /** Paragraphs; an array is a list of items. */
  readonly text: readonly (Text | readonly Text[])[];
  readonly more?: (view: DocsView) => HtmlValue;
  /** What `more` shows, for readers of Markdown. */
  readonly moreMarkdown?: (view: DocsView) => string;
}
