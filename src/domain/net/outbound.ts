// All requests to addresses from users are sent here. The address that is checked is the one that is dialled: a name is resolved
// once, all its addresses are checked, and the connection goes to one of them.
import { Resolver } from 'node:dns/promises';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isLoopback, isPublic, parseAddress } from './address.ts';

export interface OutboundRules {
  /** http and https to this machine itself, for development and tests (ALLOW_LOOPBACK_TARGETS). */
  readonly loopback: boolean;
  /** The addresses of a name; from the system's name servers unless a test replaces it. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that may also be sent to another origin after a redirect. */
  readonly plainHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The limit for name resolution, connection and answer together. */
  readonly timeoutMs: number;
  /** Further bytes of the answer are not read. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** False if the answer broke off, took too long or was too long: `body` is then its beginning. */
  readonly whole: boolean;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * There was no answer. The reason is for our log only: returned to the user who gave the address, it would make us a port
 * scanner.
 */
export class NoAnswer extends Error {}

const MAX_URL = 2000;

/** The parsed URL, or null if requests to it are refused without resolving its name. */
export function allowedUrl(text: string, rules: Pick<OutboundRules, 'loopback'>): URL | null {
  if (text.length > MAX_URL || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.href.length > MAX_URL) return null;
  const literal = literalOf(url);
  const local = literal === null ? /^localhost\.?$/.test(url.hostname) : isLoopback(literal);
  if (local) return rules.loopback && /^https?:$/.test(url.protocol) ? url : null;
  if (url.protocol !== 'https:') return null;
  return (literal === null ? isPublicName(url.hostname) : isPublic(literal)) ? url : null;
}

/** Parsing a URL turns any notation of an IPv4 address into four decimal parts. */
const literalOf = (url: URL) => parseAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'));

/** Names of one word and names of local networks do not belong to the internet. */
function isPublicName(name: string): boolean {
  const labels = name.replace(/\.$/, '').split('.');
  const last = labels.at(-1)!;
  return labels.length > 1 && !labels.includes('') && !/^(localhost|local|internal|localdomain|home|lan|intranet)$/.test(last);
}

/** No redirect is followed: a 3xx is the answer. */
export async function sendOutbound(text: string, request: OutboundRequest, rules: OutboundRules): Promise<OutboundAnswer> {
  const url = allowedUrl(text, rules);
  if (url === null) throw new NoAnswer('the address is not allowed');
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const call = send(url, {
      method: request.method,
      headers: {
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
      },
      // A new connection each time, because a kept one was checked for another request.
      agent: false,
      lookup: checkedLookup(url, rules),
      maxHeaderSize: 16_384,
      signal,
    });
    let answered = false;
    call.on('error', (error) => {
      if (!answered) reject(new NoAnswer(error.message));
    });
    call.on('response', (response) => {
      answered = true;
      const { statusCode: status = 0, headers } = response;
      const parts: Buffer[] = [];
      let size = 0;
      const done = () => {
        const whole = response.complete && size <= request.maxBytes;
        resolve({ status, headers, whole, body: Buffer.concat(parts).subarray(0, request.maxBytes) });
        call.destroy();
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > request.maxBytes) done();
      });
      // The receiver has answered; a rest that is cut off or never arrives changes nothing.
      for (const event of ['end', 'error', 'close']) response.on(event, done);
    });
    call.end(request.body);
  });
}

/**
 * As sendOutbound, but follows redirects, each checked like the first address. All together have the time limit of one request,
 * and only the first origin gets the headers, because they are credentials.
 */
export async function followOutbound(
  text: string,
  { redirects, ...options }: OutboundRequest & { readonly redirects: number },
  rules: OutboundRules,
): Promise<OutboundAnswer> {
  const until = performance.now() + options.timeoutMs;
  let url = text;
  let headers = options.headers;
  for (let left = redirects; ; left -= 1) {
    const timeoutMs = Math.ceil(until - performance.now());
    if (timeoutMs <= 0) throw new NoAnswer('it took too long');
    const answer = await sendOutbound(url, { ...options, headers, timeoutMs }, rules);
    const [next] = [301, 302, 303, 307, 308].includes(answer.status) ? [answer.headers.location].flat() : [];
    if (next === undefined) return answer;
    if (left === 0) throw new NoAnswer('it redirects too often');
    if (!URL.canParse(next, url)) throw new NoAnswer('it redirects to no address');
    const target = new URL(next, url);
    if (target.origin !== new URL(url).origin) headers = options.plainHeaders ?? {};
    url = target.href;
  }
}

/** Not called for numeric addresses, which are checked with the URL. */
function checkedLookup(url: URL, rules: OutboundRules): LookupFunction {
  const mayDial = (text: string): boolean => {
    const address = parseAddress(text.split('%', 1)[0]!);
    if (address === null) return false;
    if (isLoopback(address)) return rules.loopback;
    return url.protocol === 'https:' && isPublic(address);
  };
  const resolve = rules.resolve ?? askNameServers;
  return (name, options, callback) => {
    resolve(name).then(
      (found) => {
        if (found.length === 0) return callback(new Error(`${name} has no address`), '', 0);
        // One forbidden address refuses the name altogether, because such a name is suspicious.
        if (!found.every(mayDial)) return callback(new Error(`${name} is not allowed`), '', 0);
        const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

/**
 * Asks the name servers directly. The system's look-up would hold one of the process's four threads while a slow name server
 * answers, and four such names would block password hashing, files and all other look-ups.
 */
async function askNameServers(name: string): Promise<readonly string[]> {
  if (/^localhost\.?$/.test(name)) return ['127.0.0.1'];
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
