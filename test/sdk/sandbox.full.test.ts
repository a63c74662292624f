// The sandbox of the clients against a service with isolated sandboxes: story SB1, its webhooks, refusals in types.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Galeri, InvalidRequest, NotAllowed, verifyWebhook } from '../../sdk/typescript/src/index.ts';
import { startWebhookSender } from '../../src/jobs/deliver-webhooks.ts';
import { createLog } from '../../src/kit/log.ts';
import { resources } from '../../src/resources/index.ts';
import { openReceiver, type Receiver } from '../jobs/receiver.ts';
import { eventsOf } from '../support/events.ts';
import { isPhpMissing } from '../support/php.ts';
import { isPythonMissing, python } from '../support/python.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, aPerson, openAll } from '../support/writer.ts';
import { type Seen, sandboxStory } from './sandbox-story.ts';

const run = promisify(execFile);
const every = resources.flatMap(({ endpoints }) => endpoints).map(({ id }) => id);

let api: TestService;
let receiver: Receiver;
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated', ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
});
afterEach(() => receiver?.close());
afterAll(() => api.close());

const newKey = async (environment: 'sandbox' | 'production' = 'sandbox'): Promise<string> =>
  (await api.key(await api.account(), { endpoints: every, environment })).secret;

async function php(key: string, fields: object): Promise<Seen> {
  const program = fileURLToPath(new URL('sandbox-story.php', import.meta.url));
  const running = run('php', [program], { env: { ...process.env, GALERI_KEY: key, GALERI_URL: api.service.url } });
  running.child.stdin!.end(JSON.stringify(fields));
  return JSON.parse((await running).stdout);
}

async function inPython(key: string, fields: object): Promise<Seen> {
  const program = fileURLToPath(new URL('python/sandbox_story.py', import.meta.url));
  const env = { GALERI_KEY: key, GALERI_URL: api.service.url };
  return JSON.parse((await python(program, env, JSON.stringify(fields))).stdout);
}

/** With an address, so that reminders reach the drop. */
const PERSON = aPerson({ email: 'ayse@example.com' });

const scripts: Readonly<Record<string, (key: string, url: string) => Promise<Seen>>> = {
  TypeScript: (key, url) => sandboxStory(new Galeri({ key, url: api.service.url }), url, aCar(), PERSON),
  ...(isPythonMissing() ? {} : { Python: (key, url) => inPython(key, { receiver: url, car: aCar(), person: PERSON }) }),
  ...(isPhpMissing() ? {} : { PHP: (key, url) => php(key, { receiver: url, car: aCar(), person: PERSON }) }),
};

/** Simple interest on what is open, half up. */
function interestOf(remaining: string, days: number): string {
  const minor = (BigInt(remaining.replace('.', '')) * 2400n * BigInt(days) * 2n + 3_650_000n) / (2n * 3_650_000n);
  return `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
}

describe.each(Object.keys(scripts))('SB1 with the %s client', (client) => {
  test('sells on 24 installments, collects 3, advances two years, restructures and settles early; every webhook arrives', async () => {
    receiver = await openReceiver();
    const seen = await scripts[client]!(await newKey(), receiver.url);
    expect(seen.moved.days).toBe(731);
    expect(seen.moved.events).toBeGreaterThanOrEqual(21);
    expect(seen.overdue).toHaveLength(21);
    for (const [remaining, days, interest] of seen.overdue) {
      expect(remaining).toBe('110.00');
      expect(interest).toBe(interestOf(remaining, days));
    }
    expect(seen.restructured).toEqual(Array(6).fill('385.00'));
    expect(seen.settled).toEqual({ status: 'Tamamlandı', outstanding: '0.00', payoff: null });
    // Three days before the due date, on it, and three and ten days after it.
    expect(seen.messages).toBe(21 * 4);
    await expectDeliveries(seen);
  });
});

/** Every event of the sandbox once, signed, and in the order of its time. */
async function expectDeliveries({ secret, world }: Seen): Promise<void> {
  const sender = startWebhookSender({
    writer: api.service.parts.writer,
    clock: api.clock,
    log: createLog('silent'),
    outbound: { loopback: true },
    pollMs: 1_000_000_000,
  });
  while ((await sender.drain()) > 0);
  await sender.close();
  const events = await Promise.all(
    receiver.got.map(({ body, headers }) => verifyWebhook(body, headers as Record<string, string>, secret)),
  );
  const received = events.toSorted((one, other) => one.sequence! - other.sequence!);
  const happened = await eventsOf(api, world);
  expect(received.map(({ id, type }) => [id, type])).toEqual(happened.map(({ kind, payload }) => [payload.id, kind]));
  expect(new Set(received.map(({ environment }) => environment))).toEqual(new Set(['sandbox']));
  const times = received.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
  const overdue = received.filter(({ type }) => type === 'installment.overdue');
  expect(overdue).toHaveLength(21);
  expect(received.at(-1)!.type).toBe('installment_plan.completed');
}

describe('refusals', () => {
  test('have the types of the API’s', async () => {
    const galeri = new Galeri({ key: await newKey(), url: api.service.url });
    await galeri.sandbox.reset({ data: 'empty' });
    await expect(galeri.sandbox.advance('soon')).rejects.toBeInstanceOf(InvalidRequest);
    await expect(galeri.sandbox.advanceTo(new Date(0))).rejects.toMatchObject({ code: 'clock_moves_forward' });
    const live = new Galeri({ key: await newKey('production'), url: api.service.url });
    await expect(live.sandbox.world()).rejects.toBeInstanceOf(NotAllowed);
  });
});
