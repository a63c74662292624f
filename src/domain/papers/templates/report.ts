// Rapor: tables with their headers on every page, in landscape if a table is wide; «GİZLİ» across reports that show cost or
// debtors.
import type { Pdf } from '../../formats/pdf.ts';
import type { ReportPaper } from '../paper.ts';
import { day } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { A4, letterhead, ownClauses, paragraph, passages, section, title } from './paper-layout.ts';

export const CONFIDENTIAL = 'GİZLİ';

/** More columns than this do not fit a portrait page. */
const UPRIGHT_COLUMNS = 6;

const isWide = ({ tables }: ReportPaper): boolean => tables.some(({ columns }) => columns.length > UPRIGHT_COLUMNS);

function draw(pdf: Pdf, paper: ReportPaper): void {
  const { span, tables } = paper;
  letterhead(pdf, paper.head, [
    ['Rapor', paper.title],
    ...(span === null ? [] : [['Dönem', `${day(span.from)} – ${day(span.to)}`] as const]),
    ['Tarih', day(paper.day)],
  ]);
  title(pdf, paper.title.toLocaleUpperCase('tr'));
  for (const { title: name, columns, rows } of tables) {
    section(pdf, name);
    if (rows.length === 0) {
      paragraph(pdf, 'Bu dönemde kayıt yoktur.');
      continue;
    }
    pdf.table(
      columns.map((column) => ({
        title: column.title,
        share: column.isText ? 1.4 : 1,
        ...(column.isText ? {} : { align: 'right' as const }),
      })),
      rows,
      { size: columns.length > UPRIGHT_COLUMNS ? 7.5 : 8.5 },
    );
    pdf.y += 8;
  }
  passages(pdf, ownClauses(paper.clauses));
}

export const reportTemplate: Template<ReportPaper> = {
  name: 'Rapor',
  size: (paper) => (isWide(paper) ? [A4[1], A4[0]] : A4),
  hasFooter: true,
  mark: ({ is_confidential }) => (is_confidential ? CONFIDENTIAL : null),
  draw,
};
