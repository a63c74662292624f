// `node bench/move.ts`: how long `galeri account move` keeps a dealer closed for writes, and how long the whole move takes, from one database
// of an embedded server to another one. See docs/scaling.md.
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accountCommand } from '../src/commands/account/account.ts';
import { readConfig } from '../src/config.ts';
import { deriveSecrets, vaultMark } from '../src/domain/vault/secrets.ts';
import { connect } from '../src/postgres/connect.ts';
import { openSession } from '../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../src/postgres/embedded.ts';
import { newDataDir } from '../test/support/data-dir.ts';
import { loadDealers } from './data.ts';

const { values: options } = parseArgs({
  options: {
    vehicles: { type: 'string', default: '5000' },
    events: { type: 'string', default: '20000' },
    /** Lines of the request log. */
    log: { type: 'string', default: '50000' },
  },
});
const [vehicles, events, lines] = [options.vehicles, options.events, options.log].map(Number) as [number, number, number];
const dataDir = await newDataDir('bench-move');
const server = await openEmbeddedPostgres({ dataDir });
try {
  const urls = ['cell1', 'cell2'].map((name) => {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  });
  const admin = await openSession(server.url);
  for (const name of ['cell1', 'cell2']) await admin.rows(`create database ${name}`);
  await admin.close();
  const settings = { GALERI_SECRET: 'a secret of at least thirty-two characters', DATA_DIR: dataDir };
  const secrets = deriveSecrets(settings.GALERI_SECRET);
  for (const DATABASE_URL of urls) {
    const place = await connect(readConfig({ ...settings, DATABASE_URL }));
    await place.close();
    // As the first start does.
    const cell = await openSession(DATABASE_URL);
    await cell.rows('insert into deployment (vault_mark) values ($1)', [vaultMark(secrets)]);
    await cell.close();
  }
  const session = await openSession(urls[0]!, { deadlineMs: null });
  const { accounts } = await loadDealers(session, secrets.pepper, {
    accounts: 2,
    keysEach: 2,
    rowsEach: vehicles,
    endpoint: 'GET vehicles',
    perMinute: 600,
  });
  const dealer = { id: accounts[0]! };
  await session.rows(
    `insert into events (account_id, id, sequence, kind, resource_kind, payload, created_at)
    select $1, 'evt_' || n, n, 'vehicle.updated', 'vehicle', repeat('x', 900), now() from generate_series(1, $2::int) n`,
    [dealer.id, events],
  );
  await session.rows('update data_sets set sequence = $2 where id = $1', [dealer.id, events]);
  await session.rows(`select keep_request_log((now() at time zone 'UTC')::date, 31, 7)`);
  await session.rows(
    `insert into request_logs (account_id, key_id, at, request_id, method, path, status, duration_ms, response_bytes)
    select $1, $1, now(), 'req_' || n, 'GET', '/api/v1/vehicles', 200, 3, 4000 from generate_series(1, $2::int) n`,
    [dealer.id, lines],
  );
  await session.rows('vacuum (analyze)');
  await session.close();
  Object.assign(process.env, settings, { DATABASE_URL: urls[0] });
  const begun = performance.now();
  await accountCommand.run(['move', dealer.id, '--to', urls[1]!, '--files', join(dataDir, 'moved')]);
  process.stdout.write(
    `in ${((performance.now() - begun) / 1000).toFixed(1)} s altogether, at a load of ${loadavg()[0]!.toFixed(0)}\n`,
  );
} finally {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
}
