// Sales and money in the sync harness: twenty writers collect, reverse and postpone on a few sales, and two mirrors follow
// `updated_since`: sales with their installments, and collections.
import { randomUUID } from 'node:crypto';
import { type Answered, aCar, codeOf, dataOf, type HarnessRequest } from './ask.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const SALES = 6;
const INSTALLMENTS = 24;

export type Act = (request: Omit<HarnessRequest, 'key'>) => Promise<Answered>;

// biome-ignore lint/suspicious/noExplicitAny: harnesses read arbitrary JSON
async function post(act: Act, path: string, body: unknown): Promise<any> {
  const made = await act({ method: 'POST', path, body, idempotencyKey: randomUUID() });
  if (made.status !== 201) throw new Error(`POST ${path}: ${made.status} ${made.text}`);
  return dataOf(made);
}

/** Sales that no writer can pay off. */
export async function openSales(act: Act): Promise<string[]> {
  const customer = await post(act, 'customers', { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '+905331234567' });
  const ids: string[] = [];
  for (let number = 0; number < SALES; number += 1) {
    const car = await post(act, 'vehicles', aCar(`SOLD ${number}`));
    const sale = { vehicle_id: car.id, customer_id: customer.id, sale_price: '900000.00', installment_count: INSTALLMENTS };
    ids.push((await post(act, 'sales', { ...sale, currency: 'STG' })).id);
  }
  return ids;
}

/** One write on a sale. Another writer may have reversed or paid the same: that refusal is right. */
export async function writeMoney(act: Act, sales: readonly string[], random: Random, mine: string[]): Promise<string | null> {
  const sale = random.pick(sales);
  const dice = random.below(8);
  const reversed = dice === 0 ? mine.shift() : undefined;
  if (reversed !== undefined) {
    const path = `collections/${reversed}/reverse`;
    return faultOf(await act({ method: 'POST', path, body: { reason: 'yanlış' }, idempotencyKey: randomUUID() }), path);
  }
  if (dice === 1) {
    const { installments } = dataOf(await act({ method: 'GET', path: `sales/${sale}/installment-plan` }));
    const path = `installments/${installments.at(-1).id}`;
    return faultOf(await act({ method: 'PATCH', path, body: { note: `not ${random.below(1e6)}` } }), path);
  }
  const body = { sale_id: sale, amount: `${1 + random.below(20)}.00`, currency: 'STG' };
  const paid = await act({ method: 'POST', path: 'collections', body, idempotencyKey: randomUUID() });
  if (paid.status === 201) mine.push(dataOf(paid).id);
  return faultOf(paid, 'collections');
}

const faultOf = (answer: Answered, path: string): string | null =>
  answer.status < 300 ? null : `${path}: ${answer.status} ${codeOf(answer)}`;

export interface MirroredRecord {
  readonly id: string;
  readonly updated_at: string;
}

export interface MoneyMirror {
  readonly sales: Map<
    string,
    MirroredRecord & { collected_amount: string; installments: { id: string; paid_amount: string; note: string }[] }
  >;
  readonly collections: Map<string, MirroredRecord & { status: string; reversed_by_id: string | null }>;
}

export const MONEY_LISTS = { sales: 'sales?include=installments&limit=2', collections: 'collections?limit=10' } as const;

/** Everything that each mirror has must be what the tables have. */
export async function moneyDifferences({ query, dealers }: World, mirror: MoneyMirror): Promise<string[]> {
  const account = [dealers[0]!.accountId];
  const sales = await query<{ id: string; paid: string; rows: string }>(
    `select id, money_text(collected_amount_minor) as paid, (select string_agg(installments.id || ' ' || money_text(paid_amount_minor) || ' '
      || coalesce(note, 'null'), ',' order by seq) from installments where sale_id = sales.id) as rows from sales where account_id = $1`,
    account,
  );
  const collections = await query<{ id: string; status: string; by: string | null }>(
    'select id, status, reversed_by_id as by from collections where account_id = $1',
    account,
  );
  const wrongSales = sales.filter(({ id, paid, rows }) => {
    const copy = mirror.sales.get(id);
    const shown = copy?.installments.map((one) => `${one.id} ${one.paid_amount} ${one.note}`).join(',');
    return copy?.collected_amount !== paid || shown !== rows;
  });
  const wrongCollections = collections.filter(({ id, status, by }) => {
    const copy = mirror.collections.get(id);
    return copy?.status !== status || copy.reversed_by_id !== by;
  });
  return [...wrongSales, ...wrongCollections].map(
    (one) => `the mirror of money differs from the table at ${JSON.stringify(one)}`,
  );
}
