// The canvas of a chart, and the only file that knows uPlot. It is redrawn when the theme, the size or the values change.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { usePreference } from '../../preferences.ts';
import { useFormat } from '../../session.ts';
import type { ChartProps, ChartSeries } from './chart-props.ts';
import 'uplot/dist/uPlot.min.css';

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Two series of bars are drawn side by side, the second at the left. */
function seriesOf({ name, color, kind = 'line' }: ChartSeries, place: number, all: readonly ChartSeries[]): uPlot.Series {
  const isPair = all.filter((one) => one.kind === 'bars').length === 2;
  const stroke = colour(color);
  return {
    label: name,
    stroke,
    width: 1.5,
    ...(kind === 'bars'
      ? {
          fill: stroke,
          points: { show: false },
          paths: uPlot.paths.bars!(isPair ? { size: [0.38, 14], align: place === 0 ? 1 : -1 } : { size: [0.7, 28] }),
        }
      : // Drawn where there is room: a point between two gaps is no line, and would not be seen.
        { points: { size: 4, fill: stroke } }),
  };
}

export function ChartCanvas({
  at,
  labels,
  series: inputSeries,
  value,
  stacked = false,
  step = 'day',
  scale = 'zero',
}: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const format = useFormat();
  const theme = usePreference('theme');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again when the theme changes
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const axis = { stroke: colour('text-3'), font: '11px "Geist Variable", sans-serif', ticks: { show: false } };
    const grid = { stroke: colour('border'), width: 1 };
    const instants = labels ? labels.map((_, place) => place) : at.map((instant) => Date.parse(instant) / 1000);
    const series = stacked ? stackedUp(inputSeries) : inputSeries;
    // Half a step of space at both ends, so that the first and the last bar are complete.
    const half = instants.length > 1 ? (instants[1]! - instants[0]!) / 2 : 1800;
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: element.clientHeight,
        // Space for half a label at the right.
        padding: [8, 20, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: {
          x: { time: labels === undefined, range: (_chart, from, to) => [from - half, to + half] },
          y: {
            range: (_chart, low, high) =>
              scale === 'zero' ? [Math.min(0, low * 1.1), Math.max(high * 1.1, 1)] : around(low, high),
          },
        },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), format.zone),
        series: [{}, ...series.map(seriesOf)],
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 28,
            ...(step !== 'hour' ? { splits: (drawn: uPlot) => daysShown(instants, drawn.width) } : { incrs: HOURS }),
            values: (_chart, ticks) => ticks.map((tick) => labels?.[tick] ?? axisTime(tick, step, format.locale, format.zone)),
          },
          {
            ...axis,
            grid,
            size: 56,
            // No fractions on the axis of whole numbers.
            ...(inputSeries.every(isWhole) ? { incrs: WHOLE } : {}),
            values: (_chart, ticks) => ticks.map((tick) => (value ?? format.number)(tick)),
          },
        ],
      },
      [instants, ...series.map(drawnValues)] as uPlot.AlignedData,
      element,
    );
    const sizes = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: element.clientHeight }));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      chart.destroy();
    };
  }, [at, labels, inputSeries, value, stacked, step, scale, format, theme]);
  return <div ref={place} className="size-full" />;
}

/** A tenth of space above and below; for a constant value, a hundredth of it. */
function around(low: number, high: number): [number, number] {
  const room = (high - low) / 10 || Math.abs(high) / 100 || 1;
  return [Math.max(0, low - room), high + room];
}

const HOURS = [1, 2, 3, 4, 6, 12, 24, 48, 96].map((hours) => hours * 3600);
const WHOLE = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
const isWhole = ({ values }: ChartSeries): boolean => values.every((value) => value === null || Number.isInteger(value));

/** Labels for every nth day, counted from the last, so that each label is under its bar and no day is named twice. */
function daysShown(instants: readonly number[], width: number): number[] {
  const every = Math.max(1, Math.ceil((instants.length * LABEL) / Math.max(LABEL, width - 76)));
  return instants.filter((_, index) => (instants.length - 1 - index) % every === 0);
}
const LABEL = 60;

/** A bar of zero is not drawn, because it would be a line along the axis. */
const drawnValues = ({ kind, values }: ChartSeries): (number | null)[] =>
  kind === 'bars' ? values.map((value) => value || null) : [...values];

/** Sums each series with those below it, the highest first, because later ones are drawn over it. */
function stackedUp(series: readonly ChartSeries[]): readonly ChartSeries[] {
  const sums = series.map((one, place) => ({
    ...one,
    values: one.values.map((_, index) => series.slice(0, place + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
  }));
  return sums.reverse();
}

function axisTime(seconds: number, step: 'hour' | 'day' | 'month', language: string, timeZone: string): string {
  const locale = language === 'en' ? 'en-GB' : language;
  if (step === 'month')
    return new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone }).format(seconds * 1000);
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone });
  if (step === 'day') return day.format(seconds * 1000);
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  const text = time.format(seconds * 1000);
  // At midnight the day is shown instead of 00:00.
  return text === '00:00' ? day.format(seconds * 1000) : text;
}
