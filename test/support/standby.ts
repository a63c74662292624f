// A standby that streams from a PostgreSQL 15 of a test.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asPostgres, BIN, type OldServer, startPostgres15 } from './postgres15.ts';

export async function startStandby(primary: OldServer, settings: readonly string[] = []): Promise<OldServer> {
  const copy = join(primary.folder, `copy-${randomBytes(4).toString('hex')}`);
  const as = asPostgres();
  // Without -R the address of the primary would have to be written by hand; the files go into a server of their own.
  const args = ['-h', primary.folder, '-U', 'postgres', '-D', copy, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  execFileSync(join(BIN, 'pg_basebackup'), args, { ...as, cwd: '/', stdio: 'pipe' });
  try {
    return await startPostgres15({ copyOf: copy, settings });
  } finally {
    execFileSync('rm', ['-rf', copy]);
  }
}

/** Every process of the server, the postmaster first, so that it starts no others. */
function processesOf({ data }: OldServer): number[] {
  const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const children = execFileSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' });
  return [postmaster, ...children.trim().split('\n').map(Number)];
}

/** Stops every process where it is. Returns a function that lets them continue. */
export function freeze(server: OldServer): () => void {
  const [postmaster] = processesOf(server);
  process.kill(postmaster!, 'SIGSTOP');
  const frozen = processesOf(server);
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of frozen.reverse()) process.kill(pid, 'SIGCONT');
  };
}
