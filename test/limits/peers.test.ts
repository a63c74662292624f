// What nodes without Redis report to each other, message by message.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PeerOptions, Peers, type Use } from '../../src/http/rate-limits/peers.ts';

const SPAN = 60_000;
const PATIENCE = 65_000;

interface Message {
  readonly node: string;
  readonly number?: number;
  readonly part?: number;
  readonly used?: readonly unknown[];
}

/** A channel whose messages arrive when the test says so. */
class Wire {
  waiting: string[] = [];
  private readonly listeners: ((text: string) => void)[] = [];

  readonly channel = {
    send: async (text: string) => void this.waiting.push(text),
    onMessage: (listener: (text: string) => void) => void this.listeners.push(listener),
  };

  /** Those that are chosen arrive, with those sent in reply; the others stay. */
  deliver(isChosen: (message: Message) => boolean = () => true): void {
    for (;;) {
      const place = this.waiting.findIndex((text) => isChosen(messageOf(text)));
      if (place < 0) return;
      const [text] = this.waiting.splice(place, 1);
      for (const listener of this.listeners) listener(text!);
    }
  }
}

const messageOf = (text: string): Message => JSON.parse(Buffer.from(text, 'base64url').toString()) as Message;

const open: Peers[] = [];
let wire: Wire;
let count: number;
let hasFallen: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  wire = new Wire();
  count = 2;
  hasFallen = false;
});
afterEach(() => {
  for (const peers of open.splice(0)) peers.close();
  vi.useRealTimers();
});

interface Node {
  readonly peers: Peers;
  /** Its admissions by key. */
  used: Record<string, number>;
  isNew: boolean;
}

function start(name: string, used: Record<string, number> = {}): Node {
  const node = { used, isNew: false } as { used: Record<string, number>; isNew: boolean; peers: Peers };
  const options: PeerOptions = {
    node: name,
    channel: wire.channel,
    nodes: () => count,
    span: SPAN,
    patience: PATIENCE,
    used: () => Object.entries(node.used).map(([key, times]): Use => ({ key, count: times, seen: 0 })),
    isNew: () => node.isNew,
    haveEnded: () => hasFallen,
    onEnd: () => {},
  };
  node.peers = new Peers(options);
  open.push(node.peers);
  return node;
}

/** Seconds pass, and what is sent in them arrives. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    vi.advanceTimersByTime(1000);
    wire.deliver();
  }
}

const usedBefore = ({ peers }: Node): number | undefined => peers.left()?.usedBefore('k');

describe('a node without Redis for long', () => {
  test('and one that loses Redis later count what the first one admitted since', () => {
    const [far, near] = [start('far'), start('near', { k: 30 })];
    far.peers.leaveRedis();
    pass(66);
    expect(usedBefore(far)).toBe(0);
    far.used = { k: 16 };
    near.peers.leaveRedis();
    expect(usedBefore(near)).toBe(undefined);
    wire.deliver();
    // Of the remaining 14 each has a share of 7. The first one no longer has its half of the whole limit.
    expect([usedBefore(far), usedBefore(near)]).toEqual([46, 46]);
  });

  test('keeps its share while another node still has Redis', () => {
    count = 3;
    const [far, near] = [start('far'), start('near', { k: 20 }), start('third', { k: 20 })];
    far.peers.leaveRedis();
    pass(66);
    near.peers.leaveRedis();
    pass(10);
    expect([usedBefore(far), usedBefore(near)]).toEqual([0, undefined]);
  });

  test('reports once more when the last of three loses Redis', () => {
    count = 3;
    const [far, near, third] = [start('far'), start('near', { k: 20 }), start('third', { k: 10 })];
    far.peers.leaveRedis();
    pass(50);
    near.peers.leaveRedis();
    // The report that `near` has of `far` is older than what `far` admits from here on.
    pass(16);
    expect(usedBefore(far)).toBe(0);
    far.used = { k: 20 };
    third.peers.leaveRedis();
    wire.deliver();
    expect([far, near, third].map(usedBefore)).toEqual([50, 50, 50]);
  });

  test('counts what the other admitted, also after that one had Redis again for a while', () => {
    const [first, second] = [start('first'), start('second')];
    first.peers.leaveRedis();
    second.peers.leaveRedis();
    wire.deliver();
    expect([usedBefore(first), usedBefore(second)]).toEqual([0, 0]);
    first.peers.returnToRedis();
    second.used = { k: 30 };
    pass(3);
    first.used = { k: 30 };
    first.peers.leaveRedis();
    wire.deliver();
    expect([usedBefore(first), usedBefore(second)]).toEqual([60, 60]);
  });
});

describe('a node that starts without Redis', () => {
  test('in place of one that ended waits until what that one used is out of the window', () => {
    const [stays, ended] = [start('stays'), start('ended')];
    for (const { peers } of [stays, ended]) peers.leaveRedis();
    wire.deliver();
    expect(usedBefore(stays)).toBe(0);
    ended.peers.close();
    hasFallen = true;
    const started = start('started');
    started.isNew = true;
    started.peers.leaveRedis();
    pass(64);
    expect([usedBefore(stays), usedBefore(started)]).toEqual([0, undefined]);
    pass(2);
    expect([usedBefore(stays), usedBefore(started)]).toEqual([0, 0]);
  });

  test('in addition to others gets its share of what they left', () => {
    count = 1;
    const first = start('first', { k: 40 });
    first.peers.leaveRedis();
    expect(usedBefore(first)).toBe(40);
    count = 2;
    const started = start('started');
    started.isNew = true;
    started.peers.leaveRedis();
    wire.deliver();
    expect([usedBefore(first), usedBefore(started)]).toEqual([40, 40]);
  });
});

describe('reports in several parts', () => {
  const many = (times: number) => Object.fromEntries(Array.from({ length: 200 }, (_, key) => [`key ${key}`, times]));

  test('those of an earlier report do not complete a later one', () => {
    count = 3;
    const [one, two, third] = [start('one'), start('two', many(1)), start('third')];
    one.peers.leaveRedis();
    third.peers.leaveRedis();
    wire.deliver();
    two.peers.leaveRedis();
    wire.deliver(({ node, part }) => node !== 'two' || part !== 2);
    wire.waiting = [];
    two.used = many(2);
    two.peers.leaveRedis();
    wire.deliver(({ node, part }) => node !== 'two' || part === 2);
    expect(one.peers.left()).toBe(null);
    wire.deliver();
    expect(one.peers.left()?.usedBefore('key 0')).toBe(2);
  });

  test('a part that arrives after the return of its node is ignored', () => {
    const [one, two] = [start('one'), start('two', many(1))];
    two.peers.leaveRedis();
    two.peers.returnToRedis();
    wire.deliver(({ part }) => part !== 2);
    wire.deliver();
    expect(one.peers.away()).toEqual([]);
  });
});
