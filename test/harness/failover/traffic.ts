// All callers of a run: writers, readers, receivers of webhooks, listeners to event streams and a caller with a limit.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { deadline } from '../../support/patience.ts';
import { dataOf } from '../ask.ts';
import { createRandom } from '../random.ts';
import { openMoodyReceiver, type Receiver } from '../receiver.ts';
import type { Dealer } from '../world.ts';
import { type Caller, openCaller } from './caller.ts';
import { Limited } from './limited.ts';
import { Listener } from './listener.ts';
import { Reader } from './reader.ts';
import type { Site } from './site.ts';
import { type Books, Writer } from './writer.ts';

const WRITERS_OF_A_DEALER = 3;
const LIMIT = 100;

export interface Traffic {
  readonly dealers: readonly Dealer[];
  readonly writers: readonly Writer[];
  readonly listeners: readonly Listener[];
  readonly receiver: Receiver;
  readonly caller: Caller;
  readonly limited: Limited;
  reads(): number;
  acknowledged(): number;
  /** What callers saw. */
  violations(): string[];
  beginGap(): void;
  /** Until every writer has an acknowledgement of a write that began later than now; null if one has none within this time. */
  gapMs(withinMs: number): Promise<number | null>;
  /** Writers and readers end; webhooks and streams continue. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** `dealers` have no data yet. */
export async function openTraffic(site: Site, dealers: readonly Dealer[], seed: number): Promise<Traffic> {
  const random = createRandom(seed);
  const caller = openCaller(site);
  const receiver = await openMoodyReceiver(random, { fails: 0, hangs: 0, resets: 0, hangMs: 0 });
  const books = dealers.map((dealer): Books => ({ dealer, cars: [], sales: [] }));
  for (const { dealer } of books) await subscribe(caller, receiver, dealer);
  const writers = books.flatMap((one, place) =>
    Array.from({ length: WRITERS_OF_A_DEALER }, (_, number) => {
      const name = `W${seed}-${place}-${number}`;
      return new Writer(caller, one, join(site.folder, `journal-${randomUUID()}`), name, random.below(2 ** 31));
    }),
  );
  for (const writer of writers) await writer.prepare();
  const readers = books.map((one) => new Reader(caller, one, createRandom(random.below(2 ** 31))));
  const listeners = dealers.map((dealer) => new Listener(site, caller, dealer));
  const limited = new Limited(caller, await limitedKey(site, dealers[0]!), LIMIT);
  const state = { isStopping: false, isClosing: false };
  const isOver = () => state.isStopping;
  const working = Promise.all([...writers, ...readers, limited].map((one) => one.run(isOver)));
  const listening = Promise.all(listeners.map((one) => one.run(() => state.isClosing)));
  // A fault of the harness itself; it is thrown where the run waits for them.
  working.catch(() => {});

  const stop = async () => {
    state.isStopping = true;
    await working;
  };
  return {
    dealers,
    writers,
    listeners,
    receiver,
    caller,
    limited,
    reads: () => readers.reduce((sum, one) => sum + one.answered, 0),
    acknowledged: () => writers.reduce((sum, one) => sum + one.acknowledged, 0),
    violations: () => [...[...writers, ...readers, ...listeners, limited].flatMap((one) => one.violations), ...receiver.problems],
    beginGap: () => {
      for (const writer of writers) writer.beginGap();
    },
    gapMs: async (withinMs) => {
      const from = performance.now();
      // A writer ends with its first violation.
      const isBack = () => writers.every(({ last, violations }) => last.sent > from || violations.length > 0);
      for (const isLate = deadline(withinMs); !isBack(); await wait(50)) if (isLate()) return null;
      return Math.round(Math.max(...writers.map((writer) => writer.gapMs())));
    },
    stop,
    close: async () => {
      state.isClosing = true;
      for (const one of listeners) one.close();
      await stop().catch(() => {});
      await listening;
      caller.close();
      await receiver.close();
    },
  };
}

async function subscribe(caller: Caller, receiver: Receiver, { accountId, key }: Dealer): Promise<void> {
  const body = { url: `${receiver.url}${accountId}`, events: ['*'] };
  const made = await caller.untilAnswered({ method: 'POST', path: 'webhooks', key, body, idempotencyKey: randomUUID() });
  if (made?.status !== 201) throw new Error(`no webhook: ${made?.text}`);
  receiver.expect(accountId, (dataOf(made) as { secret: string }).secret);
}

/** As an operator makes them. The keys may do everything and have no limit in effect. */
export async function makeDealers(site: Site, count: number): Promise<Dealer[]> {
  const dealers: Dealer[] = [];
  for (let number = 1; number <= count; number += 1) {
    const account = JSON.parse(await site.command('account', 'create', '--name', `Galeri ${number}`, '--json')) as { id: string };
    const key = await makeKey(site, account.id, 'all', ['--template', 'full', '--per-minute', '1000000']);
    dealers.push({ accountId: account.id, key });
  }
  return dealers;
}

const limitedKey = (site: Site, { accountId }: Dealer): Promise<string> =>
  makeKey(site, accountId, `limited ${randomUUID()}`, ['--endpoint', 'GET account', '--per-minute', String(LIMIT)]);

async function makeKey(site: Site, accountId: string, name: string, args: readonly string[]): Promise<string> {
  const printed = await site.command('key', 'create', '--account', accountId, '--name', name, ...args, '--json');
  return (JSON.parse(printed) as { key: string }).key;
}
