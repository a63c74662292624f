// The embedded PostgreSQL in DATA_DIR: creates it, starts or adopts it, restarts it when it dies, and stops it with its last user.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { chmod, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession, type Session } from './database.ts';
import type { Cluster } from './embedded-install.ts';
import {
  ADMIN,
  alive,
  createCluster,
  environment,
  explain,
  failure,
  findInstallation,
  findPackage,
  isErrno,
  logSince,
  prepareBinaries,
  privateDirectory,
  writeOnce,
} from './embedded-install.ts';

export interface EmbeddedPostgres {
  /** Administrative URL of the database `galeri`. */
  readonly url: string;
  /** The postmaster's pid; null while none runs. */
  readonly pid: () => number | null;
  /** From now on a dead postmaster is restarted; each change is reported. */
  supervise(report: Report): void;
  /** Stops supervising, and stops PostgreSQL unless another process still uses it. */
  close(): Promise<void>;
}

type Report = (what: 'down' | 'restarted' | 'failed', detail: string) => void;

interface Running {
  readonly pid: number;
  readonly url: string;
  readonly session: Session;
  lost: boolean;
}

// An advisory lock that all users of this PostgreSQL hold shared; a process that gets it exclusively was the last. ("galeri" in
// ASCII.)
const IN_USE = 0x67616c657269;
const TIMEOUT_MS = 30_000;
const RECOVERY_MS = 15 * 60_000;
const LOG_LIMIT = 10 * 1024 * 1024;
// Socket addresses hold 104 bytes on macOS and 108 on Linux.
const SOCKET_PATH_LIMIT = 100;
// Errors of connections while the log is replayed after a crash, which may take long.
const RECOVERING = /starting up|not yet accepting connections|recovery mode/;
// Errors of a start while the former postmaster or its children are still ending.
const PASSING =
  /lock file "[^"\n]*" (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets/;

const SETTINGS = [
  ...'ssl=off shared_buffers=128MB max_connections=100 jit=off timezone=UTC log_timezone=UTC lc_messages=C'.split(' '),
  ...'fsync=on synchronous_commit=on full_page_writes=on'.split(' '),
  ...'autovacuum=on autovacuum_naptime=15s'.split(' '),
  ...'autovacuum_vacuum_scale_factor=0.05 autovacuum_vacuum_insert_scale_factor=0.05'.split(' '),
  ...'logging_collector=off log_destination=stderr log_checkpoints=off'.split(' '),
  // Details and statements contain customers' data, which must not be logged.
  ...'log_error_verbosity=terse log_min_error_statement=panic'.split(' '),
  'log_line_prefix=%m [%p] ',
];

export async function openEmbeddedPostgres(options: {
  dataDir: string;
  progress?: (line: string) => void;
}): Promise<EmbeddedPostgres> {
  try {
    const pack = findPackage();
    const install = await findInstallation(options.dataDir, pack);
    const data = join(install.folder, 'data');
    const secret = join(install.dataDir, 'postgres.password');
    if (existsSync(data) && !existsSync(secret))
      throw new Error(`${secret} is missing, and without it the database in ${install.folder} cannot be opened; put it back`);
    const password = (await writeOnce(secret, `${randomBytes(24).toString('base64url')}\n`)).trim();
    const progress = options.progress ?? (() => {});
    const cluster: Cluster = { install, pack, data, log: join(install.folder, 'postgres.log'), password, progress };
    if (!existsSync(data)) await createCluster(cluster);
    return keep(cluster, await bringUp(cluster, () => false));
  } catch (error) {
    throw explain(error, options.dataDir);
  }
}

interface PidFile {
  readonly pid: number;
  /** Null until the server listens. */
  readonly address: string | null;
}

async function readPidFile({ data, install }: Cluster): Promise<PidFile | null> {
  const path = join(data, 'postmaster.pid');
  try {
    const [pid, , , port, socket, tcp] = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
    // Our own directory, not the one in the file, because the folder may have been renamed.
    const host = socket ? encodeURIComponent(join(install.folder, 'socket')) : tcp;
    if (pid) return { pid: Math.abs(Number(pid)), address: host ? `${host}:${port}` : null };
    // PostgreSQL fills the file at once. One that stays empty is left from a power failure and would prevent every start.
    if (Date.now() - (await stat(path)).mtimeMs > 5000) await rm(path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  return null;
}

/** Whether this pid is the postmaster of this cluster, and not another process with a reused pid. */
function isPostmaster(pid: number, data: string): boolean {
  if (!alive(pid)) return false;
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).includes(data);
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (basename(args[0] ?? '') !== 'postgres') return false;
    // The working directory is right even after a rename, but reading it may need a privilege that we lack.
    return args[args.indexOf('-D') + 1] === data || readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false;
  }
}

interface Launch {
  readonly pid: number;
  /** Null while it runs; afterwards its output. */
  ended: string | null;
}

async function freePort(preferred: number): Promise<number> {
  const server = createServer();
  return new Promise((done, fail) => {
    server.on('error', (error) => (preferred === 0 ? fail(error) : done(freePort(0))));
    server.listen(preferred, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The settings for listening: a socket in a private directory, or loopback where the socket's path is too long. */
async function listening(cluster: Cluster): Promise<string[]> {
  const { folder, account } = cluster.install;
  const rules = join(folder, 'pg_hba.conf');
  const socket = join(folder, 'socket');
  const overTcp = Buffer.byteLength(join(socket, '.s.PGSQL.5432')) > SOCKET_PATH_LIMIT;
  const draft = `${rules}.${process.pid}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, `${overTcp ? 'host all all 127.0.0.1/32' : 'local all all'} scram-sha-256\n`, { flag: 'wx' });
  await chmod(draft, 0o644);
  await rename(draft, rules);
  if (!overTcp) {
    await privateDirectory(socket, account);
    const quoted = socket.replaceAll('"', '""');
    const here = [`unix_socket_directories="${quoted}"`, 'unix_socket_permissions=0700'];
    return [`hba_file=${rules}`, 'listen_addresses=', 'port=5432', ...here];
  }
  // The previous port if it is free, so that URLs stay valid after a restart.
  const memory = join(folder, 'port');
  const port = `${await freePort(existsSync(memory) ? Number(await readFile(memory, 'utf8')) : 0)}`;
  await writeFile(memory, port, { mode: 0o600 });
  return [`hba_file=${rules}`, 'listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
}

async function launch(cluster: Cluster, notPostmaster: number | undefined): Promise<Launch> {
  const { folder, account } = cluster.install;
  const native = await prepareBinaries(cluster.install, cluster.pack, cluster.progress);
  const settings = [...SETTINGS, ...(await listening(cluster))].flatMap((setting) => ['-c', setting]);
  const owner = await stat(folder);
  const log = openSync(cluster.log, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    if (process.geteuid?.() === 0) fchownSync(log, owner.uid, owner.gid);
    if (fstatSync(log).size > LOG_LIMIT) ftruncateSync(log);
    const from = fstatSync(log).size;
    const child = spawn(join(native, 'bin', 'postgres'), ['-D', cluster.data, ...settings], {
      cwd: '/',
      // In its own session, so that Ctrl-C in the terminal does not end it before the service has finished its requests.
      detached: true,
      stdio: ['ignore', log, log],
      // PostgreSQL takes any live process with the pid in its pid file for another postmaster, except the one named here. It
      // still checks the shared memory.
      env: { ...environment(native), ...(notPostmaster && { PG_GRANDPARENT_PID: `${notPostmaster}` }) },
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    const started: Launch = { pid: child.pid ?? 0, ended: null };
    child.on('error', (error) => {
      started.ended = `FATAL: ${join(native, 'bin', 'postgres')} cannot be run on this machine (${error.message})`;
    });
    child.on('exit', () => {
      started.ended = logSince(started.pid, cluster.log, from);
    });
    child.unref();
    return started;
  } finally {
    closeSync(log);
  }
}

/** Connects and takes the shared lock. Returns the reason as text if it may work a little later. */
async function enter(cluster: Cluster, file: PidFile): Promise<Running | string> {
  if (file.address === null) return 'it is starting up';
  const url = `postgresql://${ADMIN}:${cluster.password}@${file.address}/galeri?sslmode=disable`;
  let session: Session;
  try {
    session = await openSession(url, { timeoutMs: 3000 });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code?.startsWith('28'))
      throw new Error(
        `The password in ${join(cluster.install.dataDir, 'postgres.password')} does not open the database: ${message}`,
      );
    if (code === '3D000') throw new Error(`The database in ${cluster.install.folder} is damaged: ${message}`);
    return message;
  }
  try {
    const running: Running = { pid: file.pid, url, session, lost: false };
    session.onLost(() => {
      running.lost = true;
    });
    const [row] = await session.rows<{ held: boolean }>(`SELECT pg_try_advisory_lock_shared(${IN_USE}) AS held`);
    if (row?.held) return running;
    await session.close();
    return 'it is being stopped by another process';
  } catch (error) {
    await session.close().catch(() => {});
    return (error as Error).message;
  }
}

/** Adopts the running postmaster or starts one, and waits until it accepts connections. */
async function bringUp(cluster: Cluster, cancelled: () => boolean): Promise<Running> {
  const { folder } = cluster.install;
  const begun = Date.now();
  let patience = begun + TIMEOUT_MS;
  let launched: Launch | null = null;
  let why = 'it does not answer';
  let isReported = false;
  try {
    for (;;) {
      if (launched !== null && launched.ended !== null) {
        const fault = failure(cluster, `PostgreSQL did not start in ${folder}`, launched.ended);
        if (!PASSING.test(launched.ended)) throw fault;
        why = fault.message;
        launched = null;
        await sleep(200);
      }
      const file = await readPidFile(cluster);
      if (file && isPostmaster(file.pid, cluster.data)) {
        const entered = await enter(cluster, file);
        if (typeof entered !== 'string') return entered;
        why = entered;
        if (RECOVERING.test(why) && Date.now() < begun + RECOVERY_MS) patience = Date.now() + TIMEOUT_MS;
      } else if (launched === null) {
        if (cancelled()) throw new Error('PostgreSQL is no longer wanted');
        launched = await launch(cluster, file?.pid);
      }
      const waited = Date.now() - begun;
      if (Date.now() > patience)
        throw new Error(`PostgreSQL in ${folder} was not ready after ${Math.round(waited / 1000)} s: ${why}`);
      if (waited > 1000 && !isReported) cluster.progress('Waiting for PostgreSQL …');
      isReported ||= waited > 1000;
      await sleep(25);
    }
  } catch (error) {
    if (launched !== null && launched.ended === null) await stop(launched.pid, cluster.data);
    throw error;
  }
}

async function stop(pid: number, data: string): Promise<void> {
  for (const [signal, limit] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5000],
  ] as const) {
    if (!isPostmaster(pid, data)) return;
    process.kill(pid, signal);
    for (const until = Date.now() + limit; Date.now() < until; await sleep(20)) if (!alive(pid)) return;
  }
  throw new Error(`PostgreSQL (pid ${pid}) did not stop`);
}

/** The state of the supervised server. */
interface Kept {
  readonly cluster: Cluster;
  running: Running;
  closed: Promise<void> | null;
  repairing: Promise<void> | null;
  timer: NodeJS.Timeout | undefined;
  upSince: number;
  pause: number;
}

function keep(cluster: Cluster, running: Running): EmbeddedPostgres {
  const kept: Kept = { cluster, running, closed: null, repairing: null, timer: undefined, upSince: 0, pause: 0 };
  return {
    get url() {
      return kept.running.url;
    },
    pid: () => (alive(kept.running.pid) ? kept.running.pid : null),
    supervise: (report) => {
      let ticks = 0;
      clearInterval(kept.timer);
      kept.timer = setInterval(() => {
        ticks += 1;
        if (ticks % 300 === 0) void trimLog(cluster.log);
        if (kept.closed !== null || kept.repairing !== null || (!kept.running.lost && alive(kept.running.pid))) return;
        kept.repairing = repair(kept, report).finally(() => {
          kept.repairing = null;
        });
      }, 200).unref();
    },
    close: () => {
      kept.closed ??= leave(kept);
      return kept.closed;
    },
  };
}

async function enterAgain({ cluster }: Kept): Promise<Running | string> {
  try {
    const file = await readPidFile(cluster);
    return file === null || !isPostmaster(file.pid, cluster.data) ? 'it has ended' : await enter(cluster, file);
  } catch (error) {
    return (error as Error).message;
  }
}

async function repair(kept: Kept, report: Report): Promise<void> {
  const { cluster } = kept;
  const former = kept.running.pid;
  // Losing only our own session is not a failure of the server.
  const again = alive(former) ? await enterAgain(kept) : 'it has ended';
  if (typeof again !== 'string') {
    kept.running = again;
    return;
  }
  const since = Date.now();
  report('down', `PostgreSQL (pid ${former}) is down: ${again}`);
  // The pause grows while the server keeps dying, up to a second, so that dealers' retries still succeed.
  const longer = () => Math.min(1000, kept.pause * 2 || 125);
  kept.pause = since - kept.upSince < 10_000 ? longer() : 0;
  while (kept.closed === null) {
    try {
      await sleep(kept.pause);
      kept.running = await bringUp(cluster, () => kept.closed !== null);
      kept.upSince = Date.now();
      return report('restarted', `PostgreSQL is up again (pid ${kept.running.pid}) after ${kept.upSince - since} ms`);
    } catch (error) {
      if (kept.closed === null) report('failed', (explain(error, cluster.install.dataDir) as Error).message);
      kept.pause = longer();
    }
  }
}

async function leave(kept: Kept): Promise<void> {
  clearInterval(kept.timer);
  await kept.repairing;
  if (kept.running.lost) {
    const again = await enterAgain(kept);
    if (typeof again === 'string') return;
    kept.running = again;
  }
  const { session, pid } = kept.running;
  try {
    // Our own lock is released first: two processes that leave together would otherwise both see the other's and keep the server
    // running.
    await session.rows(`SELECT pg_advisory_unlock_shared(${IN_USE})`);
    const [row] = await session.rows<{ alone: boolean }>(`SELECT pg_try_advisory_lock(${IN_USE}) AS alone`);
    if (row?.alone) await stop(pid, kept.cluster.data);
  } catch (error) {
    // A killed process takes a moment to disappear.
    for (let tries = 0; tries < 40 && alive(pid); tries += 1) await sleep(50);
    if (alive(pid)) throw error;
  } finally {
    await session.close().catch(() => {});
  }
}

/** The log is opened for appending, so it can be truncated while PostgreSQL has it open. */
async function trimLog(log: string): Promise<void> {
  try {
    if ((await stat(log)).size > LOG_LIMIT) await truncate(log);
  } catch {
    // The next start tries again.
  }
}
