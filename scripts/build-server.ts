// Bundles the server's thousand modules into a few files (dist/server): `bin/galeri` then starts with two fifths of the work,
// because most of a start is finding and reading modules. `npm ci` runs this once (prepare), `npm run build` is the same, and
// `bin/galeri` uses the sources again as soon as one of them changed after the build.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'vite';

const PROJECT = join(import.meta.dirname, '..');
const SERVER = join(PROJECT, 'dist', 'server');
const ENTRY = 'galeri.mjs';
/** Separate programs, or packages that few commands load: they stay where npm put them. */
const LEFT_OUT = ['sharp', 'pdfkit', 'nodemailer', '@redis/client', 'pg-native', 'pg-cloudflare'];
const A_WEEK_MS = 7 * 86_400_000;

/** Files that a module reads beside itself, and the workers it starts, are located relative to its source. */
const fromSources: Plugin = {
  name: 'from-sources',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(join(PROJECT, 'src')) || !code.includes('import.meta.')) return null;
    const source = relative(SERVER, id);
    return code
      .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
      .replaceAll('import.meta.dirname', `import.meta.dirname.concat(${JSON.stringify(`/${join(source, '..')}`)})`);
  },
};

export async function buildServer(): Promise<void> {
  const startedAt = new Date();
  const aside = `${SERVER}.${process.pid}`;
  try {
    await build({
      configFile: false,
      root: PROJECT,
      mode: 'production',
      logLevel: 'warn',
      publicDir: false,
      plugins: [fromSources],
      oxc: { target: 'esnext' },
      ssr: { noExternal: true, external: LEFT_OUT },
      build: {
        ssr: join(PROJECT, 'src', 'main.ts'),
        outDir: aside,
        target: 'esnext',
        minify: false,
        rolldownOptions: { output: { entryFileNames: ENTRY, chunkFileNames: '[name]-[hash].mjs' } },
      },
    });
    await putInPlace(aside, startedAt);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/**
 * As old as the sources that were read: a source changed since is newer. Files that a running service may still load are removed
 * a week later.
 */
async function putInPlace(made: string, startedAt: Date): Promise<void> {
  await mkdir(SERVER, { recursive: true });
  // The entry last: it names the others.
  const names = (await readdir(made)).toSorted((a, b) => Number(a === ENTRY) - Number(b === ENTRY));
  for (const name of names) {
    await utimes(join(made, name), startedAt, startedAt);
    await rename(join(made, name), join(SERVER, name));
  }
  for (const name of await readdir(SERVER)) {
    const path = join(SERVER, name);
    if (Date.now() - (await stat(path)).mtimeMs > A_WEEK_MS) await rm(path, { force: true });
  }
}

/** As in `bin/galeri`. */
export function isServerBuilt(): boolean {
  const entry = join(SERVER, ENTRY);
  if (!existsSync(entry)) return false;
  const sources = [join(PROJECT, 'src'), join(PROJECT, 'package-lock.json')];
  return execFileSync('find', [...sources, '-cnewer', entry, '-print', '-quit'], { encoding: 'utf8' }) === '';
}

if (import.meta.main) await buildServer();
