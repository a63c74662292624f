// İhtar mektubu: a letter to the debtor and to each guarantor, with the overdue amounts and the payment deadline.
import { amountInWords } from '../../formats/amount-in-words.ts';
import type { Pdf } from '../../formats/pdf.ts';
import type { NoticeLetter, Party } from '../paper.ts';
import { amount, day, figure, percent, vehicleName } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { A4, ending, letterhead, ownClauses, type Passage, paragraph, title } from './paper-layout.ts';

const right = 'right' as const;

function overdueTable(pdf: Pdf, { rows, currency }: NoticeLetter): void {
  const columns = [
    { title: 'Taksit', share: 1.6 },
    { title: 'Vade', share: 1.6 },
    { title: 'Gecikme (gün)', share: 1.4, align: right },
    { title: `Kalan (${currency})`, share: 2.2, align: right },
    { title: 'Gecikme faizi', share: 2.2, align: right },
  ];
  const sums = rows.reduce((all, row) => [all[0]! + row.remaining, all[1]! + row.late_interest], [0n, 0n]);
  pdf.table(
    columns,
    rows.map((row) => [row.label, day(row.due_date), String(row.days_overdue), figure(row.remaining), figure(row.late_interest)]),
    { totals: [['Toplam', '', '', figure(sums[0]!), figure(sums[1]!)]] },
  );
}

function drawOne(pdf: Pdf, paper: NoticeLetter, recipient: Party, isGuarantor: boolean): void {
  const { currency, deadline, sale_no, sale_date, customer, vehicle, rows, late_rate_yearly } = paper;
  const owed = rows.reduce((sum, row) => sum + row.remaining, 0n);
  letterhead(pdf, paper.head, [
    ['Satış no', sale_no],
    ['Tarih', day(paper.day)],
  ]);
  title(pdf, 'İHTAR');
  pdf.text('P', [{ bold: `Sayın ${recipient.name}` }, isGuarantor ? ' (kefil)' : '']);
  if (recipient.address !== null) pdf.text('P', recipient.address, { size: 9, grey: 0.3 });
  pdf.y += 12;
  const debt = `${day(sale_date)} günlü ve ${sale_no} numaralı ${vehicleName(vehicle)} satışından doğan`;
  paragraph(
    pdf,
    isGuarantor
      ? `Kefili olduğunuz ${customer.name} adlı borçlunun ${debt} ve vadesi geçtiği hâlde ödenmeyen taksitleri aşağıda gösterilmiştir.`
      : `${debt[0]!.toLocaleUpperCase('tr')}${debt.slice(1)} ve vadesi geçtiği hâlde ödenmeyen taksitleriniz aşağıda gösterilmiştir.`,
  );
  overdueTable(pdf, paper);
  const demand: Passage['runs'] = [
    'Vadesi geçmiş ',
    { bold: amount(owed, currency) },
    ` (yalnız ${amountInWords(owed, currency)}) tutarındaki borcun `,
    { bold: `${day(deadline)} gününe kadar` },
    isGuarantor
      ? ' ödenmesini, aksi hâlde kefaletten doğan haklarımızın kullanılacağını ve yasal yollara başvurulacağını ihtar ederiz.'
      : ' ödenmesini, aksi hâlde sözleşmeden ve kanundan doğan haklarımızın kullanılacağını ve yasal yollara başvurulacağını ihtar ederiz.',
  ];
  const texts: Passage[] = [{ runs: demand }];
  if (late_rate_yearly !== null)
    texts.push({
      runs: `Gecikme faizi yıllık ${percent(late_rate_yearly)} oranında, basit olarak ve ${day(paper.day)} gününe kadar hesaplanmıştır; bunu isteme hakkımız saklıdır.`,
    });
  texts.push({ runs: 'Bu mektup elinize geçmeden ödeme yaptıysanız dikkate almamanızı rica ederiz.' });
  texts.push(...ownClauses(paper.clauses));
  ending(pdf, texts, { signers: [{ role: 'Alacaklı', name: paper.head.legal_name }], country: 'TR' });
}

export const noticeTemplate: Template<NoticeLetter> = {
  name: 'İhtar mektubu',
  size: () => A4,
  hasFooter: true,
  draw: (pdf, paper) => {
    [paper.customer, ...paper.guarantors].forEach((recipient, index) => {
      if (index > 0) pdf.newPage();
      drawOne(pdf, paper, recipient, index > 0);
    });
  },
};
