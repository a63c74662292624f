// `node bench/tracing.ts`: processor time of the service for a hot read without traces and with every request traced, in turns in one run.
// The collector discards what it gets. See docs/performance.md.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { makeData, SMALL_ROWS } from './data.ts';
import { choosePins, cpuSeconds, startGenerator, startService, stopAll } from './processes.ts';
import { median, PATH } from './scenarios.ts';

const USAGE = `node bench/tracing.ts [options]
  --rounds N         rounds of which the median is taken (5)
  --seconds S        length of one measurement (5)
  --connections N    keep-alive connections (32)
  --check            exit 1 when the figure is missed
  --json             one JSON value`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, connections] = [options.rounds, options.seconds, options.connections].map(Number) as [
  number,
  number,
  number,
];
const progress = (line: string) => {
  if (!options.json) process.stderr.write(`${line}\n`);
};
const TARGET = 1.1;

async function measure() {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  const data = await makeData(progress, SMALL_ROWS, 1);
  try {
    const pins = choosePins(false);
    const requests = data.small.keys.map((key) => ({ path: PATH, headers: { Authorization: `Bearer ${key}` } }));
    const microsecondsWith = async (endpoint: string): Promise<number> => {
      process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
      const service = await startService(data.dataDir, pins);
      const generator = startGenerator(pins);
      const job = { port: service.port, requests, connections, seconds };
      await generator.run(job);
      const before = cpuSeconds(service.pid) ?? 0;
      const { total } = await generator.run(job);
      const spent = (cpuSeconds(service.pid) ?? 0) - before;
      await stopAll();
      return (spent / total) * 1e6;
    };
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const [off, on]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}`);
      off.push(await microsecondsWith(''));
      on.push(await microsecondsWith(endpoint));
    }
    return { off_us: median(off), on_us: median(on), ratio: median(on.map((one, place) => one / off[place]!)) };
  } finally {
    await stopAll();
    await data.close();
    collector.closeAllConnections();
    collector.close();
  }
}

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const found = await measure();
  const { off_us, on_us, ratio } = found;
  if (options.json) console.log(JSON.stringify(found));
  else
    console.log(
      `hot read: ${off_us.toFixed(1)} µs of processor time without traces, ${on_us.toFixed(1)} µs with, ${ratio.toFixed(2)}×, target ≤ ${TARGET}×`,
    );
  return options.check && ratio > TARGET ? 1 : 0;
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  return 1;
});
