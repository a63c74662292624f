// The reference for the arithmetic of sales: a ledger in which every cent of the debt is on a row and has at most one owner, the
// collection that paid or discounted it. Cents are kept as runs. No totals are kept: every figure is counted from the cents.
import { smallerOf } from '../../src/kit/money.ts';
import { dayNumber, dayOf, daysLater, monthsLater } from './civil-days.ts';
import type { Books, Collect, Outcome, OwnInstallments, Request, SaleRequest, Split } from './sale-request.ts';

interface Run {
  cents: bigint;
  owner: number | null;
  forgiven: boolean;
}

export interface LedgerInstallment {
  readonly seq: number;
  readonly kind: string;
  readonly original: string;
  readonly dueDayOfMonth: number;
  due: string;
  runs: Run[];
  postponed: number;
  closedOn: string | null;
  end: 'Yapılandırıldı' | 'İptal' | null;
}

/** The number of cents of a row. */
export type Share = readonly (readonly [seq: number, cents: bigint])[];

interface KnownCollection {
  readonly on: string;
  reversed: boolean;
  readonly request: Collect;
  readonly money: Share;
  readonly discount: Share;
  readonly touched: readonly number[];
}

const count = (runs: readonly Run[]): bigint => {
  let cents = 0n;
  for (const run of runs) cents += run.cents;
  return cents;
};
export const free = (installment: LedgerInstallment): bigint => count(installment.runs.filter(({ owner }) => owner === null));
const owned = (installment: LedgerInstallment): bigint => count(installment.runs.filter(({ owner }) => owner !== null));
const age = (installment: LedgerInstallment): string => `${installment.due} ${String(installment.seq).padStart(6, '0')}`;
const byAge = (installments: readonly LedgerInstallment[]): LedgerInstallment[] =>
  [...installments].sort((a, b) => (age(a) < age(b) ? -1 : 1));
export const isOpen = (installment: LedgerInstallment): boolean => installment.end === null && free(installment) > 0n;

/** Rounds to the nearest whole number by quotient and remainder. */
export function nearest(over: bigint, under: bigint): bigint {
  const [quotient, rest] = [over / under, over % under];
  return rest + rest >= under ? quotient + 1n : quotient;
}

const STRENGTH = 'STG EUR USD TL';
export const isWeaker = (a: string, b: string): boolean => STRENGTH.indexOf(a) > STRENGTH.indexOf(b);

/** The value of a payment in the currency of the debt: a weaker currency is divided by the rate, a stronger one multiplied. */
export function worth({ amount, currency, rate }: Collect, debt: string): bigint {
  if (rate === null) return amount;
  return isWeaker(currency, debt) ? nearest(amount * 1_000_000n, rate) : nearest(amount * rate, 1_000_000n);
}

export class CentLedger implements Books {
  readonly sale: SaleRequest;
  readonly installments: LedgerInstallment[] = [];
  readonly collections: KnownCollection[] = [];
  private addedCharge = 0n;
  /** The number of the collection if it was the last action; otherwise null. */
  lastAct: number | null = null;
  private cancelled = false;
  private settlement = '';

  constructor(sale: SaleRequest) {
    this.sale = sale;
    const { sale_price, trade_in_amount, finance_charge, down_payment, sale_date, plan } = sale;
    if (down_payment > 0n) this.addRow('Peşinat', sale_date, dayOf(sale_date), down_payment, 0);
    const financed = sale_price - trade_in_amount + finance_charge - down_payment;
    if (plan !== null) this.deal(financed, plan, 'first_due_date' in plan ? plan.first_due_date : sale_date, 1);
  }

  private addRow(kind: string, due: string, dueDayOfMonth: number, cents: bigint, seq: number): void {
    const runs = [{ cents, owner: null, forgiven: false }];
    this.installments.push({ seq, kind, original: due, dueDayOfMonth, due, runs, postponed: 0, closedOn: null, end: null });
  }

  /** Distributes the cents this way if that is possible. */
  private deal(cents: bigint, plan: Split | OwnInstallments, first: string, seq: number): Outcome {
    if ('installments' in plan) {
      let before = '';
      for (const { amount, due_date } of plan.installments) {
        if (amount <= 0n) return 'amount_not_positive';
        if (due_date < first) return 'due_date_too_early';
        if (due_date <= before) return 'dates_not_ascending';
        before = due_date;
      }
      if (plan.installments.reduce((left, { amount }) => left - amount, cents) !== 0n) return 'installments_sum_mismatch';
      plan.installments.forEach((row, index) => {
        this.addRow(row.kind, row.due_date, dayOf(row.due_date), row.amount, seq + index);
      });
      return 'done';
    }
    const { installment_count: number, period, round_to } = plan;
    // One round gives each row one step; as many whole rounds as there are cents for, the rest to the last row.
    const step = round_to === undefined ? 1n : BigInt(round_to) * 100n;
    const part = (cents / (step * BigInt(number))) * step;
    if (part === 0n) return 'split_too_small';
    let left = cents;
    for (let index = 0; index < number; index += 1) {
      const due =
        period === 'Aylık'
          ? monthsLater(first, index, dayOf(first))
          : daysLater(first, index * ({ Haftalık: 7, '15 Günlük': 15 } as const)[period]);
      const dayOfMonth = period === 'Aylık' ? dayOf(first) : dayOf(due);
      this.addRow('Taksit', due, dayOfMonth, index === number - 1 ? left : part, seq + index);
      left -= part;
    }
    return 'done';
  }

  private installment(seq: number): LedgerInstallment | undefined {
    return this.installments.find((installment) => installment.seq === seq);
  }

  private closed(installment: LedgerInstallment): Outcome | null {
    if (isOpen(installment)) return null;
    return installment.end === null ? 'installment_paid' : 'installment_cancelled';
  }

  open(): bigint {
    return this.installments.filter(isOpen).reduce((cents, installment) => cents + free(installment), 0n);
  }

  sizeOf(installment: LedgerInstallment): bigint {
    return count(installment.runs);
  }

  ownedBy(number: number, forgiven: boolean, installments: readonly LedgerInstallment[] = this.installments): bigint {
    return count(installments.flatMap(({ runs }) => runs).filter((run) => run.owner === number && run.forgiven === forgiven));
  }

  toCut(from: string, today: string): LedgerInstallment[] {
    return this.installments.filter((installment) => isOpen(installment) && (installment.due < today || installment.due >= from));
  }

  /** What a restructuring would remove from the rows. */
  cutOff(from: string, today: string): bigint {
    return this.toCut(from, today).reduce((cents, installment) => cents + free(installment), 0n);
  }

  perform(request: Request): Outcome {
    const outcome = this.cancelled ? 'sale_cancelled' : this.act(request);
    if (outcome === 'done') {
      this.lastAct = request.act === 'collect' ? this.collections.length - 1 : null;
      for (const installment of this.installments) {
        const isClosed = installment.end === null && free(installment) === 0n;
        if (!isClosed) installment.closedOn = null;
        else installment.closedOn ??= request.act === 'collect' ? request.on : this.latestOn(installment);
      }
    }
    return outcome;
  }

  private act(request: Request): Outcome {
    const completed = this.open() === 0n;
    switch (request.act) {
      case 'collect':
        return completed ? 'sale_completed' : this.collect(request);
      case 'reverse': {
        const collection = this.collections[request.number]!;
        if (collection.reversed) return 'already_reversed';
        collection.reversed = true;
        for (const run of this.installments.flatMap(({ runs }) => runs)) {
          if (run.owner === request.number) Object.assign(run, { owner: null, forgiven: false });
        }
        return 'done';
      }
      case 'postpone':
        return this.postpone(request);
      case 'change amount':
        return this.changeAmount(request.seq, request.amount);
      case 'move earlier': {
        const installment = this.installment(request.seq)!;
        const closed = this.closed(installment);
        if (closed !== null) return closed;
        if (request.due_date > installment.due) return 'use_postpone';
        if (request.due_date !== installment.due && request.due_date < request.today) return 'due_date_in_past';
        installment.due = request.due_date;
        return 'done';
      }
      case 'restructure':
        return completed ? 'sale_completed' : this.restructure(request);
      case 'cancel':
        return this.cancel(request);
    }
  }

  private collect(request: Collect): Outcome {
    const { chosen, discount, reason, currency } = request;
    const line: LedgerInstallment[] = [];
    for (const seq of chosen ?? []) {
      const installment = this.installment(seq);
      if (installment === undefined) return 'installment_not_of_sale';
      const closed = this.closed(installment);
      if (closed !== null) return closed;
      line.push(installment);
    }
    if (chosen === null) line.push(...byAge(this.installments.filter(isOpen)));
    let money = worth(request, this.sale.currency);
    const balance = line.reduce((cents, installment) => cents + free(installment), 0n);
    const over = money + discount - balance;
    if (over > 0n) {
      if (currency === this.sale.currency || over > 5n || over >= money) return 'amount_exceeds_balance';
      money -= over;
    }
    const number = this.collections.length;
    const paid = this.take(line, money, number, false);
    const forgiven = this.take(reason === 'Erken Ödeme' ? byAge(line).reverse() : line, discount, number, true);
    const touched = [...new Set([...paid, ...forgiven].map(([seq]) => seq))];
    this.collections.push({ on: request.on, reversed: false, request, money: paid, discount: forgiven, touched });
    return 'done';
  }

  /** Assigns an owner to the first free cents along these rows. */
  private take(line: readonly LedgerInstallment[], amount: bigint, owner: number, forgiven: boolean): Share {
    const touched = new Map<number, bigint>();
    let left = amount;
    for (const installment of line) {
      installment.runs = installment.runs.flatMap((run) => {
        if (run.owner !== null || left === 0n) return [run];
        const taken = smallerOf(run.cents, left);
        touched.set(installment.seq, (touched.get(installment.seq) ?? 0n) + taken);
        left -= taken;
        const rest = run.cents - taken;
        return [{ cents: taken, owner, forgiven }, ...(rest > 0n ? [{ cents: rest, owner: null, forgiven: false }] : [])];
      });
    }
    return [...touched];
  }

  /** Removes free cents from a row. */
  private lift(installment: LedgerInstallment, amount: bigint): void {
    let left = amount;
    for (const run of installment.runs) {
      if (run.owner !== null) continue;
      const taken = smallerOf(run.cents, left);
      run.cents -= taken;
      left -= taken;
    }
    installment.runs = installment.runs.filter(({ cents }) => cents > 0n);
  }

  private latestOn(installment: LedgerInstallment): string | null {
    const days = installment.runs.map(({ owner }) => (owner === null ? '' : this.collections[owner]!.on)).sort();
    return days.at(-1) || null;
  }

  private postpone(request: Request & { act: 'postpone' }): Outcome {
    const { seq, to, today } = request;
    const first = this.installment(seq)!;
    const closed = this.closed(first);
    if (closed !== null) return closed;
    const moved = this.installments.filter(
      (installment) =>
        installment === first || ('months' in to && to.shift_following && installment.seq > seq && isOpen(installment)),
    );
    const target = (installment: LedgerInstallment) =>
      'months' in to ? monthsLater(installment.due, to.months, installment.dueDayOfMonth) : to.new_due_date;
    if (!(target(first) > first.due && target(first) > today)) return 'not_later';
    for (const installment of moved)
      if (target(installment) > monthsLater(installment.original, 24, installment.dueDayOfMonth)) return 'too_far';
    for (const installment of moved) {
      installment.due = target(installment);
      installment.postponed += 1;
    }
    return 'done';
  }

  private changeAmount(seq: number, amount: bigint): Outcome {
    const installment = this.installment(seq)!;
    const closed = this.closed(installment);
    if (closed !== null) return closed;
    const excess = amount - count(installment.runs);
    if (excess === 0n) return 'done';
    if (seq === 0) return 'rebalance_impossible';
    if (amount < owned(installment) || amount <= 0n) return 'amount_below_settled';
    const others = this.installments.filter((other) => isOpen(other) && other !== installment && other.seq > 0);
    const last = others.sort((a, b) => b.seq - a.seq)[0];
    if (last === undefined || excess > free(last) || excess === count(last.runs)) return 'rebalance_impossible';
    const [from, to, cents] = excess > 0n ? [last, installment, excess] : [installment, last, -excess];
    this.lift(from, cents);
    to.runs.push({ cents, owner: null, forgiven: false });
    return 'done';
  }

  private restructure(request: Request & { act: 'restructure' }): Outcome {
    const { from, today, add, plan } = request;
    const cut = this.toCut(from, today);
    if (cut.length === 0) return 'nothing_to_restructure';
    const pool = this.cutOff(from, today) + add;
    const next = Math.max(0, ...this.installments.map(({ seq }) => seq)) + 1;
    const outcome = this.deal(pool, plan, from, next);
    if (outcome !== 'done') return outcome;
    this.addedCharge += add;
    for (const installment of cut) {
      this.lift(installment, free(installment));
      if (installment.runs.length === 0) installment.end = 'Yapılandırıldı';
    }
    return 'done';
  }

  paid(): bigint {
    return count(this.installments.flatMap(({ runs }) => runs).filter(({ owner, forgiven }) => owner !== null && !forgiven));
  }

  private cancel({ refund, tradeIn }: Request & { act: 'cancel' }): Outcome {
    const ceiling = this.paid() + (tradeIn === 'iade' ? 0n : this.sale.trade_in_amount);
    const kept = ceiling - (refund ?? ceiling);
    if (kept < 0n) return 'refund_exceeds_collected';
    this.cancelled = true;
    this.settlement = `refunded ${ceiling - kept} retained ${kept}`;
    for (const installment of this.installments) if (isOpen(installment)) installment.end = 'İptal';
    return 'done';
  }

  status(): string {
    return this.cancelled ? 'İptal' : this.open() === 0n ? 'Tamamlandı' : 'Aktif';
  }

  private statusOf(installment: LedgerInstallment): string {
    if (installment.end !== null) return installment.end;
    return free(installment) === 0n ? 'Ödendi' : owned(installment) === 0n ? 'Bekliyor' : 'Kısmi Ödendi';
  }

  overdue(today: string): bigint {
    return this.installments
      .filter((installment) => isOpen(installment) && installment.due < today)
      .reduce((cents, installment) => cents + free(installment), 0n);
  }

  picture(today: string): string[] {
    const late = (installment: LedgerInstallment) =>
      isOpen(installment) && installment.due < today ? dayNumber(today) - dayNumber(installment.due) : 0;
    const interest = (installment: LedgerInstallment) =>
      nearest(free(installment) * (this.sale.late_rate_yearly ?? 0n) * BigInt(late(installment)), 3_650_000n);
    const lines = this.installments.map((installment) => {
      const forgiven = count(installment.runs.filter((run) => run.forgiven));
      const remaining = installment.end === null ? free(installment) : 0n;
      const { seq, kind, due, original } = installment;
      const figures = `${count(installment.runs)} = ${owned(installment) - forgiven} + ${forgiven} + ${remaining}`;
      return `${seq} ${kind} ${due} (${original}, ${installment.postponed}) ${figures} ${this.statusOf(installment)} ${installment.closedOn} ${late(installment)} ${interest(installment)}`;
    });
    return [...lines, ...this.sums(today), ...(this.status() === 'Aktif' ? [this.payoff(today, interest)] : [])];
  }

  private sums(today: string): string[] {
    const financed = this.installments.filter(({ seq }) => seq !== 0);
    const shown = financed.filter(({ end }) => end !== 'Yapılandırıldı').map(({ due }) => due);
    const ends = [...shown].sort();
    const next = byAge(this.installments.filter(isOpen))[0]?.due;
    const all = this.installments.flatMap(({ runs }) => runs);
    const { sale_price, trade_in_amount, finance_charge } = this.sale;
    const total = sale_price - trade_in_amount + finance_charge + this.addedCharge;
    const down = count(this.installments.filter(({ seq }) => seq === 0).flatMap(({ runs }) => runs));
    return [
      `${this.status()} ${today} ${this.settlement}`,
      `total ${total} ${count(all)} financed ${total - down} ${count(financed.flatMap(({ runs }) => runs))} down ${down}`,
      `rows ${shown.length} ${ends[0]} ${ends.at(-1)} next ${next} ${financed.length > 0 ? 'Taksitli' : 'Peşin'}`,
      `paid ${this.paid()} forgiven ${count(all.filter(({ forgiven }) => forgiven))} open ${this.open()} overdue ${this.overdue(today)}`,
    ];
  }

  private payoff(today: string, interest: (installment: LedgerInstallment) => bigint): string {
    const { sale_date, finance_charge } = this.sale;
    let [ahead, whole, due] = [0n, 0n, 0n];
    for (const installment of this.installments) {
      due += interest(installment);
      if (installment.seq === 0) continue;
      whole += count(installment.runs) * BigInt(dayNumber(installment.due) - dayNumber(sale_date));
      if (installment.due > today) ahead += free(installment) * BigInt(dayNumber(installment.due) - dayNumber(today));
    }
    const unearned = whole === 0n ? 0n : nearest((finance_charge + this.addedCharge) * ahead, whole);
    return `payoff ${this.open()} ${due} ${smallerOf(unearned, this.open())}`;
  }
}
