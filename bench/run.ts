// `npm run bench`: every server against a bare node:http that returns the same bytes, in turn, in one run. See
// docs/performance.md.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchData, BIG_ROWS, DISK_USAGE, galeri, makeData, SMALL_ROWS, SPREAD_ACCOUNTS } from './data.ts';
import { measure } from './measure.ts';
import { measureOffset } from './offset.ts';
import { choosePins, type Pins, type Server, startGenerator, startServer, startService, stopAll } from './processes.ts';
import { printReport, reportJson } from './report.ts';
import { figures, PATH, reached, type Scenario, type ServerName, scenarios } from './scenarios.ts';
import { keptValue, recordWrite } from './statements.ts';
import { cursorBehind } from './walk.ts';

const USAGE = `npm run bench -- [options]
  --quick            fewer and shorter rounds, under a minute
  --rounds N         rounds of which the median is taken (5)
  --seconds S        length of one measurement (3)
  --connections N    keep-alive connections (32)
  --rows N           vehicles of the large account (${BIG_ROWS}), for which the goals hold
  --accounts N       accounts with ten keys each (${SPREAD_ACCOUNTS})
${DISK_USAGE}
  --only name,name   only these scenarios
  --peers            also Express + Drizzle and Fastify (installs bench/peers)
  --patience N       on a busy machine: measure up to N times until others leave it alone (1)
  --pin              server and load generator on a core each (steadier only on an idle machine)
  --node-options O   for the service, such as --cpu-prof
  --check            exit 1 when a figure is missed
  --json             one JSON value`;

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string', default: '32' },
    rows: { type: 'string', default: String(BIG_ROWS) },
    accounts: { type: 'string', default: String(SPREAD_ACCOUNTS) },
    disk: { type: 'string', default: '0' },
    only: { type: 'string' },
    patience: { type: 'string', default: '1' },
    peers: { type: 'boolean', default: false },
    pin: { type: 'boolean', default: false },
    'node-options': { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 3 : 5));
const seconds = Number(options.seconds ?? (options.quick ? 0.5 : 3));
const connections = Number(options.connections);
const patience = Number(options.patience);
const rows = Number(options.rows);

const progress = (line: string) => {
  if (!options.json) process.stderr.write(`${line}\n`);
};

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  if (options.peers) installPeers();
  const onlyWrites = options.only?.split(',').every((name) => name.startsWith('write')) ?? false;
  const data = await makeData(progress, onlyWrites ? SMALL_ROWS : rows, Number(options.accounts), options.disk);
  try {
    const pins = choosePins(options.pin);
    const service = await startService(data.dataDir, pins, { nodeOptions: options['node-options'] });
    // A first start opens what its settings say; after it, a change takes effect everywhere within a second.
    await galeri(data.dataDir, 'release', 'activate', 'POST vehicles');
    const reply = await replyOf(service.port, data.small.keys[0]!);
    const walks = options.only === undefined || options.only.includes('walk');
    const cursor = walks ? await cursorBehind(service.port, data.big.keys[0]!, rows / 2) : 'start';
    const chosen = choose(scenarios(data, reply.headers.etag ?? '', cursor));
    const servers = await startServers(data, service, reply, chosen, pins);
    const generator = startGenerator(pins);
    const slices = await measure({ servers, generator, data, progress, rounds, seconds, connections, patience }, chosen);
    const offsetTime =
      options.only && !options.only.includes('offset') ? null : await measureOffset(data, rows / 2, options.quick ? 3 : 7);
    const found = figures({ slices, offsetTime });
    const settings = { rounds, seconds, connections, pinned: pins.server !== null, bytes: Buffer.byteLength(reply.body) };
    if (options.json) console.log(JSON.stringify(reportJson(settings, chosen, slices, found)));
    else printReport(settings, chosen, slices, found);
    return options.check && found.some((figure) => reached(figure) === false) ? 1 : 0;
  } finally {
    await stopAll();
    await data.close();
  }
}

function installPeers(): void {
  const cwd = new URL('peers/', import.meta.url).pathname;
  if (existsSync(join(cwd, 'node_modules'))) return;
  progress('installing the peers');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

function choose(all: Scenario[]): Scenario[] {
  const selected = options.only?.split(',');
  const unknown = selected?.find((name) => name !== 'offset' && !all.some((scenario) => scenario.name === name));
  if (unknown !== undefined)
    throw new Error(`no scenario is called ${unknown}; there are ${all.map(({ name }) => name).join(', ')}, offset`);
  return all.filter(({ name, peer }) => (selected ? selected.includes(name) : options.peers || !peer));
}

interface Reply {
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function replyOf(port: number, key: string): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { Authorization: `Bearer ${key}` } });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`port ${port} answered ${response.status}: ${body.slice(0, 300)}`);
  return { headers: Object.fromEntries(response.headers), body };
}

async function startServers(
  data: BenchData,
  service: Server,
  reply: Reply,
  chosen: readonly Scenario[],
  pins: Pins,
): Promise<Map<ServerName, Server>> {
  const folder = join(data.dataDir, 'bench');
  await mkdir(folder, { recursive: true });
  const file = async (name: string, content: { status: number; headers: Record<string, string>; body: string }) => {
    const path = join(folder, `${name}.json`);
    await writeFile(path, JSON.stringify(content));
    return path;
  };
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...same } = reply.headers;
  const { 'content-length': _length, 'content-type': _type, ...empty } = same;
  const plain = { 'Content-Type': reply.headers['content-type']!, 'Content-Length': reply.headers['content-length']! };
  const ok = await file('raw', { status: 200, headers: plain, body: reply.body });
  const raw = (path: string) => startServer('servers/raw.ts', { REPLY_FILE: path }, pins);
  const starters: Record<ServerName, () => Promise<Server>> = {
    service: async () => service,
    raw: () => raw(ok),
    insert: () => startServer('servers/insert.ts', { DATABASE_URL: data.bareUrl }, pins),
    statements: async () => {
      const path = join(folder, 'statements.json');
      await writeFile(path, JSON.stringify(await recordWrite(data), keptValue));
      const accounts = Object.fromEntries(data.writers.map((key, index) => [`Bearer ${key}`, data.writerIds[index]]));
      const env = { STATEMENTS_FILE: path, ACCOUNTS: JSON.stringify(accounts), TENANT_URL: data.connected.urls.tenantUrl };
      return startServer('servers/statements.ts', env, pins);
    },
    rawHeaders: async () => raw(await file('raw-headers', { status: 200, headers: same, body: reply.body })),
    raw304: async () => raw(await file('raw-304', { status: 304, headers: empty, body: '' })),
    fastify: () => startServer('peers/fastify.ts', { REPLY_FILE: ok }, pins),
    express: () => {
      const secrets = { DATABASE_URL: data.connected.adminUrl, PEPPER: data.connected.secrets.pepper.toString('hex') };
      return startServer('peers/express.ts', { ...secrets, NODE_ENV: 'production' }, pins);
    },
  };
  const servers = new Map<ServerName, Server>();
  for (const name of new Set<ServerName>([
    'raw',
    ...chosen.flatMap(({ server, against }) => [server, against?.server ?? ('raw' as const)]),
  ]))
    servers.set(name, await starters[name]());
  for (const name of ['express', 'fastify'] as const) {
    const peer = servers.get(name);
    if (peer && (await replyOf(peer.port, data.small.keys[0]!)).body !== reply.body)
      throw new Error(`${name} answers other bytes than the service`);
  }
  return servers;
}

// Node's default handling of an interrupt would leave the children and the temporary database; npm and timeout forward a signal
// that the whole group already got, so it may come twice.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    progress(`${signal}: stopping`);
    void stopAll();
  });
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
