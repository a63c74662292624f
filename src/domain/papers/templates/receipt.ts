// Receipts, on 80 mm rolls and A5: a payment for a sale, a deposit on a car, a refund.
import { amountInWords } from '../../formats/amount-in-words.ts';
import type { Pdf } from '../../formats/pdf.ts';
import { qrFields } from '../../formats/qr.ts';
import type { DepositReceipt, Receipt, ReceiptInstallment, ReceiptRate, RefundReceipt } from '../paper.ts';
import { amount, day, phoneOf, rate, vehicleName } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { A5, facts, letterhead, taxLine } from './paper-layout.ts';

type AnyReceipt = Receipt | DepositReceipt | RefundReceipt;
type Line = readonly [label: string, value: string];

/** Otherwise earlier periods are presumed paid (TBK 104). */
export const RIGHTS_RESERVED = 'Önceki vadelerden doğan haklarımız saklıdır.';
export const REVERSED = 'İPTAL EDİLDİ';

const NAMES = { makbuz: 'TAHSİLAT MAKBUZU', kapora_makbuzu: 'KAPORA MAKBUZU', iade_makbuzu: 'İADE MAKBUZU' } as const;

const SENTENCES = {
  makbuz: 'Yukarıda yazılı tutar tahsil edilmiştir.',
  kapora_makbuzu: 'Yukarıda yazılı tutar, belirtilen aracın kaporası olarak alınmıştır.',
  iade_makbuzu: 'Yukarıda yazılı tutar iade edilmiştir.',
} as const;

const rateLines = (receiptRate: ReceiptRate | null, label: string): Line[] =>
  receiptRate === null
    ? []
    : [
        ['Kur', `${receiptRate.pair} ${rate(receiptRate.rate)}`],
        ['Kur günü', `${day(receiptRate.rate_date)} (${receiptRate.source})`],
        [label, amount(receiptRate.applied, receiptRate.sale_currency)],
      ];

function lines(paper: AnyReceipt): Line[] {
  const { instrument, vehicle } = paper;
  return [
    [paper.code === 'iade_makbuzu' ? 'Ödenen' : 'Ödeyen', paper.payer],
    ...('sale_no' in paper && paper.sale_no !== null ? [['Satış no', paper.sale_no] as const] : []),
    ...(paper.code === 'iade_makbuzu' && paper.of_receipt_no !== null ? [['Kapora makbuzu', paper.of_receipt_no] as const] : []),
    ...(vehicle === null ? [] : [['Araç', vehicleName(vehicle)] as const]),
    ...(paper.code === 'kapora_makbuzu' && paper.reserved_until !== null
      ? [['Ayrılan son gün', day(paper.reserved_until)] as const]
      : []),
    ['Ödeme şekli', paper.method],
    ...(instrument === null
      ? []
      : [['Çek', `${instrument.bank}, no ${instrument.number}, vade ${day(instrument.due_on)}`] as const]),
    ...(paper.reference === null ? [] : [['Referans', paper.reference] as const]),
    ...('rate' in paper ? rateLines(paper.rate, paper.code === 'makbuz' ? 'Borca sayılan' : 'Satışın para biriminde') : []),
    ...(paper.code === 'makbuz' ? saleLines(paper) : []),
    ['Şube', paper.branch],
    ...(paper.collected_by === null
      ? []
      : [[paper.code === 'iade_makbuzu' ? 'İade eden' : 'Tahsil eden', paper.collected_by] as const]),
    ...(paper.note === null ? [] : [['Açıklama', paper.note] as const]),
  ];
}

const saleLines = (paper: Receipt): Line[] => [
  ...(paper.late_interest > 0n ? [['Gecikme faizi (tutarın içinde)', amount(paper.late_interest, paper.currency)] as const] : []),
  ...(paper.discount > 0n ? [['İndirim', amount(paper.discount, paper.sale_currency)] as const] : []),
];

const rowLine = ({ label, due_date }: ReceiptInstallment): string =>
  label === 'Peşinat' ? `Peşinat, ${day(due_date)}` : `Taksit ${label}, ${day(due_date)}`;

function onA5(pdf: Pdf, paper: AnyReceipt): void {
  letterhead(pdf, paper.head, [
    ['Makbuz no', paper.receipt_no],
    ['Tarih', day(paper.day)],
  ]);
  const top = pdf.y;
  const beside = { x: pdf.left, width: pdf.width - (paper.verification === null ? 0 : QR_SIDE + 14) };
  pdf.text('H1', NAMES[paper.code], { size: 13, bold: true }, beside);
  pdf.y += 5;
  pdf.text('P', amount(paper.amount, paper.currency), { size: 17, bold: true }, beside);
  pdf.text('P', `Yalnız ${amountInWords(paper.amount, paper.currency)}`, { size: 9 }, beside);
  if (paper.verification !== null) qrBeside(pdf, paper.verification.url, top);
  pdf.y += 8;
  facts(pdf, lines(paper), { size: 8.5, columns: 1 });
  if (paper.code === 'makbuz') rowsOf(pdf, paper);
  pdf.text('P', SENTENCES[paper.code], { size: 8.5 });
  pdf.y += 10;
  pdf.room(60);
  const width = pdf.width / 2 - 10;
  const places = [
    { x: pdf.left, width },
    { x: pdf.left + width + 20, width },
  ];
  const line = pdf.y;
  ['Teslim eden', 'Teslim alan'].forEach((role, index) => {
    pdf.y = line;
    pdf.text('P', role, { size: 7.5, grey: 0.4 }, places[index]!);
    pdf.rule(places[index]!.x, line + 36, width, { grey: 0.4 });
  });
  pdf.y = line + 42;
}

const QR_SIDE = 62;

/** In the corner below the number, with its address below. */
function qrBeside(pdf: Pdf, url: string, top: number): void {
  pdf.dots(qrFields(url), { x: pdf.left + pdf.width - QR_SIDE, y: top - 6, size: QR_SIDE }, `QR: ${url}`);
  pdf.y = Math.max(pdf.y, top + QR_SIDE - 5);
  pdf.text('P', `Doğrulama: ${url}`, { size: 5.5, grey: 0.3, align: 'right' });
}

function rowsOf(pdf: Pdf, paper: Receipt): void {
  const columns = [
    { title: 'Ödenen taksit', share: 3 },
    { title: `Tutar (${paper.sale_currency})`, share: 2, align: 'right' as const },
  ];
  const cells = (installment: ReceiptInstallment) => [rowLine(installment), amount(installment.amount, paper.sale_currency)];
  const totals = [['Kalan borç', amount(paper.remaining, paper.sale_currency)]];
  pdf.table(columns, paper.filled.map(cells), { size: 8.5, totals });
  if (paper.open_earlier.length === 0) return;
  pdf.table([{ title: 'Hâlâ açık önceki vadeler', share: 3 }, columns[1]!], paper.open_earlier.map(cells), { size: 8.5 });
  pdf.text('P', RIGHTS_RESERVED, { size: 8.5, bold: true });
  pdf.y += 6;
}

function onRoll(pdf: Pdf, paper: AnyReceipt): void {
  const size = 8;
  const { head } = paper;
  const centre = (text: string | null, bold = false, own = size) => {
    if (text !== null) pdf.text('P', text, { size: own, bold, align: 'center' });
  };
  if (head.logo !== null) {
    pdf.picture(head.logo, { x: pdf.left + pdf.width / 2 - 45, y: pdf.y, width: 90, height: 40 }, head.name);
    pdf.y += 44;
  }
  centre(head.legal_name ?? head.name, true, 9.5);
  if (head.legal_name !== null && head.legal_name !== head.name) centre(head.name);
  centre(head.address);
  centre([head.city, phoneOf(head)].filter(Boolean).join(' · ') || null);
  centre(taxLine(head));
  line(pdf);
  pdf.text('H1', NAMES[paper.code], { size: 10, bold: true, align: 'center' });
  pair(pdf, ['Makbuz no', paper.receipt_no], size);
  pair(pdf, ['Tarih', day(paper.day)], size);
  line(pdf);
  pdf.text('P', amount(paper.amount, paper.currency), { size: 14, bold: true, align: 'center' });
  centre(`Yalnız ${amountInWords(paper.amount, paper.currency)}`);
  line(pdf);
  for (const one of lines(paper)) pair(pdf, one, size);
  if (paper.code === 'makbuz') rollRows(pdf, paper, size);
  line(pdf);
  centre(SENTENCES[paper.code]);
  if (paper.verification !== null) {
    pdf.y += 6;
    pdf.dots(
      qrFields(paper.verification.url),
      { x: pdf.left + pdf.width / 2 - 36, y: pdf.y, size: 72 },
      `QR: ${paper.verification.url}`,
    );
    pdf.y += 76;
    centre(paper.verification.url, false, 6.5);
  }
}

function rollRows(pdf: Pdf, paper: Receipt, size: number): void {
  line(pdf);
  for (const installment of paper.filled)
    pair(pdf, [rowLine(installment), amount(installment.amount, paper.sale_currency)], size);
  pair(pdf, ['Kalan borç', amount(paper.remaining, paper.sale_currency)], size, true);
  if (paper.open_earlier.length === 0) return;
  line(pdf);
  pdf.text('P', 'Hâlâ açık önceki vadeler', { size, bold: true });
  for (const installment of paper.open_earlier)
    pair(pdf, [rowLine(installment), amount(installment.amount, paper.sale_currency)], size);
  pdf.y += 2;
  pdf.text('P', RIGHTS_RESERVED, { size, bold: true });
}

/** The label on the left, its value on the right; on two lines if both do not fit on one. */
function pair(pdf: Pdf, [label, value]: Line, size: number, bold = false): void {
  const isOneLine = pdf.widthOf(label, { size, bold }) + pdf.widthOf(value, { size, bold }) + 8 < pdf.width;
  const top = pdf.y;
  pdf.text('P', label, { size, bold, grey: bold ? 0 : 0.3 });
  if (isOneLine) pdf.y = top;
  pdf.text('P', value, { size, bold, align: 'right' });
}

function line(pdf: Pdf): void {
  pdf.y += 4;
  pdf.rule(pdf.left, pdf.y, pdf.width, { grey: 0.5, thick: 0.5 });
  pdf.y += 5;
}

const template = <P extends AnyReceipt>(name: string): Template<P> => ({
  name,
  size: ({ size }) => (size === 'A5' ? A5 : 'roll'),
  hasFooter: false,
  mark: ({ is_reversed }) => (is_reversed ? REVERSED : null),
  draw: (pdf, paper) => (paper.size === 'A5' ? onA5(pdf, paper) : onRoll(pdf, paper)),
});

export const receiptTemplate: Template<Receipt> = template('Tahsilat makbuzu');
export const depositReceiptTemplate: Template<DepositReceipt> = template('Kapora makbuzu');
export const refundReceiptTemplate: Template<RefundReceipt> = template('İade makbuzu');
