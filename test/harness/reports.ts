// Random books of many dealers in two time zones and four currencies: vehicles, sales, money, discounts, reversals, deposits,
// promises and cancellations around midnight, listings and their costs. Then every report is compared with one computed from the
// records alone (report-reference.ts). `--plant`: totals are valued as if there were one currency; then what pays the price of a car
// counts as a further cost. Both must be noticed.
//
//   node test/harness/reports.ts --seed 1 --n 1000 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import { CURRENCIES, formatMoney } from '../../src/kit/money.ts';
import type { Session } from '../../src/postgres/database.ts';
import { end } from '../support/child-processes.ts';
import { aCar, ask, dataOf } from './ask.ts';
import { daysLater } from './civil-days.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { compareReports } from './report-compare.ts';
import { keepExpenses } from './report-expenses.ts';
import { keepMarket } from './report-market.ts';
import { type Dealer, openWorld, type Plant, type World } from './world.ts';

/** In winter it is the last of January in Lefkoşa and the first of February in Mersin. */
const FIRST = '2035-01-31T21:30:00Z';
const LAST = '2035-03-20T09:00:00Z';
const FIRST_DAY = '2034-04-01';
const ZONES = [
  ['KKTC', 'Asia/Famagusta', 'KKTCMB'],
  ['TR', 'Europe/Istanbul', 'TCMB'],
] as const;
const AT_ONCE = 8;
const MAX_SHOWN = 20;
const MAX_TRIES = 60;

interface Book {
  readonly dealer: Dealer;
  readonly zone: string;
  readonly random: Random;
  readonly customers: string[];
  readonly staff: readonly string[];
  readonly branches: readonly string[];
  readonly sales: { readonly id: string; readonly currency: string; readonly day: string; isCancelled: boolean }[];
  readonly money: string[];
  /** By status. */
  readonly statuses: Record<string, number>;
  calls: number;
}

/** Dealers per database. */
const BOOKS_AT_ONCE = 10;

export async function reports(seed: number, n: number, plant: boolean): Promise<Report> {
  if (!plant) return reportsWith(seed, n, null);
  const found = [await reportsWith(seed, n, 'one-rate'), await reportsWith(seed, n, 'paid-twice')] as const;
  const isMissed = found.some(({ violations }) => violations.length === 0);
  return { ...found[0], violations: isMissed ? [] : found.flatMap(({ violations }) => violations) };
}

async function reportsWith(seed: number, n: number, plant: Plant | null): Promise<Report> {
  const violations: string[] = [];
  const statuses: Record<string, number> = {};
  let [sales, seconds] = [0, 0];
  for (let begin = 0; begin < n; begin += BOOKS_AT_ONCE) {
    const kept = await keepBooks(seed + begin, Math.min(BOOKS_AT_ONCE, n - begin), plant);
    violations.push(...kept.violations);
    for (const [status, count] of Object.entries(kept.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    [sales, seconds] = [sales + kept.sales, seconds + kept.seconds];
  }
  return { name: 'reports', seed, n, violations: violations.slice(0, MAX_SHOWN), figure: { sales, statuses, seconds } };
}

interface Kept {
  readonly violations: readonly string[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly sales: number;
  readonly seconds: number;
}

async function keepBooks(seed: number, n: number, plant: Plant | null): Promise<Kept> {
  const world = await openWorld({ dealers: n, postgres: 'own' });
  const random = createRandom(seed);
  const session = await world.session();
  try {
    await storeRates(session, random);
    const books: Book[] = [];
    for (const [place, dealer] of world.dealers.entries())
      books.push(await openBook(session, dealer, place, random.below(2 ** 31)));
    const startedAt = performance.now();
    await at(world, FIRST, plant, (api) => inTurns(books, (book) => firstPhase(api, book)));
    const violations: string[] = [];
    await at(world, LAST, plant, async (api) => {
      await inTurns(books, (book) => secondPhase(api, book));
      for (const book of books) {
        await keepExpenses(session, book.dealer.accountId, book.random, FIRST_DAY, 340);
        await keepMarket(session, book.dealer.accountId, book.random);
        violations.push(...(await compareBook(session, api, book)));
      }
    });
    const statuses: Record<string, number> = {};
    for (const book of books)
      for (const [status, count] of Object.entries(book.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    const sales = books.reduce((all, book) => all + book.sales.length, 0);
    return { violations, statuses, sales, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await session.close();
    await world.close();
  }
}

/** The clock is read when the service starts. */
async function at(world: World, moment: string, plant: Plant | null, run: (api: string) => Promise<void>): Promise<void> {
  await world.query('update test_clock set offset_ms = round(extract(epoch from $1::timestamptz - clock_timestamp()) * 1000)', [
    moment,
  ]);
  const service = await world.serve({ env: { TEST_CLOCK: 'on' }, ...(plant === null ? {} : { plant }) });
  await run(service.ready.api);
  // PostgreSQL stays for the next one.
  await end(service.child, 'SIGKILL');
}

async function inTurns<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** With gaps, some longer than a bulletin is in force. */
async function storeRates(session: Session, random: Random): Promise<void> {
  for (const [, , source] of ZONES) {
    for (let day: string = FIRST_DAY; day < '2035-03-20'; day = daysLater(day, random.chance(0.05) ? 20 : 1 + random.below(4))) {
      for (const [base, about] of [
        ['STG', 64],
        ['EUR', 55],
        ['USD', 48],
      ] as const) {
        const buying = `${about - 3 + random.below(6)}.${String(random.below(1_000_000)).padStart(6, '0')}`;
        await session.rows(
          `insert into exchange_rates (source, rate_date, base, buying, selling, fetched_at) values ($1, $2, $3, $4, $4::numeric + 0.3, now())`,
          [source, day, base, buying],
        );
      }
    }
  }
}

async function openBook(session: Session, dealer: Dealer, place: number, seed: number): Promise<Book> {
  const [country, zone, source] = ZONES[place % 2]!;
  const { accountId } = dealer;
  await session.rows('update accounts set country = $2, timezone = $3, rate_source = $4 where id = $1', [
    accountId,
    country,
    zone,
    source,
  ]);
  await session.rows(`insert into branches (account_id, id, name) values ($1, gen_random_uuid(), 'İkinci')`, [accountId]);
  const branches = await session.rows<{ id: string }>('select id from branches where account_id = $1', [accountId]);
  const staff = await session.rows<{ id: string }>(
    `insert into members (account_id, id, full_name, role) select $1, gen_random_uuid(), 'Satıcı ' || n, 'sales' from generate_series(1, 2) n returning id`,
    [accountId],
  );
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const empty = { customers: [], sales: [], money: [], statuses: {}, calls: 0 };
  return { dealer, zone, random: createRandom(seed), staff: ids(staff), branches: ids(branches), ...empty };
}

/** The service of a busy machine asks to retry shortly. */
async function retried(once: () => ReturnType<typeof ask>): ReturnType<typeof ask> {
  for (let tries = 1; ; tries += 1) {
    const answer = await once();
    if (answer.status !== 503 || tries === MAX_TRIES) return answer;
    await wait(500);
  }
}

/** A refused request is simply not in the book. */
async function post(api: string, book: Book, path: string, body: unknown, method: 'POST' | 'PATCH' = 'POST') {
  const idempotencyKey = `b-${++book.calls}`;
  const answer = await retried(() => ask(api, { method, path, key: book.dealer.key, idempotencyKey, body }));
  book.statuses[answer.status] = (book.statuses[answer.status] ?? 0) + 1;
  if (answer.status >= 500) throw new Error(`${path}: ${answer.text}`);
  return answer.status < 300 ? dataOf(answer) : null;
}

const amount = (random: Random, max: number): string => formatMoney(BigInt(1 + random.below(max)));
const sometimes = <T>(random: Random, from: readonly T[]): T | null => (random.chance(0.3) ? null : random.pick(from));

async function firstPhase(api: string, book: Book): Promise<void> {
  for (let number = 0; number < 3; number += 1) {
    const body = { first_name: 'Ayşe', last_name: `Yılmaz ${number}`, phone: `053312345${10 + number}` };
    book.customers.push((await post(api, book, 'customers', body)).id);
  }
  for (let number = 0; number < 7; number += 1) await sellOne(api, book, number);
  for (let number = 0; number < 12; number += 1) await pay(api, book, '2035-01-31');
  await keepDeposit(api, book);
  await undoSome(api, book, '2035-01-31');
}

async function secondPhase(api: string, book: Book): Promise<void> {
  for (let number = 0; number < 8; number += 1) await pay(api, book, '2035-03-20');
  await undoSome(api, book, '2035-03-20');
  await sellOne(api, book, 90);
}

async function newCar(api: string, book: Book, number: number): Promise<{ id: string } | null> {
  const { random } = book;
  const cost = random.chance(0.7)
    ? { purchase_price: amount(random, 3_000_000), purchase_currency: random.pick(CURRENCIES) }
    : {};
  const more =
    random.chance(0.4) && cost.purchase_price ? { customs_fee: amount(random, 90_000), other_costs: amount(random, 9000) } : {};
  return post(
    ...([api, book, 'vehicles'] as const),
    aCar(`R ${number}${random.below(10_000)}`, {
      brand: random.pick(['Volkswagen', 'BMW', 'Škoda']),
      currency: random.pick(CURRENCIES),
      price: amount(random, 5_000_000),
      stock_date: daysLater(FIRST_DAY, random.below(300)),
      branch_id: sometimes(random, book.branches),
      ...cost,
      ...more,
    }),
  );
}

async function sellOne(api: string, book: Book, number: number): Promise<void> {
  const { random } = book;
  const car = await newCar(api, book, number);
  if (car === null || random.chance(0.15)) return;
  const day = daysLater(FIRST_DAY, random.below(300));
  if (random.chance(0.1)) {
    await post(api, book, `vehicles/${car.id}/mark-sold`, { sold_at: day });
    return;
  }
  const currency = random.pick(CURRENCIES);
  const price = BigInt(100_000 + random.below(5_000_000));
  const plan = random.chance(0.7)
    ? {
        installment_count: 1 + random.below(9),
        first_due_date: daysLater(day, random.below(60)),
        period: random.pick(['Aylık', 'Haftalık']),
        down_payment: formatMoney(price / BigInt(2 + random.below(9))),
        finance_charge: amount(random, 90_000),
      }
    : {};
  const sold = await post(api, book, 'sales', {
    vehicle_id: car.id,
    customer_id: random.pick(book.customers),
    sale_date: day,
    currency,
    sale_price: formatMoney(price),
    currency_exemption: 'Yurt dışında yerleşik',
    salesperson_id: sometimes(random, book.staff),
    branch_id: sometimes(random, book.branches),
    ...plan,
    ...(random.chance(0.2) ? { trade_in: { amount: formatMoney(price / 9n) } } : {}),
  });
  if (sold !== null) book.sales.push({ id: sold.id, currency, day, isCancelled: false });
}

async function pay(api: string, book: Book, today: string): Promise<void> {
  const { random } = book;
  const sale = book.sales[random.below(book.sales.length)];
  if (sale === undefined || sale.isCancelled) return;
  if (random.chance(0.1)) {
    const promised_date = daysLater(today, 1 + random.below(20));
    await post(api, book, 'payment-promises', { sale_id: sale.id, amount: amount(random, 9000), promised_date });
    return;
  }
  const discount = random.chance(0.15) ? { discount_amount: amount(random, 9000), discount_reason: 'Anlaşma' } : {};
  const collected = await post(api, book, 'collections', {
    sale_id: sale.id,
    amount: amount(random, 900_000),
    currency: random.chance(0.7) ? sale.currency : random.pick(CURRENCIES),
    collected_on: [sale.day, today, daysLater(today, -random.below(40))].toSorted()[1],
    method: random.pick(['Nakit', 'Havale/EFT', 'Senet']),
    collected_by_id: sometimes(random, book.staff),
    ...discount,
    ...(random.chance(0.1) ? { late_interest_amount: '0.57' } : {}),
  });
  if (collected !== null) book.money.push(collected.id);
}

async function keepDeposit(api: string, book: Book): Promise<void> {
  const { random } = book;
  const car = await newCar(api, book, 70);
  const deposit = {
    customer_id: book.customers[0],
    deposit_amount: amount(random, 90_000),
    deposit_currency: random.pick(CURRENCIES),
  };
  if (car === null || (await post(api, book, `vehicles/${car.id}/reserve`, deposit)) === null) return;
  const disposition = random.pick(['iade', 'kalsın']);
  if (random.chance(0.8))
    await post(api, book, `vehicles/${car.id}`, { status: 'Stokta', deposit_disposition: disposition }, 'PATCH');
}

async function undoSome(api: string, book: Book, today: string): Promise<void> {
  const { random } = book;
  for (const id of book.money.filter(() => random.chance(0.15)))
    await post(api, book, `collections/${id}/reverse`, {
      reason: 'yanlış giriş',
      reversed_on: random.chance(0.5) ? today : undefined,
    });
  for (const sale of book.sales.filter(({ isCancelled }) => !isCancelled && random.chance(0.2))) {
    const refund = random.chance(0.5) ? { refund_amount: '0.01', refund_method: 'Nakit' } : { refund_method: 'Nakit' };
    sale.isCancelled = (await post(api, book, `sales/${sale.id}/cancel`, { reason: 'vazgeçti', ...refund })) !== null;
  }
}

async function compareBook(session: Session, api: string, book: Book): Promise<string[]> {
  const { random, dealer } = book;
  const read = async (path: string) => {
    const answer = await retried(() => ask(api, { method: 'GET', path: `reports/${path}`, key: dealer.key }));
    if (answer.status === 409) return null;
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return dataOf(answer);
  };
  const from = random.pick([FIRST_DAY, '2035-01-01', '2035-02-01', '2034-11-15']);
  const to = random.pick(['2035-01-31', '2035-02-01', '2035-03-20', '2035-03-31'].filter((day) => day > from));
  const problems = await compareReports(session, dealer.accountId, read, {
    from,
    to,
    today: '2035-03-20',
    into: random.pick(CURRENCIES),
  });
  return problems.map((problem) => `${book.zone}: ${problem}`);
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 1000 });
  report(await reports(seed, n, plant));
}
