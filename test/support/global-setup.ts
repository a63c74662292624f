// One real PostgreSQL for the whole run, with a migrated template database that each test file copies.
import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { openSession } from '../../src/kit/db.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { newDataDir } from './data-dir.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
  }
}

/** TEST_DATABASE_URL runs the same tests on another server; without it they start their own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const dataDir = await newDataDir('test');
  const embedded = given ? null : await openEmbeddedPostgres({ dataDir });
  const adminUrl = given ?? embedded!.url;
  const template = `galeri_template_${process.pid}`;
  const session = await openSession(adminUrl);
  await session.rows(`create database ${template}`);
  await migrate(onDatabase(adminUrl, template));
  project.provide('adminUrl', adminUrl);
  project.provide('template', template);
  return async () => {
    await session.rows(`drop database ${template} with (force)`);
    await session.close();
    await embedded?.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}

function onDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
