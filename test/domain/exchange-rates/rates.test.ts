// Every pair of a bulletin against another calculation: fractions of whole numbers, divided only in the last step.
import { describe, expect, test } from 'vitest';
import { readBulletin } from '../../../src/domain/exchange-rates/bulletin.ts';
import { type KeptBulletin, shownRate } from '../../../src/domain/exchange-rates/rate-table.ts';
import {
  CANONICAL_PAIRS,
  canonicalPair,
  isPair,
  PAIRS,
  pairRate,
  parseRate,
  rateText,
  sidesOf,
} from '../../../src/domain/exchange-rates/rates.ts';
import { type Quoted, type Quotes, xmlOf } from '../../support/bulletins.ts';

/** A number as a fraction. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}
const fraction = (text: string): Fraction => {
  const [whole, digits = ''] = text.split('.');
  return { over: BigInt(whole! + digits), under: 10n ** BigInt(digits.length) };
};
const ONE: Fraction = { over: 1n, under: 1n };
const quotient = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.under, under: a.under * b.over });

/** Long division: digit after digit, then one more to round by. */
function sixDigits({ over, under }: Fraction): string {
  let rest = over % under;
  let digits = '';
  for (let place = 0; place < 7; place += 1) {
    rest *= 10n;
    digits += String(rest / under);
    rest %= under;
  }
  // Half-up depends on the seventh digit alone.
  const kept = BigInt(String(over / under) + digits.slice(0, 6)) + (digits[6]! >= '5' ? 1n : 0n);
  const text = String(kept).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}

/** The specification, pair by pair: quoted, crossed, and inverted from unrounded values. */
function expected(
  lira: Record<string, { buying: Fraction; selling: Fraction }>,
  pair: string,
): { buying: string; selling: string } {
  const [base, quote] = pair.split('-') as [string, string];
  const order = ['STG', 'EUR', 'USD', 'TL'];
  const canonical = (strong: string, weak: string) => ({
    buying: weak === 'TL' ? lira[strong]!.buying : quotient(lira[strong]!.buying, lira[weak]!.selling),
    selling: weak === 'TL' ? lira[strong]!.selling : quotient(lira[strong]!.selling, lira[weak]!.buying),
  });
  if (order.indexOf(base) < order.indexOf(quote)) {
    const { buying, selling } = canonical(base, quote);
    return { buying: sixDigits(buying), selling: sixDigits(selling) };
  }
  const { buying, selling } = canonical(quote, base);
  return { buying: sixDigits(quotient(ONE, selling)), selling: sixDigits(quotient(ONE, buying)) };
}

/** Repeatable: the same ten thousand every time. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = { USD: 'USD', EUR: 'EUR', GBP: 'STG' } as const;

/** From fractions of a lira to many thousands, with as many digits as banks publish, and spreads down to none. */
function randomQuotes(random: (below: number) => number, digits: number): Quotes {
  const one = (): Quoted => {
    const buying = BigInt(1 + random(10 ** (1 + random(9))));
    const selling = buying + BigInt(random(3) === 0 ? 0 : random(Number(buying / 50n) + 2));
    const text = (value: bigint) => {
      const padded = String(value).padStart(digits + 1, '0');
      return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
    };
    return [text(buying), text(selling), '', ''];
  };
  return { USD: one(), EUR: one(), GBP: one() };
}

describe('pairs', () => {
  test('are twelve, six of them canonical with the stronger first', () => {
    expect(PAIRS).toHaveLength(12);
    expect(new Set(PAIRS).size).toBe(12);
    expect([...new Set(PAIRS.map(canonicalPair))].sort()).toEqual([...CANONICAL_PAIRS].sort());
    expect(canonicalPair('USD-STG')).toBe('STG-USD');
    for (const bad of ['TL-TL', 'USD-USD', 'usd-tl', 'GBP-TL', 'TL', '', 'USD-TL-', 'USD_TL', 'constructor'])
      expect(isPair(bad)).toBe(false);
  });

  test('rates are parsed and formatted as in the database', () => {
    for (const text of ['0.000001', '34.231500', '999999.999999', '1.000000']) expect(rateText(parseRate(text))).toBe(text);
  });
});

test('every cross and inverse of 10 000 bulletins equals the calculation in fractions', () => {
  const random = randomFrom(20_261_115);
  for (let round = 0; round < 10_000; round += 1) {
    const source = round % 2 === 0 ? 'TCMB' : 'KKTCMB';
    const digits = source === 'TCMB' ? 4 : 5;
    const quotes = randomQuotes(random, digits);
    // A bulletin of a hundred units has two digits more; those of ten have one.
    const unit = [1, 1, 1, 10, ...(digits === 4 ? [100] : [])][random(digits === 4 ? 5 : 4)]!;
    const bulletin = readBulletin(source, Buffer.from(xmlOf(source, { day: '2026-11-13', quotes, unit: String(unit) })));
    const lira = Object.fromEntries(
      Object.entries(quotes).map(([code, [buying, selling]]) => [
        NAMES[code as keyof Quotes],
        { buying: perOne(fraction(buying), unit), selling: perOne(fraction(selling), unit) },
      ]),
    );
    for (const pair of PAIRS) {
      const { buying, selling } = pairRate(bulletin.rates, pair);
      const found = { buying: rateText(buying), selling: rateText(selling) };
      if (JSON.stringify(found) !== JSON.stringify(expected(lira, pair)))
        expect({ pair, quotes, unit, ...found }).toEqual({ pair, quotes, unit, ...expected(lira, pair) });
      expect(buying <= selling).toBe(true);
    }
  }
});

const perOne = ({ over, under }: Fraction, unit: number): Fraction => ({ over, under: under * BigInt(unit) });

test('a rate in replies: banknotes of what the bank quotes, null where it is computed', () => {
  const { bulletinNo, rates, source, rateDate } = readBulletin(
    'TCMB',
    Buffer.from(xmlOf('TCMB', { day: '2026-11-13', number: '2026/211' })),
  );
  const kept: KeptBulletin = { source, rateDate, bulletinNo, rates, fetchedAt: '2026-11-13T12:30:00.000Z' };
  expect(shownRate(kept, 'STG-TL')).toEqual({
    pair: 'STG-TL',
    base: 'STG',
    quote: 'TL',
    buying: '64.726800',
    selling: '65.064300',
    banknote_buying: '64.681500',
    banknote_selling: '65.161800',
    rate_date: '2026-11-13',
    source: 'TCMB',
    bulletin_no: '2026/211',
    fetched_at: '2026-11-13T12:30:00.000Z',
  });
  // 64.7268 / 48.1598 = 1.34400059…; 65.0643 / 48.0732 = 1.35344225…
  expect(shownRate(kept, 'STG-USD')).toMatchObject({ buying: '1.344001', selling: '1.353442', banknote_buying: null });
  // 1 / 48.1598 = 0.02076420…; 1 / 48.0732 = 0.02080161…
  expect(shownRate(kept, 'TL-USD')).toMatchObject({ buying: '0.020764', selling: '0.020802', banknote_selling: null });
  expect(sidesOf('TL-USD')).toEqual(['TL', 'USD']);
});
