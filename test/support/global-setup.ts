// One real PostgreSQL for the whole run, with a migrated template database that each test file copies.
import { existsSync, globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildServer, isServerBuilt } from '../../scripts/build-server.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { findPackage } from '../../src/postgres/embedded-install.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { newDataDir, removeLeftOver } from './data-dir.ts';
import { fillFolder, hashOf } from './kept-folder.ts';
import { startPostgres15 } from './postgres15.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
    /** Where test/start/prepared.ts keeps what it copies. */
    preparedDir: string;
  }
}

const PROJECT = join(import.meta.dirname, '../..');
const CACHE = join(PROJECT, 'node_modules/.cache/galeri-test-cluster');
const TEMPLATE = 'galeri_template';

/** TEST_ON=15 runs the same tests on Debian's PostgreSQL 15; without it they start the embedded server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftOver();
  // What tests start hundreds of times.
  if (!isServerBuilt()) await buildServer();
  const dataDir = await newDataDir('test');
  const server = process.env.TEST_ON === '15' ? await startPostgres15() : await startEmbedded(dataDir);
  project.provide('adminUrl', server.url);
  project.provide('template', TEMPLATE);
  const preparedDir = await newDataDir('prepared');
  project.provide('preparedDir', preparedDir);
  if (process.env.TEST_ON === '15') await makeTemplate(server.url);
  return async () => {
    await server.stop();
    for (const folder of [dataDir, preparedDir]) await rm(folder, { recursive: true, force: true });
  };
}

/** The cluster with its template is created once for these migrations and this code; later runs start a copy. */
async function startEmbedded(dataDir: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const files = globSync(['migrations/*.sql', 'src/postgres/*.ts', 'test/support/global-setup.ts'], { cwd: PROJECT });
  const key = await hashOf(
    files.sort().map((file) => join(PROJECT, file)),
    findPackage().version,
    process.geteuid?.(),
  );
  await fillFolder(dataDir, CACHE, key, async () => {
    const made = await openEmbeddedPostgres({ dataDir });
    await makeTemplate(made.url, makeLoginCheap);
    await made.close();
    // Where PostgreSQL's user may not enter the folder, the cluster is in another place and has no copy.
    return !existsSync(join(dataDir, 'postgres.json'));
  });
  const { url, close } = await openEmbeddedPostgres({ dataDir });
  return { url, stop: close };
}

async function makeTemplate(adminUrl: string, prepare?: (session: Session, adminUrl: string) => Promise<void>): Promise<void> {
  const session = await openSession(adminUrl);
  // Nothing of it outlives the run: no commit waits for the disk.
  await session.rows('alter role all set synchronous_commit = off');
  await prepare?.(session, adminUrl);
  await session.rows(`create database ${TEMPLATE}`);
  await session.close();
  await migrate(onDatabase(adminUrl, TEMPLATE));
}

/** Thousands of connections are opened, and each side computes four thousand rounds for a password: one is enough here. */
async function makeLoginCheap(session: Session, adminUrl: string): Promise<void> {
  await session.rows('alter role all set scram_iterations = 1');
  const next = await openSession(adminUrl);
  await next.rows(`alter role current_user password '${new URL(adminUrl).password}'`);
  await next.close();
}

function onDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
