// Every request the service makes to an address that someone gave it goes out here. What is checked is the address that is then
// dialled: a name is resolved once, all its addresses are looked at, and the connection goes to one of those.
import { Resolver } from 'node:dns/promises';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isLoopback, isPublic, parseAddress } from './address.ts';

export interface OutboundRules {
  /** http and https to this machine itself, for development and tests (ALLOW_LOOPBACK_TARGETS). */
  readonly loopback: boolean;
  /** The addresses of a name; from the system's name servers unless a test has another. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Those that may also go to an origin we were redirected to. */
  readonly plainHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For all of it: name, connection, answer. */
  readonly timeoutMs: number;
  /** What comes after is not read. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** False where it broke off, took too long or was longer than wanted: `body` is then its beginning. */
  readonly whole: boolean;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** It never got as far as an answer. Why is for our log, never for whoever gave the address: that would make us a port scanner. */
export class NoAnswer extends Error {}

const MAX_URL = 2000;

/** The address as it will be called, or null where nothing may be sent to it whatever its name resolves to. */
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

/** Numbers in any notation have become four decimal parts by the time a URL is parsed. */
const literalOf = (url: URL) => parseAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'));

/** Names of one word, and those that never leave a house, are not the internet's. */
function isPublicName(name: string): boolean {
  const labels = name.replace(/\.$/, '').split('.');
  const last = labels.at(-1)!;
  return labels.length > 1 && !labels.includes('') && !/^(localhost|local|internal|localdomain|home|lan|intranet)$/.test(last);
}

/** No redirect is followed: a 3xx is the answer. */
export async function sendOutbound(text: string, asked: OutboundRequest, rules: OutboundRules): Promise<OutboundAnswer> {
  const url = allowedUrl(text, rules);
  if (url === null) throw new NoAnswer('the address is not allowed');
  const deadline = AbortSignal.timeout(asked.timeoutMs);
  const signal = asked.signal === undefined ? deadline : AbortSignal.any([deadline, asked.signal]);
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const call = send(url, {
      method: asked.method,
      headers: { ...asked.headers, ...(asked.body === undefined ? {} : { 'content-length': Buffer.byteLength(asked.body) }) },
      // A connection of its own each time: one kept open was checked for another request.
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
        const whole = response.complete && size <= asked.maxBytes;
        resolve({ status, headers, whole, body: Buffer.concat(parts).subarray(0, asked.maxBytes) });
        call.destroy();
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > asked.maxBytes) done();
      });
      // It has answered: that the rest of its words was cut off or never came changes nothing.
      for (const event of ['end', 'error', 'close']) response.on(event, done);
    });
    call.end(asked.body);
  });
}

/**
 * As sendOutbound, following so many redirects, each to an address checked as the first one was. All of them together have the time of
 * one request, and only the first origin gets the headers: those are someone's credentials.
 */
export async function followOutbound(
  text: string,
  { redirects, ...asked }: OutboundRequest & { readonly redirects: number },
  rules: OutboundRules,
): Promise<OutboundAnswer> {
  const until = performance.now() + asked.timeoutMs;
  let url = text;
  let headers = asked.headers;
  for (let left = redirects; ; left -= 1) {
    const timeoutMs = Math.ceil(until - performance.now());
    if (timeoutMs <= 0) throw new NoAnswer('it took too long');
    const answer = await sendOutbound(url, { ...asked, headers, timeoutMs }, rules);
    const [next] = [301, 302, 303, 307, 308].includes(answer.status) ? [answer.headers.location].flat() : [];
    if (next === undefined) return answer;
    if (left === 0) throw new NoAnswer('it redirects too often');
    if (!URL.canParse(next, url)) throw new NoAnswer('it redirects to no address');
    const target = new URL(next, url);
    if (target.origin !== new URL(url).origin) headers = asked.plainHeaders ?? {};
    url = target.href;
  }
}

/** Never called for an address written as a number: those are checked with the URL. */
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
        // One that is not allowed spoils them all: such a name is up to something.
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
 * Asked of the name servers directly. The system's own look-up would hold one of the process's four threads for as long as a slow
 * name server likes, and four such names would hold up passwords, files and every other name.
 */
async function askNameServers(name: string): Promise<readonly string[]> {
  if (/^localhost\.?$/.test(name)) return ['127.0.0.1'];
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
