// Decides which account gets the next database connection. Accounts take turns, however much each has waiting. No account holds
// more than half of the connections, and heavy accounts hold no more than half together, so that short requests of others find
// one. While others ask for short ones, those whose transactions are slow hold no more than a quarter together: their statements
// would keep the processors busy that the others need.

import { expireUnlessStalled } from './waits.ts';

export interface FairQueueOptions {
  readonly connections: number;
  /** A clock in milliseconds; tests set it. */
  readonly now?: () => number;
}

export interface FairQueue {
  /** Waits for this account's turn, at most a second. Returns a function that releases the connection. */
  enter(account: string): Promise<() => void> | (() => void);
  /** The number of waiting requests. */
  waiting(): number;
}

export const MAX_WAIT_MS = 1000;
/** An account whose transactions take longer than this on average may count as heavy. */
const SLOW_MS = 100;
const FORGET_MS = 10_000;
/** An account that requested a short transaction within this time is about to request the next. */
const ACTIVE_MS = 1000;
const MAX_REMEMBERED = 1000;

interface Account {
  readonly name: string;
  held: number;
  /** A moving average in which the newest transaction counts a quarter, so that a single slow one matters little. */
  averageMs: number;
  leftAt: number;
  readonly queue: (() => void)[];
}

export function createFairQueue({ connections, now = () => performance.now() }: FairQueueOptions): FairQueue {
  const share = Math.max(1, Math.floor(connections / 2));
  const accounts = new Map<string, Account>();
  /** Accounts that wait, in the order of their turns. */
  const turns = new Set<Account>();
  let [inUse, waiting] = [0, 0];
  const quick = createQuickOnes();

  const mayEnter = (account: Account): boolean => {
    const time = now();
    const isSlowAmongOthers = averageOf(account, time) > SLOW_MS && time - quick.besides(account.name) < ACTIVE_MS;
    const limit = isSlowAmongOthers ? Math.max(1, Math.floor(share / 2)) : share;
    return inUse < connections && account.held < share && heldByHeavyWith(account, accounts, time) <= limit;
  };

  const take = (name: string, account: Account): (() => void) => {
    const since = now();
    if (averageOf(account, since) <= SLOW_MS) quick.add(name, since);
    account.held += 1;
    inUse += 1;
    return () => {
      account.held -= 1;
      inUse -= 1;
      account.leftAt = now();
      account.averageMs += (account.leftAt - since - account.averageMs) / 4;
      serveWaiting();
      if (account.held === 0 && account.queue.length === 0 && account.averageMs <= SLOW_MS) accounts.delete(name);
    };
  };

  const serveWaiting = (): void => {
    for (const account of turns) {
      if (inUse >= connections) return;
      if (!mayEnter(account)) continue;
      // Moved to the end of the queue before its next turn.
      turns.delete(account);
      const enter = account.queue.shift()!;
      if (account.queue.length > 0) turns.add(account);
      enter();
    }
  };

  const queueUp = (name: string, account: Account): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const enter = () => {
        stopWaiting();
        waiting -= 1;
        resolve(take(name, account));
      };
      const stopWaiting = expireUnlessStalled(MAX_WAIT_MS, () => {
        account.queue.splice(account.queue.indexOf(enter), 1);
        if (account.queue.length === 0) turns.delete(account);
        waiting -= 1;
        reject(new Error('timeout: no database connection became free for this account'));
      });
      waiting += 1;
      account.queue.push(enter);
      turns.add(account);
    });

  return {
    enter: (name) => {
      const account = findAccount(accounts, name);
      // Waiting requests of the same account come first.
      return account.queue.length === 0 && mayEnter(account) ? take(name, account) : queueUp(name, account);
    },
    waiting: () => waiting,
  };
}

/** When accounts that were not slow last got a connection. */
function createQuickOnes() {
  const never = { name: '', at: Number.NEGATIVE_INFINITY };
  let [last, lastOther] = [never, never];
  return {
    add: (name: string, at: number): void => {
      if (last.name !== name) lastOther = last;
      last = { name, at };
    },
    /** An account that has become slow itself a moment ago is no other account. */
    besides: (name: string): number => (last.name === name ? lastOther : last).at,
  };
}

const averageOf = ({ averageMs, leftAt }: Account, time: number): number => (time - leftAt < FORGET_MS ? averageMs : 0);

/** How many connections all heavy accounts would hold if this account got one more; 0 where it is not heavy. */
function heldByHeavyWith(account: Account, accounts: ReadonlyMap<string, Account>, time: number): number {
  const average = averageOf(account, time);
  if (account.held === 0 && average <= SLOW_MS) return 0;
  let slowest = 0;
  for (const other of accounts.values()) slowest = Math.max(slowest, averageOf(other, time));
  // Relative to the slowest account, so that on a slow machine not every account counts as slow.
  const slowFrom = Math.max(SLOW_MS, slowest / 2);
  if (account.held === 0 && average <= slowFrom) return 0;
  let held = account.held + 1;
  for (const other of accounts.values())
    if (other !== account && (other.held > 1 || averageOf(other, time) > slowFrom)) held += other.held;
  return held;
}

function findAccount(accounts: Map<string, Account>, name: string): Account {
  let account = accounts.get(name);
  if (account === undefined) {
    if (accounts.size >= MAX_REMEMBERED) forgetIdle(accounts);
    account = { name, held: 0, averageMs: 0, leftAt: 0, queue: [] };
    accounts.set(name, account);
  }
  return account;
}

/** Forgets accounts that hold and want no connection. */
function forgetIdle(accounts: Map<string, Account>): void {
  for (const [name, { held, queue }] of accounts) if (held === 0 && queue.length === 0) accounts.delete(name);
}
