// Estimates the cost of decoding a picture from its header, before a decoder reads it. Most pictures are decoded line by line;
// some must be in memory as a whole, or are read completely once for every scan, and a small file can require a lot of either.

export interface DecodeCost {
  /** How often a decoder reads the whole picture. */
  readonly scans: number;
  /** Memory for pictures that cannot be decoded line by line. */
  readonly wholeBytes: number;
}

const LIGHT: DecodeCost = { scans: 1, wholeBytes: 0 };

/** Broken files are not refused here; the decoder does that. */
export function decodeCost(file: Buffer): DecodeCost {
  if (file.length > 4 && file.readUInt16BE(0) === 0xffd8) return jpegDecodeCost(file);
  if (file.length > 32 && file.readUInt32BE(0) === 0x8950_4e47) return pngDecodeCost(file);
  return LIGHT;
}

/** Walks from segment to segment as a decoder does, ignoring what is inside a segment (possibly another picture). */
function jpegDecodeCost(file: Buffer): DecodeCost {
  let scans = 0;
  let coefficients = 0;
  let isProgressive = false;
  for (let at = 2; at >= 0 && at + 4 <= file.length; ) {
    const marker = file[at + 1]!;
    if (file[at] !== 0xff) at = file.indexOf(0xff, at);
    else if (marker === 0xff) at += 1;
    // Stuffed bytes, restart markers and the like have no length field.
    else if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker === 0xd9) break;
    else {
      if (marker === 0xda) scans += 1;
      if (isFrame(marker)) {
        coefficients = Math.max(coefficients, coefficientBytes(file.subarray(at + 4)));
        isProgressive ||= (marker & 3) === 2;
      }
      at += 2 + file.readUInt16BE(at + 2);
    }
  }
  return { scans, wholeBytes: isProgressive || scans > 1 ? coefficients : 0 };
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Each 8×8 block of each channel has 64 coefficients of two bytes. */
function coefficientBytes(frame: Buffer): number {
  const channels = frame[5] ?? 0;
  if (frame.length < 6 + 3 * channels) return 0;
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)];
  const sampling = Array.from({ length: channels }, (_, index) => frame[7 + 3 * index]!).map(
    (both) => [both >> 4, both & 15] as const,
  );
  const [maxAcross, maxDown] = [0, 1].map((index) => Math.max(1, ...sampling.map((one) => one[index]!)));
  const blocks = sampling.map(
    ([across, down]) => Math.ceil((width * across) / maxAcross! / 8) * Math.ceil((height * down) / maxDown! / 8),
  );
  return blocks.reduce((sum, count) => sum + count * 128, 0);
}

const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** An interlaced PNG is complete only after its last pass, so it is held in memory. */
function pngDecodeCost(file: Buffer): DecodeCost {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const [depth, colour, interlace] = [file[24]!, file[25]!, file[28]!];
  return interlace === 0 ? LIGHT : { scans: 1, wholeBytes: (width * height * depth * (PNG_CHANNELS[colour] ?? 4)) / 8 };
}
