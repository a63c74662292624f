// The panel's server-made pages as HTML: they work without JavaScript and have none.
import { readFileSync } from 'node:fs';
import type { DemoSignIn } from '../../demo/demo-people.ts';
import type { Locale } from '../../kit/errors.ts';
import { type Html, html } from '../wire/html.ts';
import { framedPage, notice } from '../wire/page-frame.ts';
import { PAGE_WORDS, type PageWords } from './page-texts.ts';

export const PAGE_CSS: string = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

const MARK = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M22.5 12.2A7.6 7.6 0 1 0 23.6 16H16.5" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>`;

export interface PageFrame {
  readonly locale: Locale;
  /** The same page in the other language. */
  readonly otherHref: string;
  /** The CSRF token for the page's forms. */
  readonly csrf: string;
}

export interface Note {
  readonly kind: 'error' | 'ok';
  readonly text: string;
}

const wordsOf = ({ locale }: PageFrame): PageWords => PAGE_WORDS[locale];

function page(frame: PageFrame, title: string, content: Html, below: Html | null = null): string {
  const { locale, otherHref } = frame;
  const above = html`<p class="mark">${MARK}<span>Galeri</span></p>`;
  const links = html`<a href="/docs?lang=${locale}">${wordsOf(frame).reference}</a>`;
  return framedPage({ locale, title, content, above, below, links, otherHref });
}

const noteOf = (note: Note | null): Html | null => note && notice(note.text, note.kind === 'ok');

const tokenField = ({ csrf }: PageFrame): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

export interface SignInPage {
  readonly action: string;
  readonly email: string;
  readonly next: string;
  readonly note: Note | null;
  readonly demo: readonly DemoSignIn[];
  /** Whether a link to reset the password can be mailed; otherwise the owner hands one over. */
  readonly canMail: boolean;
}

export function signInPage(frame: PageFrame, parts: SignInPage): string {
  const t = wordsOf(frame);
  const content = html`<h1>${t.signInTitle}</h1>
<p class="lead">${t.signInLead}</p>
${noteOf(parts.note)}
<form method="post" action="${parts.action}">
${tokenField(frame)}<input type="hidden" name="next" value="${parts.next}">
<label>${t.email}<input type="email" name="email" value="${parts.email}" autocomplete="username" required maxlength="254"${parts.email === '' ? html` autofocus` : ''}></label>
<label>${t.password}<input type="password" name="password" autocomplete="current-password" required maxlength="1000"${parts.email === '' ? '' : html` autofocus`}></label>
<button type="submit">${t.signIn}</button>
</form>
<p class="below">${parts.canMail ? html`<a href="/panel/parola-sifirla">${t.forgotLink}</a>` : t.forgot}</p>`;
  return page(frame, t.signInTitle, content, parts.demo.length === 0 ? null : demoPart(t, parts.demo));
}

function demoPart(t: PageWords, demo: readonly DemoSignIn[]): Html {
  const lines = demo.map(
    ({ email, account, role }) =>
      html`<div><dt>${account === null ? t.demoAdmin : role ? `${account}, ${t.demoRoles[role]}` : account}</dt><dd><code>${email}</code></dd></div>`,
  );
  return html`<section class="demo" aria-labelledby="demo"><h2 id="demo">${t.demoTitle}</h2><p>${t.demoLead}</p>
<dl><div><dt>${t.demoPassword}</dt><dd><code>${demo[0]!.password}</code></dd></div>${lines}</dl></section>`;
}

export function codePage(frame: PageFrame, parts: { action: string; next: string; note: Note | null }): string {
  const t = wordsOf(frame);
  return page(
    frame,
    t.codeTitle,
    html`<h1>${t.codeTitle}</h1>
<p class="lead">${t.codeLead}</p>
${noteOf(parts.note)}
<form method="post" action="${parts.action}">
${tokenField(frame)}<input type="hidden" name="next" value="${parts.next}">
<label>${t.code}<input name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="20" autofocus></label>
<button type="submit">${t.confirm}</button>
</form>
<p class="below"><a href="/panel/giris?yeniden=1">${t.startOver}</a></p>`,
  );
}

export function signOutPage(frame: PageFrame): string {
  const t = wordsOf(frame);
  return page(
    frame,
    t.signOutTitle,
    html`<h1>${t.signOutTitle}</h1>
<p class="lead">${t.signOutLead}</p>
<form method="post" action="/panel/cikis">${tokenField(frame)}<button type="submit">${t.signOut}</button></form>
<p class="below"><a href="/panel">${t.back}</a></p>`,
  );
}

const newPasswordField = (t: PageWords): Html =>
  html`<label>${t.newPassword}<input type="password" name="password" autocomplete="new-password" required minlength="12" maxlength="1000" aria-describedby="hint"><span class="hint" id="hint">${t.passwordHint}</span></label>`;

export function resetPage(frame: PageFrame, parts: { action: string; email: string; note: Note | null }): string {
  const t = wordsOf(frame);
  return page(
    frame,
    t.resetTitle,
    html`<h1>${t.resetTitle}</h1>
<p class="lead">${t.resetLead(parts.email)}</p>
${noteOf(parts.note)}
<form method="post" action="${parts.action}">
${tokenField(frame)}<input type="hidden" name="email" value="${parts.email}" autocomplete="username">
${newPasswordField(t)}
<button type="submit">${t.setPassword}</button>
</form>`,
  );
}

export function forgotPage(frame: PageFrame, parts: { action: string; note: Note | null }): string {
  const t = wordsOf(frame);
  return page(
    frame,
    t.forgotTitle,
    html`<h1>${t.forgotTitle}</h1>
<p class="lead">${t.forgotLead}</p>
${noteOf(parts.note)}
<form method="post" action="${parts.action}">
${tokenField(frame)}<label>${t.email}<input type="email" name="email" autocomplete="username" required maxlength="254"></label>
<button type="submit">${t.forgotSend}</button>
</form>
<p class="below"><a href="/panel/giris">${t.toSignIn}</a></p>`,
  );
}

export interface InvitationPage {
  readonly action: string;
  readonly account: string;
  readonly email: string;
  readonly role: keyof PageWords['roles'];
  readonly fullName: string;
  /** A signed-in person only confirms; others see the same form whether or not they have an account. */
  readonly signedIn: boolean;
  readonly note: Note | null;
}

export function invitationPage(frame: PageFrame, parts: InvitationPage): string {
  const t = wordsOf(frame);
  const title = t.inviteTitle(parts.account);
  const fields = html`<label>${t.fullName}<input name="full_name" value="${parts.fullName}" autocomplete="name" required maxlength="120"></label>
<label>${t.password}<input type="password" name="password" required minlength="12" maxlength="1000" aria-describedby="hint"><span class="hint" id="hint">${t.invitePassword}</span></label>`;
  return page(
    frame,
    title,
    html`<h1>${title}</h1>
<p class="lead">${t.inviteLead(parts.email, t.roles[parts.role])}</p>
${noteOf(parts.note)}
<form method="post" action="${parts.action}">
${tokenField(frame)}${parts.signedIn ? null : fields}
<button type="submit">${t.join}</button>
</form>`,
  );
}

export function linkOverPage(frame: PageFrame): string {
  const t = wordsOf(frame);
  return page(
    frame,
    t.linkOverTitle,
    html`<h1>${t.linkOverTitle}</h1><p class="lead">${t.linkOverLead}</p><p><a href="/panel/giris">${t.toSignIn}</a></p>`,
  );
}

export function notBuiltPage(frame: PageFrame): string {
  const t = wordsOf(frame);
  return page(
    frame,
    t.notBuiltTitle,
    html`<h1>${t.notBuiltTitle}</h1><p class="lead">${t.notBuiltLead}</p><p><code>npm run build</code></p>`,
  );
}

/** Shown by the service worker: the same for everyone, without links to what needs the network. */
export function offlinePage(locale: Locale): string {
  const t = PAGE_WORDS[locale];
  const above = html`<p class="mark">${MARK}<span>Galeri</span></p>`;
  const content = html`<h1>${t.offlineTitle}</h1><p class="lead">${t.offlineLead}</p><p><a href="/panel">${t.offlineRetry}</a></p>`;
  return framedPage({ locale, title: t.offlineTitle, content, above, otherHref: null });
}
