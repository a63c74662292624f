// Senet (bono), three to an A4 if they fit, and the slip with which notes are handed to a bank or a lawyer. A note is nama
// yazılı; the word «bono» is part of its sentence (TTK 776), and it contains neither «emrine» nor interest, acceleration, court
// or a second currency.
import { amountInWords } from '../../formats/amount-in-words.ts';
import type { Pdf } from '../../formats/pdf.ts';
import type { Country, NoteSlip, NotesPaper, PaperNote, Party } from '../paper.ts';
import { amount, day, figure, numberOf } from '../paper-words.ts';
import type { Template } from '../template.ts';
import { A4, ending, facts, letterhead, ownClauses, SPECIMEN, title } from './paper-layout.ts';

export const COPY = 'ÖRNEKTİR, ASLI YERİNE GEÇMEZ';

export const noteSentence = (note: PaperNote): string =>
  `İşbu bono mukabilinde ${day(note.due_date)} tarihinde, lehtar ${note.payee_name} adına, #${figure(note.amount)}# ${note.currency} (yalnız ${amountInWords(note.amount, note.currency)}) tutarını kayıtsız ve şartsız ödeyeceğim. Bu bono nama yazılıdır, emre yazılı değildir. Bedeli malen alınmıştır.`;

/** Guarantors sign as kefil; in Türkiye, where the maker is a company, as aval. */
const guarantorRole = (note: PaperNote, country: Country): string =>
  country === 'TR' && note.maker.kind === 'Kurumsal' ? 'Aval veren' : 'Kefil';

const PAD = 12;
const SIZES = [9.5, 9, 8.5, 8, 7.5, 7];

interface Person {
  readonly role: string;
  readonly party: Party;
}

const peopleOf = (note: PaperNote, country: Country): Person[] => [
  { role: 'Düzenleyen', party: note.maker },
  ...note.guarantors.map((party) => ({ role: guarantorRole(note, country), party })),
];

function personText({ role, party }: Person): string {
  const number = numberOf(party);
  const blank = '........................................';
  return `${role}: ${party.name}${party.representative === null ? '' : ` (temsilen ${party.representative})`}\n${number.label}: ${number.value ?? blank}\nAdres: ${party.address?.replaceAll('\n', ', ') ?? blank}`;
}

const SIGN_SHARE = 0.3;

/** The height of a note at this font size. */
function noteHeight(pdf: Pdf, note: PaperNote, country: Country, size: number): number {
  const width = pdf.width - 2 * PAD;
  const head = size * 1.9 + headingHeight(pdf, size);
  const sentence = pdf.heightOf(noteSentence(note), { size }, width) + size;
  const places = pdf.heightOf(placesText(note), { size }, width) + size * 0.6;
  const people = peopleOf(note, country).map((person) => personHeight(pdf, person, size, width));
  const witnesses = country === 'KKTC' ? size * 3.4 : 0;
  return 2 * PAD + head + sentence + places + people.reduce((sum, one) => sum + one, 0) + witnesses;
}

/** The name of the paper above its sentence; the dealer's logo, if there is one, beside it. */
const HEADING = 'BONO / SENET';
const headingHeight = (pdf: Pdf, size: number): number => pdf.heightOf(HEADING, { size: size + 2, bold: true }) + 2;

const personHeight = (pdf: Pdf, person: Person, size: number, width: number): number =>
  Math.max(pdf.heightOf(personText(person), { size: size - 0.5 }, width * (1 - SIGN_SHARE) - 8), size * 3.4) + size * 0.5;

const placesText = (note: PaperNote): string =>
  `Ödeme yeri: ${note.payment_place}     Düzenleme yeri ve tarihi: ${note.issue_place}, ${day(note.issue_date)}`;

/** Notes are cut apart, so each has its own mark. */
const markOf = (note: PaperNote, { specimen }: NotesPaper): string | null =>
  specimen === true ? SPECIMEN : note.is_copy ? COPY : null;

function drawNote(pdf: Pdf, note: PaperNote, paper: NotesPaper, size: number, height: number): void {
  const { country } = paper;
  const mark = markOf(note, paper);
  const top = pdf.y;
  const place = { x: pdf.left + PAD, width: pdf.width - 2 * PAD };
  pdf.frame(pdf.left, top, pdf.width, height);
  pdf.y = top + PAD - 2;
  if (paper.head.logo !== null)
    pdf.picture(paper.head.logo, { x: place.x, y: pdf.y, width: 60, height: headingHeight(pdf, size) }, paper.head.name);
  pdf.text('H1', HEADING, { size: size + 2, bold: true, align: 'center' }, place);
  pdf.y = top + PAD - 2 + headingHeight(pdf, size);
  const third = place.width / 3;
  const heading = pdf.y;
  (
    [
      ['left', `Senet no: ${note.note_no}`],
      ['center', `Vade: ${day(note.due_date)}`],
      ['right', `#${figure(note.amount)}# ${note.currency}`],
    ] as const
  ).forEach(([align, text], index) => {
    pdf.y = heading;
    pdf.text('P', text, { size: size - 0.5, bold: true, align }, { x: place.x + index * third, width: third });
  });
  pdf.y = heading + size * 1.5;
  pdf.rule(place.x, pdf.y, place.width, { grey: 0.5, thick: 0.5 });
  pdf.y += size * 0.5;
  pdf.text('P', noteSentence(note), { size }, place);
  pdf.y += size * 0.7;
  pdf.text('P', placesText(note), { size }, place);
  pdf.y += size * 0.6;
  for (const person of peopleOf(note, country)) drawPerson(pdf, person, size, place);
  if (country === 'KKTC') drawWitnesses(pdf, size, place);
  if (mark !== null) pdf.stamp(mark, { x: pdf.left, y: top, width: pdf.width, height });
  pdf.y = top + height;
}

interface Across {
  readonly x: number;
  readonly width: number;
}

function drawPerson(pdf: Pdf, person: Person, size: number, place: Across): void {
  const top = pdf.y;
  const height = personHeight(pdf, person, size, place.width);
  const sign = place.width * SIGN_SHARE;
  pdf.text('P', personText(person), { size: size - 0.5 }, { x: place.x, width: place.width - sign - 8 });
  pdf.y = top;
  pdf.text('P', 'İmza', { size: size - 2, grey: 0.4 }, { x: place.x + place.width - sign, width: sign });
  pdf.rule(place.x + place.width - sign, top + size * 3.2, sign, { grey: 0.4 });
  pdf.y = top + height;
}

function drawWitnesses(pdf: Pdf, size: number, place: Across): void {
  const top = pdf.y;
  const stamp = 84;
  pdf.frame(place.x, top, stamp, size * 3);
  pdf.y = top + 2;
  pdf.text('P', 'Pul', { size: size - 2, grey: 0.4 }, { x: place.x + 4, width: stamp - 8 });
  const width = (place.width - stamp - 28) / 2;
  [1, 2].forEach((number, index) => {
    const x = place.x + stamp + 14 + index * (width + 14);
    pdf.y = top;
    pdf.text('P', `Tanık ${number} (ad soyad, imza)`, { size: size - 2, grey: 0.4 }, { x, width });
    pdf.rule(x, top + size * 2.8, width, { grey: 0.5, thick: 0.5 });
  });
  pdf.y = top + size * 3.4;
}

function drawNotes(pdf: Pdf, paper: NotesPaper): void {
  const { notes, country } = paper;
  const page = pdf.floor - pdf.y;
  const gap = 10;
  const slot = (page - 2 * gap) / 3;
  let free = 3;
  for (const note of notes) {
    const size = SIZES.find((one) => noteHeight(pdf, note, country, one) <= slot) ?? SIZES.at(-1)!;
    // A note that does not fit into a third of the page even in small letters takes as many thirds as it needs, in a readable
    // size.
    const needed =
      noteHeight(pdf, note, country, size) <= slot ? 1 : noteHeight(pdf, note, country, 8.5) <= slot * 2 + gap ? 2 : 3;
    if (needed > free) {
      pdf.newPage();
      free = 3;
    } else if (free < 3) pdf.y += gap;
    const own =
      needed === 1
        ? size
        : (SIZES.find((one) => noteHeight(pdf, note, country, one) <= slot * needed + gap * (needed - 1)) ?? SIZES.at(-1)!);
    drawNote(pdf, note, paper, own, slot * needed + gap * (needed - 1));
    free -= needed;
  }
}

export const notesTemplate: Template<NotesPaper> = {
  name: 'Senet',
  size: () => A4,
  hasFooter: false,
  marksParts: true,
  draw: drawNotes,
};

function drawSlip(pdf: Pdf, paper: NoteSlip): void {
  letterhead(pdf, paper.head, [['Tarih', day(paper.day)]]);
  title(pdf, 'SENET BORDROSU');
  facts(pdf, [
    ['Teslim edilen', paper.handed_to],
    ['Amaç', paper.purpose],
    ['Senet adedi', String(paper.notes.length)],
  ]);
  const columns = [
    { title: 'Senet no', share: 1.7 },
    { title: 'Borçlu', share: 3 },
    { title: 'Satış', share: 1.7 },
    { title: 'Vade', share: 1.3 },
    { title: 'Ödeme yeri', share: 1.7 },
    { title: 'Tutar', share: 2.6, align: 'right' as const },
  ];
  const sums = new Map<PaperNote['currency'], bigint>();
  for (const note of paper.notes) sums.set(note.currency, (sums.get(note.currency) ?? 0n) + note.amount);
  pdf.table(
    columns,
    paper.notes.map((note) => [
      note.note_no,
      note.maker,
      note.sale_no,
      day(note.due_date),
      note.payment_place,
      amount(note.amount, note.currency),
    ]),
    { size: 8, totals: [...sums].map(([currency, total]) => ['Toplam', '', '', '', '', amount(total, currency)]) },
  );
  const texts = [
    { runs: 'Yukarıda dökümü yazılı senetler eksiksiz teslim edilmiş ve alınmıştır.' },
    ...ownClauses(paper.clauses),
  ];
  const signers = [
    { role: 'Teslim eden', name: paper.head.legal_name },
    { role: 'Teslim alan', name: paper.handed_to },
  ];
  ending(pdf, texts, { signers, country: 'TR' });
}

export const noteSlipTemplate: Template<NoteSlip> = { name: 'Senet bordrosu', size: () => A4, hasFooter: true, draw: drawSlip };
