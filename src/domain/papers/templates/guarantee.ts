// Kefaletname, a page for each guarantor. Parts that the law requires in the guarantor's own handwriting are empty lines (TBK
// 583), and so is the spouse's consent (TBK 584). «Müteselsil» is included only if the debtor is a company: a consumer's
// guarantor has simple liability.
import type { Pdf } from '../../formats/pdf.ts';
import type { GuaranteePaper, Party } from '../paper.ts';
import { amount, day, vehicleName } from '../paper-words.ts';
import type { Template } from '../template.ts';
import {
  A4,
  BODY,
  ending,
  facts,
  letterhead,
  ownClauses,
  paragraph,
  partyFacts,
  remark,
  section,
  signaturesHeight,
  title,
} from './paper-layout.ts';

/** A label with lines below it, as wide as the page. */
function byHand(pdf: Pdf, label: string, lines: number): void {
  const gap = 20;
  pdf.room(BODY * 2 + gap * lines);
  pdf.text('P', label, { size: BODY });
  for (let line = 0; line < lines; line += 1) {
    pdf.y += gap;
    pdf.rule(pdf.left, pdf.y, pdf.width, { grey: 0.55, thick: 0.5 });
  }
  pdf.y += 8;
}

function drawOne(pdf: Pdf, paper: GuaranteePaper, guarantor: Party): void {
  const { sale, customer, vehicle } = paper;
  letterhead(pdf, paper.head, [
    ['Satış no', sale.sale_no],
    ['Tarih', day(paper.day)],
  ]);
  title(pdf, 'KEFALETNAME');
  section(pdf, 'Kefil');
  facts(pdf, partyFacts(guarantor));
  section(pdf, 'Kefil olunan borç');
  facts(pdf, [
    ['Alacaklı', paper.head.legal_name],
    ['Borçlu', customer.name],
    ['Satış', `${sale.sale_no}, ${day(sale.sale_date)}`],
    ['Araç', vehicleName(vehicle)],
    ['Borcun toplamı', amount(sale.total_receivable, sale.currency)],
    ['Taksitle ödenecek', amount(sale.financed_amount, sale.currency)],
  ]);
  paragraph(
    pdf,
    'Borçlunun yukarıda yazılı satıştan doğan borcuna, aşağıya kendi el yazımla yazdığım azami miktarla sınırlı olarak kefil olduğumu beyan ederim. Sorumluluğumun sonradan artması ancak bu şekle uyan yeni bir kefaletname ile olur.',
  );
  section(pdf, 'Kefilin kendi el yazısıyla');
  byHand(pdf, 'Sorumlu olduğum azami miktar (rakamla ve yazıyla)', 2);
  byHand(pdf, 'Kefalet tarihi', 1);
  if (customer.kind === 'Kurumsal') byHand(pdf, 'Müteselsil kefil olduğuma dair ibare', 1);
  const signers = [
    { role: 'Kefil', name: guarantor.name },
    { role: 'Alacaklı', name: paper.head.legal_name },
  ];
  const texts = [...remark(paper.note), ...ownClauses(paper.clauses)];
  // Without further text, the signatures belong to the consent above them.
  if (texts.length === 0) pdf.room(BODY * 12 + signaturesHeight(pdf, signers, paper.country));
  section(pdf, 'Eşin rızası');
  paragraph(
    pdf,
    'Eşimin yukarıda yazılı kefaletine, en geç kefalet sözleşmesinin kurulması anında vermiş olmak üzere rıza gösteriyorum.',
  );
  facts(pdf, [
    ['Eşin adı soyadı', null],
    ['Kimlik no', null],
    ['Tarih', null],
    ['İmza', null],
  ]);
  ending(pdf, texts, { signers, country: paper.country });
}

export const guaranteeTemplate: Template<GuaranteePaper> = {
  name: 'Kefaletname',
  size: () => A4,
  hasFooter: true,
  draw: (pdf, paper) => {
    paper.guarantors.forEach((guarantor, index) => {
      if (index > 0) pdf.newPage();
      drawOne(pdf, paper, guarantor);
    });
  },
};
