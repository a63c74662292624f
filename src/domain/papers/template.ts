// What a template is: the paper's name and size, and how it is drawn from the paper's data.
import type { Pdf } from '../formats/pdf.ts';
import type { Paper } from './paper.ts';

export interface Template<P extends Paper> {
  readonly name: string;
  /** In points; `roll` is as long as what is drawn. */
  readonly size: (paper: P) => readonly [width: number, height: number] | 'roll';
  readonly draw: (pdf: Pdf, paper: P) => void;
  /** Pages bear their number and the dealer's name. */
  readonly hasFooter: boolean;
}
