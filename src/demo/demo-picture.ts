// A drawn picture of a car in its colour, as a small PNG: the data needs photos, and no photo of a real car is ours to give away.
import { crc32, deflateSync } from 'node:zlib';

type Rgb = readonly [red: number, green: number, blue: number];

const PAINTS: Readonly<Record<string, Rgb>> = {
  Beyaz: [236, 238, 240],
  Siyah: [38, 40, 44],
  Gri: [132, 138, 145],
  Gümüş: [190, 195, 200],
  Füme: [84, 88, 96],
  Lacivert: [32, 48, 96],
  Mavi: [44, 104, 188],
  Kırmızı: [190, 40, 44],
  Bordo: [110, 24, 40],
  Kahverengi: [104, 72, 48],
  Bej: [206, 190, 160],
  Turuncu: [222, 120, 36],
  Yeşil: [48, 120, 80],
};
const [SKY, ROAD, GLASS, TYRE]: readonly Rgb[] = [
  [214, 226, 238],
  [168, 172, 176],
  [150, 178, 200],
  [28, 28, 30],
];

const inEllipse = (x: number, y: number, [cx, cy, rx, ry]: readonly number[]): boolean =>
  ((x - cx!) / rx!) ** 2 + ((y - cy!) / ry!) ** 2 < 1;

/** `x` and `y` between 0 and 1: a saloon from the side. */
function colourAt(x: number, y: number, paint: Rgb): Rgb {
  if (inEllipse(x, y, [0.28, 0.7, 0.075, 0.1]) || inEllipse(x, y, [0.73, 0.7, 0.075, 0.1])) return TYRE!;
  if (inEllipse(x, y, [0.5, 0.52, 0.2, 0.16]) && y < 0.5) return GLASS!;
  if (inEllipse(x, y, [0.5, 0.52, 0.25, 0.21]) && y < 0.54) return paint;
  if (x > 0.1 && x < 0.92 && y >= 0.52 && y < 0.7) return paint;
  return y < 0.66 ? SKY! : ROAD!;
}

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
};

/** A PNG of this width; the height is three quarters of it. */
export function carPicture(color: string, width: number): Buffer {
  const height = Math.round((width * 3) / 4);
  const paint = PAINTS[color] ?? PAINTS.Gri!;
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x += 1) row.set(colourAt((x + 0.5) / width, (y + 0.5) / height, paint), 1 + x * 3);
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of three colours.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.concat(rows), { level: 6 });
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}
