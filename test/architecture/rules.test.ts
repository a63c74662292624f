// The sources follow the rules of the architecture; and each rule is shown to fail when it is broken.
import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PAGES } from '../../scripts/generate-docs.ts';
import { cliProblems, problemsIn, type SourceFile } from './rules.ts';
import { UNSEALED } from './unsealed-packages.ts';

async function sources(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const path of glob('src/**/*.ts')) files.push({ path, text: await readFile(path, 'utf8') });
  return files;
}

const file = (path: string, text: string): SourceFile[] => [{ path, text }];
const manyLines = (count: number): string => '  work();\n'.repeat(count);

describe('the rules of the source', () => {
  it('hold', async () => {
    const files = await sources();
    expect(files.length).toBeGreaterThan(60);
    expect(problemsIn(files)).toEqual([]);
  });

  it.each([
    [
      'an import against the direction',
      file('src/kit/money.ts', `import { runRow } from '../http/api/run-read.ts';\n`),
      /against the direction/,
    ],
    [
      'a type import against the direction',
      file('src/domain/usage/key-usage.ts', `import type { Config } from '../../config.ts';\n`),
      /against the direction/,
    ],
    [
      'a resource that imports another',
      file('src/resources/sales.ts', `import { vehicles } from './vehicles.ts';\n`),
      /imports another/,
    ],
    [
      'a subject that imports a later one',
      file('src/domain/customers/thing.ts', `import { readVehicle } from '../stock/vehicle-view.ts';\n`),
      /against the order of subjects/,
    ],
    [
      'a subject that knows the list of all subjects',
      file('src/domain/stock/thing.ts', `import { TIMED_TRANSITIONS } from '../timed-transitions.ts';\n`),
      /knows every subject/,
    ],
    ['a subject without a folder', file('src/domain/thing.ts', 'export const a = 1;\n'), /no subject's folder/],
    ['an unplanned folder', file('src/domain/stuff/thing.ts', 'export const a = 1;\n'), /no subject's folder/],
    ['a file outside the folders of src/http', file('src/http/thing.ts', 'export const a = 1;\n'), /no folder of src.http/],
    [
      'an entry point that imports another',
      file('src/http/docs/thing.ts', `import { pages } from '../panel/pages.ts';\n`),
      /against the order of entry points/,
    ],
    [
      'an entry point that imports what puts the process together',
      file('src/http/api/thing.ts', `import { startService } from '../service.ts';\n`),
      /against the order of entry points/,
    ],
    [
      'an import against the order inside a folder',
      file('src/domain/papers/paper.ts', `import { draw } from './drawing/draw.ts';\n`),
      /against the order inside src.domain.papers/,
    ],
    [
      'an unplanned inner folder',
      file('src/domain/papers/stuff/thing.ts', 'export const a = 1;\n'),
      /src.domain.papers has no folder stuff/,
    ],
    [
      'a crowded folder',
      Array.from({ length: 31 }, (_, at) => ({ path: `src/jobs/job-${at}.ts`, text: 'export const a = 1;\n' })),
      /31 files, at most 30/,
    ],
    [
      'a circle of imports, types included',
      [
        { path: 'src/jobs/one.ts', text: `import type { Two } from './two.ts';\n` },
        { path: 'src/jobs/two.ts', text: `import type { One } from './one.ts';\n` },
      ],
      /a circle of imports/,
    ],
    [
      'states that import',
      file('src/domain/stock/stock-states.ts', `import { sql } from '../../kit/sql.ts';\n`),
      /imports nothing/,
    ],
    [
      'the driver outside its file',
      file('src/http/api/pipeline.ts', `import pg from 'pg';\n`),
      /only src\/postgres\/database\.ts/,
    ],
    ['an unknown library', file('src/http/api/pipeline.ts', `import lodash from 'lodash';\n`), /no file of the house/],
    ['an unknown folder', file('src/stuff/thing.ts', 'export const a = 1;\n'), /no known layer/],
    ['a name that says nothing', file('src/domain/stock/date-utils.ts', 'export const a = 1;\n'), /does not say/],
    ['a default export', file('src/domain/stock/thing.ts', 'export default 1;\n'), /default export/],
    ['a barrel', file('src/domain/stock/thing.ts', `export * from './vehicle.ts';\n`), /barrel/],
    ['settings read below', file('src/http/api/thing.ts', 'export const port = process.env.PORT;\n'), /environment/],
    [
      'a call past the guard',
      file('src/jobs/thing.ts', "await fetch('https://example.com');\n"),
      /only src\/domain\/net\/outbound\.ts/,
    ],
    [
      'another client',
      file('src/jobs/thing.ts', "import { request } from 'node:http';\n"),
      /only src\/domain\/net\/outbound\.ts/,
    ],
    ['a third clock', file('src/domain/stock/thing.ts', 'const today = new Date();\n'), /asks this machine for the time/],
    ['a third clock in SQL', file('src/domain/stock/thing.ts', 'sql`select now()`;\n'), /asks the database for the time/],
    ['a long file', file('src/domain/stock/thing.ts', manyLines(501)), /lines, at most 500/],
    [
      'a spread of an object literal',
      file('src/domain/stock/thing.ts', 'export const thing = { ...{ a: 1, b: 2 }, c: 3 };\n'),
      /spreads an object literal/,
    ],
    [
      'a long function',
      file('src/domain/stock/thing.ts', `export function long() {\n${manyLines(70)}}\n`),
      /a function of 72 lines/,
    ],
    [
      'a long row body',
      file('src/resources/sales.ts', `  get('sales', {\n    run: () => {\n${manyLines(30)}    },\n  }),\n`),
      /a row body/,
    ],
    [
      'a large kit',
      file('src/kit/large.ts', manyLines(399)).concat(
        file('src/kit/larger.ts', manyLines(399)),
        file('src/kit/most.ts', manyLines(180)),
      ),
      /src\/kit: /,
    ],
  ])('notices %s', (_, files, problem) => {
    expect(problemsIn(files).join('\n')).toMatch(problem);
  });

  it('keep the database and all libraries out of the commands of sdk/cli', async () => {
    const path = 'sdk/cli/src/galeri.ts';
    expect(cliProblems({ path, text: await readFile(path, 'utf8') }, await sources())).toEqual([]);
    const entry = { path, text: `import { a } from '../../../src/commands/thing.ts';\n` };
    const through = (text: string) => cliProblems(entry, file('src/commands/thing.ts', text)).join('\n');
    expect(through(`import { connect } from '../postgres/connect.ts';\n`)).toMatch(/thing.ts: loads src\/postgres\/connect\.ts/);
    expect(through(`import { sql } from '../kit/sql.ts';\n`)).toMatch(/loads src\/kit\/sql\.ts/);
    expect(through(`import zod from 'zod';\n`)).toMatch(/loads zod/);
    expect(through(`import type { Db } from '../kit/db.ts';\n`)).toBe('');
  });

  it.each(Object.entries(PAGES))('%s is up to date', async (path, page) => {
    expect(await readFile(path, 'utf8')).toBe(page());
  });

  it('locks the optional packages of every platform, without which npm ci refuses the lockfile', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>;
    };
    const expected = Object.values(packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}));
    const missing = expected.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)));
    expect(missing).toEqual([]);
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('has a digest for every package of the lockfile, except for builds that are not available', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string; integrity?: string; link?: true; optional?: true }>;
    };
    const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && link === undefined);
    const unsealed = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
    expect(unsealed.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`).sort()).toEqual(UNSEALED);
    expect(unsealed.filter(([, { optional }]) => optional !== true)).toEqual([]);
    expect(UNSEALED.filter((name) => /linux-(x64|arm64)(-gnu)?@/.test(name))).toEqual([]);
  });
});
