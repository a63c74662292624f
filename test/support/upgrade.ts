// A database of an earlier version, upgraded to this one.
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrate.ts';

const made: string[] = [];

/** As the version that ended with `last` left it, after `work`. */
export async function upgradedFrom(last: string, work: (session: Session) => Promise<unknown>): Promise<Session> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await onServer((server) => server.rows(`create database ${name}`));
  made.push(name);
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  await migrate(url.href, undefined, { only: (name) => name <= last });
  const session = await openSession(url.href);
  await work(session);
  await migrate(url.href);
  return session;
}

export const closeUpgraded = (): Promise<void> =>
  onServer(async (server) => {
    for (const name of made.splice(0)) await server.rows(`drop database ${name} with (force)`);
  });

async function onServer<Result>(run: (server: Session) => Promise<Result>): Promise<Result> {
  const server = await openSession(inject('adminUrl'));
  try {
    return await run(server);
  } finally {
    await server.close();
  }
}
