// The sales of the sample data cover every state on whichever day a world is made.
import { expect, test } from 'vitest';
import { newDemoCustomer } from '../../src/demo/demo-customer.ts';
import { newDemoDeposits } from '../../src/demo/demo-deposits.ts';
import { installmentsOfSales } from '../../src/demo/demo-sale-rows.ts';
import { newDemoSales } from '../../src/demo/demo-sales.ts';
import { depositHolders } from '../../src/demo/demo-sales-load.ts';
import { SOLD_IN_WORLD } from '../../src/demo/demo-stories.ts';
import { NOTE_STATUSES } from '../../src/domain/installments/note-states.ts';
import {
  COLLECTION_TYPES,
  DEPOSIT_STATUSES,
  INSTALLMENT_STATUSES,
  PROMISE_STATUSES,
  SALE_STATUSES,
} from '../../src/domain/installments/sales-states.ts';
import { deriveSecrets } from '../../src/domain/vault/secrets.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { dealersOf } from '../../src/sandbox/world-dealers.ts';
import { ZONES } from '../domain/demo/load-all.ts';
import { TEST_SECRET } from '../support/database.ts';

const WORLD = '00000000-0000-7000-8000-000000000001';
const keys = sealingKeys(deriveSecrets(TEST_SECRET), WORLD);

/** Days of three years, each a little later in its month than the one before. */
const DAYS = Array.from({ length: 80 }, (_, place) => new Date(Date.UTC(2026, 0, 1 + place * 14, 5 + (place % 14), 17)));

test.each(['KKTC', 'TR'] as const)('every day in %s', (country) => {
  const dealer = dealersOf(WORLD, { name: 'Deneme Oto', city: null, country }).own;
  const timezone = ZONES[country];
  const missing: string[] = [];
  for (const now of DAYS) {
    const created_at = new Date(now.getTime() - 800 * 86_400_000);
    const buyers = Array.from({ length: 16 }, (_, n) => ({ ...newDemoCustomer(dealer, keys, n, now), created_at }));
    const day = { now, timezone, country, today: now.toISOString().slice(0, 10) };
    const sales = newDemoSales(dealer, keys, { now, timezone, buyers, sold: SOLD_IN_WORLD });
    const deposits = newDemoDeposits(dealer, day, depositHolders(dealer));
    const rows = installmentsOfSales(dealer, { sales, deposits }, day, { branch_id: WORLD, legal_name: 'x', isWorld: true });
    expect(rows.customers).toEqual([]);
    const require = (what: string, found: readonly unknown[], expected: readonly string[]) =>
      missing.push(...expected.filter((state) => !found.includes(state)).map((state) => `${now.toISOString()} ${what} ${state}`));
    require('sale', rows.sales.map(({ status }) => status), SALE_STATUSES);
    require('installment', rows.installments.map(({ status }) => status), INSTALLMENT_STATUSES);
    require('collection', rows.collections.map(({ type }) => type), COLLECTION_TYPES);
    require('deposit', rows.collections.map(({ deposit_status }) => deposit_status), DEPOSIT_STATUSES);
    require('promise', rows.payment_promises.map(({ status }) => status), PROMISE_STATUSES);
    require('note', rows.notes.map(({ now: state }) => state.status), NOTE_STATUSES);
  }
  expect(missing).toEqual([]);
});
