// Refusals one by one: the setup, the request, the expected refusal, and that no row changed.
import { expect, test } from 'vitest';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import {
  aDealer,
  carOf,
  collect,
  customerOf,
  dataOf,
  moveTo,
  newKey,
  rowsOf,
  type Shown,
  sell,
  storeRates,
  verdictOf,
} from '../../support/books.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';

export const TODAY = '2026-03-16';

/** A dealer in Northern Cyprus on a Monday, with the bank's rates of the Friday before. */
export interface Scene {
  readonly api: TestService;
  readonly admin: Session;
  readonly dealer: Dealer;
  /** A dealer in Türkiye whose bank has no bulletin. */
  readonly turkish: Dealer;
}

export async function newScene(): Promise<Scene> {
  const api = await testService();
  await openAll(api);
  await storeRates(api, 'KKTCMB', '2026-03-13');
  moveTo(api, TODAY);
  const [dealer, turkish] = [await aDealer(api), await aDealer(api, 'TR')];
  return { api, admin: await openSession(api.adminUrl), dealer, turkish };
}

export async function closeScene({ admin, api }: Scene): Promise<void> {
  await admin.close();
  await api.close();
}

export interface Sold {
  readonly sale: Shown;
  readonly rows: readonly Shown[];
  readonly customer: string;
  readonly car: string;
}

/** Three thousand pounds in three installments, the first due in a month. */
export async function sold(dealer: Dealer, overrides: object = {}, car?: string): Promise<Sold> {
  const customer = await customerOf(dealer);
  const vehicle = car ?? (await carOf(dealer));
  const body = { vehicle_id: vehicle, customer_id: customer, sale_price: '3000.00', installment_count: 3, ...overrides };
  const sale = dataOf(await sell(dealer, body));
  return { sale, customer, car: vehicle, rows: await rowsOf(dealer, sale.id) };
}

export const soldForCash = async (dealer: Dealer): Promise<Sold> => {
  const customer = await customerOf(dealer);
  const car = await carOf(dealer);
  const sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, sale_price: '3000.00' }));
  return { sale, customer, car, rows: await rowsOf(dealer, sale.id) };
};

export const cancel = (dealer: Dealer, { sale }: Sold, overrides: object = {}): Promise<Answer> =>
  dealer.post(`sales/${sale.id}/cancel`, { reason: 'vazgeçti', ...overrides }, newKey());

export async function cancelled(dealer: Dealer): Promise<Sold> {
  const one = await sold(dealer);
  dataOf(await cancel(dealer, one));
  return one;
}

export async function completed(dealer: Dealer): Promise<Sold> {
  const one = await sold(dealer);
  dataOf(await collect(dealer, one.sale.id, '3000.00'));
  return one;
}

/** Reserved with a deposit of five hundred; the vehicle and the customer. */
export async function held(dealer: Dealer, overrides: object = {}): Promise<{ car: string; customer: string; deposit: string }> {
  const [car, customer] = [await carOf(dealer), await customerOf(dealer)];
  const body = { customer_id: customer, deposit_amount: '500.00', ...overrides };
  const { reservation } = dataOf(await dealer.post(`vehicles/${car}/reserve`, body));
  return { car, customer, deposit: reservation.deposit.collection_id };
}

/** The till of the main branch, closed through a day or open. */
export const closeTill = ({ admin }: Scene, { accountId }: Dealer, day: string | null): Promise<unknown> =>
  admin.rows(
    `with reopened as (update till_closings set reopened_at = now(), reopened_by = 'Kasa', reopen_reason = 'test'
        where account_id = $1 and reopened_at is null),
      closed as (insert into till_closings (account_id, id, branch_id, day, lines, closed_by, closed_at)
        select account_id, gen_random_uuid(), id, $2::date, '[]', 'Kasa', now() from branches where account_id = $1 and is_main and $2::date is not null)
      update branches set closed_through = $2 where account_id = $1 and is_main`,
    [accountId, day],
  );

const TABLES = [
  ...['sales', 'installments', 'collections', 'collection_allocations', 'payment_promises', 'promissory_notes', 'number_series'],
  ...['vehicles', 'reservations', 'events', 'customer_activity', 'tasks', 'vehicle_history'],
];

/** membership.limit_reached is emitted although the write is refused. */
const exceptLimitEvents = (table: string): string => (table === 'events' ? ` where kind <> 'membership.limit_reached'` : '');

/** All rows that concern money and vehicles, of both dealers. */
async function books({ admin }: Scene): Promise<Record<string, string>> {
  const texts = TABLES.map(
    (table) =>
      `(select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from ${table} t${exceptLimitEvents(table)}) as ${table}`,
  );
  return (await admin.rows<Record<string, string>>(`select ${texts.join(', ')}`))[0]!;
}

/** The expected refusal, as `409 sale_cancelled` or `422 field`, and its setup; `arrange` returns the request. */
export type Refusal = readonly [
  what: string,
  refused: string,
  arrange: (dealer: Dealer, scene: Scene) => Promise<() => Promise<Answer>>,
  by?: 'turkish',
];

export function testRefusals(scene: () => Scene, refusals: readonly Refusal[]): void {
  test.each(refusals.map((one) => [one[1], one[0], one] as const))('%s: %s', async (_, __, [, refused, arrange, by]) => {
    const { dealer, turkish } = scene();
    const act = await arrange(by === 'turkish' ? turkish : dealer, scene());
    // Timed transitions run first.
    for (const one of [dealer, turkish]) await one.get('account');
    const before = await books(scene());
    const answer = await act();
    const [status, word] = refused.split(' ') as [string, string];
    const { json } = answer;
    expect(answer.status, answer.text).toBe(Number(status));
    if (json.error.code === 'validation_failed') expect(json.error.details.map(({ field }: Shown) => field)).toContain(word);
    else expect(verdictOf(answer), answer.text).toBe(refused);
    expect(await books(scene())).toEqual(before);
  });
}
