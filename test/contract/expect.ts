// What every reply must contain, for any endpoint: asserted on each refusal and each success that a test provokes.
import { expect } from 'vitest';
import { ERRORS, type ErrorCode, type Locale } from '../../src/kit/errors.ts';
import type { Answer } from '../support/service.ts';
import { CONTRACT_ERRORS, DOMAIN_ERRORS } from './error-list.ts';

export const REQUEST_ID = /^req_[0-9a-z]{26}$/;
const META_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
/** Refusals of the parser have no parameter to name. */
const UNREADABLE = /^The request must be /;
const ERROR_MEMBERS = ['code', 'message', 'param', 'details', 'required_scope', 'doc_url'];

/** Why a reply is not the expected refusal; null when it is. HEAD has headers only. */
export function refusalFault(answer: Answer, code: string, { locale = 'en' as Locale, method = 'GET' } = {}): string | null {
  const { status, headers, json } = answer;
  const found = method === 'HEAD' ? `${status}` : `${status} ${json?.error?.code}`;
  const expected = CONTRACT_ERRORS[code] ?? DOMAIN_ERRORS[code];
  if (status !== expected || (method !== 'HEAD' && json?.error?.code !== code)) return `${found} instead of ${expected} ${code}`;
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return `content type ${headers.get('content-type')}`;
  if (headers.get('cache-control') !== 'no-store') return `Cache-Control ${headers.get('cache-control')}`;
  if (headers.get('x-content-type-options') !== 'nosniff') return 'no X-Content-Type-Options';
  if (headers.has('etag')) return 'an ETag on a refusal';
  if (!REQUEST_ID.test(headers.get('x-request-id') ?? '')) return `X-Request-Id ${headers.get('x-request-id')}`;
  const challenge = headers.get('www-authenticate');
  if (challenge !== (expected === 401 ? 'Bearer' : null)) return `WWW-Authenticate ${challenge}`;
  if (status === 405 && !headers.has('allow')) return 'no Allow';
  if (status === 429 && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) return `Retry-After ${headers.get('retry-after')}`;
  if (method === 'HEAD') return answer.text === '' ? null : 'a body in the reply to HEAD';
  return envelopeFault(answer, code as ErrorCode, locale);
}

function envelopeFault({ headers, json }: Answer, code: ErrorCode, locale: Locale): string | null {
  if (Object.keys(json).join() !== 'success,error,meta' || json.success !== false) return `envelope ${Object.keys(json)}`;
  const members = Object.keys(json.error);
  if (members.slice(0, 2).join() !== 'code,message') return `error ${members}`;
  if (members.some((name) => !ERROR_MEMBERS.includes(name))) return `error ${members}`;
  if (Object.keys(json.meta).join() !== 'request_id,timestamp,api_version') return `meta ${Object.keys(json.meta)}`;
  if (json.meta.api_version !== 'v1') return `api_version ${json.meta.api_version}`;
  if (!META_TIMESTAMP.test(json.meta.timestamp)) return `timestamp ${json.meta.timestamp}`;
  if (json.meta.request_id !== headers.get('x-request-id')) return 'request_id is not X-Request-Id';
  if (code === 'insufficient_scope' && typeof json.error.required_scope !== 'string') return 'no required_scope';
  if (
    /^(invalid|unknown)_parameter$/.test(code) &&
    typeof json.error.param !== 'string' &&
    !UNREADABLE.test(json.error.message)
  ) {
    return 'no param';
  }
  return messageFault(json.error.message, ERRORS[code][locale]);
}

/** A message is its template with every `{word}` replaced by something more specific. */
export function messageFault(message: string, template: string): string | null {
  const { pattern, words } = patternOf(template);
  const match = pattern.exec(message);
  if (match === null) return `message "${message}" is not "${template}"`;
  const left = words.find((word, index) => isOpen(word, match[index + 1]!));
  return left === undefined ? null : `message "${message}" leaves {${left}} open`;
}

const patterns = new Map<string, { pattern: RegExp; words: string[] }>();

function patternOf(template: string): { pattern: RegExp; words: string[] } {
  const known = patterns.get(template);
  if (known !== undefined) return known;
  const parts = template.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const words = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  // What to do may follow after a semicolon.
  const made = { pattern: new RegExp(`^${parts.join('(.+)')}(?:; .+)?$`, 'su'), words };
  patterns.set(template, made);
  return made;
}

/** A catalog path keeps its own `/{vehicle_id}`; no other brace is allowed. */
const isOpen = (word: string, value: string): boolean =>
  value === word || /[{}]|\b(undefined|null|NaN)\b|\[object/.test(value.replace(/\/\{\w+\}/g, ''));

export function expectRefusal(answer: Answer, code: string, options: { locale?: Locale; method?: string } = {}): void {
  expect(refusalFault(answer, code, options), answer.text.slice(0, 300)).toBeNull();
}

const LIMIT_HEADERS = ['ratelimit-policy', 'ratelimit', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** On every reply after the limiter, and on none before it. */
export function limitHeadersFault({ headers }: Answer, limit: number | null): string | null {
  const present = LIMIT_HEADERS.filter((name) => headers.has(name));
  if (limit === null) return present.length === 0 ? null : `${present} before the limiter`;
  if (present.length !== LIMIT_HEADERS.length) return `only ${present} of the limit headers`;
  if (headers.get('ratelimit-policy') !== `"minute";q=${limit};w=60`)
    return `RateLimit-Policy ${headers.get('ratelimit-policy')}`;
  const match = /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit')!);
  if (match === null || Number(match[2]) < 1 || Number(match[2]) > 60) return `RateLimit ${headers.get('ratelimit')}`;
  if (headers.get('x-ratelimit-limit') !== String(limit)) return `X-RateLimit-Limit ${headers.get('x-ratelimit-limit')}`;
  if (headers.get('x-ratelimit-remaining') !== match[1]) return `X-RateLimit-Remaining differs from r=${match[1]}`;
  return /^\d{10}$/.test(headers.get('x-ratelimit-reset')!) ? null : `X-RateLimit-Reset ${headers.get('x-ratelimit-reset')}`;
}

export function expectLimitHeaders(answer: Answer, limit: number | null): void {
  expect(limitHeadersFault(answer, limit)).toBeNull();
}

/** The part of a success that is the same for every endpoint: envelope, meta, headers. */
export function expectSuccess(answer: Answer, { list }: { list: boolean }): void {
  const { status, headers, json, text } = answer;
  expect([200, 201, 202], text.slice(0, 300)).toContain(status);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(REQUEST_ID);
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  expect(Object.keys(json)).toEqual(['success', 'data', 'meta']);
  expect(json.success).toBe(true);
  if (list) {
    expect(Object.keys(json.meta)).toEqual(['limit', 'offset', 'count']);
    expect(json.meta.count).toBe(json.data.length);
    expect(json.data.length).toBeLessThanOrEqual(json.meta.limit);
    return;
  }
  expect(Object.keys(json.meta)).toEqual(['request_id', 'timestamp', 'api_version']);
  expect(json.meta.request_id).toBe(headers.get('x-request-id'));
  expect(json.meta.timestamp).toMatch(META_TIMESTAMP);
  expect(json.meta.api_version).toBe('v1');
}
