// Pictures as phones and cameras make them, turned into what is shown: upright, of a bounded size, and without what the file says of
// its place, its device and its maker. What comes out was drawn by us, so nothing that hid in the file comes along.
import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { decodeCost } from './image-cost.ts';

const MAX_SIDE = 2560;
const MAX_THUMBNAIL_SIDE = 480;
/** Cameras and programs write ten or so; each is one more walk over the whole picture. */
const MAX_SCANS = 40;
/** Forty megapixels of a progressive photo as phones and programs write it are 120. */
const MAX_WHOLE_BYTES = 128_000_000;

export interface ResizeJob {
  readonly path: string;
  /** Where they are to be written. */
  readonly picture: string;
  readonly thumbnail: string;
  readonly maxPixels: number;
}

export type ResizeResult = 'done' | 'too_large' | 'unreadable';

sharp.cache(false);
sharp.concurrency(1);
// Everything else that the library could read stays shut, whatever a file says it is.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'] });

export async function resizeImage({ path, picture, thumbnail, maxPixels }: ResizeJob): Promise<ResizeResult> {
  const { scans, wholeBytes } = decodeCost(await readFile(path));
  if (scans > MAX_SCANS) return 'unreadable';
  if (wholeBytes > MAX_WHOLE_BYTES) return 'too_large';
  const result = await resize(open(path, maxPixels), MAX_SIDE, 82, picture);
  return result === 'done' ? resize(open(picture, maxPixels), MAX_THUMBNAIL_SIDE, 76, thumbnail) : result;
}

const open = (path: string, limitInputPixels: number): Sharp =>
  // What cannot be drawn whole is refused. Odd notes in the file (a wrong profile, stray bytes) are common in good photos.
  sharp(path, { failOn: 'error', limitInputPixels, sequentialRead: true });

async function resize(source: Sharp, maxSide: number, quality: number, to: string): Promise<ResizeResult> {
  let image: Buffer;
  try {
    // Into memory, where it is small by now: whatever fails here was the picture's fault, and what fails after is the disk's.
    image = await source
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
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
