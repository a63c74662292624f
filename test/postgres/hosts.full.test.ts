// DATABASE_URL with several hosts: the one that accepts writes is found, and followed when another is promoted.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { sql } from '../../src/kit/sql.ts';
import { type Connected, connect } from '../../src/postgres/connect.ts';
import { openSession } from '../../src/postgres/database.ts';
import { removeDataDir } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';
import { until } from '../support/patience.ts';
import { isPostgres15Missing, type OldServer, startPostgres15 } from '../support/postgres15.ts';
import { withoutDatabase } from './one-line.ts';

const SECRET = 'a secret of at least thirty-two characters';

describe.skipIf(isPostgres15Missing())('a primary and its standby', () => {
  let primary: OldServer;
  let standby: OldServer;
  let dataDir: string;
  const configOf = (DATABASE_URL: string) => readConfig({ DATABASE_URL, DATA_DIR: dataDir, GALERI_SECRET: SECRET });
  const both = () => `postgresql://postgres@${standby.host},${primary.host}/postgres?target_session_attrs=read-write`;

  beforeAll(async () => {
    dataDir = await newDataDir('hosts');
    const original = await startPostgres15();
    await (await connect(configOf(original.url))).close();
    await original.halt();
    primary = await startPostgres15({ copyOf: original.data });
    // Without a primary to read from, it waits for one, and answers reads.
    standby = await startPostgres15({
      copyOf: original.data,
      prepare: (data) => closeSync(openSync(join(data, 'standby.signal'), 'a', 0o644)),
    });
    await original.stop();
  });
  afterAll(async () => {
    await primary?.stop();
    await standby?.stop();
    if (dataDir) await removeDataDir(dataDir);
  });

  test('a standby is refused in one line that names what to set', async () => {
    const refusal = await withoutDatabase(() => connect(configOf(standby.url)));
    expect(refusal).toMatch(/is a standby, which accepts no writes; name its primary, or all hosts of the cluster/);
  });

  test('the host that accepts writes is found, wherever it is in the list', async () => {
    for (const hosts of [`${standby.host},${primary.host}`, `${primary.host},${standby.host}`]) {
      const session = await openSession(
        configOf(`postgresql://postgres@${hosts}/postgres?target_session_attrs=read-write`).databaseUrl!,
      );
      expect(await session.rows('select pg_is_in_recovery() as is')).toEqual([{ is: false }]);
      await session.close();
    }
  });

  test('if none accepts writes, one line names each with its reason', async () => {
    const url = `postgresql://postgres@${standby.host},127.0.0.1:1/postgres`;
    const refusal = await withoutDatabase(() => connect(configOf(url)));
    expect(refusal).toMatch(/is a standby, which accepts no writes.*127\.0\.0\.1:1: connect ECONNREFUSED/);
  });

  test('after a failover the same connections lead to the promoted host', async () => {
    const connected: Connected = await connect(configOf(both()));
    const session = await openSession(standby.url, { acceptsStandby: true });
    try {
      const write = () =>
        connected.database.onPlatform('write', (db) =>
          db.exec(sql`insert into deployment default values on conflict do nothing`),
        );
      await write();
      await primary.halt();
      await expect(write()).rejects.toThrow();
      await session.rows('select pg_promote(true)');
      await until(() =>
        write().then(
          () => true,
          () => false,
        ),
      );
    } finally {
      await session.close();
      await connected.close();
    }
  });
});
