// The network between the machines: a switch of their own, to which this machine has a cable too. Packets can be lost silently, as by
// a firewall: a neighbour gets a wrong hardware address.
import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { type Machine, startMachine } from './machine.ts';

export interface Network {
  /** `198.18.7.`: the first three numbers of all addresses. */
  readonly prefix: string;
  connect(machine: Machine): void;
  /** What the machine sends to these addresses is lost. */
  lose(machine: Machine, addresses: readonly string[]): void;
  find(machine: Machine, addresses: readonly string[]): void;
  /** From now on connections of this machine come from another of its addresses; those that exist keep theirs. Returns the old one. */
  moveHere(): string;
  close(): Promise<void>;
}

const NOWHERE = '02:00:00:00:00:fe';

export async function openNetwork(): Promise<Network> {
  // 198.18.0.0/15 is reserved for tests of networks.
  const prefix = `198.${18 + randomInt(2)}.${randomInt(256)}.`;
  const hub = await startMachine({ name: 'switch', address: '', mounts: {} });
  const cable = `galeri${randomBytes(4).toString('hex')}`;
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });
  let own = 1;
  hub.inNetwork('ip', 'link', 'add', 'hub', 'type', 'bridge');
  hub.inNetwork('ip', 'link', 'set', 'hub', 'up');
  // Made here, and ended with the switch, because its other end is there.
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'here', 'netns', String(hub.init));
  plugIn(hub, 'here');
  for (const last of [1, 2]) ip('address', 'add', `${prefix}${last}/24`, 'dev', cable);
  ip('link', 'set', cable, 'up');
  return {
    prefix,
    connect: (machine) => {
      try {
        // Of its last start; the kernel removes it later.
        hub.inNetwork('ip', 'link', 'del', machine.name);
      } catch {
        // It was never started, or the cable is gone already.
      }
      hub.inNetwork('ip', 'link', 'add', machine.name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(machine.init));
      plugIn(hub, machine.name);
      machine.inNetwork('ip', 'address', 'add', `${machine.address}/24`, 'dev', 'eth0');
      machine.inNetwork('ip', 'link', 'set', 'eth0', 'up');
    },
    lose: (machine, addresses) => {
      for (const one of addresses)
        machine.inNetwork('ip', 'neigh', 'replace', one, 'lladdr', NOWHERE, 'dev', 'eth0', 'nud', 'permanent');
    },
    find: (machine, addresses) => {
      for (const one of addresses) machine.inNetwork('ip', 'neigh', 'del', one, 'dev', 'eth0');
    },
    moveHere: () => {
      const old = `${prefix}${own}`;
      own = 3 - own;
      ip('route', 'replace', `${prefix}0/24`, 'dev', cable, 'src', `${prefix}${own}`);
      return old;
    },
    close: () => hub.powerOff(),
  };
}

function plugIn(hub: Machine, port: string): void {
  hub.inNetwork('ip', 'link', 'set', port, 'master', 'hub');
  hub.inNetwork('ip', 'link', 'set', port, 'up');
}
