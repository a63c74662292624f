// Draws a paper into a file with its template. Runs in the drawing process (paper-worker.ts).
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PagePictures } from '../../formats/page-pictures.ts';
import { openPdf, type Pdf, type PdfOptions } from '../../formats/pdf.ts';
import type { Paper, PaperCode } from '../paper.ts';
import type { Template } from '../template.ts';
import { offerTemplate, stickerTemplate } from '../templates/car-papers.ts';
import { contractTemplate } from '../templates/contract.ts';
import { drawEvidence } from '../templates/evidence-page.ts';
import { guaranteeTemplate } from '../templates/guarantee.ts';
import { noticeTemplate } from '../templates/notice-letter.ts';
import { A4, footerMark, footerOf, ROLL_WIDTH, SPECIMEN } from '../templates/paper-layout.ts';
import { privacyTemplate } from '../templates/privacy-notice.ts';
import { noteSlipTemplate, notesTemplate } from '../templates/promissory-notes.ts';
import { depositReceiptTemplate, receiptTemplate, refundReceiptTemplate } from '../templates/receipt.ts';
import { reportTemplate } from '../templates/report.ts';
import { handoverTemplate, planTemplate, releaseTemplate } from '../templates/sale-templates.ts';
import { statementTemplate } from '../templates/statement.ts';
import { tillTemplate } from '../templates/till.ts';

type Templates = { readonly [Code in PaperCode]: Template<Extract<Paper, { readonly code: Code }>> };

export const TEMPLATES: Templates = {
  satis_sozlesmesi: contractTemplate,
  odeme_plani: planTemplate,
  kefaletname: guaranteeTemplate,
  teslim_tutanagi: handoverTemplate,
  senet: notesTemplate,
  ibraname: releaseTemplate,
  kvkk_aydinlatma: privacyTemplate,
  makbuz: receiptTemplate,
  kapora_makbuzu: depositReceiptTemplate,
  iade_makbuzu: refundReceiptTemplate,
  hesap_ekstresi: statementTemplate,
  ihtar_mektubu: noticeTemplate,
  senet_bordrosu: noteSlipTemplate,
  kasa_kapanisi: tillTemplate,
  rapor: reportTemplate,
  vitrin_etiketi: stickerTemplate,
  teklif: offerTemplate,
};

export interface DrawnFile {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The file must not exist yet. */
export const drawInto = (paper: Paper, path: string): Promise<DrawnFile> => writeInto(path, (out) => drawTo(paper, out));

/** The same for papers that are printed together. */
export const drawAllInto = (papers: readonly Paper[], path: string): Promise<DrawnFile> =>
  writeInto(path, (out) => drawAllTo(papers, out));

async function writeInto(path: string, draw: (out: Writable) => Promise<void>): Promise<DrawnFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const counted = new PassThrough();
  counted.on('data', (piece: Buffer) => {
    hash.update(piece);
    sizeBytes += piece.length;
  });
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const isWritten = finished(counted.pipe(file));
  await Promise.all([draw(counted), isWritten]);
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** The pages of a paper as SVG pictures. */
export async function drawPictures(paper: Paper): Promise<string[]> {
  const size = (TEMPLATES[paper.code] as unknown as Template<Paper>).size(paper);
  const pictures = new PagePictures(size === 'roll' ? [ROLL_WIDTH, LONGEST_ROLL] : size);
  await drawTo(paper, nowhere(), pictures);
  return pictures.svg();
}

const nowhere = (): Writable => new Writable({ write: (_piece, _encoding, done) => done() });

async function drawTo(paper: Paper, out: Writable, pictures?: PagePictures): Promise<void> {
  const template = templateOf(paper);
  const size = template.size(paper);
  const options = optionsOf(paper, template.name);
  const pdfSize = size === 'roll' ? await rollSize(options, paper, template) : size;
  const pdf = openPdf({ ...options, size: pdfSize, ...(pictures === undefined ? {} : { pictures }) }, out);
  drawOn(pdf, paper);
  await pdf.end();
}

/** Papers of one size in one file, each with its own page numbers. */
async function drawAllTo(papers: readonly Paper[], out: Writable): Promise<void> {
  const first = papers[0]!;
  const pdf = openPdf({ ...optionsOf(first, 'Evrak'), margin: VERIFIED_MARGIN, size: A4 }, out);
  papers.forEach((paper, index) => {
    if (index > 0) pdf.newPage();
    drawOn(pdf, paper);
  });
  await pdf.end();
}

const templateOf = (paper: Paper): Template<Paper> => TEMPLATES[paper.code] as unknown as Template<Paper>;

function optionsOf(paper: Paper, title: string): Omit<PdfOptions, 'size'> {
  const template = templateOf(paper);
  const size = template.size(paper);
  const isVerified = template.hasFooter && paper.verification !== null;
  const margin = size === 'roll' ? ROLL_MARGIN : size[0] < 500 ? SMALL_MARGIN : isVerified ? VERIFIED_MARGIN : MARGIN;
  const author = paper.head.legal_name ?? paper.head.name;
  return { title, author, language: 'tr-TR', createdAt: paper.created_at, margin };
}

/** From the current page, which is empty. */
function drawOn(pdf: Pdf, paper: Paper): void {
  const template = templateOf(paper);
  const from = pdf.pages - 1;
  template.draw(pdf, paper);
  const mark = template.mark?.(paper) ?? null;
  if (mark !== null && paper.specimen !== true) pdf.stampPages([mark], { from });
  if ('evidence' in paper && paper.evidence !== null) drawEvidence(pdf, paper.evidence);
  // After the last page exists, so that none is without it.
  if (paper.specimen === true && template.marksParts !== true)
    pdf.stampPages(mark === null ? [SPECIMEN] : [SPECIMEN, mark], { isRepeated: true, from });
  if (template.hasFooter) pdf.footers(footerOf(paper, template.name), { mark: footerMark(paper.verification), from });
}

const MARGIN = { top: 38, side: 48, bottom: 50 };
/** With room for the code at the foot of the page. */
const VERIFIED_MARGIN = { ...MARGIN, bottom: 74 };
const SMALL_MARGIN = { top: 28, side: 30, bottom: 28 };
const ROLL_MARGIN = { top: 12, side: 11, bottom: 14 };

/** A roll is cut below the last line: it is drawn once without output to find its length. */
async function rollSize(
  options: Omit<PdfOptions, 'size'>,
  paper: Paper,
  template: Template<Paper>,
): Promise<readonly [number, number]> {
  const pdf = openPdf({ ...options, size: [ROLL_WIDTH, LONGEST_ROLL] }, nowhere());
  template.draw(pdf, paper);
  const height = pdf.y + ROLL_MARGIN.bottom + 4;
  await pdf.end();
  return [ROLL_WIDTH, Math.min(height, LONGEST_ROLL)];
}

/** Five metres, the longest page that viewers show. */
const LONGEST_ROLL = 14_000;
