// Sequences of actions on generated sales, computed twice: with the service's arithmetic and in a ledger that knows the owner of
// every cent. After each action both must agree on every figure. Then values of expenses in other currencies. No database and no clock; fast-check shrinks failures.
import fc from 'fast-check';
import { valueAt } from '../../src/domain/expenses/expense-rate.ts';
import { remainingOf, settledOf } from '../../src/domain/installments/plan-installment.ts';
import { totalReceivable } from '../../src/domain/installments/totals.ts';
import { sum } from '../../src/kit/money.ts';
import { CentLedger } from './cent-ledger.ts';
import { daysLater } from './civil-days.ts';
import { expenseValues, roundedDown } from './expense-values.ts';
import type { Report } from './report.ts';
import { requestsOf, type Step, saleArbitrary, stepArbitrary } from './sale-acts.ts';
import { ARITHMETIC, type Arithmetic, SaleBooks } from './sale-books.ts';
import type { SaleRequest } from './sale-request.ts';

const SALES_AT_ONCE = 100;

/** The number of actions done and refused, by kind. */
export type Tally = Map<string, number>;

/** Throws at the first action after which the two differ or an invariant fails. */
export function play(sale: SaleRequest, steps: readonly Step[], arithmetic: Arithmetic, tally: Tally): void {
  const books = new SaleBooks(sale, arithmetic);
  const ledger = new CentLedger(sale);
  let today = sale.sale_date;
  const agree = (about: string) => {
    same(about, ledger.picture(today), books.picture(today));
    for (const problem of problemsOf(books)) throw new Error(`${about}: ${problem}`);
  };
  agree('sold');
  for (const { wait, act } of steps) {
    today = daysLater(today, wait);
    const requests = requestsOf(act, ledger, today);
    const wasLast = ledger.lastAct;
    const before = books.picture(today);
    for (const request of requests) {
      const about = JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      const outcome = ledger.perform(request);
      same(about, [outcome], [books.perform(request)]);
      agree(about);
      const counted = outcome === 'done' ? request.act : outcome;
      tally.set(counted, (tally.get(counted) ?? 0) + 1);
    }
    if (act.act === 'enter again' && requests.length === 2) {
      const isLast = requests[0]!.act === 'reverse' && requests[0]!.number === wasLast;
      same(
        'entered again',
        isLast ? before : before.filter(isSum),
        isLast ? books.picture(today) : books.picture(today).filter(isSum),
      );
    }
  }
}

/** The figures of the whole sale that a collection changes, for any rows it fills. */
const isSum = (line: string): boolean => /^(total|paid [^o]* open)/.test(line);

function same(about: string, expected: readonly string[], found: readonly string[]): void {
  const length = Math.max(expected.length, found.length);
  for (let index = 0; index < length; index += 1) {
    if (expected[index] !== found[index]) throw new Error(`${about}: expected «${expected[index]}», found «${found[index]}»`);
  }
}

/** The invariants, checked without the ledger. */
function problemsOf({ installments, terms, journal }: SaleBooks): string[] {
  const problems: string[] = [];
  const must = (holds: boolean, problem: string) => holds || problems.push(problem);
  const cents = (amounts: readonly { readonly amount: bigint }[]) => sum(amounts.map(({ amount }) => amount));
  must(cents(installments) === totalReceivable(terms), 'the rows are not the total');
  must(cents(installments.filter(({ seq }) => seq === 0)) === terms.down_payment, 'row 0 is not the down payment');
  must(
    sum(installments.map((installment) => installment.paid_amount)) === sum(journal.map(({ money }) => cents(money))),
    'paid without a collection',
  );
  for (const installment of installments) {
    must(
      installment.paid_amount >= 0n && installment.discounted_amount >= 0n && settledOf(installment) <= installment.amount,
      `row ${installment.seq} is overpaid`,
    );
    must(
      installment.status === 'İptal' || installment.amount === settledOf(installment) + remainingOf(installment),
      `row ${installment.seq} does not add up`,
    );
  }
  for (const { money, discount, reverses } of journal) {
    if (reverses === null) continue;
    const pairs = [...money, ...discount].map(
      (each, index) => [each, [...reverses.money, ...reverses.discount][index]!] as const,
    );
    must(
      pairs.every(([back, made]) => back.seq === made.seq && back.amount === -made.amount),
      'a reversal is not the negative',
    );
  }
  return problems;
}

/** Generates sales until `n` actions were done; reports the smallest failing sequence with its seed. */
export function generateActs(
  seed: number,
  n: number,
  arithmetic: Arithmetic,
  { shrink = true } = {},
): { violation: string | null; tally: Tally; seeds: number } {
  const tally: Tally = new Map();
  const done = () => [...tally].filter(([name]) => !name.includes('_')).reduce((all, [, count]) => all + count, 0);
  const sales = fc.property(saleArbitrary, fc.array(stepArbitrary, { minLength: 1, maxLength: 40, size: 'max' }), (sale, steps) =>
    play(sale, steps, arithmetic, tally),
  );
  let seeds = 0;
  while (done() < n) {
    const details = fc.check(sales, { seed: seed + seeds, numRuns: SALES_AT_ONCE, endOnFailure: !shrink });
    seeds += 1;
    if (details.failed) {
      const violation = `${(details.errorInstance as Error).message}\n${fc.defaultReportMessage(details)}`;
      return { violation, tally, seeds };
    }
  }
  return { violation: null, tally, seeds };
}

const newestFirst: Arithmetic = {
  ...ARITHMETIC,
  allocate: (payable, amounts) => ARITHMETIC.allocate(payable.toReversed(), amounts),
};

export async function arithmetic(seed: number, n: number, plant: boolean): Promise<Report> {
  const { violation, tally, seeds } = generateActs(seed, n, plant ? newestFirst : ARITHMETIC);
  const figure = { seeds: `${seed}..${seed + seeds - 1}`, ...Object.fromEntries([...tally].sort()) };
  const valued = expenseValues(seed, n, plant ? roundedDown : valueAt);
  const found = [violation, valued].filter((one) => one !== null);
  // Planted bugs count as noticed only together.
  return { name: 'arithmetic', seed, n, violations: plant && found.length < 2 ? [] : found, figure };
}
