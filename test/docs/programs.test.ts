// The programs of the guide, as they are printed: the mirror of a stock, and a write that is retried until it is done once.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { renderDocs } from '../../src/http/docs/pages/docs-page.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { isMissing, runProgram } from './interpreters.ts';
import { printedOn } from './printed.ts';

const ENDINGS = { js: 'mjs', php: 'php', py: 'py' };
const LANGUAGES = Object.entries(ENDINGS).flatMap(([language, ending]) => (isMissing(language) ? [] : [ending]));

let api: TestService;
let folder: string;

beforeAll(async () => {
  api = await testService();
  folder = await mkdtemp(join(tmpdir(), 'galeri-programs-'));
  await openAll(api);
});
afterAll(async () => {
  await api?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Written into a separate folder, where it also keeps its files. */
async function save(name: string, publicUrl: string): Promise<string> {
  const page = renderDocs(apiEndpoints(resources), { publicUrl, isLive: () => true, locale: 'tr', today: '2026-10-02' })!;
  const place = await mkdtemp(join(folder, 'program-'));
  await mkdir(place, { recursive: true });
  await writeFile(join(place, name), printedOn('', page).find(({ label }) => label === name)!.text);
  return place;
}

describe.each(LANGUAGES)('mirror.%s', (ending) => {
  let dealer: Dealer;
  beforeAll(async () => {
    dealer = await newDealer(api);
    for (let number = 0; number < 2; number += 1) {
      const vehicles = Array.from({ length: 60 }, () => aCar());
      expect((await dealer.post('vehicles/bulk-create', { vehicles })).status).toBe(200);
    }
  });

  it('equals the list after every run', async () => {
    const place = await save(`mirror.${ending}`, api.service.url);
    const run = () => runProgram(`mirror.${ending}`, place, dealer.key);
    expect(await run()).toBe('120 vehicles\n');
    const [first, second, third] = await stock();
    expect(await mirrored(place)).toEqual(await sorted());
    await dealer.patch(`vehicles/${first.id}`, { km: 99_000 });
    await dealer.delete(`vehicles/${second.id}`);
    await dealer.delete(`vehicles/${third.id}`);
    await dealer.post(`vehicles/${third.id}/restore`);
    await dealer.post('vehicles', aCar());
    expect(await run()).toBe('120 vehicles\n');
    expect(await mirrored(place)).toEqual(await sorted());
    // No change in the data: no change in the copy.
    expect(await run()).toBe('120 vehicles\n');
    expect(await mirrored(place)).toEqual(await sorted());
  });

  // biome-ignore lint/suspicious/noExplicitAny: cars as they come
  const stock = async (): Promise<any[]> => [
    ...(await dealer.get('vehicles?limit=100')).json.data,
    ...(await dealer.get('vehicles?limit=100&offset=100')).json.data,
  ];
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  const sorted = async () => (await stock()).toSorted(byId);
  const mirrored = async (place: string) =>
    Object.values(
      JSON.parse(await readFile(join(place, 'mirror.json'), 'utf8')).vehicles as Record<string, { id: string }>,
    ).toSorted(byId);
});

describe.each(LANGUAGES)('retry.%s', (ending) => {
  let dealer: Dealer;
  let line: Server;
  beforeAll(async () => {
    dealer = await newDealer(api);
    line = await badLine(api.service.url);
  });
  afterAll(() => new Promise((resolve) => line?.close(resolve)));

  it('adds the task once although the first reply is lost, and not again the next day', async () => {
    const place = await save(`retry.${ending}`, `http://127.0.0.1:${(line.address() as AddressInfo).port}`);
    expect(await runProgram(`retry.${ending}`, place, dealer.key)).toMatch(/^[\w-]{36} was there already\n$/);
    expect(await runProgram(`retry.${ending}`, place, dealer.key)).toMatch(/^[\w-]{36} was there already\n$/);
    const { json } = await dealer.get('tasks');
    expect(json.data.map(({ title }: { title: string }) => title)).toEqual(['Ruhsatı iste']);
  });
});

/** Forwards everything, and loses the first reply to a write with an idempotency key. */
async function badLine(to: string): Promise<Server> {
  let lost = false;
  const line = createServer((incoming, answer) => {
    const passed = request(`${to}${incoming.url}`, { method: incoming.method!, headers: incoming.headers }, (reply) => {
      if (incoming.headers['idempotency-key'] !== undefined && !lost) {
        lost = true;
        reply.resume().on('end', () => incoming.socket.destroy());
        return;
      }
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  return line;
}
