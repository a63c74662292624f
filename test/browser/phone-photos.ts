// Photos as phones take them: of up to twelve megapixels, held upright or on the side and marked so, with the place they were taken at.
import sharp from 'sharp';

export interface PhonePhoto {
  readonly name: string;
  readonly mimeType: 'image/jpeg';
  readonly buffer: Buffer;
}

/** How the camera was held: the rotation that makes the stored picture upright. */
const HELD = [
  { orientation: 1, stored: 0, upright: false },
  { orientation: 6, stored: 270, upright: true },
  { orientation: 3, stored: 180, upright: false },
  { orientation: 8, stored: 90, upright: true },
] as const;

/** Each has its own colour, so that it can be recognised later. */
export const colourOf = (index: number): string => `hsl(${index * 45} 55% 45%)`;

const scene = (index: number, width: number, height: number): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none" width="${width}" height="${height}">
    <rect width="100" height="40" fill="#fff" fill-opacity="0.9"/>
    <rect x="12" y="52" width="76" height="18" rx="6" fill="#16181d"/>
    <path d="M24 52 L36 40 H64 L76 52 Z" fill="#16181d"/>
    <circle cx="30" cy="71" r="7" fill="#3b3f47"/><circle cx="70" cy="71" r="7" fill="#3b3f47"/>
    <text x="50" y="32" font-size="24" font-family="sans-serif" text-anchor="middle" fill="#16181d">${index + 1}</text>
  </svg>`);

/** Its upper two fifths are white, its lower edge is of its colour: so one sees which way up it is. */
export async function phonePhoto(index: number): Promise<PhonePhoto> {
  const held = HELD[index % HELD.length]!;
  // One of each kind in full; of the others a quarter of the pixels.
  const [long, short] = index < HELD.length ? [4032, 3024] : [2016, 1512];
  const [width, height] = held.upright ? [short, long] : [long, short];
  // Drawn small and blown up: the same number of pixels for a tenth of the work.
  const small = { width: width / 4, height: height / 4, channels: 3 } as const;
  const grain = sharp({ create: { ...small, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } } });
  const drawn = await sharp({ create: { ...small, background: colourOf(index) } })
    .composite([
      { input: await grain.png({ compressionLevel: 1 }).toBuffer(), blend: 'soft-light' },
      { input: scene(index, small.width, small.height) },
    ])
    .removeAlpha()
    .raw()
    .toBuffer();
  const buffer = await sharp(drawn, { raw: small })
    .resize(long, short)
    .rotate(held.stored)
    .withExif({
      IFD0: { Make: 'Telefon', Model: 'Gizli Model' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '35/1 20/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '33/1 19/1 0/1' },
    })
    .withMetadata({ orientation: held.orientation })
    .jpeg({ quality: 97 })
    .toBuffer();
  return { name: `IMG_${4120 + index}.JPG`, mimeType: 'image/jpeg', buffer };
}

/** One after the other: the machine is shared. */
export async function phonePhotos(count: number): Promise<PhonePhoto[]> {
  const photos: PhonePhoto[] = [];
  for (let index = 0; index < count; index += 1) photos.push(await phonePhoto(index));
  return photos;
}

/** Small ones, where it does not matter what is in them. */
export async function smallPhoto(index: number): Promise<PhonePhoto> {
  const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background: colourOf(index) } })
    .composite([{ input: scene(index, 640, 480) }])
    .jpeg()
    .toBuffer();
  return { name: `foto-${index + 1}.jpg`, mimeType: 'image/jpeg', buffer };
}

/** Which of them this is: the colour along its lower edge. */
export async function indexOf(picture: Buffer, count: number): Promise<number> {
  const { width, height } = await sharp(picture).metadata();
  const foot = { left: 0, top: Math.floor(height * 0.9), width, height: Math.floor(height * 0.08) };
  const { channels } = await sharp(await sharp(picture).extract(foot).toBuffer()).stats();
  const seen = channels.map(({ mean }) => mean);
  const far: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const { channels: meant } = await sharp({ create: { width: 1, height: 1, channels: 3, background: colourOf(index) } })
      .png()
      .toBuffer()
      .then((pixel) => sharp(pixel).stats());
    far.push(Math.hypot(...[0, 1, 2].map((at) => seen[at]! - meant[at]!.mean)));
  }
  return far.indexOf(Math.min(...far));
}

/** White on top means that the picture is upright. */
export async function isUpright(picture: Buffer): Promise<boolean> {
  const { width, height } = await sharp(picture).metadata();
  const head = { left: 0, top: 0, width, height: Math.floor(height * 0.06) };
  const { channels } = await sharp(await sharp(picture).extract(head).toBuffer()).stats();
  return channels.slice(0, 3).every(({ mean }) => mean > 200);
}
