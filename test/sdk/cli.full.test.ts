// `sdk/cli` as integrators get it: packed, installed without a network into an empty project, and run by their own Node.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCommands } from '../../sdk/cli/build.ts';
import { VERSION } from '../../src/config.ts';
import { type Running, running } from '../commands/running.ts';
import { openReceiver, type Receiver, verify } from '../jobs/receiver.ts';
import { setAgents } from '../support/agent.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { installed } from './installed.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let api: TestService;
let dealer: Dealer;
let receiver: Receiver;
let project: string;
let files: string[];
let program: string;
const started: Running[] = [];

beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated' } });
  await openAll(api);
  [dealer, receiver] = [await newDealer(api), await openReceiver()];
  ({ project, files } = await installed('sdk/cli'));
  program = join(project, 'node_modules/.bin/galeri');
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await receiver?.close();
  await api?.close();
  if (project) await rm(project, { recursive: true, force: true });
});

/** The Node of this checkout is left out, unless the machine's own is too old. */
const PATH = ownPath();

function ownPath(): string {
  const own = process.env.PATH!.split(':').filter((folder) => !folder.startsWith(ROOT) && !existsSync(join(folder, 'vitest')));
  const { stdout } = spawnSync('node', ['--version'], { env: { PATH: own.join(':') }, encoding: 'utf8' });
  const [major, minor] = (stdout ?? 'v0.0').slice(1).split('.').map(Number);
  return (major! > 20 || (major === 20 && minor! >= 15) ? own : [dirname(process.execPath), ...own]).join(':');
}

function galeri(args: string[], key: string | null = dealer.key): Running {
  const settings = { PATH, GALERI_URL: api.service.url, ...(key === null ? {} : { GALERI_KEY: key }) };
  const command = running(args, settings, null, [program]);
  started.push(command);
  return command;
}

async function printedBy(args: string[], key: string | null = dealer.key): Promise<string> {
  const command = galeri(args, key);
  expect([await command.code, command.stderr()]).toEqual([0, '']);
  return command.stdout();
}

describe('the package', () => {
  test('holds the commands and nothing else', async () => {
    expect(files.sort()).toEqual(['LICENSE', 'README.md', 'bin/galeri.mjs', 'dist/galeri.mjs', 'package.json']);
    expect((await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['@galeri']);
    const manifest = JSON.parse(await readFile(join(project, 'node_modules/@galeri/cli/package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: VERSION, license: 'MIT', repository: { directory: 'sdk/cli' } });
    const { dependencies, scripts } = manifest;
    expect([dependencies, scripts.install, scripts.postinstall]).toEqual([undefined, undefined, undefined]);
  });

  test('has nothing of the database', async () => {
    const text = await readFile(join(project, 'node_modules/@galeri/cli/dist/galeri.mjs'), 'utf8');
    const imported = [...text.matchAll(/\bfrom\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)|\brequire\(\s*["']([^"']+)/g)];
    expect(imported.length).toBeGreaterThan(3);
    for (const [, ...name] of imported) expect(name.join('')).toMatch(/^node:/);
    expect(text).not.toMatch(/postgres|\bpg\b|DATABASE_URL|DATA_DIR|\bselect \w+ from\b|row level security/i);
  });

  test('prints its help and its version', async () => {
    expect(await printedBy(['--version'], null)).toBe(`${VERSION}\n`);
    const help = await printedBy(['--help'], null);
    for (const command of ['listen --forward-to', 'logs tail', 'sandbox reset', 'mcp [--readonly]'])
      expect(help).toContain(`galeri ${command}`);
    expect(help).not.toContain('--account');
    expect(await printedBy(['help', 'logs'], null)).toMatch(/^galeri logs tail\n/);
  });

  test('refuses a Node that is too old, in one line', async () => {
    const older = join(project, 'older.mjs');
    await writeFile(older, "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.19.0' } });");
    const command = running(['--version'], { PATH, NODE_OPTIONS: `--import=${older}` }, null, [program]);
    expect(await command.code).toBe(1);
    expect(command.stderr()).toBe('galeri: this is Node 18.19.0; install Node 20.15 or later\n');
  });

  test('is not built with a command that needs the database', async () => {
    const entry = join(project, 'wrong.ts');
    await writeFile(
      entry,
      `import { logsCommand } from '${join(ROOT, 'src/commands/logs.ts')}';\nawait logsCommand.run(['tail']);\n`,
    );
    const built = bundleCommands(entry, join(project, 'wrong'));
    await expect(built).rejects.toThrow(/the package would need more than Node: .*src\/postgres\/database\.ts/);
  });
});

test('listen forwards the events of the account, signed', async () => {
  const command = galeri(['listen', '--forward-to', receiver.url, '--events', 'vehicle.*']);
  await expect.poll(() => command.stdout()).toContain('Forwarding events');
  await dealer.post('vehicles', aCar());
  await expect.poll(() => receiver.got.map(({ json }) => json.type)).toEqual(['vehicle.created']);
  verify(/Signing secret, for this run only: (whsec_\S+)\n/.exec(command.stdout())![1]!, receiver.got[0]!);
  expect(await command.stop()).toBe(0);
  expect(command.stderr()).toBe('stopped; --since 1 resumes from here\n');
});

test.each(['production', 'sandbox'] as const)('logs tail prints the requests of a %s key', async (environment) => {
  const endpoints = ['GET vehicles', 'GET developer/request-logs'];
  const { secret: key } = await api.key(dealer.accountId, { endpoints, environment });
  const command = galeri(['logs', 'tail'], key);
  await expect.poll(() => command.stderr()).toContain('Following the requests of the key');
  const { headers } = await api.call('vehicles', { key });
  const request = { request_id: headers.get('x-request-id'), endpoint: 'GET vehicles', status: 200, environment };
  await expect.poll(() => command.lines()).toMatchObject([request]);
  expect(await command.stop()).toBe(0);
});

test('sandbox resets and shows the sandbox, moves its clock and reads its messages', async () => {
  const { secret: key } = await api.key(dealer.accountId, {
    endpoints: ['GET vehicles', 'POST vehicles'],
    environment: 'sandbox',
  });
  const json = async (...args: string[]) => JSON.parse(await printedBy(['sandbox', ...args, '--json'], key));
  const { id } = await json('reset', '--data', 'empty');
  expect(await json('show')).toMatchObject({ id, data: 'empty', counts: { vehicles: { count: 0 } } });
  const { from, to } = await json('clock', '36h');
  expect(Date.parse(to) - Date.parse(from)).toBe(36 * 3_600_000);
  expect(Date.parse((await json('clock')).now)).toBeGreaterThanOrEqual(Date.parse(to));
  expect(await printedBy(['sandbox', 'messages'], key)).toBe('There are no messages\n');
  const refused = galeri(['sandbox', 'show']);
  expect(await refused.code).toBe(1);
  expect(refused.stderr()).toMatch(/^galeri: \S+ refused the request: [^\n]+ \(sandbox_control_not_allowed\)\n$/);
});

test('mcp gives an agent the tools of the service, and with --readonly none that writes', async () => {
  const key = await api.key(dealer.accountId, { endpoints: ['GET vehicles', 'POST vehicles', 'GET account'] });
  await setAgents(api, key.id, { agents: 'write' });
  const toolsOf = async (...args: string[]) => {
    const client = new Client({ name: 'desktop', version: '2.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const env = { PATH, GALERI_URL: api.service.url, GALERI_KEY: key.secret };
    await client.connect(new StdioClientTransport({ command: program, args: ['mcp', ...args], env }));
    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({ name: 'read', arguments: { path: 'account' } });
    await client.close();
    expect(structuredContent).toMatchObject({ untrusted_data: { source: 'GET account' } });
    return tools.map(({ name }) => name).sort();
  };
  const all = await toolsOf();
  expect(all).toContain('write');
  expect(await toolsOf('--readonly')).toEqual(all.filter((name) => name !== 'write'));
});
