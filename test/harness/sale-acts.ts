// Generated sales and actions. An action is relative to the current sale («half of what is open», «the third row»), so that a
// sequence stays meaningful while fast-check shrinks it.
import fc from 'fast-check';
import { CUSTOM_KINDS, DISCOUNT_REASONS, DISPOSITIONS, PERIODS, ROUND_TO } from '../../src/domain/installments/sales-states.ts';
import { CURRENCIES } from '../../src/kit/money.ts';
import { type CentLedger, free, isOpen, isWeaker, worth } from './cent-ledger.ts';
import { daysLater } from './civil-days.ts';
import type { Collect, OwnInstallment, Request, SaleRequest, Split } from './sale-request.ts';

const perMille = (amount: bigint, share: number): bigint => (amount * BigInt(share)) / 1000n;
const share = (max: number) => fc.integer({ min: 0, max });
/** Zero in most cases. */
const rarely = (max: number) => fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: share(max) });

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 300n }),
  fc.bigInt({ min: 1n, max: 1_000_000n }),
  fc.bigInt({ min: 1_000n, max: 9_999_999_999_999n }),
);

const split = fc.record({
  installment_count: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 8 }) }, fc.integer({ min: 9, max: 24 })),
  period: fc.constantFrom(...PERIODS),
  round_to: fc.option(fc.constantFrom(...ROUND_TO), { nil: undefined }),
});
/** Custom rows: days after the previous row, and the part of the remainder. */
const cuts = fc.array(
  fc.record({ after: fc.integer({ min: 1, max: 70 }), share: share(700), kind: fc.constantFrom(...CUSTOM_KINDS) }),
  { minLength: 1, maxLength: 6 },
);
const plan = fc.oneof({ weight: 3, arbitrary: split }, cuts);
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

export const rawSaleArbitrary = fc.record({
  day: fc.integer({ min: 0, max: 1500 }),
  currency: fc.constantFrom(...CURRENCIES),
  price: amount,
  tradeIn: rarely(900),
  down: rarely(900),
  charge: fc.oneof({ weight: 3, arbitrary: rarely(400) }, share(5000)),
  late: fc.option(fc.bigInt({ min: 0n, max: 20_000n })),
  plan: fc.option(plan, { freq: 8 }),
  firstAfter: fc.integer({ min: 0, max: 40 }),
});
export const saleArbitrary = rawSaleArbitrary.map((raw) => buildSale(raw, daysLater('2024-01-01', raw.day)));

export type RawSale = {
  day: number;
  currency: SaleRequest['currency'];
  price: bigint;
  tradeIn: number;
  down: number;
  charge: number;
  late: bigint | null;
  plan: Plan | null;
  firstAfter: number;
};

export function buildSale(raw: RawSale, sale_date: string): SaleRequest {
  const trade_in_amount = perMille(raw.price, raw.tradeIn);
  const base = { sale_date, currency: raw.currency, sale_price: raw.price, trade_in_amount, late_rate_yearly: raw.late };
  const finance_charge = perMille(raw.price, raw.charge);
  const total = raw.price - trade_in_amount + finance_charge;
  const down_payment = perMille(total, raw.down);
  const first = daysLater(sale_date, raw.firstAfter);
  const made = raw.plan === null ? null : planOf(raw.plan, total - down_payment, first);
  // An amount that cannot be split that often is a cash sale.
  if (made === null) return { ...base, finance_charge: 0n, down_payment: raw.price - trade_in_amount, plan: null };
  const terms = 'installments' in made ? made : { ...made, first_due_date: first };
  return { ...base, finance_charge, down_payment, plan: terms };
}

function planOf(raw: Plan, total: bigint, first: string): Split | { installments: OwnInstallment[] } | null {
  if (!Array.isArray(raw)) {
    const unit = BigInt(raw.round_to ?? 0) * 100n || 1n;
    return total < unit * BigInt(raw.installment_count) ? null : raw;
  }
  let [left, due] = [total, first];
  const installments = raw.flatMap((cut, index): OwnInstallment[] => {
    const part = index === raw.length - 1 ? left : perMille(left, cut.share);
    if (part === 0n) return [];
    left -= part;
    const row = { due_date: due, amount: part, kind: cut.kind };
    due = daysLater(due, cut.after);
    return [row];
  });
  return installments.length === 0 ? null : { installments };
}

const row = fc.nat(1000);
const collect = fc.record({
  act: fc.constant('collect' as const),
  back: rarely(30),
  rows: fc.option(fc.array(row, { minLength: 1, maxLength: 4 }), { freq: 2 }),
  wanted: fc.oneof(
    { weight: 5, arbitrary: share(300) },
    share(1000),
    { weight: 3, arbitrary: fc.constant('a row' as const) },
    fc.constant('all' as const),
  ),
  /** A difference of this many cents. */
  beside: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: -7, max: 7 })),
  discount: rarely(1000),
  reason: fc.constantFrom(...DISCOUNT_REASONS),
  currency: fc.option(fc.constantFrom(...CURRENCIES), { freq: 2 }),
  rate: fc.integer({ min: 800_000, max: 70_000_000 }),
});
const act = fc.oneof(
  { weight: 10, arbitrary: collect },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('reverse' as const), which: row }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('enter again' as const), which: row }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('postpone' as const),
      row,
      days: fc.option(fc.integer({ min: -5, max: 800 }), { freq: 2 }),
      months: fc.integer({ min: 1, max: 12 }),
      shift: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('change amount' as const),
      row,
      to: fc.oneof(share(2500), fc.constantFrom('settled' as const, 'everything' as const)),
      beside: fc.integer({ min: -2, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('move earlier' as const), row, days: fc.integer({ min: -3, max: 60 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('restructure' as const),
      after: fc.integer({ min: 0, max: 90 }),
      add: rarely(300),
      plan,
      beside: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: -1, max: 1 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('cancel' as const),
      refund: fc.option(share(1010)),
      tradeIn: fc.constantFrom(...DISPOSITIONS),
      /** Nothing can follow, so most sequences should not contain it. */
      really: fc.integer({ min: 0, max: 9 }),
    }),
  },
);
export const stepArbitrary = fc.record({ wait: rarely(60), act });
export type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;
type Act = Step['act'];

/** The requests of an action at this point: none without a target, two for a reversal that is entered again. */
export function requestsOf(step: Act, ledger: CentLedger, today: string): Request[] {
  const { installments } = ledger;
  const open = installments.filter(isOpen);
  // Mostly open rows; now and then one that is not, which is refused.
  const at = (index: number) =>
    index % 10 === 0 || open.length === 0 ? installments[index % installments.length] : open[index % open.length];
  switch (step.act) {
    case 'collect':
      return collectOf(step, ledger, today, at);
    case 'reverse':
      return ledger.collections.length === 0
        ? []
        : [{ act: 'reverse', number: step.which % ledger.collections.length, on: today }];
    case 'enter again':
      return againOf(step.which, ledger, today);
    case 'postpone': {
      const chosen = at(step.row);
      if (chosen === undefined) return [];
      const to =
        step.days === null
          ? { months: step.months, shift_following: step.shift }
          : { new_due_date: daysLater(chosen.due, step.days) };
      return [{ act: 'postpone', seq: chosen.seq, today, to }];
    }
    case 'change amount': {
      const chosen = at(step.row);
      if (chosen === undefined) return [];
      const whole = ledger.sizeOf(chosen);
      const settled = whole - free(chosen);
      const to = step.to === 'settled' ? settled : step.to === 'everything' ? whole + ledger.open() : perMille(whole, step.to);
      const amount = to + BigInt(step.beside);
      return [{ act: 'change amount', seq: chosen.seq, amount: amount < 0n ? 0n : amount }];
    }
    case 'move earlier': {
      const chosen = at(step.row);
      return chosen === undefined
        ? []
        : [{ act: 'move earlier', seq: chosen.seq, due_date: daysLater(chosen.due, -step.days), today }];
    }
    case 'restructure': {
      const from = daysLater(today, step.after);
      const cutOff = ledger.cutOff(from, today);
      const add = perMille(cutOff, step.add);
      const total = cutOff + add + BigInt(step.beside);
      const made = Array.isArray(step.plan) ? planOf(step.plan, total > 0n ? total : 1n, from) : step.plan;
      return made === null ? [] : [{ act: 'restructure', from, today, add, plan: made }];
    }
    case 'cancel': {
      if (step.really > 0) return [];
      const ceiling = ledger.paid() + ledger.sale.trade_in_amount;
      const refund = step.refund === null ? null : perMille(ceiling, step.refund);
      return [{ act: 'cancel', today, refund, tradeIn: step.tradeIn }];
    }
  }
}

function collectOf(
  step: Act & { act: 'collect' },
  ledger: CentLedger,
  today: string,
  at: (index: number) => CentLedger['installments'][number] | undefined,
): Request[] {
  const { currency: debt, sale_date } = ledger.sale;
  // A completed sale accepts no more; trying it now and then is enough.
  if (ledger.open() === 0n && step.wanted !== 'all') return [];
  const chosen = step.rows === null ? null : [...new Set(step.rows.flatMap((index) => at(index)?.seq ?? []))];
  if (chosen?.length === 0) return [];
  const line =
    chosen === null ? ledger.installments.filter(isOpen) : ledger.installments.filter(({ seq }) => chosen.includes(seq));
  const balance = line.reduce((cents, each) => cents + free(each), 0n);
  const first = line[0] === undefined ? 0n : free(line[0]);
  const part = step.wanted === 'all' ? balance : step.wanted === 'a row' ? first : perMille(balance, step.wanted);
  const target = part + BigInt(step.beside) > 0n ? part + BigInt(step.beside) : 1n;
  const discount = perMille(target, step.discount);
  // A collection is never dated before its sale.
  const on = [daysLater(today, -step.back), sale_date].sort()[1]!;
  const request: Collect = {
    act: 'collect',
    on,
    amount: target - discount,
    currency: debt,
    rate: null,
    discount,
    reason: discount > 0n ? step.reason : null,
    chosen,
  };
  if (step.currency === null || step.currency === debt || request.amount === 0n) return [request];
  const rate = BigInt(step.rate);
  const paid = isWeaker(step.currency, debt) ? (request.amount * rate) / 1_000_000n : (request.amount * 1_000_000n) / rate;
  const foreign: Collect = { ...request, currency: step.currency, rate, amount: paid };
  // An amount worth nothing in the currency of the debt is not a payment.
  return [paid > 0n && worth(foreign, debt) > 0n ? foreign : request];
}

/** Reverses a collection and enters it again: the last one unchanged, an earlier one on the rows it had filled. */
function againOf(which: number, ledger: CentLedger, today: string): Request[] {
  const number = which % (ledger.collections.length || 1);
  const collection = ledger.collections[number];
  if (collection === undefined || collection.reversed) return [];
  const { request } = collection;
  const again: Collect =
    number === ledger.lastAct
      ? request
      : {
          ...request,
          currency: ledger.sale.currency,
          rate: null,
          amount: ledger.ownedBy(number, false),
          chosen: [...new Set(collection.touched)],
        };
  return [{ act: 'reverse', number, on: today }, again];
}
