interface MiniBarsProps {
  /** Each has its place; the last is marked. */
  readonly values: readonly number[];
  /** The same in words, for screen readers. */
  readonly label: string;
}

const [STEP, HEIGHT] = [10, 32];

/** A small chart of twelve months beside a figure. */
export function MiniBars({ values, label }: MiniBarsProps) {
  const top = Math.max(...values, 1);
  const bars = values.map((value, at) => {
    const height = value > 0 ? Math.max(1.5, (value / top) * HEIGHT) : 0.75;
    return { x: at * STEP + 1, y: HEIGHT - height, height, isLast: at === values.length - 1 };
  });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-8 w-full max-w-60"
    >
      <title>{label}</title>
      {bars.map(({ x, y, height, isLast }) => (
        <rect key={x} x={x} y={y} width={STEP - 2} height={height} rx={1} fill={isLast ? 'var(--c1)' : 'var(--border-strong)'} />
      ))}
    </svg>
  );
}
