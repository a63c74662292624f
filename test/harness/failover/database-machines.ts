// Three machines with PostgreSQL, Patroni and etcd, configured by the file that is shipped, deploy/postgres/patroni.yml.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { deadline, patience, until } from '../../support/patience.ts';
import { asPostgres, BIN } from '../../support/postgres15.ts';
import { isMissing } from '../../support/programs.ts';
import { type Machine, startMachine } from './machine.ts';
import { type Network, openNetwork } from './network.ts';

const SHIPPED = new URL('../../../deploy/postgres/patroni.yml', import.meta.url);
const NAMES = ['db1', 'db2', 'db3'] as const;
export type Name = (typeof NAMES)[number];

/** True, with a loud line, where machines of this kind cannot be made. */
export function areMachinesMissing(): boolean {
  const programs: [string, string][] = [
    ['patroni', '--version'],
    ['etcd', '--version'],
    ['haproxy', '-v'],
    ['redis-server', '--version'],
    ['nsenter', '--version'],
    ['ip', '-V'],
  ];
  if (programs.map(([program, flag]) => isMissing(program, [flag])).includes(true)) return true;
  if (process.geteuid?.() === 0 && existsSync(join(BIN, 'initdb'))) return false;
  console.warn('SKIPPED: the harness failover makes network namespaces as root and needs PostgreSQL 15 from Debian');
  return true;
}

export interface Member {
  readonly name: Name;
  readonly role: 'leader' | 'sync_standby' | 'replica' | 'standby_leader';
  readonly state: string;
  readonly lag?: number | 'unknown';
}

export interface DatabaseMachines {
  readonly network: Network;
  readonly names: readonly Name[];
  readonly folder: string;
  /** As in a list of hosts, in this order. */
  readonly hosts: readonly string[];
  /** For superusers. */
  readonly password: string;
  machine(name: Name): Machine;
  others(name: Name): Name[];
  /** From any member that answers. */
  members(): Promise<Member[]>;
  /** Waits until one of these says that it is. */
  primary(among?: readonly Name[]): Promise<Name>;
  /** Waits until there is a primary, a synchronous standby (unless loss is accepted) and a standby, all of them running. */
  healthy(): Promise<void>;
  patroni(name: Name, method: string, path: string, body?: unknown): Promise<Answer>;
  startEtcd(name: Name): void;
  startPatroni(name: Name): void;
  /** From now on a standby may become the primary that lacks acknowledged writes. */
  acceptLoss(): Promise<void>;
  powerOff(name: Name): Promise<void>;
  powerOn(name: Name): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export async function startDatabaseMachines(folder: string): Promise<DatabaseMachines> {
  const network = await openNetwork();
  const addressOf = (name: Name): string => `${network.prefix}2${name.at(-1)}`;
  const passwords = { superuser: newPassword(), replication: newPassword(), rewind: newPassword() };
  const machines = new Map<Name, Machine>();
  const machine = (name: Name): Machine => machines.get(name)!;

  const powerOn = async (name: Name): Promise<void> => {
    const mounts = { '/var/lib/postgresql': join(folder, name, 'data'), '/etc/patroni': join(folder, name, 'etc') };
    machines.set(name, await startMachine({ name, address: addressOf(name), mounts }));
    network.connect(machine(name));
    startEtcd(name);
    startPatroni(name);
  };
  const startEtcd = (name: Name): void => {
    machine(name).run(join(folder, name, 'etcd.log'), ['etcd', ...etcdOptions(name, addressOf)]);
  };
  const startPatroni = (name: Name): void => {
    machine(name).run(join(folder, name, 'patroni.log'), ['patroni', '/etc/patroni/config.yml']);
  };
  const patroni: DatabaseMachines['patroni'] = (name, method, path, body) =>
    ask(`http://${addressOf(name)}:8008${path}`, method, body);
  const members = async (): Promise<Member[]> => {
    for (const name of NAMES) {
      const answer = await patroni(name, 'GET', '/cluster').catch(() => null);
      if (answer?.status === 200) return (JSON.parse(answer.text) as { members?: Member[] }).members ?? [];
    }
    return [];
  };
  const primary = async (among: readonly Name[] = NAMES): Promise<Name> => {
    for (const isOver = deadline(); ; await wait(50)) {
      for (const name of among) if ((await patroni(name, 'GET', '/primary').catch(() => null))?.status === 200) return name;
      if (isOver()) throw new Error(`none of ${among} became the primary`);
    }
  };
  let synchronous = 1;
  const isHealthy = async (): Promise<boolean> => {
    const all = await members();
    const has = (role: string, count: number) => all.filter((one) => one.role === role).length === count;
    return (
      has('leader', 1) &&
      has('sync_standby', synchronous) &&
      has('replica', 2 - synchronous) &&
      all.every(({ state }) => /running|streaming/.test(state))
    );
  };
  const close = async (): Promise<void> => {
    for (const one of machines.values()) await one.powerOff();
    await network.close();
  };

  try {
    for (const name of NAMES) await prepare(join(folder, name), name, network.prefix, passwords);
    for (const name of NAMES) await powerOn(name);
    await until(isHealthy, 'Patroni has a primary, a synchronous standby and a standby');
  } catch (error) {
    const logs = NAMES.map((name) => logOf(join(folder, name, 'patroni.log')));
    await close();
    throw new Error(`the database machines did not start: ${(error as Error).message}\n${logs.join('\n')}`, { cause: error });
  }
  return {
    network,
    folder,
    names: NAMES,
    hosts: NAMES.map((name) => `${addressOf(name)}:5432`),
    password: passwords.superuser,
    machine,
    others: (name) => NAMES.filter((other) => other !== name),
    members,
    primary,
    healthy: () => until(isHealthy, 'Patroni has a primary and two standbys'),
    patroni,
    startEtcd,
    startPatroni,
    acceptLoss: async () => {
      await patroni(await primary(), 'PATCH', '/config', { synchronous_mode: false });
      synchronous = 0;
      await until(isHealthy, 'no standby is synchronous');
    },
    powerOff: (name) => machine(name).powerOff(),
    powerOn,
    close,
  };
}

const newPassword = (): string => randomBytes(12).toString('hex');

/** The folders of a machine, and the shipped file with its name, addresses and passwords. */
async function prepare(folder: string, name: Name, prefix: string, passwords: Readonly<Record<string, string>>): Promise<void> {
  const { uid, gid } = asPostgres();
  const replaced = readFileSync(SHIPPED, 'utf8')
    .replaceAll('connect_address: 10.0.0.21:', `connect_address: 10.0.0.2${name.at(-1)}:`)
    .replaceAll('10.0.0.', prefix)
    .replace('name: db1', `name: ${name}`)
    .replace('CHANGE-superuser', passwords.superuser!)
    .replace('CHANGE-replication', passwords.replication!)
    .replace('CHANGE-rewind', passwords.rewind!)
    // It would reset this machine.
    .replace('mode: automatic', 'mode: "off"');
  if (/CHANGE|10\.0\.0\.|automatic/.test(replaced))
    throw new Error('patroni.yml has changed: the harness does not know its text');
  for (const part of ['', 'data', 'data/15', 'etc']) {
    await mkdir(join(folder, part), { mode: 0o755, recursive: true });
    await chown(join(folder, part), uid!, gid!);
  }
  await writeFile(join(folder, 'etc/config.yml'), replaced);
}

function etcdOptions(name: Name, addressOf: (name: Name) => string): string[] {
  const at = (one: Name, port: number) => `http://${addressOf(one)}:${port}`;
  const options = {
    name,
    'data-dir': '/var/lib/postgresql/etcd',
    'listen-peer-urls': at(name, 2380),
    'initial-advertise-peer-urls': at(name, 2380),
    'listen-client-urls': at(name, 2379),
    'advertise-client-urls': at(name, 2379),
    'initial-cluster': NAMES.map((one) => `${one}=${at(one, 2380)}`).join(),
    'initial-cluster-state': 'new',
    'log-level': 'warn',
    logger: 'zap',
  };
  return Object.entries(options).map(([option, value]) => `--${option}=${value}`);
}

function ask(url: string, method: string, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, timeout: patience(5000) }, async (reply) => {
      resolve({ status: reply.statusCode!, text: await text(reply).catch(() => '') });
    });
    sent.on('timeout', () => sent.destroy(new Error('no reply in time')));
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const logOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8').slice(-3000) : '');
