// The log of bids as a bidder checks it, with both clients: complete, and with a bid inserted, changed or dropped.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type ChainedBid, verifyBids } from '../../sdk/typescript/src/index.ts';
import { firstLink, nextLink } from '../../src/domain/auctions/bid-rules.ts';
import { isPhpMissing } from '../support/php.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const hasPhp = !isPhpMissing();

interface ChainInput {
  readonly bids: readonly ChainedBid[];
  readonly chainHead?: string;
}

const inPhp = (value: ChainInput): Promise<number | null> => {
  const input = JSON.stringify({ id: ID, ...value });
  const { stdout, stderr } = spawnSync('php', ['test/sdk/bids.php'], { input, encoding: 'utf8' });
  return Promise.resolve(JSON.parse(stdout || stderr));
};

function logOf(...amounts: string[]): ChainedBid[] {
  let link = firstLink(ID);
  return amounts.map((amount, index) => {
    const placed_at = `2026-03-02T14:00:0${index}.000Z`;
    const bid = { bid_seq: index + 1, amount, bidder_alias: `Katılımcı ${1 + (index % 2)}`, placed_at };
    link = nextLink(link, bid);
    return { ...bid, chain: link };
  });
}

describe.each([
  ['TypeScript', (input: ChainInput) => verifyBids({ id: ID, ...input }), true],
  ['PHP', inPhp, hasPhp],
] as const)('in %s', (_, check, isThere) => {
  const log = logOf('9000.00', '9100.00', '9250.00');
  const chainHead = log[2]!.chain;

  test.skipIf(!isThere)('matches the figures of the specification', async () => {
    expect(log[0]!.chain).toBe('8b5dded79fcebb1657f9d88e72b527fd317a4e88f41e8f271379f711a5a08922');
    expect(await check({ bids: log.slice(0, 1) })).toBeNull();
  });

  test.skipIf(!isThere)('accepts a complete log, newest first as well as oldest first', async () => {
    expect(await check({ bids: log, chainHead })).toBeNull();
    expect(await check({ bids: log.toReversed(), chainHead })).toBeNull();
    expect(await check({ bids: [], chainHead: firstLink(ID) })).toBeNull();
  });

  test.skipIf(!isThere)('locates what is wrong with it', async () => {
    expect(await check({ bids: log.with(1, { ...log[1]!, amount: '9100.01' }) })).toBe(2);
    expect(await check({ bids: log.with(0, { ...log[0]!, bidder_alias: 'Katılımcı 2' }) })).toBe(1);
    expect(await check({ bids: log.with(2, { ...log[2]!, placed_at: '2026-03-02T14:00:02.001Z' }) })).toBe(3);
    expect(await check({ bids: [log[0]!, log[2]!] })).toBe(2);
    expect(await check({ bids: log.slice(0, 2), chainHead })).toBe(3);
    expect(await check({ bids: [], chainHead })).toBe(1);
    expect(await check({ bids: [log[0]!, log[1]!, log[1]!, log[2]!] })).toBe(3);
  });
});
