// Kasa kapanışı: by currency and method, the recorded amount, the counted amount, and the difference.
import { sum } from '../../../kit/money.ts';
import type { Pdf } from '../../formats/pdf.ts';
import type { TillPaper } from '../paper.ts';
import { day, figure } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { A4, ending, facts, letterhead, ownClauses, paragraph, signaturesHeight, title } from './paper-layout.ts';

const right = 'right' as const;

export const REOPENED = 'YENİDEN AÇILDI';

/** Opening, in and out, added up. */
const movedFigures = (lines: TillPaper['lines']): string[] =>
  (['opening', 'cash_in', 'cash_out'] as const).map((name) => figure(sum(lines.map(({ moved }) => moved?.[name] ?? 0n))));

function draw(pdf: Pdf, paper: TillPaper): void {
  const { lines, reopened } = paper;
  letterhead(pdf, paper.head, [
    ['Şube', paper.branch],
    ['Gün', day(paper.day)],
  ]);
  title(pdf, 'KASA KAPANIŞI');
  facts(pdf, [
    ['Kapatan', paper.closed_by],
    ['Kapanış saati', paper.closed_at],
    ['Önceki kapanış', paper.closed_through_before === null ? 'Yok' : day(paper.closed_through_before)],
    ['Farkın gerekçesi', paper.reason ?? '–'],
  ]);
  const isCarried = lines.some(({ moved }) => moved !== null);
  const columns = [
    { title: 'Para birimi', share: 1.2 },
    { title: 'Yöntem', share: 1.8 },
    { title: 'Adet', share: 0.8, align: right },
    ...(isCarried ? ['Devreden', 'Giren', 'Çıkan'].map((name) => ({ title: name, share: 1.9, align: right })) : []),
    { title: 'Kayıtlara göre', share: 2.2, align: right },
    { title: 'Sayılan', share: 2.2, align: right },
    { title: 'Fark', share: 2.2, align: right },
  ];
  const signers = [
    { role: 'Kapatan', name: paper.closed_by },
    { role: 'Kontrol eden', name: null },
  ];
  const texts = [
    ...(reopened === null
      ? []
      : [{ runs: [{ bold: 'Yeniden açıldı: ' }, `${reopened.at}, ${reopened.by}. Gerekçe: ${reopened.reason}`] }]),
    ...ownClauses(paper.clauses),
  ];
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  const totals = currencies.map((currency) => {
    const own = lines.filter((line) => line.currency === currency);
    const [expected, counted] = own.reduce((all, line) => [all[0]! + line.expected, all[1]! + line.counted], [0n, 0n]) as [
      bigint,
      bigint,
    ];
    const count = own.reduce((all, line) => all + line.count, 0);
    return [
      ...[currency, 'Toplam', String(count), ...(isCarried ? movedFigures(own) : [])],
      ...[figure(expected), figure(counted), figure(counted - expected)],
    ];
  });
  if (lines.length === 0) paragraph(pdf, 'Bu dönemde kasa hareketi yoktur.');
  else
    pdf.table(
      columns,
      lines.map((line) => [
        line.currency,
        line.method,
        String(line.count),
        ...(isCarried ? movedFigures([line]) : []),
        figure(line.expected),
        figure(line.counted),
        figure(line.counted - line.expected),
      ]),
      { totals, below: texts.length === 0 ? signaturesHeight(pdf, signers, 'TR') : 0 },
    );
  ending(pdf, texts, { signers, country: 'TR' });
}

export const tillTemplate: Template<TillPaper> = {
  name: 'Kasa kapanışı',
  size: () => A4,
  hasFooter: true,
  mark: ({ reopened }) => (reopened === null ? null : REOPENED),
  draw,
};
