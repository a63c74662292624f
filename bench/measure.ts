// The measurement: bare server, scenario, bare server, then the next scenario, for the given number of rounds.
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchData } from './data.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { busySeconds, cpuBetween, cpuOfTree, cpuSeconds, type Generator, residentMb, type Server } from './processes.ts';
import { type Baseline, PATH, type Scenario, type ServerName, type Slice } from './scenarios.ts';

export interface Bench {
  readonly servers: ReadonlyMap<ServerName, Server>;
  readonly generator: Generator;
  readonly data: BenchData;
  readonly progress: (line: string) => void;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** How often a disturbed measurement is repeated; the least disturbed one counts. */
  readonly patience: number;
}

/** From this share a measurement counts as disturbed: a tenth of the machine went to other processes. */
const DISTURBED = 0.1;

export async function measure(bench: Bench, chosen: readonly Scenario[]): Promise<Map<string, Slice[]>> {
  const slices = new Map<string, Slice[]>(chosen.map(({ name }) => [name, []]));
  bench.progress('warming up');
  const baselines = new Map(chosen.map(({ against = bare(bench) }) => [against.name, against]));
  for (const baseline of baselines.values()) await run(bench, baseline, bench.seconds);
  // Writes have a tenth of the rate of reads, so their code needs a longer warm-up to be compiled.
  for (const scenario of chosen)
    await run(bench, scenario, bench.seconds * (scenario.against === undefined ? 1 : 4), scenario.pass === true);
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.progress(`round ${round} of ${bench.rounds}`);
    // Another order each time, so that no scenario always follows the same neighbour.
    const turn = (round - 1) % chosen.length;
    for (const scenario of [...chosen.slice(turn), ...chosen.slice(0, turn)]) {
      slices.get(scenario.name)!.push(await leastDisturbed(bench, scenario));
    }
  }
  return slices;
}

async function leastDisturbed(bench: Bench, scenario: Scenario): Promise<Slice> {
  let best: Slice | null = null;
  for (let attempt = 1; attempt <= bench.patience; attempt += 1) {
    const slice = await betweenBare(bench, scenario);
    if (best === null || (slice.others ?? 0) < (best.others ?? 0)) best = slice;
    if ((best.others ?? 0) < DISTURBED) break;
    if (attempt < bench.patience) await wait(1000);
  }
  return best!;
}

/** Compares a scenario with its bare server right before and right after it. */
async function betweenBare(bench: Bench, scenario: Scenario): Promise<Slice> {
  const baseline = scenario.against ?? bare(bench);
  const before = await run(bench, baseline, bench.seconds / 3);
  const close = await scenario.beside?.(bench.servers.get(scenario.server)!.port);
  const own = await run(bench, scenario, bench.seconds);
  const rssMb = scenario.server === 'service' ? residentMb(bench.servers.get('service')!.pid) : null;
  await close?.();
  const after = await run(bench, baseline, bench.seconds / 3);
  const { rps, p50Ms, p99Ms } = own.result;
  const bareCpu = [before, after].map(({ cpuUs, databaseCpuUs }) =>
    cpuUs === null ? null : cpuUs + (baseline.server === 'insert' ? (databaseCpuUs ?? 0) : 0),
  );
  const ownCpu = own.cpuUs === null ? null : own.cpuUs + (own.databaseCpuUs ?? 0);
  const work = ownCpu === null || bareCpu.includes(null) ? null : (bareCpu[0]! + bareCpu[1]!) / 2 / ownCpu;
  const others = [before, own, after].flatMap((part) => part.others ?? []);
  return {
    rps,
    ratio: (2 * rps) / (before.result.rps + after.result.rps),
    p50Ms,
    p99Ms,
    cpuUs: own.cpuUs,
    databaseCpuUs: own.databaseCpuUs,
    rssMb,
    work,
    others: others.length === 0 ? null : Math.max(...others),
  };
}

const bare = ({ data }: Bench): Baseline => ({
  name: 'raw',
  server: 'raw',
  requests: data.small.keys.map((key) => ({ path: PATH, headers: { Authorization: `Bearer ${key}` } })),
  status: 200,
});

interface Run {
  readonly result: LoadResult;
  readonly cpuUs: number | null;
  readonly databaseCpuUs: number | null;
  readonly others: number | null;
}

async function run(bench: Bench, scenario: Baseline, seconds: number, leadPass = false): Promise<Run> {
  const { pid, port } = bench.servers.get(scenario.server)!;
  const database = bench.data.connected.embedded!.pid()!;
  const spent = () => ({
    at: performance.now() / 1000,
    server: cpuSeconds(pid),
    generator: cpuSeconds(bench.generator.pid),
    self: cpuSeconds(process.pid),
    machine: busySeconds(),
  });
  const from = spent();
  const databaseFrom = cpuOfTree(database);
  const { requests, mixed, connections = bench.connections } = scenario;
  const job: LoadJob = { port, requests, faithful: !mixed, connections, seconds, leadPass };
  const result = await bench.generator.run(job);
  const to = spent();
  const databaseUsed = cpuBetween(databaseFrom, cpuOfTree(database));
  const seen = Object.keys(result.statuses).join(', ');
  if (seen !== String(scenario.status) || result.broken > 0) {
    const what = `${JSON.stringify(result.statuses)} and ${result.broken} broken connections`;
    throw new Error(`${scenario.name} should have been answered ${scenario.status}, but was ${what}`);
  }
  const used = (what: keyof typeof from) => (from[what] === null || to[what] === null ? null : to[what] - from[what]);
  const each = (used: number | null) => (used === null ? null : (used / result.total) * 1e6);
  const ours = (['server', 'generator', 'self'] as const).reduce((sum, what) => sum + (used(what) ?? 0), databaseUsed ?? 0);
  const machine = used('machine');
  const others = machine === null ? null : Math.max(0, (machine - ours) / (used('at')! * cpus().length));
  return { result, cpuUs: each(used('server')), databaseCpuUs: each(databaseUsed), others };
}
