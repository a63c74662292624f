// The columns of a list in a file, in both languages, with people, cars and sales by their names.
import type { Locale } from '../../kit/errors.ts';
import type { XlsxKind } from '../formats/xlsx-write.ts';

/** The record whose name replaces an id. */
export type NamedBy = 'customer' | 'sale' | 'vehicle' | 'member' | 'branch';

export interface ListColumn {
  /** Path in the API representation; `customer.phone` is a nested member. */
  readonly field: string;
  readonly title: Readonly<Record<Locale, string>>;
  readonly kind: XlsxKind;
  readonly named?: NamedBy;
  /** Amounts that are not added up: balances, and amounts in another currency than the row's. */
  readonly isNotAdded?: true;
  /** The text for a value that the API writes as a code. */
  readonly words?: Readonly<Record<Locale, Readonly<Record<string, string>>>>;
}

const column = (field: string, tr: string, en: string, kind: XlsxKind = 'text'): ListColumn => ({
  field,
  title: { tr, en },
  kind,
});
const named = (field: string, by: NamedBy, tr: string, en: string): ListColumn => ({ ...column(field, tr, en), named: by });

const CUSTOMER = named('customer_id', 'customer', 'Müşteri', 'Customer');
const SALE = named('sale_id', 'sale', 'Satış no', 'Sale no.');
const VEHICLE = named('vehicle_id', 'vehicle', 'Araç', 'Car');
const BRANCH = named('branch_id', 'branch', 'Şube', 'Branch');
const CURRENCY = column('currency', 'Para birimi', 'Currency');
const STATUS = column('status', 'Durum', 'Status');
const NOTE = column('note', 'Not', 'Note');
const CREATED = column('created_at', 'Kayıt zamanı', 'Recorded', 'moment');

/** As in the panel's list. */
const RISK_WORDS = {
  tr: { low: 'Düşük', medium: 'Orta', high: 'Yüksek', blocked: 'Satışa kapalı' },
  en: { low: 'Low', medium: 'Medium', high: 'High', blocked: 'Blocked' },
};

const YES_NO = { tr: { true: 'Evet', false: 'Hayır' }, en: { true: 'Yes', false: 'No' } };

export const LIST_COLUMNS = {
  vehicles: [
    column('plate', 'Plaka', 'Plate'),
    column('brand', 'Marka', 'Brand'),
    column('model', 'Model', 'Model'),
    column('model_year', 'Model yılı', 'Model year', 'number'),
    column('km', 'Kilometre', 'Mileage (km)', 'number'),
    column('fuel_type', 'Yakıt', 'Fuel'),
    column('transmission', 'Vites', 'Gearbox'),
    column('body_type', 'Kasa tipi', 'Body type'),
    column('color', 'Renk', 'Colour'),
    column('city', 'Şehir', 'City'),
    column('price', 'Fiyat', 'Price', 'money'),
    CURRENCY,
    STATUS,
    { ...column('is_marketplace_visible', 'Pazarda yayında', 'On the marketplace'), words: YES_NO },
    column('external_ref', 'Stok no', 'Stock no.'),
    CREATED,
  ],
  customers: [
    column('company_name', 'Şirket unvanı', 'Company'),
    column('first_name', 'Ad', 'First name'),
    column('last_name', 'Soyad', 'Last name'),
    column('phone', 'Telefon', 'Phone'),
    column('email', 'E-posta', 'E-mail'),
    { ...column('risk_level', 'Risk', 'Risk'), words: RISK_WORDS },
    CREATED,
  ],
  sales: [
    column('sale_no', 'Satış no', 'Sale no.'),
    column('sale_date', 'Satış tarihi', 'Sale date', 'day'),
    CUSTOMER,
    VEHICLE,
    named('salesperson_id', 'member', 'Satış danışmanı', 'Salesperson'),
    BRANCH,
    column('payment_type', 'Ödeme şekli', 'Payment'),
    STATUS,
    CURRENCY,
    column('sale_price', 'Satış tutarı', 'Sale price', 'money'),
    column('finance_charge', 'Vade farkı', 'Finance charge', 'money'),
    column('trade_in_amount', 'Takas', 'Trade-in', 'money'),
    column('down_payment', 'Peşinat', 'Down payment', 'money'),
    column('total_receivable', 'Toplam alacak', 'Total receivable', 'money'),
    column('collected_amount', 'Tahsil edilen', 'Collected', 'money'),
    column('discounted_amount', 'İndirim', 'Discount', 'money'),
    column('outstanding_amount', 'Kalan', 'Outstanding', 'money'),
    column('overdue_amount', 'Gecikmiş', 'Overdue', 'money'),
    column('installment_count', 'Taksit', 'Installments', 'number'),
    column('invoice.no', 'Fatura no', 'Invoice no.'),
  ],
  overdue: [
    column('due_date', 'Vade', 'Due', 'day'),
    column('days_overdue', 'Gecikme (gün)', 'Days overdue', 'number'),
    CUSTOMER,
    column('customer.phone', 'Telefon', 'Phone'),
    SALE,
    column('seq', 'Taksit', 'Installment', 'number'),
    CURRENCY,
    column('amount', 'Tutar', 'Amount', 'money'),
    column('paid_amount', 'Ödenen', 'Paid', 'money'),
    column('remaining_amount', 'Kalan', 'Remaining', 'money'),
    column('late_interest', 'Gecikme faizi', 'Late interest', 'money'),
    column('open_promise.promised_date', 'Söz günü', 'Promised for', 'day'),
    STATUS,
  ],
  collections: [
    column('collected_on', 'Tarih', 'Date', 'day'),
    column('receipt_no', 'Makbuz no', 'Receipt no.'),
    column('type', 'Tür', 'Kind'),
    STATUS,
    CUSTOMER,
    SALE,
    column('method', 'Yöntem', 'Method'),
    CURRENCY,
    column('amount', 'Tutar', 'Amount', 'money'),
    column('sale_currency', 'Satışın para birimi', 'Currency of the sale'),
    { ...column('applied_amount', 'Satışa işlenen', 'Applied to the sale', 'money'), isNotAdded: true },
    column('exchange_rate', 'Kur', 'Rate', 'number'),
    { ...column('late_interest_amount', 'Gecikme faizi', 'Late interest', 'money'), isNotAdded: true },
    named('collected_by_id', 'member', 'Alan', 'Taken by'),
    BRANCH,
    column('reference', 'Referans', 'Reference'),
    NOTE,
  ],
  'promissory-notes': [
    column('note_no', 'Senet no', 'Note no.'),
    column('due_date', 'Vade', 'Due', 'day'),
    CUSTOMER,
    SALE,
    CURRENCY,
    column('amount', 'Tutar', 'Amount', 'money'),
    column('collected_amount', 'Tahsil edilen', 'Collected', 'money'),
    STATUS,
    column('bank_name', 'Banka', 'Bank'),
    column('issue_date', 'Düzenleme tarihi', 'Issued', 'day'),
    NOTE,
  ],
  expenses: [
    column('day', 'Tarih', 'Date', 'day'),
    column('expense_no', 'Gider no', 'Expense no.'),
    column('kind', 'Tür', 'Kind'),
    column('category', 'Kategori', 'Category'),
    VEHICLE,
    column('supplier', 'Kime ödendi', 'Paid to'),
    column('method', 'Yöntem', 'Method'),
    CURRENCY,
    column('amount', 'Tutar', 'Amount', 'money'),
    column('valued_currency', 'Değer para birimi', 'Currency of the value'),
    { ...column('valued_amount', 'Değer', 'Value', 'money'), isNotAdded: true },
    column('exchange_rate', 'Kur', 'Rate', 'number'),
    BRANCH,
    column('created_by', 'Giren', 'Entered by'),
    NOTE,
    column('reversal_reason', 'Ters kayıt gerekçesi', 'Reason of the reversal'),
  ],
  wallet: [
    column('created_at', 'Zaman', 'Time', 'moment'),
    column('type', 'Tür', 'Kind'),
    column('description', 'Açıklama', 'Description'),
    CURRENCY,
    column('amount', 'Tutar', 'Amount', 'money'),
    { ...column('balance_after', 'Bakiye', 'Balance', 'money'), isNotAdded: true },
  ],
  audit: [
    column('created_at', 'Zaman', 'Time', 'moment'),
    column('actor_name', 'Kim', 'Who'),
    column('role', 'Rol', 'Role'),
    column('action', 'İşlem', 'Act'),
    column('about.name', 'Konu', 'About'),
    column('target', 'Kayıt', 'Record'),
    column('outcome', 'Sonuç', 'Outcome'),
    column('ip', 'IP', 'IP'),
    column('request_id', 'İstek', 'Request'),
  ],
} as const satisfies Readonly<Record<string, readonly ListColumn[]>>;

export type ListName = keyof typeof LIST_COLUMNS;

/** The name of the sheet and, folded, of the file. */
export const LIST_TITLES: Readonly<Record<ListName, Readonly<Record<Locale, string>>>> = {
  vehicles: { tr: 'Araçlar', en: 'Vehicles' },
  customers: { tr: 'Müşteriler', en: 'Customers' },
  sales: { tr: 'Satışlar', en: 'Sales' },
  overdue: { tr: 'Geciken taksitler', en: 'Overdue installments' },
  collections: { tr: 'Tahsilatlar', en: 'Collections' },
  'promissory-notes': { tr: 'Senetler', en: 'Promissory notes' },
  expenses: { tr: 'Giderler', en: 'Expenses' },
  wallet: { tr: 'Cüzdan hareketleri', en: 'Wallet transactions' },
  audit: { tr: 'Denetim kaydı', en: 'Audit log' },
};
