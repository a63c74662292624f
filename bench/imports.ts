// `node bench/imports.ts`: what a feed costs other dealers. The hot read of one dealer, without and with another dealer's import
// in the same process, in alternation; and the memory of that process. See docs/performance.md.
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { galeri, makeData } from './data.ts';
import type { LoadResult } from './load.ts';
import { choosePins, cpuSeconds, residentMb, startGenerator, startService, stopAll } from './processes.ts';
import { median, PATH } from './scenarios.ts';

const USAGE = `node bench/imports.ts [options]
  --rows N          rows of all feeds together (100000)
  --rounds N        feeds, each with a slice before and a slice beside it (5)
  --seconds S       length of one slice (5)
  --connections N   keep-alive connections (32)
  --check           exit 1 when a figure is missed
  --json            one JSON value`;

const MAX_SLOWDOWN = 1.25;
const MAX_GROWTH_MB = 100;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const rowsPerFeed = Math.ceil(Number(options.rows) / rounds);
const seconds = Number(options.seconds);
const connections = Number(options.connections);
const progress = (line: string) => {
  if (!options.json) process.stderr.write(`${line}\n`);
};

interface Round {
  readonly without: LoadResult;
  readonly beside: LoadResult;
  readonly importSeconds: number;
  readonly maxMb: number;
  /** Processor time of the service per row, without other requests. */
  readonly cpuUs: number;
  /** Its speed while other dealers send requests as fast as they can: what it leaves them. */
  readonly rowsBeside: number;
}

const MAPPING = {
  plate: 'Plaka',
  brand: 'Marka',
  model: 'Model',
  model_year: 'Yıl',
  km: 'KM',
  fuel_type: 'Yakıt',
  transmission: 'Vites',
  body_type: 'Kasa',
  color: 'Renk',
  price: 'Fiyat',
};

function feed(round: number): string {
  const lines = [Object.values(MAPPING).join(';')];
  for (let row = 0; row < rowsPerFeed; row += 1)
    lines.push(`${round} BN ${row};Renault;Mégane;${2000 + (row % 25)};${row};Dizel;Manuel;Sedan;Gümüş;${10_000 + row}`);
  return lines.join('\n');
}

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

function callsWith(port: number, key: string): Call {
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data?: Record<string, unknown>; error?: { code: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error?.code}`);
    return answer.data!;
  };
}

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const data = await makeData(progress, 20_000);
  try {
    const { id: account } = await galeri<{ id: string }>(data.dataDir, 'account', 'create', '--name', 'Besleyen Oto');
    const endpoints = ['POST import/connectors', 'POST import/connectors/{connector_id}/run', 'GET import/runs/{run_id}'];
    const options = endpoints.flatMap((endpoint) => ['--endpoint', endpoint]);
    const policy = ['--name', 'Feeds', '--per-minute', '100000', ...options];
    const { key } = await galeri<{ key: string }>(data.dataDir, 'key', 'create', '--account', account, ...policy);
    const pins = choosePins(false);
    const service = await startService(data.dataDir, pins);
    // A first start opens what its settings say; after it, a change takes effect everywhere within a second.
    await galeri(data.dataDir, 'release', 'activate', ...endpoints);
    await wait(1500);
    const generator = startGenerator(pins);
    const call = callsWith(service.port, key);
    const requests = data.small.keys.map((one) => ({ path: PATH, headers: { Authorization: `Bearer ${one}` } }));
    const load = () => generator.run({ port: service.port, requests, faithful: true, connections, seconds, leadSeconds: 1 });
    await load();
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await measureRound({ call, load, round, pid: service.pid }));
    return report(measured);
  } finally {
    await stopAll();
    await data.close();
  }
}

interface Bench {
  readonly call: Call;
  readonly load: () => Promise<LoadResult>;
  readonly round: number;
  readonly pid: number;
}

async function measureRound({ call, load, round, pid }: Bench): Promise<Round> {
  const without = await load();
  const config = { mapping: MAPPING, defaults: { city: 'Girne' } };
  const connector = { name: `Feed ${round}`, type: 'csv', transport: 'inline', target: 'vehicles', key_field: 'plate', config };
  const { id } = await call('POST', 'import/connectors', connector);
  let run = await call('POST', `import/connectors/${id}/run`, { content: feed(round) });
  const read = async () => {
    run = await call('GET', `import/runs/${run.id}`);
    return run;
  };
  while ((await read()).total_rows === 0 && run.finished_at === null) await wait(50);
  const from = performance.now();
  let maxMb = 0;
  const watch = setInterval(() => {
    maxMb = Math.max(maxMb, residentMb(pid) ?? 0);
  }, 100);
  const first = { at: from, rows: run.total_rows as number };
  const beside = await load();
  if ((await read()).finished_at !== null) progress('the feed ended before the slice did: give it more rows');
  const [alone, done] = [cpuSeconds(pid) ?? 0, run.total_rows as number];
  const rowsBeside = ((done - first.rows) * 1000) / (performance.now() - first.at);
  while ((await read()).finished_at === null) await wait(100);
  const cpuUs = (((cpuSeconds(pid) ?? 0) - alone) * 1e6) / Math.max(1, rowsPerFeed - done);
  clearInterval(watch);
  if (run.created_count !== rowsPerFeed) throw new Error(`${run.created_count} of ${rowsPerFeed} rows were imported`);
  const importSeconds = (performance.now() - from) / 1000;
  const shown = (one: LoadResult) => `p50 ${one.p50Ms.toFixed(1)}, p99 ${one.p99Ms.toFixed(1)} ms, ${Math.round(one.rps)}/s`;
  progress(
    `round ${round + 1}: ${shown(without)}; beside the import ${shown(beside)}; ${importSeconds.toFixed(0)} s, ${cpuUs.toFixed(0)} µs of CPU a row, ${rowsBeside.toFixed(0)} rows/s beside, ${maxMb.toFixed(0)} MB`,
  );
  return { without, beside, importSeconds, maxMb, cpuUs, rowsBeside };
}

function report(measured: readonly Round[]): number {
  const slower = median(measured.map(({ without, beside }) => beside.p99Ms / without.p99Ms));
  const typical = median(measured.map(({ without, beside }) => beside.p50Ms / without.p50Ms));
  const rowsPerSecond = rowsPerFeed / median(measured.map(({ importSeconds }) => importSeconds));
  const rowsBeside = median(measured.map((one) => one.rowsBeside));
  const peaks = measured.map(({ maxMb }) => maxMb);
  // What the first feed allocates, a later one reuses: a leak would grow with every one of them.
  const growthMb = Math.max(...peaks) - peaks[0]!;
  const found = {
    rows: rowsPerFeed * rounds,
    slower,
    typical,
    rowsPerSecond,
    rowsBeside,
    maxMb: Math.max(...peaks),
    growthMb,
    cpuUs: median(measured.map(({ cpuUs }) => cpuUs)),
  };
  const isReached = slower <= MAX_SLOWDOWN && growthMb <= MAX_GROWTH_MB;
  if (options.json) console.log(JSON.stringify(found));
  else {
    console.log(`hot read's p99 beside an import: ${slower.toFixed(2)}× (at most ${MAX_SLOWDOWN}×); p50 ${typical.toFixed(2)}×`);
    console.log(
      `${found.rows} rows, ${rowsPerSecond.toFixed(0)} a second; at most ${found.maxMb.toFixed(0)} MB, ${growthMb.toFixed(0)} MB more than with the first feed`,
    );
  }
  return options.check && !isReached ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    void stopAll();
  });
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
