// The statements of a POST vehicles and of a POST collections, recorded from the service's own code, for the server that sends
// nothing else.

import { CONSEQUENCES } from '../src/domain/consequences.ts';
import { collect } from '../src/domain/sales/collection-writes.ts';
import { addVehicle } from '../src/domain/stock/vehicle-writes.ts';
import { sealingKeys } from '../src/domain/vault/vault.ts';
import { audit } from '../src/domain/writes/audit.ts';
import { createWriter } from '../src/domain/writes/write.ts';
import { claimKey } from '../src/http/api/idempotency.ts';
import { objectBody } from '../src/http/wire/reply.ts';
import { createClock } from '../src/kit/clock.ts';
import { newRequestId } from '../src/kit/ids.ts';
import type { Statement } from '../src/kit/sql.ts';
import type { Work } from '../src/kit/work.ts';
import { openDatabase } from '../src/postgres/database.ts';
import type { BenchData } from './data.ts';

/** A recorded write. `named`: values that differ for each request, by the name under which the server finds them. */
export interface Recorded {
  readonly named: Readonly<Record<string, string>>;
  readonly statements: readonly Statement[];
}

/** For JSON.stringify: what servers/statements.ts parses. */
export const keptValue = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

export const recordWrite = (data: BenchData): Promise<Recorded> => {
  const plate = 'RECORDED';
  const car = { brand: 'Volkswagen', model: 'Passat Değişken', model_year: 2019, km: 84000, fuel_type: 'Dizel' } as const;
  const body = { transmission: 'Otomatik', body_type: 'Sedan', color: 'Gümüş Gri', plate, city: 'Gazimağusa' } as const;
  return record(data, data.writerIds[0]!, 'POST vehicles', async (work) => {
    const shown = await addVehicle(work, { ...car, ...body, price: 1450000n, currency: 'STG' });
    return { shown, named: { plate, id: shown.id } };
  });
};

/** Of a sale that only this server uses. */
export interface OwnSale {
  readonly sale: string;
  readonly plan: string;
  readonly customer: string;
  readonly vehicle: string;
  readonly branch: string;
  /** The installment that is filled, and its due date. */
  readonly installment: string;
  readonly due: string;
}

/** The second collection of a sale, so that the total differs from the amount. */
export async function recordCollection(data: BenchData, account: string, own: OwnSale): Promise<Recorded> {
  const body = { sale_id: own.sale, amount: COLLECTED, currency: 'STG' } as const;
  const take = async (work: Work) => {
    const shown = await collect(work, body);
    const order = `${shown.receipt_no.slice(2, 6)}${shown.receipt_no.slice(7).padStart(9, '0')}`;
    return { shown, named: { ...own, id: shown.id, receipt: shown.receipt_no, order, total: String(2n * COLLECTED) } };
  };
  await record(data, account, 'POST collections', take, 'recorded-before');
  return record(data, account, 'POST collections', take);
}

export const COLLECTED = 125n;

interface Taken {
  readonly shown: { readonly id: string };
  readonly named: Readonly<Record<string, string>>;
}

async function record(
  { connected: { secrets, urls } }: BenchData,
  account: string,
  endpoint: string,
  take: (work: Work) => Promise<Taken>,
  key = 'recorded-key',
): Promise<Recorded> {
  const statements: Statement[] = [];
  const watch = (statement: Statement) => {
    statements.push(statement);
    return statement;
  };
  const database = openDatabase({ ...urls, connections: 1, watch });
  const now = new Date();
  const requestId = newRequestId(now.getTime());
  const actor = { type: 'api_key', name: 'Bench', ip: '127.0.0.1', userAgent: 'galeri-bench', requestId } as const;
  const settings = { country: 'KKTC', default_currency: 'STG', vehicle_limit: null } as const;
  const call = { dataSet: account, account: { id: account, timezone: 'Asia/Famagusta', settings }, actor, requestId, now };
  const keys = sealingKeys(secrets, account);
  const keyed = { key, endpoint, fingerprint: Buffer.alloc(32, 7) };
  try {
    const writer = createWriter({ database, secrets, clock: createClock(), loopbackTargets: false, consequences: CONSEQUENCES });
    const named = await writer.write(call, async (work) => {
      const keepReply = claimKey(work.db, keys, keyed, now);
      const taken = await take(work);
      await audit(work.db, actor, endpoint, taken.shown.id, { accountId: account });
      keepReply({ status: 201, body: objectBody(JSON.stringify(taken.shown), { id: requestId, now }) });
      return taken.named;
    });
    return { named: { ...named, account, key }, statements };
  } finally {
    await database.close();
  }
}
