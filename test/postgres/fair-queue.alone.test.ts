// Who gets a database connection, and in which order: with a simulated clock and no database.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isUnavailable } from '../../src/kit/db.ts';
import { createFairQueue, type FairQueue } from '../../src/postgres/fair-queue.ts';

let time = 0;
let queue: FairQueue;
/** Who got a connection, in order. */
let entered: string[];
let leaves: Map<string, (() => void)[]>;
let refused: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  time = 1_000_000;
  [entered, leaves, refused] = [[], new Map(), []];
  queue = createFairQueue({ connections: 4, now: () => time });
});
afterEach(() => {
  vi.useRealTimers();
});

async function ask(account: string, times = 1): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    Promise.resolve(queue.enter(account)).then(
      (leave) => {
        entered.push(account);
        leaves.set(account, [...(leaves.get(account) ?? []), leave]);
      },
      (error) => refused.push(error),
    );
  }
  await settle();
}

const settle = () => vi.advanceTimersByTimeAsync(0);

async function leave(account: string, afterMs = 1): Promise<void> {
  time += afterMs;
  leaves.get(account)!.shift()!();
  await settle();
}

const holds = (account: string): number => leaves.get(account)?.length ?? 0;

/** Marks this one as keeping connections for long. */
async function beSlow(account: string): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    await ask(account);
    await leave(account, 500);
  }
}

describe('of four connections', () => {
  test('one account holds two, for any demand', async () => {
    await ask('A', 10);
    expect(holds('A')).toBe(2);
    expect(queue.waiting()).toBe(8);
  });

  test('two with unlimited demand leave one to a third', async () => {
    await ask('A', 10);
    await ask('C', 10);
    expect([holds('A'), holds('C')]).toEqual([2, 1]);
    await ask('B');
    expect(holds('B')).toBe(1);
  });

  test('and still do after each of them has continued for a while', async () => {
    await ask('A', 50);
    await ask('C', 50);
    for (let turn = 0; turn < 40; turn += 1) {
      await leave(holds('A') > 0 && turn % 2 === 0 ? 'A' : 'C', 3);
      expect(holds('A') + holds('C')).toBeLessThanOrEqual(3);
    }
    const served = (account: string) => entered.filter((one) => one === account).length;
    expect(Math.abs(served('A') - served('C'))).toBeLessThanOrEqual(2);
  });

  test('any number of accounts that keep theirs for long hold two together, and take turns', async () => {
    for (const account of ['A', 'C', 'D', 'E']) await beSlow(account);
    entered.length = 0;
    for (const account of ['A', 'C', 'D', 'E']) await ask(account, 3);
    expect(entered).toEqual(['A', 'A']);
    await ask('B');
    expect(holds('B')).toBe(1);
    for (const account of ['A', 'A', 'A', 'C', 'D', 'E']) await leave(account, 500);
    expect(entered).toEqual(['A', 'A', 'B', 'A', 'C', 'D', 'E', 'C', 'D']);
  });

  test('an account that was slow and is fast again is like any other', async () => {
    await beSlow('A');
    for (let count = 0; count < 5; count += 1) {
      await ask('A');
      await leave('A');
    }
    await beSlow('C');
    await beSlow('D');
    await ask('C', 2);
    await ask('D', 2);
    await ask('A');
    expect(holds('A')).toBe(1);
  });

  test('an account whose transactions are slow by chance, or because the machine is, is not grouped with the much slower ones', async () => {
    for (let count = 0; count < 10; count += 1) {
      await ask('A');
      await leave('A', 600);
      await ask('B');
      await leave('B', 150);
    }
    await ask('A', 5);
    await ask('B');
    // B is not among the slow ones; A has one connection while B is active.
    expect([holds('A'), holds('B')]).toEqual([1, 1]);
  });

  test('old slowness is forgotten', async () => {
    await beSlow('A');
    time += 60_000;
    await beSlow('C');
    await ask('C', 2);
    await ask('A');
    expect([holds('C'), holds('A')]).toEqual([2, 1]);
  });
});

describe('the queue', () => {
  test('one request of another account passes a backlog', async () => {
    await ask('D');
    await ask('E');
    await ask('A', 20);
    await ask('C', 20);
    expect(entered).toEqual(['D', 'E', 'A', 'A']);
    await ask('B', 3);
    await leave('D');
    await leave('E');
    expect(entered.slice(4)).toEqual(['C', 'B']);
    expect(queue.waiting()).toBe(18 + 19 + 2);
  });

  test('within an account it is first come, first served', async () => {
    const order: number[] = [];
    const made = Array.from({ length: 5 }, (_, number) =>
      Promise.resolve(queue.enter('A')).then((leave) => {
        order.push(number);
        leave();
      }),
    );
    await settle();
    await Promise.all(made);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  test('accounts that take much are not starved by many that take little', async () => {
    await beSlow('A');
    for (let number = 0; number < 30; number += 1) await ask(`light ${number}`);
    await ask('A', 3);
    for (let number = 0; number < 30; number += 1) await leave(`light ${number}`);
    expect(holds('A')).toBe(1);
  });

  test('a request that waits for a second is refused as busy, and leaves the queue', async () => {
    await ask('A', 3);
    await vi.advanceTimersByTimeAsync(1001);
    expect(refused).toHaveLength(1);
    expect(isUnavailable(refused[0])).toBe(true);
    expect(queue.waiting()).toBe(0);
    await leave('A');
    await ask('A');
    expect(holds('A')).toBe(2);
  });

  test('with one connection every account still has a turn', async () => {
    queue = createFairQueue({ connections: 1, now: () => time });
    await ask('A', 3);
    await ask('B', 3);
    for (const account of ['A', 'A', 'B', 'A', 'B']) await leave(account);
    expect(entered).toEqual(['A', 'A', 'B', 'A', 'B', 'B']);
  });

  test('memory stays bounded with any number of accounts', async () => {
    for (let number = 0; number < 5000; number += 1) {
      await ask(`dealer ${number}`);
      await leave(`dealer ${number}`, 1000);
    }
    await ask('A', 10);
    expect(holds('A')).toBe(2);
  });
});

async function slowOnesAskBeside(quick: string): Promise<void> {
  await beSlow('A');
  await beSlow('C');
  await ask(quick);
  await leave(quick);
  await ask('A', 3);
  await ask('C', 3);
}

describe('of four connections, while others request short ones', () => {
  test('slow accounts hold one together, and two again when they are alone', async () => {
    await slowOnesAskBeside('B');
    expect(holds('A') + holds('C')).toBe(1);
    // B returns repeatedly: the slow ones continue, one at a time.
    for (let turn = 0; turn < 6; turn += 1) {
      await leave(holds('A') > 0 ? 'A' : 'C', 500);
      await ask('B');
      await leave('B');
      expect(holds('A') + holds('C')).toBe(turn < 5 ? 1 : 0);
    }
    expect(queue.waiting()).toBe(0);
    time += 1500;
    await ask('A');
    await ask('C');
    expect(holds('A') + holds('C')).toBe(2);
  });

  test('an account that becomes slow while it is alone keeps its connections', async () => {
    await ask('A');
    await leave('A', 10);
    await beSlow('A');
    await ask('A');
    await leave('A', 10);
    await ask('B');
    await leave('B', 10);
    time += 2000;
    // Quick at first, and slow within the same second.
    await ask('C', 2);
    await leave('C', 450);
    await ask('C', 4);
    expect(holds('C')).toBe(2);
    expect(queue.waiting()).toBe(3);
  });

  test("of six too they hold one: two slow statements would take both of a small machine's cores", async () => {
    queue = createFairQueue({ connections: 6, now: () => time });
    await slowOnesAskBeside('B');
    expect(holds('A') + holds('C')).toBe(1);
  });
});
