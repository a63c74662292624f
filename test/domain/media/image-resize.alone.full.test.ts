// The processing of an uploaded picture: upright, small enough, without metadata about place and device.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resizePhoto } from '../../../src/domain/media/image-worker-pool.ts';
import { Failure } from '../../../src/kit/errors.ts';
import { edgesOf, metadataOf, twoColours } from '../../support/pictures.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'galeri-pictures-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function drawn(bytes: Buffer): Promise<{ picture: Buffer; thumbnail: Buffer }> {
  const folder = await mkdtemp(join(home, 'one-'));
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  const files = await resizePhoto({ path, folder, sizeBytes: bytes.length, sha256: '' }, 'an account');
  expect(files.map(({ contentType }) => contentType)).toEqual(['image/jpeg', 'image/jpeg']);
  const [picture, thumbnail] = await Promise.all(files.map((file) => readFile(file.path)));
  expect(files.map(({ sizeBytes }) => sizeBytes)).toEqual([picture!.length, thumbnail!.length]);
  return { picture: picture!, thumbnail: thumbnail! };
}

const refused = (bytes: Buffer): Promise<string> =>
  drawn(bytes).then(
    () => 'drawn',
    (error) => (error instanceof Failure ? error.code : String(error)),
  );

const size = async (bytes: Buffer) => {
  const { width, height } = await metadataOf(bytes);
  return [width, height];
};

/** As a phone writes it: place, device, maker, an embedded preview. */
const EXIF = {
  IFD0: { Make: 'SECRETPHONE', Model: 'SECRETMODEL', Copyright: 'SECRETOWNER' },
  IFD2: { UserComment: 'SECRETNOTE' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '35/1 11/1 8/1', GPSLongitudeRef: 'E', GPSLongitude: '33/1 22/1 55/1' },
};

describe('is re-encoded', () => {
  test('without place, device, owner, profile or any other metadata', async () => {
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">SECRETXMP</rdf:RDF></x:xmpmeta>';
    const sent = await twoColours(640, 480).withExif(EXIF).withXmp(xmp).withIccProfile('p3').jpeg().toBuffer();
    const before = await metadataOf(sent);
    expect([before.exif, before.xmp, before.icc].every((part) => part !== undefined)).toBe(true);
    expect(sent.includes('SECRETPHONE')).toBe(true);
    for (const bytes of Object.values(await drawn(sent))) {
      const { exif, xmp: noXmp, icc, iptc, comments, orientation, density: _, ...rest } = await metadataOf(bytes);
      expect([exif, noXmp, icc, iptc, comments, orientation]).toEqual(Array(6).fill(undefined));
      expect(rest).toMatchObject({ format: 'jpeg', space: 'srgb', channels: 3, depth: 'uchar' });
      expect(bytes.includes('SECRET') || bytes.includes('GPS') || bytes.includes('Exif')).toBe(false);
    }
  });

  /** Red is on the left in sensor orientation; its expected side after applying the orientation. */
  test.each([
    [1, 'left', [64, 48]],
    [2, 'right', [64, 48]],
    [3, 'right', [64, 48]],
    [4, 'left', [64, 48]],
    [5, 'top', [48, 64]],
    [6, 'top', [48, 64]],
    [7, 'bottom', [48, 64]],
    [8, 'bottom', [48, 64]],
  ] as const)('upright when held as orientation %i', async (orientation, side, shape) => {
    const sent = await twoColours().withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer();
    for (const bytes of Object.values(await drawn(sent))) {
      expect(await size(bytes)).toEqual(shape);
      const edges = await edgesOf(bytes);
      expect(edges[side]).toBe('red');
      expect(edges[({ left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const)[side]]).toBe('blue');
    }
  });

  test('no larger than is shown, with its own proportions, and never upscaled', async () => {
    const { picture, thumbnail } = await drawn(await twoColours(4032, 3024).jpeg().toBuffer());
    expect([await size(picture), await size(thumbnail)]).toEqual([
      [2560, 1920],
      [480, 360],
    ]);
    const small = await drawn(await twoColours(40, 30).png().toBuffer());
    expect([await size(small.picture), await size(small.thumbnail)]).toEqual([
      [40, 30],
      [40, 30],
    ]);
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['png', () => twoColours().png().toBuffer()],
    ['interlaced png', () => twoColours().png({ progressive: true }).toBuffer()],
    ['png of sixteen bits', () => twoColours().toColourspace('rgb16').png().toBuffer()],
    ['png of a palette', () => twoColours().png({ palette: true }).toBuffer()],
    ['webp', () => twoColours().webp({ lossless: true }).toBuffer()],
    ['progressive jpeg', () => twoColours().jpeg({ progressive: true }).toBuffer()],
    ['cmyk jpeg', () => twoColours().toColourspace('cmyk').jpeg().toBuffer()],
    ['jpeg with bytes after its end', async () => Buffer.concat([await twoColours().jpeg().toBuffer(), Buffer.alloc(5000, 7)])],
  ])('from %s', async (_, make) => {
    const { picture } = await drawn(await make());
    expect(await metadataOf(picture)).toMatchObject({ format: 'jpeg', space: 'srgb', width: 64, height: 48 });
    expect((await edgesOf(picture)).left).toBe('red');
  });

  test('on white where it was transparent', async () => {
    const clear = sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    const { picture } = await drawn(await clear.png().toBuffer());
    expect([...(await sharp(picture).raw().toBuffer()).subarray(0, 3)].every((value) => value > 250)).toBe(true);
  });

  test('as its first frame if it is animated', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 32, height: 32, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(2);
    const { picture } = await drawn(moving);
    expect(await size(picture)).toEqual([32, 32]);
    expect((await edgesOf(picture)).left).toBe('red');
  });
});

describe('is refused', () => {
  const jpeg = () => twoColours(640, 480).jpeg().toBuffer();

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['a gif', () => twoColours().gif().toBuffer()],
    ['a tiff', () => twoColours().tiff().toBuffer()],
    ['an avif', () => twoColours().avif({ effort: 0 }).toBuffer()],
    ['an svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')],
    ['a pdf', () => Buffer.from('%PDF-1.7\n')],
    ['html', () => Buffer.from('<!doctype html>')],
    ['a signature alone', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['an svg after the signature of a png', () => Buffer.from('\x89PNG\r\n\x1a\n<svg/>', 'latin1')],
    ['a jpeg without its end', async () => (await jpeg()).subarray(0, -600)],
    ['half a png', async () => (await twoColours(640, 480).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 20_000)],
    ['half a webp', async () => (await twoColours(640, 480).webp().toBuffer()).subarray(0, 200)],
  ])('%s', async (_, make) => {
    expect(await refused(await make())).toBe('unsupported_media_type');
  });

  test('more than forty megapixels, before they are decoded', async () => {
    const plain = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' }, limitInputPixels: false })
        .png({ compressionLevel: 9 })
        .toBuffer();
    expect(await refused(await plain(8000, 5001))).toBe('image_too_large');
    // 20 000 × 20 000 by its header, sixty by its content.
    const claims = Buffer.from(await twoColours().jpeg().toBuffer());
    const frame = claims.indexOf(Buffer.from([0xff, 0xc0]));
    claims.writeUInt16BE(20_000, frame + 5);
    claims.writeUInt16BE(20_000, frame + 7);
    expect(await refused(claims)).toBe('image_too_large');
    expect(await refused(await plain(8000, 5000))).toBe('drawn');
  });
});

test('concurrent pictures are processed in turn, and none is mixed up with another', async () => {
  const widths = Array.from({ length: 24 }, (_, index) => 40 + index * 2);
  const pictures = await Promise.all(widths.map(async (width) => drawn(await twoColours(width, 30).jpeg().toBuffer())));
  expect(await Promise.all(pictures.map(async ({ picture }) => (await size(picture))[0]))).toEqual(widths);
});

/** Linux only, which lists a process's children. */
describe.skipIf(!existsSync('/proc/self/task'))('a drawing process that dies', () => {
  async function drawers(): Promise<number[]> {
    const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
    const pids = children.split(' ').filter((pid) => pid !== '');
    const named = await Promise.all(
      pids.map(async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')]),
    );
    return named.filter(([, command]) => command!.includes('image-worker.ts')).map(([pid]) => Number(pid));
  }
  const large = () => twoColours(7000, 5000).png({ compressionLevel: 1 }).toBuffer();

  test.each([
    ['of the picture costs that picture', 'SIGSEGV', 'unsupported_media_type'],
    ['of something else leaves it to be sent again', 'SIGKILL', 'a drawing process ended'],
  ] as const)('%s', async (_, signal, outcome) => {
    const bytes = await large();
    await drawn(await twoColours().jpeg().toBuffer());
    // One of them is at work; killing all of them ends it.
    let isOver = false;
    const kill = async () => {
      while (!isOver) {
        for (const pid of await drawers()) process.kill(pid, signal);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    let drawing = refused(bytes);
    const killing = kill();
    try {
      // A kill before the picture reached the process does not count against the picture: the next one gets it.
      while ((await drawing).includes('no drawing process')) drawing = refused(bytes);
      expect(await drawing).toContain(outcome);
    } finally {
      isOver = true;
      await killing;
    }
    // The exit of the last killed process may not be noticed yet.
    const small = await twoColours().jpeg().toBuffer();
    await expect.poll(() => refused(small)).toBe('drawn');
  });

  test('does not inherit our environment', async () => {
    process.env.GALERI_TEST_SECRET = 'SECRETOFOURS';
    await drawn(await twoColours().jpeg().toBuffer());
    const [pid] = await drawers();
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('SECRETOFOURS');
    delete process.env.GALERI_TEST_SECRET;
  });
});
