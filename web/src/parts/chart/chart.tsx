// A chart whose code is loaded when it is first shown, with a summary in words and the same values as a table.
import { lazy, Suspense } from 'react';
import { useTexts } from '../../language.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Skeleton } from '../page/states.tsx';
import type { ChartProps, ChartSeries } from './chart-props.ts';

const ChartCanvas = lazy(() => import('./chart-canvas.tsx').then((module) => ({ default: module.ChartCanvas })));

export function Chart(props: ChartProps) {
  const t = useTexts(partsTexts);
  const height = props.height ?? 200;
  return (
    <figure className="m-0">
      <figcaption className="sr-only">
        {props.label}. {props.summary}
      </figcaption>
      <ul className="m-0 mb-2 flex list-none flex-wrap gap-x-4 gap-y-1 p-0 text-12 text-text-2">
        {props.series.map(({ name, color }) => (
          <li key={name} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-badge forced-color-adjust-none ${SWATCHES[color]}`} />
            {name}
          </li>
        ))}
      </ul>
      {/* The height is held before the chart is there: nothing below it moves. */}
      <div aria-hidden className={height > 160 ? 'h-40 sm:h-[200px]' : 'h-40'}>
        <Suspense fallback={<Skeleton className="h-full" />}>
          <ChartCanvas {...props} />
        </Suspense>
      </div>
      {!props.hasTable && (
        <details className="mt-2 text-13">
          <summary className="inline-block rounded-control py-1 text-text-2 hover:text-text">{t.showTable}</summary>
          <ChartTable {...props} />
        </details>
      )}
    </figure>
  );
}

const SWATCHES: Readonly<Record<ChartSeries['color'], string>> = {
  c1: 'bg-(--c1)',
  c2: 'bg-(--c2)',
  c3: 'bg-(--c3)',
  c4: 'bg-(--c4)',
  c5: 'bg-(--c5)',
  danger: 'bg-danger',
  'border-strong': 'bg-line-strong',
};

function ChartTable({ label, at, labels, series, value, step = 'day' }: ChartProps) {
  const format = useFormat();
  const t = useTexts(partsTexts);
  const shown = value ?? format.number;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <section aria-label={label} tabIndex={0} className="card mt-1 overflow-x-auto">
      <table className="w-full border-collapse text-13">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="bg-subtle text-12 text-text-2">
            <th scope="col" className="px-3 py-1.5 text-start font-medium">
              {t.time}
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-end font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(labels ?? at).map((instant, index) => (
            <tr key={instant} className="border-t border-line">
              <th scope="row" className="tabular px-3 py-1 text-start font-normal">
                {labels ? instant : step === 'hour' ? format.dateTime(instant) : format.date(instant)}
              </th>
              {series.map(({ name, values }) => {
                const number = values[index];
                return (
                  <td key={name} className="num px-3 py-1">
                    {number === null || number === undefined ? '—' : shown(number)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
