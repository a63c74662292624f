// One envelope for every answer: success, data, meta; or success, error, meta.
import type { ServerResponse } from 'node:http';
import type { DeprecatedField } from '../../domain/catalog/deprecation.ts';
import { offsetTimestamp } from '../../kit/clock.ts';
import { ERRORS, type FailureFacts, type Locale, messageOf, type RefusalCode, statusOf, type Text } from '../../kit/errors.ts';
import type { JsonPieces } from '../../kit/json-pieces.ts';
import { isSending, whenBroken } from './request-body.ts';

export interface Reply {
  readonly status: number;
  /** Name, value, name, value …: the form that node:http writes fastest. */
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly errorCode: RefusalCode | null;
  /** For the request log: which parameter or field was refused, and the rule it broke. */
  readonly refusal?: Refusal;
  /** Deprecated fields that the body of the request had. */
  readonly sent?: readonly DeprecatedField[];
}

/** What a refusal says about the request: rules, never a value of it. */
export interface Refusal {
  readonly fields: readonly { readonly field: string; readonly code: string; readonly message: Text }[];
}

export interface Meta {
  readonly id: string;
  readonly now: Date;
  /** The address of the pages about error codes; null or absent without PUBLIC_URL. */
  readonly errorPages?: string | null | undefined;
}

export const errorPagesOf = (publicUrl: string | null): string | null =>
  publicUrl === null ? null : `${publicUrl}/docs/errors/`;

const JSON_TYPE = 'application/json; charset=utf-8';
export const NO_STORE = 'no-store';
export const REVALIDATE = 'private, no-cache';

const metaOf = ({ id, now }: Meta): string => `{"request_id":"${id}","timestamp":"${offsetTimestamp(now)}","api_version":"v1"}`;

export function listBody(json: string, limit: number, offset: number, count: number): Buffer {
  return Buffer.from(`{"success":true,"data":${json},"meta":{"limit":${limit},"offset":${offset},"count":${count}}}`);
}

export function objectBody(json: string, meta: Meta): Buffer {
  return Buffer.from(`{"success":true,"data":${json},"meta":${metaOf(meta)}}`);
}

export function piecesBody(json: JsonPieces, meta: Meta): Buffer {
  return json.within('{"success":true,"data":', `,"meta":${metaOf(meta)}}`);
}

export function ok(body: Buffer, cacheControl: string): Reply {
  return { status: 200, headers: ['Content-Type', JSON_TYPE, 'Cache-Control', cacheControl], body, errorCode: null };
}

export function notModified(): Reply {
  return { status: 304, headers: ['Cache-Control', REVALIDATE], body: null, errorCode: null };
}

export function refused(code: RefusalCode, facts: FailureFacts, meta: Meta, locale: Locale): Reply {
  const { param, required_scope } = facts;
  const details = facts.details?.map((detail) => ({
    ...detail,
    message: typeof detail.message === 'string' ? detail.message : detail.message[locale],
  }));
  const { errorPages } = meta;
  const doc_url = errorPages && code in ERRORS ? errorPages + code : undefined;
  const error = { code, message: messageOf(code, facts, locale), param, details, required_scope, doc_url };
  const headers = ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE];
  // Only for API errors: in the panel the answer to 401 is to sign in, not a key.
  if (code in ERRORS && statusOf(code) === 401) headers.push('WWW-Authenticate', 'Bearer');
  if (code === 'service_unavailable') headers.push('Retry-After', '1');
  for (const [name, value] of Object.entries(facts.headers ?? {})) headers.push(name, value);
  const body = Buffer.from(`{"success":false,"error":${JSON.stringify(error)},"meta":${metaOf(meta)}}`);
  const reply = { status: facts.status ?? statusOf(code), headers, body, errorCode: code };
  const fields = refusedFields(code, facts);
  return fields.length === 0 ? reply : { ...reply, refusal: { fields } };
}

/** Enough to fix a request. */
const MAX_FIELDS_LOGGED = 5;

function refusedFields(code: RefusalCode, facts: FailureFacts): Refusal['fields'] {
  const both = (message: string | Text): Text => (typeof message === 'string' ? { en: message, tr: message } : message);
  if (facts.details !== undefined)
    return facts.details
      .slice(0, MAX_FIELDS_LOGGED)
      .map(({ field, code: fault, message }) => ({ field, code: fault, message: both(message) }));
  if (facts.param === undefined) return [];
  return [{ field: facts.param, code, message: { en: messageOf(code, facts, 'en'), tr: messageOf(code, facts, 'tr') } }];
}

/** Headers of every reply besides the request id. */
export function commonHeaders(publicUrl: string | null): readonly string[] {
  const https = publicUrl?.startsWith('https://') ? ['Strict-Transport-Security', 'max-age=31536000'] : [];
  return ['X-Content-Type-Options', 'nosniff', ...https];
}

/** `unread`: the body of the request was not read completely, so the connection is closed after the reply. */
export function writeReply(response: ServerResponse, id: string, reply: Reply, common: readonly string[], unread: boolean): void {
  const { status, headers, body } = reply;
  headers.push('X-Request-Id', id, ...common);
  if (body !== null) headers.push('Content-Length', String(body.length));
  if (unread) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  if (unread && body !== null && isSending(response.req)) endWhenRead(response, body);
  else if (body === null || body.length <= PIECE_BYTES) response.end(body ?? undefined);
  else endInPieces(response, body);
}

/** A long reply is sent in pieces of this size, so that unread-replies.ts can see whether the caller reads it. */
export const PIECE_BYTES: number = 64 * 1024;

function endInPieces(response: ServerResponse, body: Buffer): void {
  let at = 0;
  const goOn = () => {
    while (body.length - at > PIECE_BYTES) {
      const piece = body.subarray(at, at + PIECE_BYTES);
      at += PIECE_BYTES;
      if (!response.write(piece)) {
        response.once('drain', goOn);
        return;
      }
    }
    response.end(body.subarray(at));
  };
  goOn();
}

const LINGER_MS = 2000;
const LINGER_BYTES = 32 * 1024 * 1024;

/**
 * Closing at once would reset the connection, and a caller that is still sending would lose the reply. So the reply is sent,
 * further input is discarded for a moment, and then the connection is closed.
 */
function endWhenRead(response: ServerResponse, body: Buffer): void {
  const request = response.req;
  let left = LINGER_BYTES;
  const end = () => {
    clearTimeout(late);
    response.end();
  };
  const late = setTimeout(end, LINGER_MS);
  // A reply to HEAD has no body, so only the headers are flushed.
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  whenBroken(request, end);
  request.on('error', end).once('end', end).once('close', end);
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) end();
  });
  request.resume();
}

/** Turkish where it is the caller's first choice, English otherwise. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  if (acceptLanguage === undefined) return 'en';
  let best: { locale: Locale; weight: number } = { locale: 'en', weight: 0 };
  for (const part of acceptLanguage.slice(0, 200).split(',')) {
    const [tag, ...options] = part.trim().toLowerCase().split(';');
    const weight = Number(
      options
        .find((option) => option.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? 1,
    );
    const locale = /^tr\b/.test(tag!) ? 'tr' : /^(en\b|\*)/.test(tag!) ? 'en' : null;
    if (locale !== null && weight > best.weight) best = { locale, weight };
  }
  return best.locale;
}
