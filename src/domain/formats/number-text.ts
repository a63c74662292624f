// Numbers as people and spreadsheets write them: 84.000 and 5.000,50 in Turkish, 84,000 and 5,000.50 in English. Forms and
// imports use it.

export const NUMBER_FORMATS = ['tr', 'en'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

const TR = { grouped: /^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$/, plain: /^\d{1,12}(?:,\d{1,2})?$/, group: '.', decimal: ',' };
const EN = { grouped: /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/, plain: /^\d{1,12}(?:\.\d{1,2})?$/, group: ',', decimal: '.' };
const FORMATS = { tr: TR, en: EN };

/** One group and no fraction: 84.000 is eighty-four thousand in Turkish, but in English it is eighty-four with three decimals. */
const ONE_GROUP = /^\d{1,3}[.,]\d{3}$/;
/** Longer than any amount with its groups and its currency. */
const MAX_LENGTH = 40;

const bareOf = (text: string): string => text.replace(/[\s\u00a0₺£$€]/g, '');

/**
 * The number as plain decimal text, 5000.50; null if it is not a number. It is read in `format`, or in the other format if only
 * that fits; text that would have another value in `format` is not guessed. Without a format, both are accepted.
 */
export function plainNumber(text: string, format: NumberFormat | null): string | null {
  if (text.length > MAX_LENGTH) return null;
  const bare = bareOf(text);
  const [first, other] = format === 'en' ? [EN, TR] : [TR, EN];
  for (const { grouped, plain, group, decimal } of [first, other]) {
    if (format !== null && group !== first.group && ONE_GROUP.test(bare)) continue;
    if (grouped.test(bare) || plain.test(bare)) return bare.replaceAll(group, '').replace(decimal, '.');
  }
  return null;
}

/** A whole number; 84.000,00 is one too, because spreadsheets write it like that. */
export function plainWhole(text: string, format: NumberFormat | null): number | null {
  const plain = plainNumber(text, format);
  const [whole, rest = ''] = plain?.split('.') ?? [''];
  return whole !== undefined && /^\d{1,9}$/.test(whole) && /^0*$/.test(rest) ? Number(whole) : null;
}

/**
 * The format of the texts; null if they do not show it. Groups are stronger evidence than a fraction: 1.6 may be an engine size.
 */
export function formatOf(texts: Iterable<string>): NumberFormat | null {
  const seen = { tr: { strong: 0, weak: 0 }, en: { strong: 0, weak: 0 } };
  for (const text of texts) {
    if (text.length > MAX_LENGTH) continue;
    const bare = bareOf(text);
    for (const format of NUMBER_FORMATS) {
      const { grouped, plain, decimal } = FORMATS[format];
      if (grouped.test(bare)) seen[format].strong += 1;
      else if (bare.includes(decimal) && plain.test(bare)) seen[format].weak += 1;
    }
  }
  return more(seen.tr.strong, seen.en.strong) ?? more(seen.tr.weak, seen.en.weak);
}

const more = (tr: number, en: number): NumberFormat | null => (tr === en ? null : tr > en ? 'tr' : 'en');

/** Evidence from a file: numbers that only one format writes, and the first number that the formats read differently. */
export interface NumberSigns {
  tr: boolean;
  en: boolean;
  doubtful: string | null;
}

export function countSigns(signs: NumberSigns, text: string): void {
  if (text.length > MAX_LENGTH) return;
  const bare = bareOf(text);
  if (ONE_GROUP.test(bare)) {
    signs.doubtful ??= bare;
    return;
  }
  const [tr, en] = [TR, EN].map(({ grouped, plain }) => grouped.test(bare) || plain.test(bare));
  if (tr && !en) signs.tr = true;
  if (en && !tr) signs.en = true;
}

/** Null if every number has the same value in both formats; `unclear` if some do not and the others do not decide. */
export function formatTold({ tr, en, doubtful }: NumberSigns): NumberFormat | 'unclear' | null {
  if (doubtful === null) return null;
  return tr === en ? 'unclear' : tr ? 'tr' : 'en';
}

/**
 * 17.11.2026, as Turkish spreadsheets write a day, in ISO format; null if it is not a day. With slashes the month may come first.
 */
export function plainDay(text: string): string | null {
  const [, day, month, year] = /^\s*(\d{1,2})\.(\d{1,2})\.(\d{4})\s*$/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}
