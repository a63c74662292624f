// No request leaves for a non-public address: real sockets, a real name server, and a listener that must not be reached.
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isPublic, parseAddress } from '../../src/domain/net/address.ts';
import { allowedUrl, NoAnswer, type OutboundRules, sendOutbound } from '../../src/domain/net/outbound.ts';
import { hostileUrls } from '../hostile/url-list.ts';
import { type LonelyListener, openLonelyListener } from '../support/lonely-listener.ts';

let lonely: LonelyListener;

beforeAll(async () => {
  lonely = await openLonelyListener();
});
afterAll(() => lonely.close());
beforeEach(() => {
  lonely.connects = 0;
  lonely.asked = 0;
});

const rules = (more: Partial<OutboundRules> = {}): OutboundRules => ({
  loopback: false,
  resolve: lonely.resolve,
  ...more,
});
const post = (url: string, overrides: OutboundRules, timeoutMs = 2000) =>
  sendOutbound(url, { method: 'POST', headers: {}, body: '{}', timeoutMs, maxBytes: 1000 }, overrides);

const forms = (): string[] => hostileUrls(lonely.port);

test('refuses forbidden addresses in every spelling, and connects to none', async () => {
  expect(forms().length).toBeGreaterThan(60);
  // They are refused for their range, not because they cannot be parsed.
  expect(forms().filter((url) => URL.canParse(url)).length).toBeGreaterThan(120);
  // If a name were resolved after all, it would be this machine.
  lonely.answer = () => ['127.0.0.1'];
  for (const url of forms()) {
    expect(allowedUrl(url, { loopback: false }), url).toBeNull();
    await expect(post(url, rules()), url).rejects.toBeInstanceOf(NoAnswer);
  }
  expect([lonely.connects, lonely.asked]).toEqual([0, 0]);
});

test('with loopback allowed, only loopback is let in', async () => {
  const allowed = forms()
    .filter((url) => allowedUrl(url, { loopback: true }) !== null)
    .map((url) => new URL(url).hostname);
  expect([...new Set(allowed)].filter((host) => !/^(127\.|localhost\.?$|\[::1\]$)/.test(host))).toEqual(['[::ffff:7f00:1]']);
  const server = createHttpServer((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end('there'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  await expect(post(url, { loopback: false })).rejects.toBeInstanceOf(NoAnswer);
  const got = await post(url, { loopback: true });
  expect([got.status, got.body.toString()]).toEqual([302, 'there']);
  await new Promise((resolve) => server.close(resolve));
});

describe('a name', () => {
  test.each([
    [['127.0.0.1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['0.0.0.0']],
    // One good address does not compensate for a bad one.
    [['93.184.216.34', '127.0.0.1']],
    [[]],
  ])('that resolves to %j is not called', async (addresses) => {
    lonely.answer = () => addresses;
    await expect(post(`https://inside.example.com:${lonely.port}/`, rules())).rejects.toBeInstanceOf(NoAnswer);
    expect(lonely.asked).toBeGreaterThan(0);
    expect(lonely.connects).toBe(0);
  });

  test('that is public when checked and local when called is refused: it is resolved once, and that address is used', async () => {
    // 192.0.2.x would be refused by its range; this one is public, and nothing answers there.
    lonely.answer = (query) => [query % 2 === 1 ? '93.184.216.34' : '127.0.0.1'];
    const url = `https://rebind.example.com:${lonely.port}/`;
    for (let round = 0; round < 50; round += 1) {
      const tries = Array.from({ length: 20 }, () => post(url, rules(), 40).catch((error) => error));
      expect((await Promise.all(tries)).every((error) => error instanceof NoAnswer)).toBe(true);
    }
    expect(lonely.asked).toBeGreaterThan(500);
    expect(lonely.asked).toBeLessThanOrEqual(1000);
    expect(lonely.connects).toBe(0);
  });
});

test('this guard can fail: without it, the same name reaches the listener', async () => {
  lonely.answer = () => ['127.0.0.1'];
  await expect(post(`https://inside.example.com:${lonely.port}/`, rules({ loopback: true }))).rejects.toBeInstanceOf(NoAnswer);
  expect(lonely.connects).toBe(1);
});

test('a reply is read up to a limit of size and time', async () => {
  const server = createHttpServer((request, response) => {
    if (request.url === '/endless') {
      const pour = setInterval(() => response.write('x'.repeat(1000)), 1);
      response.on('close', () => clearInterval(pour));
    }
    if (request.url === '/drip') response.write('started');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const local = { loopback: true };
  expect((await post(`${base}/endless`, local)).body).toHaveLength(1000);
  const drip = await post(`${base}/drip`, local, 200);
  expect([drip.status, drip.body.toString()]).toEqual([200, 'started']);
  await expect(post(`${base}/silent`, local, 200)).rejects.toBeInstanceOf(NoAnswer);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['2606:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  ['::ffff:10.0.0.1', false],
  ['4000::1', false],
  ['::808:808', false],
])('%s is public: %s', (text, expected) => {
  expect(isPublic(parseAddress(text)!)).toBe(expected);
});
