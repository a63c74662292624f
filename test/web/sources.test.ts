// A panel that is older than its sources is noticed.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedPanelSources } from '../../src/http/panel/build-check.ts';

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'galeri-sources-'));
  await mkdir(join(project, 'web'));
  await writeFile(join(project, 'web/main.tsx'), 'one');
  await writeFile(join(project, 'web/other.tsx'), 'two');
});
afterEach(() => rm(project, { recursive: true, force: true }));

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const build = async () => {
  await mkdir(join(project, 'dist/panel'), { recursive: true });
  const sources = { 'web/main.tsx': hash('one'), 'web/other.tsx': hash('two') };
  await writeFile(join(project, 'dist/panel/sources.json'), JSON.stringify(sources));
};

it('says that it is not built', async () => expect(await changedPanelSources(project)).toBeNull());

it('finds nothing where it is fresh', async () => {
  await build();
  expect(await changedPanelSources(project)).toEqual([]);
});

it('names what was changed or is gone', async () => {
  await build();
  await writeFile(join(project, 'web/main.tsx'), 'changed');
  await rm(join(project, 'web/other.tsx'));
  expect(await changedPanelSources(project)).toEqual(['web/main.tsx', 'web/other.tsx']);
});
