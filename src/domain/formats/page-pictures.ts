// The pages of a paper as SVG pictures, recorded while its PDF is drawn: the same text at the same places, so that a browser shows
// a document on any device, without a viewer, a script or a font of its own.
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
const short = (number: number): string => String(Math.round(number * 100) / 100);
/** Pictures are in pixels, of which an inch has 96, papers in points: 72. Browsers judge by pixels whether a letter is large enough. */
const px = (points: number): string => short((points * 96) / 72);

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PictureText {
  readonly x: number;
  /** Of the letters' foot. */
  readonly baseline: number;
  readonly width: number;
  readonly size: number;
  readonly bold: boolean;
  readonly ink: string;
  /** Slanted around this point, and pale. */
  readonly slant?: { readonly degrees: number; readonly x: number; readonly y: number } | null;
}

/** What is drawn now, and where. */
interface Drawn extends Pick<PictureText, 'size' | 'bold' | 'slant'> {
  readonly page: number;
  readonly grey: number;
}

interface Letters {
  widthOfString(text: string): number;
}

/** What pdfkit calls for every line of text. */
interface LineWriter extends Letters {
  _fragment(text: string, x: number, y: number, options: { readonly align?: string; readonly lineWidth?: number }): void;
  readonly _font: { readonly ascender: number };
}

/** 0 is black, 1 white. */
export const inkOf = (grey: number): string =>
  `#${Math.round(grey * 255)
    .toString(16)
    .padStart(2, '0')
    .repeat(3)}`;

export class PagePictures {
  readonly #pages: string[][] = [];
  readonly #size: readonly [width: number, height: number];

  constructor(size: readonly [width: number, height: number]) {
    this.#size = size;
  }

  #add(page: number, mark: string): void {
    while (this.#pages.length <= page) this.#pages.push([]);
    this.#pages[page]!.push(mark);
  }

  /** Records every line that pdfkit writes, as pdfkit places it. */
  recordLines(letters: Letters, drawn: () => Drawn): void {
    const lines = letters as LineWriter;
    const write = lines._fragment.bind(lines);
    lines._fragment = (text, x, y, options) => {
      const { page, size, bold, grey, slant } = drawn();
      const words = text.trimEnd();
      const width = lines.widthOfString(words);
      const free = (options.lineWidth ?? width) - width;
      const indent = options.align === 'right' ? free : options.align === 'center' ? free / 2 : 0;
      const baseline = y + (lines._font.ascender / 1000) * size;
      this.text(page, words, { x: x + indent, baseline, width, size, bold, ink: inkOf(grey), slant: slant ?? null });
      write(text, x, y, options);
    };
  }

  text(page: number, words: string, { x, baseline, width, size, bold, ink, slant = null }: PictureText): void {
    if (words.trim() === '') return;
    const weight = bold ? ' font-weight="700"' : '';
    const turned = slant && ` opacity="0.28" transform="rotate(${short(slant.degrees)} ${px(slant.x)} ${px(slant.y)})"`;
    // Any font of the reader's device takes the width that the paper's own font has.
    const fitted = ` textLength="${px(width)}" lengthAdjust="spacingAndGlyphs"`;
    this.#add(
      page,
      `<text x="${px(x)}" y="${px(baseline)}" font-size="${px(size)}"${weight} fill="${ink}"${fitted}${turned ?? ''}>${escaped(words)}</text>`,
    );
  }

  line(page: number, [x1, y1, x2, y2]: readonly [number, number, number, number], ink: string, thick: number): void {
    const [from, to] = [`M${px(x1)} ${px(y1)}`, `L${px(x2)} ${px(y2)}`];
    this.#add(page, `<path d="${from}${to}" stroke="${ink}" stroke-width="${px(thick)}"/>`);
  }

  frame(page: number, { x, y, width, height }: Box, ink: string): void {
    const place = `x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"`;
    this.#add(page, `<rect ${place} fill="none" stroke="${ink}" stroke-width="0.8"/>`);
  }

  /** Dark squares, each at its corner. */
  squares(page: number, corners: readonly (readonly [number, number])[], step: number): void {
    const d = corners.map(([x, y]) => `M${px(x)} ${px(y)}h${px(step)}v${px(step)}h-${px(step)}z`).join('');
    this.#add(page, `<path d="${d}" fill="#000"/>`);
  }

  picture(page: number, bytes: Uint8Array, { x, y, width, height }: Box): void {
    const type = bytes[0] === 0x89 ? 'image/png' : 'image/jpeg';
    const place = `x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"`;
    const href = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
    this.#add(page, `<image ${place} preserveAspectRatio="xMinYMid meet" href="${href}"/>`);
  }

  /** One picture a page. */
  svg(): string[] {
    const [width, height] = this.#size.map(px);
    const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="'Noto Sans', system-ui, sans-serif">`;
    const ground = `<rect width="${width}" height="${height}" fill="#fff"/>`;
    return this.#pages.map((marks) => `${head}${ground}${marks.join('')}</svg>`);
  }
}
