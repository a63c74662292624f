// The faults: each does its harm, says when the service can work again, and repairs what it broke.
import { setTimeout as wait } from 'node:timers/promises';
import { measureSlowness, patience, until } from '../../support/patience.ts';
import type { Machine, Process } from './machine.ts';
import type { Site } from './site.ts';
import type { Traffic } from './traffic.ts';

export interface Fault {
  readonly name: FaultName;
  /** The longest time that a writer may be without an acknowledgement, in milliseconds on an idle machine. */
  readonly gapMs: number;
  /** Requests are answered all the same: none has to be sent again. */
  readonly isUnnoticed?: true;
  /** Returns when the service can work again although nothing is repaired. */
  harm(site: Site, traffic: Traffic): Promise<Repair>;
}

type Repair = () => Promise<void>;

export type FaultName =
  | 'kill of the primary'
  | 'kill of a standby'
  | 'switchover'
  | 'freeze'
  | 'mute connections'
  | 'partition'
  | 'power cut'
  | 'etcd loss'
  | 'node kill'
  | 'rolling restart'
  | 'rolling upgrade'
  | 'redis loss';

/** ttl and loop_wait of patroni.yml: a silent primary is replaced after at most this time. */
const TTL_MS = 25_000;
/** A node gives up a connection that is silent, and reaches the next primary. */
const SILENCE_MS = 8000;
const MARGIN_MS = 4000;
const REPAIRED: Repair = async () => {};

export const FAULTS: readonly Fault[] = [
  {
    // PostgreSQL alone: Patroni and etcd see it. The p95 of all kills has its own limit.
    name: 'kill of the primary',
    gapMs: 10_000,
    harm: async ({ databases }) => {
      const old = await databases.primary();
      process.kill(postmaster(databases.machine(old).processes()).pid, 'SIGKILL');
      await databases.primary(databases.others(old));
      return REPAIRED;
    },
  },
  {
    // Writes wait for the standby until Patroni chooses the other.
    name: 'kill of a standby',
    gapMs: 15_000,
    harm: async ({ databases }) => {
      const standby = (await databases.members()).find(({ role }) => role === 'sync_standby')!.name;
      process.kill(postmaster(databases.machine(standby).processes()).pid, 'SIGKILL');
      return REPAIRED;
    },
  },
  {
    name: 'switchover',
    gapMs: 10_000,
    harm: async ({ databases }) => {
      const leader = await databases.primary();
      const { status, text } = await databases.patroni(leader, 'POST', '/switchover', { leader });
      if (status >= 300) throw new Error(`the switchover was refused: ${status} ${text}`);
      await databases.primary(databases.others(leader));
      return REPAIRED;
    },
  },
  {
    // The machine stops where it is, with all its connections, and continues as if nothing had happened.
    name: 'freeze',
    gapMs: TTL_MS + SILENCE_MS + MARGIN_MS,
    harm: async ({ databases }) => {
      const old = await databases.primary();
      const frozen = freeze(databases.machine(old));
      await databases.primary(databases.others(old));
      return async () => {
        for (const pid of frozen.toReversed()) send(pid, 'SIGCONT');
      };
    },
  },
  {
    // As with a firewall that forgets: connections that exist get no packet anymore, and new ones work.
    name: 'mute connections',
    gapMs: SILENCE_MS + MARGIN_MS,
    harm: async ({ databases: { network, primary, machine } }) => {
      const muted = machine(await primary());
      const address = network.moveHere();
      network.lose(muted, [address]);
      return async () => network.find(muted, [address]);
    },
  },
  {
    // The primary loses the other machines and still hears the service: what it acknowledges now must not be lost.
    name: 'partition',
    gapMs: TTL_MS + SILENCE_MS + MARGIN_MS,
    harm: async ({ databases }) => {
      const old = await databases.primary();
      const others = databases.others(old);
      const { network, machine } = databases;
      network.lose(
        machine(old),
        others.map((name) => machine(name).address),
      );
      for (const name of others) network.lose(machine(name), [machine(old).address]);
      await databases.primary(others);
      return async () => {
        network.find(
          machine(old),
          others.map((name) => machine(name).address),
        );
        for (const name of others) network.find(machine(name), [machine(old).address]);
      };
    },
  },
  {
    name: 'power cut',
    gapMs: TTL_MS + SILENCE_MS + MARGIN_MS,
    harm: async ({ databases }) => {
      const old = await databases.primary();
      await databases.powerOff(old);
      await databases.primary(databases.others(old));
      return () => databases.powerOn(old);
    },
  },
  {
    // failsafe_mode: the primary stays, because it reaches all members.
    name: 'etcd loss',
    gapMs: 5000,
    harm: async ({ databases }, { acknowledged }) => {
      const old = await databases.primary();
      for (const name of databases.names)
        for (const { pid } of databases.machine(name).processes(/^etcd$/)) process.kill(pid, 'SIGKILL');
      const [from, before] = [performance.now(), acknowledged()];
      // Longer than a primary would stay without failsafe_mode.
      await until(() => performance.now() - from > TTL_MS * 1.4 && acknowledged() > before + 50, 'writes continue without etcd');
      if ((await databases.primary()) !== old) throw new Error('without etcd another machine became the primary');
      return async () => {
        for (const name of databases.names) databases.startEtcd(name);
      };
    },
  },
  {
    name: 'node kill',
    gapMs: 5000,
    harm: async ({ nodes }, { acknowledged }) => {
      const node = nodes[acknowledged() % nodes.length]!;
      await node.stop('SIGKILL');
      return () => node.start();
    },
  },
  {
    name: 'rolling restart',
    gapMs: 5000,
    isUnnoticed: true,
    harm: async (site) => {
      await site.restartNodes();
      return REPAIRED;
    },
  },
  {
    name: 'rolling upgrade',
    gapMs: 5000,
    isUnnoticed: true,
    harm: async (site) => {
      await site.upgrade();
      return REPAIRED;
    },
  },
  {
    name: 'redis loss',
    gapMs: 5000,
    isUnnoticed: true,
    harm: async ({ redis }, { acknowledged }) => {
      const before = acknowledged();
      await redis.kill();
      await until(() => acknowledged() > before + 200, 'writes continue without Redis');
      return () => redis.restart();
    },
  },
];

export const faultNamed = (name: FaultName): Fault => FAULTS.find((one) => one.name === name)!;

export interface Suffered {
  readonly fault: FaultName;
  /** When everything was sound again. */
  readonly at: string;
  /** The longest time that a writer was without an acknowledgement; null: the service did not come back on its own. */
  readonly gapMs: number | null;
  /** Writes that had to be sent again. */
  readonly repeated: number;
  readonly problems: readonly string[];
}

/** A small run shares its machine with other tests, so there only much longer gaps are found. */
export const GAP_FACTOR = { full: 1, small: 3 };

/** Does the harm, measures the gap, repairs it, and waits until everything is sound again. */
export async function suffer(site: Site, traffic: Traffic, fault: Fault, gapFactor: number): Promise<Suffered> {
  const before = traffic.caller.repeated();
  const limit = fault.gapMs * gapFactor;
  traffic.beginGap();
  const repair = await fault.harm(site, traffic);
  const gapMs = await traffic.gapMs(limit);
  const repeated = traffic.caller.repeated() - before;
  const problems = problemsOf(fault, gapMs, limit, repeated);
  await repair();
  await site.databases.healthy();
  for (const place of site.nodes.keys()) await until(() => site.isUp(place), `node ${place + 1} is up`);
  return { fault: fault.name, at: new Date().toISOString(), gapMs, repeated, problems };
}

function problemsOf({ name, isUnnoticed }: Fault, gapMs: number | null, limit: number, repeated: number): string[] {
  if (gapMs === null) return [`${name}: a writer had no acknowledgement within ${limit} ms`];
  const problems: string[] = [];
  const slowness = measureSlowness();
  if (gapMs > patience(limit) && gapMs > limit * slowness)
    problems.push(`${name}: a writer had no acknowledgement for ${gapMs} ms, and ${limit} are allowed`);
  // An overloaded node correctly answers 503.
  if (isUnnoticed && repeated > 0 && slowness < 2)
    problems.push(`${name}: ${repeated} writes had to be sent again, and none should`);
  return problems;
}

/** A process may have ended since it was listed. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Also those that are started in between. */
function freeze(machine: Machine): number[] {
  const frozen: number[] = [];
  for (;;) {
    const others = machine.processes().filter(({ pid }) => !frozen.includes(pid));
    if (others.length === 0) return frozen;
    for (const { pid } of others) {
      send(pid, 'SIGSTOP');
      frozen.push(pid);
    }
  }
}

/** Of PostgreSQL: its parent is another program. */
function postmaster(processes: readonly Process[]): Process {
  const servers = processes.filter(({ name }) => name === 'postgres');
  return servers.find(({ parent }) => !servers.some(({ pid }) => pid === parent))!;
}

export const settle = (traffic: Traffic, writes: number): Promise<void> => {
  const target = traffic.acknowledged() + writes;
  return until(async () => {
    await wait(20);
    return traffic.acknowledged() >= target || traffic.violations().length > 0;
  }, `${writes} more writes`);
};
