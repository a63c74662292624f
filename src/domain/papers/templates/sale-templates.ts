// The shorter papers of a sale: ödeme planı, teslim tutanağı, ibraname.
import { amountInWords } from '../../formats/amount-in-words.ts';
import type { Pdf } from '../../formats/pdf.ts';
import type { HandoverPaper, PaymentPlanPaper, ReleasePaper } from '../paper.ts';
import { amount, day, figure, installmentLabel, percent, vehicleName } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { planTable, sellerFacts, vehicleFacts } from './contract.ts';
import {
  A4,
  ending,
  facts,
  letterhead,
  ownClauses,
  paragraph,
  partyFacts,
  remark,
  type Signer,
  section,
  signaturesHeight,
  title,
} from './paper-layout.ts';

type SalePaper = PaymentPlanPaper | HandoverPaper | ReleasePaper;

function begin(pdf: Pdf, paper: SalePaper, name: string): void {
  letterhead(pdf, paper.head, [
    ['Satış no', paper.sale.sale_no],
    ['Tarih', day(paper.day)],
  ]);
  title(pdf, name);
}

const partiesOf = ({ head, customer, guarantors }: SalePaper, withGuarantors: boolean): Signer[] => [
  { role: 'Satıcı', name: head.legal_name },
  { role: 'Alıcı', name: customer.name },
  ...(withGuarantors ? guarantors.map(({ name }) => ({ role: 'Kefil', name })) : []),
];

function end(pdf: Pdf, paper: SalePaper, texts: readonly string[], withGuarantors = false): void {
  const list = [...texts.map((runs) => ({ runs })), ...remark(paper.note), ...ownClauses(paper.clauses)];
  ending(pdf, list, { signers: partiesOf(paper, withGuarantors), country: paper.country });
}

function drawPlan(pdf: Pdf, paper: PaymentPlanPaper): void {
  const { sale, customer, vehicle } = paper;
  begin(pdf, paper, 'ÖDEME PLANI');
  facts(pdf, [
    ['Satıcı', paper.head.legal_name],
    ['Alıcı', customer.name],
    ['Araç', vehicleName(vehicle)],
    ['Satış günü', day(sale.sale_date)],
    ['Peşin satış bedeli', amount(sale.sale_price, sale.currency)],
    ['Vade farkı', amount(sale.finance_charge, sale.currency)],
    ['Ödenecek toplam', amount(sale.total_receivable, sale.currency)],
    ['Yıllık gecikme faizi', sale.late_rate_yearly === null ? null : percent(sale.late_rate_yearly)],
  ]);
  if (paper.is_restructured) {
    paragraph(
      pdf,
      `Bu plan ${sale.sale_no} numaralı sözleşmenin ekidir ve önceki ödeme planının yerine geçer. Önceki plandan ödenmiş olan satırlar geçerliliğini korur. Kefiller, artan tutardan ancak yeni bir kefaletname ile sorumlu olur.`,
    );
    paidTable(pdf, paper);
  } else planTable(pdf, sale.rows, sale, { size: 8.5, below: signaturesHeight(pdf, partiesOf(paper, true), paper.country) + 20 });
  end(pdf, paper, [`Alıcı, yukarıdaki tutarları vadelerinde ${sale.currency} olarak ödemeyi kabul eder.`], true);
}

function paidTable(pdf: Pdf, { sale }: PaymentPlanPaper): void {
  const right = 'right' as const;
  const columns = [
    { title: 'No', share: 2 },
    { title: 'Vade', share: 1.6 },
    { title: `Tutar (${sale.currency})`, share: 2, align: right },
    { title: 'Ödenen', share: 2, align: right },
    { title: 'Kalan', share: 2, align: right },
  ];
  const settled = (row: { readonly paid: bigint; readonly discounted: bigint }) => row.paid + row.discounted;
  const sums = sale.rows.reduce((all, installment) => [all[0]! + installment.amount, all[1]! + settled(installment)], [0n, 0n]);
  pdf.table(
    columns,
    sale.rows.map((installment) => [
      installmentLabel(installment, sale.rows),
      day(installment.due_date),
      figure(installment.amount),
      figure(settled(installment)),
      figure(installment.amount - settled(installment)),
    ]),
    { totals: [['Toplam', '', figure(sums[0]!), figure(sums[1]!), figure(sums[0]! - sums[1]!)]] },
  );
}

function drawHandover(pdf: Pdf, paper: HandoverPaper): void {
  const { sale } = paper;
  begin(pdf, paper, 'ARAÇ TESLİM TUTANAĞI');
  section(pdf, 'Teslim eden (satıcı)');
  facts(pdf, sellerFacts(paper));
  section(pdf, 'Teslim alan (alıcı)');
  facts(pdf, partyFacts(paper.customer));
  section(pdf, 'Araç');
  facts(pdf, vehicleFacts(paper.vehicle));
  section(pdf, 'Teslim');
  facts(pdf, [
    ['Teslim günü', sale.delivered_at === null ? null : day(sale.delivered_at)],
    ['Saat', null],
    ['Teslimde kilometre', null],
    ['Yakıt durumu', null],
    ['Anahtar sayısı', null],
    ['Ruhsat / koçan', null],
    ['Yedek lastik, kriko', null],
    ['Sigorta poliçesi', null],
    ['Görünür hasar', null],
    ['Teslim edilen diğer eşya', null],
  ]);
  end(pdf, paper, [
    `Yukarıda nitelikleri yazılı araç, ${sale.sale_no} numaralı satış gereğince alıcıya teslim edilmiş; alıcı aracı görmüş, denemiş ve yukarıda yazılı durumda teslim almıştır. Alıcının ayıptan doğan yasal hakları saklıdır. Teslimden sonra araçla ilgili trafik cezaları ve hukuki sorumluluk alıcıya aittir.`,
  ]);
}

function drawRelease(pdf: Pdf, paper: ReleasePaper): void {
  const { sale, customer, vehicle } = paper;
  begin(pdf, paper, 'İBRANAME');
  section(pdf, 'Alacaklı');
  facts(pdf, sellerFacts(paper));
  section(pdf, 'Borçlu');
  facts(pdf, partyFacts(customer));
  section(pdf, 'Borç');
  facts(pdf, [
    ['Araç', vehicleName(vehicle)],
    ['Satış günü', day(sale.sale_date)],
    ['Toplam alacak', amount(sale.total_receivable, sale.currency)],
    ['Tahsil edilen', amount(sale.collected_amount, sale.currency)],
    ['İndirim', amount(sale.discounted_amount, sale.currency)],
    ['Borcun kapandığı gün', day(paper.completed_on)],
  ]);
  end(pdf, paper, [
    `${sale.sale_no} numaralı satıştan doğan ${amount(sale.total_receivable, sale.currency)} (yalnız ${amountInWords(sale.total_receivable, sale.currency)}) tutarındaki alacağın tamamı ${day(paper.completed_on)} günü itibarıyla ödeme ve indirim yoluyla sona ermiştir. Alacaklı, bu satıştan doğan satış bedeli, vade farkı ve gecikme faizi alacağı kalmadığını beyan eder ve borçluyu${paper.guarantors.length > 0 ? ' ve kefillerini' : ''} bu borçtan ibra eder.`,
    'Varsa bu borç için verilmiş senetler borçluya iade edilir ve araç üzerindeki rehin kaldırılır. Borçlunun ayıptan ve kanundan doğan hakları bu ibradan etkilenmez.',
  ]);
}

export const planTemplate: Template<PaymentPlanPaper> = { name: 'Ödeme planı', size: () => A4, hasFooter: true, draw: drawPlan };
export const handoverTemplate: Template<HandoverPaper> = {
  name: 'Teslim tutanağı',
  size: () => A4,
  hasFooter: true,
  draw: drawHandover,
};
export const releaseTemplate: Template<ReleasePaper> = { name: 'İbraname', size: () => A4, hasFooter: true, draw: drawRelease };
