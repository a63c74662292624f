// The rules of bidding: the specification's check values, and properties over generated logs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFarAbove } from '../../../src/domain/auctions/auction-states.ts';
import {
  aliasOf,
  type BidState,
  bidOf,
  endAfterBid,
  firstBroken,
  firstLink,
  isReserveMet,
  nextLink,
  nextMinimum,
  refuseBid,
  SOFT_CLOSE_MS,
} from '../../../src/domain/auctions/bid-rules.ts';

const ID = '00000000-0000-4000-8000-000000000001';

test('the chain matches the specification’s check values', () => {
  expect(firstLink(ID)).toBe('11e594f481958c10e3015d0bf0447a22f068a8a647f475df15ce2c7ab4b8f3f1');
  const bid = { bid_seq: 1, amount: '9000.00', bidder_alias: 'Katılımcı 1', placed_at: '2026-03-02T14:00:00.000Z' };
  expect(nextLink(firstLink(ID), bid)).toBe('8b5dded79fcebb1657f9d88e72b527fd317a4e88f41e8f271379f711a5a08922');
});

const standing = (overrides: Partial<BidState> = {}): BidState => ({
  start: 800_000n,
  step: 10_000n,
  current: null,
  isOwn: false,
  isLeader: false,
  seq: 1,
  aliasNo: 1,
  chainHead: firstLink(ID),
  at: new Date('2026-03-02T14:00:00Z'),
  ...overrides,
});

describe('a bid', () => {
  test('is at least the start price, then at least a step above the highest', () => {
    expect(refuseBid(standing(), 799_999n)).toBe('bid_too_low');
    expect(refuseBid(standing(), 800_000n)).toBeNull();
    expect(refuseBid(standing({ current: 800_000n }), 809_999n)).toBe('bid_too_low');
    expect(refuseBid(standing({ current: 800_000n }), 810_000n)).toBeNull();
  });

  test('is refused from the seller and from the leader, before any other check', () => {
    expect(refuseBid(standing({ isOwn: true, isLeader: true }), 1n)).toBe('own');
    expect(refuseBid(standing({ isLeader: true }), 1n)).toBe('already_highest_bidder');
  });

  test('in the last 120 seconds moves the end to 120 seconds after it, and never back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 14 * 86_400_000 }), (left) => {
        const placed = new Date('2026-03-02T14:00:00Z');
        const end = new Date(placed.getTime() + left);
        const after = endAfterBid(end, placed);
        expect(after.getTime()).toBe(left <= SOFT_CLOSE_MS ? placed.getTime() + SOFT_CLOSE_MS : end.getTime());
        expect(after.getTime()).toBeGreaterThanOrEqual(end.getTime());
      }),
    );
  });

  test('meets the reserve where there is none, or from that amount on', () => {
    expect([isReserveMet(null, null), isReserveMet(1n, null), isReserveMet(99n, 100n), isReserveMet(100n, 100n)]).toEqual([
      ...[false, true, false, true],
    ]);
  });

  test('needs a confirmation when it is far above the minimum', () => {
    expect(isFarAbove(1_215_000n, 810_000n, 10_000n)).toBe(false);
    expect(isFarAbove(1_215_001n, 810_000n, 10_000n)).toBe(true);
    expect(isFarAbove(3_000n, 1_000n, 1_000n)).toBe(false);
  });
});

const amounts = fc.array(fc.bigInt({ min: 0n, max: 1_000_000n }), { minLength: 1, maxLength: 40 });

function logOf(above: readonly bigint[]) {
  let chainHead = firstLink(ID);
  let current: bigint | null = null;
  return above.map((more, index) => {
    const amount: bigint = nextMinimum({ start: 800_000n, step: 10_000n, current }) + more;
    const bid = bidOf(standing({ current, seq: index + 1, aliasNo: (index % 3) + 1, chainHead }), amount);
    chainHead = bid.chain;
    current = amount;
    return bid;
  });
}

describe('a log of bids', () => {
  test('verifies from the id on, and rises', () => {
    fc.assert(fc.property(amounts, (above) => firstBroken(ID, logOf(above)) === null));
  });

  test('does not verify when a bid is changed, dropped, inserted or moved', () => {
    fc.assert(
      fc.property(amounts, fc.nat(), (above, pick) => {
        const log = logOf([...above, 5n, 7n]);
        const at = pick % (log.length - 1);
        expect(firstBroken(ID, log.with(at, { ...log[at]!, amount: '1.00' }))).toBe(at + 1);
        expect(firstBroken(ID, log.with(at, { ...log[at]!, bidder_alias: aliasOf(99) }))).toBe(at + 1);
        expect(firstBroken(ID, log.toSpliced(at, 1))).toBe(at + 1);
        expect(firstBroken(ID, log.toSpliced(at, 0, log[at]!))).toBe(at + 2);
        expect(firstBroken(ID, log.with(at, log[at + 1]!).with(at + 1, log[at]!))).toBe(at + 1);
        expect(firstBroken('00000000-0000-4000-8000-000000000002', log)).toBe(1);
      }),
    );
  });
});
