// Server-made pages before the panel itself: sign-in, second factor, sign-out, new password, invitation. Plain HTML forms.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { acceptInvitation, findInvitation, findReset, type Invitation, spendReset } from '../../domain/identity/invitations.ts';
import { hashPassword, passwordFault } from '../../domain/identity/people.ts';
import { requestReset } from '../../domain/identity/reset-requests.ts';
import { beginSession, endSession, enterAccount, findSession, type LiveSession } from '../../domain/identity/sessions.ts';
import { giveCode, signIn } from '../../domain/identity/sign-in.ts';
import { countTry, forgetTries } from '../../domain/identity/sign-in-tries.ts';
import { LINK_MAILS } from '../../domain/mail/mail-queue.ts';
import { requireStaffPlace } from '../../domain/membership/platform-limits.ts';
import { addressGroup } from '../../domain/net/address.ts';
import { fieldContext, Refused, textField } from '../../domain/records/fields.ts';
import { Failure, type Locale } from '../../kit/errors.ts';
import { isLocalRequest } from '../wire/local-request.ts';
import { isOwnPage } from '../wire/own-page.ts';
import { readBody } from '../wire/request-body.ts';
import type { PanelCall, PanelParts } from './call.ts';
import { deviceCookie, deviceOf } from './device-cookie.ts';
import {
  codePage,
  forgotPage,
  invitationPage,
  linkOverPage,
  type Note,
  type PageFrame,
  resetPage,
  signInPage,
  signOutPage,
} from './page-html.ts';
import { PAGE_WORDS } from './page-texts.ts';
import { csrfToken, formCookie, formValueOf, isCsrfToken, sessionCookie, sessionOf } from './session-cookie.ts';

export interface PageReply {
  readonly status: number;
  readonly html: string;
  readonly location?: string;
  readonly cookies: readonly string[];
}

const MAX_FORM_BYTES = 16 * 1024;
/** As everywhere in the panel: a name without characters that are not seen. */
const NAME = textField(120);

/** A request to one of these pages. */
interface Visit {
  readonly parts: PanelParts;
  readonly call: PanelCall;
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly locale: Locale;
  /** Null for a GET, and for a form with a wrong or old CSRF token. */
  readonly form: URLSearchParams | null;
  readonly session: LiveSession | null;
  /** The value to which this browser's forms are bound. */
  readonly bound: string;
  readonly frame: PageFrame;
  readonly cookies: string[];
}

type PageMaker = (visit: Visit, token: string) => Promise<PageReply>;

const PAGES: readonly (readonly [RegExp, PageMaker])[] = [
  [/^giris$/, signInStep],
  [/^giris\/kod$/, codeStep],
  [/^cikis$/, signOutStep],
  [/^parola-sifirla$/, forgotStep],
  [/^parola-sifirla\/([\w-]{43})$/, resetStep],
  [/^davet\/([\w-]{43})$/, invitationStep],
];

/** Null where the path is not one of these pages. */
export async function panelPage(parts: PanelParts, call: PanelCall, request: IncomingMessage): Promise<PageReply | null> {
  for (const [path, make] of PAGES) {
    const match = path.exec(call.path);
    if (match) return asStranger(parts, call, request, async () => make(await beginVisit(parts, call, request), match[1] ?? ''));
  }
  // A truncated link is answered like an expired one.
  if (!/^(davet|parola-sifirla)(\/|$)/.test(call.path)) return null;
  const { frame, cookies } = await asStranger(parts, call, request, () => beginVisit(parts, call, request));
  return { status: 404, html: linkOverPage(frame), cookies };
}

/** Forms count on their own budget, so that slow forms and password checks do not block other requests. */
const asStranger = <T>(
  { budgets }: PanelParts,
  { method, ip }: PanelCall,
  request: IncomingMessage,
  visit: () => Promise<T>,
): Promise<T> =>
  method === 'POST' ? budgets.forms.during(ip, request, visit) : budgets.strangers.during(addressGroup(ip), visit);

async function beginVisit(parts: PanelParts, call: PanelCall, request: IncomingMessage): Promise<Visit> {
  const query = new URLSearchParams(call.rawQuery);
  const lang = query.get('lang');
  const locale = lang === 'tr' || lang === 'en' ? lang : call.locale;
  const known = formValueOf(request);
  const bound = known ?? randomBytes(24).toString('base64url');
  const session = await sessionOf(parts, request, call, call.realNow);
  const other = new URLSearchParams(query);
  other.set('lang', locale === 'tr' ? 'en' : 'tr');
  const { panel } = parts.services.secrets;
  const frame = { locale, otherHref: `/panel/${call.path}?${other}`, csrf: csrfToken(panel, `form ${bound}`) };
  const form = call.method === 'POST' ? await readForm(parts, request, known, session) : null;
  return { parts, call, request, query, locale, form, session, bound, frame, cookies: known === null ? [formCookie(bound)] : [] };
}

async function readForm(
  parts: PanelParts,
  request: IncomingMessage,
  bound: string | null,
  session: LiveSession | null,
): Promise<URLSearchParams | null> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) return null;
  const form = new URLSearchParams((await readBody(request, MAX_FORM_BYTES, () => {})).toString('utf8'));
  if (!isOwnPage(request, parts.services.publicUrl())) return null;
  const token = form.get('csrf') ?? undefined;
  const { panel } = parts.services.secrets;
  // The panel signs out with its session's token instead of a form token.
  const ours =
    (bound !== null && isCsrfToken(panel, `form ${bound}`, token)) || (session !== null && isCsrfToken(panel, session.id, token));
  return ours ? form : null;
}

const shown = ({ cookies }: Visit, html: string, status = 200): PageReply => ({ status, html, cookies });
const sent = ({ cookies }: Visit, location: string, ...more: string[]): PageReply => ({
  status: 303,
  html: '',
  location,
  cookies: [...cookies, ...more],
});

/** Allows only paths of the panel, because an open redirect after sign-in would help phishing. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/panel(\/[\w.~%-]+)*\/?(\?[\w.~%=&+:,'-]*)?$/.test(next) && !/(^|\/)\.\.?(\/|$)/.test(next)
    ? next
    : '/panel';
}

const errorNote = (text: string): Note => ({ kind: 'error', text });

async function signInStep(visit: Visit): Promise<PageReply> {
  const { parts, call, query, form, locale, frame, session } = visit;
  const t = PAGE_WORDS[locale];
  const next = safeNext(form?.get('next') ?? query.get('next'));
  const { services } = parts;
  const demo = isLocalRequest(visit.request) ? await services.demoSignIns() : [];
  const show = (note: Note | null, status = 200, email = '') =>
    shown(visit, signInPage(frame, { action: actionOf(visit), email, next, note, demo, canMail: services.canMail }), status);
  if (call.method !== 'POST') {
    if (session !== null && !session.pending) return sent(visit, next);
    if (session?.pending && !query.has('yeniden')) return sent(visit, codePath(visit, next));
    if (query.has('cikis')) return show({ kind: 'ok', text: t.signedOut });
    if (query.has('bitti')) return show({ kind: 'ok', text: t.sessionOver });
    return show(query.has('parola') ? { kind: 'ok', text: t.passwordSet } : null);
  }
  if (form === null) return show(errorNote(t.foreign), 403);
  const email = form.get('email') ?? '';
  const device = deviceIn(visit, email);
  const credentials = {
    email,
    password: form.get('password') ?? '',
    device,
    local: isLocalRequest(visit.request),
    ...from(call),
  };
  const result = await signIn(parts.database, credentials, call.realNow);
  if (result.token === null)
    return result.wait === null ? show(errorNote(t.wrong), 422, email) : { ...show(errorNote(t.wait(result.wait)), 429, email) };
  await dropSession(visit);
  if (result.code) return sent(visit, codePath(visit, next), sessionCookie(result.token));
  return sent(visit, next, sessionCookie(result.token), knownDevice(visit, email));
}

const deviceIn = ({ parts, call, request }: Visit, email: string): string | null =>
  deviceOf(request, parts.services.secrets.panel, email.trim().slice(0, 254), call.realNow);
const knownDevice = ({ parts, call, request }: Visit, email: string): string =>
  deviceCookie(request, parts.services.secrets.panel, email.trim().slice(0, 254), call.realNow);

/** Signing in ends the previous session. */
async function dropSession({ parts, session }: Visit): Promise<void> {
  if (session !== null) await parts.database.onPlatform('write', (db) => endSession(db, session.id, session.person_id));
}

const actionOf = ({ call, query }: Visit): string =>
  `/panel/${call.path}${query.has('lang') ? `?lang=${encodeURIComponent(query.get('lang')!)}` : ''}`;

const codePath = ({ query }: Visit, next: string): string => {
  const more = new URLSearchParams({ next });
  if (query.has('lang')) more.set('lang', query.get('lang')!);
  return `/panel/giris/kod?${more}`;
};

async function codeStep(visit: Visit): Promise<PageReply> {
  const { parts, call, query, form, locale, frame, session } = visit;
  const t = PAGE_WORDS[locale];
  const next = safeNext(form?.get('next') ?? query.get('next'));
  if (session === null) return sent(visit, '/panel/giris');
  if (!session.pending) return sent(visit, next);
  const show = (note: Note | null, status = 200) =>
    shown(visit, codePage(frame, { action: actionOf(visit), next, note }), status);
  if (call.method !== 'POST') return show(null);
  if (form === null) return show(errorNote(t.foreign), 403);
  const { id: sessionId, person_id: personId, email } = session;
  const { ip, userAgent, id: requestId } = call;
  const code = form.get('code') ?? '';
  const attempt = { sessionId, personId, email, code, device: deviceIn(visit, email), ip, userAgent, requestId };
  const result = await giveCode(parts.database, parts.services.vault, attempt, call.realNow);
  if (result.token !== null) return sent(visit, next, sessionCookie(result.token), knownDevice(visit, email));
  return result.wait === null ? show(errorNote(t.wrongCode), 422) : show(errorNote(t.wait(result.wait)), 429);
}

async function signOutStep(visit: Visit): Promise<PageReply> {
  const { call, form, session, frame } = visit;
  if (session === null) return sent(visit, '/panel/giris', sessionCookie(null));
  if (call.method !== 'POST' || form === null) return shown(visit, signOutPage(frame), call.method === 'POST' ? 403 : 200);
  await dropSession(visit);
  return sent(visit, '/panel/giris?cikis=1', sessionCookie(null));
}

/** Mails a reset link. The answer is the same whether or not the person exists. */
async function forgotStep(visit: Visit): Promise<PageReply> {
  const { parts, call, form, locale, frame } = visit;
  const { services, database } = parts;
  const t = PAGE_WORDS[locale];
  if (!services.canMail) return sent(visit, '/panel/giris');
  const show = (note: Note | null, status = 200) => shown(visit, forgotPage(frame, { action: actionOf(visit), note }), status);
  if (call.method !== 'POST') return show(null);
  if (form === null) return show(errorNote(t.foreign), 403);
  const email = (form.get('email') ?? '').trim().slice(0, 254);
  const mailOf = (token: string) => LINK_MAILS.reset[locale](`${services.publicUrl()}/panel/parola-sifirla/${token}`);
  const { wait } = await countTry(database, { email: null, ip: call.ip }, call.realNow, (db) =>
    requestReset(db, services.vault, { email, from: from(call), mailOf }, call.realNow),
  );
  return wait === null ? show({ kind: 'ok', text: t.forgotSent }) : show(errorNote(t.wait(wait)), 429);
}

async function resetStep(visit: Visit, token: string): Promise<PageReply> {
  const { parts, call, form, locale, frame } = visit;
  const t = PAGE_WORDS[locale];
  const found = await parts.database.onPlatform('read', (db) => findReset(db, token, call.realNow));
  if (found === null) return shown(visit, linkOverPage(frame), 404);
  const show = (note: Note | null, status = 200) =>
    shown(visit, resetPage(frame, { action: actionOf(visit), email: found.email, note }), status);
  if (call.method !== 'POST') return show(null);
  if (form === null) return show(errorNote(t.foreign), 403);
  const password = form.get('password') ?? '';
  const fault = passwordFault(password, found.email);
  if (fault !== null) return show(errorNote(t.weak(fault[locale])), 422);
  const tried = { ...triesOf(`reset ${token}`), ip: call.ip };
  const { wait } = await countTry(parts.database, tried, call.realNow, async () => null);
  if (wait !== null) return show(errorNote(t.wait(wait)), 429);
  const hash = await hashPassword(password, addressGroup(call.ip));
  const set = await parts.database.onPlatform('write', async (db) => {
    await forgetTries(db, tried);
    return spendReset(db, token, hash, from(call), call.realNow);
  });
  return set ? sent(visit, '/panel/giris?parola=1', sessionCookie(null)) : shown(visit, linkOverPage(frame), 404);
}

const from = ({ ip, userAgent, id }: PanelCall) => ({ ip, userAgent, requestId: id });

async function invitationStep(visit: Visit, token: string): Promise<PageReply> {
  const { parts, call, form, locale, frame, session } = visit;
  const t = PAGE_WORDS[locale];
  const found = await parts.database.onPlatform('read', (db) => findInvitation(db, token, call.realNow));
  if (found === null) return shown(visit, linkOverPage(frame), 404);
  const signedIn = session !== null && !session.pending && session.person_id === found.person_id;
  const show = (note: Note | null, status = 200) => {
    const { account, email, role } = found;
    const fullName = form?.get('full_name') ?? found.full_name;
    return shown(
      visit,
      invitationPage(frame, { action: actionOf(visit), account, email, role, fullName, signedIn, note }),
      status,
    );
  };
  if (call.method !== 'POST') return show(null);
  if (form === null) return show(errorNote(t.foreign), 403);
  if (signedIn) return join(visit, found, { passwordHash: null, fullName: session.full_name }, null);
  // An invited person who has an account gives its password, another one chooses theirs: the page looks alike and refuses alike, so that a
  // person who invites an address does not learn whether it is known.
  const password = form.get('password') ?? '';
  const fullName = NAME.read(form.get('full_name') ?? '', fieldContext(call.realNow, 'UTC'));
  if (fullName instanceof Refused) return show(errorNote(t.nameNeeded), 422);
  const fault = passwordFault(password, found.email);
  if (fault !== null) return show(errorNote(t.weak(fault[locale])), 422);
  // Refusals of the account come before the password is hashed, and attempts are counted by link and by network.
  const tried = { ...triesOf(`invitation ${token}`), ip: call.ip };
  const counted = await countTry(parts.database, tried, call.realNow, (db) => refusalOf(requireStaffPlace(db, found.account_id)));
  if (counted.wait !== null) return show(errorNote(t.wait(counted.wait)), 429);
  if (counted.value !== null) throw counted.value;
  if (found.person_id !== null) return joinKnown(visit, found, token, password, show);
  const passwordHash = await hashPassword(password, addressGroup(call.ip));
  await parts.database.onPlatform('write', (db) => forgetTries(db, tried));
  return join(visit, found, { passwordHash, fullName }, null);
}

async function joinKnown(
  visit: Visit,
  found: Invitation,
  token: string,
  password: string,
  show: (note: Note, status: number) => PageReply,
): Promise<PageReply> {
  const { parts, call, locale } = visit;
  const t = PAGE_WORDS[locale];
  const { email } = found;
  const credentials = { email, password, device: deviceIn(visit, email), local: isLocalRequest(visit.request), ...from(call) };
  const result = await signIn(parts.database, credentials, call.realNow);
  if (result.token === null)
    return result.wait === null ? show(errorNote(t.wrong), 422) : show(errorNote(t.wait(result.wait)), 429);
  // With a second factor the person returns here after the code.
  if (result.code) return sent(visit, codePath(visit, `/panel/davet/${token}`), sessionCookie(result.token));
  return join(visit, found, { passwordHash: null, fullName: found.full_name }, result.token);
}

const triesOf = (link: string) => ({ email: link, line: link });

/** A refusal as a value, so that the try that met it is still counted. */
const refusalOf = (work: Promise<void>): Promise<Failure | null> =>
  work.then(
    () => null,
    (error) => {
      if (error instanceof Failure) return error;
      throw error;
    },
  );

/** Accepts the invitation and enters the account, in the present session, the one just begun, or a new one. */
async function join(
  visit: Visit,
  invitation: Invitation,
  signUp: { readonly passwordHash: string | null; readonly fullName: string },
  begun: string | null,
): Promise<PageReply> {
  const { parts, call, frame, session } = visit;
  const token = await parts.database.onPlatform('write', async (db) => {
    const personId = await acceptInvitation(db, invitation, signUp, from(call), call.realNow);
    if (personId === null) return null;
    const fresh =
      begun ?? (signUp.passwordHash === null ? null : await beginSession(db, personId, call, call.realNow, { pending: false }));
    const id = fresh === null ? session!.id : (await findSession(db, fresh, call.realNow))!.id;
    await enterAccount(db, id, personId, invitation.account_id);
    return fresh ?? '';
  });
  if (token === null) return shown(visit, linkOverPage(frame), 404);
  return token === '' ? sent(visit, '/panel') : sent(visit, '/panel', sessionCookie(token), knownDevice(visit, invitation.email));
}
