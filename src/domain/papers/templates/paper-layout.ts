// The common typography of all papers: letterhead, title, facts, clauses, signatures, the verification mark.
import type { Pdf } from '../../formats/pdf.ts';
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

/** The dealer on the left, the paper's name on the right, a line below. */
export function letterhead(pdf: Pdf, head: PaperHead, facts: readonly (readonly [string, string])[], size = 8): void {
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
  const lines = [shop, head.address, ...(isOneLine ? [together] : [place, head.email])].filter((line) => line);
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
  pdf.room(size * 12);
  pdf.y += 4;
  pdf.text('H2', text, { size: size + 0.5, bold: true });
  pdf.y += 3;
}

export function paragraph(pdf: Pdf, runs: Parameters<Pdf['text']>[1], size: number = BODY): void {
  pdf.room(Math.min(pdf.heightOf(runs, { size }), size * 4));
  pdf.text('P', runs, { size });
  pdf.y += size * 0.55;
}

/** Numbered, with hanging numbers. */
export function numbered(pdf: Pdf, clauses: readonly Parameters<Pdf['text']>[1][], size: number = BODY): void {
  const indent = size * 2;
  clauses.forEach((clause, index) => {
    pdf.room(Math.min(pdf.heightOf(clause, { size }, pdf.width - indent), size * 4));
    const runs = typeof clause === 'string' ? [clause] : clause;
    pdf.text('P', [`${index + 1}. `, ...runs], { size });
    pdf.y += size * 0.5;
  });
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
        pdf.y = top + size * 1.5;
      } else pdf.text('P', value, { size }, place);
      bottom = Math.max(bottom, pdf.y);
    });
    pdf.y = bottom + 3;
  }
  pdf.y += 4;
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

/** Two or three side by side, each with room for a signature. */
export function signatures(pdf: Pdf, signers: readonly Signer[], country: Country, size: number = BODY): void {
  const across = Math.min(3, Math.max(2, signers.length));
  const gap = 20;
  const width = (pdf.width - gap * (across - 1)) / across;
  pdf.y += 10;
  for (let first = 0; first < signers.length; first += across) {
    const group = signers.slice(first, first + across);
    const names = Math.max(...group.map(({ name }) => pdf.heightOf(name ?? ' ', { size, bold: true }, width)));
    pdf.room(names + size * 8);
    const top = pdf.y;
    group.forEach(({ role, name }, index) => {
      const place = { x: pdf.left + index * (width + gap), width };
      pdf.y = top;
      pdf.text('P', role, { size: labelSize(size), grey: LABEL_GREY }, place);
      if (name !== null) pdf.text('P', name, { size, bold: true }, place);
      const line = top + size * 1.6 + names + size * 3.4;
      pdf.rule(place.x, line, width, { grey: 0.4 });
      pdf.y = line + 2;
      pdf.text('P', 'İmza', { size: labelSize(size, 2.5), grey: LABEL_GREY }, place);
    });
    pdf.y += size;
  }
  if (country === 'KKTC') witnesses(pdf, size);
}

/** Papers of Northern Cyprus have room for stamps and two witnesses. */
function witnesses(pdf: Pdf, size: number): void {
  const height = size * 8;
  pdf.room(height + 6);
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

/** The account's own clauses, after the built-in text. */
export function ownClauses(pdf: Pdf, clauses: string | null, size: number = BODY): void {
  if (clauses === null || clauses.trim() === '') return;
  section(pdf, 'Ek hükümler', size);
  for (const part of clauses.split(/\n+/).filter((line) => line.trim() !== '')) paragraph(pdf, part, size);
}

/** The QR code and the sentence beside it. */
export function verificationMark(pdf: Pdf, verification: PaperVerification | null, size = 7.5): void {
  if (verification === null) return;
  const side = 58;
  pdf.room(side + 8);
  const top = pdf.y + 6;
  pdf.dots(qrFields(verification.url), { x: pdf.left, y: top, size: side }, `QR: ${verification.url}`);
  const place = { x: pdf.left + side + 10, width: pdf.width - side - 10 };
  pdf.y = top + 10;
  pdf.text('P', 'Bu belgenin numarası, günü, tutarı ve dosya özeti şu adreste doğrulanır:', { size, grey: 0.3 }, place);
  pdf.text('P', verification.url, { size }, place);
  pdf.y = Math.max(pdf.y, top + side) + 4;
}

export function footerOf(paper: Paper, name: string): (page: number, pages: number) => readonly [string, string] {
  return (page, pages) => [`${dealerName(paper.head)} · ${name}`, `${page}/${pages}`];
}
