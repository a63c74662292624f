// A customer's statement as a file for spreadsheets: opening balance, every line with its balance, closing balance; in CSV the
// amounts are in the reader's notation, in a workbook they are numbers.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { csvHead, csvLines } from '../formats/csv-write.ts';
import { writtenCount } from '../formats/written.ts';
import type { XlsxKind, XlsxSheet } from '../formats/xlsx-write.ts';
import { readStatement, type StatementLine } from './statement.ts';

interface StatementCsvQuery {
  readonly customer_id: string;
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly today: string;
}

const WORDS = {
  tr: {
    columns: ['Tarih', 'Hareket', 'Satış', 'Borç', 'Alacak', 'Bakiye', 'Para birimi'],
    opening: 'Devreden bakiye',
    closing: 'Son bakiye',
    down: 'Peşinat',
    row: (seq: string) => `${seq}. taksit`,
    cancelled: 'Satış iptali',
  },
  en: {
    columns: ['Day', 'Movement', 'Sale', 'Debit', 'Credit', 'Balance', 'Currency'],
    opening: 'Opening balance',
    closing: 'Closing balance',
    down: 'Down payment',
    row: (seq: string) => `Installment ${seq}`,
    cancelled: 'Sale cancelled',
  },
} as const;

/** The same limit as for a drawn statement (20 ms of work): for more, the caller has to choose a shorter period. */
const MAX_LINES = 5000;
const TOO_LONG = {
  en: `a later date: the file can have at most ${writtenCount(MAX_LINES).en} lines`,
  tr: `en çok ${writtenCount(MAX_LINES).tr} hareket kalacak kadar yakın bir gün`,
};
const LINES_PER_PIECE = 500;
const FIELDS = ['0', '1', '2', '3', '4', '5', '6'] as const;

export async function statementCsv(db: Db, query: StatementCsvQuery, locale: 'tr' | 'en'): Promise<AsyncIterable<string>> {
  const amount = (text: string) => (locale === 'tr' ? text.replace('.', ',') : text);
  return pieces(await statementRows(db, query, locale, amount), WORDS[locale].columns, locale === 'tr' ? ';' : ',');
}

const KINDS: readonly XlsxKind[] = ['day', 'text', 'text', 'money', 'money', 'money', 'text'];

export async function statementSheet(db: Db, query: StatementCsvQuery, locale: 'tr' | 'en'): Promise<XlsxSheet> {
  const columns = WORDS[locale].columns.map((title, index) => ({ title, kind: KINDS[index]! }));
  return { name: query.currency, columns, rows: await statementRows(db, query, locale, (text) => text) };
}

/** Read at once, so that the balances of its lines are consistent, even if a payment is collected during the download. */
async function statementRows(
  db: Db,
  query: StatementCsvQuery,
  locale: 'tr' | 'en',
  amount: (text: string) => string,
): Promise<string[][]> {
  const words = WORDS[locale];
  const statement = await readStatement(db, { ...query, limit: MAX_LINES, offset: 0 });
  if (statement.has_more) fail('invalid_parameter', { param: 'from', words: { allowed: TOO_LONG } });
  const what = ({ kind, label, type }: StatementLine) =>
    kind === 'cancelled'
      ? words.cancelled
      : kind === 'collection'
        ? `${type} ${label}`
        : label === '0'
          ? words.down
          : words.row(label);
  return [
    [query.from, words.opening, '', '', '', amount(statement.opening), query.currency],
    ...statement.lines.map((line) => [
      line.day,
      what(line),
      line.sale_no,
      amount(line.debit),
      amount(line.credit),
      amount(line.balance),
      query.currency,
    ]),
    [query.to, words.closing, '', '', '', amount(statement.closing), query.currency],
  ];
}

async function* pieces(rows: readonly string[][], columns: readonly string[], separator: ';' | ','): AsyncGenerator<string> {
  yield csvHead(columns, separator);
  for (let at = 0; at < rows.length; at += LINES_PER_PIECE)
    yield csvLines<Record<string, string>>(
      FIELDS,
      rows.slice(at, at + LINES_PER_PIECE).map((row) => ({ ...row }) as unknown as Record<string, string>),
      separator,
    );
}
