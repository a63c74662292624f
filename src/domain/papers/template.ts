// A template: the paper's name and size, and the function that draws it from the paper's data.
import type { Pdf } from '../formats/pdf.ts';
import type { Paper } from './paper.ts';

export interface Template<P extends Paper> {
  readonly name: string;
  /** In points; a `roll` is as long as its content. */
  readonly size: (paper: P) => readonly [width: number, height: number] | 'roll';
  readonly draw: (pdf: Pdf, paper: P) => void;
  /** Words across every page, such as «GİZLİ». */
  readonly mark?: (paper: P) => string | null;
  /** The template itself marks the parts of a page that are cut apart, also as specimens. */
  readonly marksParts?: true;
  /** Pages have their number and the dealer's name. */
  readonly hasFooter: boolean;
}
