// What dealers who trade see of each other, with some of the layers removed, so each is proven to hold alone.
import { describe, expect, test } from 'vitest';
import { found } from './network-dealers.ts';
import { type Belts, holds, run } from './network-walk.ts';

describe.each<[string, Belts]>([
  ['without the policies', { policies: false, views: true, code: true }],
  ['without the policies and the conditions of the views: the code alone', { policies: false, views: false, code: true }],
  ['without the filters of the code: the database alone', { policies: true, views: true, code: false }],
])('%s', (_, belts) => holds(belts));

test('the walk can fail: with every layer removed the rivals see each other', async () => {
  const uncut = await run({ policies: true, views: true, code: true }, { policies: false, views: false, code: false });
  const { api, deals, seen } = uncut;
  try {
    expect(found(seen.rival, [...deals.withBuyer, deals.buyer.tag]).length).toBeGreaterThan(5);
    expect(found(seen.buyer, [...deals.withRival, deals.rival.tag]).length).toBeGreaterThan(5);
    expect(found(seen.rival, [deals.seller.phone])).toHaveLength(1);
  } finally {
    await api.close();
  }
});
