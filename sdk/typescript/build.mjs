// Builds dist/esm and dist/cjs, each with its types, from src. `npm pack` and `npm publish` run it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at('dist'), { recursive: true, force: true });
for (const [format, project] of [
  ['esm', 'tsconfig.json'],
  ['cjs', 'tsconfig.cjs.json'],
]) {
  // npm puts the bin folders of this package and of those above it on the PATH.
  execFileSync('tsc', ['--project', at(project)], { stdio: 'inherit' });
  for (const file of readdirSync(at(`dist/${format}`)).filter((name) => name.endsWith('.d.ts')))
    namedAsBuilt(at(`dist/${format}/${file}`));
  copyFileSync(at('src/schema.d.ts'), at(`dist/${format}/schema.d.ts`));
}
writeFileSync(at('dist/cjs/package.json'), '{ "type": "commonjs" }\n');

/** The compiler leaves the sources' names in declarations; older compilers find only those of the built files. */
function namedAsBuilt(file) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(from '\.\/[\w-]+)(?:\.d)?\.ts'/g, "$1.js'"));
}
