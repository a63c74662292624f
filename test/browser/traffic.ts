// A dealer with two keys and a day of calls of every kind, for the screens of the log, usage and overview.
import { newRequestId } from '../../src/kit/ids.ts';
import { openSession } from '../../src/postgres/database.ts';
import type { TestService } from '../support/service.ts';

export interface Dealer {
  readonly accountId: string;
  readonly keys: readonly { readonly id: string; readonly secret: string; readonly name: string }[];
}

/** [method, path, endpoint, status, error code] and how often of a hundred. */
const KINDS = [
  [72, 'GET', 'vehicles', 'GET vehicles', 200, null],
  [12, 'GET', 'customers', 'GET customers', 200, null],
  [5, 'GET', 'vehicles/0199c5f2-0000-7000-8000-000000000001', 'GET vehicles/{vehicle_id}', 404, 'not_found'],
  [4, 'GET', 'customers', 'GET customers', 403, 'insufficient_scope'],
  [3, 'GET', 'vehicles', 'GET vehicles', 429, 'rate_limit_exceeded'],
  [2, 'POST', 'collections', 'POST collections', 501, 'endpoint_not_active'],
  [1, 'GET', 'araclar/hepsi', null, 404, 'not_found'],
  [1, 'GET', 'exchange-rates', 'GET exchange-rates', 503, 'service_unavailable'],
] as const;

const AGENTS = ['MuhasebeSync/2.4 (Windows; .NET 8)', 'vitrin-bot/1.0', 'curl/8.5.0'];

export async function busyDealer(service: TestService, name = 'Lefkoşa Otomotiv ve Galericilik'): Promise<Dealer> {
  const accountId = await service.account({ name });
  const names = ['Muhasebe entegrasyonu', 'Vitrin web sitesi'];
  const keys = await Promise.all(
    names.map(async (key, index) => ({
      ...(await service.key(accountId, {
        name: key,
        ...(index === 0 ? { expiresAt: new Date(Date.now() + 5 * 86_400_000) } : {}),
      })),
      name: key,
    })),
  );
  const admin = await openSession(service.adminUrl);
  try {
    await admin.rows(`select keep_request_log((now() at time zone 'UTC')::date, 30, 1)`);
    for (const [index, key] of keys.entries()) await fill(admin, accountId, key.id, index === 0 ? 420 : 160);
    await admin.rows(ROLL_UP, [accountId]);
  } finally {
    await admin.close();
  }
  for (let at = 0; at < 12; at += 1) {
    const status = ['Stokta', 'Stokta', 'Stokta', 'Rezerve', "Auction'da", 'Satıldı'][at % 6]!;
    await service.vehicle(accountId, { status, ...(status === 'Satıldı' ? { sold_at: '2026-03-01', sold_via: 'Harici' } : {}) });
  }
  for (let at = 0; at < 7; at += 1) await service.customer(accountId);
  return { accountId, keys };
}

type Admin = Awaited<ReturnType<typeof openSession>>;

/** Spread over a day, busier by day than by night; always the same. */
async function fill(admin: Admin, accountId: string, keyId: string, calls: number): Promise<void> {
  const lines = Array.from({ length: calls }, (_, n) => {
    const hoursAgo = ((n * 7919) % 2300) / 100;
    const at = Date.now() - 120_000 - hoursAgo * 3_600_000;
    let place = (n * 37) % 100;
    const kind = KINDS.find(([share]) => {
      place -= share;
      return place < 0;
    })!;
    return { at: Math.round(at), kind, ms: 2 + ((n * 31) % 40) + (n % 50 === 0 ? 400 : 0), agent: AGENTS[n % 3]! };
  });
  const column = <T>(pick: (line: (typeof lines)[number]) => T) => lines.map(pick);
  await admin.rows(
    `insert into request_logs (account_id, key_id, at, request_id, method, path, endpoint, status, error_code, duration_ms, ip, user_agent, response_bytes)
     select $1, $2, to_timestamp(at / 1000.0), id, method, '/api/v1/' || path, endpoint, status, error_code, ms, '185.12.44.' || (ms::int % 250), agent, 1200
     from unnest($3::float8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::text[], $10::float8[], $11::text[])
       as line(at, id, method, path, endpoint, status, error_code, ms, agent)`,
    [
      accountId,
      keyId,
      column(({ at }) => at),
      column(({ at }) => newRequestId(at)),
      column(({ kind }) => kind[1]),
      column(({ kind }) => kind[2]),
      column(({ kind }) => kind[3]),
      column(({ kind }) => kind[4]),
      column(({ kind }) => kind[5]),
      column(({ ms }) => ms),
      column(({ agent }) => agent),
    ],
  );
}

/** As the service writes them together with its lines. */
const ROLL_UP = `with lines as (select *, date_trunc('hour', at, 'UTC') as hour from request_logs where account_id = $1),
  calls as (insert into usage_calls select account_id, key_id, hour, coalesce(endpoint, ''), coalesce(error_code, ''), count(*) from lines group by 1, 2, 3, 4, 5),
  times as (insert into usage_latency select account_id, key_id, hour, ceil(ln(duration_ms / 0.01) / ln(1.1))::int, count(*) from lines group by 1, 2, 3, 4)
  insert into usage_secrets select account_id, key_id, key_id, count(*), max(at) from lines group by 1, 2`;
