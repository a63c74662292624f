// The statements of a POST vehicles, recorded from the service's own code, for the server that sends nothing but them.

import { CONSEQUENCES } from '../src/domain/consequences.ts';
import { addVehicle } from '../src/domain/stock/vehicle-writes.ts';
import { sealingKeys } from '../src/domain/vault/vault.ts';
import { audit } from '../src/domain/writes/audit.ts';
import { createWriter } from '../src/domain/writes/write.ts';
import { claimKey } from '../src/http/api/idempotency.ts';
import { objectBody } from '../src/http/wire/reply.ts';
import { createClock } from '../src/kit/clock.ts';
import { newRequestId } from '../src/kit/ids.ts';
import type { Statement } from '../src/kit/sql.ts';
import { openDatabase } from '../src/postgres/database.ts';
import type { BenchData } from './data.ts';

export interface Recorded {
  readonly account: string;
  readonly plate: string;
  readonly key: string;
  readonly vehicle: string;
  readonly statements: readonly Statement[];
}

/** For JSON.stringify: what servers/statements.ts reads back. */
export const keptValue = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

export async function recordWrite({ connected, writerIds }: BenchData): Promise<Recorded> {
  const { secrets, urls } = connected;
  const statements: Statement[] = [];
  const watch = (statement: Statement) => {
    statements.push(statement);
    return statement;
  };
  const database = openDatabase({ ...urls, connections: 1, watch });
  const [account, now] = [writerIds[0]!, new Date()];
  const [plate, key] = ['RECORDED', 'recorded-key'];
  const requestId = newRequestId(now.getTime());
  const actor = { type: 'api_key', name: 'Bench', ip: '127.0.0.1', userAgent: 'galeri-bench', requestId } as const;
  const settings = { country: 'KKTC', default_currency: 'STG', vehicle_limit: null } as const;
  const call = { dataSet: account, account: { id: account, timezone: 'Asia/Famagusta', settings }, actor, requestId, now };
  const car = { brand: 'Volkswagen', model: 'Passat Değişken', model_year: 2019, km: 84000, fuel_type: 'Dizel' } as const;
  const body = { transmission: 'Otomatik', body_type: 'Sedan', color: 'Gümüş Gri', plate, city: 'Gazimağusa' } as const;
  const keys = sealingKeys(secrets, account);
  const keyed = { key, endpoint: 'POST vehicles', fingerprint: Buffer.alloc(32, 7) };
  try {
    const writer = createWriter({ database, secrets, clock: createClock(), loopbackTargets: false, consequences: CONSEQUENCES });
    const { id } = await writer.write(call, async (work) => {
      const keepReply = claimKey(work.db, keys, keyed, now);
      const shown = await addVehicle(work, { ...car, ...body, price: 1450000n, currency: 'STG' });
      await audit(work.db, actor, keyed.endpoint, shown.id, { accountId: account });
      keepReply({ status: 201, body: objectBody(JSON.stringify(shown), { id: requestId, now }) });
      return shown;
    });
    return { account, plate, key, vehicle: id, statements };
  } finally {
    await database.close();
  }
}
