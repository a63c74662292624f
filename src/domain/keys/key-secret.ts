// API key secrets: `gal_prod_` or `gal_sand_`, 30 random base62 characters, and the CRC32 of all that as 6 more.
import { createHmac, type KeyObject, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type Environment = 'production' | 'sandbox';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^gal_(prod|sand)_[0-9A-Za-z]{36}$/;
const PREFIX = { production: 'gal_prod_', sandbox: 'gal_sand_' } as const;

/** Secret scanners can match this. */
export const KEY_PATTERN = SHAPE.source;

export function newSecret(environment: Environment): string {
  let text: string = PREFIX[environment];
  for (let count = 0; count < 30; count += 1) text += BASE62[randomInt(62)];
  return text + checksum(text);
}

/** Whether the checksum is right, so that a mistyped key is recognised without a database query. */
export function isWellFormed(secret: string): boolean {
  return SHAPE.test(secret) && checksum(secret.slice(0, -6)) === secret.slice(-6);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < 6; index += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** The stored form of a secret: HMAC-SHA256 with a pepper that is not in the database. */
export function digestOf(secret: string, pepper: Buffer | KeyObject): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

export const sameDigest = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

/** The part of a secret that may be shown later: `gal_prod_ab12`, beside the last four characters. */
export const publicPrefix = (secret: string): string => secret.slice(0, 13);
export const lastFour = (secret: string): string => secret.slice(-4);
