// Zip files from outside, such as workbooks: the entries are listed from the directory and checked before anything is unpacked,
// and no part unpacks to more than its directory entry allows. Node's zlib unpacks the bytes in chunks.
import { crc32, createInflateRaw } from 'node:zlib';

/** What is wrong with the file, in one line. */
export class ZipError extends Error {
  readonly isTooLarge: boolean;
  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** Whether a file begins like a zip file. */
export const isZip = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b && head[2] === 0x03 && head[3] === 0x04;

export interface ZipLimits {
  readonly entries: number;
  /** Limit of all entries together, unpacked. */
  readonly bytes: number;
  /** Limit of unpacked bytes for each packed byte; small entries may pack better than that. */
  readonly ratio: number;
}

export interface ZipEntry {
  readonly name: string;
  /** Unpacked. */
  readonly size: number;
  readonly crc: number;
  readonly isDeflated: boolean;
  readonly packed: Buffer;
}

export type Zip = ReadonlyMap<string, ZipEntry>;

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const DIRECTORY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const MAX_COMMENT = 0xffff;
/** Flags for encryption and for features of newer archives. */
const ENCRYPTED = 0x2041;
/** Entries below this size may have any ratio: an empty table packs to almost nothing. */
const SMALL = 1024 * 1024;

/** Lists what is in the file; nothing is unpacked. */
export function openZip(bytes: Buffer, limits: ZipLimits): Zip {
  const { count, offset, size } = readEnd(bytes);
  if (count > limits.entries) throw new ZipError(`it has more than ${limits.entries} files in it`, true);
  const entries = new Map<string, ZipEntry>();
  const names = new Set<string>();
  let at = offset;
  let total = 0;
  for (let seen = 0; seen < count; seen += 1) {
    if (at + DIRECTORY_LENGTH > offset + size || bytes.readUInt32LE(at) !== DIRECTORY) throw broken();
    const [name, next] = readName(bytes, at);
    const entry = readEntry(bytes, at, name);
    total += entry.size;
    if (total > limits.bytes) throw new ZipError(`it unpacks to more than ${limits.bytes} bytes`, true);
    if (entry.size > SMALL && entry.size > limits.ratio * entry.packed.length)
      throw new ZipError(`a file in it unpacks to more than ${limits.ratio} times its size`, true);
    // Programs that ignore letter case in names would see other files than those that do not.
    const folded = name.toLowerCase();
    if (names.has(folded)) throw new ZipError('two files in it have one name');
    names.add(folded);
    entries.set(name, entry);
    at = next;
  }
  return entries;
}

const broken = () => new ZipError('it is cut off or damaged');

/** The end record comes last, followed by at most a comment. */
function readEnd(bytes: Buffer): { count: number; offset: number; size: number } {
  const from = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT);
  for (let at = bytes.length - END_LENGTH; at >= from; at -= 1) {
    if (bytes.readUInt32LE(at) !== END || at + END_LENGTH + bytes.readUInt16LE(at + 20) !== bytes.length) continue;
    const [disk, first, here, count] = [4, 6, 8, 10].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
      number,
    ];
    const [size, offset] = [bytes.readUInt32LE(at + 12), bytes.readUInt32LE(at + 16)];
    if (disk !== 0 || first !== 0 || here !== count) throw new ZipError('it is one part of a split archive');
    // Zip64 archives have the highest value here and another record; we accept none that large.
    if (count === 0xffff || offset === 0xffffffff || size === 0xffffffff) throw new ZipError('it is too large', true);
    if (offset + size > at) throw broken();
    return { count, offset, size };
  }
  throw broken();
}

/** The name of an entry, and the position of the next. */
function readName(bytes: Buffer, at: number): [name: string, next: number] {
  const [name, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [number, number, number];
  const end = at + DIRECTORY_LENGTH + name;
  if (end + extra + comment > bytes.length) throw broken();
  const text = bytes.toString('utf8', at + DIRECTORY_LENGTH, end);
  if (text === '' || /[\0\\]|^\/|^[A-Za-z]:|(^|\/)\.\.?(\/|$)/.test(text))
    throw new ZipError('it contains a file with an invalid path');
  return [text, end + extra + comment];
}

function readEntry(bytes: Buffer, at: number, name: string): ZipEntry {
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
  const [crc, packedSize, size, local] = [16, 20, 24, 42].map((place) => bytes.readUInt32LE(at + place)) as [
    number,
    number,
    number,
    number,
  ];
  if ((flags & ENCRYPTED) !== 0) throw new ZipError('it is protected by a password');
  if (method !== 0 && method !== 8) throw new ZipError('it uses an unsupported compression method');
  if (method === 0 && packedSize !== size) throw broken();
  if (local + LOCAL_LENGTH > bytes.length || bytes.readUInt32LE(local) !== LOCAL) throw broken();
  const from = local + LOCAL_LENGTH + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (from + packedSize > bytes.length) throw broken();
  return { name, size, crc, isDeflated: method === 8, packed: bytes.subarray(from, from + packedSize) };
}

/** Unpacked while it is read. A size or checksum that differs from the directory is refused. */
export async function* unpack(entry: ZipEntry): AsyncGenerator<Buffer> {
  let size = 0;
  let crc = 0;
  for await (const piece of entry.isDeflated ? inflated(entry.packed) : pieces(entry.packed)) {
    size += piece.length;
    if (size > entry.size) throw broken();
    crc = crc32(piece, crc);
    yield piece;
  }
  if (size !== entry.size || crc !== entry.crc) throw broken();
}

const PIECE = 65_536;

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function* inflated(packed: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE });
  inflate.end(packed);
  try {
    for await (const piece of inflate) yield piece as Buffer;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string' && (error as NodeJS.ErrnoException).code!.startsWith('Z_'))
      throw broken();
    throw error;
  } finally {
    inflate.destroy();
  }
}
