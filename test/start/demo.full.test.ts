// The demonstration and the way from a trial to production: who gets one, who sees it, and how it is removed.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSession } from '../../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { Browser } from '../panel/people.ts';
import { type Prepared, preparedDataDir } from './prepared.ts';
import { eventually, finish, galeri, get, launch, removeDataDir, type Started, start, stop } from './process.ts';
import { exchange } from './raw.ts';

const SERVE = ['bin/galeri', 'serve'];
const PRODUCTION = { PUBLIC_URL: 'https://galeri.example', TRUST_PROXY: '127.0.0.1' };
const FORWARDED = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
const ADMIN = 'yonetici@galeri.example.com';
const started: Started[] = [];
const dataDirs: string[] = [];

interface Ready {
  demo_key: string;
  demo_people: { email: string; password: string; account: string | null }[];
}

async function dataDirThatWas(prepared: Prepared): Promise<string> {
  const made = await preparedDataDir(prepared, 'demo');
  dataDirs.push(made);
  return made;
}

async function serve(DATA_DIR: string, env: Record<string, string> = {}, ...flags: string[]): Promise<Started & { url: string }> {
  const one = await start([...SERVE, ...flags], { DATA_DIR, ...env });
  started.push(one);
  return { ...one, url: new URL(one.ready.api).origin };
}

/** Serves, stops, and returns what was printed. */
async function once(DATA_DIR: string, env: Record<string, string> = {}, ...flags: string[]): Promise<string> {
  const one = await serve(DATA_DIR, env, ...flags);
  await stop(one);
  return one.output();
}

const factsOf = ({ ready }: Started): Ready => ready as unknown as Ready;
/** Read from the database, beside a running service or without one. */
async function accounts(dataDir: string): Promise<unknown[]> {
  const postgres = await openEmbeddedPostgres({ dataDir });
  const session = await openSession(postgres.url);
  const found = await session.rows('select id from accounts');
  await session.close();
  await postgres.close();
  return found;
}

async function signInPage(url: string, headers: Record<string, string> = {}): Promise<string> {
  const page = await new Browser(url).send('/panel/giris', { headers });
  expect(page.headers.get('cache-control')).toBe('no-store');
  return page.text;
}

afterEach(async () => {
  for (const one of started.splice(0)) if (one.child.exitCode === null && one.child.signalCode === null) await stop(one);
  for (const directory of dataDirs.splice(0)) await removeDataDir(directory);
});

describe('is created', () => {
  it('by the very first start of a private service, for its owner only', async () => {
    const directory = await dataDirThatWas('migrated');
    const first = await serve(directory);
    const { demo_key, demo_people } = factsOf(first);
    expect(demo_people.map(({ account }) => account === null)).toEqual([...Array(9).fill(false), true]);
    expect((await get(`${first.ready.api}vehicles`, demo_key)).status).toBe(200);
    expect((await stat(join(directory, 'demo.json'))).mode & 0o777).toBe(0o600);
    expect(await signInPage(first.url)).toContain(demo_people[0]!.password);
    await stop(first);
    const second = await serve(directory);
    expect(factsOf(second)).toMatchObject({ demo_key, demo_people });
  });

  it('never after --no-demo', async () => {
    const directory = await dataDirThatWas('migrated');
    expect(await once(directory, {}, '--no-demo')).not.toContain('demo_');
    const { ready, url } = await serve(directory);
    expect(ready.demo_key).toBeUndefined();
    expect(await signInPage(url)).not.toContain('class="demo"');
    await stop(started.at(-1)!);
    expect(await accounts(directory)).toEqual([]);
  });

  it.each([
    ['PUBLIC_URL', { PUBLIC_URL: 'https://galeri.example' }],
    ['TRUST_PROXY', { TRUST_PROXY: '127.0.0.1' }],
  ])('never after a first start with %s, also for a plain start later', async (_, env) => {
    const directory = await dataDirThatWas('migrated');
    expect(await once(directory, env)).not.toContain('demo_');
    expect(await once(directory)).not.toContain('demo_');
    expect(await accounts(directory)).toEqual([]);
  });

  it('never in a database that is not empty', async () => {
    const directory = await dataDirThatWas('migrated');
    await galeri(['account', 'create', '--name', 'Akdeniz Oto'], { DATA_DIR: directory });
    expect(await once(directory)).not.toContain('demo_');
    expect(await accounts(directory)).toHaveLength(1);
    const used = await dataDirThatWas('migrated');
    await galeri(['release', 'activate', 'GET vehicles/{vehicle_id}'], { DATA_DIR: used });
    expect(await once(used)).not.toContain('demo_');
    expect(await accounts(used)).toEqual([]);
  });

  it('at any time with --demo; with --no-demo that is a contradiction', async () => {
    const directory = await dataDirThatWas('migrated');
    await once(directory, {}, '--no-demo');
    expect(await once(directory, {}, '--demo')).toContain('demo_key');
    expect(await once(directory)).toContain('demo_key');
    const both = await finish(launch([...SERVE, '--demo', '--no-demo'], { DATA_DIR: directory }));
    expect([both.code, both.stderr.trim()]).toEqual([1, 'galeri: --demo and --no-demo contradict each other']);
  });

  it('on request on a public service, but neither printed nor shown', async () => {
    const directory = await dataDirThatWas('migrated');
    const { url, output } = await serve(directory, PRODUCTION, '--demo');
    expect(await accounts(directory)).toHaveLength(3);
    expect(output()).not.toMatch(/demo_key|gal_prod_|galeri-\w{4}-\w{4}/);
    expect(output()).toMatch(/DEMONSTRATION PEOPLE EXIST on a service that others may reach.*galeri demo remove/);
    expect(await signInPage(url)).not.toContain('class="demo"');
  });
});

describe('is visible', () => {
  it('only to requests that come directly to the loopback address', async () => {
    const first = await serve(await dataDirThatWas('served'));
    const { password } = factsOf(first).demo_people[0]!;
    const { url } = first;
    const port = new URL(url).port;
    expect(await signInPage(url)).toContain(password);
    for (const [name, value] of [
      ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Port', 'X-Forwarded-Server', 'Forwarded'],
      ...['X-Real-IP', 'Via', 'CF-Connecting-IP', 'CF-Ray', 'True-Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP', 'CDN-Loop'],
      ...['X-Original-URL', 'X-Envoy-External-Address', 'Fly-Client-IP', 'Fastly-Client-IP', 'X-Azure-ClientIP', 'X-ARR-LOG-ID'],
      ...['X-Amzn-Trace-Id', 'Tailscale-User-Login', 'X-Scheme', 'X-Proxy-User-Ip'],
    ].map((header) => [header, '127.0.0.1'] as const)) {
      expect(await signInPage(url, { [name]: value }), name).not.toContain('class="demo"');
    }
    expect(await signInPage(url, { Origin: 'https://galeri.example' })).not.toContain('class="demo"');
    expect(await signInPage(url, { Referer: 'https://galeri.example/panel' })).not.toContain('class="demo"');
    const raw = (head: string) => exchange(Number(port), head);
    const page = 'GET /panel/giris HTTP/1.1\r\nConnection: close\r\n';
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      `127.1.2.3:${port}`,
      'localhost:8080',
      '127.0.0.1',
    ])
      expect(await raw(`${page}Host: ${host}\r\n\r\n`), host).toContain(password);
    for (const host of [`galeri.example:${port}`, `127.0.0.1.example:${port}`, `192.168.1.5:${port}`, ''])
      expect(await raw(`${page}Host: ${host}\r\n\r\n`), host).not.toContain('class="demo"');
    expect(await raw(`${page}\r\n`), 'no Host').not.toContain('class="demo"');
    expect(await raw(`${page}Host: 127.0.0.1:${port}\r\nHost: galeri.example\r\n\r\n`), 'two').not.toContain('class="demo"');
    const old = `GET /panel/giris HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    expect(await raw(old), 'nginx without settings').not.toContain('class="demo"');
    const whole = `GET http://galeri.example/panel/giris HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    expect(await raw(whole), 'the whole address').not.toContain('class="demo"');
  });
});

describe('from a trial to production', () => {
  it('demo people and their sessions are valid on this machine only', async () => {
    const directory = await dataDirThatWas('served');
    const trying = await serve(directory);
    const { demo_key, demo_people } = factsOf(trying);
    const { password } = demo_people[0]!;
    const before = new Browser(trying.url);
    expect((await before.signIn(ADMIN, password)).status).toBe(303);
    await stop(trying);

    const running = await serve(directory, PRODUCTION);
    expect(running.output()).not.toContain(password);
    expect(running.output()).not.toContain(demo_key);
    expect(running.output()).toMatch(/DEMONSTRATION PEOPLE EXIST on a service that others may reach.*galeri demo remove/);
    for (const headers of [{}, FORWARDED, { host: 'galeri.example' }])
      expect(await signInPage(running.url, headers)).not.toContain('class="demo"');
    // The earlier session and a new sign-in: refused from elsewhere, valid from here.
    const same = new Browser(running.url);
    for (const [name, value] of before.cookies) same.cookies.set(name, value);
    expect((await same.api('session', { headers: FORWARDED })).status).toBe(401);
    expect((await same.api('session')).status).toBe(200);
    for (const { email } of demo_people) {
      const elsewhere = await new Browser(running.url).submit('/panel/giris', { email, password }, FORWARDED);
      expect(elsewhere.status, email).toBe(422);
    }
    expect((await new Browser(running.url).signIn(ADMIN, password)).status).toBe(303);
  });

  it('demo remove deletes it from a running service within a second, permanently', async () => {
    const directory = await dataDirThatWas('served');
    const env = { DATA_DIR: directory };
    const running = await serve(directory);
    const { demo_key, demo_people } = factsOf(running);
    const { email, password } = demo_people[0]!;
    const browser = new Browser(running.url);
    expect((await browser.signIn(email, password)).status).toBe(303);
    expect((await get(`${running.ready.api}vehicles`, demo_key)).status).toBe(200);
    const removed = await galeri(['demo', 'remove', '--json'], env);
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(removed.stdout)).toMatchObject({ accounts: 3, people: 10 });
    await eventually(async () => (await get(`${running.ready.api}vehicles`, demo_key)).status === 401);
    expect((await browser.api('session')).status).toBe(401);
    expect(await signInPage(running.url)).not.toContain('class="demo"');
    expect((await new Browser(running.url).signIn(email, password)).status).toBe(422);
    expect(await stat(join(directory, 'demo.json')).catch(() => null)).toBeNull();
    expect(await accounts(directory)).toEqual([]);
    await stop(running);
    expect(await once(directory)).not.toContain('demo_');
    expect(await accounts(directory)).toEqual([]);
    // Stopped, and with nothing to remove.
    const again = await galeri(['demo', 'remove', '--json'], env);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { accounts: 0, people: 0, rows: 0, files: 0 }]);
  });
});
