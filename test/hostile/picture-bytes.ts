// Pictures built byte by byte: what no camera writes and every decoder may encounter.
import { crc32, deflateSync } from 'node:zlib';

const PNG_HEAD = Buffer.from('89504e470d0a1a0a', 'hex');

export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export interface PngShape {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha. */
  readonly colour?: number;
  readonly interlaced?: boolean;
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function pngHead({ width, height, depth = 8, colour = 2, interlaced = false }: PngShape): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return pngChunk('IHDR', data);
}

/** All zeros: the more of them, the better they compress. */
export function pngData({ width, height, depth = 8, colour = 2, interlaced = false }: PngShape): Buffer {
  const size = (across: number, down: number) =>
    across === 0 ? 0 : down * (1 + Math.ceil((across * depth * CHANNELS[colour]!) / 8));
  const passes = interlaced ? PASSES : [[0, 0, 1, 1] as const];
  const sizes = passes.map(([left, top, x, y]) => size(Math.ceil((width - left) / x), Math.ceil((height - top) / y)));
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  return pngChunk('IDAT', deflateSync(Buffer.alloc(bytes), { level: 9 }));
}

/** Of an interlaced picture: where each pass starts, and the distance between its pixels. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const PALETTE = pngChunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]));

export function png(shape: PngShape, { before = [] as Buffer[], data = pngData(shape), after = [] as Buffer[] } = {}): Buffer {
  const palette = shape.colour === 3 ? [PALETTE] : [];
  return Buffer.concat([PNG_HEAD, pngHead(shape), ...palette, ...before, data, ...after, pngChunk('IEND')]);
}

/** A chunk of compressed text or profile: `size` bytes after decompression. */
export const packedChunk = (type: 'zTXt' | 'iCCP', size: number): Buffer =>
  pngChunk(type, Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(size), { level: 9 })]));

export const textChunk = (text: string): Buffer => pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'));

/** Frames of an animation, all of the picture's own size. */
export function apng(frames: number): Buffer {
  const shape = { width: 16, height: 16 };
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  const frame = (sequence: number) => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(sequence, 0);
    data.writeUInt32BE(16, 4);
    data.writeUInt32BE(16, 8);
    data.writeUInt16BE(1, 20);
    data.writeUInt16BE(10, 22);
    return pngChunk('fcTL', data);
  };
  const packed = deflateSync(Buffer.alloc(16 * 49));
  const later = Array.from({ length: frames - 1 }, (_, index) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(index * 2 + 2);
    return [frame(index * 2 + 1), pngChunk('fdAT', Buffer.concat([number, packed]))];
  });
  return png(shape, { before: [pngChunk('acTL', control), frame(0)], after: later.flat() });
}

/** One segment of a JPEG: its marker, its length, its content. */
export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** After the first two bytes, where cameras put theirs. */
export const withSegments = (jpeg: Buffer, ...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** The start of its picture: the segment with its size. */
function frameAt(jpeg: Buffer): number {
  let at = 2;
  while (!(jpeg[at] === 0xff && jpeg[at + 1]! >= 0xc0 && jpeg[at + 1]! <= 0xc2)) at += 2 + jpeg.readUInt16BE(at + 2);
  return at;
}

/** Declares another size than it has. */
export function claimSize(jpeg: Buffer, width: number, height: number): Buffer {
  const claimed = Buffer.from(jpeg);
  const at = frameAt(claimed);
  claimed.writeUInt16BE(height, at + 5);
  claimed.writeUInt16BE(width, at + 7);
  return claimed;
}

export function claimChannels(jpeg: Buffer, channels: number): Buffer {
  const claimed = Buffer.from(jpeg);
  claimed[frameAt(claimed) + 9] = channels;
  return claimed;
}

/** The scans of a progressive picture, the last repeated many times: each is decoded over the whole again. */
export function manyScans(progressive: Buffer, times: number): Buffer {
  const last = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
  const end = progressive.length - 2;
  const scan = progressive.subarray(last, end);
  return Buffer.concat([progressive.subarray(0, last), ...Array.from({ length: times }, () => scan), progressive.subarray(end)]);
}

/** A container of WebP chunks, with its own declared length. */
export function riff(parts: readonly Buffer[], length?: number): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(length ?? body.length, 4);
  return Buffer.concat([head, body]);
}

export function riffPart(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** The chunk that lists the others and the total size. */
export function canvas(width: number, height: number, flags = 0): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return riffPart('VP8X', data);
}

/** Its chunks, without the container. */
export const webpParts = (webp: Buffer): Buffer => webp.subarray(12);

/**
 * A grey progressive picture in any number of scans, each legal and over the whole of it: a few bytes per scan keep a decoder
 * busy while it walks every block again.
 */
export function scanBomb(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const frame = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]);
  /** One code, a single zero bit, for this symbol. */
  const table = (id: number, symbol: number) =>
    segment(0xc4, Buffer.from([id, 1, ...Array.from({ length: 15 }, () => 0), symbol]));
  const scan = (from: number, to: number, bits: number, data: Buffer) =>
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, from, to, bits])), data]);
  // For every block only its mean, which is zero; then runs of 32 767 empty blocks, fifteen bits each.
  const means = scan(0, 0, 0, Buffer.alloc(Math.ceil(blocks / 8)));
  const runs = Math.ceil(blocks / 32_767);
  const bits = `${'0'.padEnd(15, '1')}`.repeat(runs).padEnd(Math.ceil((runs * 15) / 8) * 8, '1');
  const empty = Buffer.from(
    bits.match(/.{8}/g)!.flatMap((byte) => (byte === '11111111' ? [255, 0] : [Number.parseInt(byte, 2)])),
  );
  // Each frequency at its coarsest first, then finer bit by bit: thirteen scans for each of sixty-three.
  const all = Array.from({ length: 63 }, (_, index) => index + 1).flatMap((at) =>
    Array.from({ length: 14 }, (_, step) => scan(at, at, step === 0 ? 13 : ((14 - step) << 4) | (13 - step), empty)),
  );
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 1)])),
    segment(0xc2, frame),
    table(0x00, 0),
    table(0x10, 0xe0),
    means,
    ...all.slice(0, scans),
    Buffer.from([0xff, 0xd9]),
  ]);
}
