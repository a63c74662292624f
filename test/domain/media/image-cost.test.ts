import sharp from 'sharp';
import { expect, test } from 'vitest';
import { decodeCost } from '../../../src/domain/media/image-cost.ts';
import { manyScans, png, scanBomb, segment, withSegments } from '../../hostile/picture-bytes.ts';

const plain = () => sharp({ create: { width: 801, height: 600, channels: 3, background: '#884422' } });
const baseline = await plain().jpeg().toBuffer();
const progressive = await plain().jpeg({ progressive: true }).toBuffer();

test('a picture decoded line by line is cheap', async () => {
  expect(decodeCost(baseline)).toEqual({ scans: 1, wholeBytes: 0 });
  for (const light of [
    await plain().png().toBuffer(),
    await plain().webp().toBuffer(),
    Buffer.alloc(0),
    Buffer.from([0xff, 0xd8]),
  ])
    expect(decodeCost(light).wholeBytes).toBe(0);
});

test('a progressive one is held in memory: two bytes for every number of every block', async () => {
  // 101 × 75 blocks of luma, and half as many in each direction for either chroma.
  expect(decodeCost(progressive).wholeBytes).toBe((101 * 75 + 2 * 51 * 38) * 128);
  const full = await plain().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
  expect(decodeCost(full).wholeBytes).toBe(3 * 101 * 75 * 128);
  expect(decodeCost(progressive).scans).toBeGreaterThan(5);
  expect(decodeCost(progressive).scans).toBeLessThan(20);
});

test('so is an interlaced png, and only such a one', () => {
  const shape = { width: 300, height: 200, depth: 16, colour: 6 };
  expect(decodeCost(png(shape)).wholeBytes).toBe(0);
  expect(decodeCost(png({ ...shape, interlaced: true })).wholeBytes).toBe(300 * 200 * 8);
});

test('scans are counted to the end of the picture, excluding embedded and appended pictures', () => {
  expect(decodeCost(scanBomb(800, 600, 200)).scans).toBe(201);
  const { scans } = decodeCost(progressive);
  expect(decodeCost(manyScans(progressive, 50)).scans).toBe(scans + 49);
  expect(decodeCost(withSegments(baseline, segment(0xe1, progressive.subarray(0, 60_000)))).scans).toBe(1);
  expect(decodeCost(Buffer.concat([baseline, progressive])).scans).toBe(1);
  expect(decodeCost(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xff]), baseline.subarray(3)])).scans).toBe(1);
});

test('terminates for any input', () => {
  for (let at = 0; at < progressive.length; at += 97) decodeCost(progressive.subarray(0, at));
  decodeCost(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, 0xff)]));
  decodeCost(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000)]));
});
