// Papers about a car on offer: the sheet in its window, and an offer to one customer. In Turkish or English, as the customer reads.
import type { Pdf } from '../../formats/pdf.ts';
import { qrFields } from '../../formats/qr.ts';
import type { CarOffer, CarPaper, WindowSticker } from '../paper.ts';
import { amount, day, figure } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { A4, A5, type Fact, facts, letterhead, paragraph, section, signatures, signaturesHeight, title } from './paper-layout.ts';

const WORDS = {
  tr: {
    offer: 'TEKLİF',
    for: 'Sayın',
    price: 'Fiyat',
    model_year: 'Model yılı',
    km: 'Kilometre',
    fuel: 'Yakıt',
    gearbox: 'Vites',
    body: 'Kasa',
    color: 'Renk',
    painted: 'Boyalı parça',
    replaced: 'Değişen parça',
    none: 'Yok',
    tramer: 'Hasar kaydı',
    ask: 'WhatsApp ile sorun',
    date: 'Tarih',
    payment: 'Ödeme önerisi',
    down: 'Peşinat',
    charge: 'Vade farkı',
    total: 'Toplam',
    financed: 'Taksitlenen tutar',
    count: 'Taksit sayısı',
    first: 'İlk taksit',
    plan: 'Taksitler',
    no: 'No',
    due: 'Vade',
    sum: 'Tutar',
    valid: (until: string) =>
      `Bu teklif ${until} gününe kadar geçerlidir. Bilgi içindir, satış sözleşmesi değildir; araç bu süre içinde başkasına satılmışsa teklif hükümsüzdür.`,
    dealer: 'Teklifi veren',
  },
  en: {
    offer: 'OFFER',
    for: 'For',
    price: 'Price',
    model_year: 'Model year',
    km: 'Kilometres',
    fuel: 'Fuel',
    gearbox: 'Gearbox',
    body: 'Body',
    color: 'Colour',
    painted: 'Painted parts',
    replaced: 'Replaced parts',
    none: 'None',
    tramer: 'Damage on record',
    ask: 'Ask on WhatsApp',
    date: 'Date',
    payment: 'Proposed payment',
    down: 'Down payment',
    charge: 'Finance charge',
    total: 'Total',
    financed: 'Paid in installments',
    count: 'Installments',
    first: 'First installment',
    plan: 'Installments',
    no: 'No',
    due: 'Due',
    sum: 'Amount',
    valid: (until: string) =>
      `This offer is valid until ${until}. It is for information and is not a contract of sale; it lapses if the car is sold to another buyer before then.`,
    dealer: 'Offered by',
  },
} as const;

const kmOf = (km: number): string => figure(BigInt(km) * 100n).slice(0, -3);

function carFacts({ words, car }: CarPaper): Fact[] {
  const t = WORDS[words];
  const parts = (list: readonly string[]) => (list.length === 0 ? t.none : list.join(', '));
  return [
    [t.model_year, String(car.model_year)],
    [t.km, kmOf(car.km)],
    [t.fuel, car.fuel_type],
    [t.gearbox, car.transmission],
    [t.body, car.body_type],
    [t.color, car.color],
    ...(car.condition === null
      ? []
      : ([
          [t.painted, parts(car.condition.painted)],
          [t.replaced, parts(car.condition.replaced)],
          ...(car.condition.tramer === null ? [] : [[t.tramer, car.condition.tramer] as const]),
        ] as const)),
  ];
}

const nameOf = ({ car }: CarPaper): string => [car.brand, car.model, car.trim].filter(Boolean).join(' ');

/** Only if the dealer has a telephone, which the code calls. */
function contact(pdf: Pdf, { contact_url, words }: CarPaper, side: number, x: number = pdf.left): void {
  if (contact_url === null) return;
  const top = pdf.y + 4;
  pdf.dots(qrFields(contact_url), { x, y: top, size: side }, `QR: ${contact_url}`);
  pdf.y = top + side / 2 - 8;
  const beside = { x: x + side + 12, width: pdf.left + pdf.width - x - side - 12 };
  pdf.text('P', [{ bold: WORDS[words].ask }], { size: side / 9 + 3 }, beside);
  pdf.y = top + side + 4;
}

function drawSticker(pdf: Pdf, paper: WindowSticker): void {
  const large = paper.size === 'A4';
  letterhead(pdf, paper.head, [[WORDS[paper.words].date, day(paper.day)]], { size: large ? 11 : 8 });
  pdf.y += large ? 18 : 6;
  pdf.text('H1', nameOf(paper), { size: large ? 34 : 22, bold: true });
  pdf.y += large ? 14 : 6;
  facts(pdf, carFacts(paper), { size: large ? 15 : 10.5, columns: 1 });
  pdf.y += large ? 16 : 6;
  pdf.text('P', WORDS[paper.words].price, { size: large ? 14 : 10, grey: 0.4 });
  pdf.text('P', [{ bold: amount(paper.car.price, paper.car.currency) }], { size: large ? 48 : 30 });
  pdf.y += large ? 18 : 6;
  contact(pdf, paper, large ? 120 : 76);
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
