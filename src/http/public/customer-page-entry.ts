// The pages under /m: a customer opens a link, enters a one-time code and sees their sales, installments, receipts and papers to sign.
// Plain HTML forms that work without script. Wrong, expired and revoked links get the same reply.
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findLinkedPage, type LinkedPage, readPageToken } from '../../domain/customer-page/page-link.ts';
import { type PageDoor, readCustomerPage, readPageDoor, requireOwnReceipt } from '../../domain/customer-page/page-view.ts';
import { enterPageCode, openSigning, requestPageCode } from '../../domain/customer-page/page-writes.ts';
import { sessionHash } from '../../domain/documents/signing/signing.ts';
import { addressGroup } from '../../domain/net/address.ts';
import { readReceipt } from '../../domain/sale-papers/receipt-paper.ts';
import { drawReceipt } from '../../domain/sale-papers/verified-receipt.ts';
import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import { auditQuietly } from '../../domain/writes/audit-quietly.ts';
import type { Writer } from '../../domain/writes/write.ts';
import { type Clock, dayIn } from '../../kit/clock.ts';
import { type Database, isUnavailable } from '../../kit/db.ts';
import { Failure, type Locale } from '../../kit/errors.ts';
import { isUuid, newRequestId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { Actor, Work } from '../../kit/work.ts';
import { pathOf } from '../api/call.ts';
import type { CatchUp } from '../api/catch-up.ts';
import { requireWorld, type Worlds } from '../api/worlds.ts';
import { createMemoryLimiter } from '../rate-limits/rate-limit.ts';
import type { Budgets } from '../wire/budgets.ts';
import { compressed } from '../wire/compressed.ts';
import { type Reply, refused, writeReply } from '../wire/reply.ts';
import { customerPage, doorPage, type PageFrame, type PageNote, plainCustomerPage } from './customer-page.ts';
import { pageReply, pushPageHeaders, readOwnForm, redirectTo, sendPdf, userAgentOf } from './link-pages.ts';
import { publicLocale } from './public-locale.ts';
import { linkCookie, sessionIn, type Visitor, visitorOf, writeForVisit } from './signing-visit.ts';

export interface CustomerPageParts {
  readonly database: Database;
  readonly writer: Writer;
  readonly catchUp: CatchUp;
  /** Null unless SANDBOX=isolated. */
  readonly worlds: Worlds | null;
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly common: readonly string[];
  readonly canMail: boolean;
  readonly publicUrl: () => string;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Log;
}

const MAX_LOOKS_A_MINUTE = 120;
const MAX_FORMS_A_MINUTE = 30;
/** Drawing a receipt takes a turn of the dealer's. */
const MAX_RECEIPTS_A_MINUTE = 20;
const MAX_FORM_BYTES = 4 * 1024;
const looks = createMemoryLimiter();
const forms = createMemoryLimiter();
const receipts = createMemoryLimiter();

type Act = 'show' | 'kod' | 'ac' | 'imza' | 'makbuz';
const IS_FORM: Readonly<Record<Act, boolean>> = { show: false, kod: true, ac: true, imza: true, makbuz: false };

interface PageRequest extends Visitor {
  readonly network: string;
  readonly locale: Locale;
  readonly token: string;
  /** Null: there is no such page. */
  readonly act: Act | null;
  /** The id of a receipt. */
  readonly below: string;
  readonly frame: PageFrame;
  readonly request: IncomingMessage;
}

/** A live link, opened at this moment. */
interface PageVisit {
  readonly dataSet: string;
  readonly account: { readonly id: string; readonly timezone: string };
  readonly world: OpenWorld | null;
  readonly linked: LinkedPage;
  readonly session: Buffer | null;
  readonly now: Date;
  readonly door: PageDoor;
}

export function createCustomerPageEntry(
  parts: CustomerPageParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const call = readCall(parts, request);
    const made = await replyTo(parts, call, response);
    if (made === null) return;
    const reply = await compressed(request, made);
    pushPageHeaders(reply);
    writeReply(response, call.id, reply, parts.common, !request.complete && request.method === 'POST');
  };
}

function readCall({ clock, addressOf }: CustomerPageParts, request: IncomingMessage): PageRequest {
  const [path, query = ''] = pathOf(request.url ?? '/').split('?', 2) as [string, string?];
  const [token = '', act = 'show', below = '', ...more] = path.slice('/m/'.length).split('/');
  const [realNow, ip] = [clock.realNow(), addressOf(request)];
  const locale = publicLocale(new URLSearchParams(query), request);
  const isKnown = Object.hasOwn(IS_FORM, act) && more.length === 0 && (act === 'makbuz') === (below !== '');
  return {
    id: newRequestId(realNow.getTime()),
    now: clock.now(),
    realNow,
    ip,
    network: addressGroup(ip),
    locale,
    token,
    below,
    request,
    userAgent: userAgentOf(request),
    act: isKnown ? (act as Act) : null,
    frame: { locale, path: null },
  };
}

/** Null if the file was sent. */
async function replyTo(parts: CustomerPageParts, call: PageRequest, response: ServerResponse): Promise<Reply | null> {
  const { request, act, network, frame } = call;
  const isForm = request.method === 'POST';
  if (act !== null && IS_FORM[act] !== isForm) return notAllowed(call);
  if (!isForm && request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(call);
  if (!isAdmitted(call, isForm)) return pageReply(429, plainCustomerPage(frame, 'tooFast'), ['Retry-After', '60']);
  try {
    const answer = () => visit(parts, call, response);
    const { forms, strangers } = parts.budgets;
    return await (isForm ? forms.during(call.ip, request, answer) : strangers.during(network, answer));
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return null;
    }
    if (error instanceof Failure && ['gone', 'not_found'].includes(error.code)) return missing(call);
    if (error instanceof Failure) return refused(error.code, error.facts, call, call.locale);
    const unavailable = isUnavailable(error);
    parts.log[unavailable ? 'warn' : 'error']('a customer page failed', { request_id: call.id, reason: String(error) });
    return pageReply(unavailable ? 503 : 500, plainCustomerPage(frame, 'busy'));
  }
}

function isAdmitted({ network, act }: PageRequest, isForm: boolean): boolean {
  if (act === 'makbuz' && !receipts.admit(network, MAX_RECEIPTS_A_MINUTE).admitted) return false;
  return isForm ? forms.admit(network, MAX_FORMS_A_MINUTE).admitted : looks.admit(network, MAX_LOOKS_A_MINUTE).admitted;
}

function notAllowed(call: PageRequest): Reply {
  const allowed = call.act !== null && IS_FORM[call.act] ? 'POST' : 'GET, HEAD';
  const words = { method: (call.request.method ?? '').slice(0, 20), allowed };
  return refused('method_not_allowed', { headers: { Allow: allowed }, words }, call, call.locale);
}

const missing = ({ locale }: PageRequest): Reply => pageReply(404, plainCustomerPage({ locale, path: null }, 'missing'));

async function visit(parts: CustomerPageParts, call: PageRequest, response: ServerResponse): Promise<Reply | null> {
  const found = await openPage(parts, call);
  if (found === null || call.act === null) return missing(call);
  return ACTS[call.act](parts, { ...call, frame: { ...call.frame, path: `/m/${call.token}` } }, found, response);
}

/** Null unless the link is live. Every token costs the same statement. Timed transitions that are due run before anything is shown. */
async function openPage(parts: CustomerPageParts, call: PageRequest): Promise<PageVisit | null> {
  const { database, catchUp, worlds, canMail } = parts;
  const token = readPageToken(call.token);
  const { dataSet } = token;
  const linked = await database.inTenant(dataSet, 'read', (db) => findLinkedPage(db, token));
  // Sandboxes are closed with SANDBOX=shared.
  if (linked === null || (linked.kind === 'sandbox' && worlds === null)) return null;
  const world = linked.kind === 'sandbox' ? await requireWorld(worlds, dataSet) : null;
  const now = world?.now ?? call.now;
  if (linked.expires_at <= now) return null;
  const account = { id: linked.account_id, timezone: linked.timezone };
  await catchUp.ensure({ dataSetId: dataSet, accountId: account.id, timezone: account.timezone, world }, now);
  const session = sessionIn(call.request, '__Secure-page');
  const { realNow } = call;
  const door = await database.inTenant(dataSet, 'read', (db) => readPageDoor(db, linked, { realNow, session, canMail }));
  return { dataSet, account, world, linked, session, now, door };
}

type Step = (parts: CustomerPageParts, call: PageRequest, found: PageVisit, response: ServerResponse) => Promise<Reply | null>;

const customerOf = (call: PageRequest): Actor => visitorOf(call, 'customer page');

const written = <T>(parts: CustomerPageParts, call: PageRequest, found: PageVisit, run: (work: Work) => Promise<T>): Promise<T> =>
  writeForVisit(parts, call, found, run, customerOf(call));

function doorReply(call: PageRequest, { door }: PageVisit, note: PageNote | null): Reply {
  return pageReply(note === null ? 200 : note === 'tooManyCodes' ? 429 : 422, doorPage(call.frame, door, note));
}

const backTo = ({ frame, locale }: PageRequest, ...more: string[]): Reply => redirectTo(frame.path!, locale, ...more);

const readForm = ({ publicUrl }: CustomerPageParts, request: IncomingMessage) =>
  readOwnForm(request, MAX_FORM_BYTES, publicUrl());

const ACTS: Readonly<Record<Act, Step>> = {
  show: async (parts, call, found) => {
    if (!found.door.isOpen) return doorReply(call, found, null);
    const { dataSet, linked, now, account } = found;
    const today = dayIn(now, account.timezone);
    // The page is not shown if the opening cannot be audited.
    await auditQuietly(parts.database, dataSet, customerOf(call), 'customer_page.opened', async () => linked.customer_id);
    const page = await parts.database.inTenant(dataSet, 'read', (db) => readCustomerPage(db, linked.customer_id, { now, today }));
    return pageReply(200, customerPage(call.frame, found.door, page));
  },

  kod: async (parts, call, found) => {
    if ((await readForm(parts, call.request)) === null) return backTo(call);
    const made = await written(parts, call, found, (work) => requestPageCode(work, found.linked, parts.canMail));
    return made === 'too_many' ? doorReply(call, found, 'tooManyCodes') : backTo(call);
  },

  ac: async (parts, call, found) => {
    const form = await readForm(parts, call.request);
    if (form === null) return backTo(call);
    const session = randomBytes(32).toString('base64url');
    const code = (form.get('code') ?? '').replace(/\s/g, '');
    const entered = await written(parts, call, found, (work) => enterPageCode(work, found.linked, code, sessionHash(session)));
    if (entered === 'ok') return backTo(call, 'Set-Cookie', linkCookie('__Secure-page', call.frame.path!, session));
    return doorReply(call, found, entered === 'wrong' ? 'wrong' : 'noCode');
  },

  imza: async (parts, call, found) => {
    const form = await readForm(parts, call.request);
    const id = form?.get('belge') ?? '';
    if (!found.door.isOpen || !isUuid(id)) return backTo(call);
    try {
      const path = await written(parts, call, found, (work) => openSigning(work, found.linked, id));
      return pageReply(303, '', ['Location', `${path}?lang=${call.locale}`]);
    } catch (error) {
      // It was signed or withdrawn since, or is not the customer's: the page shows what there is.
      if (error instanceof Failure && error.code === 'not_found') return backTo(call);
      throw error;
    }
  },

  makbuz: async (parts, call, found, response) => {
    if (!found.door.isOpen) return backTo(call);
    if (!isUuid(call.below)) return missing(call);
    await parts.budgets.fileReads.during(found.dataSet, () => sendReceipt(parts, call, found, response));
    return null;
  },
};

async function sendReceipt(
  parts: CustomerPageParts,
  call: PageRequest,
  found: PageVisit,
  response: ServerResponse,
): Promise<void> {
  const { database, common, publicUrl } = parts;
  const { dataSet, linked } = found;
  const id = call.below;
  const receipt = await database.inTenant(dataSet, 'read', async (db) => {
    await requireOwnReceipt(db, linked.customer_id, id);
    return readReceipt(db, id, 'A5');
  });
  const write = <T>(run: (work: Work) => Promise<T>) => written(parts, call, found, run);
  // The note is the dealer's own.
  const variant = receipt.note === null ? receipt.size : `${receipt.size}-musteri`;
  const drawing = { database, dataSet, publicUrl: publicUrl(), write };
  const { drawn, number } = await drawReceipt(drawing, id, { ...receipt, note: null }, variant);
  try {
    await auditQuietly(database, dataSet, customerOf(call), 'customer_page.receipt_opened', async () => id);
    const file = { stream: createReadStream(drawn.path), sizeBytes: drawn.sizeBytes };
    const headers = [...common, 'X-Robots-Tag', 'noindex'];
    const sent = { fileName: `${number}.pdf`, contentType: 'application/pdf', requestId: call.id, common: headers };
    await sendPdf(call.request, response, file, sent);
  } finally {
    await drawn.remove();
  }
}
