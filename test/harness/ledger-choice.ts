// Chooses a writer's next action: generated as for the arithmetic, plus what only HTTP requests have.
import fc from 'fast-check';
import type { Currency } from '../../src/kit/money.ts';
import { free, isOpen } from './cent-ledger.ts';
import { daysLater } from './civil-days.ts';
import type { PromiseRequest } from './promise-story.ts';
import type { Random } from './random.ts';
import { buildSale, type RawSale, rawSaleArbitrary, requestsOf, type Step, stepArbitrary } from './sale-acts.ts';
import type { Request } from './sale-request.ts';
import { type Beside, refundIn, type SaleAct, type SaleStory, type Sell } from './sale-story.ts';

const METHODS = ['Nakit', 'Havale/EFT', 'Kredi Kartı', 'Senet', 'Güvenli Ödeme', 'Diğer'] as const;
/** Sales are at most this many days old, so that one till summary covers everything. */
const MAX_DAYS_BACK = 300;
const MAX_PRICE = 1_000_000_000n;

export interface Choice {
  readonly asked: SaleAct;
  readonly beside: Beside;
}

export interface Chooser {
  sale(today: string, from: { vehicle: string; customer: string; branches: readonly string[]; plate: string }): Sell;
  /** Null if the chosen action has no target. */
  acts(story: SaleStory, today: string, branches: readonly string[]): Choice[];
}

export function createChooser(random: Random): Chooser {
  const sales = endless<RawSale>(rawSaleArbitrary, random);
  const steps = endless<Step>(stepArbitrary, random);
  return {
    sale: (today, { vehicle, customer, branches, plate }) => {
      const raw = sales();
      const price = raw.price % MAX_PRICE || 1n;
      const terms = buildSale({ ...raw, price }, daysLater(today, -(raw.day % MAX_DAYS_BACK)));
      const hasCar = terms.trade_in_amount > 0n && random.chance(0.5);
      const branch = random.chance(0.5) ? null : random.pick(branches);
      const total = terms.sale_price - terms.trade_in_amount + terms.finance_charge;
      const deposit = random.chance(0.25) ? (total * BigInt(1 + random.below(1000))) / 1000n : 0n;
      const sold = { vehicle, customer, branch, plate: hasCar ? plate : null, day: today };
      return { act: 'sell', terms, deposit: { amount: deposit, method: random.pick(METHODS) }, ...sold };
    },
    acts: (story, today, branches) => {
      if (random.chance(0.15)) return promiseOf(random, story, today);
      const { act } = steps();
      // Many sequences run side by side here, so one may end.
      const step = act.act === 'cancel' ? { ...act, really: 0 } : act;
      return requestsOf(step, story.ledger, today).flatMap((request) => {
        const beside = besideOf(random, story, request, branches);
        return beside === null ? [] : [{ asked: sane(request, story), beside }];
      });
    },
  };
}

function endless<T>(arbitrary: fc.Arbitrary<T>, random: Random): () => T {
  let made: T[] = [];
  return () => {
    if (made.length === 0) made = fc.sample(arbitrary, { seed: random.below(2 ** 31), numRuns: 50 });
    return made.pop()!;
  };
}

/** Requests that validation refuses are tested elsewhere. */
function sane(request: Request, { sold }: SaleStory): Request {
  if (request.act === 'change amount' && request.amount === 0n) return { ...request, amount: 1n };
  if (request.act === 'cancel' && sold.terms.trade_in_amount === 0n) return { ...request, tradeIn: 'iade' };
  return request;
}

function besideOf(random: Random, story: SaleStory, call: Request, branches: readonly string[]): Beside | null {
  const method = random.pick(METHODS);
  if (call.act === 'collect') {
    const late = call.amount > 0n && random.chance(0.15) ? BigInt(1 + random.below(5000)) : 0n;
    return { method, late, branch: random.chance(0.3) ? random.pick(branches) : null };
  }
  if (call.act === 'reverse') {
    const { request } = story.ledger.collections[call.number]!;
    const isPair = request.amount > 0n && request.discount > 0n;
    return { half: isPair && random.chance(0.5) ? 1 : 0 };
  }
  if (call.act !== 'cancel') return {};
  const isDeletion = story.ledger.paid() === 0n && call.refund === null && call.tradeIn === 'iade' && random.chance(0.5);
  return isDeletion ? { isDeletion } : { method, refund: foreignRefund(random, story, call) };
}

/** In a currency of money that was received and not reversed. */
function foreignRefund(random: Random, { sold, ledger }: SaleStory, { refund, tradeIn }: Request & { act: 'cancel' }) {
  const debt = sold.terms.currency;
  const received = ledger.collections.filter(({ reversed, request }) => !reversed && request.currency !== debt);
  if (received.length === 0) return undefined;
  const { currency, rate } = random.pick(received).request;
  const amount = refund ?? ledger.paid() + (tradeIn === 'iade' ? 0n : sold.terms.trade_in_amount);
  const chosen: { currency: Currency; rate: bigint } = { currency, rate: rate! };
  return amount > 0n && refundIn(amount, chosen, debt) > 0n ? chosen : undefined;
}

function promiseOf(random: Random, { ledger, promises }: SaleStory, today: string): Choice[] {
  const shareOf = (cents: bigint) => (cents * BigInt(1 + random.below(1000))) / 1000n || 1n;
  const until = daysLater(today, random.below(60));
  const open = promises.open();
  if (open !== undefined && random.chance(0.9)) {
    const number = promises.all.indexOf(open);
    const installment = open.seq === null ? null : ledger.installments.find(({ seq }) => seq === open.seq)!;
    const room = installment === null ? ledger.open() : isOpen(installment) ? free(installment) : 0n;
    const to = random.chance(0.2)
      ? ('called off' as const)
      : room > 0n && random.chance(0.5)
        ? { amount: shareOf(room) }
        : { until };
    return [{ asked: { act: 'change promise', number, to }, beside: {} }];
  }
  const installments = ledger.installments.filter(isOpen);
  if (installments.length === 0) return [];
  const installment = random.chance(0.5) ? random.pick(installments) : null;
  const request: PromiseRequest = {
    act: 'promise',
    seq: installment?.seq ?? null,
    amount: shareOf(installment === null ? ledger.open() : free(installment)),
    until,
  };
  return [{ asked: request, beside: {} }];
}
