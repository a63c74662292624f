// The service and its PostgreSQL, killed with -9: the next start finds its data.
import { describe, expect, it } from 'vitest';
import { alive as isAlive } from '../../src/postgres/embedded-install.ts';
import { eventually, finish, get, launch, postmasterPid, stop } from './process.ts';
import { dataDirThatWas, run, SERVE, stopAfterEach } from './starts.ts';

stopAfterEach();

describe('serve', () => {
  it('loses nothing to kill -9, adopts the running PostgreSQL, and starts again after both were killed', async () => {
    const directory = await dataDirThatWas('served');
    const first = await run(SERVE, { DATA_DIR: directory });
    const before = await get(`${first.ready.api}vehicles?limit=100`, first.ready.demo_key);
    const pid = await postmasterPid(directory);
    await stop(first, 'SIGKILL');
    expect(isAlive(pid!)).toBe(true);
    const second = await run(SERVE, { DATA_DIR: directory });
    expect(second.ready.demo_key).toBe(first.ready.demo_key);
    expect((await get(`${second.ready.api}vehicles?limit=100`, first.ready.demo_key)).json.data).toEqual(before.json.data);
    expect(await postmasterPid(directory)).toBe(pid);
    process.kill(pid!, 'SIGKILL');
    await stop(second, 'SIGKILL');
    const third = await run(SERVE, { DATA_DIR: directory });
    expect((await get(`${third.ready.api}vehicles?limit=100`, first.ready.demo_key)).json.data).toEqual(before.json.data);
    const last = await postmasterPid(directory);
    expect(await stop(third)).toBe(0);
    expect(isAlive(last!)).toBe(false);
  });

  it('refuses a second one on the same DATA_DIR; answers 503 while PostgreSQL is down, restarts it, and continues', async () => {
    const directory = await dataDirThatWas('served');
    const { ready } = await run(SERVE, { DATA_DIR: directory });
    const second = await finish(launch(SERVE, { DATA_DIR: directory, PORT: '0' }));
    expect(second.code).toBe(1);
    expect(second.stderr.trim().split('\n')).toHaveLength(1);
    expect(second.stderr).toMatch(/already runs on this DATA_DIR/);
    expect((await get(`${ready.api}vehicles`, ready.demo_key)).status).toBe(200);
    const killed = (await postmasterPid(directory))!;
    process.kill(killed, 'SIGKILL');
    const refused: unknown[] = [];
    await eventually(async () => {
      const { status, json } = await get(`${ready.api}vehicles`, ready.demo_key);
      if (status !== 200) refused.push([status, json.error?.code]);
      return status === 200 && ![null, killed].includes(await postmasterPid(directory));
    });
    for (const answer of refused) expect(answer).toEqual([503, 'service_unavailable']);
    await eventually(async () => (await fetch(new URL('/readyz', ready.api))).status === 200);
  });
});
