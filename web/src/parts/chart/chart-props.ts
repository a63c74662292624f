// What a chart shows.
export interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** A colour of the charts: 'c1' … 'c5', 'danger', or the grey of what it is compared with. */
  readonly color: 'c1' | 'c2' | 'c3' | 'c4' | 'c5' | 'danger' | 'border-strong';
  readonly kind?: 'line' | 'bars';
}

export interface ChartProps {
  /** The accessible name. */
  readonly label: string;
  /** In a sentence: «Son 7 günde 12.400 istek, %0,4 hata». */
  readonly summary: string;
  /** Instants, ascending; with `labels`, none. */
  readonly at: readonly string[];
  /** The names of the places where they are no instants but groups. */
  readonly labels?: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly height?: number;
  readonly value?: (value: number) => string;
  /** Series are stacked, the first at the bottom. */
  readonly stacked?: boolean;
  /** Whether the points are hours, days or months, for their labels. */
  readonly step?: 'hour' | 'day' | 'month';
  /** Whether the axis begins at zero, or near the values to show their course. */
  readonly scale?: 'zero' | 'near';
  /** The screen already shows the values as a table. */
  readonly hasTable?: boolean;
}
