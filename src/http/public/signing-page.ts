// The page on which a recipient approves a document, as HTML: it works without JavaScript and has none, and fits a phone.

import { CONSENT } from '../../domain/documents/signing/signed-copy.ts';
import type { Signing } from '../../domain/documents/signing/signing.ts';
import { maskEmail } from '../../domain/privacy/mask.ts';
import type { Locale } from '../../kit/errors.ts';
import { type Html, html } from '../wire/html.ts';
import { framedPage, notice } from '../wire/page-frame.ts';
import { SIGNING_WORDS, type SigningWords } from './signing-texts.ts';

export interface SigningFrame {
  readonly locale: Locale;
  /** `/sign/<token>`, null where there is none to go back to. */
  readonly path: string | null;
}

export type SigningNote = 'wrong' | 'noCode' | 'tooManyCodes' | 'mustAgree' | 'mustBeSure' | 'tooFast';

function page({ locale, path }: SigningFrame, content: Html): string {
  const { title } = SIGNING_WORDS[locale];
  const otherHref = path && `${path}?lang=${locale === 'tr' ? 'en' : 'tr'}`;
  return framedPage({ locale, title, content: html`<h1>${title}</h1>${content}`, otherHref });
}

/** For an unknown link, and for a request that cannot be answered at the moment. */
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
  return page(
    frame,
    html`<p class="lead">${t.lead(signing.dealer, signing.title)}</p>${signing.isSandbox && notice(t.sandbox)}${note && notice(t[note])}${content}`,
  );
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
