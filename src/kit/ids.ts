// Ids that the application generates: uuid v7 for records, ULID-like ids for requests. Both begin with the time, so they sort by
// it.
import { randomBytes } from 'node:crypto';

/** Random bytes drawn in blocks: one call to the kernel's generator serves a few hundred ids. */
const block = { bytes: Buffer.alloc(0), used: 0 };

/** Reserves this many random bytes; the caller reads those just before `used`. */
function take(count: number): void {
  if (block.used + count > block.bytes.length) {
    block.bytes = randomBytes(8192);
    block.used = 0;
  }
  block.used += count;
}

/** This many unique random bytes, for a nonce. */
export function randomPart(count: number): Buffer {
  take(count);
  return block.bytes.subarray(block.used - count, block.used);
}

/** The last count of each of the newest times. */
const counts = new Map<number, number>();
const KEPT_TIMES = 1000;

/** 26 bits: random in the lower half for a new time, then ascending. */
function countAt(at: number, random: number): number {
  const count = (counts.get(at) ?? random % 2 ** 25) + 1;
  counts.delete(at);
  counts.set(at, count);
  if (counts.size > KEPT_TIMES) counts.delete(counts.keys().next().value!);
  return count;
}

/** Ids of the same time ascend in the order in which a process makes them, so that records of one instant have an order too. */
export function newId(at: number = Date.now()): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at, 0, 6);
  take(10);
  block.bytes.copy(bytes, 6, block.used - 10, block.used);
  const count = countAt(at, bytes.readUInt32BE(6));
  bytes.writeUInt16BE(0x7000 | ((count >> 14) & 0x0fff), 6);
  bytes.writeUInt16BE(0x8000 | (count & 0x3fff), 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

const PAIRS = Array.from({ length: 1024 }, (_, pair) => CROCKFORD[pair >> 5]! + CROCKFORD[pair & 31]!);
let [prefix, prefixAt] = ['', -1];

/** `evt_` and then the same characters as a request id has. */
export const newEventId = (at: number): string => `evt_${newRequestId(at).slice(4)}`;

/** No event of that moment or later has an id below it. */
export const firstEventId = (at: number): string => newEventId(Math.max(0, at)).slice(0, 'evt_'.length + 10);

/** `req_` + 10 characters of time + 16 random ones. The log finds a request by the time in its id. */
export function newRequestId(at: number): string {
  if (at !== prefixAt) {
    let time = '';
    for (let rest = at, index = 0; index < 10; index += 1) {
      time = CROCKFORD[rest % 32] + time;
      rest = Math.floor(rest / 32);
    }
    prefix = `req_${time}`;
    prefixAt = at;
  }
  take(16);
  const { bytes, used } = block;
  let text = prefix;
  for (let index = used - 16; index < used; index += 2) text += PAIRS[((bytes[index]! & 31) << 5) | (bytes[index + 1]! & 31)];
  return text;
}

export function timeOfRequestId(id: string): number | null {
  if (!/^req_[0-9a-hjkmnp-tv-z]{26}$/.test(id)) return null;
  let at = 0;
  for (const letter of id.slice(4, 14)) at = at * 32 + CROCKFORD.indexOf(letter);
  return at;
}
