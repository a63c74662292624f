interface SparklineProps {
  readonly values: readonly number[];
  /** The same in words, for screen readers. */
  readonly label: string;
  readonly tone?: 'accent' | 'danger';
}

const WIDTH = 96;
const HEIGHT = 24;

/** A small chart of a day in a table cell. */
export function Sparkline({ values, label, tone = 'accent' }: SparklineProps) {
  const top = Math.max(...values, 1);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      className={tone === 'danger' ? 'text-danger' : 'text-accent'}
    >
      <title>{label}</title>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
