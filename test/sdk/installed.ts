// A package of `sdk/` as integrators get it: packed, and installed without a network into an empty project.
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

export interface Installed {
  /** The folder of the project. */
  readonly project: string;
  /** What the tarball contains. */
  readonly files: string[];
}

export async function installed(folder: string): Promise<Installed> {
  const project = await mkdtemp(join(tmpdir(), 'galeri-package-'));
  const npm = (cwd: string, ...args: string[]) => run('npm', [...args, '--offline', '--loglevel=error'], { cwd });
  const packed = await npm(join(ROOT, folder), 'pack', '--json', '--pack-destination', project);
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  await writeFile(join(project, 'package.json'), '{ "name": "integrator", "private": true }');
  await npm(project, 'install', '--no-audit', '--no-fund', join(project, filename));
  return { project, files: files.map(({ path }: { path: string }) => path) };
}
