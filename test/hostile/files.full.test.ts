// Hostile files as a photo, through a service as an operator starts it: refused or re-encoded, quickly, without a 5xx, without
// hidden content, and without memory growth.
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCar, ask, dataOf } from '../harness/ask.ts';
import { openWorld, type World } from '../harness/world.ts';
import { provideMigrated } from '../start/prepared.ts';
import type { Started } from '../start/process.ts';
import { patience } from '../support/patience.ts';
import { HIDDEN, hostileFiles } from './file-list.ts';
import { hostileForms } from './form-list.ts';

const FILES = await hostileFiles();
const PHOTO = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#225588' } })
  .jpeg()
  .toBuffer();
const FORMS = hostileForms(PHOTO);
/** A request without a reply by then hangs. Far above what any takes, also on a busy machine. */
const BOUND_MS = patience(60_000);
const MAX_GROWTH = 200 * 1024 * 1024;

let world: World;
let service: Started;
let vehicle: string;
let drawn = 0;
let memory: ReturnType<typeof watchMemory>;

beforeAll(async () => {
  await provideMigrated();
  world = await openWorld({ dealers: 1, postgres: 'address' });
  service = await world.serve({ env: { ALLOW_LOOPBACK_TARGETS: 'off' } });
  await newVehicle();
  // As it is after uploads: both drawing processes run.
  const large = await sharp(PHOTO).resize(4000, 3000).jpeg().toBuffer();
  const first = await Promise.all([sendFile(large), sendFile(large), sendFile(large)]);
  expect(first.map(({ status }) => status)).toEqual([201, 201, 201]);
  memory = watchMemory(service.child.pid!);
});
afterAll(async () => {
  memory?.stop();
  await world?.close();
});

async function newVehicle(): Promise<void> {
  const answer = await ask(service.ready.api, {
    method: 'POST',
    path: 'vehicles',
    key: world.dealers[0]!.key,
    body: aCar(`H ${++drawn}`),
  });
  vehicle = dataOf(answer).id;
}

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: Buffer;
}

function exchange(url: string, method: string, headers: Record<string, string>, body?: Buffer): Promise<Got> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, signal: AbortSignal.timeout(BOUND_MS) }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode!, headers: incoming.headers, content: Buffer.concat(pieces) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function sendForm(type: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  if (drawn % 20 === 19) await newVehicle();
  const sent = {
    authorization: `Bearer ${world.dealers[0]!.key}`,
    'content-type': type,
    'content-length': String(body.length),
    ...headers,
  };
  const got = await exchange(`${service.ready.api}vehicles/${vehicle}/photos`, 'POST', sent, body);
  if (got.status === 201) drawn += 1;
  return got;
}

const sendFile = (content: Buffer): Promise<Got> => {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';
  return sendForm('multipart/form-data; boundary=b', Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]));
};

/** A refusal is a 4xx in the envelope; an accepted file is a picture of ours and nothing else. */
async function expectOutcome({ status, content }: Got, outcome: 'refused' | 'drawn' | 'either'): Promise<void> {
  const text = content.toString();
  if (outcome === 'refused') expect([400, 413, 415, 422], text).toContain(status);
  else expect(outcome === 'drawn' ? [201] : [201, 400, 413, 415, 422], text).toContain(status);
  const reply = JSON.parse(text);
  expect(reply.success).toBe(status === 201);
  if (status !== 201) return expect(reply.error.code).toMatch(/^[a-z_]+$/);
  for (const link of [reply.data.url, reply.data.thumbnail_url]) await expectPlainPicture(link);
}

async function expectPlainPicture(link: string): Promise<void> {
  const { status, headers, content } = await exchange(link, 'GET', {});
  expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, 'image/jpeg', 'nosniff']);
  expect(headers['content-disposition']).toMatch(/^attachment/);
  expect(content.includes(HIDDEN) || content.includes('PK\x03\x04') || content.includes('<?php')).toBe(false);
  const { format, width, height, exif, xmp, icc, iptc, pages = 1 } = await sharp(content).metadata();
  expect({ format, exif, xmp, icc, iptc, pages }).toEqual({ format: 'jpeg', pages: 1 });
  expect(Math.max(width, height)).toBeLessThanOrEqual(2560);
}

/** Resident memory of a process and its children: the initial value, and the maximum since. */
function watchMemory(pid: number) {
  const now = (): number => {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const parents = new Map(all.map((name) => [Number(name), statusOf(name)] as const));
    const isOurs = (one: number): boolean => one === pid || (parents.has(one) && one > 1 && isOurs(parents.get(one)!.parent));
    return [...parents].reduce((sum, [one, { bytes }]) => (isOurs(one) ? sum + bytes : sum), 0);
  };
  const before = now();
  let max = before;
  const timer = setInterval(() => {
    max = Math.max(max, now());
  }, 100);
  return { growth: () => max - before, stop: () => clearInterval(timer) };
}

function statusOf(pid: string): { parent: number; bytes: number } {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
    return { parent: number('PPid'), bytes: number('VmRSS') * 1024 };
  } catch {
    return { parent: 0, bytes: 0 };
  }
}

test('the list is long enough', () => {
  expect(FILES.length + FORMS.length).toBeGreaterThan(200);
  expect(new Set([...FILES, ...FORMS].map(({ name }) => name)).size).toBe(FILES.length + FORMS.length);
});

describe('a file', () => {
  test.each(FILES.map((file) => [file.name, file] as const))('%s', async (_, { content, outcome }) => {
    await expectOutcome(await sendFile(content), outcome);
  });
});

describe('a form', () => {
  test.each(FORMS.map((form) => [form.name, form] as const))('%s', async (_, { type, body, headers, outcome }) => {
    await expectOutcome(await sendForm(type, body, headers), outcome);
  });
});

test('all of them concurrently: each gets a reply', async () => {
  const chosen = FILES.filter(({ outcome, content }) => outcome === 'refused' && content.length < 1_000_000);
  const got = await Promise.all(chosen.map(({ content }) => sendFile(content)));
  for (const { status } of got) expect([400, 413, 415, 422, 503]).toContain(status);
});

test('only accepted files are left; no request failed; memory has not grown', async () => {
  const files = join(world.dataDir, 'files');
  expect(readdirSync(join(files, 'incoming'))).toEqual([]);
  const kept = await world.query<{ name: string }>(`select name from stored_files where state = 'kept'`);
  const lying = readdirSync(files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(lying.length).toBe(kept.length);
  const [photos] = await world.query<{ count: bigint }>('select count(*) from vehicle_photos');
  expect(kept.length).toBe(Number(photos!.count) * 2);
  expect(service.output()).not.toContain('"level":"error"');
  expect(memory.growth()).toBeLessThan(MAX_GROWTH);
});
