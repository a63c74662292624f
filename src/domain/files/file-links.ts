// Signed links by which files are read, the same for every store. A link holds the file, its data set and the time until which it
// is valid; nothing is stored about it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileLink } from '../../kit/endpoint.ts';

export const LINK_SECONDS: number = 15 * 60;

const MAC_BYTES = 16;
const PAYLOAD_BYTES = 16 + 16 + 4;

export interface LinkedFile {
  readonly dataSet: string;
  readonly fileId: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

export function signLink(secret: Buffer, base: string, dataSet: string, fileId: string, realNow: Date): FileLink {
  const expires = Math.floor(realNow.getTime() / 1000) + LINK_SECONDS;
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.write(dataSet.replaceAll('-', ''), 0, 'hex');
  payload.write(fileId.replaceAll('-', ''), 16, 'hex');
  payload.writeUInt32BE(expires, 32);
  const token = Buffer.concat([payload, macOf(secret, payload)]).toString('base64url');
  return { url: `${base}/files/${token}`, expires_at: new Date(expires * 1000).toISOString() };
}

/** Null if we did not sign it. The caller checks whether it has expired. */
export function readLink(secret: Buffer, token: string): LinkedFile | null {
  const bytes = Buffer.from(token, 'base64url');
  // Base64 has several spellings for the same bytes; only ours is accepted.
  if (bytes.length !== PAYLOAD_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return null;
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  if (!timingSafeEqual(macOf(secret, payload), bytes.subarray(PAYLOAD_BYTES))) return null;
  return {
    dataSet: uuidOf(payload.subarray(0, 16)),
    fileId: uuidOf(payload.subarray(16, 32)),
    expires: payload.readUInt32BE(32),
  };
}

const macOf = (secret: Buffer, payload: Buffer): Buffer =>
  createHmac('sha256', secret).update(payload).digest().subarray(0, MAC_BYTES);

const uuidOf = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
