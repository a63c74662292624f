// Names of the reports, their groups, and the period for comparison. The panel in the browser imports them too.

export const SALES_GROUPS = ['month', 'day', 'branch', 'salesperson', 'brand', 'payment_type'] as const;
export const COLLECTION_GROUPS = ['month', 'day', 'method', 'staff'] as const;
export const PROFIT_GROUPS = ['month', 'branch', 'brand'] as const;
export const LISTING_GROUPS = ['listing', 'day'] as const;

/** The last day of each age bucket but the last. */
export const STOCK_BUCKET_ENDS = [30, 60, 90, 180] as const;
export const STOCK_BUCKETS = ['0-30', '31-60', '61-90', '91-180', '181+'] as const;
export const OVERDUE_BUCKET_ENDS = [30, 60, 90] as const;
export const OVERDUE_BUCKETS = ['1-30', '31-60', '61-90', '91+'] as const;
export const RISK_BANDS = ['yüksek', 'orta', 'düşük'] as const;

export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

const instantOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

export const monthOf = (day: string): DaySpan => {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return { from: `${day.slice(0, 7)}-01`, to: dayOf(Date.UTC(year, month, 0)) };
};

/** Whole months are compared with as many months before them, other periods with as many days. */
export function spanBefore({ from, to }: DaySpan): DaySpan {
  const last = dayOf(instantOf(from) - DAY_MS);
  if (from.endsWith('-01') && monthOf(to).to === to) {
    const [first, end] = [from, to].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))) as [number, number];
    const begin = 2 * first - end - 1;
    const month = (begin - 1) % 12;
    return { from: dayOf(Date.UTC((begin - 1 - month) / 12, month, 1)), to: last };
  }
  return { from: dayOf(2 * instantOf(from) - instantOf(to) - DAY_MS), to: last };
}

/** The parts of a custom report. */
export const DATASETS = ['sales', 'installments', 'collections', 'vehicles', 'listings'] as const;
export type Dataset = (typeof DATASETS)[number];

export const METRICS = {
  sales: ['count', 'sum_sale_price', 'sum_financed', 'avg_sale_price'],
  installments: ['count', 'sum_amount', 'sum_remaining', 'sum_overdue'],
  collections: ['count', 'sum_amount', 'sum_applied'],
  vehicles: ['count', 'sum_price', 'avg_age_days'],
  listings: ['count', 'sum_views', 'sum_contacts'],
} as const satisfies Readonly<Record<Dataset, readonly string[]>>;
export type Metric = (typeof METRICS)[Dataset][number];

export const CUSTOM_GROUPS = {
  sales: ['month', 'day', 'status', 'currency', 'branch', 'salesperson', 'brand', 'customer'],
  installments: ['month', 'day', 'status', 'currency', 'branch', 'salesperson', 'kind', 'customer'],
  collections: ['month', 'day', 'status', 'currency', 'branch', 'method', 'kind', 'customer'],
  vehicles: ['month', 'day', 'status', 'currency', 'branch', 'brand'],
  listings: ['month', 'day', 'status', 'currency', 'branch', 'brand'],
} as const satisfies Readonly<Record<Dataset, readonly string[]>>;
export type CustomGroup = (typeof CUSTOM_GROUPS)[Dataset][number];

/** The `status` values of each data set. */
export const CUSTOM_STATUSES = {
  sales: ['Aktif', 'Tamamlandı', 'İptal'],
  installments: ['Bekliyor', 'Kısmi Ödendi', 'Ödendi', 'Yapılandırıldı', 'İptal'],
  collections: ['Geçerli', 'İptal Edildi'],
  vehicles: ['Stokta', 'Rezerve', "Auction'da", 'Satıldı'],
  listings: ['Yayında', 'Askıda', 'Kapandı'],
} as const satisfies Readonly<Record<Dataset, readonly string[]>>;

export const MAX_METRICS = 4;
export const MAX_GROUPS = 2;

const WITHOUT_CURRENCY: readonly Metric[] = ['count', 'avg_age_days', 'sum_views', 'sum_contacts'];

/** Counts and days have no currency; every other measure is money. */
export const isMoney = (metric: Metric): boolean => !WITHOUT_CURRENCY.includes(metric);
