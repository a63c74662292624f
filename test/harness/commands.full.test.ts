// Every documented command that measures or proves something, run at a small size, so that a broken one is noticed.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { HARNESSES } from './run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/performance.md',
  'docs/reliability.md',
  'docs/operations.md',
  'docs/scaling.md',
];
const COMMAND = /npm run (?:bench|harness)(?: -- [^`#\n]*)?|node (?:bench|test\/harness)\/[a-z-]+\.ts[^`#\n]*/g;

const texts = await Promise.all(DOCUMENTS.map((name) => readFile(`${ROOT}${name}`, 'utf8')));
const documented = [...new Set(texts.flatMap((text) => text.match(COMMAND) ?? []).map((command) => command.trim()))].sort();

const FILES: Readonly<Record<string, string>> = { bench: 'bench/run.ts', harness: 'test/harness/run.ts' };
const BRIEF = ['--rounds', '1', '--seconds', '0.1'];
/** Options that make each one small; later options win. */
const SMALL: Readonly<Record<string, readonly string[]>> = {
  'bench/run.ts': [...BRIEF, '--connections', '4', '--rows', '2000', '--accounts', '20', '--json'],
  'bench/bids.ts': [...BRIEF, '--connections', '4', '--json'],
  'bench/day.ts': ['--quick', '--dealers', '8', '--max', '8', '--seconds', '1', '--connections', '4', '--json'],
  'bench/growth.ts': [...BRIEF, '--accounts', '10,20', '--idle', '0.2', '--connections', '2', '--json'],
  'bench/home.ts': ['--rounds', '1', '--sales', '200'],
  'bench/imports.ts': [...BRIEF, '--connections', '4', '--rows', '200', '--json'],
  'bench/move.ts': ['--vehicles', '20', '--events', '50', '--log', '50'],
  'bench/recovery.ts': ['--rows', '2000', '--kills', '1', '--seconds', '0.5', '--json'],
  'bench/reports.ts': ['--rounds', '1', '--sales', '200'],
  'bench/sales.ts': [...BRIEF, '--rows', '2400', '--json'],
  'bench/standbys.ts': [...BRIEF, '--readers', '2', '--json'],
  'bench/tracing.ts': [...BRIEF, '--connections', '4', '--json'],
  'bench/worlds.ts': [...BRIEF, '--connections', '2', '--resets', '2', '--json'],
  'test/harness/run.ts': ['--only', 'arithmetic'],
};

/** A documented command: its program, and the names in `--only`. Sizes in the documents are ignored: `SMALL` has them. */
interface Documented {
  readonly file: string;
  readonly isPeers: boolean;
  readonly only: readonly string[];
}

function read(command: string): Documented {
  const [, script] = /^npm run (\w+)/.exec(command) ?? [];
  const [, path] = /^node (\S+)/.exec(command) ?? [];
  const [, only] = /--only (\S+)/.exec(command) ?? [];
  return {
    file: script === undefined ? path! : FILES[script]!,
    isPeers: command.includes('--peers'),
    only: only?.split(',') ?? [],
  };
}

const commands = documented.map(read);
const programs = [...new Set(commands.map(({ file }) => file))];
// The peers are first installed from the registry, which tests do not use.
const arePeersInstalled = existsSync(`${ROOT}bench/peers/node_modules`);

const namesIn = (report: string): string[] =>
  report.startsWith('{') ? (JSON.parse(report).scenarios ?? []).map(({ name }: { name: string }) => name) : [];

describe('a documented command', () => {
  it('is found, and each program has a small form', () => {
    expect(documented.length).toBeGreaterThan(10);
    expect(programs.filter((file) => !Object.hasOwn(SMALL, file))).toEqual([]);
    expect(Object.keys(SMALL).filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
  });

  it.each(programs)('runs %s and knows the names in --only', async (file) => {
    const same = commands.filter((command) => command.file === file);
    const peers = arePeersInstalled && same.some(({ isPeers }) => isPeers) ? ['--peers'] : [];
    const { stdout } = await run(process.execPath, [`${ROOT}${file}`, ...peers, ...SMALL[file]!], {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
    });
    expect(stdout.trim()).not.toBe('');
    const names = file === 'test/harness/run.ts' ? Object.keys(HARNESSES) : namesIn(stdout);
    expect(same.flatMap(({ only }) => only).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('in its own file: the file runs alone, and the list runs it small', async () => {
    const files = await Array.fromAsync(glob('test/harness/*.ts', { cwd: ROOT }));
    const named = (await Promise.all(files.map((file) => readFile(`${ROOT}${file}`, 'utf8')))).flatMap((text) => {
      const [, name] = /^\/\/ {3}node test\/harness\/([a-z-]+)\.ts --seed/m.exec(text) ?? [];
      return name === undefined
        ? []
        : [{ name, runs: text.includes('import.meta.main'), isListed: Object.hasOwn(HARNESSES, name) }];
    });
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter(({ runs, isListed }) => !runs || !isListed)).toEqual([]);
  });
});
