// Which of several hosts gets the next connection: the one that accepted the last, until it fails or turns out to be a standby.
import { hostsIn } from '../domain/net/database-url.ts';

export interface Hosts {
  readonly all: readonly string[];
  current(): string;
  /** The next connection goes to another host. */
  failed(host: string): void;
}

const known = new Map<string, Hosts>();

/** One choice for each list of hosts, so that pools, the change channel and the probe follow a failover together. */
export function hostsFor(url: string): Hosts {
  const all = hostsIn(url);
  const name = all.join();
  const hosts = known.get(name) ?? createHosts(all);
  known.set(name, hosts);
  return hosts;
}

function createHosts(all: readonly string[]): Hosts {
  let index = 0;
  return {
    all,
    current: () => all[index]!,
    failed: (host) => {
      // Several connections may fail at once; only the first of them moves on.
      if (all[index] === host) index = (index + 1) % all.length;
    },
  };
}

export class StandbyServer extends Error {
  constructor(host: string) {
    super(`${decodeURIComponent(host)} is a standby, which accepts no writes`);
  }
}

export class PrimaryServer extends Error {
  constructor(host: string) {
    super(`${decodeURIComponent(host)} is not a standby: it accepts writes`);
  }
}
