// The second factor: time-based one-time passwords (RFC 6238, SHA-1, 6 digits, 30 seconds) as authenticator apps generate them,
// and recovery codes for a lost phone.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 160 bits in base32, the form apps take. */
export function newTotpSecret(): string {
  return [...randomBytes(32)].map((byte) => BASE32[byte & 31]).join('');
}

function bytesOf(secret: string): Buffer {
  let bits = '';
  for (const letter of secret) bits += BASE32.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}

export const stepAt = (realNow: Date): number => Math.floor(realNow.getTime() / STEP_MS);

export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const from = mac[19]! & 15;
  return String((mac.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The 30-second step of a code, or null for a wrong code. The step before and the step after are accepted, because clocks differ. */
export function stepOfCode(secret: string, code: string, realNow: Date): number | null {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const present = stepAt(realNow);
  // Newest first, so that a code of the current step does not count as an older one.
  return (
    [present + 1, present, present - 1].find((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(digits))) ??
    null
  );
}

/** The content of the QR code. */
export function totpUri(secret: string, email: string): string {
  const label = encodeURIComponent(`Galeri:${email}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Galeri&algorithm=SHA1&digits=6&period=30`;
}

const RECOVERY_CODES = 10;

/** `ABCDE-FGHIJ`: 50 bits each, good for one sign-in. */
export function newRecoveryCodes(): string[] {
  const five = () => [...randomBytes(5)].map((byte) => BASE32[byte & 31]).join('');
  return Array.from({ length: RECOVERY_CODES }, () => `${five()}-${five()}`);
}

export const recoveryDigest = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z2-7]/g, ''))
    .digest();
