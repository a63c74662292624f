// The stories in the demonstration's sales: customers who pay on time, late, early, not at all or in another currency, ask for
// more time, make promises, or return the car. They cover two years, so that every state and every screen has data.

import { addDays, addMonths } from '../domain/clock/days.ts';
import { remainingOf } from '../domain/installments/plan-installment.ts';
import type { PlanInput } from '../domain/installments/plan-schedule.ts';
import type { Currency } from '../kit/money.ts';
import {
  type Book,
  type BookDay,
  type BookTerms,
  cancel,
  collect,
  dueBy,
  openBook,
  outstandingOf,
  passTo,
  postponeInstallment,
  promise,
  restructureRest,
  reverse,
} from './demo-book.ts';
import type { Random } from './demo-random.ts';

const STORIES = {
  onTime: paysOnTime,
  late: paysLate,
  stopped: stopsPaying,
  cash: paysCash,
  tradeIn: tradesIn,
  early: settlesEarly,
  foreign: paysInForeignMoney,
  restructured: isRestructured,
  postponed: isPutOff,
  bounced: bounces,
  custom: paysExtra,
  deposit: beginsWithDeposit,
  cancelled: givesTheCarBack,
  deleted: neverHappened,
  dueToday: isDueToday,
  paidToday: paysToday,
  promisedToday: promisedForToday,
} as const satisfies Record<string, (of: Deal, random: Random) => Book>;
export type Story = keyof typeof STORIES;
export type SoldStory = readonly [months: number, story: Story];

/** The sales of a world: few, and every state of a sale, a payment, a promise and a note occurs. */
export const SOLD_IN_WORLD: readonly SoldStory[] = [
  [24, 'onTime'],
  [20, 'restructured'],
  [19, 'early'],
  [18, 'stopped'],
  [15, 'bounced'],
  [12, 'late'],
  [10, 'deposit'],
  [9, 'cancelled'],
  [3, 'onTime'],
  [4, 'stopped'],
];

/** What happened to a sale, by its age in months. */
const SOLD_MONTHS_AGO: Readonly<Record<number, readonly Story[]>> = {
  24: ['onTime', 'cash'],
  23: ['early', 'onTime'],
  22: ['late', 'tradeIn'],
  21: ['foreign', 'onTime'],
  20: ['restructured', 'cash'],
  19: ['cancelled', 'onTime'],
  18: ['stopped', 'late'],
  17: ['custom', 'onTime'],
  16: ['postponed', 'early'],
  15: ['bounced', 'onTime'],
  14: ['foreign', 'cash'],
  13: ['tradeIn', 'onTime'],
  12: ['late', 'restructured'],
  11: ['stopped', 'onTime'],
  10: ['deposit', 'postponed'],
  9: ['cancelled', 'onTime'],
  8: ['foreign', 'late'],
  7: ['cash', 'onTime'],
  6: ['stopped', 'custom'],
  5: ['tradeIn', 'promisedToday'],
  4: ['late', 'bounced', 'stopped'],
  3: ['dueToday', 'onTime', 'promisedToday'],
  2: ['paidToday', 'dueToday', 'stopped'],
  1: ['paidToday', 'onTime', 'cash'],
  0: ['deposit', 'onTime', 'deleted', 'cash'],
};

/** Oldest first. */
export const SOLD: readonly SoldStory[] = Object.entries(SOLD_MONTHS_AGO)
  .map(([months, stories]) => stories.map((story) => [Number(months), story] as const))
  .toReversed()
  .flat();

/** A car that is sold on a day. */
export interface Deal {
  readonly price: bigint;
  readonly currency: Currency;
  readonly sale_date: string;
  readonly day: BookDay;
}

export function bookOf(story: Story, deal: Deal, random: Random): Book {
  const book = STORIES[story](deal, random);
  passTo(book, deal.day.today);
  return book;
}

/** The step that amounts are rounded to. */
const stepOf = ({ currency }: Deal): bigint => (currency === 'TL' ? 100_000n : 5_000n);
const rounded = (amount: bigint, step: bigint): bigint => (amount / step) * step;
const share = (amount: bigint, percent: number): bigint => (amount * BigInt(percent)) / 100n;

const CASH = { trade_in_amount: 0n, down_payment: 0n, finance_charge: 0n, plan: null } as const;

/** About a third down, the rest monthly, with one percent for each month. */
function onInstallments(deal: Deal, random: Random, counts: readonly number[], terms: Partial<BookTerms> = {}): BookTerms {
  const { price, currency, sale_date } = deal;
  const trade_in_amount = terms.trade_in_amount ?? 0n;
  const installment_count = random.pick(counts);
  const down_payment = rounded(share(price - trade_in_amount, random.between(20, 40)), stepOf(deal));
  const finance_charge = rounded(share(price - trade_in_amount - down_payment, installment_count), stepOf(deal));
  const plan: PlanInput = { installment_count, period: 'Aylık', first_due_date: addMonths(sale_date, 1) };
  return { sale_date, currency, sale_price: price, trade_in_amount, down_payment, finance_charge, plan, ...terms };
}

const METHODS = ['Nakit', 'Nakit', 'Havale/EFT', 'Havale/EFT', 'Kredi Kartı'] as const;

function payDown(book: Book, random: Random): void {
  const { down_payment, sale_date } = book.terms;
  const open = down_payment - book.collected;
  if (open > 0n) collect(book, { on: sale_date, amount: open, method: random.pick(['Nakit', 'Havale/EFT']) });
}

/** Pays each installment that many days after its due date, up to today; `until` is the last day on which they pay. */
function payInstallments(book: Book, random: Random, delay: () => number, until = book.day.today): void {
  for (const { seq, due_date } of book.installments.filter((installment) => installment.seq > 0)) {
    const on = [addDays(due_date, delay()), book.terms.sale_date, lastDay(book)].sort().at(-1)!;
    if (on > until || on > book.day.today) return;
    const installment = book.installments.find((one) => one.seq === seq)!;
    const amount = remainingOf(installment);
    if (amount > 0n) collect(book, { on, amount, method: random.pick(METHODS) });
  }
}

const lastDay = (book: Book): string => book.collections.at(-1)?.on ?? book.terms.sale_date;

function paysOnTime(deal: Deal, random: Random): Book {
  const book = openBook(onInstallments(deal, random, [6, 10, 12, 18, 24]), deal.day);
  payDown(book, random);
  payInstallments(book, random, () => random.between(-3, 1));
  return book;
}

/** Pays weeks late each time; breaks one promise and keeps the next. */
function paysLate(deal: Deal, random: Random): Book {
  const { today } = deal.day;
  const book = openBook(onInstallments(deal, random, [18, 24]), deal.day);
  payDown(book, random);
  const daysLate = random.between(35, 70);
  payInstallments(book, random, () => random.between(8, 25), addDays(today, -daysLate));
  const due = dueBy(book, addDays(today, -12));
  if (due === 0n) return book;
  promise(
    book,
    laterOf(book, addDays(today, -30)),
    rounded(due, 100n),
    laterOf(book, addDays(today, -22)),
    'Ay başında ödeyecek',
  );
  const half = rounded(due / 2n, 100n);
  if (half < 100n) return book;
  const on = laterOf(book, addDays(today, -10));
  promise(book, on, half, addDays(on, 6), 'Maaşı yatınca ödeyecek');
  const late = share(half, 2);
  collect(book, { on: addDays(on, 4), amount: half, late, method: 'Havale/EFT' });
  return book;
}

/** Not before the previous action. */
const laterOf = (book: Book, day: string): string => [day, book.last.toISOString().slice(0, 10)].sort()[1]!;

/** Pays a few times and then stops; the promise is open or broken. */
function stopsPaying(deal: Deal, random: Random): Book {
  const { today } = deal.day;
  const book = openBook(onInstallments(deal, random, [12, 18, 24]), deal.day);
  payDown(book, random);
  payInstallments(book, random, () => random.between(0, 9), addDays(today, -random.pick([40, 70, 105, 140])));
  const due = dueBy(book, today);
  if (due === 0n) return book;
  const on = laterOf(book, addDays(today, -9));
  const promised = [addDays(today, random.pick([-3, 4, 11])), on].sort()[1]!;
  promise(book, on, due, promised, 'Kardeşinden borç alacak');
  return book;
}

function paysCash(deal: Deal, random: Random): Book {
  const { price, currency, sale_date } = deal;
  const book = openBook({ ...CASH, sale_date, currency, sale_price: price, down_payment: price }, deal.day);
  collect(book, { on: sale_date, amount: price, method: random.pick(['Havale/EFT', 'Güvenli Ödeme', 'Nakit']) });
  return book;
}

function tradesIn(deal: Deal, random: Random): Book {
  const trade_in_amount = rounded(share(deal.price, random.between(20, 35)), stepOf(deal));
  const book = openBook(onInstallments(deal, random, [12, 18, 24], { trade_in_amount }), deal.day);
  payDown(book, random);
  payInstallments(book, random, () => random.between(-2, 4));
  return book;
}

/** Pays the rest early, at a discount, after some months. */
function settlesEarly(deal: Deal, random: Random): Book {
  const book = openBook(onInstallments(deal, random, [24]), deal.day);
  payDown(book, random);
  payInstallments(book, random, () => 0, addMonths(deal.sale_date, random.between(6, 9)));
  const rest = outstandingOf(book);
  const discount = rounded(share(rest, 4), 100n);
  const on = addDays(lastDay(book), 12);
  collect(book, { on, amount: rest - discount, discount, reason: 'Erken Ödeme', method: 'Havale/EFT' });
  return book;
}

/** One unit of the stronger currency in the weaker, close to the rate at that time; not a bank's rate. */
const AGREED: Readonly<Record<Currency, readonly [paid: Currency, rate: number]>> = {
  STG: ['TL', 61.5],
  EUR: ['TL', 53.5],
  USD: ['TL', 46],
  TL: ['EUR', 53],
};

function paysInForeignMoney(deal: Deal, random: Random): Book {
  const book = openBook(onInstallments(deal, random, [24]), deal.day);
  const [currency, middle] = AGREED[deal.currency];
  const rate = () => BigInt(Math.round(middle * (0.95 + random.next() * 0.1) * 100)) * 10_000n;
  collect(book, { on: deal.sale_date, amount: book.terms.down_payment, currency, rate: rate() });
  for (const { due_date } of book.installments.filter((installment) => installment.seq > 0)) {
    const due = dueBy(book, due_date);
    if (due_date > deal.day.today) break;
    collect(book, { on: due_date, amount: due, ...(random.chance(0.5) ? { currency, rate: rate() } : { method: 'Havale/EFT' }) });
  }
  return book;
}

function isRestructured(deal: Deal, random: Random): Book {
  const { today } = deal.day;
  const book = openBook(onInstallments(deal, random, [18, 24]), deal.day);
  payDown(book, random);
  payInstallments(book, random, () => random.between(0, 6), addMonths(deal.sale_date, 3));
  const on = addMonths(deal.sale_date, 7);
  const charge = rounded(share(outstandingOf(book), 6), stepOf(deal));
  restructureRest(book, on, random.pick([18, 24]), charge, 'İşini değiştirdi, taksitler küçültüldü');
  for (const { due_date, seq } of book.installments.filter((installment) => installment.due_date > on)) {
    if (due_date > today) break;
    const amount = remainingOf(book.installments.find((installment) => installment.seq === seq)!);
    if (amount > 0n) collect(book, { on: due_date, amount, method: random.pick(METHODS) });
  }
  return book;
}

/** An installment is postponed by two months; the small rest at the end is discounted. */
function isPutOff(deal: Deal, random: Random): Book {
  const { today } = deal.day;
  const book = openBook(onInstallments(deal, random, [12, 18]), deal.day);
  payDown(book, random);
  const asks = addMonths(deal.sale_date, 4);
  payInstallments(book, random, () => 0, asks);
  const next = book.installments.find(
    (installment) => installment.seq > 0 && remainingOf(installment) > 0n && installment.due_date > asks,
  );
  if (next !== undefined) postponeInstallment(book, addDays(asks, 1), next.seq, 2, 'Hastane masrafı çıktı');
  for (const installment of book.installments
    .filter(({ seq }) => seq > 0)
    .toSorted((a, b) => (a.due_date < b.due_date ? -1 : 1))) {
    const due = dueBy(book, installment.due_date);
    if (installment.due_date > today || installment.due_date <= asks || due === 0n) continue;
    const change = due % 1_000n;
    const discount = change > 0n && change < due ? { discount: change, reason: 'Küsurat' as const } : {};
    collect(book, { on: installment.due_date, amount: due - (discount.discount ?? 0n), ...discount });
  }
  return book;
}

/** A bank transfer that was returned and paid again in cash. */
function bounces(deal: Deal, random: Random): Book {
  const book = openBook(onInstallments(deal, random, [12, 18, 24]), deal.day);
  payDown(book, random);
  payInstallments(book, random, () => random.between(-1, 3), addMonths(deal.sale_date, 2));
  const of = book.collections.length - 1;
  const { on, amount } = book.collections[of]!;
  reverse(book, of, addDays(on, 4), 'Havale geri döndü');
  collect(book, { on: addDays(on, 9), amount });
  payInstallments(book, random, () => random.between(0, 5));
  return book;
}

/** Small installments and a large one each half year, after the harvest. */
function paysExtra(deal: Deal, random: Random): Book {
  const { price, currency, sale_date } = deal;
  const step = stepOf(deal);
  const down_payment = rounded(share(price, 30), step);
  const large = rounded(share(price, 15), step);
  const small = rounded((price - down_payment - 2n * large) / 10n, 100n);
  const rest = price - down_payment - 2n * large - 10n * small;
  const installments = Array.from({ length: 12 }, (_, index) => {
    const due_date = addMonths(sale_date, index + 1);
    if (index % 6 === 5) return { due_date, amount: large, kind: 'Ara Ödeme' } as const;
    return { due_date, amount: index === 0 ? small + rest : small };
  });
  const terms = { ...CASH, sale_date, currency, sale_price: price, down_payment };
  const book = openBook({ ...terms, plan: { installments } }, deal.day);
  payDown(book, random);
  payInstallments(book, random, () => random.between(0, 6));
  return book;
}

function beginsWithDeposit(deal: Deal, random: Random): Book {
  const amount = rounded(share(deal.price, 5), stepOf(deal)) + stepOf(deal);
  const terms = onInstallments(deal, random, [12, 18], { deposit: { on: addDays(deal.sale_date, -6), amount } });
  const book = openBook(terms, deal.day);
  payDown(book, random);
  payInstallments(book, random, () => random.between(-2, 2));
  return book;
}

/** After two months; a tenth is kept. */
function givesTheCarBack(deal: Deal, random: Random): Book {
  const book = openBook(onInstallments(deal, random, [18, 24]), deal.day);
  payDown(book, random);
  payInstallments(book, random, () => 0, addMonths(deal.sale_date, 2));
  const refund = random.chance(0.5) ? null : rounded(share(book.collected, 90), 100n);
  const due = dueBy(book, addMonths(deal.sale_date, 3));
  if (due > 0n) promise(book, addDays(lastDay(book), 20), due, addMonths(deal.sale_date, 4), 'Aracı satınca ödeyecek');
  cancel(book, addMonths(deal.sale_date, 3), 'Müşteri aracı iade etti', refund);
  return book;
}

function neverHappened(deal: Deal, random: Random): Book {
  const book = openBook(onInstallments(deal, random, [12]), deal.day);
  cancel(book, addDays(deal.sale_date, 1), 'silindi', 0n);
  return book;
}

/** Installments on today's day of the month, also where other months are shorter. */
function aroundToday(deal: Deal, random: Random, monthsPast: number): Book {
  const { price, currency, sale_date } = deal;
  const terms = onInstallments(deal, random, [12]);
  const total = price - terms.down_payment + terms.finance_charge;
  const part = total / 12n;
  const installments = Array.from({ length: 12 }, (_, index) => ({
    due_date: addMonths(deal.day.today, index - monthsPast),
    amount: index === 11 ? total - part * 11n : part,
  }));
  const book = openBook({ ...terms, sale_date, currency, plan: { installments } }, deal.day);
  payDown(book, random);
  return book;
}

const monthsSince = ({ sale_date, day }: Deal): number => {
  let months = 0;
  while (addMonths(day.today, -(months + 1)) >= sale_date) months += 1;
  return Math.max(0, months - 1);
};

function isDueToday(deal: Deal, random: Random): Book {
  const book = aroundToday(deal, random, monthsSince(deal));
  payInstallments(book, random, () => 0, addDays(deal.day.today, -1));
  return book;
}

function paysToday(deal: Deal, random: Random): Book {
  const book = aroundToday(deal, random, monthsSince(deal));
  payInstallments(book, random, () => 0);
  return book;
}

function promisedForToday(deal: Deal, random: Random): Book {
  const { today } = deal.day;
  const book = openBook(onInstallments(deal, random, [12, 18]), deal.day);
  payDown(book, random);
  payInstallments(book, random, () => 0, addDays(today, -40));
  const due = dueBy(book, today);
  promise(book, laterOf(book, addDays(today, -5)), due > 0n ? due : outstandingOf(book) / 4n, today, 'Bugün uğrayacak');
  return book;
}
