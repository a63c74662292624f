// The test clock as a rehearsal uses it: a running service, `galeri clock`, a real receiver of webhooks, restarts and refusals.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReceiver, type Receiver, verify } from '../jobs/receiver.ts';
import { type ClockedService, clockedService } from '../support/clocked-service.ts';
import { newDataDir } from '../support/data-dir.ts';
import { aCar } from '../support/writer.ts';
import { eventually, galeri, removeDataDir } from './process.ts';

const DAY = 86_400_000;
const START = '2026-01-15T09:00:00Z';
/** A few minutes of grace: the clock goes on while a busy machine does its work. */
const isAbout = (time: string | Date, expected: string | number): boolean => {
  const late = new Date(time).getTime() - new Date(expected).getTime();
  return late >= -1000 && late < 20 * 60_000;
};
const oneLine = ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) => {
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
  return stderr;
};

describe('a rehearsal', () => {
  let service: ClockedService;
  let receiver: Receiver;
  let dealer: { id: string; key: string };
  beforeAll(async () => {
    receiver = await openReceiver();
    service = await clockedService(START, {
      env: { GALERI_SECRET: 'a secret of a rehearsal, longer than thirty-two characters' },
    });
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });
  const vehicle = async (id: string) => (await service.call(`vehicles/${id}`, { key: dealer.key })).json;

  it('begins where it was told to, and says so loudly', async () => {
    const warning = service
      .output()
      .split('\n')
      .find((line) => line.includes('TEST_CLOCK IS ON'))!;
    expect(JSON.parse(warning)).toMatchObject({ level: 'warn' });
    expect(isAbout(JSON.parse(warning).now, START)).toBe(true);
    const { now, offset_ms } = await service.cli('clock', 'show');
    expect(isAbout(now, START)).toBe(true);
    expect(Math.abs(Date.now() + offset_ms - new Date(now).getTime())).toBeLessThan(60_000);
  });

  it('lets a reservation run out when the clock is advanced, at once for whoever asks, and its event is delivered', async () => {
    dealer = await service.dealer('Prova Oto');
    const hook = (await service.write('POST', 'webhooks', dealer.key, { url: receiver.url, events: ['vehicle.*'] })).json.data;
    const { id, created_at, stock_date } = (await service.write('POST', 'vehicles', dealer.key, aCar())).json.data;
    expect(isAbout(created_at, START)).toBe(true);
    expect(stock_date).toBe('2026-01-15');
    const held = await service.write('POST', `vehicles/${id}/reserve`, dealer.key, { reserved_until: '2026-01-20' });
    expect([held.status, held.json.data.status]).toEqual([200, 'Rezerve']);
    expect((await vehicle(id)).data.status).toBe('Rezerve');
    const { now } = await service.cli('clock', 'advance', '6d');
    expect(isAbout(now, new Date(START).getTime() + 6 * DAY)).toBe(true);
    // The command waits the second in which every process hears of it; a busy machine may take longer.
    await eventually(async () => isAbout((await service.call('account', { key: dealer.key })).json.meta.timestamp, now));
    const after = await vehicle(id);
    expect(after.data).toMatchObject({ status: 'Stokta', reservation: null });
    expect(isAbout(after.meta.timestamp, now)).toBe(true);
    const released = await eventually(async () => receiver.got.find(({ json }) => json.type === 'vehicle.reservation_released')!);
    expect(isAbout(released.json.timestamp, now)).toBe(true);
    // Its signature is of today: the receiver's clock is the real one.
    expect(verify(hook.secret, released)).toBeTruthy();
    const [delivery] = (await service.call(`webhooks/${hook.id}/deliveries`, { key: dealer.key })).json.data;
    expect(isAbout(delivery.created_at, Date.now() - 20 * 60_000 + 1) || isAbout(delivery.created_at, Date.now() - 60_000)).toBe(
      true,
    );
  });

  it('is moved while the service is down, and still stands there after a restart, kill -9 included', async () => {
    const before = await service.cli('clock', 'show');
    await service.stop();
    const moved = await service.cli('clock', 'advance', '12h');
    expect(moved.offset_ms).toBe(before.offset_ms + 12 * 3_600_000);
    // The same settings as at the first start: the clock is not set back to its beginning.
    await service.start();
    expect((await service.cli('clock', 'show')).offset_ms).toBe(moved.offset_ms);
    expect(isAbout((await service.call('account', { key: dealer.key })).json.meta.timestamp, moved.now)).toBe(true);
    await service.stop('SIGKILL');
    await service.start({ TEST_CLOCK: 'on' });
    expect((await service.cli('clock', 'show')).offset_ms).toBe(moved.offset_ms);
    expect(isAbout((await service.call('account', { key: dealer.key })).json.meta.timestamp, moved.now)).toBe(true);
  });

  it('is the time of every command', async () => {
    const { now } = await service.cli('clock', 'advance', '1d');
    const { id } = (await service.write('POST', 'vehicles', dealer.key, aCar())).json.data;
    await service.write('POST', `vehicles/${id}/reserve`, dealer.key, { reserved_until: now.slice(0, 10) });
    await service.stop();
    await service.cli('clock', 'advance', '2d');
    expect(await service.cli('worker', 'drain')).toMatchObject({ ended: 1 });
    const folder = await mkdtemp(join(tmpdir(), 'galeri-clock-'));
    const file = join(folder, 'cars.ndjson');
    await writeFile(file, `${JSON.stringify(aCar({ plate: 'ZZ 1' }))}\n`);
    expect(await service.cli('import', 'vehicles', '--account', dealer.id, '--file', file)).toMatchObject({
      created: 1,
      failed: 0,
    });
    await rm(folder, { recursive: true });
    const other = await service.cli('account', 'create', '--name', 'Sonraki Oto');
    await service.start();
    const { data } = (await service.call('vehicles?plate=ZZ%201', { key: dealer.key })).json;
    expect(isAbout(data[0].created_at, new Date(now).getTime() + 2 * DAY)).toBe(true);
    expect((await vehicle(id)).data.status).toBe('Stokta');
    expect(other.id).toBeTruthy();
  });

  it('counts two that are moved at once, and nothing that is refused', async () => {
    const { offset_ms } = await service.cli('clock', 'show');
    await Promise.all([
      service.cli('clock', 'advance', '1h'),
      service.cli('clock', 'advance', '90m'),
      service.cli('clock', 'advance', '0s'),
    ]);
    expect((await service.cli('clock', 'show')).offset_ms).toBe(offset_ms + 2.5 * 3_600_000);
    expect(oneLine(await service.run('clock', 'advance', '-1h'))).toMatch(/forward only/);
    expect(oneLine(await service.run('clock', 'advance', '1000000000d'))).toMatch(/from 2000 to 2199/);
    expect(oneLine(await service.run('clock', 'set', '2026-01-15T10:00:00Z'))).toMatch(/is at .* forward only/);
    expect((await service.cli('clock', 'show')).offset_ms).toBe(offset_ms + 2.5 * 3_600_000);
    const text = await service.run('clock', 'show');
    expect(text.stdout).toMatch(/^2026-\d\d-\d\dT[\d:.]+Z \(-?\d+ ms from real time\)\n$/);
  });

  it('goes with a backup, and the restored copy is not served as if it were real', async () => {
    await service.stop();
    const { offset_ms } = await service.cli('clock', 'show');
    const directory = join(await mkdtemp(join(tmpdir(), 'galeri-clock-')), 'backup');
    await service.cli('backup', directory);
    const copy = { ...service.env, DATA_DIR: await newDataDir('clock') };
    expect((await galeri(['restore', directory], copy)).code).toBe(0);
    expect(JSON.parse((await galeri(['clock', 'show', '--json'], copy)).stdout).offset_ms).toBe(offset_ms);
    expect(oneLine(await galeri(['serve'], { ...copy, TEST_CLOCK: '' }))).toMatch(
      /this data belongs to a test clock.*TEST_CLOCK=on/,
    );
    expect(oneLine(await galeri(['serve'], { ...copy, TEST_CLOCK: '2026-01-10' }))).toMatch(
      /TEST_CLOCK cannot be .*forward only/,
    );
    await rm(join(directory, '..'), { recursive: true });
    await removeDataDir(copy.DATA_DIR);
  });
});

describe('a demonstration on a clock', () => {
  it('is of the day on which the clock stands, also one years ahead and on the night of a clock change', async () => {
    // Europe leaves summer time in this hour; Asia/Famagusta goes with it.
    const at = '2099-10-25T00:59:58Z';
    const service = await clockedService(at, { args: [] });
    try {
      const key = JSON.parse(
        service
          .output()
          .split('\n')
          .find((line) => line.includes('"message":"ready"'))!,
      ).demo_key;
      const { data } = (await service.call('vehicles?limit=100', { key })).json;
      const newest = data
        .map(({ created_at }: { created_at: string }) => created_at)
        .sort()
        .at(-1);
      expect(newest > '2099-07' && newest < at).toBe(true);
    } finally {
      await service.close();
    }
  });

  it('may be set back and forth until there is data, with the service stopped', async () => {
    const env = { DATA_DIR: await newDataDir('clock'), TEST_CLOCK: 'on' };
    const clock = async (...args: string[]) => JSON.parse((await galeri(['clock', ...args, '--json'], env)).stdout);
    expect((await clock('set', '2099-01-01T00:00:00Z')).now).toBe('2099-01-01T00:00:00.000Z');
    expect((await clock('set', '2026-01-15T09:00:00+02:00')).now).toBe('2026-01-15T07:00:00.000Z');
    expect((await galeri(['account', 'create', '--name', 'A', '--json'], env)).code).toBe(0);
    expect(oneLine(await galeri(['clock', 'set', '2025-01-15T09:00:00Z'], env))).toMatch(/forward only/);
    await removeDataDir(env.DATA_DIR);
  });
});
