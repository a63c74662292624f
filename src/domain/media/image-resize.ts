// Converts photos from phones and cameras: upright, of bounded size, and without metadata on location or device. The result is
// encoded again, so nothing else that was hidden in the file remains.
import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { decodeCost } from './image-cost.ts';

interface Look {
  readonly width: number;
  readonly height: number;
  readonly quality: number;
}

const PICTURE: Look = { width: 2560, height: 2560, quality: 82 };
const THUMBNAIL: Look = { width: 480, height: 480, quality: 76 };
/** For a letterhead, at over 400 dots per inch. */
const LOGO: Look = { width: 540, height: 252, quality: 88 };
/** Usual files have about ten; each scan means reading the whole picture once more. */
const MAX_SCANS = 40;
/** A usual progressive photo of forty megapixels takes 120 MB. */
const MAX_WHOLE_BYTES = 128_000_000;

export interface ResizeJob {
  readonly path: string;
  /** The paths to which the results are written. */
  readonly picture: string;
  /** Null for a logo, which is small itself. */
  readonly thumbnail: string | null;
  readonly maxPixels: number;
}

export type ResizeResult = 'done' | 'too_large' | 'unreadable';

sharp.cache(false);
sharp.concurrency(1);
// All other formats that the library supports are blocked.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'] });

export async function resizeImage({ path, picture, thumbnail, maxPixels }: ResizeJob): Promise<ResizeResult> {
  const { scans, wholeBytes } = decodeCost(await readFile(path));
  if (scans > MAX_SCANS) return 'unreadable';
  if (wholeBytes > MAX_WHOLE_BYTES) return 'too_large';
  const result = await resize(open(path, maxPixels), thumbnail === null ? LOGO : PICTURE, picture);
  return result === 'done' && thumbnail !== null ? resize(open(picture, maxPixels), THUMBNAIL, thumbnail) : result;
}

const DRAWING = { width: 720, quality: 72 } as const;
const SMALL_DRAWING = { width: 360, quality: 68 } as const;

/** A picture that this project draws, never one that was sent: SVG can only be loaded in a process that calls this. */
export async function drawSvg(svg: string, picture: string, thumbnail: string): Promise<void> {
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
  // Drawings are 480 wide at 72 dots per inch.
  const source = sharp(Buffer.from(svg), { density: (72 * DRAWING.width) / 480 }).flatten({ background: '#ffffff' });
  await Promise.all([
    source.clone().jpeg({ quality: DRAWING.quality }).toFile(picture),
    source.clone().resize(SMALL_DRAWING.width).jpeg({ quality: SMALL_DRAWING.quality }).toFile(thumbnail),
  ]);
}

const open = (path: string, limitInputPixels: number): Sharp =>
  // A picture that cannot be decoded completely is refused. Warnings (a wrong profile, stray bytes) are common in good photos and
  // ignored.
  sharp(path, { failOn: 'error', limitInputPixels, sequentialRead: true });

async function resize(source: Sharp, { width, height, quality }: Look, to: string): Promise<ResizeResult> {
  let image: Buffer;
  try {
    // Encoded into memory first, so that a failure here is the picture's fault and a failure on writing is the disk's.
    image = await source
      .autoOrient()
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality })
      .toBuffer();
  } catch (error) {
    return /pixel limit/i.test((error as Error).message) ? 'too_large' : 'unreadable';
  }
  await writeFile(to, image, { mode: 0o600 });
  return 'done';
}
