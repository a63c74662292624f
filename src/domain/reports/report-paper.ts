// The printed tables of a report: amounts, shares and counts in Turkish notation.
import { turkishMoney } from '../formats/turkish-money.ts';
import type { ReportPaper } from '../papers/paper.ts';
import { day } from '../papers/paper-words.ts';
import type { ReportTables, TableCell } from './report-tables.ts';

const SHARE = new Intl.NumberFormat('tr-TR', { style: 'percent', minimumFractionDigits: 2 });

function printed(value: TableCell, kind: string): string {
  if (value === null || value === undefined) return '–';
  if (kind === 'day') return day(String(value));
  if (kind === 'money') return turkishMoney(String(value));
  if (kind === 'ratio') return SHARE.format(Number(value));
  return kind === 'number' ? String(value).replace('.', ',') : String(value);
}

export const paperTables = ({
  title,
  span,
  is_sensitive,
  tables,
}: ReportTables): Pick<ReportPaper, 'title' | 'span' | 'is_confidential' | 'tables'> => ({
  title,
  span,
  is_confidential: is_sensitive,
  tables: tables.map((table) => ({
    title: table.title,
    columns: table.columns.map((column) => ({ title: column.title, isText: column.kind === 'text' })),
    rows: table.rows.map((row) => row.map((value, index) => printed(value, table.columns[index]!.kind))),
  })),
});
