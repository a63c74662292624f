// The tables of each report: the columns in order, and the rows of each from the API's response. The panel's screen and its files
// show the same. The panel in the browser imports it too.

/** The totals valued in one currency, and the rates; both only on request. */
const inOneCurrency = <const Figures extends readonly string[]>(...figures: Figures) =>
  ({ converted: ['currency', ...figures], rates: ['pair', 'rate', 'source', 'rate_date'] }) as const;

const LISTING_FIGURES = [
  'views',
  'favorites',
  'contacts',
  'contact_rate',
  'offers',
  'accepted_offers',
  'offer_rate',
  'days_live',
  'sold_count',
  'average_days_to_sale',
  'boost_spend',
] as const;

const SHAPES = {
  'sales-summary': {
    groups: ['month', 'day', 'branch', 'salesperson', 'brand', 'payment_type'],
    parts: {
      ...inOneCurrency(
        'gross_sales',
        'down_payment_total',
        'financed_total',
        'finance_charge_total',
        'trade_in_total',
        'cancelled_amount',
      ),
      rows: [
        'group',
        'currency',
        'sale_count',
        'gross_sales',
        'average_price',
        'down_payment_total',
        'financed_total',
        'finance_charge_total',
        'trade_in_total',
      ],
      currency_rows: ['currency', 'cancelled_count', 'cancelled_amount'],
    },
  },
  'collections-summary': {
    groups: ['month', 'day', 'method', 'staff'],
    parts: {
      ...inOneCurrency(
        'gross',
        'reversed',
        'refunded',
        'net',
        'due_amount',
        'paid_of_due',
        'discounted_of_due',
        'unpaid_of_due',
        'advance',
      ),
      rows: ['group', 'currency', 'count', 'gross', 'reversed', 'refunded', 'net'],
      currency_rows: [
        'currency',
        'due_amount',
        'paid_of_due',
        'collection_rate',
        'discounted_of_due',
        'unpaid_of_due',
        'advance',
      ],
    },
  },
  'inventory-aging': {
    isOfToday: true,
    parts: {
      ...inOneCurrency('list_value'),
      buckets: ['bucket', 'currency', 'count', 'list_value'],
      currency_rows: ['currency', 'count', 'list_value', 'average_age_days'],
      by_status: ['status', 'count'],
      oldest: ['vehicle', 'plate', 'model_year', 'status', 'age', 'currency', 'price'],
    },
  },
  'profit-loss': {
    groups: ['month', 'branch', 'brand'],
    isSensitive: true,
    parts: {
      ...inOneCurrency(
        'revenue',
        'cost',
        'vehicle_expenses',
        'gross_profit',
        'unknown_cost_revenue',
        'retained_income',
        'late_interest_income',
        'discount_total',
        'net_profit',
        'overhead',
        'profit_after_overhead',
      ),
      rows: [
        'group',
        'currency',
        'revenue',
        'cost',
        'vehicle_expenses',
        'gross_profit',
        'margin',
        'unknown_cost_count',
        'unknown_cost_revenue',
      ],
      currency_rows: [
        'currency',
        'retained_income',
        'late_interest_income',
        'discount_total',
        'net_profit',
        'overhead',
        'profit_after_overhead',
      ],
      overhead: ['category', 'currency', 'amount'],
      platform_expense: ['currency', 'amount'],
    },
  },
  'salesperson-performance': {
    parts: {
      rows: [
        'group',
        'currency',
        'sale_count',
        'gross_sales',
        'average_price',
        'cancelled_count',
        'collected',
        'outstanding',
        'overdue',
        'overdue_ratio',
      ],
    },
  },
  'overdue-risk': {
    isOfToday: true,
    isSensitive: true,
    parts: {
      ...inOneCurrency('outstanding', 'overdue'),
      currency_rows: ['currency', 'outstanding', 'overdue', 'overdue_ratio', 'par30'],
      buckets: ['bucket', 'currency', 'installment_count', 'customer_count', 'amount'],
      customers: ['name', 'currency', 'outstanding', 'overdue', 'max_days_overdue', 'score', 'band'],
    },
  },
  'marketplace-performance': {
    groups: ['listing', 'day'],
    parts: { totals: ['listing_count', ...LISTING_FIGURES], rows: ['group', ...LISTING_FIGURES] },
  },
} as const;

type Shapes = typeof SHAPES;
type EachOf<T> = T extends unknown ? T[keyof T] : never;
type KeyOf<T> = T extends unknown ? keyof T : never;
type Parts = EachOf<Shapes>['parts'];
/** words-states.ts has a word for each of them. */
type Part = KeyOf<Parts>;
type Figure = EachOf<Parts>[number];
type Group = Extract<EachOf<Shapes>, { readonly groups: unknown }>['groups'][number];

export interface ReportShape {
  readonly groups?: readonly Group[];
  readonly isOfToday?: true;
  /** For owner and finance only, and never in a mail. */
  readonly isSensitive?: true;
  readonly parts: Readonly<Partial<Record<Part, readonly Figure[]>>>;
}

export const REPORT_SHAPES: Readonly<Record<keyof Shapes, ReportShape>> = SHAPES;

/** Figures that are fractions of one. */
export const RATIOS: readonly string[] = ['collection_rate', 'margin', 'overdue_ratio', 'par30', 'contact_rate', 'offer_rate'];
/** Columns that name the subject of a row. */
export const NAMING: readonly string[] = [
  'category',
  'group',
  'bucket',
  'currency',
  'name',
  'band',
  'vehicle',
  'plate',
  'status',
  'pair',
  'source',
];

export const FIXED_REPORTS = Object.keys(REPORT_SHAPES) as (keyof Shapes)[];

type Row = Readonly<Record<string, unknown>>;

interface ConvertedBlock {
  readonly currency: string;
  readonly rate_date: string;
  readonly source: string;
  readonly rates: readonly { readonly pair: string; readonly rate: string }[];
  readonly totals: Readonly<Record<string, string>>;
}

/** A report as the API returns it. */
export type AnyReport = Readonly<Partial<Record<Exclude<Part, 'rates'>, unknown>>>;

/** The rows of one of its tables; empty if it has no such table. */
export function rowsOf(report: AnyReport, part: Part): readonly Row[] {
  if (part === 'converted' || part === 'rates')
    return rowsOfConverted(report.converted as ConvertedBlock | null | undefined, part);
  const found = report[part] ?? [];
  if (part === 'by_status') return Object.entries(found).flatMap(([status, count]) => (count === 0 ? [] : { status, count }));
  if (part === 'oldest') return (found as readonly Row[]).map((car) => ({ ...car, vehicle: `${car.brand} ${car.model}` }));
  if (part === 'customers')
    return (found as readonly Row[]).map((one) => ({ ...one, name: `${one.first_name} ${one.last_name}` }));
  if (Array.isArray(found)) return found as readonly Row[];
  return oneRow(found as Row);
}

/** A part that is one object is one row, and none if it is empty. */
function oneRow(row: Row): readonly Row[] {
  const isEmpty = Object.entries(row).every(([name, value]) => name === 'currency' || value === null || Number(value) === 0);
  return isEmpty ? [] : [row];
}

function rowsOfConverted(converted: ConvertedBlock | null | undefined, part: 'converted' | 'rates'): readonly Row[] {
  if (converted === null || converted === undefined) return [];
  const { currency, totals, rates, source, rate_date } = converted;
  return part === 'converted' ? oneRow({ currency, ...totals }) : rates.map((rate) => ({ ...rate, source, rate_date }));
}

/** Reports with cost or debtors are never mailed. */
export const MAILED_REPORTS: readonly (keyof Shapes)[] = FIXED_REPORTS.filter((name) => !REPORT_SHAPES[name].isSensitive);

export const MAIL_FREQUENCIES = ['Haftalık', 'Aylık'] as const;
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number];
export const MAX_SCHEDULES = 20;
/** The hour, in the dealer's time zone, from which they are sent. */
export const MAIL_HOUR = 8;
