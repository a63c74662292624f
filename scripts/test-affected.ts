/**
 * `npm run test:affected`: the quick tier, and of the full tier what the changes since the last complete run (docs/test-runs.md)
 * can break. `--since REV` compares with another commit, `--list` prints the choice with its reasons and runs nothing,
 * `--only-full` leaves out the quick tier.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTestMap } from '../test/support/test-map.ts';
import { affectedTests, type Change } from './affected-tests.ts';
import { lastWholeRun } from './test-all.ts';

const PROJECT = join(import.meta.dirname, '..');
const FULL = /\.full\.test\.ts$/;
const TEXT = /\.(ts|tsx)$/;

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });

function tryGit(...args: string[]): string | null {
  try {
    return git(...args).trim();
  } catch {
    return null;
  }
}

/** Including uncommitted changes. */
function changesSince(base: string): Change[] {
  const changed = git('diff', '--name-only', '--no-renames', '-z', base).split('\0');
  const added = git('ls-files', '--others', '--exclude-standard', '-z').split('\0');
  return [...new Set([...changed, ...added])].filter(Boolean).map((path) => ({
    path,
    before: tryGit('show', `${base}:${path}`),
    after: readText(path),
  }));
}

function readText(path: string): string | null {
  try {
    return readFileSync(join(PROJECT, path), 'utf8');
  } catch {
    return null;
  }
}

function projectFiles(): Map<string, string> {
  const paths = git('ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0').filter(Boolean);
  return new Map(
    paths.flatMap((path) => {
      const text = TEXT.test(path) ? readText(path) : '';
      return text === null ? [] : [[path, text] as const];
    }),
  );
}

const { values: options } = parseArgs({
  options: { since: { type: 'string' }, list: { type: 'boolean' }, 'only-full': { type: 'boolean' } },
});
const wholeRun = options.since === undefined ? lastWholeRun() : null;
const base = options.since ?? wholeRun?.commit ?? null;
if (base !== null && tryGit('rev-parse', '--verify', `${base}^{commit}`) === null) {
  console.error(`${base} is not a commit`);
  process.exit(2);
}
const files = projectFiles();
const map = readTestMap();
/** Without a complete run to compare with, everything is affected. */
const chosen =
  base === null
    ? new Map([...files.keys()].filter((path) => FULL.test(path)).map((path) => [path, 'no whole run is recorded']))
    : affectedTests(changesSince(base), { files, map });
for (const test of wholeRun?.failed ?? []) if (files.has(test)) chosen.set(test, 'it failed in the last whole run');
const full = [...chosen].filter(([test]) => FULL.test(test)).sort(([a], [b]) => (a < b ? -1 : 1));
const seconds = full.reduce((sum, [test]) => sum + (map.tests.get(test)?.seconds ?? 0), 0);
const all = [...files.keys()].filter((path) => FULL.test(path)).length;
console.log(
  `Since ${base ?? 'the beginning'}: ${full.length} of the ${all} files of the full tier (${Math.round(seconds)} s one after the other when recorded)`,
);
if (options.list) {
  for (const [test, why] of full) console.log(`  ${test}: ${why}`);
  process.exit(0);
}
const quick = [...files.keys()].filter((path) => path.endsWith('.test.ts') && !FULL.test(path));
const run = [...(options['only-full'] ? [] : quick), ...full.map(([test]) => test)];
if (run.length === 0) process.exit(0);
process.exit(spawnSync('vitest', ['run', ...run], { cwd: PROJECT, stdio: 'inherit' }).status ?? 1);
