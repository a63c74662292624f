// The states of migrations/ in the history of the repository: what a deployment of an earlier commit has applied.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Deployments of this commit and of every later one are upgraded. */
const FIRST = '87d8e20f1861d751343188267943ff702cc43f62';
const PROJECT = join(import.meta.dirname, '../..');

export interface OldFile {
  readonly name: string;
  readonly hash: string;
  readonly text: string;
}

export interface OldState {
  /** The first commit that had it. */
  readonly commit: string;
  readonly files: readonly OldFile[];
}

const git = (args: readonly string[], input?: string): string =>
  execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8', input, maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] });

/** For `describe.skipIf`: true, with a warning, in a copy without history. In CI a missing history is a failure. */
export function isHistoryMissing(): boolean {
  try {
    git(['merge-base', '--is-ancestor', FIRST, 'HEAD']);
    return false;
  } catch {
    if (process.env.CI) return false;
    console.warn(
      'SKIPPED: this copy has no git history, so upgrades from earlier commits are not tested (git fetch --unshallow)',
    );
    return true;
  }
}

/** Each distinct set of files once, oldest first. Commits of a branch count once they are merged: nothing is deployed from a branch. */
export function oldStates(): OldState[] {
  const commits = git(['rev-list', '--reverse', '--first-parent', `${FIRST}^..HEAD`])
    .trim()
    .split('\n');
  const trees = git(['cat-file', '--batch-check=%(objectname)'], commits.map((commit) => `${commit}:migrations\n`).join(''))
    .trim()
    .split('\n');
  const texts = new Map<string, string>();
  const states = new Map<string, OldState>();
  const seen = new Set<string>();
  for (const [at, tree] of trees.entries()) {
    if (seen.has(tree)) continue;
    seen.add(tree);
    const files = filesOf(tree, texts);
    const id = files.map(({ name, hash }) => `${name} ${hash}`).join('\n');
    if (!states.has(id)) states.set(id, { commit: commits[at]!.slice(0, 8), files });
  }
  return [...states.values()];
}

function filesOf(tree: string, texts: Map<string, string>): OldFile[] {
  const lines = git(['ls-tree', tree]).trim().split('\n');
  return lines
    .map((line) => ({ name: line.split('\t')[1]!, blob: line.split(/\s/)[2]! }))
    .filter(({ name }) => /^\d{4}-[\w-]+\.sql$/.test(name))
    .map(({ name, blob }) => {
      const text = texts.get(blob) ?? git(['cat-file', 'blob', blob]);
      texts.set(blob, text);
      return { name, text, hash: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex') };
    });
}

/** The sources of the commit before the last one with a new migration, in a folder, with the packages of this checkout. */
export function checkOutReleaseBefore(folder: string): string {
  const last = git(['log', '-1', '--first-parent', '--format=%H', '--', 'migrations/0*.sql']).trim();
  const commit = git(['rev-parse', `${last}^`]).trim();
  execFileSync('tar', ['-x', '-C', folder], {
    input: execFileSync('git', ['archive', commit], { cwd: PROJECT, maxBuffer: 1 << 30 }),
  });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'dist'), { recursive: true });
  symlinkSync(join(PROJECT, 'dist/panel'), join(folder, 'dist/panel'));
  return commit;
}
