// Papers about a car on offer: the sheet in its window, and an offer to one customer. In Turkish or English, as the customer reads.
import type { Pdf, Runs } from '../../formats/pdf.ts';
import { qrFields } from '../../formats/qr.ts';
import type { CarOffer, WindowSticker } from '../paper.ts';
import { amount, day, figure } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { bodyFacts, bodyWidth, carFacts, drawBody, longFacts, nameOf, WORDS } from './car-facts.ts';
import { A4, A5, type Fact, facts, letterhead, paragraph, section, signatures, signaturesHeight, title } from './paper-layout.ts';

/** Only if the dealer has a telephone, which the code calls. */
function contact(pdf: Pdf, { contact_url, words }: CarOffer, side: number, x: number): void {
  if (contact_url === null) return;
  const top = pdf.y + 4;
  pdf.dots(qrFields(contact_url), { x, y: top, size: side }, `QR: ${contact_url}`);
  pdf.y = top + side / 2 - 8;
  const beside = { x: x + side + 12, width: pdf.left + pdf.width - x - side - 12 };
  pdf.text('P', [{ bold: WORDS[words].ask }], { size: side / 9 + 3 }, beside);
  pdf.y = top + side + 4;
}

const STICKERS = {
  A4: { head: 11, name: 34, facts: 14, texts: [14, 12, 10.5, 9], body: 250, price: 48, code: 118, gap: 16 },
  A5: { head: 8, name: 21, facts: 9.5, texts: [9.5, 8.5, 7.5, 6.5], body: 160, price: 28, code: 76, gap: 8 },
} as const;

/** Name and facts above, price and code at the foot, between them the body and what takes whole lines, as large as fits. */
function drawSticker(pdf: Pdf, paper: WindowSticker): void {
  const { head, name, facts: size, texts, body, price, code, gap } = STICKERS[paper.size];
  letterhead(pdf, paper.head, [[WORDS[paper.words].date, day(paper.day)]], { size: head });
  pdf.y += gap / 2;
  pdf.text('H1', nameOf(paper), { size: name, bold: true });
  pdf.y += gap;
  inColumns(pdf, carFacts(paper), size);
  pdf.y += gap;
  const foot = pdf.floor - code - gap;
  const height = Math.min(body, foot - pdf.y - gap);
  const hasBody = paper.car.condition !== null && height > body / 3;
  if (hasBody) drawBody(pdf, paper, { x: pdf.left, y: pdf.y, height });
  const left = hasBody ? pdf.left + bodyWidth(height) + gap * 2 : pdf.left;
  const place = { x: left, width: pdf.left + pdf.width - left };
  const lines = [...bodyFacts(paper), ...longFacts(paper)].map(boldValue);
  const whole = (each: number) =>
    lines.reduce((sum, line) => sum + pdf.heightOf(line, { size: each }, place.width) + each / 2, 0);
  const chosen = texts.find((each) => pdf.y + whole(each) <= foot) ?? texts.at(-1)!;
  for (const line of lines) {
    pdf.text('P', line, { size: chosen }, place);
    pdf.y += chosen / 2;
  }
  pdf.y = Math.max(pdf.y, foot);
  drawFoot(pdf, paper, { price, code });
}

/** The price, and the code beside it. */
function drawFoot(pdf: Pdf, { car, contact_url, words }: WindowSticker, { price, code }: { price: number; code: number }): void {
  const t = WORDS[words];
  pdf.room(code);
  const top = pdf.y;
  const width = pdf.width - (contact_url === null ? 0 : code + 12);
  const sum: Runs = [{ bold: amount(car.price, car.currency) }];
  const size = [price, price * 0.8, price * 0.6].find(
    (each) => pdf.widthOf(amount(car.price, car.currency), { size: each, bold: true }) <= width,
  );
  pdf.y = top + code * 0.2;
  pdf.text('P', t.price, { size: price * 0.28, grey: 0.4 }, { x: pdf.left, width });
  pdf.text('P', sum, { size: size ?? price * 0.5 }, { x: pdf.left, width });
  if (contact_url === null) return;
  const x = pdf.left + pdf.width - code;
  const side = code - 14;
  pdf.dots(qrFields(contact_url), { x: x + 7, y: top, size: side }, `QR: ${contact_url}`);
  pdf.y = top + side + 3;
  pdf.text('P', [{ bold: t.ask }], { size: code / 15, align: 'center' }, { x, width: code });
}

const boldValue = ([name, value]: Fact): Runs => [`${name}: `, { bold: value ?? '' }];

/** Two columns of short facts, in large letters. */
function inColumns(pdf: Pdf, list: readonly Fact[], size: number): void {
  const width = (pdf.width - GAP) / 2;
  for (let first = 0; first < list.length; first += 2) {
    pdf.room(size * 2);
    const top = pdf.y;
    let bottom = top;
    list.slice(first, first + 2).forEach((fact, column) => {
      pdf.y = top;
      pdf.text('P', boldValue(fact), { size }, { x: pdf.left + column * (width + GAP), width });
      bottom = Math.max(bottom, pdf.y);
    });
    pdf.y = bottom + size * 0.25;
  }
}

export const stickerTemplate: Template<WindowSticker> = {
  name: 'Vitrin etiketi',
  size: ({ size }) => (size === 'A4' ? A4 : A5),
  hasFooter: false,
  draw: drawSticker,
};

function drawOffer(pdf: Pdf, paper: CarOffer): void {
  const t = WORDS[paper.words];
  const { car, price, rows } = paper;
  const money = (minor: bigint) => amount(minor, car.currency);
  letterhead(pdf, paper.head, [[t.date, day(paper.day)]]);
  title(pdf, t.offer);
  if (paper.customer !== null) paragraph(pdf, `${t.for} ${paper.customer}`);
  section(pdf, nameOf(paper), 12);
  facts(pdf, carFacts(paper));
  for (const fact of [...bodyFacts(paper), ...longFacts(paper)]) paragraph(pdf, boldValue(fact), 8.5);
  section(pdf, t.payment);
  const isCash = rows.length === 0;
  facts(pdf, [
    [t.price, money(price)],
    ...(isCash
      ? []
      : ([
          [t.down, money(paper.down_payment)],
          [t.charge, money(paper.finance_charge)],
          [t.total, money(price + paper.finance_charge)],
          [t.financed, money(price + paper.finance_charge - paper.down_payment)],
          [t.count, `${rows.length} × ${money(rows[0]!.amount)}`],
          [t.first, day(rows[0]!.due_date)],
        ] as const)),
  ]);
  // A longer plan is no part of a page that is read in a minute.
  if (!isCash && rows.length <= MOST_SHOWN) {
    section(pdf, t.plan);
    offerRows(pdf, paper);
  }
  const signers = [{ role: t.dealer, name: paper.head.legal_name ?? paper.head.name }];
  pdf.room(signaturesHeight(pdf, signers, 'TR') + 32);
  paragraph(pdf, t.valid(day(paper.valid_until)));
  const top = pdf.y;
  signatures(pdf, signers, 'TR');
  pdf.y = top + 4;
  contact(pdf, paper, 58, pdf.left + pdf.width * 0.55);
}

const MOST_SHOWN = 48;
const GAP = 18;

/** In up to three columns, so that an offer is one page. */
function offerRows(pdf: Pdf, { words, rows, car }: CarOffer): void {
  const t = WORDS[words];
  const across = rows.length <= 6 ? 1 : rows.length <= 36 ? 2 : 3;
  const each = Math.ceil(rows.length / across);
  const width = (pdf.width - GAP * (across - 1)) / across;
  const columns = [
    { title: t.no, share: 1 },
    { title: t.due, share: 2 },
    { title: `${t.sum} (${car.currency})`, share: 2.4, align: 'right' as const },
  ];
  const lines = rows.map((row, index) => [`${index + 1}/${rows.length}`, day(row.due_date), figure(row.amount)]);
  const top = pdf.y;
  let bottom = top;
  for (let column = 0; column < across; column += 1) {
    pdf.y = top;
    const at = across === 1 ? {} : { at: { x: pdf.left + column * (width + GAP), width } };
    pdf.table(columns, lines.slice(column * each, (column + 1) * each), { size: across === 3 ? 7 : 8.5, ...at });
    bottom = Math.max(bottom, pdf.y);
  }
  pdf.y = bottom;
}

export const offerTemplate: Template<CarOffer> = { name: 'Teklif', size: () => A4, hasFooter: true, draw: drawOffer };
