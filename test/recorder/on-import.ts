// A program: writes which functions the sources call while they are imported, and nothing else is done.
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchFunctions } from './executed.ts';

const PROJECT = join(import.meta.dirname, '../..');

const take = watchFunctions({ again: false });
for (const entry of ['src/http/service.ts', ...globSync('src/commands/**/*.ts', { cwd: PROJECT })])
  await import(join(PROJECT, entry));
const called = take().filter(({ source }) => source.startsWith('src/'));
writeFileSync(process.argv[2]!, called.map(({ source, start }) => `${source}:${start}\n`).join(''));
