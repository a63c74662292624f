// One real PostgreSQL for the whole run, with a migrated template database that each test file copies.
import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { buildServer, isServerBuilt } from '../../scripts/build-server.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { newDataDir, removeLeftOver } from './data-dir.ts';
import { startPostgres15 } from './postgres15.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
    /** Where test/start/prepared.ts keeps what it copies. */
    preparedDir: string;
  }
}

/** TEST_ON=15 runs the same tests on Debian's PostgreSQL 15; without it they start the embedded server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftOver();
  // What tests start hundreds of times.
  if (!isServerBuilt()) await buildServer();
  const old = process.env.TEST_ON === '15' ? await startPostgres15() : null;
  const dataDir = await newDataDir('test');
  const embedded = old ? null : await openEmbeddedPostgres({ dataDir });
  const adminUrl = old?.url ?? embedded!.url;
  const template = `galeri_template_${process.pid}`;
  const session = await openSession(adminUrl);
  // Nothing of it outlives the run: no commit waits for the disk.
  await session.rows('alter role all set synchronous_commit = off');
  if (embedded) await makeLoginCheap(session, adminUrl);
  await session.rows(`create database ${template}`);
  await migrate(onDatabase(adminUrl, template));
  project.provide('adminUrl', adminUrl);
  project.provide('template', template);
  const preparedDir = await newDataDir('prepared');
  project.provide('preparedDir', preparedDir);
  return async () => {
    await session.rows(`drop database ${template} with (force)`);
    await session.close();
    await embedded?.close();
    await old?.stop();
    for (const folder of [dataDir, preparedDir]) await rm(folder, { recursive: true, force: true });
  };
}

/** Thousands of connections are opened, and each side computes four thousand rounds for a password: here one is as good. */
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
