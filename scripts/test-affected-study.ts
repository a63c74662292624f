/**
 * Evaluates the choice of `npm run test:affected`: reverts past bug-fix commits, one by one, on today's tree in a separate
 * worktree, and prints a table of what would be chosen. `--commits N` (30), `--run` also runs the full-tier tests that came with
 * the commit and reports which of them find the bug.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTestMap } from '../test/support/test-map.ts';
import { affectedTests, type Change } from './affected-tests.ts';

const PROJECT = join(import.meta.dirname, '..');
const MENDS = /mend|no longer|\bfix|\bwas\b|\bwere\b|wrong|instead of|again|\bnot\b/i;
const FULL = /\.full\.test\.ts$/;
/** A larger one is a feature, regardless of its message. */
const MAX_SOURCES = 12;

const { values: options } = parseArgs({ options: { commits: { type: 'string', default: '30' }, run: { type: 'boolean' } } });
const tree = mkdtempSync(join(tmpdir(), 'galeri-study-'));
const git = (...args: string[]): string => execFileSync('git', args, { cwd: tree, encoding: 'utf8', maxBuffer: 1e9 });

interface Row {
  readonly commit: string;
  readonly sources: number;
  readonly tests: readonly string[];
  readonly chosen: ReadonlyMap<string, string>;
  readonly red: readonly string[] | null;
}

function candidates(): { commit: string; sources: string[]; tests: string[] }[] {
  const log = git('log', '--no-merges', '--format=%h %s', '--', 'src', 'web');
  return log.split('\n').flatMap((line) => {
    const commit = line.slice(0, line.indexOf(' '));
    if (!MENDS.test(line)) return [];
    const paths = git('show', '--format=', '--name-only', commit).split('\n').filter(Boolean);
    const sources = paths.filter((path) => /^(src|web)\//.test(path));
    const tests = paths.filter((path) => path.endsWith('.test.ts'));
    return sources.length > 0 && sources.length <= MAX_SOURCES && tests.length > 0 ? [{ commit, sources, tests }] : [];
  });
}

/** Sources from before the commit, with everything that came later; null where later commits have changed the same lines. */
function reverse(commit: string, sources: readonly string[]): Change[] | null {
  const patch = git('show', '--format=', '--binary', commit, '--', ...sources);
  const applied = spawnSync('git', ['apply', '-R', '--3way'], { cwd: tree, input: patch, stdio: ['pipe', 'ignore', 'ignore'] });
  if (applied.status !== 0) return null;
  const paths = git('diff', '--name-only', '--no-renames', 'HEAD').split('\n').filter(Boolean);
  return paths.map((path) => ({ path, before: tryShow(path), after: readText(path) }));
}

function tryShow(path: string): string | null {
  const shown = spawnSync('git', ['show', `HEAD:${path}`], { cwd: tree, encoding: 'utf8', maxBuffer: 1e9 });
  return shown.status === 0 ? shown.stdout : null;
}

const readText = (path: string): string | null => (existsSync(join(tree, path)) ? readFileSync(join(tree, path), 'utf8') : null);

function filesNow(): Map<string, string> {
  const paths = git('ls-files')
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(tree, path)));
  return new Map(paths.map((path) => [path, /\.tsx?$/.test(path) ? readText(path)! : '']));
}

const bare = (path: string): string => basename(path).replace(/(\.alone|\.full|\.story)*\.test\.ts$/, '');

/** The current path of an old test: files were renamed by their tier. */
function nowNamed(tests: readonly string[], files: ReadonlyMap<string, string>): string[] {
  const all = [...files.keys()].filter((path) => path.endsWith('.test.ts'));
  return tests.flatMap((old) => {
    if (files.has(old)) return [old];
    const folder = old.split('/')[1]!;
    return all.filter((path) => bare(path) === bare(old) && path.split('/')[1] === folder);
  });
}

function redOf(tests: readonly string[]): string[] {
  // The tests build the panel if it is missing.
  rmSync(join(tree, 'dist'), { recursive: true, force: true });
  return tests.filter(
    (test) => spawnSync('node_modules/.bin/vitest', ['run', test], { cwd: tree, stdio: 'ignore' }).status !== 0,
  );
}

const map = readTestMap();
const rows: Row[] = [];
execFileSync('git', ['worktree', 'add', '--detach', '-q', tree, 'HEAD'], { cwd: PROJECT });
try {
  symlinkSync(join(PROJECT, 'node_modules'), join(tree, 'node_modules'));
  for (const { commit, sources, tests } of candidates()) {
    if (rows.length === Number(options.commits)) break;
    const changes = reverse(commit, sources);
    if (changes && changes.length > 0) {
      const files = filesNow();
      const chosen = affectedTests(changes, { files, map });
      const named = nowNamed(tests, files);
      const red = options.run ? redOf(named.filter((test) => FULL.test(test))) : null;
      rows.push({ commit, sources: changes.length, tests: named, chosen, red });
    }
    git('reset', '-q', '--hard', 'HEAD');
  }
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: PROJECT });
  rmSync(tree, { recursive: true, force: true });
}

const secondsOf = ({ chosen }: Row): number =>
  [...chosen.keys()].filter((test) => FULL.test(test)).reduce((sum, test) => sum + (map.tests.get(test)?.seconds ?? 0), 0);

console.log(
  '| Commit | Sources | Tests of it, quick / full | Full tier chosen | Seconds | Its full-tier tests not chosen |\n|---|---|---|---|---|---|',
);
for (const row of rows) {
  const full = row.tests.filter((test) => FULL.test(test));
  const missed = (row.red ?? full).filter((test) => !row.chosen.has(test));
  const count = [...row.chosen.keys()].filter((test) => FULL.test(test)).length;
  const seconds = Math.round(secondsOf(row));
  const cells = [
    `\`${row.commit}\``,
    row.sources,
    `${row.tests.length - full.length} / ${full.length}`,
    count,
    seconds,
    missed.join(', '),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
const sorted = rows.map(secondsOf).sort((a, b) => a - b);
console.log(
  `\n${rows.length} commits; median ${Math.round(sorted[sorted.length >> 1] ?? 0)} s, most ${Math.round(sorted.at(-1) ?? 0)} s`,
);
