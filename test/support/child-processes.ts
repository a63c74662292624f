// The processes that this one started, by a part of their command line.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** In the order of their start. */
export async function childrenNamed(name: string): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(process.pid), '-f', name]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

export const isRunning = async (name: string, pid: number): Promise<boolean> => (await childrenNamed(name)).includes(pid);
