// A signed cookie identifies a device that a person has signed in on, for half a year. Its password attempts are counted separately, so
// that wrong passwords from other devices do not lock the person out. The cookie gives no rights.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { nameKey } from '../../domain/identity/sign-in-tries.ts';

const DEVICE_COOKIE = '__Host-panel-device';
const KNOWN_FOR_S = 180 * 86_400;
/** People who share a device, the last first. */
const MAX_PEOPLE = 4;

/** A token: 16 bytes that name the person, 8 of the device, 4 with the time of issue, and the signature. */
const FACTS_BYTES = 28;
const TOKEN = /^[\w-]{80}$/;

const personOf = (email: string): Buffer =>
  createHash('sha256')
    .update(`device ${nameKey(email)}`)
    .digest()
    .subarray(0, 16);
const signatureOf = (secret: Buffer, facts: Buffer): Buffer =>
  createHmac('sha256', secret).update('device ').update(facts).digest();

interface Token {
  readonly text: string;
  readonly person: Buffer;
  readonly device: string;
}

/** The tokens of the request that we have signed and that have not expired. */
function tokensOf(request: IncomingMessage, secret: Buffer, realNow: Date): Token[] {
  const cookies = (request.headers.cookie ?? '').slice(0, 8192).split(';');
  const value = cookies.map((part) => part.trim()).find((part) => part.startsWith(`${DEVICE_COOKIE}=`));
  const texts = value?.slice(DEVICE_COOKIE.length + 1).split('.') ?? [];
  return texts.slice(0, MAX_PEOPLE).flatMap((text) => {
    if (!TOKEN.test(text)) return [];
    const bytes = Buffer.from(text, 'base64url');
    const facts = bytes.subarray(0, FACTS_BYTES);
    if (!timingSafeEqual(bytes.subarray(FACTS_BYTES), signatureOf(secret, facts))) return [];
    if (realNow.getTime() / 1000 - facts.readUInt32BE(24) > KNOWN_FOR_S) return [];
    return [{ text, person: facts.subarray(0, 16), device: facts.toString('hex', 16, 24) }];
  });
}

/** The device's id, if this person has signed in on it; null otherwise. */
export function deviceOf(request: IncomingMessage, secret: Buffer, email: string, realNow: Date): string | null {
  const person = personOf(email);
  return tokensOf(request, secret, realNow).find((token) => token.person.equals(person))?.device ?? null;
}

/** After a sign-in: adds the person to those who are known on this device. */
export function deviceCookie(request: IncomingMessage, secret: Buffer, email: string, realNow: Date): string {
  const person = personOf(email);
  const device = deviceOf(request, secret, email, realNow);
  const facts = Buffer.concat([person, device === null ? randomBytes(8) : Buffer.from(device, 'hex'), Buffer.alloc(4)]);
  facts.writeUInt32BE(Math.floor(realNow.getTime() / 1000), 24);
  const token = Buffer.concat([facts, signatureOf(secret, facts)]).toString('base64url');
  const others = tokensOf(request, secret, realNow).filter((one) => !one.person.equals(person));
  const value = [token, ...others.map(({ text }) => text)].slice(0, MAX_PEOPLE).join('.');
  return `${DEVICE_COOKIE}=${value}; Max-Age=${KNOWN_FOR_S}; Path=/; Secure; HttpOnly; SameSite=Lax`;
}
