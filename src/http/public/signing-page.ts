// The page on which a recipient approves a document, as HTML: it works without JavaScript and has none, and fits a phone.

import { CONSENT } from '../../domain/documents/signing/signed-copy.ts';
import type { Signing } from '../../domain/documents/signing/signing.ts';
import { maskEmail } from '../../domain/privacy/mask.ts';
import type { Locale } from '../../kit/errors.ts';
import { type Html, html } from '../wire/html.ts';
import { PAGE_CSS_PATH } from '../wire/page-style.ts';
import { SIGNING_WORDS, type SigningWords } from './signing-texts.ts';

export interface SigningFrame {
  readonly locale: Locale;
  /** `/sign/<token>`, null where there is none to go back to. */
  readonly path: string | null;
}

export type SigningNote = 'wrong' | 'noCode' | 'tooManyCodes' | 'mustAgree' | 'mustBeSure' | 'tooFast';

function page({ locale, path }: SigningFrame, content: Html): string {
  const t = SIGNING_WORDS[locale];
  const other = locale === 'tr' ? 'en' : 'tr';
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${t.title} · Galeri</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PAGE_CSS_PATH}">
</head>
<body>
<main><div class="card"><h1>${t.title}</h1>${content}</div></main>
<footer>${path && html`<a href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${t.other}</a>`}</footer>
</body>
</html>
`.text;
}

const notice = (text: string, isGood = false): Html =>
  html`<p class="note${isGood ? ' ok' : ''}" role="${isGood ? 'status' : 'alert'}">${text}</p>`;

/** For what is no link, and for what cannot be answered just now. */
export const plainSigningPage = (frame: SigningFrame, word: 'missing' | 'busy' | 'tooFast'): string =>
  page(frame, notice(SIGNING_WORDS[frame.locale][word]));

export interface SigningView {
  readonly signing: Signing;
  readonly canMail: boolean;
  readonly note: SigningNote | null;
}

export function signingPage(frame: SigningFrame, view: SigningView): string {
  const t = SIGNING_WORDS[frame.locale];
  const { signing, note } = view;
  const content = endOf(t, frame, signing) ?? (signing.isOpen ? decisionOf(t, frame, signing) : codeOf(t, frame, view));
  return page(frame, html`<p class="lead">${t.lead(signing.dealer, signing.title)}</p>${note && notice(t[note])}${content}`);
}

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
  const isMailed = signing.channel === 'E-posta' && canMail && signing.email !== null;
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
  const form = (decision: string, box: Html, button: Html) =>
    html`<form method="post" action="${path}/karar?lang=${locale}">
<input type="hidden" name="decision" value="${decision}">
<label class="tick"><input type="checkbox" name="sure" value="yes" required><span>${box}</span></label>
${button}
</form>`;
  return html`<p>${t.read}</p>
<p class="document"><a href="${path}/belge" target="_blank" rel="noopener">${t.open(title)}</a></p>
<p class="hint">${t.hash}: <code>${sha256}</code></p>
<h2>${t.consentTitle}</h2>
${t.consentHint && html`<p class="hint">${t.consentHint}</p>`}
${form('sign', html`<span lang="tr">${CONSENT}</span>`, html`<button type="submit">${t.sign}</button>`)}
<details><summary>${t.declineTitle}</summary>
${form('decline', html`${t.declineSure}`, html`<button type="submit" class="quiet">${t.decline}</button>`)}
</details>`;
}
