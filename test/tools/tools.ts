// The tools of this folder's own package: where they are, and how one is run.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { buildOpenApi } from '../../src/http/docs/openapi/openapi.ts';
import { resources } from '../../src/resources/index.ts';

const MODULES = new URL('./node_modules', import.meta.url).pathname;

/** For `describe.skipIf`: true, with a warning, if they are not installed. In CI that is a failure instead. */
export function areToolsMissing(): boolean {
  if (existsSync(MODULES) || process.env.CI) return false;
  console.warn(
    'SKIPPED: the tools are not installed, so /openapi.json was not checked with them (npm ci --prefix test/tools --ignore-scripts)',
  );
  return true;
}

export interface Bench {
  readonly folder: string;
  /** Its output; a tool that fails throws an error with its output. */
  run(tool: string, ...args: string[]): Promise<string>;
  close(): Promise<void>;
}

/** A folder in which the tools find their packages. */
export async function openBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'galeri-tools-'));
  await symlink(MODULES, join(folder, 'node_modules'));
  const run = promisify(execFile);
  return {
    folder,
    run: async (tool, ...args) => {
      const options = {
        cwd: folder,
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' },
      };
      try {
        const { stdout, stderr } = await run(join(MODULES, '.bin', tool), args, options);
        return stdout + stderr;
      } catch (error) {
        const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
        throw new Error(`${tool} failed: ${`${stdout}${stderr}`.slice(0, 4000) || message}`);
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** As shipped, or with every built endpoint open. */
export async function describeInto(folder: string, open: 'shipped' | 'all'): Promise<string> {
  const endpoints = apiEndpoints(resources);
  const isOpen = new Map(endpoints.map(({ id, status, body }) => [id, open === 'all' ? body !== null : status === 'Aktif']));
  const description = buildOpenApi(endpoints, {
    publicUrl: 'http://127.0.0.1:3000',
    isLive: (id) => isOpen.get(id) === true,
    today: '2026-10-02',
  });
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${open}.json`);
  await writeFile(file, JSON.stringify(description, null, 1));
  return file;
}
