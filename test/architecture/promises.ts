// The table of promises in docs/reliability.md: each row names its proof and the tiers in which that proof runs.
import { existsSync, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';

export interface Promised {
  readonly promise: string;
  readonly proofs: readonly string[];
  readonly tier: string;
}

/** Rows of the first table of the page. A name without a folder is in the folder of the name before it. */
export const promisesIn = (page: string): Promised[] =>
  rowsOf(page, 'Promise').map(([promise, proofs, tier]) => ({ promise: promise!, proofs: pathsIn(proofs!), tier: tier ?? '' }));

export interface Expensive {
  readonly work: string;
  readonly bound: string;
  readonly turn: string;
  readonly proofs: readonly string[];
  readonly kinds: readonly string[];
}

/** Rows of the table of expensive work. */
export const expensiveIn = (page: string): Expensive[] =>
  rowsOf(page, 'Work').map(([work, , bound, turn, proofs, kinds]) => ({
    work: work!,
    bound: bound!,
    turn: turn!,
    proofs: pathsIn(proofs!),
    kinds: [...kinds!.matchAll(/`([^`]+)`/g)].map(([, kind]) => kind!),
  }));

/** The cells of the table whose first column has this title. */
function rowsOf(page: string, title: string): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${title} |`));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function pathsIn(cell: string): string[] {
  let folder = '';
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => {
    const path = name!.startsWith('test/') ? name! : `${folder}/${name}`;
    folder = path.endsWith('/') ? path.slice(0, -1) : dirname(path);
    return path;
  });
}

/** `quick` and `all` as in `npm test` and `npm run test:all`. */
export function tierOf(proofs: readonly string[], quickHarnesses: readonly string[]): string {
  const isQuick = proofs.flatMap((path) => {
    if (!path.startsWith('test/harness/')) {
      const files = path.endsWith('/') ? globSync(`${path}**/*.test.ts`) : [path];
      return files.map((file) => !file.endsWith('.full.test.ts'));
    }
    return quickHarnesses.includes(basename(path, '.ts')) ? [true, false] : [false];
  });
  return [isQuick.includes(true) ? 'quick' : '', isQuick.includes(false) ? 'all' : ''].filter(Boolean).join(', ');
}

export const missingProofs = (proofs: readonly string[]): string[] => proofs.filter((path) => !existsSync(path));
