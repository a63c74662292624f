// Hesap ekstresi: amounts due, payments, the balance after each line; amounts outside the balance are listed separately.
import type { Pdf } from '../../formats/pdf.ts';
import type { PaperStatement, StatementPaper } from '../paper.ts';
import { amount, day, figure } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { A4, facts, letterhead, ownClauses, passages, section, title } from './paper-layout.ts';

const right = 'right' as const;

function movements(pdf: Pdf, { currency, from, to, opening, closing, lines }: PaperStatement): void {
  const columns = [
    { title: 'Tarih', share: 1.3 },
    { title: 'Satış', share: 1.6 },
    { title: 'Açıklama', share: 2.8 },
    { title: `Borç (${currency})`, share: 2, align: right },
    { title: 'Alacak', share: 2, align: right },
    { title: 'Bakiye', share: 2, align: right },
  ];
  const shown = (minor: bigint) => (minor === 0n ? '' : figure(minor));
  const sums = lines.reduce((all, { debit, credit }) => [all[0]! + debit, all[1]! + credit], [0n, 0n]);
  pdf.table(
    columns,
    [
      [day(from), '', 'Devreden bakiye', '', '', figure(opening)],
      ...lines.map((line) => [
        day(line.day),
        line.sale_no,
        line.what,
        shown(line.debit),
        shown(line.credit),
        figure(line.balance),
      ]),
    ],
    { size: 8, totals: [[day(to), '', 'Kapanış bakiyesi', figure(sums[0]!), figure(sums[1]!), figure(closing)]] },
  );
}

function drawOne(pdf: Pdf, paper: StatementPaper, statement: PaperStatement): void {
  const { customer, currency, aging } = statement;
  letterhead(pdf, paper.head, [['Düzenleme günü', day(paper.day)]]);
  title(pdf, 'HESAP EKSTRESİ');
  facts(pdf, [
    ['Müşteri', customer.name],
    ['Para birimi', currency],
    ['Dönem', `${day(statement.from)} – ${day(statement.to)}`],
    ['Kapanış bakiyesi', amount(statement.closing, currency)],
  ]);
  movements(pdf, statement);
  section(pdf, 'Bakiyenin dışında');
  facts(pdf, [
    ['Vadesi gelmemiş', amount(statement.not_due, currency)],
    ['Açık kapora', amount(statement.open_deposit, currency)],
    ['Gecikme faizi (bilgi için)', amount(statement.late_interest, currency)],
  ]);
  section(pdf, `Yaşlandırma (${day(paper.day)} itibarıyla)`);
  const columns = ['Vadesi gelmemiş', '1–30 gün', '31–60 gün', '61–90 gün', '91+ gün'].map((one) => ({
    title: one,
    share: 1,
    align: right,
  }));
  pdf.table(columns, [[aging.not_due, aging.d1_30, aging.d31_60, aging.d61_90, aging.d91].map(figure)], { size: 8 });
  passages(pdf, ownClauses(paper.clauses));
}

export const statementTemplate: Template<StatementPaper> = {
  name: 'Hesap ekstresi',
  size: () => A4,
  hasFooter: true,
  draw: (pdf, paper) => {
    paper.statements.forEach((statement, index) => {
      if (index > 0) pdf.newPage();
      drawOne(pdf, paper, statement);
    });
  },
};
