// The demonstration of three dealers with their two years of sales.
import { loadDemo } from '../../../src/demo/demo-data.ts';
import { dealerOf } from '../../../src/demo/demo-dealer.ts';
import { loadDemoOffice } from '../../../src/demo/demo-office.ts';
import { loadDemoSales } from '../../../src/demo/demo-sales-load.ts';
import type { TestDatabase } from '../../support/database.ts';

const SIZE = { vehicles: 60, customers: 40 };
export const DEALERS = [0, 1, 2].map(dealerOf);
export const ZONES = { KKTC: 'Asia/Famagusta', TR: 'Europe/Istanbul' } as const;

export async function loadAll(base: Pick<TestDatabase, 'database' | 'secrets'>, now: Date, dealers = DEALERS): Promise<number> {
  await loadDemo(base.database, base.secrets, { dealers: dealers.length, ...SIZE, now });
  await loadDemoOffice(base.database, base.secrets, dealers[0]!, now);
  return loadDemoSales(base.database, base.secrets, dealers, { ...SIZE, now });
}
