// A machine of its own on this one: Linux namespaces for its processes, its network and its folders. Its first process reads from this
// process, so all of them end when this process ends, however that happens.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asPostgres } from '../../support/postgres15.ts';

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** The id of its first process, as seen from outside. */
  readonly init: number;
  /** A program of the machine as PostgreSQL's user, with its output in a file. */
  run(log: string, command: readonly string[]): ChildProcess;
  /** A command of root in its network; returns when it has ended. */
  inNetwork(...command: string[]): void;
  /** The processes of these programs, or all but the first ones, as seen from outside. */
  processes(program?: RegExp): Process[];
  /** Ends all processes at once, as a power cut does. */
  powerOff(): Promise<void>;
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

export interface MachineOptions {
  readonly name: string;
  readonly address: string;
  /** What the machine has in these folders. */
  readonly mounts: Readonly<Record<string, string>>;
}

const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

export async function startMachine({ name, address, mounts }: MachineOptions): Promise<Machine> {
  const { uid, gid } = asPostgres();
  const setUp = [
    'set -e',
    ...Object.entries(mounts).map(([folder, content]) => `mount --bind '${content}' '${folder}'`),
    `mount -t tmpfs -o mode=2775,uid=${uid},gid=${gid} tmpfs /run/postgresql`,
    'ip link set lo up',
    'echo ready',
    // The shell waits for it, and in between for every process of the machine whose parent has ended.
    'cat',
    ':',
  ].join('\n');
  const outer = spawn('unshare', [...NAMESPACES, 'sh', '-c', setUp], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  outer.stderr.on('data', (part) => {
    errors += part;
  });
  outer.stdin.on('error', () => {});
  const [ready] = await Promise.race([once(outer.stdout, 'data'), once(outer, 'exit').then(() => [null])]);
  if (ready === null) throw new Error(`the machine ${name} did not start: ${errors}`);
  const init = childrenOf(outer.pid!)[0]!;
  const own = new Set([init, ...childrenOf(init)]);
  const enter = ['--target', String(init), '--net', '--mount', '--pid', '--'];
  return {
    name,
    address,
    init,
    run: (log, command) => {
      const child = spawn('nsenter', [...enter, ...AS_POSTGRES, ...command], {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: '/',
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
      });
      const file = createWriteStream(log, { flags: 'a' });
      child.stdout.pipe(file, { end: false });
      child.stderr.pipe(file, { end: false });
      return child;
    },
    inNetwork: (...command) =>
      void execFileSync('nsenter', ['--target', String(init), '--net', '--', ...command], { stdio: 'pipe' }),
    processes: (program = /./) => processesIn(init).filter((one) => !own.has(one.pid) && program.test(one.name)),
    powerOff: async () => {
      if (outer.exitCode !== null || outer.signalCode !== null) return;
      const ended = once(outer, 'exit');
      // The end of the first process ends all others of its namespace.
      process.kill(init, 'SIGKILL');
      await ended;
    },
  };
}

const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--'];

const childrenOf = (pid: number): number[] =>
  execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

/** Of the same process namespace. A process may end while it is looked at. */
function processesIn(init: number): Process[] {
  const namespace = readlinkSync(`/proc/${init}/ns/pid`);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (readlinkSync(join('/proc', pid, 'ns/pid')) !== namespace) return [];
        // The name is in brackets and may hold any character.
        const [, name, parent] = /\((.*)\) \S (\d+) /s.exec(readFileSync(join('/proc', pid, 'stat'), 'utf8'))!;
        return [{ pid: Number(pid), parent: Number(parent), name: name! }];
      } catch {
        return [];
      }
    });
}
