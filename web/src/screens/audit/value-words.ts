// A stored value as people write it: 12.03.2026, 13.900,00, Evet, Reserved. Null where it is best shown as it is.
import { type Format, formatFor } from '../../format.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { partsTexts } from '../../texts/parts.ts';
import { shellTexts } from '../../texts/shell.ts';
import { auditTexts } from './texts.ts';

export function valueWords(value: unknown, format: Format): string | null {
  const { locale } = format;
  if (typeof value === 'boolean') return value ? auditTexts[locale].yes : auditTexts[locale].no;
  if (typeof value !== 'string') return null;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatFor(locale, 'UTC').date(value);
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return format.dateTime(value);
  if (/^-?\d+\.\d\d$/.test(value)) return format.amount(value);
  const words: Readonly<Record<string, string>> = { ...partsTexts[locale].vehicles, ...shellTexts[locale].roles };
  const word = words[value] ?? saleWord(locale, value);
  return word === value ? null : word;
}
