// Amounts in Turkish words, as promissory notes and receipts print them: the number without spaces, the first letter capital.
import type { Currency } from '../../kit/money.ts';

const ONES = ['', 'bir', 'iki', 'üç', 'dört', 'beş', 'altı', 'yedi', 'sekiz', 'dokuz'];
const TENS = ['', 'on', 'yirmi', 'otuz', 'kırk', 'elli', 'altmış', 'yetmiş', 'seksen', 'doksan'];
const GROUPS = ['', 'bin', 'milyon', 'milyar', 'trilyon'];

const UNITS: Readonly<Record<Currency, readonly [whole: string, minor: string]>> = {
  TL: ['Türk lirası', 'kuruş'],
  STG: ['İngiliz sterlini', 'peni'],
  USD: ['Amerikan doları', 'sent'],
  EUR: ['avro', 'sent'],
};

/** 94166n STG: «Dokuzyüzkırkbir İngiliz sterlini altmışaltı peni». */
export function amountInWords(minor: bigint, currency: Currency): string {
  if (minor < 0n) throw new RangeError('an amount in words is not negative');
  const [wholeUnit, minorUnit] = UNITS[currency];
  const [whole, rest] = [minor / 100n, minor % 100n];
  const parts = [];
  if (whole > 0n || rest === 0n) parts.push(`${numberInWords(whole)} ${wholeUnit}`);
  if (rest > 0n) parts.push(`${numberInWords(rest)} ${minorUnit}`);
  const words = parts.join(' ');
  return words.charAt(0).toLocaleUpperCase('tr') + words.slice(1);
}

function numberInWords(number: bigint): string {
  if (number === 0n) return 'sıfır';
  const groups = [];
  for (let left = number; left > 0n; left /= 1000n) groups.push(Number(left % 1000n));
  if (groups.length > GROUPS.length) throw new RangeError('a number too large for words');
  return groups
    .map((group, index) => {
      if (group === 0) return '';
      // One thousand is «bin», one million «birmilyon».
      return `${group === 1 && index === 1 ? '' : hundredsInWords(group)}${GROUPS[index]}`;
    })
    .reverse()
    .join('');
}

function hundredsInWords(group: number): string {
  const [hundreds, tens, ones] = [Math.floor(group / 100), Math.floor((group % 100) / 10), group % 10];
  // One hundred is «yüz».
  return `${hundreds > 1 ? ONES[hundreds] : ''}${hundreds > 0 ? 'yüz' : ''}${TENS[tens]}${ONES[ones]}`;
}
