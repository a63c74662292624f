/**
 * `npm run release -- --check`: is this checkout a release? Every place that names the version has the same one, CHANGELOG.md has it with a date,
 * the worktree is clean and generated files are current.
 * `npm run release -- VERSION`: writes VERSION into every place and dates the entries under Unreleased. It commits and tags nothing.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

export interface Place {
  readonly file: string;
  /** Matches every mention of the version in the file; the first group is the version. */
  readonly pattern: RegExp;
  readonly count: number;
}

/** Places that name the version. `/healthz`, `/openapi.json` and `galeri --version` read package.json. */
export const PLACES: readonly Place[] = [
  { file: 'package.json', pattern: /(?<=^ {2}"version": ")([^"]+)/gm, count: 1 },
  { file: 'package-lock.json', pattern: /(?<=^(?: {2}| {4}"": \{\n {6}"name": "galeri",\n {6})"version": ")([^"]+)/gm, count: 2 },
  { file: 'sdk/typescript/package.json', pattern: /(?<=^ {2}"version": ")([^"]+)/gm, count: 1 },
  { file: 'sdk/typescript/src/version.ts', pattern: /(?<=VERSION = ')([^']+)/g, count: 1 },
  { file: 'sdk/cli/package.json', pattern: /(?<=^ {2}"version": ")([^"]+)/gm, count: 1 },
  { file: 'sdk/python/pyproject.toml', pattern: /(?<=^version = ")([^"]+)/gm, count: 1 },
  { file: 'sdk/python/galeri/version.py', pattern: /(?<=^VERSION = ")([^"]+)/gm, count: 1 },
  { file: 'sdk/php/Galeri.php', pattern: /(?<=const VERSION = ')([^']+)/g, count: 1 },
];
const VERSION_FORM = /^(\d+)\.(\d+)\.(\d+)$/;
const RELEASE_HEADING = /^(\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$/;

/** What is wrong with the versions in these files; nothing if they agree. */
export function versionProblems(read: (file: string) => string): string[] {
  const version = read('package.json').match(PLACES[0]!.pattern)?.[0] ?? '';
  const problems = VERSION_FORM.test(version) ? [] : [`package.json: "${version}" is not a version`];
  for (const { file, pattern, count } of PLACES) {
    const found = read(file).match(pattern) ?? [];
    if (found.length !== count) problems.push(`${file}: names the version ${found.length} times, expected ${count}`);
    for (const other of found) if (other !== version) problems.push(`${file}: ${other}, but package.json has ${version}`);
  }
  return [...problems, ...changelogProblems(read('CHANGELOG.md'), version)];
}

function changelogProblems(changelog: string, version: string): string[] {
  const [first, ...releases] = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title]) => title!);
  const problems = first === 'Unreleased' ? [] : ['CHANGELOG.md: the first heading is not "## Unreleased"'];
  const found = releases.map((title) => RELEASE_HEADING.exec(title));
  releases.forEach((title, index) => {
    if (found[index] === null) problems.push(`CHANGELOG.md: "${title}" is not "VERSION - YYYY-MM-DD"`);
  });
  const known = found.filter((one) => one !== null);
  for (const [index, [, newer, day]] of known.entries()) {
    const older = known[index + 1];
    if (older !== undefined && (compareVersions(newer!, older[1]!) <= 0 || day! < older[2]!))
      problems.push(`CHANGELOG.md: ${newer} of ${day} is above ${older[1]} of ${older[2]}`);
  }
  if (known[0]?.[1] !== version)
    problems.push(`CHANGELOG.md: the newest release is ${known[0]?.[1] ?? 'missing'}, package.json has ${version}`);
  return problems;
}

/** The files of a release of `version` on `day`: the new version in every place, the entries under Unreleased under its heading. */
export function releasedFiles(version: string, day: string, read: (file: string) => string): ReadonlyMap<string, string> {
  const present = read('package.json').match(PLACES[0]!.pattern)?.[0] ?? '0.0.0';
  if (!VERSION_FORM.test(version)) throw new Error(`"${version}" is not a version such as 1.2.0`);
  if (compareVersions(version, present) <= 0) throw new Error(`${version} is not newer than ${present}`);
  const [head, unreleased = '', ...rest] = read('CHANGELOG.md').split(/^(?=## )/m);
  const entries = unreleased.replace(/^## Unreleased\n/, '').trim();
  if (entries === '') throw new Error('CHANGELOG.md has no entries under Unreleased');
  const changelog = [head, '## Unreleased\n\n', `## ${version} - ${day}\n\n${entries}\n\n`, ...rest].join('');
  return new Map([
    ...PLACES.map(({ file, pattern }) => [file, read(file).replace(pattern, version)] as const),
    ['CHANGELOG.md', changelog],
  ]);
}

function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => version.split('.').map(Number));
  const at = first!.findIndex((part, index) => part !== second![index]);
  return at === -1 ? 0 : first![at]! - second![at]!;
}

/** Files that commands generate: each command fails where its files are not current. */
const GENERATED = [
  ['docs/catalog.md, docs/errors.md', 'node', 'scripts/generate-docs.ts', '--check'],
  ['migrations/schema.sql', 'npx', 'vitest', 'run', 'test/postgres/baseline.test.ts'],
  ['http examples', 'npx', 'vitest', 'run', 'test/http/examples.test.ts'],
  ['sdk/typescript/src/schema.d.ts', 'npx', 'vitest', 'run', 'test/tools/sdk-types.full.test.ts'],
] as const;

function checkoutProblems(): string[] {
  const problems: string[] = [];
  const status = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
  if (status.status !== 0 || status.stdout !== '') problems.push(`the worktree is not clean:\n${status.stdout}${status.stderr}`);
  for (const [what, program, ...args] of GENERATED)
    if (spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CI: 'true' } }).status !== 0)
      problems.push(`${what}: not current, or could not be checked (${[program, ...args].join(' ')})`);
  return problems;
}

if (import.meta.main) {
  const fileAt = (file: string): URL => new URL(`../${file}`, import.meta.url);
  const read = (file: string): string => readFileSync(fileAt(file), 'utf8');
  const [argument, ...more] = process.argv.slice(2);
  if (argument === undefined || more.length > 0) {
    process.stderr.write('usage: npm run release -- --check | VERSION\n');
    process.exit(2);
  }
  if (argument !== '--check') {
    const day = new Date().toISOString().slice(0, 10);
    for (const [file, text] of releasedFiles(argument, day, read)) writeFileSync(fileAt(file), text);
    process.stdout.write(`${argument} is written. Commit it, run npm run release -- --check, then tag it v${argument}.\n`);
  }
  const problems = [...versionProblems(read), ...(argument === '--check' ? checkoutProblems() : [])];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
