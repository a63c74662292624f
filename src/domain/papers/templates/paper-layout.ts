// The common typography of all papers: letterhead, title, facts, clauses, signatures, the verification mark.
import { type FooterMark, lettersOf, type Pdf, type Runs, type TextStyle } from '../../formats/pdf.ts';
import { qrFields } from '../../formats/qr.ts';
import type { Country, Paper, PaperHead, PaperVerification, Party } from '../paper.ts';
import { numberOf, phoneOf } from '../paper-words.ts';

export const A4: readonly [number, number] = [595.28, 841.89];
export const A5: readonly [number, number] = [419.53, 595.28];
/** 80 mm wide; as long as its text. */
export const ROLL_WIDTH = 226.77;

/** Across every page of a world's papers. */
export const SPECIMEN = 'ÖRNEKTİR / SPECIMEN';

export const BODY = 9.5;
const LABEL_GREY = 0.4;

/** Smaller than the text beside it, except where the law requires at least 12 points. */
const labelSize = (size: number, less = 1): number => (size >= 12 ? size : Math.max(size - less, 6.5));

const dealerName = (head: PaperHead): string => head.legal_name ?? head.name;

/** Null until the dealer has entered it. */
export const taxLine = ({ tax_office = null, tax_no = null }: PaperHead): string | null =>
  tax_office === null && tax_no === null ? null : `Vergi dairesi / no: ${[tax_office, tax_no].filter(Boolean).join(' / ')}`;

interface LetterheadStyle {
  readonly size?: number;
  /** The paper itself has the dealer's address among the parties. */
  readonly isShort?: boolean;
}

/** The dealer on the left, the paper's name on the right, a line below. */
export function letterhead(
  pdf: Pdf,
  head: PaperHead,
  facts: readonly (readonly [string, string])[],
  { size = 8, isShort = false }: LetterheadStyle = {},
): void {
  const top = pdf.y;
  const right = { x: pdf.left + pdf.width * 0.62, width: pdf.width * 0.38 };
  let left = { x: pdf.left, width: pdf.width * 0.6 };
  let bottom = top;
  if (head.logo !== null && pdf.width > 400) {
    pdf.picture(head.logo, { x: pdf.left, y: top, width: 90, height: 42 }, dealerName(head));
    left = { x: pdf.left + 100, width: pdf.width * 0.6 - 100 };
    bottom = top + 42;
  } else if (head.logo !== null) {
    // A small page has no room beside it.
    pdf.picture(head.logo, { x: pdf.left, y: top, width: 80, height: 34 }, dealerName(head));
    pdf.y = top + 38;
  }
  pdf.text('P', [{ bold: dealerName(head) }], { size: size + 3 }, left);
  const shop = head.legal_name !== null && head.legal_name !== head.name ? head.name : null;
  const style = { size, grey: 0.3 };
  const place = [head.city, phoneOf(head)].filter(Boolean).join(' · ');
  const together = [place, head.email].filter(Boolean).join(' · ');
  const isOneLine = pdf.heightOf(together, style, left.width) <= pdf.heightOf(' ', style, left.width);
  const details = [head.address, ...(isOneLine ? [together] : [place, head.email]), taxLine(head)];
  const lines = [shop, ...(isShort ? [] : details)].filter((line) => line);
  for (const line of lines) pdf.text('P', line!, style, left);
  bottom = Math.max(bottom, pdf.y);
  pdf.y = top + 2;
  for (const [label, value] of facts)
    pdf.text('P', `${label}: ${value}`, { size: size + 0.5, bold: true, align: 'right' }, right);
  pdf.y = Math.max(bottom, pdf.y) + 6;
  pdf.rule(pdf.left, pdf.y, pdf.width, { thick: 0.8 });
  pdf.y += 14;
}

export function title(pdf: Pdf, text: string, size = 15): void {
  pdf.text('H1', text, { size, bold: true });
  pdf.y += 8;
}

/**
 * Includes room for the first element below it, such as a long name over seven lines: a heading is never the last line of a page.
 */
export function section(pdf: Pdf, text: string, size: number = BODY): void {
  pdf.room(size * (size >= 12 ? 6 : 12));
  pdf.y += 4;
  pdf.text('H2', text, { size: size + 0.5, bold: true });
  pdf.y += 3;
}

export function paragraph(pdf: Pdf, runs: Runs, size: number = BODY): void {
  pdf.room(Math.min(pdf.heightOf(runs, lettersOf(size)), size * 4));
  pdf.text('P', runs, lettersOf(size));
  pdf.y += size * 0.55;
}

/** A text near the end of a paper, so that it can be kept together with the signatures. */
export interface Passage {
  readonly runs: Runs;
  readonly isHeading?: true;
}

/** Numbered in the order of the list. */
export const numbered = (clauses: readonly Runs[]): Passage[] =>
  clauses.map((clause, index) => ({ runs: [`${index + 1}. `, ...(typeof clause === 'string' ? [clause] : clause)] }));

/** The account's own clauses, after the built-in text. */
export const ownClauses = (clauses: string | null): Passage[] =>
  clauses === null || clauses.trim() === ''
    ? []
    : [
        { runs: 'Ek hükümler', isHeading: true },
        ...clauses.split(/\n+/).flatMap((line) => (line.trim() === '' ? [] : [{ runs: line }])),
      ];

export const remark = (note: string | null): Passage[] => (note === null ? [] : [{ runs: note }]);

export function passages(pdf: Pdf, list: readonly Passage[], size: number = BODY): void {
  for (const { runs, isHeading } of list)
    if (isHeading === true) section(pdf, plainText(runs), size);
    else paragraph(pdf, runs, size);
}

const plainText = (runs: Runs): string =>
  typeof runs === 'string' ? runs : runs.map((run) => (typeof run === 'string' ? run : run.bold)).join('');

/** Text of a page: signatures below less than this look as if they belonged to another paper. */
const KEPT_LINES = 5;

export interface Ending {
  readonly signers: readonly Signer[];
  readonly country: Country;
  readonly size?: number;
}

/** The last texts and the signatures. Signatures, stamp and witnesses are never on a page without the last lines of the text. */
export function ending(pdf: Pdf, list: readonly Passage[], { signers, country, size = BODY }: Ending): void {
  const style = lettersOf(size);
  const heightOf = ({ runs }: Passage) => pdf.heightOf(runs, style) + size * 0.55;
  const line = pdf.heightOf(' ', style);
  const whole = splitLast(pdf, list, style);
  let from = whole.length;
  let height = 0;
  while (from > 0 && (height < KEPT_LINES * line || whole[from - 1]!.isHeading === true)) {
    from -= 1;
    height += heightOf(whole[from]!);
  }
  passages(pdf, whole.slice(0, from), size);
  pdf.room(Math.min(height + signaturesHeight(pdf, signers, country, size), pdf.floor * 0.8));
  passages(pdf, whole.slice(from), size);
  signatures(pdf, signers, country, size);
}

/** A last text over half a page is divided, so that its end can move to the page of the signatures. */
function splitLast(pdf: Pdf, list: readonly Passage[], style: TextStyle): readonly Passage[] {
  const last = list.at(-1);
  if (last === undefined || typeof last.runs !== 'string' || pdf.heightOf(last.runs, style) < pdf.floor / 2) return list;
  const words = last.runs.split(' ');
  const kept = pdf.heightOf(' ', style) * (KEPT_LINES + 1);
  let from = words.length - 1;
  while (from > 1 && pdf.heightOf(words.slice(from).join(' '), style) < kept) from -= 1;
  return [...list.slice(0, -1), { runs: words.slice(0, from).join(' ') }, { runs: words.slice(from).join(' ') }];
}

export type Fact = readonly [label: string, value: string | null];

/** Labels and values in two columns; a value that is not recorded is an empty line to be filled in by hand. */
export function facts(
  pdf: Pdf,
  list: readonly Fact[],
  { size = BODY, columns = 2 }: { readonly size?: number; readonly columns?: 1 | 2 } = {},
): void {
  const gap = 18;
  const width = (pdf.width - gap * (columns - 1)) / columns;
  if (size >= 12) {
    largeFacts(pdf, list, { size, columns, gap, width });
    return;
  }
  for (let first = 0; first < list.length; first += columns) {
    const pair = list.slice(first, first + columns);
    const labelWidth = Math.min(width * 0.42, 13 * size);
    pdf.room(Math.max(...pair.map(([label, value]) => factHeight(pdf, label, value, width, labelWidth, size))));
    const top = pdf.y;
    let bottom = top;
    pair.forEach(([label, value], index) => {
      const x = pdf.left + index * (width + gap);
      pdf.y = top;
      pdf.text('P', label, { size: labelSize(size), grey: LABEL_GREY }, { x, width: labelWidth - 6 });
      bottom = Math.max(bottom, pdf.y);
      pdf.y = top;
      const place = { x: x + labelWidth, width: width - labelWidth };
      if (value === null) {
        pdf.rule(place.x, top + size * 1.25, place.width, { grey: 0.55, thick: 0.5 });
        pdf.y = top + size * 1.45;
      } else pdf.text('P', value, { size }, place);
      bottom = Math.max(bottom, pdf.y);
    });
    pdf.y = bottom + 3;
  }
  pdf.y += 4;
}

interface LargeFacts {
  readonly size: number;
  readonly columns: number;
  readonly gap: number;
  readonly width: number;
}

/** In large letters a label and its value share a line, because labels would not fit into a column of their own. */
function largeFacts(pdf: Pdf, list: readonly Fact[], { size, columns, gap, width }: LargeFacts): void {
  const style = lettersOf(size);
  const textOf = ([label, value]: Fact) => `${label}: ${value ?? ''}`;
  for (let first = 0; first < list.length; first += columns) {
    const pair = list.slice(first, first + columns);
    pdf.room(Math.max(...pair.map((fact) => pdf.heightOf(textOf(fact), style, width))));
    const top = pdf.y;
    let bottom = top;
    pair.forEach((fact, index) => {
      const place = { x: pdf.left + index * (width + gap), width };
      pdf.y = top;
      pdf.text('P', textOf(fact), style, place);
      bottom = Math.max(bottom, pdf.y);
      if (fact[1] !== null) return;
      const label = pdf.widthOf(textOf(fact), style) + 4;
      pdf.rule(place.x + label, top + size * 1.2, width - label, { grey: 0.55, thick: 0.5 });
    });
    pdf.y = bottom + 1;
  }
  pdf.y += 2;
}

const factHeight = (pdf: Pdf, label: string, value: string | null, width: number, labelWidth: number, size: number): number =>
  Math.max(pdf.heightOf(label, { size }, labelWidth - 6), pdf.heightOf(value ?? ' ', { size }, width - labelWidth)) + 3;

export const partyFacts = (party: Party): Fact[] => {
  const number = numberOf(party);
  return [
    [party.kind === 'Kurumsal' ? 'Unvan' : 'Ad soyad', party.name],
    [number.label, number.value],
    ...(party.kind === 'Kurumsal' ? [['Temsilci', party.representative] as Fact] : []),
    ['Telefon', phoneOf(party)],
    ['Adres', party.address],
  ];
};

export interface Signer {
  readonly role: string;
  readonly name: string | null;
}

/** Room for a signature by hand. */
const SIGN_ROOM = 30;

const acrossOf = (signers: readonly Signer[]): number => Math.min(3, Math.max(2, signers.length));
const GAP = 20;

function groupsOf(pdf: Pdf, signers: readonly Signer[], size: number) {
  const across = acrossOf(signers);
  const width = (pdf.width - GAP * (across - 1)) / across;
  const groups = Array.from({ length: Math.ceil(signers.length / across) }, (_, index) =>
    signers.slice(index * across, (index + 1) * across),
  );
  return groups.map((group) => {
    const names = Math.max(...group.map(({ name }) => pdf.heightOf(name ?? ' ', { size, bold: true }, width)));
    const line = size * 1.6 + names + SIGN_ROOM;
    return { group, width, line, height: line + size * 2.6 };
  });
}

export const signaturesHeight = (pdf: Pdf, signers: readonly Signer[], country: Country, size: number = BODY): number =>
  groupsOf(pdf, signers, size).reduce((sum, { height }) => sum + height, 8) + (country === 'KKTC' ? witnessHeight(size) : 0);

/** Two or three side by side, each with room for a signature. */
export function signatures(pdf: Pdf, signers: readonly Signer[], country: Country, size: number = BODY): void {
  pdf.y += 8;
  const groups = groupsOf(pdf, signers, size);
  const below = country === 'KKTC' ? witnessHeight(size) : 0;
  groups.forEach(({ group, width, line, height }, index) => {
    pdf.room(height + (index === groups.length - 1 ? below : 0));
    const top = pdf.y;
    group.forEach(({ role, name }, place) => {
      const at = { x: pdf.left + place * (width + GAP), width };
      pdf.y = top;
      pdf.text('P', role, { size: labelSize(size), grey: LABEL_GREY }, at);
      if (name !== null) pdf.text('P', name, { size, bold: true }, at);
      pdf.rule(at.x, top + line, width, { grey: 0.4 });
      pdf.y = top + line + 2;
      pdf.text('P', 'İmza', { size: labelSize(size, 2.5), grey: LABEL_GREY }, at);
    });
    pdf.y = top + height;
  });
  if (country === 'KKTC') witnesses(pdf, size);
}

const witnessHeight = (size: number): number => size * 7.4 + 4;

/** Papers of Northern Cyprus have room for stamps and two witnesses. */
function witnesses(pdf: Pdf, size: number): void {
  const height = witnessHeight(size) - 4;
  const top = pdf.y + 4;
  const box = 96;
  pdf.frame(pdf.left, top, box, height - 8);
  pdf.y = top + 4;
  pdf.text('P', 'Pul', { size: size - 1.5, grey: LABEL_GREY }, { x: pdf.left + 5, width: box - 10 });
  const width = (pdf.width - box - 40) / 2;
  [1, 2].forEach((number, index) => {
    const place = { x: pdf.left + box + 20 + index * (width + 20), width };
    pdf.y = top;
    pdf.text('P', `Tanık ${number}`, { size: size - 1, grey: LABEL_GREY }, place);
    for (const label of ['Ad soyad', 'Kimlik no', 'İmza']) {
      pdf.y += size * 0.9;
      const labelWidth = pdf.widthOf(label, { size: size - 1.5 }) + 5;
      pdf.text('P', label, { size: size - 1.5, grey: LABEL_GREY }, place);
      pdf.rule(place.x + labelWidth, pdf.y - 2, width - labelWidth, { grey: 0.55, thick: 0.5 });
    }
  });
  pdf.y = top + height;
}

/** The QR code with its sentence, at the foot of every page. */
export const footerMark = (verification: PaperVerification | null): FooterMark | null =>
  verification && {
    fields: qrFields(verification.url),
    alt: `QR: ${verification.url}`,
    lines: ['Bu belgenin numarası, günü, tutarı ve dosya özeti şu adreste doğrulanır:', verification.url],
  };

export function footerOf(paper: Paper, name: string): (page: number, pages: number) => readonly [string, string] {
  return (page, pages) => [`${dealerName(paper.head)} · ${name}`, `${page}/${pages}`];
}
