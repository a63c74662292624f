// Production, its isolated sandbox and the sandbox of another account, over every endpoint, stream, file and page: nothing of one is in a
// reply to another, with each of the two layers of isolation removed: what either holds alone, both do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openedEndpoints } from './dealers.ts';
import type { Belts } from './isolation-walk.ts';
import { askEverything, foreign, type Places } from './worlds-walk.ts';

const BELTS: readonly (readonly [string, Belts])[] = [
  ['without row-level security', { rls: false, ownRows: true }],
  ['without own()', { rls: true, ownRows: false }],
];

describe.each(BELTS)('%s', (_, belts) => {
  let places: Places;
  beforeAll(async () => {
    places = await askEverything(belts);
  });
  afterAll(() => places?.service.close());

  test('nothing of one data set is in a reply to another, and nothing of a sandbox in one to an administrator', () => {
    expect(foreign(places)).toEqual([]);
  });

  test('each sees its own, and no reply is an error of the service', () => {
    for (const { dealer, seen } of places.places) {
      expect(seen.length).toBeGreaterThan(1000);
      expect(seen.some(({ what, text }) => what.startsWith('GET vehicles') && text.includes(dealer.tag.toLowerCase()))).toBe(
        true,
      );
      const failed = seen.filter(({ answer }) => answer.status >= 500);
      const refused = failed.filter(({ answer }) => answer.status === 503 && answer.headers.has('retry-after'));
      expect(failed.filter((one) => !refused.includes(one)).map(({ what, text }) => `${what}: ${text.slice(0, 300)}`)).toEqual(
        [],
      );
      // A busy machine refuses a few requests for a moment; more would hide what their replies show.
      expect(refused.length).toBeLessThan(seen.length / 500);
    }
  });
});

test('the walk can fail: with every layer removed another data set is seen, and administrators see sandboxes', async () => {
  const walked = openedEndpoints.filter(({ path }) => /^(vehicles|customers)(\/\{\w+\})?$/.test(path));
  const places = await askEverything({ rls: false, ownRows: false }, { walked });
  try {
    const found = foreign(places).join('\n');
    for (const { name } of places.places) expect(found).toContain(`saw of ${name}`);
    for (const { name } of places.places.slice(1)) expect(found).toContain(`an administrator saw of ${name}`);
  } finally {
    await places.service.close();
  }
});
