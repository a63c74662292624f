// A demonstration dealer's account with the platform: half a year of top-ups, boosts and invoices, posted by the service's own
// functions.

import { BOOST_PACKAGES } from '../domain/boosts/boost-packages.ts';
import { addDays, addMonths } from '../domain/clock/days.ts';
import { taxOn } from '../domain/membership/invoices.ts';
import { type Posting, post } from '../domain/wallet/ledger.ts';
import type { Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { dateOf, idOf, listingIdOf } from './demo-random.ts';
import { newDemoVehicle } from './demo-vehicle.ts';

const DAY = 86_400_000;
/** How many cars are searched for a listed one. */
const LOOKED_AT = 60;

export interface DemoWalletIds {
  readonly transaction_id: string;
  /** Waits for approval. */
  readonly request_id: string;
  /** Not started, so that it can be cancelled. */
  readonly order_id: string;
}

export const demoWalletIds = ({ scope }: DemoDealer): DemoWalletIds => ({
  transaction_id: idOf('wallet', scope, 'loaded 1'),
  request_id: idOf('wallet', scope, 'asked 4'),
  order_id: idOf('wallet', scope, 'boost 5'),
});

interface LoadContext {
  readonly db: Db;
  readonly dealer: DemoDealer;
  readonly now: Date;
  readonly cars: readonly string[];
  readonly id: (name: string) => string;
}

/** Loading it again changes nothing. */
export async function loadDemoWallet(db: Db, dealer: DemoDealer, now: Date): Promise<void> {
  const { last_number } = await db.one<{ last_number: number }>(sql`select last_number from ${own('wallets')}`);
  const cars = await listedCars(db, dealer, now);
  if (last_number > 0 || cars.length < 2) return;
  const context: LoadContext = { db, dealer, now, cars, id: (name) => idOf('wallet', dealer.scope, name) };
  // A statement is in order of time, so the wallet is as old as its first posting.
  await db.exec(sql`update wallets set updated_at = ${at(context, -151)} where account_id = ${theAccount}`);
  await topUp(context, 1, -150, 500_000n, 'DK-0118');
  await boost(context, { number: 1, day: -140, code: 'Vitrin-7', car: 0 });
  await invoice(context, 1, -120, 'Ödendi');
  await topUp(context, 2, -90, 750_000n, 'DK-0342');
  await boost(context, { number: 2, day: -60, code: 'Üst Sıra-14', car: 1 });
  await postAt(context, -45, {
    type: 'Düzeltme',
    amount: 25_000n,
    description: 'Mükerrer kesinti düzeltmesi',
    id: context.id('corrected'),
  });
  await requestTopup(context, {
    number: 3,
    day: -30,
    amount: 200_000n,
    reference: 'DK-0401',
    status: 'Reddedildi',
    note: 'Dekont okunmuyor',
  });
  await boost(context, { number: 3, day: -20, code: 'Acil-7', car: 0, startsIn: 4, cancelledAfter: 1 });
  await boost(context, { number: 4, day: -3, code: 'Vitrin-14', car: 0 });
  await invoice(context, 2, -2, 'Ödenmedi');
  await db.exec(sql`update memberships set price_minor = ${MONTHLY_FEE}, period_start = ${dateOf(at(context, -2))},
    period_end = ${dateOf(at(context, 28))} where account_id = ${theAccount}`);
  await boost(context, { number: 5, day: -1, code: 'Vitrin-7', car: 1, startsIn: 6 });
  await requestTopup(context, { number: 4, day: -0.1, amount: 300_000n, reference: 'DK-0455', status: 'Beklemede' });
  await db.exec(sql`update data_sets set next_due_at = least(next_due_at, (select min(case status when 'Aktif' then ends_at else starts_at end)
    from ${own('boost_orders')} where status in ('Aktif', 'Beklemede'))) where id = ${theAccount}`);
}

/** One approved top-up, now, and a membership that is paid each month. */
export async function loadDemoBalance(db: Db, dealer: DemoDealer, amount: bigint, now: Date): Promise<void> {
  const context: LoadContext = { db, dealer, now, cars: [], id: (name) => idOf('wallet', dealer.scope, name) };
  await topUp(context, 1, 0, amount, 'DK-0001');
  await db.exec(sql`update memberships set price_minor = ${MONTHLY_FEE}, status = 'Aktif', period_start = ${dateOf(now)},
    period_end = ${addDays(addMonths(dateOf(now), 1), -1)}, updated_at = ${now} where account_id = ${theAccount}`);
}

/** Of the dealers that were loaded: a small demonstration has fewer. */
async function listedCars(db: Db, dealer: DemoDealer, now: Date): Promise<string[]> {
  const listed = Array.from({ length: LOOKED_AT }, (_, number) => newDemoVehicle(dealer, number, now))
    .filter(({ status, is_marketplace_visible }) => status === 'Stokta' && is_marketplace_visible)
    .map(({ id }) => id as string);
  const there = await db.rows<{ id: string }>(
    sql`select vehicle_id as id from ${own('listings')} where vehicle_id = any(${listed}::uuid[])`,
  );
  const ids = new Set(there.map(({ id }) => id));
  return listed.filter((id) => ids.has(id));
}

const at = ({ now }: LoadContext, days: number): Date => new Date(now.getTime() + days * DAY);

const postAt = (context: LoadContext, day: number, posting: Posting): Promise<string> =>
  post({ db: context.db, now: at(context, day), emit: () => {} }, posting);

async function topUp(context: LoadContext, number: number, day: number, amount: bigint, reference: string): Promise<void> {
  const [request, transaction] = [context.id(`asked ${number}`), context.id(`loaded ${number}`)];
  const description = `Bakiye yükleme, ${reference}`;
  const of = { type: 'topup_request', id: request } as const;
  await postAt(context, day, { id: transaction, type: 'Yükleme', amount, reference: of, description });
  await requestTopup(context, { number, day: day - 0.2, amount, reference, status: 'Onaylandı', transaction });
}

interface TopupRequest {
  readonly number: number;
  readonly day: number;
  readonly amount: bigint;
  readonly reference: string;
  readonly status: string;
  readonly note?: string;
  readonly transaction?: string;
}

async function requestTopup(context: LoadContext, request: TopupRequest): Promise<void> {
  const { number, day, amount, reference, status, note = null, transaction = null } = request;
  const [made, decided] = [at(context, day), status === 'Beklemede' ? null : at(context, day + 0.2)];
  await context.db.exec(sql`insert into wallet_topups (account_id, id, amount_minor, currency, method, reference, status, decision_note, decided_at,
      transaction_id, created_at, updated_at)
    values (${theAccount}, ${context.id(`asked ${number}`)}, ${amount}, 'TL', 'Havale/EFT', ${reference}, ${status}, ${note}, ${decided}, ${transaction},
      ${made}, ${decided ?? made})`);
}

interface Bought {
  readonly number: number;
  readonly day: number;
  readonly code: string;
  readonly car: number;
  readonly startsIn?: number;
  readonly cancelledAfter?: number;
}

async function boost(context: LoadContext, bought: Bought): Promise<void> {
  const { number, day, code, startsIn = 0, cancelledAfter = null } = bought;
  const { kind, days, name, price_minor } = BOOST_PACKAGES.find((one) => one.code === code)!;
  const [order, charge] = [context.id(`boost ${number}`), context.id(`charged ${number}`)];
  const reference = { type: 'boost_order', id: order } as const;
  await postAt(context, day, { id: charge, type: 'Boost', amount: -price_minor, reference, description: `Doping ${name}` });
  const isCancelled = cancelledAfter !== null;
  const [starts, ends] = [at(context, day + startsIn), at(context, day + startsIn + days)];
  const status = isCancelled ? 'İptal' : ends <= context.now ? 'Tamamlandı' : starts <= context.now ? 'Aktif' : 'Beklemede';
  const car = context.cars[bought.car]!;
  const refund = isCancelled ? context.id(`refunded ${number}`) : null;
  const cancelledAt = isCancelled ? at(context, day + cancelledAfter) : null;
  await context.db.exec(sql`insert into boost_orders (account_id, id, listing_id, vehicle_id, package, kind, days, price_minor, currency, starts_at, ends_at,
      status, charge_transaction_id, refund_transaction_id, cancelled_at, created_at, updated_at)
    values (${theAccount}, ${order}, ${listingIdOf(context.dealer, car)}, ${car}, ${code}, ${kind}, ${days}, ${price_minor}, 'TL', ${starts}, ${ends}, ${status},
      ${charge}, ${refund}, ${cancelledAt}, ${at(context, day)}, ${cancelledAt ?? at(context, day)})`);
  if (refund === null) return;
  const description = `Doping iadesi ${code}`;
  await postAt(context, day + cancelledAfter!, {
    id: refund,
    type: 'Boost İadesi',
    amount: price_minor,
    reference,
    reverses: charge,
    description,
  });
}

const MONTHLY_FEE = 150_000n;
const TAX_RATE = 2000n;

async function invoice(context: LoadContext, number: number, day: number, status: 'Ödendi' | 'Ödenmedi'): Promise<void> {
  const [id, made] = [context.id(`invoice ${number}`), at(context, day)];
  const invoice_no = `F-${dateOf(made).slice(0, 4)}-${String(number).padStart(5, '0')}`;
  const tax = taxOn(MONTHLY_FEE, TAX_RATE);
  const paid = status === 'Ödendi' ? context.id(`paid ${number}`) : null;
  if (paid !== null) {
    const reference = { type: 'membership_invoice', id } as const;
    await postAt(context, day + 5, {
      id: paid,
      type: 'Üyelik',
      amount: -(MONTHLY_FEE + tax),
      reference,
      description: `Üyelik faturası ${invoice_no}`,
    });
  }
  const paidAt = paid === null ? null : at(context, day + 5);
  await context.db.exec(sql`insert into membership_invoices (account_id, id, invoice_no, period_start, period_end, amount_minor, tax_rate_minor,
      tax_amount_minor, total_minor, status, due_date, paid_at, transaction_id, created_at, updated_at)
    values (${theAccount}, ${id}, ${invoice_no}, ${dateOf(made)}, ${dateOf(at(context, day + 30))}, ${MONTHLY_FEE}, ${TAX_RATE}, ${tax},
      ${MONTHLY_FEE + tax}, ${status}, ${dateOf(at(context, day + 14))}, ${paidAt}, ${paid}, ${made}, ${paidAt ?? made})`);
}
