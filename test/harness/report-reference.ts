// The expected reports, computed from single records: money from allocations and receipts, never from a sum that the service
// keeps, and with other arithmetic.
import { dayNumber, daysLater } from './civil-days.ts';
import type { Bulletin, Installment, Money, Records, Sale } from './report-records.ts';

/** `name|name` → figures, without zeros. */
export type Figures = Record<string, string>;

/** Rounds halves away from zero, from one more digit than is kept. */
export function nearest(part: bigint, whole: bigint): bigint {
  if (part < 0n) return -nearest(-part, whole);
  return ((part * 10n) / whole + 5n) / 10n;
}

const text = (minor: bigint, digits: number): string => {
  const shown = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0');
  return `${minor < 0n ? '-' : ''}${shown.slice(0, -digits)}.${shown.slice(-digits)}`;
};
export const cents = (minor: bigint): string => text(minor, 2);
const share = (part: bigint, whole: bigint): string => (whole === 0n ? 'null' : text(nearest(part * 10_000n, whole), 4));

const STRONGEST = ['STG', 'EUR', 'USD', 'TL'];

/** By the pair with the stronger currency first, its rate truncated to six digits before multiplying or dividing. */
export function worthIn({ rates }: Bulletin, amount: bigint, from: string, to: string): bigint {
  if (from === to) return amount;
  const goesDown = STRONGEST.indexOf(from) < STRONGEST.indexOf(to);
  const [strong, weak] = goesDown ? [from, to] : [to, from];
  const rate = nearest(rates[strong]! * 1_000_000n, rates[weak]!);
  return goesDown ? nearest(amount * rate, 1_000_000n) : nearest(amount * 1_000_000n, rate);
}

export class Reference {
  private readonly records: Records;
  private readonly today: string;
  private readonly paidOf = new Map<string, bigint>();
  private readonly forgivenOf = new Map<string, bigint>();
  private readonly saleOf = new Map<string, Sale>();
  private readonly day: Intl.DateTimeFormat;

  constructor(records: Records, today: string) {
    this.records = records;
    this.today = today;
    this.day = new Intl.DateTimeFormat('en-CA', { timeZone: records.zone });
    for (const sale of records.sales) this.saleOf.set(sale.id, sale);
    for (const one of records.shares) {
      const into = this.isForgiven(this.moneyOf(one.money)) ? this.forgivenOf : this.paidOf;
      into.set(one.row, (into.get(one.row) ?? 0n) + one.amount);
    }
  }

  private moneyOf(id: string): Money {
    return this.records.money.find((one) => one.id === id)!;
  }

  /** A discount, or the reversal of one. */
  private isForgiven(money: Money): boolean {
    return money.type === 'İndirim' || (money.reverses !== null && this.moneyOf(money.reverses).type === 'İndirim');
  }

  private isTill(money: Money): boolean {
    const original = money.reverses === null ? money : this.moneyOf(money.reverses);
    return original.type !== 'Mahsup' && !this.isForgiven(original) && original.method !== 'Mahsup';
  }

  private brandOf(sale: Sale): string {
    return this.records.cars.find(({ id }) => id === sale.car)!.brand;
  }

  private installmentsOf(sale: Sale): Installment[] {
    return this.records.installments.filter((installment) => installment.sale === sale.id);
  }

  private openOf(installment: Installment): bigint {
    if (this.saleOf.get(installment.sale)!.cancelled_at !== null) return 0n;
    return installment.amount - (this.paidOf.get(installment.id) ?? 0n) - (this.forgivenOf.get(installment.id) ?? 0n);
  }

  private cancelledIn(sale: Sale, from: string, to: string): boolean {
    if (sale.cancelled_at === null) return false;
    const day = this.day.format(sale.cancelled_at);
    return day >= from && day <= to;
  }

  private soldIn(from: string, to: string): Sale[] {
    return this.records.sales.filter(({ day, cancelled_at }) => cancelled_at === null && day >= from && day <= to);
  }

  private bulletinOf(day: string): Bulletin | undefined {
    const oldest = daysLater(day, -10);
    return this.records.bulletins.filter((one) => one.day <= day && one.day >= oldest).at(-1);
  }

  salesSummary(from: string, to: string, by: string): Figures {
    const out: Figures = {};
    const group = (sale: Sale) =>
      ({ month: sale.day.slice(0, 7), brand: this.brandOf(sale), branch: String(sale.branch), salesperson: String(sale.seller) })[
        by
      ]!;
    for (const [name, sales] of grouped(this.soldIn(from, to), (sale) => `${group(sale)}|${sale.currency}`)) {
      const gross = total(sales, ({ price }) => price);
      out[name] = [
        ...[
          sales.length,
          cents(gross),
          cents(total(sales, ({ charge }) => charge)),
          cents(total(sales, ({ trade_in }) => trade_in)),
        ],
        ...[cents(total(sales, ({ down }) => down)), cents(total(sales, (s) => s.price - s.trade_in + s.charge - s.down))],
        cents(nearest(gross, BigInt(sales.length))),
        // A sale with nothing to pay later is for cash.
        sales.filter((sale) => this.installmentsOf(sale).every(({ seq }) => seq === 0)).length,
      ].join(' ');
    }
    const cancelled = this.records.sales.filter((sale) => this.cancelledIn(sale, from, to));
    for (const [currency, sales] of grouped(cancelled, (sale) => sale.currency))
      out[`cancelled|${currency}`] = `${sales.length} ${cents(total(sales, ({ price }) => price))}`;
    const outside = this.records.cars.filter(
      ({ sold_via, sold_at }) => sold_via === 'Harici' && sold_at! >= from && sold_at! <= to,
    );
    out.external = String(outside.length);
    return out;
  }

  collectionsSummary(from: string, to: string, by: string): Figures {
    const out: Figures = {};
    const dated = this.records.money.filter(({ on }) => on >= from && on <= to);
    const group = (one: Money) =>
      ({ month: one.on.slice(0, 7), day: one.on, method: String(one.method), staff: String(one.staff) })[by]!;
    for (const [name, all] of grouped(
      dated.filter((one) => this.isTill(one)),
      (one) => `${group(one)}|${one.currency}`,
    )) {
      const received = all.filter(({ type }) => type === 'Tahsilat' || type === 'Kapora');
      const of = (type: string) =>
        total(
          all.filter((one) => one.type === type),
          ({ amount }) => -amount,
        );
      const gross = total(received, ({ amount }) => amount);
      const [back, refunded] = [of('Ters Kayıt'), of('İade')];
      out[name] = [received.length, cents(gross), cents(back), cents(refunded), cents(gross - back - refunded)].join(' ');
    }
    const alive = this.records.installments.filter((installment) => this.saleOf.get(installment.sale)!.cancelled_at === null);
    const currencyOf = (installment: Installment) => this.saleOf.get(installment.sale)!.currency;
    for (const currency of STRONGEST) {
      const due = alive.filter(
        (installment) => currencyOf(installment) === currency && installment.due >= from && installment.due <= to,
      );
      const ids = new Set(dated.filter((one) => !this.isForgiven(one)).map(({ id }) => id));
      const later = new Set(
        alive.filter((installment) => currencyOf(installment) === currency && installment.due > to).map(({ id }) => id),
      );
      const early = total(
        this.records.shares.filter((one) => ids.has(one.money) && later.has(one.row)),
        ({ amount }) => amount,
      );
      const amount = total(due, (installment) => installment.amount);
      if (amount === 0n && early === 0n) continue;
      const [paid, forgiven] = [this.paidOf, this.forgivenOf].map((of) => total(due, ({ id }) => of.get(id) ?? 0n)) as [
        bigint,
        bigint,
      ];
      const figures = [
        cents(amount),
        cents(paid),
        share(paid, amount),
        cents(forgiven),
        cents(amount - paid - forgiven),
        cents(early),
      ];
      out[`due|${currency}`] = figures.join(' ');
    }
    return out;
  }

  inventoryAging(): Figures {
    const out: Figures = {};
    const stock = this.records.cars.filter(({ is_deleted, status }) => !is_deleted && status !== 'Satıldı');
    const age = (stocked: string) => dayNumber(this.today) - dayNumber(stocked);
    const bucket = (days: number) =>
      ['0-30', '31-60', '61-90', '91-180', '181+'][[30, 60, 90, 180].filter((end) => days > end).length]!;
    for (const [name, cars] of grouped(stock, ({ stocked, currency }) => `${bucket(age(stocked))}|${currency}`))
      out[name] = `${cars.length} ${cents(total(cars, ({ price }) => price))}`;
    for (const [currency, cars] of grouped(stock, (car) => car.currency)) {
      const days = total(cars, ({ stocked }) => BigInt(age(stocked)));
      out[`all|${currency}`] =
        `${cars.length} ${cents(total(cars, ({ price }) => price))} ${text(nearest(days * 10n, BigInt(cars.length)), 1)}`;
    }
    for (const [status, cars] of grouped(stock, (car) => car.status)) out[`status|${status}`] = String(cars.length);
    return out;
  }

  private costOf(sale: Sale): bigint | null {
    const { spent, bought_in } = this.records.cars.find(({ id }) => id === sale.car)!;
    if (spent === null) return null;
    if (bought_in === null || bought_in === sale.currency) return spent;
    const bulletin = this.bulletinOf(sale.day);
    return bulletin === undefined ? null : worthIn(bulletin, spent, bought_in, sale.currency);
  }

  /** Of the sold car, besides what paid its price; each currency valued apart. */
  private spentOn(sale: Sale): bigint | null {
    const spent = this.records.expenses.filter(({ car, category }) => car === sale.car && category !== 'Alış ödemesi');
    let all = 0n;
    for (const [currency, some] of grouped(spent, (one) => one.currency)) {
      const amount = total(some, (one) => one.amount);
      const bulletin = currency === sale.currency ? undefined : this.bulletinOf(sale.day);
      if (amount !== 0n && currency !== sale.currency && bulletin === undefined) return null;
      all += amount === 0n || bulletin === undefined ? amount : worthIn(bulletin, amount, currency, sale.currency);
    }
    return all;
  }

  /** By category and currency. */
  overhead(from: string, to: string): Figures {
    const spent = this.records.expenses.filter(({ kind, on }) => kind === 'İşletme' && on >= from && on <= to);
    return Object.fromEntries(
      [...grouped(spent, ({ category, currency }) => `overhead|${category}|${currency}`)].flatMap(([name, some]) => {
        const amount = total(some, (one) => one.amount);
        return amount === 0n ? [] : [[name, cents(amount)]];
      }),
    );
  }

  profitLoss(from: string, to: string, by: string): Figures {
    const out: Figures = {};
    const profits = new Map<string, bigint>();
    const group = (sale: Sale) => ({ month: sale.day.slice(0, 7), brand: this.brandOf(sale), branch: String(sale.branch) })[by]!;
    for (const [name, sales] of grouped(this.soldIn(from, to), (sale) => `${group(sale)}|${sale.currency}`)) {
      const known = sales.filter((sale) => this.costOf(sale) !== null && this.spentOn(sale) !== null);
      const of = (some: readonly Sale[]) => total(some, ({ price, charge }) => price + charge);
      const cost = total(known, (sale) => this.costOf(sale)!);
      const spent = total(known, (sale) => this.spentOn(sale)!);
      const profit = of(known) - cost - spent;
      const apart = [sales.length - known.length, cents(of(sales) - of(known))];
      out[name] = [cents(of(sales)), cents(cost), cents(spent), cents(profit), share(profit, of(known)), ...apart].join(' ');
      const { currency } = sales[0]!;
      profits.set(currency, (profits.get(currency) ?? 0n) + profit);
    }
    const dated = this.records.money.filter(({ on }) => on >= from && on <= to);
    for (const currency of STRONGEST) {
      const cancelled = this.records.sales.filter((sale) => sale.currency === currency && this.cancelledIn(sale, from, to));
      const kept = this.records.money.filter(
        (one) => one.currency === currency && one.deposit === 'Gelir' && one.closed! >= from && one.closed! <= to,
      );
      const retained = total(cancelled, (sale) => sale.retained) + total(kept, ({ amount }) => amount);
      const interest = total(
        dated.filter((one) => one.currency === currency),
        ({ late }) => late,
      );
      const forgiven = dated.filter((one) => this.isForgiven(one) && this.saleOf.get(one.sale!)!.cancelled_at === null);
      const inIt = forgiven.filter((one) => this.saleOf.get(one.sale!)!.currency === currency);
      const discount = total(inIt, ({ applied }) => applied!);
      const earned =
        retained !== 0n || [...dated.filter((one) => one.currency === currency && one.late !== 0n), ...inIt].length > 0;
      const dues = this.records.expenses.filter((one) => one.kind === 'İşletme' && one.currency === currency);
      const overhead = total(
        dues.filter(({ on }) => on >= from && on <= to),
        ({ amount }) => amount,
      );
      if (!earned && !profits.has(currency) && overhead === 0n) continue;
      const net = (profits.get(currency) ?? 0n) + retained + interest - discount;
      out[`net|${currency}`] = [
        cents(retained),
        cents(interest),
        cents(discount),
        cents(net),
        cents(overhead),
        cents(net - overhead),
      ].join(' ');
    }
    return out;
  }

  private overdueInstallments(sale: Sale): Installment[] {
    return this.installmentsOf(sale).filter((installment) => installment.due < this.today && this.openOf(installment) > 0n);
  }

  private owedOf(sale: Sale): bigint {
    return total(this.installmentsOf(sale), (installment) => this.openOf(installment));
  }

  private overdueOf(sale: Sale): bigint {
    return total(this.overdueInstallments(sale), (installment) => this.openOf(installment));
  }

  salespersonPerformance(from: string, to: string): Figures {
    const out: Figures = {};
    for (const [name, sales] of grouped(this.records.sales, ({ seller, currency }) => `${seller}|${currency}`)) {
      const sold = sales.filter(({ day, cancelled_at }) => cancelled_at === null && day >= from && day <= to);
      const gross = total(sold, ({ price }) => price);
      const cancelled = sales.filter((sale) => this.cancelledIn(sale, from, to)).length;
      const ids = new Set(sales.map(({ id }) => id));
      const theirs = this.records.money.filter((one) => one.sale !== null && ids.has(one.sale) && !this.isForgiven(one));
      const collected = total(
        theirs.filter(({ on }) => on >= from && on <= to),
        ({ applied }) => applied!,
      );
      const [owed, overdue] = [total(sales, (sale) => this.owedOf(sale)), total(sales, (sale) => this.overdueOf(sale))];
      if (sold.length + cancelled === 0 && collected === 0n && owed === 0n) continue;
      const average = sold.length === 0 ? 'null' : cents(nearest(gross, BigInt(sold.length)));
      out[name] = [
        sold.length,
        cents(gross),
        average,
        cancelled,
        cents(collected),
        cents(owed),
        cents(overdue),
        share(overdue, owed),
      ].join(' ');
    }
    return out;
  }

  overdueRisk(): Figures {
    const out: Figures = {};
    const late = (installment: Installment) => dayNumber(this.today) - dayNumber(installment.due);
    const owing = this.records.sales.filter((sale) => this.owedOf(sale) > 0n);
    for (const [currency, sales] of grouped(owing, (sale) => sale.currency)) {
      const [owed, overdue] = [total(sales, (sale) => this.owedOf(sale)), total(sales, (sale) => this.overdueOf(sale))];
      const bad = sales.filter((sale) => this.overdueInstallments(sale).some((installment) => late(installment) > 30));
      out[`all|${currency}`] = [
        cents(owed),
        cents(overdue),
        share(overdue, owed),
        share(
          total(bad, (sale) => this.owedOf(sale)),
          owed,
        ),
      ].join(' ');
    }
    const bucket = (days: number) => ['1-30', '31-60', '61-90', '91+'][[30, 60, 90].filter((end) => days > end).length]!;
    const rows = owing.flatMap((sale) => this.overdueInstallments(sale).map((installment) => ({ installment, sale })));
    for (const [name, some] of grouped(rows, ({ installment, sale }) => `${bucket(late(installment))}|${sale.currency}`)) {
      const people = new Set(some.map(({ sale }) => sale.customer)).size;
      out[name] = `${some.length} ${people} ${cents(total(some, ({ installment }) => this.openOf(installment)))}`;
    }
    for (const [name, sales] of grouped(owing, ({ customer, currency }) => `${customer}|${currency}`)) {
      const [owed, overdue] = [total(sales, (sale) => this.owedOf(sale)), total(sales, (sale) => this.overdueOf(sale))];
      if (overdue === 0n) continue;
      const days = Math.max(...sales.flatMap((sale) => this.overdueInstallments(sale)).map(late));
      const { customer, currency } = sales[0]!;
      const theirs = new Set(
        this.records.sales.filter((s) => s.customer === customer && s.currency === currency).map(({ id }) => id),
      );
      const promises = this.records.promises.filter(({ sale }) => theirs.has(sale));
      const broken = promises.filter(
        ({ status, until }) => status === 'Tutulmadı' && until >= daysLater(this.today, -365) && until <= this.today,
      ).length;
      const open = promises.some(({ status }) => status === 'Bekliyor');
      const guarantors = new Set(sales.flatMap((sale) => sale.guarantors)).size;
      // In parts of 1/9 of a point, times the open amount.
      const points = BigInt(5 * Math.min(days, 90) + 45 * Math.min(broken, 4)) * owed + 270n * overdue;
      const score = Number(nearest(points, 9n * owed));
      const band = score < 30 ? 'düşük' : score < 60 ? 'orta' : 'yüksek';
      out[name] = [cents(owed), cents(overdue), days, broken, open, guarantors, score, band].join(' ');
    }
    return out;
  }

  /** Of sales, in every state. */
  customSales(from: string, to: string): Figures {
    const out: Figures = {};
    const dated = this.records.sales.filter(({ day }) => day >= from && day <= to);
    for (const [name, sales] of grouped(dated, (sale) => `${this.brandOf(sale)}|${sale.currency}`)) {
      const gross = total(sales, ({ price }) => price);
      const financed = total(sales, (s) => s.price - s.trade_in + s.charge - s.down);
      out[name] = [sales.length, cents(gross), cents(financed), cents(nearest(gross, BigInt(sales.length)))].join(' ');
    }
    return out;
  }

  customCollections(from: string, to: string): Figures {
    const out: Figures = {};
    const dated = this.records.money.filter(
      (one) => one.on >= from && one.on <= to && one.sale !== null && !this.isForgiven(one),
    );
    for (const [name, some] of grouped(dated, (one) => `${one.type}|${this.saleOf.get(one.sale!)!.currency}`))
      out[name] = `${some.length} ${cents(total(some, ({ applied }) => applied!))}`;
    return out;
  }

  /** Each shown amount is converted and rounded separately. Null: no bulletin. */
  valued(day: string, into: string, shown: readonly (readonly [currency: string, minor: bigint])[]): string | null {
    const bulletin = this.bulletinOf(day);
    if (bulletin === undefined) return null;
    return cents(shown.reduce((all, [currency, minor]) => all + worthIn(bulletin, minor, currency, into), 0n));
  }
}

const total = <T>(all: readonly T[], of: (one: T) => bigint): bigint => all.reduce((sum, one) => sum + of(one), 0n);

function grouped<T>(all: readonly T[], name: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(name(one), [...(groups.get(name(one)) ?? []), one]);
  return groups;
}
