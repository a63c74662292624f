// The worker as a separate process, beside an API without one, on one database; and `worker drain` from the command line.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, galeri, launch, type Started, start, stop } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';
import { openReceiver, type Receiver, verify } from './receiver.ts';

let base: TestDatabase;
let receiver: Receiver;
let env: Record<string, string>;
let api: Started;
let key: string;
beforeAll(async () => {
  base = await testDatabase();
  receiver = await openReceiver();
  env = {
    DATABASE_URL: base.adminUrl,
    GALERI_SECRET: TEST_SECRET,
    DATA_DIR: await newDataDir('worker'),
    ALLOW_LOOPBACK_TARGETS: 'on',
    LIVE: 'all',
  };
  const json = async (...args: string[]) => JSON.parse((await galeri([...args, '--json'], env)).stdout) as Record<string, string>;
  const { id } = await json('account', 'create', '--name', 'Oto');
  key = (await json('key', 'create', '--account', id!, '--name', 'ERP', '--template', 'full')).key!;
  api = await start(['bin/galeri', 'serve', '--only', 'api', '--no-demo'], env);
});
afterAll(async () => {
  await stop(api);
  await receiver.close();
  await base.close();
});

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const reply = await fetch(`${api.ready.api}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return ((await reply.json()) as { data: Record<string, string> }).data;
}

test('the API alone delivers nothing; drain delivers once; a worker delivers while it runs', async () => {
  expect(api.output()).toContain('ALLOW_LOOPBACK_TARGETS is on');
  const hook = await ask('POST', 'webhooks', { url: receiver.url, events: ['*'] });
  const first = await ask('POST', `webhooks/${hook.id}/test`);
  const drained = await galeri(['worker', 'drain', '--json'], env);
  expect(JSON.parse(drained.stdout)).toMatchObject({ deliveries: 1 });
  expect(receiver.got.map(({ json }) => json.id)).toEqual([first.event_id]);
  verify(hook.secret!, receiver.got[0]!);

  const worker = launch(['bin/galeri', 'serve', '--only', 'worker', '--no-demo'], env);
  const ended = new Promise<number | null>((resolve) => worker.on('exit', resolve));
  const second = await ask('POST', `webhooks/${hook.id}/test`);
  await receiver.until(2);
  expect(receiver.got[1]!.json.id).toBe(second.event_id);
  await eventually(async () => (await ask('GET', `webhooks/${hook.id}/deliveries/${second.id}`)).status === 'Başarılı');
  worker.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('worker accepts only drain', async () => {
  const refused = await galeri(['worker', 'rest'], env);
  expect([refused.code, refused.stderr.trim()]).toEqual([1, 'galeri: worker takes drain']);
});
