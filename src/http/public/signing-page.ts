// The page on which a recipient reads and approves a document, as HTML: it works without JavaScript and fits a phone. A script adds
// a field for a drawn signature.

import { readFileSync } from 'node:fs';
import { CONSENT } from '../../domain/documents/signing/signed-copy.ts';
import type { Signing } from '../../domain/documents/signing/signing.ts';
import { drawable } from '../../domain/formats/drawable-text.ts';
import { SIGNATURE_FIELD, type Signature } from '../../domain/papers/paper.ts';
import { maskEmail } from '../../domain/privacy/mask.ts';
import type { Locale } from '../../kit/errors.ts';
import { Html, html } from '../wire/html.ts';
import { notice } from '../wire/page-frame.ts';
import { publicPage } from './public-frame.ts';
import { SIGNING_WORDS, type SigningWords } from './signing-texts.ts';

export interface SigningFrame {
  readonly locale: Locale;
  /** `/sign/<token>`, null where there is none to go back to. */
  readonly path: string | null;
}

export type SigningNote = 'wrong' | 'noCode' | 'tooManyCodes' | 'mustAgree' | 'mustBeSure' | 'mustSign' | 'tooFast';

/** The script of the page, and the field for a drawn signature that it makes. */
export const SIGNATURE_PAD_PATH = '/sign/imza.js';
export const SIGNATURE_PAD: string = readFileSync(new URL('./signature-pad.js', import.meta.url), 'utf8');

function page({ locale, path }: SigningFrame, content: Html, signing: Signing | null): string {
  const { title } = SIGNING_WORDS[locale];
  const otherHref = path && `${path}?lang=${locale === 'tr' ? 'en' : 'tr'}`;
  const script = signing?.isOpen === true ? { script: SIGNATURE_PAD_PATH } : {};
  return publicPage({ locale, title, face: signing?.face ?? null, content, otherHref, ...script });
}

/** For an unknown link, and for a request that cannot be answered at the moment. */
export const plainSigningPage = (frame: SigningFrame, word: 'missing' | 'busy' | 'tooFast'): string =>
  page(frame, html`<h1>${SIGNING_WORDS[frame.locale].title}</h1>${notice(SIGNING_WORDS[frame.locale][word])}`, null);

export interface SigningView {
  readonly signing: Signing;
  readonly canMail: boolean;
  readonly note: SigningNote | null;
  /** The document, while the recipient can decide on it. */
  readonly shown: ShownDocument | null;
}

export interface ShownDocument {
  readonly day: string;
  readonly sum: string | null;
  /** SVG, one a page. */
  readonly pages: readonly string[];
}

export function signingPage(frame: SigningFrame, view: SigningView): string {
  const t = SIGNING_WORDS[frame.locale];
  const { signing, note, shown } = view;
  const end = endOf(t, frame, signing);
  const decide = end === null && (signing.isOpen ? decisionOf(t, frame, signing) : codeOf(t, frame, view));
  const document = end === null && shown !== null && documentOf(t, signing, shown);
  return page(
    frame,
    html`<h1>${signing.title}</h1><p class="lead">${t.lead(signing.dealer, signing.title)}</p>${signing.isSandbox && notice(t.sandbox)}${note && notice(t[note])}
${document}${end}<div id="onay">${decide}</div>`,
    signing,
  );
}

const documentOf = (
  t: SigningWords,
  { title }: Signing,
  { day, sum, pages }: ShownDocument,
): Html => html`<p class="hint">${t.document(day, sum)}</p>
<div class="pages" role="region" aria-label="${t.pages(title)}" tabindex="0">${pages.map((svg) => new Html(svg))}</div>
<p class="document"><a href="#onay">${t.toCode}</a></p>`;

/** Null while the recipient can still decide. */
function endOf(t: SigningWords, { path }: SigningFrame, signing: Signing): Html | null {
  const { status, decided, isOpen, isOver, isSuspended } = signing;
  if (status === 'Reddedildi') return notice(t.declined);
  if (status === 'Süresi Doldu' || (isOver && (status === 'Gönderildi' || status === 'Görüntülendi'))) return notice(t.expired);
  if (status !== 'Gönderildi' && status !== 'Görüntülendi' && status !== 'İmzalandı') return notice(t.over);
  if (decided !== 'İmzaladı') return status === 'İmzalandı' ? notice(t.over) : isSuspended ? notice(t.notNow) : null;
  const isWhole = status === 'İmzalandı';
  const link = isOpen && html`<p class="below"><a href="${path}/belge">${isWhole ? t.copy : t.open(signing.title)}</a></p>`;
  return html`${notice(t.signed, true)}<p>${isWhole ? t.completed : t.waiting}</p>${link}`;
}

function codeOf(t: SigningWords, { path, locale }: SigningFrame, { signing, canMail, note }: SigningView): Html {
  const isMailed = signing.channel === 'E-posta' && (canMail || signing.isSandbox) && signing.email !== null;
  const address = maskEmail(signing.email ?? '');
  const how = isMailed ? t.howMailed(address) : t.howShown(signing.dealer);
  const made = isMailed ? t.mailed(address) : t.made(signing.dealer);
  const enter = html`<form method="post" action="${path}/ac?lang=${locale}">
<label>${t.code}<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus></label>
<button type="submit">${t.enter}</button>
</form>`;
  return html`<p>${t.forWhom(signing.recipient)}</p>
${signing.hasCode && note === null ? notice(made, true) : html`<p class="hint">${how}</p>`}
${signing.hasCode && enter}
<form method="post" action="${path}/kod?lang=${locale}"><button type="submit"${signing.hasCode ? html` class="quiet"` : ''}>${signing.hasCode ? t.getAnother : t.getCode}</button></form>`;
}

function decisionOf(t: SigningWords, { path, locale }: SigningFrame, { title, sha256 }: Signing): Html {
  const form = (decision: string, box: Html, button: Html, above: Html | null = null) =>
    html`<form method="post" action="${path}/karar?lang=${locale}">
<input type="hidden" name="decision" value="${decision}">
${above}
<label class="tick"><input type="checkbox" name="sure" value="yes" required><span>${box}</span></label>
${button}
</form>`;
  const sign = html`<label>${t.typed}<input name="typed" autocomplete="name" maxlength="${MAX_TYPED}" required><span class="hint">${t.typedHint}</span></label>
<div class="signature" data-signature data-label="${t.drawn}" hidden><span class="hint">${t.drawn}</span><input type="hidden" name="drawn"><button type="button" class="quiet">${t.clear}</button></div>`;
  return html`<p class="below">${t.read} <a href="${path}/belge" target="_blank" rel="noopener">${t.open(title)}</a></p>
<details><summary>${t.hash}</summary><code>${sha256}</code></details>
<h2>${t.consentTitle}</h2>
${t.consentHint && html`<p class="hint">${t.consentHint}</p>`}
${form('sign', html`<span lang="tr">${CONSENT}</span>`, html`<button type="submit">${t.sign}</button>`, sign)}
<details><summary>${t.declineTitle}</summary>
${form('decline', html`${t.declineSure}`, html`<button type="submit" class="quiet">${t.decline}</button>`)}
</details>`;
}

/** Letters of a typed signature. */
const MAX_TYPED = 100;
const MAX_DRAWN = 14_000;
/** Lines over the field, as the page's script writes them. */
const DRAWN = /^(?:M\d{1,3} \d{1,3}(?:L\d{1,3} \d{1,3})+)+$/;

/** What the recipient typed or drew; a drawing counts if both are there. Null if neither is a signature. */
export function readSignature(form: URLSearchParams): Signature | null {
  const drawn = form.get('drawn') ?? '';
  if (drawn.length <= MAX_DRAWN && DRAWN.test(drawn) && isInField(drawn)) return { drawn };
  const typed = (form.get('typed') ?? '').replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();
  return typed.length <= MAX_TYPED && lettersOf(typed) >= 2 ? { typed } : null;
}

/** Only letters that can be printed make a signature. */
const lettersOf = (typed: string): number => drawable(typed).match(/\p{L}/gu)?.length ?? 0;

function isInField(drawn: string): boolean {
  const numbers = drawn.match(/\d+/g)!.map(Number);
  const { width, height } = SIGNATURE_FIELD;
  const isInside = numbers.every((number, index) => number <= (index % 2 === 0 ? width : height));
  // A tap is not a signature.
  return isInside && new Set(drawn.split(/[ML]/)).size > 4;
}
