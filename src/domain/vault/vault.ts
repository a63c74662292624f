// Encryption of personal data: a value can be decrypted only in the row and column it was written for, and found by a blind index.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { randomPart } from '../../kit/ids.ts';
import type { SealingKeys } from '../../kit/work.ts';
import type { Secrets } from './secrets.ts';

/** New values are encrypted with the current key; older ones name their key, so that a key can be changed while the service runs. */
export interface KeyRing {
  readonly current: number;
  readonly keys: ReadonlyMap<number, Buffer>;
}

/** Where a value is stored. It is authenticated with the value, which cannot be decrypted in another account, row or column. */
export interface CellAddress {
  readonly account: string;
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export function vaultKeys(secrets: Secrets): KeyRing {
  const { vaults } = secrets;
  const made = rings.get(secrets) ?? { current: vaults[0].id, keys: new Map(vaults.map(({ id, key }) => [id, key])) };
  rings.set(secrets, made);
  return made;
}

const rings = new WeakMap<Secrets, KeyRing>();

/** The keys for one data set. */
export const sealingKeys = (secrets: Secrets, account: string): SealingKeys => ({
  account,
  ring: vaultKeys(secrets),
  index: secrets.vaults[0].index,
  otherIndexes: secrets.vaults.slice(1).map(({ index }) => index),
});

/** The result is the key's id (1 byte), a random nonce (12), the tag (16) and the ciphertext. */
export function seal(ring: KeyRing, cell: CellAddress, value: string | Buffer): Buffer {
  const nonce = randomPart(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(ring, ring.current), nonce);
  cipher.setAAD(cellBytes(ring.current, cell));
  const body = Buffer.concat([cipher.update(typeof value === 'string' ? Buffer.from(value) : value), cipher.final()]);
  return Buffer.concat([Buffer.of(ring.current), nonce, cipher.getAuthTag(), body]);
}

/** The value cannot be decrypted with our keys: it was altered, moved, or encrypted with another secret. */
export class Unreadable extends Error {}

export const unseal = (ring: KeyRing, cell: CellAddress, sealed: Buffer): string =>
  unsealBytes(ring, cell, sealed).toString('utf8');

export function unsealBytes(ring: KeyRing, cell: CellAddress, sealed: Buffer): Buffer {
  if (sealed.length < HEAD_BYTES) throw new Unreadable(`a sealed value in ${cell.table}.${cell.column} is cut short`);
  const id = sealed[0]!;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(ring, id), sealed.subarray(1, 1 + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(cellBytes(id, cell));
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
  } catch {
    throw new Unreadable(
      `a sealed value in ${cell.table}.${cell.column} does not open: it was altered or moved, or the secret is another one`,
    );
  }
}

/** Only equal values of the same account and column have equal indexes; in another account the same number has a different one. */
export function blindIndex(secret: Buffer, account: string, column: string, normalised: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([account, column, normalised]))
    .digest();
}

function keyOf(ring: KeyRing, id: number): KeyObject {
  const bytes = ring.keys.get(id);
  if (bytes === undefined) throw new Unreadable(`the key ${id} of the vault is not at hand`);
  const key = prepared.get(bytes) ?? createSecretKey(bytes);
  prepared.set(bytes, key);
  return key;
}

/** Kept, because turning bytes into a key object costs more than encrypting a reply with it. */
const prepared = new WeakMap<Buffer, KeyObject>();

/** JSON separates the parts, so that two different cells never give the same bytes. */
const cellBytes = (id: number, { account, table, column, row }: CellAddress): Buffer =>
  Buffer.from(JSON.stringify([id, account, table, column, row]));
