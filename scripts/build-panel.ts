// Builds the web panel into dist/panel, with a .br and a .gz beside every text file, so that serving never compresses. `npm ci`
// runs this once (prepare); `npm run build` is the same.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { FIRST_SCREENS } from '../src/http/panel/first-screens.ts';

const PROJECT = join(import.meta.dirname, '..');
const PANEL = join(PROJECT, 'dist', 'panel');
const TEXT = /\.(js|css|svg)$/;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export async function buildPanel(): Promise<void> {
  const from = performance.now();
  process.stdout.write('Building the web panel … ');
  // Built in a temporary folder and renamed: a running service, or another build, never sees an incomplete one.
  const aside = `${PANEL}.${process.pid}`;
  try {
    await build({
      configFile: join(PROJECT, 'web', 'vite.config.ts'),
      mode: 'production',
      logLevel: 'warn',
      build: { outDir: aside },
    });
    const assets = (await readdir(join(aside, 'assets')))
      .filter((name) => TEXT.test(name))
      .map((name) => join(aside, 'assets', name));
    const pages = await writePages(aside);
    const total = await inTurns([...assets, ...pages], compress);
    await putInPlace(aside);
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`${assets.length} files, ${Math.round(total / 1000)} kB compressed, ${seconds} s (dist/panel)`);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

/** A start page for each first screen, which names its scripts beside those of the panel. Returns the paths of all start pages. */
async function writePages(folder: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const withImports = (name: string, seen: Set<string>): Set<string> => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`${name} is not a chunk of the panel (src/http/panel/first-screens.ts)`);
    if (!seen.has(name)) {
      seen.add(name);
      for (const imported of chunk.imports ?? []) withImports(imported, seen);
    }
    return seen;
  };
  const known = withImports(Object.keys(manifest).find((name) => manifest[name]!.isEntry)!, new Set());
  const common = join(folder, 'index.html');
  const html = await readFile(common, 'utf8');
  const pages = FIRST_SCREENS.map(({ name, modules }) => {
    const scripts = modules.reduce((seen, module) => withImports(module, seen), new Set(known)).difference(known);
    // After the styles, the letters and the scripts that come first, which all share one slow line.
    const links = [...scripts].map(
      (script) => `    <link rel="modulepreload" crossorigin fetchpriority="low" href="/panel/${manifest[script]!.file}">\n`,
    );
    return { path: join(folder, `index.${name}.html`), text: html.replace('  </head>', `${links.join('')}  </head>`) };
  });
  await Promise.all(pages.map(({ path, text }) => writeFile(path, text)));
  return [common, ...pages.map(({ path }) => path)];
}

async function compress(path: string): Promise<number> {
  const content = await readFile(path);
  const [small, smaller] = await Promise.all([
    zip(content, { level: 9 }),
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  ]);
  await Promise.all([writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smaller)]);
  return small.length;
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
  const waiting = [...items];
  let sum = 0;
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      const size = await work(item);
      sum += size;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return sum;
}

async function putInPlace(made: string): Promise<void> {
  const old = `${made}.old`;
  await mkdir(join(PROJECT, 'dist'), { recursive: true });
  await rename(PANEL, old).catch(() => {});
  await rename(made, PANEL);
  await rm(old, { recursive: true, force: true });
}

if (import.meta.main) await buildPanel();
