// Bundles the commands, whose code is that of the service, into dist/galeri.mjs. `npm pack` and `npm publish` run it. The result needs
// nothing but Node: the build fails if a command imports a library or the database.
import { join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const PACKAGE = import.meta.dirname;
const PROJECT = resolve(PACKAGE, '../..');
const ALLOWED = /^(sdk\/cli\/src|src\/(kit|domain|commands))\//;

const onlyCommands: Plugin = {
  name: 'only-commands',
  generateBundle(_, files) {
    const chunks = Object.values(files).filter((file) => file.type === 'chunk');
    const modules = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => relative(PROJECT, id)));
    const foreign = modules.filter((path) => !ALLOWED.test(path));
    const imports = chunks.flatMap((chunk) => chunk.imports).filter((name) => !name.startsWith('node:'));
    if (foreign.length > 0 || imports.length > 0)
      this.error(`the package would need more than Node: ${[...foreign, ...imports].join(', ')}`);
  },
};

export async function bundleCommands(entry: string, folder: string): Promise<void> {
  await build({
    configFile: false,
    root: PROJECT,
    mode: 'production',
    logLevel: 'silent',
    publicDir: false,
    plugins: [onlyCommands],
    ssr: { noExternal: true, external: ['pg-native', 'pg-cloudflare'] },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'galeri.mjs', codeSplitting: false } },
    },
  });
}

if (import.meta.main) await bundleCommands(join(PACKAGE, 'src/galeri.ts'), join(PACKAGE, 'dist'));
