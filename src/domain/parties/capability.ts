// An account's capabilities to work with other dealers. Without one, writes, network-wide reads and records by id are refused,
// and the account's own lists are empty.
import type { Db } from '../../kit/db.ts';
import { fail, type Text } from '../../kit/errors.ts';
import type { Page } from '../../kit/page.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';

export type Capability = 'dealer_network' | 'marketplace' | 'live_auctions';

export async function hasCapability(db: Db, capability: Capability): Promise<boolean> {
  const { enabled } = await db.one<{ enabled: boolean }>(sql`select ${rawSql(capability)} as enabled from ${own('accounts')}`);
  return enabled;
}

export async function requireCapability(db: Db, capability: Capability): Promise<void> {
  if (!(await hasCapability(db, capability))) refuseCapability(capability);
}

/** For people by its name, for programs as in the account's representation. */
const NAMES: Readonly<Record<Capability, Text>> = {
  dealer_network: { en: 'dealer network (dealer_network)', tr: 'galeri ağı (dealer_network)' },
  marketplace: { en: 'marketplace (marketplace)', tr: 'pazar yeri (marketplace)' },
  live_auctions: { en: 'live auctions (live_auctions)', tr: 'canlı müzayede (live_auctions)' },
};

export const refuseCapability = (capability: Capability): never =>
  fail('capability_not_enabled', { words: { capability: NAMES[capability] } });

/** The account's own list without the capability. */
export const EMPTY_PAGE: Page = { json: '[]', count: 0, hasMore: false, last: null, version: null };
