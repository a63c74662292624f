// Invalid requests: paths, parameters, headers and raw bytes, each slightly wrong.
import type { Random } from './random.ts';

export interface BadRequest {
  readonly bytes: Buffer;
  /** Whether a well-formed HTTP reply is required; for raw bytes the connection may be closed. */
  readonly mustAnswer: boolean;
  /** Sent on a separate connection, since what follows on it cannot be parsed. */
  readonly alone: boolean;
}

const PATHS = [
  'vehicles',
  'customers',
  'account',
  'developer/usage',
  'developer/request-logs',
  'developer/rate-limit',
  'sales',
  'reports/custom',
];
const PARAMS = [
  'limit',
  'offset',
  'status',
  'q',
  'from',
  'to',
  'group_by',
  'brand',
  'price_min',
  'price_max',
  'currency',
  'branch_id',
  'updated_since',
];
PARAMS.push(
  'deleted',
  'request_id',
  'endpoint',
  'error_code',
  'method',
  'plate',
  'is_marketplace_visible',
  'year_min',
  'api_key',
  '__proto__',
  'constructor',
);
const METHODS = ['GET', 'GET', 'GET', 'GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

const VALUES = [
  '',
  '0',
  '1',
  '-1',
  '100',
  '101',
  '05',
  '+5',
  '5.0',
  '1e2',
  '1e400',
  '999999999',
  '9999999999',
  '-0',
  'NaN',
  'null',
  'true',
  'undefined',
  '[]',
  '{}',
  'Stokta',
  "Auction'da",
  'Auction%E2%80%99da',
  'Sat%C4%B1ld%C4%B1',
  '%00',
  '%FF%FE',
  '%',
  '%zz',
  '%C3',
  "'",
  "' or 1=1 --",
  '"; drop table vehicles; --',
  '$1',
  '$$',
  '\\',
  '%5C%27',
  'pg_sleep(5)',
  '2026-02-30',
  '2026-13-01',
  '0000-00-00',
  '2026-11-15',
  '2026-11-15T00:00:00Z',
  '9999-12-31',
  '-000001-01-01',
  '2026-11-15T00:00:00+99:99',
  'a'.repeat(5000),
  '%F0%9F%9A%97',
  '%ED%A0%80',
  '\u200f',
  '../../etc/passwd',
  'req_01m7ehdb7cv3v0qh3c1v16bpkk',
  'TL',
  'STG',
  '00000000-0000-0000-0000-000000000000',
  '0'.repeat(36),
  'GET%20vehicles',
  '1.005',
  '1,000.50',
  '12345678901234',
  '0.1',
  'toString',
  '%0d%0aX-Injected:%201',
];
const SEGMENTS = [
  '..',
  '.',
  '',
  '%2e%2e',
  '%2f',
  '%5c',
  '%00',
  'VEHICLES',
  'vehicles.php',
  'vehicles.php.php',
  'vehicle%73',
  ';x=1',
  '~',
  '{vehicle_id}',
  '%zz',
  '%ff',
];
SEGMENTS.push(
  '00000000-0000-0000-0000-000000000000',
  'a'.repeat(300),
  'export',
  'overdue',
  '%F0%9F%9A%97',
  'constructor',
  '__proto__',
  "'--",
  '$1',
);

const HEADERS = [
  'Accept-Language: tr',
  'Accept-Language: tr;q=x,*;q=9e9',
  `Accept-Language: ${'tr,'.repeat(500)}`,
  'If-None-Match: *',
  'If-None-Match: "',
  'If-None-Match: W/"a", "b",,',
  'X-Forwarded-For: 1.2.3.4, ::1, junk',
  'X-Forwarded-For: ',
  'Content-Type: application/json',
  'Content-Type: text/\x7fplain',
  'X-HTTP-Method-Override: DELETE',
  'Cookie: __Host-panel=x',
  'Expect: 100-continue',
  'Expect: nothing',
  'Range: bytes=0-1',
  'Cache-Control: no-cache',
  'Accept-Encoding: gzip;q=nan',
  'Upgrade: h2c',
  'Connection: close',
  'TE: trailers',
  `User-Agent: ${'x'.repeat(4000)}`,
  'User-Agent: \xff\xfe\x80',
  'Idempotency-Key: x',
  'Origin: null',
  'Host: ',
  'Host: [',
  'Transfer-Encoding: identity',
];
const AUTHORIZATIONS = [
  '',
  'Bearer',
  'Bearer ',
  'bearer x',
  'Basic eDp5',
  'Bearer gal_prod_',
  `Bearer gal_prod_${'0'.repeat(36)}`,
  'Bearer \xff',
  `Bearer ${'k'.repeat(3000)}`,
  'Bearer a b',
];

export function makeBadRequest(random: Random, key: string): BadRequest {
  const kind = random.below(100);
  if (kind < 35) return request(random, key, badPath(random));
  if (kind < 75) return request(random, key, `/api/v1/${random.pick(PATHS)}?${badQuery(random)}`);
  if (kind < 90) return request(random, key, `/api/v1/${random.pick(PATHS)}`, 3);
  return rawBytes(random, key);
}

function badPath(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(5) }, () => random.pick(random.chance(0.5) ? SEGMENTS : PATHS));
  const prefix = random.pick([
    '/api/v1/',
    '/api/v1/',
    '/api/v1/',
    '/api/v1',
    '/',
    '/api/v2/',
    '//',
    '/api//v1/',
    'http://x/api/v1/',
    '*',
  ]);
  return `${prefix}${parts.join(random.chance(0.1) ? '//' : '/')}`;
}

function badQuery(random: Random): string {
  const pairs = Array.from({ length: 1 + random.below(4) }, () => {
    const name = random.pick(PARAMS);
    if (random.chance(0.05)) return name;
    return `${name}=${random.chance(0.15) ? escapeBytes(random.bytes(random.below(40))) : random.pick(VALUES)}`;
  });
  return pairs.join(random.chance(0.05) ? '&&' : '&');
}

/** Anything except what would end the request line; `rawBytes` covers spaces and line ends. */
const escapeBytes = (bytes: Buffer): string => bytes.toString('latin1').replace(/[\s\x00-\x20]/g, '%20');

function request(random: Random, key: string, target: string, more = 1): BadRequest {
  const method = random.pick(METHODS);
  const lines = [`${method} ${target.replace(/[ \t\r\n]/g, '%20')} HTTP/1.1`, 'Host: 127.0.0.1'];
  lines.push(`Authorization: ${random.chance(0.9) ? `Bearer ${key}` : random.pick(AUTHORIZATIONS)}`);
  for (let count = random.below(more + 1); count > 0; count -= 1) lines.push(random.pick(HEADERS));
  const body = method !== 'GET' && random.chance(0.3) ? random.pick(['{}', '{"a":', '[]', 'x'.repeat(100)]) : '';
  if (body !== '') lines.push(`Content-Length: ${body.length}`);
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  return { bytes, mustAnswer: true, alone: true };
}

function rawBytes(random: Random, key: string): BadRequest {
  const good = Buffer.from(
    `GET /api/v1/vehicles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  );
  const kind = random.below(5);
  if (kind === 0) return { bytes: random.bytes(1 + random.below(400)), mustAnswer: false, alone: true };
  if (kind === 1)
    return {
      bytes: Buffer.concat([good.subarray(0, random.below(good.length)), random.bytes(20)]),
      mustAnswer: false,
      alone: true,
    };
  if (kind === 2) {
    // One changed byte.
    const bytes = Buffer.from(good);
    bytes[random.below(bytes.length)] = random.below(256);
    return { bytes, mustAnswer: false, alone: true };
  }
  if (kind === 3) {
    const smuggled = 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n';
    return { bytes: Buffer.from(`POST /api/v1/vehicles HTTP/1.1\r\nHost: x\r\n${smuggled}`), mustAnswer: false, alone: true };
  }
  return {
    bytes: Buffer.from(`GET /${'a'.repeat(random.below(40_000))} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    mustAnswer: false,
    alone: true,
  };
}
