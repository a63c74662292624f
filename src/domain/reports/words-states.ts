// What the reports show and what it is called, in both languages: the panel's screen, its files and the mails say the same. Read by the browser too.

export const REPORT_WORDS = {
  tr: {
    names: {
      'sales-summary': 'Satışlar',
      'collections-summary': 'Tahsilat',
      'inventory-aging': 'Stok yaşı',
      'profit-loss': 'Kâr-zarar',
      'salesperson-performance': 'Satış danışmanları',
      'overdue-risk': 'Gecikme riski',
      'marketplace-performance': 'İlan performansı',
      custom: 'Özel rapor',
    },
    groups: {
      month: 'Ay',
      day: 'Gün',
      branch: 'Şube',
      salesperson: 'Satış danışmanı',
      brand: 'Marka',
      payment_type: 'Ödeme şekli',
      method: 'Yöntem',
      staff: 'Personel',
      status: 'Durum',
      currency: 'Para birimi',
      customer: 'Müşteri',
      kind: 'Tür',
      listing: 'İlan',
    },
    columns: {
      group: 'Grup',
      bucket: 'Gün',
      currency: 'Para birimi',
      name: 'Müşteri',
      sale_count: 'Satış',
      gross_sales: 'Satış tutarı',
      finance_charge_total: 'Vade farkı',
      trade_in_total: 'Takas',
      down_payment_total: 'Peşinat',
      financed_total: 'Taksitlenen',
      average_price: 'Ortalama fiyat',
      cash_count: 'Peşin',
      installment_count: 'Taksitli',
      cancelled_count: 'İptal',
      cancelled_amount: 'İptal tutarı',
      count: 'Adet',
      gross: 'Alınan',
      reversed: 'Ters kayıt',
      refunded: 'İade',
      net: 'Net',
      due_amount: 'Vadesi gelen',
      paid_of_due: 'Ödenen',
      collection_rate: 'Tahsilat oranı',
      discounted_of_due: 'İndirim',
      unpaid_of_due: 'Ödenmeyen',
      advance: 'Erken ödenen',
      list_value: 'Liste değeri',
      average_age_days: 'Ortalama gün',
      revenue: 'Gelir',
      cost: 'Maliyet',
      gross_profit: 'Brüt kâr',
      margin: 'Kâr oranı',
      unknown_cost_count: 'Maliyeti bilinmeyen',
      unknown_cost_revenue: 'Bilinmeyenlerin geliri',
      retained_income: 'Alıkonan',
      late_interest_income: 'Gecikme faizi',
      discount_total: 'İndirim',
      net_profit: 'Net kâr',
      collected: 'Tahsil edilen',
      outstanding: 'Açık',
      overdue: 'Gecikmiş',
      overdue_ratio: 'Gecikme oranı',
      par30: '30 günü aşan',
      customer_count: 'Müşteri',
      amount: 'Tutar',
      max_days_overdue: 'En uzun gecikme (gün)',
      score: 'Puan',
      band: 'Risk',
      listing_count: 'İlan',
      views: 'Görüntülenme',
      favorites: 'Favori',
      contacts: 'İletişim',
      offers: 'Teklif',
      accepted_offers: 'Kabul edilen teklif',
      contact_rate: 'İletişim oranı',
      offer_rate: 'Teklif oranı',
      days_live: 'Yayında geçen gün',
      sold_count: 'Satılan',
      average_days_to_sale: 'Ortalama satış süresi (gün)',
      boost_spend: 'Doping harcaması',
      sum_sale_price: 'Satış tutarı',
      sum_financed: 'Taksitlenen',
      avg_sale_price: 'Ortalama fiyat',
      sum_amount: 'Tutar',
      sum_remaining: 'Kalan',
      sum_overdue: 'Gecikmiş',
      sum_applied: 'Satışa işlenen',
      sum_price: 'Liste değeri',
      avg_age_days: 'Ortalama gün',
      sum_views: 'Görüntülenme',
      sum_contacts: 'İletişim',
    },
    datasets: {
      sales: 'Satışlar',
      installments: 'Taksitler',
      collections: 'Tahsilatlar',
      vehicles: 'Araçlar',
      listings: 'İlanlar',
    },
    parts: {
      rows: 'Gruplara göre',
      currency_rows: 'Para birimine göre',
      buckets: 'Süreye göre',
      customers: 'Müşteriler',
      totals: 'Toplam',
      platform_expense: 'Platform gideri (kâr dışı)',
    },
    nobody: 'Belirtilmemiş',
  },
  en: {
    names: {
      'sales-summary': 'Sales',
      'collections-summary': 'Collections',
      'inventory-aging': 'Age of stock',
      'profit-loss': 'Profit and loss',
      'salesperson-performance': 'Salespeople',
      'overdue-risk': 'Overdue risk',
      'marketplace-performance': 'Listing performance',
      custom: 'Custom report',
    },
    groups: {
      month: 'Month',
      day: 'Day',
      branch: 'Branch',
      salesperson: 'Salesperson',
      brand: 'Brand',
      payment_type: 'Payment type',
      method: 'Method',
      staff: 'Staff',
      status: 'Status',
      currency: 'Currency',
      customer: 'Customer',
      kind: 'Kind',
      listing: 'Listing',
    },
    columns: {
      group: 'Group',
      bucket: 'Days',
      currency: 'Currency',
      name: 'Customer',
      sale_count: 'Sales',
      gross_sales: 'Sales amount',
      finance_charge_total: 'Finance charge',
      trade_in_total: 'Trade-in',
      down_payment_total: 'Down payment',
      financed_total: 'Financed',
      average_price: 'Average price',
      cash_count: 'Cash',
      installment_count: 'Installments',
      cancelled_count: 'Cancelled',
      cancelled_amount: 'Cancelled amount',
      count: 'Count',
      gross: 'Received',
      reversed: 'Reversed',
      refunded: 'Refunded',
      net: 'Net',
      due_amount: 'Fell due',
      paid_of_due: 'Paid',
      collection_rate: 'Collection rate',
      discounted_of_due: 'Discount',
      unpaid_of_due: 'Unpaid',
      advance: 'Paid ahead',
      list_value: 'List value',
      average_age_days: 'Average days',
      revenue: 'Revenue',
      cost: 'Cost',
      gross_profit: 'Gross profit',
      margin: 'Margin',
      unknown_cost_count: 'Cost unknown',
      unknown_cost_revenue: 'Revenue of unknown cost',
      retained_income: 'Retained',
      late_interest_income: 'Late interest',
      discount_total: 'Discounts',
      net_profit: 'Net profit',
      collected: 'Collected',
      outstanding: 'Outstanding',
      overdue: 'Overdue',
      overdue_ratio: 'Overdue ratio',
      par30: 'Over 30 days',
      customer_count: 'Customers',
      amount: 'Amount',
      max_days_overdue: 'Longest delay (days)',
      score: 'Score',
      band: 'Risk',
      listing_count: 'Listings',
      views: 'Views',
      favorites: 'Favorites',
      contacts: 'Contacts',
      offers: 'Offers',
      accepted_offers: 'Accepted offers',
      contact_rate: 'Contact rate',
      offer_rate: 'Offer rate',
      days_live: 'Days live',
      sold_count: 'Sold',
      average_days_to_sale: 'Average days to sale',
      boost_spend: 'Boost spend',
      sum_sale_price: 'Sales amount',
      sum_financed: 'Financed',
      avg_sale_price: 'Average price',
      sum_amount: 'Amount',
      sum_remaining: 'Remaining',
      sum_overdue: 'Overdue',
      sum_applied: 'Applied to sales',
      sum_price: 'List value',
      avg_age_days: 'Average days',
      sum_views: 'Views',
      sum_contacts: 'Contacts',
    },
    datasets: {
      sales: 'Sales',
      installments: 'Installments',
      collections: 'Collections',
      vehicles: 'Vehicles',
      listings: 'Listings',
    },
    parts: {
      rows: 'By group',
      currency_rows: 'By currency',
      buckets: 'By age',
      customers: 'Customers',
      totals: 'Total',
      platform_expense: 'Platform spend (not in profit)',
    },
    nobody: 'Not set',
  },
};

export type ReportName = keyof typeof REPORT_WORDS.tr.names;
export type FixedReport = Exclude<ReportName, 'custom'>;
export type ReportFigure = keyof typeof REPORT_WORDS.tr.columns;
export type ReportGroup = keyof typeof REPORT_WORDS.tr.groups;
export type ReportPart = keyof typeof REPORT_WORDS.tr.parts;

export const REPORT_PARTS = Object.keys(REPORT_WORDS.tr.parts) as ReportPart[];

export interface ReportShape {
  readonly groups?: readonly ReportGroup[];
  readonly isOfToday?: true;
  /** For owner and finance alone, and never in a mail. */
  readonly isSensitive?: true;
  readonly parts: Readonly<Partial<Record<ReportPart, readonly ReportFigure[]>>>;
}

const LISTING_FIGURES: readonly ReportFigure[] = [
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
];

export const REPORT_SHAPES: Readonly<Record<FixedReport, ReportShape>> = {
  'sales-summary': {
    groups: ['month', 'day', 'branch', 'salesperson', 'brand', 'payment_type'],
    parts: {
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
      buckets: ['bucket', 'currency', 'count', 'list_value'],
      currency_rows: ['currency', 'count', 'list_value', 'average_age_days'],
    },
  },
  'profit-loss': {
    groups: ['month', 'branch', 'brand'],
    isSensitive: true,
    parts: {
      rows: ['group', 'currency', 'revenue', 'cost', 'gross_profit', 'margin', 'unknown_cost_count', 'unknown_cost_revenue'],
      currency_rows: ['currency', 'retained_income', 'late_interest_income', 'discount_total', 'net_profit'],
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
      currency_rows: ['currency', 'outstanding', 'overdue', 'overdue_ratio', 'par30'],
      buckets: ['bucket', 'currency', 'installment_count', 'customer_count', 'amount'],
      customers: ['name', 'currency', 'outstanding', 'overdue', 'max_days_overdue', 'score', 'band'],
    },
  },
  'marketplace-performance': {
    groups: ['listing', 'day'],
    parts: { totals: ['listing_count', ...LISTING_FIGURES], rows: ['group', ...LISTING_FIGURES] },
  },
};
/** Figures that are shares of one. */
export const RATIOS: readonly string[] = ['collection_rate', 'margin', 'overdue_ratio', 'par30', 'contact_rate', 'offer_rate'];
/** Columns that name what a row is about. */
export const NAMING: readonly string[] = ['group', 'bucket', 'currency', 'name', 'band'];

export const FIXED_REPORTS = Object.keys(REPORT_SHAPES) as FixedReport[];

type Row = Readonly<Record<string, unknown>>;

/** The rows of a part. A part that is one object is one row, and none where nothing is in it. */
export function rowsOfPart<R extends Row>(part: readonly R[] | R | undefined): readonly R[] {
  if (part === undefined || Array.isArray(part)) return (part as readonly R[] | undefined) ?? [];
  const isEmpty = Object.entries(part).every(([name, value]) => name === 'currency' || value === null || Number(value) === 0);
  return isEmpty ? [] : [part as R];
}

/** What shows cost or debtors never leaves by mail. */
export const MAILED_REPORTS: readonly FixedReport[] = FIXED_REPORTS.filter((name) => !REPORT_SHAPES[name].isSensitive);

export const MAIL_FREQUENCIES = ['Haftalık', 'Aylık'] as const;
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number];
export const MAX_SCHEDULES = 20;
/** The hour of the dealer's clocks from which they go out. */
export const MAIL_HOUR = 8;
