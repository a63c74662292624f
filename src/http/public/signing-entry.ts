// The pages under /sign: a recipient opens a link, reads the document, gets a one-time code and approves or declines it. Plain HTML
// forms that work without script; each view of a document is audited.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { logOpening } from '../../domain/documents/file-openings.ts';
import { decideByLink, enterCode, requestCode, sessionHash } from '../../domain/documents/signing/signing.ts';
import type { Files } from '../../domain/files/file-store.ts';
import { findKeptFile } from '../../domain/files/stored-files.ts';
import { addressGroup } from '../../domain/net/address.ts';
import type { Secrets } from '../../domain/vault/secrets.ts';
import { audit } from '../../domain/writes/audit.ts';
import type { Writer } from '../../domain/writes/write.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, isUnavailable } from '../../kit/db.ts';
import { Failure, type Locale } from '../../kit/errors.ts';
import { newRequestId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import { pathOf } from '../api/call.ts';
import type { CatchUp } from '../api/catch-up.ts';
import type { Worlds } from '../api/worlds.ts';
import { createMemoryLimiter } from '../rate-limits/rate-limit.ts';
import type { Budgets } from '../wire/budgets.ts';
import { compressed } from '../wire/compressed.ts';
import { type Reply, refused, writeReply } from '../wire/reply.ts';
import { LINK_PAGE_CSP, pageReply, pushPageHeaders, readOwnForm, redirectTo, sendPdf, userAgentOf } from './link-pages.ts';
import { publicLocale } from './public-locale.ts';
import { isUndecided, showDocument } from './shown-document.ts';
import {
  plainSigningPage,
  readSignature,
  SIGNATURE_PAD,
  SIGNATURE_PAD_PATH,
  type SigningFrame,
  type SigningNote,
  signingPage,
} from './signing-page.ts';
import { linkCookie, openVisit, signerOf, type Visit, type Visitor, writeForVisit } from './signing-visit.ts';

export interface SigningEntryParts {
  readonly database: Database;
  readonly writer: Writer;
  readonly catchUp: CatchUp;
  /** Null unless SANDBOX=isolated. */
  readonly worlds: Worlds | null;
  readonly files: Files;
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly common: readonly string[];
  readonly canMail: boolean;
  readonly secrets: Secrets;
  readonly publicUrl: () => string;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Log;
}

/** Links and codes are too long to guess; the limits keep attempts from using resources of other callers. */
const MAX_LOOKS_A_MINUTE = 120;
const MAX_FORMS_A_MINUTE = 30;
const MAX_FORM_BYTES = 24 * 1024;
const looks = createMemoryLimiter();
const forms = createMemoryLimiter();

/** With the field for a signature. */
const SIGN_CSP = LINK_PAGE_CSP.replace('style-src', "script-src 'self'; style-src");
type Act = 'show' | 'kod' | 'ac' | 'karar' | 'belge';

interface SigningRequest extends Visitor {
  readonly network: string;
  readonly locale: Locale;
  readonly token: string;
  /** Null: there is no such page. */
  readonly act: Act | null;
  readonly frame: SigningFrame;
  readonly request: IncomingMessage;
}

export function createSigningEntry(
  parts: SigningEntryParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const call = readCall(parts, request);
    const made = pathOf(request.url ?? '/') === SIGNATURE_PAD_PATH ? script(call) : await replyTo(parts, call, response);
    if (made === null) return;
    const reply = await compressed(request, made);
    pushPageHeaders(reply);
    writeReply(response, call.id, reply, parts.common, !request.complete && request.method === 'POST');
  };
}

const script = (call: SigningRequest): Reply =>
  call.request.method === 'GET' || call.request.method === 'HEAD'
    ? {
        status: 200,
        headers: ['Content-Type', 'text/javascript; charset=utf-8', 'Cache-Control', 'public, max-age=3600'],
        body: Buffer.from(SIGNATURE_PAD),
        errorCode: null,
      }
    : notAllowed(call);

function readCall({ clock, addressOf }: SigningEntryParts, request: IncomingMessage): SigningRequest {
  const [path, query = ''] = pathOf(request.url ?? '/').split('?', 2) as [string, string?];
  const [token = '', act = 'show', ...more] = path.slice('/sign/'.length).split('/');
  const [realNow, ip] = [clock.realNow(), addressOf(request)];
  const locale = publicLocale(new URLSearchParams(query), request);
  return {
    id: newRequestId(realNow.getTime()),
    now: clock.now(),
    realNow,
    ip,
    network: addressGroup(ip),
    locale,
    token,
    request,
    userAgent: userAgentOf(request),
    act: more.length === 0 && Object.hasOwn(ACTS, act) ? (act as Act) : null,
    frame: { locale, path: null },
  };
}

/** Null if the file was sent. */
async function replyTo(parts: SigningEntryParts, call: SigningRequest, response: ServerResponse): Promise<Reply | null> {
  const { request, act, network, frame } = call;
  const isForm = request.method === 'POST';
  if (act !== null && !(isForm ? ['kod', 'ac', 'karar'] : ['show', 'belge']).includes(act)) return notAllowed(call);
  if (!isForm && request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(call);
  const isAdmitted = isForm ? forms.admit(network, MAX_FORMS_A_MINUTE) : looks.admit(network, MAX_LOOKS_A_MINUTE);
  if (!isAdmitted.admitted) return pageReply(429, plainSigningPage(frame, 'tooFast'), ['Retry-After', '60']);
  try {
    const answer = () => visit(parts, call, response);
    const { forms, strangers } = parts.budgets;
    return await (isForm ? forms.during(call.ip, request, answer) : strangers.during(network, answer));
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return null;
    }
    if (error instanceof Failure && error.code === 'gone') return pageReply(410, plainSigningPage(frame, 'missing'));
    if (error instanceof Failure) return refused(error.code, error.facts, call, call.locale);
    const unavailable = isUnavailable(error);
    parts.log[unavailable ? 'warn' : 'error']('a signing page failed', { request_id: call.id, reason: String(error) });
    return pageReply(unavailable ? 503 : 500, plainSigningPage(frame, 'busy'));
  }
}

function notAllowed(call: SigningRequest): Reply {
  const { method = '' } = call.request;
  const facts = { headers: { Allow: 'GET, HEAD' }, words: { method: method.slice(0, 20), allowed: 'GET, HEAD' } };
  return refused('method_not_allowed', facts, call, call.locale);
}

async function visit(parts: SigningEntryParts, call: SigningRequest, response: ServerResponse): Promise<Reply | null> {
  const { token, act, request } = call;
  const found = act === null ? null : await openVisit(parts, token, call, request);
  if (found === null) return pageReply(404, plainSigningPage(call.frame, 'missing'));
  const frame = { ...call.frame, path: `/sign/${token}` };
  return ACTS[act!](parts, { ...call, frame }, found, response);
}

type Step = (parts: SigningEntryParts, call: SigningRequest, found: Visit, response: ServerResponse) => Promise<Reply | null>;

async function shown(parts: SigningEntryParts, call: SigningRequest, found: Visit, note: SigningNote | null): Promise<Reply> {
  const { signing } = found;
  const document = await showDocument(parts, found, signerOf(call));
  const page = signingPage(call.frame, { signing, canMail: parts.canMail, note, shown: document });
  const csp = signing.isOpen ? ['Content-Security-Policy', SIGN_CSP] : [];
  return pageReply(note === null ? 200 : note === 'tooManyCodes' ? 429 : 422, page, csp);
}

const backTo = ({ frame, locale }: SigningRequest, ...more: string[]): Reply => redirectTo(frame.path!, locale, ...more);

/** If the document was decided or withdrawn in another request, redirects to the page, which shows that. */
async function orBack(call: SigningRequest, act: () => Promise<Reply>): Promise<Reply> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Failure && ['not_found', 'invalid_transition'].includes(error.code)) return backTo(call);
    throw error;
  }
}

const readForm = ({ publicUrl }: SigningEntryParts, request: IncomingMessage) =>
  readOwnForm(request, MAX_FORM_BYTES, publicUrl());

const ACTS: Readonly<Record<Act, Step>> = {
  show: async (parts, call, found) => shown(parts, call, found, null),

  kod: async (parts, call, found) => {
    if ((await readForm(parts, call.request)) === null) return backTo(call);
    return orBack(call, async () => {
      const made = await writeForVisit(parts, call, found, (work) => requestCode(work, found.linked, parts.canMail));
      return made === 'too_many' ? shown(parts, call, found, 'tooManyCodes') : backTo(call);
    });
  },

  ac: async (parts, call, found) => {
    const form = await readForm(parts, call.request);
    if (form === null) return backTo(call);
    const session = randomBytes(32).toString('base64url');
    return orBack(call, async () => {
      const code = (form.get('code') ?? '').replace(/\s/g, '');
      const entered = await writeForVisit(parts, call, found, (work) =>
        enterCode(work, found.linked, code, sessionHash(session)),
      );
      if (entered === 'ok') return backTo(call, 'Set-Cookie', linkCookie('__Secure-sign', call.frame.path!, session));
      return shown(parts, call, found, entered === 'wrong' ? 'wrong' : 'noCode');
    });
  },

  karar: async (parts, call, found) => {
    const form = await readForm(parts, call.request);
    const { session, linked, signing } = found;
    const decision = form?.get('decision');
    // Only a person with an open session learns what their form lacks.
    if (session === null || !signing.isOpen || !isUndecided(signing)) return backTo(call);
    if (decision !== 'sign' && decision !== 'decline') return backTo(call);
    if (form!.get('sure') !== 'yes') return shown(parts, call, found, decision === 'sign' ? 'mustAgree' : 'mustBeSure');
    const sign = readSignature(form!);
    if (decision === 'sign' && sign === null) return shown(parts, call, found, 'mustSign');
    return orBack(call, async () => {
      await writeForVisit(parts, call, found, async (work) => {
        await decideByLink(work, linked, session, decision === 'sign' ? { sign: sign! } : decision, {
          address: call.ip,
          userAgent: call.userAgent,
        });
        const action = decision === 'sign' ? 'sale_document.signed' : 'sale_document.declined';
        await audit(work.db, work.actor, action, linked.document_id, { accountId: work.account.id });
      });
      return backTo(call);
    });
  },

  belge: async (parts, call, found, response) => {
    const { signing, dataSet } = found;
    const isOut = isUndecided(signing);
    const isSigned = signing.status === 'İmzalandı' && signing.decided === 'İmzaladı';
    const fileId = isSigned ? (signing.signed_file_id ?? signing.file_id) : signing.file_id;
    if (!signing.isOpen || !(isOut || isSigned) || fileId === null) return backTo(call);
    await parts.budgets.fileReads.during(dataSet, () => sendDocument(parts, call, found, fileId, response));
    return response.headersSent ? null : pageReply(404, plainSigningPage(call.frame, 'missing'));
  },
};

async function sendDocument(
  { database, files, common, log }: SigningEntryParts,
  call: SigningRequest,
  { dataSet }: Visit,
  fileId: string,
  response: ServerResponse,
): Promise<void> {
  const file = await database.inTenant(dataSet, 'read', (db) => findKeptFile(db, fileId));
  const stored = await files.store.get(file.name);
  if (stored === null) {
    log.error('a stored file is missing from the store', { file_id: fileId, data_set: dataSet });
    return;
  }
  // As at /files: a file is not sent if the download cannot be audited.
  await logOpening(database, dataSet, fileId, signerOf(call)).catch((error: Error) => {
    stored.stream.destroy();
    throw error;
  });
  const sent = { fileName: 'belge.pdf', contentType: file.content_type, requestId: call.id, common };
  await sendPdf(call.request, response, stored, sent);
}
