// Lines above and below a list in a workbook: its title, its day, its filters, and the sums of its amounts.
import { civilIn } from '../../kit/clock.ts';
import type { Locale } from '../../kit/errors.ts';
import type { SheetTotals } from '../formats/xlsx-write.ts';
import type { ListColumn } from './list-columns.ts';

/** The filters of lists in words; others are named as they are. */
const FILTERS: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  q: { tr: 'Arama', en: 'Search' },
  search: { tr: 'Arama', en: 'Search' },
  status: { tr: 'Durum', en: 'Status' },
  from: { tr: 'İlk gün', en: 'From' },
  to: { tr: 'Son gün', en: 'To' },
  currency: { tr: 'Para birimi', en: 'Currency' },
  method: { tr: 'Yöntem', en: 'Method' },
  type: { tr: 'Tür', en: 'Kind' },
  payment_type: { tr: 'Ödeme şekli', en: 'Payment' },
  risk_level: { tr: 'Risk', en: 'Risk' },
  plate: { tr: 'Plaka', en: 'Plate' },
  brand: { tr: 'Marka', en: 'Brand' },
  model: { tr: 'Model', en: 'Model' },
  city: { tr: 'Şehir', en: 'City' },
  fuel_type: { tr: 'Yakıt', en: 'Fuel' },
  transmission: { tr: 'Vites', en: 'Gearbox' },
  body_type: { tr: 'Kasa tipi', en: 'Body type' },
  km_min: { tr: 'En az km', en: 'Km from' },
  km_max: { tr: 'En çok km', en: 'Km to' },
  price_min: { tr: 'En az fiyat', en: 'Price from' },
  price_max: { tr: 'En çok fiyat', en: 'Price to' },
  year_min: { tr: 'En az yıl', en: 'Year from' },
  year_max: { tr: 'En çok yıl', en: 'Year to' },
  customer_id: { tr: 'Müşteri', en: 'Customer' },
  vehicle_id: { tr: 'Araç', en: 'Vehicle' },
  sale_id: { tr: 'Satış', en: 'Sale' },
  branch_id: { tr: 'Şube', en: 'Branch' },
  salesperson_id: { tr: 'Satış danışmanı', en: 'Salesperson' },
  min_days: { tr: 'En az gecikme (gün)', en: 'Days overdue from' },
};

/** The order of a list is no filter. */
const NO_FILTERS = ['sort', 'limit', 'offset', 'cursor'];

interface Made {
  readonly now: Date;
  readonly timezone: string;
  readonly locale: Locale;
  readonly query: Readonly<Record<string, unknown>>;
}

export function headingOf(title: string, { now, timezone, locale, query }: Made): string[] {
  const chosen = locale === 'tr' ? 'seçili' : 'chosen';
  const filters = Object.entries(query)
    .filter(([name, value]) => value !== undefined && value !== null && value !== '' && !NO_FILTERS.includes(name))
    .map(([name, value]) => `${FILTERS[name]?.[locale] ?? name}: ${name.endsWith('_id') ? chosen : filterText(value, locale)}`);
  const at = dayText(civilIn(now, timezone), locale);
  return [title, [at, ...filters].join(' · ')];
}

/** 2026-11-18T12:30:00 → 18.11.2026 12:30. */
function dayText(civil: string, locale: Locale): string {
  const [, year, month, day, time = ''] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?/.exec(civil) ?? [];
  const mark = locale === 'tr' ? '.' : '/';
  return `${day}${mark}${month}${mark}${year} ${time}`.trim();
}

function filterText(value: unknown, locale: Locale): string {
  if (typeof value === 'boolean') return value ? (locale === 'tr' ? 'evet' : 'yes') : locale === 'tr' ? 'hayır' : 'no';
  if (Array.isArray(value)) return value.map((one) => filterText(one, locale)).join(', ');
  if (value instanceof Date) return dayText(value.toISOString().slice(0, 10), locale);
  if (typeof value === 'object' && value !== null)
    return Object.values(value)
      .map((one) => filterText(one, locale))
      .join(' ');
  const text = String(value);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? dayText(text, locale) : text;
}

const CANCELLED = ['İptal', 'İptal Edildi'];

/** The amounts of a list with a currency are added up by currency; cancelled records do not count, reversals cancel what they reverse. */
export function totalsOf(columns: readonly ListColumn[], locale: Locale): { totals?: SheetTotals } {
  const currency = columns.findIndex(({ field }) => field === 'currency');
  const sums = columns.flatMap(({ kind, isNotAdded }, index) => (kind === 'money' && !isNotAdded ? [index] : []));
  if (currency < 0 || sums.length === 0) return {};
  const status = columns.findIndex(({ field }) => field === 'status');
  // A collection that was reversed is in the list with its reversal; both count.
  const hasReversals = columns.some(({ field }) => field === 'receipt_no');
  const skips = status >= 0 && !hasReversals;
  const without = locale === 'tr' ? ', iptaller hariç' : ', without cancelled ones';
  const label = (code: string) => `${locale === 'tr' ? 'Toplam' : 'Total'} (${code}${skips ? without : ''})`;
  return {
    totals: { currency, sums, label, ...(skips ? { counts: (row) => !CANCELLED.includes(String(row[status] ?? '')) } : {}) },
  };
}
