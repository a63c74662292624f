// The files of deploy/ for pgBackRest, rehearsed: restore to the moment before a mistake, and after the loss of the machine.
import { rm } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { drainWork, workSettings } from '../../src/jobs/worker.ts';
import { createLog } from '../../src/kit/log.ts';
import { connect } from '../../src/postgres/connect.ts';
import { openSession } from '../../src/postgres/database.ts';
import { newDataDir } from '../support/data-dir.ts';
import { until } from '../support/patience.ts';
import { archived, loseMachine, openRepository, type Repository, readDeployed } from '../support/pgbackrest.ts';
import { isPostgres15Missing, type OldServer } from '../support/postgres15.ts';
import { isMissing } from '../support/programs.ts';
import { type TestService, testService } from '../support/service.ts';
import { startStandby } from '../support/standby.ts';
import { aCar, type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';

const [, RECOVERY_DAYS] = /^repo1-retention-full=(\d+)$/m.exec(readDeployed('postgres/pgbackrest.conf'))!;
const GALERI_SECRET = 'a secret of at least thirty-two characters';

describe.skipIf(isMissing('pgbackrest', ['version']) || isPostgres15Missing())('pgBackRest', () => {
  let repository: Repository;
  let dataDir: string;
  const servers: OldServer[] = [];
  beforeAll(async () => {
    repository = await openRepository();
    dataDir = await newDataDir('point-in-time');
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await repository?.remove();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  /** The service on a server, with the same secret and files each time. */
  async function serviceOn(server: OldServer): Promise<TestService> {
    const env = { DATABASE_URL: server.url, DATA_DIR: dataDir, GALERI_SECRET };
    const shared = await connect(readConfig(env));
    const api = await testService({ shared, env });
    return {
      ...api,
      close: async () => {
        await api.close();
        await shared.close();
      },
    };
  }

  async function addCar(dealer: Dealer): Promise<string> {
    const { status, json } = await dealer.post('vehicles', aCar());
    expect(status).toBe(201);
    return json.data.id;
  }

  async function addPhoto(api: TestService, dealer: Dealer, vehicle: string): Promise<string> {
    const form = new FormData();
    const picture = sharp({ create: { width: 320, height: 240, channels: 3, background: '#336699' } }).jpeg();
    form.set('file', new Blob([await picture.toBuffer()]), 'IMG_0001.JPG');
    const headers = { authorization: `Bearer ${dealer.key}` };
    const reply = await fetch(`${api.service.url}/api/v1/vehicles/${vehicle}/photos`, { method: 'POST', headers, body: form });
    expect(reply.status).toBe(201);
    return ((await reply.json()) as { data: { id: string } }).data.id;
  }

  /** One round of every job, with the setting that fits the shipped configuration. */
  const work = (api: TestService) =>
    drainWork({
      ...workSettings(readConfig({ RECOVERY_DAYS: RECOVERY_DAYS!, RATES_TCMB_URL: '', RATES_KKTCMB_URL: '' })),
      writer: api.service.parts.writer,
      files: api.service.parts.files,
      clock: api.clock,
      log: createLog('silent'),
    });

  async function carsOf(dealer: Dealer): Promise<string[]> {
    const { json } = await dealer.get('vehicles?limit=100');
    expect(json.data).toHaveLength(json.meta.count);
    return json.data.map(({ id }: { id: string }) => id);
  }

  test('restores to the moment before a mistake: every write acknowledged until then, with its file; nothing later', async () => {
    const server = await repository.start();
    servers.push(server);
    const api = await serviceOn(server);
    await openAll(api);
    const dealer = await newDealer(api);
    const car = await addCar(dealer);
    repository.backUp('full');
    const photo = await addPhoto(api, dealer, car);
    repository.backUp('diff');

    // The dealer writes before, during and after the moment.
    const written: { readonly id: string; readonly from: number; readonly to: number }[] = [];
    let stopped = false;
    const writing = (async () => {
      while (!stopped && written.length < 90) {
        const from = performance.now();
        written.push({ id: await addCar(dealer), from, to: performance.now() });
      }
    })();
    const admin = await openSession(server.url);
    await until(() => written.length >= 10, 'ten cars are written');
    const sent = performance.now();
    const [row] = await admin.rows<{ moment: string }>('select clock_timestamp()::text as moment');
    const received = performance.now();
    await until(() => written.some(({ from }) => from > received), 'a car is written afterwards');
    stopped = true;
    await writing;

    // The photo is deleted and its file is due a day later: without RECOVERY_DAYS the worker would remove it.
    expect((await dealer.delete(`vehicles/${car}/photos/${photo}`)).status).toBe(200);
    await admin.rows(`update stored_files set state_at = state_at - interval '1 day' where state = 'gone'`);
    await work(api);
    await admin.rows('truncate vehicles cascade');
    expect(await carsOf(dealer)).toEqual([]);
    await admin.close();
    await api.close();
    await server.halt();

    const restored = await repository.restore(row!.moment);
    servers.push(restored.server);
    const again = await serviceOn(restored.server);
    const same = dealerWith(again, dealer.accountId, dealer.key);
    const cars = await carsOf(same);
    expect(cars).toEqual(expect.arrayContaining([car, ...written.filter(({ to }) => to < sent).map(({ id }) => id)]));
    for (const { id } of written.filter(({ from }) => from > received)) expect(cars).not.toContain(id);
    await work(again);
    const { json } = await same.get(`vehicles/${car}/photos`);
    expect(json.data).toMatchObject([{ id: photo }]);
    const file = await fetch(json.data[0].url);
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, json.data[0].size_bytes]);

    // The restored database takes writes, and its archive continues.
    const later = await addCar(same);
    expect(await carsOf(same)).toContain(later);
    repository.run('check');
    await again.close();
  });

  test('only a primary makes backups, and a server that does not answer is no reason to make none', async () => {
    const own = await openRepository();
    try {
      const server = await own.start();
      const standby = await startStandby(server);
      servers.push(server, standby);
      expect([own.takes(server), own.takes(standby)]).toEqual([true, false]);
      await standby.halt();
      expect(own.takes(standby)).toBe(true);
    } finally {
      await own.remove();
    }
  });

  test('a lost machine loses what was written since the last segment, which is never older than a minute', async () => {
    const own = await openRepository();
    try {
      const server = await own.start();
      servers.push(server);
      own.backUp('full');
      const session = await openSession(server.url);
      const [setting] = await session.rows<{ seconds: number }>(
        `select setting::int as seconds from pg_settings where name = 'archive_timeout' and unit = 's'`,
      );
      expect(setting!.seconds).toBeGreaterThan(0);
      expect(setting!.seconds).toBeLessThanOrEqual(60);
      await session.rows('create table written (x int)');
      await session.rows('insert into written values (1)');
      // No one asks for a new segment.
      await archived(server.url);
      await session.rows('insert into written values (2)');
      await session.close();
      await loseMachine(server);
      const restored = await own.restore();
      servers.push(restored.server);
      const found = await openSession(restored.server.url);
      expect(await found.rows('select x from written order by x')).toContainEqual({ x: 1 });
      await found.close();
    } finally {
      await own.remove();
    }
  });
});
