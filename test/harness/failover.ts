// A whole site as docs/high-availability.md describes it, with the files of deploy/: three machines with PostgreSQL, Patroni and etcd, two
// HAProxy, Redis, three API nodes and two workers. Writers, readers, webhooks, event streams and a caller with a limit use it while its parts
// fail one after the other. No acknowledged write is lost or doubled, nothing stale is read, no event is missed, the limit holds, and each
// fault has a longest gap. `--plant` has three bugs in turn: a write is acknowledged before it is committed, a node waits for the database
// without a deadline, and an asynchronous standby becomes the primary. Needs root, for network namespaces.
//
//   node test/harness/failover.ts --seed 1 --n 200000 [--plant]

import { patience } from '../support/patience.ts';
import { compare } from './failover/compare.ts';
import { FAULTS, type FaultName, faultNamed, GAP_FACTOR, type Suffered, settle, suffer } from './failover/faults.ts';
import { openSite, type Site } from './failover/site.ts';
import { makeDealers, openTraffic, type Traffic } from './failover/traffic.ts';
import { type Report, readArguments, report, spread } from './report.ts';

const MAX_SHOWN = 20;
/** From this size every fault happens, and the release before this one is upgraded. */
const FULL = 20_000;
const SMALL_FAULTS: readonly FaultName[] = ['kill of the primary', 'mute connections', 'node kill', 'redis loss'];
/** Where the primary dies alone. */
const P95_MS = 6000;

export async function failover(seed: number, n: number, plant: boolean): Promise<Report> {
  const site = await openSite({ releaseBefore: !plant && n >= FULL, ...(plant ? { plant: 'early-reply' } : {}) });
  try {
    const from = performance.now();
    const { violations, figure } = plant ? await showPlants(site, seed) : await sufferAll(site, seed, n);
    const seconds = Math.round((performance.now() - from) / 1000);
    const ended = [...site.nodes, ...site.workers].flatMap(({ failures }) => failures);
    return {
      name: 'failover',
      seed,
      n,
      violations: [...violations, ...ended].slice(0, MAX_SHOWN),
      figure: { ...figure, seconds },
    };
  } finally {
    await site.close();
  }
}

type Found = Pick<Report, 'violations' | 'figure'>;

async function sufferAll(site: Site, seed: number, n: number): Promise<Found> {
  const isFull = n >= FULL;
  const plan = isFull ? fullPlan() : SMALL_FAULTS;
  const traffic = await openTraffic(site, await makeDealers(site, isFull ? 8 : 2), seed);
  const suffered: Suffered[] = [];
  const problems: string[] = [];
  try {
    for (const name of plan) {
      await settle(traffic, Math.floor(n / (plan.length + 1)));
      const one = await suffer(site, traffic, faultNamed(name), isFull ? GAP_FACTOR.full : GAP_FACTOR.small);
      process.stderr.write(`${JSON.stringify(one)}\n`);
      suffered.push(one);
      problems.push(...one.problems);
      if (one.gapMs === null || traffic.violations().length > 0) break;
    }
    await settle(traffic, Math.max(50, n - traffic.acknowledged()));
    await traffic.stop();
    problems.push(...traffic.violations(), ...(await compare(site, traffic)), ...(isFull ? slowKills(suffered) : []));
    return { violations: problems, figure: figureOf(traffic, suffered) };
  } finally {
    await traffic.close();
  }
}

/** The upgrade first, so that the others hit this release; then each twice, with a kill of the primary in between. */
function fullPlan(): FaultName[] {
  const others = FAULTS.map(({ name }) => name).filter((name) => name !== 'rolling upgrade' && name !== 'kill of the primary');
  return ['rolling upgrade', ...[...others, ...others].flatMap((name) => [name, 'kill of the primary'] as const)];
}

function slowKills(suffered: readonly Suffered[]): string[] {
  const gaps = gapsOf(suffered, 'kill of the primary');
  const p95 = gaps.length === 0 ? 0 : spread(gaps).p95;
  return p95 > patience(P95_MS) ? [`kill of the primary: the gap has a p95 of ${p95} ms, and ${P95_MS} are allowed`] : [];
}

const gapsOf = (suffered: readonly Suffered[], name: FaultName): number[] =>
  suffered.flatMap(({ fault, gapMs }) => (fault === name && gapMs !== null ? [gapMs] : []));

function figureOf(traffic: Traffic, suffered: readonly Suffered[]): Report['figure'] {
  const names = [...new Set(suffered.map(({ fault }) => fault))];
  return {
    acknowledged: traffic.acknowledged(),
    statuses: traffic.caller.statuses,
    repeated: traffic.caller.repeated(),
    reads: traffic.reads(),
    webhooks: traffic.receiver.accepted(),
    streams: {
      events: traffic.listeners.reduce((sum, { position }) => sum + position, 0),
      opened: traffic.listeners.map(({ opened }) => opened),
    },
    limited: { admitted: traffic.limited.admitted, refused: traffic.limited.refused },
    faults: suffered.length,
    gaps_ms: Object.fromEntries(names.map((name) => [name, spread(gapsOf(suffered, name))])),
  };
}

/** A kill may find no write between its early reply and its commit, so a fault that shows nothing happens again. */
const TRIES = 3;

/** Each bug with callers of its own, and the fault that shows it. `figure` names those that were found. */
async function showPlants(site: Site, seed: number): Promise<Found> {
  const shown: Record<string, readonly string[]> = {};
  let tries = 0;
  const showOnce = async (fault: FaultName, isLoss: boolean): Promise<readonly string[]> => {
    tries += 1;
    const traffic = await openTraffic(site, await makeDealers(site, 1), seed + tries);
    try {
      await settle(traffic, 100);
      const { problems } = await suffer(site, traffic, faultNamed(fault), GAP_FACTOR.small);
      await traffic.stop();
      return isLoss ? (await compare(site, traffic)).filter((problem) => problem.startsWith('lost: ')) : problems;
    } finally {
      await traffic.close();
    }
  };
  const show = async (bug: string, fault: FaultName, isLoss: boolean): Promise<void> => {
    let found: readonly string[] = [];
    for (let turn = 0; turn < TRIES && found.length === 0; turn += 1) found = await showOnce(fault, isLoss);
    shown[bug] = found;
  };
  await show('acknowledged before the commit', 'kill of the primary', true);
  await site.replaceNodes('no-deadline');
  await show('no deadline', 'mute connections', false);
  await site.replaceNodes(undefined);
  await site.databases.acceptLoss();
  await show('asynchronous standby promoted', 'partition', true);
  return {
    violations: Object.entries(shown).flatMap(([bug, problems]) => problems.map((problem) => `${bug}: ${problem}`)),
    figure: { found: Object.keys(shown).filter((bug) => shown[bug]!.length > 0) },
  };
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 200_000 });
  report(await failover(seed, n, plant));
}
