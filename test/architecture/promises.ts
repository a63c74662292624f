// The table of promises in docs/reliability.md: each row names its proof and the tiers in which that proof runs.
import { existsSync, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';

export interface Promised {
  readonly promise: string;
  readonly proofs: readonly string[];
  readonly tier: string;
}

/** Rows of the first table of the page. A name without a folder is in the folder of the name before it. */
export function promisesIn(page: string): Promised[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith('| Promise |'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    return { promise: cells[1]!, proofs: pathsIn(cells[2]!), tier: cells[3] ?? '' };
  });
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
