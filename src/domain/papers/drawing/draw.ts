// Draws a paper into a file with its template. Runs in the drawing process (paper-worker.ts).
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { openPdf, type PdfOptions } from '../../formats/pdf.ts';
import type { Paper, PaperCode } from '../paper.ts';
import type { Template } from '../template.ts';
import { contractTemplate } from '../templates/contract.ts';
import { drawEvidence } from '../templates/evidence-page.ts';
import { guaranteeTemplate } from '../templates/guarantee.ts';
import { noticeTemplate } from '../templates/notice-letter.ts';
import { footerOf, ROLL_WIDTH, SPECIMEN } from '../templates/paper-layout.ts';
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
};

export interface DrawnFile {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The file must not exist yet. */
export async function drawInto(paper: Paper, path: string): Promise<DrawnFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const counted = new PassThrough();
  counted.on('data', (piece: Buffer) => {
    hash.update(piece);
    sizeBytes += piece.length;
  });
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const isWritten = finished(counted.pipe(file));
  await Promise.all([drawTo(paper, counted), isWritten]);
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function drawTo(paper: Paper, out: Writable): Promise<void> {
  const template = TEMPLATES[paper.code] as unknown as Template<Paper>;
  const size = template.size(paper);
  const margin = size === 'roll' ? ROLL_MARGIN : size[0] < 500 ? SMALL_MARGIN : MARGIN;
  const options = {
    title: template.name,
    author: paper.head.legal_name ?? paper.head.name,
    language: 'tr-TR',
    createdAt: paper.created_at,
    margin,
  };
  const pdf = openPdf({ ...options, size: size === 'roll' ? await rollSize(options, paper, template) : size }, out);
  template.draw(pdf, paper);
  const mark = template.mark?.(paper) ?? null;
  if (mark !== null && paper.specimen !== true) pdf.stampPages([mark]);
  if ('evidence' in paper && paper.evidence !== null) drawEvidence(pdf, paper.evidence);
  // After the last page exists, so that none is without it.
  if (paper.specimen === true && template.marksParts !== true)
    pdf.stampPages(mark === null ? [SPECIMEN] : [SPECIMEN, mark], true);
  if (template.hasFooter) pdf.footers(footerOf(paper, template.name));
  await pdf.end();
}

const MARGIN = { top: 42, side: 50, bottom: 52 };
const SMALL_MARGIN = { top: 28, side: 30, bottom: 28 };
const ROLL_MARGIN = { top: 12, side: 11, bottom: 14 };

/** A roll is cut below the last line: it is drawn once without output to find its length. */
async function rollSize(
  options: Omit<PdfOptions, 'size'>,
  paper: Paper,
  template: Template<Paper>,
): Promise<readonly [number, number]> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const pdf = openPdf({ ...options, size: [ROLL_WIDTH, LONGEST_ROLL] }, nowhere);
  template.draw(pdf, paper);
  const height = pdf.y + ROLL_MARGIN.bottom + 4;
  await pdf.end();
  return [ROLL_WIDTH, Math.min(height, LONGEST_ROLL)];
}

/** Five metres, the longest page that viewers show. */
const LONGEST_ROLL = 14_000;
