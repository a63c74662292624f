// The columns of a table in a PDF: their places by their relative widths.
export interface Column {
  readonly title: string;
  /** Relative width of the column. */
  readonly share: number;
  readonly align?: 'left' | 'right';
}

export interface Place {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

const GUTTER = 8;

export function placesOf(columns: readonly Column[], left: number, width: number): Place[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const free = width - GUTTER * (columns.length - 1);
  let x = left;
  return columns.map(({ share, align = 'left' }) => {
    const own = (free * share) / shares;
    const place = { x, width: own, align };
    x += own + GUTTER;
    return place;
  });
}
