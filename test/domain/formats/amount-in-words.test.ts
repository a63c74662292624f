import { expect, test } from 'vitest';
import { amountInWords } from '../../../src/domain/formats/amount-in-words.ts';
import { CURRENCIES, type Currency } from '../../../src/kit/money.ts';

test('amounts are written as notes and receipts print them', () => {
  expect(amountInWords(94_166n, 'STG')).toBe('Dokuzyüzkırkbir İngiliz sterlini altmışaltı peni');
  expect(amountInWords(100_000n, 'TL')).toBe('Bin Türk lirası');
  expect(amountInWords(50n, 'TL')).toBe('Elli kuruş');
  expect(amountInWords(0n, 'EUR')).toBe('Sıfır avro');
  expect(amountInWords(1_00n, 'USD')).toBe('Bir Amerikan doları');
  expect(amountInWords(200_01n, 'EUR')).toBe('İkiyüz avro bir sent');
  expect(amountInWords(3_00n, 'TL')).toBe('Üç Türk lirası');
  expect(amountInWords(1_001_000_00n, 'TL')).toBe('Birmilyonbin Türk lirası');
  expect(amountInWords(101_100_11n, 'TL')).toBe('Yüzbirbinyüz Türk lirası onbir kuruş');
  expect(amountInWords(99_999_999_999_999n, 'TL')).toBe(
    'Dokuzyüzdoksandokuzmilyardokuzyüzdoksandokuzmilyondokuzyüzdoksandokuzbindokuzyüzdoksandokuz Türk lirası doksandokuz kuruş',
  );
  expect(() => amountInWords(-1n, 'TL')).toThrow(RangeError);
});

/** Parses the words back to a number, sharing no code with the writer: from the left, the longest word first. */
const VALUES: readonly (readonly [string, bigint])[] = (
  [
    ['sıfır', 0n],
    ['bir', 1n],
    ['iki', 2n],
    ['üç', 3n],
    ['dört', 4n],
    ['beş', 5n],
    ['altı', 6n],
    ['yedi', 7n],
    ['sekiz', 8n],
    ['dokuz', 9n],
    ['on', 10n],
    ['yirmi', 20n],
    ['otuz', 30n],
    ['kırk', 40n],
    ['elli', 50n],
    ['altmış', 60n],
    ['yetmiş', 70n],
    ['seksen', 80n],
    ['doksan', 90n],
    ['yüz', 100n],
    ['bin', 1_000n],
    ['milyon', 1_000_000n],
    ['milyar', 1_000_000_000n],
  ] as const
).toSorted(([one], [other]) => other.length - one.length);

function readNumber(words: string): bigint {
  let [total, group, left] = [0n, 0n, words];
  while (left !== '') {
    const [word, value] = VALUES.find(([one]) => left.startsWith(one)) ?? [undefined, 0n];
    if (word === undefined) throw new Error(`no number starts here: ${left}`);
    left = left.slice(word.length);
    if (value < 100n) group += value;
    else if (value === 100n) group = (group === 0n ? 1n : group) * 100n;
    else {
      total += (group === 0n ? 1n : group) * value;
      group = 0n;
    }
  }
  return total + group;
}

const UNITS: Readonly<Record<Currency, readonly [string, string]>> = {
  TL: ['Türk lirası', 'kuruş'],
  STG: ['İngiliz sterlini', 'peni'],
  USD: ['Amerikan doları', 'sent'],
  EUR: ['avro', 'sent'],
};

function readAmount(words: string, currency: Currency): bigint {
  const [whole, minor] = UNITS[currency];
  const match = new RegExp(`^(?:(\\S+) ${whole})?(?: ?(\\S+) ${minor})?$`).exec(words);
  if (match === null) throw new Error(`not an amount: ${words}`);
  const lower = (text: string | undefined) => text?.toLocaleLowerCase('tr') ?? 'sıfır';
  return readNumber(lower(match[1])) * 100n + readNumber(lower(match[2]));
}

test('200 000 amounts of every size are parsed back to the same value, each in distinct words', () => {
  // A fixed sequence, so that a failure can be repeated.
  let state = 0x9e3779b97f4a7c15n;
  const random = () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return state >> 11n;
  };
  const seen = new Set<string>();
  for (let index = 0; index < 200_000; index += 1) {
    const currency = CURRENCIES[index % 4]!;
    // Every small amount, then amounts of two to fourteen digits.
    const minor = index < 60_000 ? BigInt(index >> 2) : random() % 10n ** BigInt(2 + (index % 13));
    const words = amountInWords(minor, currency);
    const read = readAmount(words, currency);
    if (read !== minor) expect(`${words}: ${read}`).toBe(minor.toString());
    if (!/^\p{Lu}[\p{L} ]+$/u.test(words)) expect(words).toMatch(/^\p{Lu}[\p{L} ]+$/u);
    seen.add(`${words}`);
  }
  expect(seen.size).toBeGreaterThan(150_000);
});
