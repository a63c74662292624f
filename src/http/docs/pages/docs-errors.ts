// Every error code: its status and what it says in both languages.
import { ERRORS, type ErrorCode, type Locale } from '../../../kit/errors.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { breakable, localised, prose, statusChip } from '../parts/docs-parts.ts';
import { LANGUAGE_NAMES, WORDS } from '../parts/docs-words.ts';

const CODES = (Object.keys(ERRORS) as ErrorCode[]).toSorted((one, other) => ERRORS[one].status - ERRORS[other].status);

const LEAD = {
  en: 'Decide by `error.code`; the message is for people. The list may grow: fall back to the status for a code you do not know. What to do about which: [errors in the guide](/docs#errors).',
  tr: 'Kararı `error.code` ile verin; mesaj insanlar içindir. Liste uzayabilir: tanımadığınız bir kodda HTTP durumuna göre davranın. Hangisinde ne yapılacağı: [rehberde hatalar](/docs#errors).',
};

/** On narrow screens the table is laid out as blocks, which removes table semantics in some browsers; the ARIA roles keep them. */
export function errorsContent({ locale }: DocsView): Html {
  const order: readonly Locale[] = locale === 'en' ? ['en', 'tr'] : ['tr', 'en'];
  const lines = CODES.map((code) => {
    const messages = order.map((each) => html`<td role="cell" lang="${each}">${ERRORS[code][each]}</td>`);
    return html`<tr role="row" id="error-${code}"><td role="cell">${statusChip(ERRORS[code].status)}</td><th role="rowheader" scope="row"><a href="${localised(`/docs/errors/${code}`, locale)}"><code>${breakable(code)}</code></a></th>${messages}</tr>`;
  });
  const heads = [
    html`HTTP`,
    html`${WORDS.code[locale]}`,
    ...order.map((each) => html`<span lang="${each}">${LANGUAGE_NAMES[each]}</span>`),
  ];
  return html`<div class="opening"><h1>${WORDS.errors[locale]}</h1><p class="lead">${prose(LEAD[locale], locale)}</p></div>
<table class="errors" role="table"><thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}</tr></thead><tbody role="rowgroup">${lines}</tbody></table>`;
}
