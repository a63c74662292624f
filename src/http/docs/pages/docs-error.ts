// The page of one error code, to which `doc_url` leads: what it means, what to do, an example, the endpoints that return it.
import { referenceOf } from '../../../domain/catalog/catalog.ts';
import { ERRORS, type ErrorCode, type Locale } from '../../../kit/errors.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { actOn } from '../guide/guide-rules.ts';
import { refusalsOf } from '../openapi/endpoint-refusals.ts';
import { refusalExample } from '../openapi/refusal-examples.ts';
import { breakable, jsonBlock, localised, prose, statusChip } from '../parts/docs-parts.ts';
import { LANGUAGE_NAMES, WORDS } from '../parts/docs-words.ts';
import { adviceOn } from './error-advice.ts';

const PREFIX = '/errors/';

/** The code of the path `/errors/not_found`; null for any other path. */
export function errorOfPath(path: string): ErrorCode | null {
  const code = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
  return Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : null;
}

export const errorPaths = (): string[] => Object.keys(ERRORS).map((code) => PREFIX + code);

export function errorContent(code: ErrorCode, view: DocsView): Html {
  const { locale } = view;
  const { status } = ERRORS[code];
  const other: Locale = locale === 'en' ? 'tr' : 'en';
  const [advice, act] = [adviceOn(code), actOn(status)];
  return html`<div class="opening"><h1><code>${breakable(code)}</code></h1>
<p class="lead">${statusChip(status)} ${ERRORS[code][locale]}</p>
<p lang="${other}"><span class="quiet">${LANGUAGE_NAMES[other]}:</span> ${ERRORS[code][other]}</p></div>
<section class="guide" id="what-to-do" aria-labelledby="what-to-do-title"><div class="about"><h2 id="what-to-do-title"><a href="#what-to-do">${WORDS.whatToDo[locale]}</a></h2>
${advice && html`<p>${prose(advice[locale], locale)}</p>`}${act && html`<p>${prose(act[locale], locale)}</p>`}
<p>${prose(WORDS.askForHelp[locale], locale)}</p></div>
<div class="codes">${jsonBlock(`${WORDS.reply[locale]} ${status}`, refusalExample(code))}</div></section>
${returnedBy(code, view)}
<p><a href="${localised('/docs/errors', locale)}">${WORDS.errors[locale]}</a></p>`;
}

function returnedBy(code: ErrorCode, view: DocsView): Html | false {
  const { endpoints, locale, isLive } = view;
  const from = endpoints.filter((endpoint) =>
    [...refusalsOf(endpoint, endpoints, { live: isLive(endpoint.id), shut: false }).values()].flat().includes(code),
  );
  if (from.length === 0) return false;
  const list = html`<ul>${from.map((endpoint) => html`<li><a href="${localised(referenceOf(endpoint), locale)}">${endpoint.name[locale]}</a> <code>${endpoint.id}</code></li>`)}</ul>`;
  return html`<section class="guide" id="returned-by" aria-labelledby="returned-by-title"><div class="about"><h2 id="returned-by-title"><a href="#returned-by">${WORDS.returnedBy[locale]}</a></h2>
<details class="fold"${from.length <= MAX_OPEN && html` open`}><summary>${WORDS.endpoints[locale]} <span class="count">${from.length}</span></summary>${list}</details></div></section>`;
}

/** Longer lists are folded. */
const MAX_OPEN = 20;
