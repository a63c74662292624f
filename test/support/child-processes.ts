// The processes that this one started.
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** By a part of their command line, in the order of their start. */
export async function childrenNamed(name: string): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(process.pid), '-f', name]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

export const isRunning = async (name: string, pid: number): Promise<boolean> => (await childrenNamed(name)).includes(pid);

/** Returns when it has exited. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
