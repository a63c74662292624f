// PDF files, drawn with pdfkit, which only this file imports: text, tables, pictures, QR codes. Every mark is tagged (a heading,
// a cell, an artifact), so that a screen reader can read the file and it conforms to PDF/A. The content does not depend on the
// time or place of drawing.
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import PdfDocument from 'pdfkit';
import { drawable } from './drawable-text.ts';
import { inkOf, type PagePictures, type PictureText } from './page-pictures.ts';
import { type Column, type Place, placesOf } from './table-columns.ts';

export interface PdfOptions {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** The record's time. */
  readonly createdAt: Date;
  /** In points (1/72 inch). */
  readonly size: readonly [width: number, height: number];
  readonly margin: { readonly top: number; readonly side: number; readonly bottom: number };
  /** Records the pages as pictures. */
  readonly pictures?: PagePictures;
}

export interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center' | 'justify';
  /** 0 is black, 1 white. */
  readonly grey?: number;
  readonly leading?: number;
}

/** Text with bold parts. */
export type Runs = string | readonly (string | { readonly bold: string })[];

export interface TableOptions {
  readonly size?: number;
  /** Totals in bold with a line above, after the rows. */
  readonly totals?: readonly (readonly string[])[];
  /** The whole width by default. A table in a part of the page stays on its page. */
  readonly at?: Across;
  /** The height of what follows. It is never on a page without the last rows. */
  readonly below?: number;
}

export interface Across {
  readonly x: number;
  readonly width: number;
}

/** A QR code with its words, at the foot of every page. */
export interface FooterMark {
  readonly fields: readonly (readonly boolean[])[];
  readonly alt: string;
  readonly lines: readonly string[];
}

export interface Shape {
  readonly path: string;
  readonly grey: number;
}

export type Tag = 'H1' | 'H2' | 'P' | 'Caption' | 'Figure' | 'Note';

export interface Pdf {
  readonly left: number;
  readonly width: number;
  readonly pageHeight: number;
  /** The vertical position of the next block. */
  y: number;
  /** The vertical position at which the page is full. */
  readonly floor: number;
  newPage(): void;
  /** Starts a new page if this height does not fit on the current one. */
  room(height: number): void;
  /** At `y`, over the whole width or the given part; moves `y` below it. */
  text(tag: Tag, runs: Runs, style?: TextStyle, at?: { readonly x: number; readonly width: number }): void;
  heightOf(runs: Runs, style?: TextStyle, width?: number): number;
  widthOf(text: string, style?: TextStyle): number;
  table(columns: readonly Column[], rows: readonly (readonly string[])[], options?: TableOptions): void;
  /** The height of each row as a table of this width draws it. */
  rowHeights(columns: readonly Column[], rows: readonly (readonly string[])[], size: number, width: number): number[];
  rule(x: number, y: number, width: number, style?: { readonly grey?: number; readonly thick?: number }): void;
  frame(x: number, y: number, width: number, height: number): void;
  picture(
    bytes: Uint8Array,
    box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
    alt: string,
  ): void;
  /** A square of dark and light modules, such as a QR code. */
  dots(
    fields: readonly (readonly boolean[])[],
    box: { readonly x: number; readonly y: number; readonly size: number },
    alt: string,
  ): void;
  /** Lines of a pen as an SVG path; `size` is the scale. */
  strokes(path: string, box: { readonly x: number; readonly y: number; readonly size: number }, alt: string): void;
  /** Closed SVG paths, each filled with its grey, as one picture; `size` is the scale. */
  shapes(list: readonly Shape[], box: { readonly x: number; readonly y: number; readonly size: number }, alt: string): void;
  /** Large, pale and slanted across a part of the page. */
  stamp(
    text: string | readonly string[],
    box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  ): void;
  /** The same across every existing page, one line below the other; `isRepeated`: along the whole length of a roll. */
  stampPages(lines: readonly string[], options?: { readonly isRepeated?: boolean; readonly from?: number }): void;
  /** Called once all pages of a paper exist; small, at the foot of each from the first page of the paper. */
  footers(
    line: (page: number, pages: number) => readonly [left: string, right: string],
    options?: { readonly mark?: FooterMark | null; readonly from?: number },
  ): void;
  /** How many pages there are. */
  readonly pages: number;
  end(): Promise<void>;
}

const fontFile = (name: string): Buffer => readFileSync(new URL(`./fonts/${name}.ttf`, import.meta.url));
const FACES = { regular: fontFile('NotoSans-Regular'), bold: fontFile('NotoSans-Bold') };

const SIZE = 9.5;

export function openPdf({ title, author, language, createdAt, size, margin, pictures }: PdfOptions, out: Writable): Pdf {
  const doc = new PdfDocument({
    size: [...size],
    margins: { top: margin.top, left: margin.side, right: margin.side, bottom: margin.bottom },
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/A-2a',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: {
      Title: drawable(title),
      Author: drawable(author),
      Creator: 'Galeri',
      Producer: 'Galeri',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  });
  const isDone = finished(doc.pipe(out));
  // Awaited at the end; a disk that fails before is not an unhandled rejection.
  isDone.catch(() => {});
  doc.registerFont('regular', FACES.regular).registerFont('bold', FACES.bold);
  const root = doc.struct('Document');
  doc.addStructure(root);
  return new Drawing(doc, root, isDone, pictures ?? null);
}

type Doc = InstanceType<typeof PdfDocument>;
type Struct = ReturnType<Doc['struct']>;

class Drawing implements Pdf {
  readonly #doc: Doc;
  readonly #root: Struct;
  readonly #isDone: Promise<void>;
  readonly left: number;
  readonly width: number;
  readonly pageHeight: number;
  readonly floor: number;
  y: number;
  readonly #pictures: PagePictures | null;
  #page = 0;
  #style: Required<Pick<TextStyle, 'size' | 'bold' | 'grey'>> = { size: SIZE, bold: false, grey: 0 };
  #slant: PictureText['slant'] = null;

  constructor(doc: Doc, root: Struct, isDone: Promise<void>, pictures: PagePictures | null) {
    this.#doc = doc;
    this.#root = root;
    this.#isDone = isDone;
    const { margins, width, height } = doc.page;
    this.left = margins.left;
    this.width = width - margins.left - margins.right;
    this.pageHeight = height;
    this.floor = height - margins.bottom;
    this.y = margins.top;
    this.#pictures = pictures;
    pictures?.recordLines(doc, () => ({ page: this.#page, ...this.#style, slant: this.#slant ?? null }));
  }

  newPage(): void {
    this.#doc.addPage();
    this.#page += 1;
    this.y = this.#doc.page.margins.top;
  }

  room(height: number): void {
    if (this.y + height > this.floor && this.y > this.#doc.page.margins.top) this.newPage();
  }

  text(tag: Tag, runs: Runs, style: TextStyle = {}, at = { x: this.left, width: this.width }): void {
    this.#tagged(this.#root, tag, () => this.#write(runs, style, at.x, at.width));
  }

  heightOf(runs: Runs, style: TextStyle = {}, width: number = this.width): number {
    // Bold text is wider, so mixed text is never higher than this.
    const isBold = style.bold === true || (typeof runs !== 'string' && runs.some((run) => typeof run !== 'string'));
    this.#face({ ...style, bold: isBold });
    return this.#doc.heightOfString(drawable(plain(runs)), { width, lineGap: style.leading ?? 1.5 });
  }

  widthOf(text: string, style: TextStyle = {}): number {
    this.#face(style);
    return this.#doc.widthOfString(drawable(text));
  }

  rowHeights(columns: readonly Column[], rows: readonly (readonly string[])[], size: number, width: number): number[] {
    const places = placesOf(columns, this.left, width);
    return rows.map((cells) => this.#cellsHeight(cells, places, lettersOf(size)) + 3);
  }

  #cellsHeight(cells: readonly string[], places: readonly Place[], style: TextStyle): number {
    return Math.max(...cells.map((cell, index) => this.heightOf(cell, style, places[index]!.width)));
  }

  table(
    columns: readonly Column[],
    rows: readonly (readonly string[])[],
    { size = 8.5, totals = [], at, below = 0 }: TableOptions = {},
  ): void {
    const table = this.#doc.struct('Table');
    this.#root.add(table);
    const { x, width } = at ?? { x: this.left, width: this.width };
    const places = placesOf(columns, x, width);
    const line = (cells: readonly string[], style: TextStyle, kind: 'TH' | 'TD') =>
      this.#tableRow(table, places, cells, style, kind);
    const heading = () => {
      line(
        columns.map(({ title }) => title),
        { ...own, size: size >= 12 ? size : size - 1, grey: 0.35 },
        'TH',
      );
      this.rule(x, this.y, width, { grey: 0.35 });
      this.y += 3;
    };
    const own = lettersOf(size);
    const total = { ...own, bold: true };
    const heights = (cells: readonly string[], style: TextStyle) => this.#cellsHeight(cells, places, style) + 4;
    // A heading is never the last line of a page, and totals are never the first.
    if (at === undefined) this.room(size * 3 + heights(rows[0] ?? [''], own) + 12);
    heading();
    const keptFrom = Math.max(0, rows.length - KEPT_ROWS);
    rows.forEach((cells, index) => {
      const isLast = index === rows.length - 1;
      const isKept = isLast || index === keptFrom;
      const height =
        sumOf((isKept ? rows.slice(index) : [cells]).map((one) => heights(one, own))) +
        (isKept ? below + sumOf(totals.map((cells) => heights(cells, total) + 4)) : 0);
      if (at === undefined && this.y + height > this.floor) {
        this.newPage();
        heading();
      }
      line(cells, own, 'TD');
      if (!isLast) this.rule(x, this.y - 1, width, { grey: 0.85, thick: 0.4 });
      this.y += 1;
    });
    for (const cells of totals) {
      this.rule(x, this.y, width, { grey: 0.35 });
      this.y += 3;
      line(cells, total, 'TD');
    }
    table.end();
    this.y += 6;
  }

  rule(x: number, y: number, width: number, { grey = 0.2, thick = 0.6 }: { grey?: number; thick?: number } = {}): void {
    this.#pictures?.line(this.#page, [x, y, x + width, y], inkOf(grey), thick);
    this.#artifact(() => {
      this.#doc
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(thick)
        .strokeColor(greyColour(grey))
        .stroke();
    });
  }

  frame(x: number, y: number, width: number, height: number): void {
    this.#pictures?.frame(this.#page, { x, y, width, height }, inkOf(0.35));
    this.#artifact(() => {
      this.#doc.rect(x, y, width, height).lineWidth(0.6).strokeColor(greyColour(0.35)).stroke();
    });
  }

  picture(
    bytes: Uint8Array,
    { x, y, width, height }: { x: number; y: number; width: number; height: number },
    alt: string,
  ): void {
    this.#pictures?.picture(this.#page, bytes, { x, y, width, height });
    this.#tagged(
      this.#root,
      'Figure',
      () => {
        this.#doc.image(Buffer.from(bytes), x, y, { fit: [width, height], valign: 'center' });
      },
      drawable(alt),
    );
  }

  dots(fields: readonly (readonly boolean[])[], { x, y, size }: { x: number; y: number; size: number }, alt: string): void {
    this.#tagged(this.#root, 'Figure', () => this.#modules(fields, { x, y, size }), drawable(alt));
  }

  #modules(fields: readonly (readonly boolean[])[], { x, y, size }: { x: number; y: number; size: number }): void {
    const step = size / fields.length;
    const dark = fields.flatMap((row, down) =>
      row.flatMap((isDark, across) => (isDark ? [[x + across * step, y + down * step] as const] : [])),
    );
    for (const [left, top] of dark) this.#doc.rect(left, top, step, step);
    this.#doc.fillColor('black').fill();
    this.#pictures?.squares(this.#page, dark, step);
  }

  strokes(path: string, box: { readonly x: number; readonly y: number; readonly size: number }, alt: string): void {
    const doc = this.#doc;
    this.#tagged(
      this.#root,
      'Figure',
      () => {
        doc.save().translate(box.x, box.y).scale(box.size);
        doc.path(path).lineWidth(3).lineCap('round').lineJoin('round').strokeColor('black').stroke();
        doc.restore();
      },
      drawable(alt),
    );
  }

  shapes(list: readonly Shape[], { x, y, size }: { x: number; y: number; size: number }, alt: string): void {
    const doc = this.#doc;
    const fill = () => {
      doc.save().translate(x, y).scale(size).lineWidth(1);
      for (const { path, grey } of list) doc.path(path).fillAndStroke(greyColour(grey), greyColour(0.35));
      doc.restore();
    };
    this.#tagged(this.#root, 'Figure', fill, drawable(alt));
  }

  stamp(
    text: string | readonly string[],
    { x, y, width, height }: { x: number; y: number; width: number; height: number },
  ): void {
    const lines = (typeof text === 'string' ? [text] : text).map(drawable);
    const angle = Math.atan2(height, width) * 0.6;
    const room = Math.min(width / Math.cos(angle), height / Math.sin(angle) - 6) * 0.86;
    this.#face({ bold: true, size: 100 });
    const widest = Math.max(...lines.map((line) => this.#doc.widthOfString(line)));
    const size = Math.min((100 * room) / widest, height / 3);
    const doc = this.#doc;
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    this.#tagged(this.#root, 'P', () => {
      doc.save();
      this.#face({ bold: true, size, grey: 0.35 });
      doc.fillOpacity(0.28);
      const degrees = (-angle * 180) / Math.PI;
      doc.rotate(degrees, { origin: [middleX, middleY] });
      this.#slant = { degrees, x: middleX, y: middleY };
      lines.forEach((line, place) => {
        const below = size * 1.1 * (place - (lines.length - 1) / 2);
        doc.text(line, middleX - doc.widthOfString(line) / 2, middleY - size * 0.68 + below, { lineBreak: false });
      });
      doc.restore();
      this.#slant = null;
    });
  }

  get pages(): number {
    return this.#doc.bufferedPageRange().count;
  }

  stampPages(
    lines: readonly string[],
    { isRepeated = false, from = 0 }: { readonly isRepeated?: boolean; readonly from?: number } = {},
  ): void {
    const count = this.pages;
    for (let page = from; page < count; page += 1) {
      this.#doc.switchToPage(page);
      this.#page = page;
      // A long roll has it near its top, not once in five metres.
      const height = Math.min(this.pageHeight, this.width * 1.5) * 0.8;
      let y = this.pageHeight * 0.1;
      do {
        this.stamp(lines, { x: this.left, y, width: this.width, height });
        y += height;
      } while (isRepeated && y + height <= this.pageHeight);
    }
  }

  footers(
    line: (page: number, pages: number) => readonly [string, string],
    { mark = null, from = 0 }: { readonly mark?: FooterMark | null; readonly from?: number } = {},
  ): void {
    const doc = this.#doc;
    const count = this.pages;
    for (let page = from; page < count; page += 1) {
      doc.switchToPage(page);
      this.#page = page;
      const { margins, height } = doc.page;
      const [left, right] = line(page - from + 1, count - from);
      // Text below the margin would start a new page.
      const bottom = margins.bottom;
      margins.bottom = 0;
      const top = height - bottom + (mark === null ? 14 : 12);
      const x = mark === null ? this.left : this.left + FOOTER_MARK + 8;
      const width = this.left + this.width - x;
      const lines = mark?.lines ?? [];
      const small = (text: string, y: number, align: 'left' | 'right', share = 1) =>
        doc.text(drawable(text), x, y, { width: width * share, align, lineBreak: false, ellipsis: align === 'left', height: 10 });
      if (mark !== null && page === count - 1) this.dots(mark.fields, { x: this.left, y: top, size: FOOTER_MARK }, mark.alt);
      this.#artifact(() => {
        if (mark !== null && page < count - 1) this.#modules(mark.fields, { x: this.left, y: top, size: FOOTER_MARK });
        this.#face({ size: 7, grey: 0.3 });
        lines.forEach((one, index) => {
          small(one, top + 4 + index * 11, 'left');
        });
        this.#face({ size: 7, grey: 0.45 });
        const last = mark === null ? top : top + FOOTER_MARK - 14;
        small(left, last, 'left', 0.8);
        small(right, last, 'right');
      }, 'Pagination');
      margins.bottom = bottom;
    }
  }

  async end(): Promise<void> {
    this.#root.end();
    this.#doc.end();
    await this.#isDone;
  }

  #tableRow(table: Struct, places: readonly Place[], cells: readonly string[], style: TextStyle, kind: 'TH' | 'TD'): void {
    const row = this.#doc.struct('TR');
    table.add(row);
    const top = this.y;
    let below = top;
    cells.forEach((cell, index) => {
      const { x, width, align } = places[index]!;
      this.y = top;
      this.#tagged(row, kind, () => this.#write(cell, { ...style, align }, x, width));
      below = Math.max(below, this.y);
    });
    row.end();
    this.y = below + 2;
  }

  #tagged(parent: Struct, tag: string, draw: () => void, alt?: string): void {
    const element = this.#doc.struct(tag, alt === undefined ? {} : { alt }, [draw]);
    parent.add(element);
    element.end();
  }

  #artifact(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.#doc.markContent('Artifact', { type });
    draw();
    this.#doc.endMarkedContent();
  }

  #face({ size = SIZE, bold = false, grey = 0 }: TextStyle): void {
    this.#style = { size, bold, grey };
    this.#doc
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(greyColour(grey));
  }

  #write(runs: Runs, style: TextStyle, x: number, width: number): void {
    const doc = this.#doc;
    const parts = typeof runs === 'string' ? [runs] : runs.filter((run) => plain([run]) !== '');
    const options = { width, align: style.align ?? 'left', lineGap: style.leading ?? 1.5 } as const;
    parts.forEach((part, index) => {
      const isBold = typeof part !== 'string';
      this.#face({ ...style, bold: isBold || style.bold === true });
      const shown = drawable(isBold ? part.bold : part);
      const continued = index < parts.length - 1;
      if (index === 0) doc.text(shown, x, this.y, { ...options, continued });
      else doc.text(shown, { ...options, continued });
    });
    if (parts.length > 0) this.y = doc.y;
  }
}

/** Letters of the size that the law requires are set closer, so that a paper does not become longer for them. */
export const lettersOf = (size: number): TextStyle => (size >= 12 ? { size, leading: -1.6 } : { size });

/** The last rows of a table stay together, with the totals and what follows. */
const KEPT_ROWS = 4;

/** 16 mm: a telephone reads the code of an address from it. */
const FOOTER_MARK = 46;

const greyColour = (grey: number): [number, number, number] => {
  const level = Math.round(grey * 255);
  return [level, level, level];
};

const plain = (runs: Runs): string =>
  typeof runs === 'string' ? runs : runs.map((run) => (typeof run === 'string' ? run : run.bold)).join('');

const sumOf = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
