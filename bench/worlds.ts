// `node bench/worlds.ts`: what an isolated sandbox costs: making one with sample data, a hundred resets in a row, a move of two years, and
// production's hot read alone and beside such moves, in alternation in one run. See docs/performance.md.
import { parseArgs } from 'node:util';
import { DISK_USAGE, galeri, makeData, SMALL_ROWS } from './data.ts';
import { choosePins, cpuOfAll, residentMb, startGenerator, startService, stopAll } from './processes.ts';
import { median } from './scenarios.ts';

const USAGE = `node bench/worlds.ts [options]
  --rounds N         rounds of the hot read of which the median is taken (5)
  --seconds S        length of one measurement (5)
  --connections N    keep-alive connections of the hot read (4)
  --resets N         resets in a row (100)
${DISK_USAGE}
  --check            exit 1 when a figure is missed
  --json             one JSON value`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '4' },
    resets: { type: 'string', default: '100' },
    disk: { type: 'string', default: '0' },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, connections, resets] = [options.rounds, options.seconds, options.connections, options.resets].map(
  Number,
) as [number, number, number, number];
const progress = (line: string) => {
  if (!options.json) process.stderr.write(`${line}\n`);
};
const [MAKING_SECONDS, MOVE_SECONDS, BESIDE] = [2, 10, 1.5];
const YEARS = '730d';

type Control = (method: string, path: string, body?: unknown) => Promise<unknown>;

async function measure() {
  process.env.SANDBOX = 'isolated';
  const data = await makeData(progress, SMALL_ROWS, 1, options.disk);
  try {
    const { dataDir, small } = data;
    const made = await galeri<{ key: string }>(
      dataDir,
      'key',
      'create',
      '--account',
      small.id,
      '--name',
      'sandbox',
      ...SANDBOX_KEY,
    );
    const pins = choosePins(false);
    const service = await startService(dataDir, pins);
    const control: Control = async (method, path, body) => {
      const response = await fetch(`http://127.0.0.1:${service.port}/sandbox/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
      return response.json();
    };
    const spent = async (work: () => Promise<unknown>) => {
      const [before, from] = [cpuOfAll(service.pid), performance.now()];
      await work();
      return { cpu: cpuOfAll(service.pid) - before, wall: (performance.now() - from) / 1000 };
    };
    progress(`${resets} resets`);
    const making: { cpu: number; wall: number }[] = [];
    const memory: number[] = [];
    for (let count = 0; count < resets; count += 1) {
      making.push(await spent(() => control('POST', '/reset', { data: 'sample' })));
      memory.push(residentMb(service.pid) ?? 0);
    }
    progress('a move of two years');
    const move = await spent(() => control('POST', '/clock', { advance: YEARS }));
    const requests = [{ path: '/api/v1/vehicles?limit=25', headers: { Authorization: `Bearer ${small.keys[0]}` } }];
    const generator = startGenerator(pins);
    const read = async () => (await generator.run({ port: service.port, requests, connections, seconds, leadSeconds: 1 })).p99Ms;
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      progress(`round ${round} of the hot read`);
      await control('POST', '/reset', { data: 'sample' });
      alone.push(await read());
      const moving = control('POST', '/clock', { advance: YEARS });
      beside.push(await read());
      await moving;
    }
    return {
      making_cpu_s: median(making.map(({ cpu }) => cpu)),
      making_s: median(making.map(({ wall }) => wall)),
      memory_mb: { after_a_tenth: memory[Math.floor(memory.length / 10)] ?? 0, at_the_end: memory.at(-1) ?? 0 },
      move_cpu_s: move.cpu,
      move_s: move.wall,
      hot_p99_ms: {
        alone: median(alone),
        beside: median(beside),
        ratio: median(beside.map((one, place) => one / alone[place]!)),
      },
    };
  } finally {
    await stopAll();
    await data.close();
  }
}

const SANDBOX_KEY = ['--template', 'full', '--environment', 'sandbox', '--per-minute', '1000000'];

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const found = await measure();
  const { making_cpu_s, memory_mb, move_s, hot_p99_ms } = found;
  if (options.json) console.log(JSON.stringify(found));
  else {
    console.log(`making a sandbox with sample data: ${making_cpu_s.toFixed(2)} s of processor time, target ≤ ${MAKING_SECONDS}`);
    console.log(
      `resident memory after a tenth of ${resets} resets and at the end: ${memory_mb.after_a_tenth.toFixed(0)} and ${memory_mb.at_the_end.toFixed(0)} MB`,
    );
    console.log(
      `24 months over it: ${move_s.toFixed(1)} s, ${found.move_cpu_s.toFixed(1)} s of processor time, target ≤ ${MOVE_SECONDS}`,
    );
    console.log(
      `production's hot read, p99: ${hot_p99_ms.alone.toFixed(2)} ms alone, ${hot_p99_ms.beside.toFixed(2)} ms beside a move of two years, ` +
        `${hot_p99_ms.ratio.toFixed(2)}×, target ≤ ${BESIDE}×`,
    );
  }
  const isMissed = making_cpu_s > MAKING_SECONDS || move_s > MOVE_SECONDS || hot_p99_ms.ratio > BESIDE;
  return options.check && isMissed ? 1 : 0;
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  return 1;
});
