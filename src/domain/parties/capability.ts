// What an account may do together with other dealers. Off: writes, network-wide reads and records by id are refused, own lists are empty.
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

/** For people by its name, for programs as the account shows it. */
const NAMES: Readonly<Record<Capability, Text>> = {
  dealer_network: { en: 'dealer network (dealer_network)', tr: 'galeri ağı (dealer_network)' },
  marketplace: { en: 'marketplace (marketplace)', tr: 'pazar yeri (marketplace)' },
  live_auctions: { en: 'live auctions (live_auctions)', tr: 'canlı müzayede (live_auctions)' },
};

export const refuseCapability = (capability: Capability): never =>
  fail('capability_not_enabled', { words: { capability: NAMES[capability] } });

/** What an own list answers without the capability. */
export const EMPTY_PAGE: Page = { json: '[]', count: 0, hasMore: false, last: null, version: null };
