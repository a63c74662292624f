// Hostile files as a photo: bombs, truncated files, disguises, and odd ones that are valid photos.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import {
  apng,
  canvas,
  claimChannels,
  claimSize,
  manyScans,
  packedChunk,
  png,
  pngChunk,
  pngData,
  pngHead,
  riff,
  riffPart,
  scanBomb,
  segment,
  textChunk,
  webpParts,
  withSegments,
} from './picture-bytes.ts';

export interface HostileFile {
  readonly name: string;
  readonly content: Buffer;
  /** `drawn`: it is a valid photo. `either`: as the decoder decides; if accepted, nothing hidden is kept. */
  readonly outcome: 'refused' | 'drawn' | 'either';
}

/** Content hidden in a file that must never be in what is served. */
export const HIDDEN = '<script>alert(document.cookie)</script>';

const MB = 1024 * 1024;
const plain = () => sharp({ create: { width: 320, height: 240, channels: 3, background: '#884422' } });
const noisy = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 30 } } });

const refused = (name: string, content: Buffer): HostileFile => ({ name, content, outcome: 'refused' });
const isDrawn = (name: string, content: Buffer): HostileFile => ({ name, content, outcome: 'drawn' });
const either = (name: string, content: Buffer): HostileFile => ({ name, content, outcome: 'either' });

export async function hostileFiles(): Promise<HostileFile[]> {
  const jpeg = await noisy(320, 240).jpeg().toBuffer();
  const webp = await noisy(320, 240).webp().toBuffer();
  return [
    ...bombs(jpeg),
    ...(await slowPictures()),
    ...truncated('jpeg', jpeg),
    ...truncated('png', await noisy(120, 90).png().toBuffer()),
    ...truncated('webp', webp),
    ...disguises(jpeg),
    ...(await oddPngs()),
    ...(await oddJpegs(jpeg)),
    ...(await oddWebps(webp)),
    ...(await otherPictures()),
    ...otherFiles(),
    ...polyglots(jpeg, webp),
  ];
}

function bombs(jpeg: Buffer): HostileFile[] {
  const small = { width: 10, height: 10 };
  const claimed = (width: number, height: number) =>
    Buffer.concat([pngStart, pngHead({ width, height }), pngData(small), pngEnd]);
  const [pngStart, pngEnd] = [Buffer.from('89504e470d0a1a0a', 'hex'), pngChunk('IEND')];
  const square = { width: 20_000, height: 20_000, depth: 1, colour: 0 };
  return [
    refused('png of 20 000 × 20 000 in 50 kB', png(square)),
    refused('png of 20 000 × 20 000, interlaced', png({ ...square, interlaced: true })),
    refused(
      'interlaced png of sixteen bits and forty megapixels',
      png({ width: 6300, height: 6300, depth: 16, colour: 6, interlaced: true }),
    ),
    isDrawn('interlaced png', png({ width: 300, height: 200, interlaced: true })),
    refused('png just above forty megapixels', png({ width: 8001, height: 5000, depth: 1, colour: 0 })),
    isDrawn('png of exactly forty megapixels', png({ width: 8000, height: 5000, depth: 1, colour: 0 })),
    refused('png that claims 65 535 × 65 535', claimed(65_535, 65_535)),
    refused('png that claims 2 147 483 647 × 2 147 483 647', claimed(2_147_483_647, 2_147_483_647)),
    refused('png that claims 4 294 967 295 × 1', claimed(4_294_967_295, 1)),
    refused('png that claims 40 000 001 × 1', claimed(40_000_001, 1)),
    refused('png that claims 1 × 40 000 001', claimed(1, 40_000_001)),
    refused('png of no size', claimed(0, 0)),
    refused('png of no height', claimed(100, 0)),
    either('png whose data is of 50 MB and whose size is 10 × 10', png(small, { data: pngData({ width: 4000, height: 4000 }) })),
    either('png with a packed text of 50 MB', png(small, { before: [packedChunk('zTXt', 50 * MB)] })),
    either('png with a packed profile of 50 MB', png(small, { before: [packedChunk('iCCP', 50 * MB)] })),
    either('png with 20 000 texts', png(small, { before: Array.from({ length: 20_000 }, () => textChunk('x')) })),
    either('png with 5 MB of text', png(small, { before: [textChunk('x'.repeat(5 * MB))] })),
    either('png with 5 MB of EXIF', png(small, { before: [pngChunk('eXIf', Buffer.alloc(5 * MB))] })),
    refused('jpeg that claims 65 500 × 65 500', claimSize(jpeg, 65_500, 65_500)),
    refused('jpeg that claims 65 500 × 700', claimSize(jpeg, 65_500, 700)),
    either('jpeg that claims 5 000 × 5 000', claimSize(jpeg, 5000, 5000)),
    refused('jpeg of no size', claimSize(jpeg, 0, 0)),
    refused(
      'webp that claims 16 384 × 16 384',
      riff([canvas(16_384, 16_384), riffPart('VP8L', Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f]))]),
    ),
    refused(
      'webp whose canvas is 16 777 216 × 16 777 216',
      riff([canvas(2 ** 24, 2 ** 24, 2), riffPart('ANIM', Buffer.alloc(6))]),
    ),
    refused('a packed file of 100 MB called a photo', gzipSync(Buffer.alloc(100 * MB))),
    refused('8 MB of nothing after the first bytes of a jpeg', Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(8 * MB - 20)])),
    refused('8 MB of noise after the first bytes of a jpeg', Buffer.concat([jpeg.subarray(0, 20), randomBytes(8 * MB - 20)])),
    refused('more than 8 MB', Buffer.concat([jpeg, Buffer.alloc(8 * MB)])),
    refused('no bytes at all', Buffer.alloc(0)),
    refused('one byte', Buffer.from([0xff])),
  ];
}

/** Each scan of a progressive picture is decoded over the whole of it: a small file can keep a decoder busy for minutes. */
async function slowPictures(): Promise<HostileFile[]> {
  const progressive = await plain().resize(6000, 6000).jpeg({ progressive: true, quality: 30 }).toBuffer();
  const small = await noisy(320, 240).jpeg({ progressive: true }).toBuffer();
  return [
    isDrawn('progressive jpeg of twenty legal scans', scanBomb(800, 600, 20)),
    refused('progressive jpeg of 36 megapixels in sixty legal scans', scanBomb(6000, 6000, 60)),
    refused('progressive jpeg of 36 megapixels in 882 legal scans of 60 bytes', scanBomb(6000, 6000, 882)),
    refused(
      'progressive jpeg of 36 megapixels in full colour',
      await plain().resize(6000, 6000).jpeg({ progressive: true, quality: 20, chromaSubsampling: '4:4:4' }).toBuffer(),
    ),
    either('progressive jpeg of 36 megapixels with a hundred scans', manyScans(progressive, 100)),
    refused('progressive jpeg of 36 megapixels with a thousand scans', manyScans(progressive, 1000)),
    either('progressive jpeg with two hundred small scans', manyScans(small, 200)),
  ];
}

function truncated(kind: string, whole: Buffer): HostileFile[] {
  const shares = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95];
  const cuts = [2, 3, 4, 8, 12, 16, 20, 33, ...shares.map((share) => Math.floor(whole.length * share))];
  return cuts.map((at) => refused(`${kind} cut off after ${at} of ${whole.length} bytes`, whole.subarray(0, at)));
}

function disguises(jpeg: Buffer): HostileFile[] {
  const text = (content: string) => Buffer.from(content, 'utf8');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${HIDDEN}<image href="file:///etc/passwd"/></svg>`;
  return [
    refused('svg with a script', text(svg)),
    refused('svg with its declaration', text(`<?xml version="1.0"?>${svg}`)),
    refused(
      'svg with an entity',
      text(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg.replace('</svg>', '&x;</svg>')}`),
    ),
    refused('svg with a thousand million laughs', text(laughs())),
    refused('packed svg', gzipSync(svg)),
    refused('html', text(`<!doctype html>${HIDDEN}`)),
    refused('html after the first bytes of a jpeg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), text(HIDDEN)])),
    refused('html after the first bytes of a png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), text(HIDDEN)])),
    refused('html after the first bytes of a webp', Buffer.concat([text('RIFF____WEBP'), text(HIDDEN)])),
    refused(
      'php after the first bytes of a jpeg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), text('<?php system($_GET[0]); ?>')]),
    ),
    refused('an ImageMagick script', text('push graphic-context\nfill "url(https://127.0.0.1/x.jpg|id)"\npop graphic-context')),
    refused('an ImageMagick address', text('url:https://127.0.0.1:1/')),
    refused('postscript', text('%!PS\n(/etc/passwd) (r) file')),
    refused('a script for the shell', text('#!/bin/sh\nid')),
    refused('json', text('{"file":"x"}')),
    refused('the bytes of a jpeg in reverse', Buffer.from(jpeg).reverse()),
    refused('a jpeg in base64', text(jpeg.toString('base64'))),
    refused('a jpeg after a line break', Buffer.concat([text('\r\n'), jpeg])),
  ];
}

const laughs = (): string => {
  const levels = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join('');
  return `<!DOCTYPE svg [<!ENTITY l0 "ha">${levels}]><svg xmlns="http://www.w3.org/2000/svg"><text>&l9;</text></svg>`;
};

async function oddPngs(): Promise<HostileFile[]> {
  const small = { width: 16, height: 16 };
  const whole = png(small);
  const damaged = Buffer.from(whole);
  damaged[damaged.length - 20]! ^= 0xff;
  return [
    isDrawn('png of one bit', png({ ...small, depth: 1, colour: 0 })),
    isDrawn('png with a palette', png({ ...small, depth: 1, colour: 3 })),
    isDrawn('png of sixteen bits', await plain().toColourspace('rgb16').png().toBuffer()),
    isDrawn('png with grey and alpha', png({ ...small, colour: 4 })),
    isDrawn('png of nothing but alpha', png({ ...small, colour: 6 })),
    isDrawn('png of one pixel', png({ width: 1, height: 1 })),
    isDrawn('png of 1 × 20 000', png({ width: 1, height: 20_000 })),
    either('png with three frames', apng(3)),
    either('png with two thousand frames', apng(2000)),
    either('png with a wrong checksum', damaged),
    refused('png without a picture', png(small, { data: Buffer.alloc(0) })),
    refused('png whose first part is not its head', Buffer.concat([whole.subarray(0, 8), pngChunk('IDAT'), whole.subarray(8)])),
    refused(
      'png with a part of two gigabytes',
      Buffer.concat([whole.subarray(0, 33), Buffer.from('7fffffff49444154', 'hex'), Buffer.alloc(50)]),
    ),
    refused('png of a depth there is not', png({ ...small, depth: 3, colour: 0 }, { data: pngData(small) })),
    refused('png of a colour there is not', png({ ...small, colour: 2 }).fill(5, 25, 26)),
  ];
}

async function oddJpegs(jpeg: Buffer): Promise<HostileFile[]> {
  const exif = (length: number) =>
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'), Buffer.alloc(length, 0xff)]));
  const xmp = segment(
    0xe1,
    Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${HIDDEN}${'x'.repeat(60_000)}</x:xmpmeta>`, 'latin1'),
  );
  const profile = (part: number, of: number) =>
    segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.from([part, of]), randomBytes(60_000)]));
  return [
    isDrawn('jpeg in CMYK', await plain().toColourspace('cmyk').jpeg().toBuffer()),
    isDrawn('jpeg in grey', await plain().greyscale().jpeg().toBuffer()),
    isDrawn(
      'jpeg with where and by whom',
      await plain()
        .withExif({ IFD0: { Artist: HIDDEN }, IFD3: { GPSLatitude: '35/1 10/1 0/1' } })
        .jpeg()
        .toBuffer(),
    ),
    isDrawn('jpeg on its side', await plain().withMetadata({ orientation: 6 }).jpeg().toBuffer()),
    isDrawn('jpeg with a remark', withSegments(jpeg, segment(0xfe, Buffer.from(HIDDEN)))),
    either('jpeg with EXIF that points nowhere', withSegments(jpeg, exif(200))),
    either('jpeg with a hundred EXIFs', withSegments(jpeg, ...Array.from({ length: 100 }, () => exif(60_000)))),
    either(
      'jpeg with EXIF that points at itself',
      withSegments(
        jpeg,
        segment(0xe1, Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x08\0\0\0\x08', 'latin1')),
      ),
    ),
    either('jpeg with a hundred XMPs', withSegments(jpeg, ...Array.from({ length: 100 }, () => xmp))),
    either(
      'jpeg with a profile of noise in a hundred parts',
      withSegments(jpeg, ...Array.from({ length: 100 }, (_, part) => profile(part + 1, 100))),
    ),
    either('jpeg with a profile whose parts do not add up', withSegments(jpeg, profile(7, 3), profile(0, 0), profile(255, 255))),
    either(
      'jpeg with 7 MB of remarks',
      withSegments(jpeg, ...Array.from({ length: 112 }, () => segment(0xfe, Buffer.alloc(65_000, 65)))),
    ),
    refused('jpeg that claims 255 channels', claimChannels(jpeg, 255)),
    either('jpeg with a segment of length 0', withSegments(jpeg, Buffer.from([0xff, 0xe0, 0, 0]))),
    refused('jpeg of nothing but its ends', Buffer.from([0xff, 0xd8, 0xff, 0xd9])),
    either('jpeg whose tables are noise', noiseIn(jpeg, 0xdb)),
    either('jpeg whose codes are noise', noiseIn(jpeg, 0xc4)),
    either('jpeg whose picture is noise', Buffer.concat([jpeg.subarray(0, 700), randomBytes(20_000)])),
    either(
      'jpeg in a jpeg',
      withSegments(jpeg, segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), jpeg.subarray(0, 60_000)]))),
    ),
  ];
}

function noiseIn(jpeg: Buffer, marker: number): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, marker]));
  const length = jpeg.readUInt16BE(at + 2) - 2;
  return Buffer.concat([jpeg.subarray(0, at + 4), randomBytes(length), jpeg.subarray(at + 4 + length)]);
}

async function oddWebps(webp: Buffer): Promise<HostileFile[]> {
  const frames = await Promise.all(
    Array.from({ length: 4 }, (_, index) =>
      plain()
        .tint(`hsl(${index * 90}, 50%, 50%)`)
        .png()
        .toBuffer(),
    ),
  );
  const animated = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
  const monster = (name: string) =>
    riff([
      canvas(320, 240, name === 'EXIF' ? 8 : name === 'ICCP' ? 32 : 4),
      riffPart(name, Buffer.alloc(6 * MB, 0x41)),
      webpParts(webp),
    ]);
  return [
    isDrawn('webp without loss', await plain().webp({ lossless: true }).toBuffer()),
    isDrawn('webp with alpha', await plain().ensureAlpha(0.5).webp().toBuffer()),
    either('webp with four frames', animated),
    either('webp with 6 MB of EXIF', monster('EXIF')),
    either('webp with 6 MB of XMP', monster('XMP ')),
    either('webp with a profile of 6 MB', monster('ICCP')),
    either('webp that claims to be four gigabytes long', riff([webpParts(webp)], 0xffff_ffff)),
    refused('webp that claims to be empty', riff([webpParts(webp)], 4)),
    refused('webp of nothing', riff([])),
    refused('webp of noise', riff([riffPart('VP8 ', randomBytes(5000))])),
    refused('webp of noise without loss', riff([riffPart('VP8L', Buffer.concat([Buffer.from([0x2f]), randomBytes(5000)]))])),
    either('webp whose canvas is not its picture', riff([canvas(16_000, 2000), webpParts(webp)])),
  ];
}

async function otherPictures(): Promise<HostileFile[]> {
  const made = await Promise.all(
    (['gif', 'tiff', 'avif'] as const).map(async (format) =>
      refused(`${format} called a jpeg`, await plain().toFormat(format).toBuffer()),
    ),
  );
  const bmp = Buffer.alloc(54 + 300);
  bmp.write('BM');
  bmp.writeUInt32LE(bmp.length, 2);
  const heads: [string, string][] = [
    ['heic', '000000186674797068656963000000006d69663168656963'],
    ['an icon', '00000100010010100000010020006804000016000000'],
    ['a cursor', '0000020001001010000001002000680400001600'],
    ['jpeg 2000', '0000000c6a5020200d0a870a'],
    ['jpeg xl', '0000000c4a584c200d0a870a'],
    ['photoshop', '38425053000100000000000000030000'],
    ['big tiff', '49492b00080000001000000000000000'],
    ['a raw photo of Canon', '49492a001000000043520200'],
    ['OpenEXR', '762f310102000000'],
    ['radiance', '233f52414449414e43450a'],
    ['a fits table', '53494d504c4520203d20202020202020'],
    ['targa', '00000200000000000000000010001000'],
    ['portable pixmap', '50360a31302031300a3235350a'],
    ['a mat file', '4d41544c414220352e30204d41542d66696c65'],
  ];
  return [
    ...made,
    refused('bmp', bmp),
    ...heads.map(([name, hex]) => refused(name, Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(2000)]))),
  ];
}

function otherFiles(): HostileFile[] {
  const heads: [string, string][] = [
    ['pdf', '255044462d312e370a'],
    ['zip', '504b0304140000000800'],
    ['an empty zip', '504b05060000000000000000000000000000000000'],
    ['gzip', '1f8b0800000000000003'],
    ['7z', '377abcaf271c0004'],
    ['rar', '526172211a0701'],
    ['xz', 'fd377a585a00'],
    ['zstd', '28b52ffd'],
    ['a Windows program', '4d5a90000300000004000000'],
    ['a Linux program', '7f454c460201010000000000'],
    ['a Java class', 'cafebabe0000003d'],
    ['wasm', '0061736d01000000'],
    ['mp4', '0000002066747970697' + '36f6d0000020069736f6d'],
    ['mp3', '494433040000000000'],
    ['wav', '524946462400000057415645666d7420'],
    ['avi', '52494646240000004156492'.padEnd(32, '0')],
    ['sqlite', '53514c69746520666f726d6174203300'],
    ['an old Office file', 'd0cf11e0a1b11ae1'],
  ];
  return heads.map(([name, hex]) => refused(name, Buffer.concat([Buffer.from(hex, 'hex'), randomBytes(3000)])));
}

/** A photo to one reader and another format to another. After re-encoding only the photo is left. */
function polyglots(jpeg: Buffer, webp: Buffer): HostileFile[] {
  const zip = Buffer.concat([
    Buffer.from('504b0304', 'hex'),
    Buffer.from(`x.html${HIDDEN}`),
    Buffer.from('504b0506', 'hex'),
    Buffer.alloc(18),
  ]);
  const js = segment(0xe0, Buffer.from(`*/=1;${HIDDEN}/*`));
  const small = { width: 16, height: 16 };
  return [
    either('jpeg and zip', Buffer.concat([jpeg, zip])),
    either('jpeg and html', Buffer.concat([jpeg, Buffer.from(HIDDEN)])),
    either('jpeg and javascript', withSegments(jpeg, js)),
    either('jpeg and php in its remark', withSegments(jpeg, segment(0xfe, Buffer.from(`<?php echo 1; ?>${HIDDEN}`)))),
    either('jpeg and pdf', withSegments(jpeg, segment(0xfe, Buffer.from(`%PDF-1.7\n${HIDDEN}`)))),
    either('png and zip', Buffer.concat([png(small), zip])),
    either('png and html in its text', png(small, { before: [textChunk(HIDDEN)] })),
    either('png and html after its end', Buffer.concat([png(small), Buffer.from(HIDDEN)])),
    either('webp and html', Buffer.concat([webp, Buffer.from(HIDDEN)])),
    either('webp and zip in a separate chunk', riff([webpParts(webp), riffPart('JUNK', zip)])),
    refused('gif and jar', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100), zip])),
    refused('gif and javascript', Buffer.from(`GIF89a/*${'\0'.repeat(50)}*/=1;${HIDDEN}`)),
    refused('bmp and javascript', Buffer.from(`BM/*${'\0'.repeat(50)}*/=1;${HIDDEN}`)),
    refused('pdf and jpeg', Buffer.concat([Buffer.from('%PDF-1.7\n'), jpeg])),
    refused('zip and jpeg', Buffer.concat([zip, jpeg])),
    refused('html and jpeg', Buffer.concat([Buffer.from(HIDDEN), jpeg])),
  ];
}
