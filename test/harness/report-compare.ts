// Compares the service's eight reports with the records.
import type { Session } from '../../src/postgres/database.ts';
import { MarketReference, readMarket } from './report-market.ts';
import { readRecords } from './report-records.ts';
import { type Figures, Reference } from './report-reference.ts';

// biome-ignore lint/suspicious/noExplicitAny: what the API shows
type Shown = any;
/** Null where the API returns 409 rate_not_available. */
export type ReadReport = (path: string) => Promise<Shown>;

export interface ReportRequest {
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly into: string;
}

const keyed = (rows: readonly Shown[], name: (row: Shown) => string, figures: (row: Shown) => unknown[]): Figures =>
  Object.fromEntries(rows.map((row) => [name(row), figures(row).map(String).join(' ')]));
const minor = (text: string): bigint => BigInt(text.replace('.', ''));

export async function compareReports(
  session: Session,
  accountId: string,
  read: ReadReport,
  { from, to, today, into }: ReportRequest,
): Promise<string[]> {
  const reference = new Reference(await readRecords(session, accountId), today);
  const problems: string[] = [];
  const check = (about: string, due: Figures, found: Figures): void => {
    for (const name of new Set([...Object.keys(due), ...Object.keys(found)]))
      if (due[name] !== found[name]) problems.push(`${about} ${name}: should be «${due[name]}» and is «${found[name]}»`);
  };
  const range = `from=${from}&to=${to}`;
  const rateDay = to < today ? to : today;
  const checkValued = (about: string, shown: Shown, figure: string, rows: readonly Shown[]): void => {
    const due = reference.valued(
      rateDay,
      into,
      rows.map((row: Shown) => [row.currency, minor(row[figure])] as const),
    );
    const found = shown === null ? null : shown.converted.totals[figure];
    if (due !== found) problems.push(`${about} ${figure} in ${into}: should be ${due} and is ${found}`);
  };
  for (const by of ['month', 'brand', 'branch', 'salesperson']) {
    const path = `sales-summary?${range}&group_by=${by}`;
    const shown = await read(path);
    check(path, reference.salesSummary(from, to, by), {
      ...keyed(shown.rows, groupOf, (r) => [
        ...[r.sale_count, r.gross_sales, r.finance_charge_total, r.trade_in_total, r.down_payment_total, r.financed_total],
        ...[r.average_price, r.cash_count],
      ]),
      ...keyed(
        shown.currency_rows,
        (r) => `cancelled|${r.currency}`,
        (r) => [r.cancelled_count, r.cancelled_amount],
      ),
      external: String(shown.external_count),
    });
    checkValued(path, await read(`${path}&convert_to=${into}`), 'gross_sales', shown.rows);
  }
  for (const by of ['month', 'day', 'method', 'staff']) {
    const path = `collections-summary?${range}&group_by=${by}`;
    const shown = await read(path);
    check(path, reference.collectionsSummary(from, to, by), {
      ...keyed(shown.rows, groupOf, (r) => [r.count, r.gross, r.reversed, r.refunded, r.net]),
      ...keyed(
        shown.currency_rows,
        (r) => `due|${r.currency}`,
        (r) => [...[r.due_amount, r.paid_of_due, r.collection_rate, r.discounted_of_due, r.unpaid_of_due, r.advance]],
      ),
    });
    checkValued(path, await read(`${path}&convert_to=${into}`), 'net', shown.rows);
  }
  for (const by of ['month', 'brand', 'branch']) {
    const path = `profit-loss?${range}&group_by=${by}`;
    const shown = await read(path);
    check(path, reference.profitLoss(from, to, by), {
      ...keyed(shown.rows, groupOf, (r) => [
        ...[r.revenue, r.cost, r.vehicle_expenses, r.gross_profit, r.margin, r.unknown_cost_count, r.unknown_cost_revenue],
      ]),
      ...keyed(
        shown.currency_rows,
        (r) => `net|${r.currency}`,
        (r) => [r.retained_income, r.late_interest_income, r.discount_total, r.net_profit, r.overhead, r.profit_after_overhead],
      ),
    });
    const overheads = keyed(
      shown.overhead,
      (r) => `overhead|${r.category}|${r.currency}`,
      (r) => [r.amount],
    );
    check(path, reference.overhead(from, to), overheads);
    const valued = await read(`${path}&convert_to=${into}`);
    for (const figure of ['net_profit', 'profit_after_overhead']) checkValued(path, valued, figure, shown.currency_rows);
  }
  await compareOthers(reference, read, check, { from, to });
  const market = new MarketReference(await readMarket(session, accountId), today);
  await compareMarket(market, read, check, { from, to });
  return problems;
}

async function compareOthers(
  reference: Reference,
  read: ReadReport,
  check: (about: string, due: Figures, found: Figures) => void,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const range = `from=${from}&to=${to}`;
  const aging = await read('inventory-aging');
  const counted = Object.entries(aging.by_status).filter(([, count]) => count !== 0);
  check('inventory-aging', reference.inventoryAging(), {
    ...keyed(
      aging.buckets,
      (r) => `${r.bucket}|${r.currency}`,
      (r) => [r.count, r.list_value],
    ),
    ...keyed(
      aging.currency_rows,
      (r) => `all|${r.currency}`,
      (r) => [r.count, r.list_value, r.average_age_days],
    ),
    ...Object.fromEntries(counted.map(([status, count]) => [`status|${status}`, String(count)])),
  });
  const sellers = await read(`salesperson-performance?${range}`);
  check('salesperson-performance', reference.salespersonPerformance(from, to), {
    ...keyed(sellers.rows, groupOf, (r) => [
      ...[
        r.sale_count,
        r.gross_sales,
        r.average_price,
        r.cancelled_count,
        r.collected,
        r.outstanding,
        r.overdue,
        r.overdue_ratio,
      ],
    ]),
  });
  const risk = await read('overdue-risk?limit=100');
  check('overdue-risk', reference.overdueRisk(), {
    ...keyed(
      risk.currency_rows,
      (r) => `all|${r.currency}`,
      (r) => [r.outstanding, r.overdue, r.overdue_ratio, r.par30],
    ),
    ...keyed(
      risk.buckets,
      (r) => `${r.bucket}|${r.currency}`,
      (r) => [r.installment_count, r.customer_count, r.amount],
    ),
    ...keyed(
      risk.customers,
      (r) => `${r.customer_id}|${r.currency}`,
      (r) => [
        ...[
          r.outstanding,
          r.overdue,
          r.max_days_overdue,
          r.broken_promises_12m,
          r.has_open_promise,
          r.guarantor_count,
          r.score,
          r.band,
        ],
      ],
    ),
  });
  const sales = await read(
    `custom?dataset=sales&metrics=count,sum_sale_price,sum_financed,avg_sale_price&group_by=brand&${range}`,
  );
  check('custom sales', reference.customSales(from, to), {
    ...keyed(
      sales.rows,
      (r) => `${r.brand}|${r.currency}`,
      (r) => [r.count, r.sum_sale_price, r.sum_financed, r.avg_sale_price],
    ),
  });
  const money = await read(`custom?dataset=collections&metrics=count,sum_applied&group_by=kind&${range}`);
  check('custom collections', reference.customCollections(from, to), {
    ...keyed(
      money.rows,
      (r) => `${r.kind}|${r.currency}`,
      (r) => [r.count, r.sum_applied],
    ),
  });
}

/** Listings and platform spending. */
async function compareMarket(
  reference: MarketReference,
  read: ReadReport,
  check: (about: string, due: Figures, found: Figures) => void,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const range = `from=${from}&to=${to}`;
  const figures = (r: Shown) => [
    ...[r.views, r.favorites, r.contacts, r.offers, r.accepted_offers, r.contact_rate, r.offer_rate, r.days_live, r.sold_count],
    ...[r.average_days_to_sale, r.boost_spend],
  ];
  for (const by of ['listing', 'day'] as const) {
    const path = `marketplace-performance?${range}&group_by=${by}${by === 'listing' ? '&limit=100' : ''}`;
    const shown = await read(path);
    check(path, reference.performance(from, to, by), {
      ...keyed(shown.rows, (r) => r.group, figures),
      totals: [shown.totals.listing_count, ...figures(shown.totals)].map(String).join(' '),
    });
  }
  const listings = await read(`custom?dataset=listings&metrics=count,sum_views,sum_contacts&group_by=brand&${range}`);
  check('custom listings', reference.customListings(from, to), {
    ...keyed(
      listings.rows,
      (r) => r.brand,
      (r) => [r.count, r.sum_views, r.sum_contacts],
    ),
  });
  const { platform_expense } = await read(`profit-loss?${range}`);
  check(
    'platform_expense',
    { TL: reference.platformExpense(from, to) },
    { [platform_expense.currency]: platform_expense.amount },
  );
}

const groupOf = (row: Shown): string => `${row.group}|${row.currency}`;
