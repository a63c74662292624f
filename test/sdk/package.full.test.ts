// The TypeScript client as integrators get it: packed, installed without a network into an empty project, used by `import`, `require`
// and the compiler.
import { execFile } from 'node:child_process';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/config.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { installed } from './installed.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAMS = join(import.meta.dirname, 'package');

let api: TestService;
let dealer: Dealer;
let project: string;
let files: string[];

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  for (let count = 0; count < 3; count += 1) expect((await dealer.post('vehicles', aCar())).status).toBe(201);
  ({ project, files } = await installed('sdk/typescript'));
  for (const name of ['run.mjs', 'run.cjs', 'types.ts']) await copyFile(join(PROGRAMS, name), join(project, name));
  await copyFile(join(PROGRAMS, 'types.ts'), join(project, 'types.mts'));
});
afterAll(async () => {
  await api?.close();
  if (project) await rm(project, { recursive: true, force: true });
});

test('holds what it needs and nothing else', async () => {
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'examples/mirror.mts']));
  const elsewhere = files.filter((path) => !/^(LICENSE|README\.md|package\.json|examples\/|dist\/(esm|cjs)\/)/.test(path));
  expect(elsewhere).toEqual([]);
  const manifest = JSON.parse(await readFile(join(project, 'node_modules/@galeri/client/package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: VERSION, license: 'MIT', repository: { directory: 'sdk/typescript' } });
  expect([manifest.dependencies, manifest.scripts.install, manifest.scripts.postinstall]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe.each(['run.mjs', 'run.cjs'])('%s', (program) => {
  test('reads the stock', async () => {
    const env = { ...process.env, GALERI_KEY: dealer.key, GALERI_URL: api.service.url };
    const { stdout } = await run(process.execPath, [program], { cwd: project, env });
    expect(JSON.parse(stdout)).toEqual({ walked: 3, VERSION, verify: 'function' });
  });
});

describe('the compiler', () => {
  const compile = (file: string, ...options: string[]) =>
    run(
      join(ROOT, 'node_modules/.bin/tsc'),
      [file, '--noEmit', '--strict', '--lib', 'es2024,dom,dom.iterable', '--types', '', ...options],
      { cwd: project },
    ).then(
      () => '',
      ({ stdout }) => stdout as string,
    );

  test.each([
    ['types.mts', '--module', 'nodenext'],
    ['types.ts', '--module', 'nodenext'],
    ['types.ts', '--module', 'esnext', '--moduleResolution', 'bundler', '--exactOptionalPropertyTypes'],
  ])('accepts what is right and refuses what is wrong: %s %s %s', async (file, ...options) => {
    expect(await compile(file, ...options)).toBe('');
  });
});
