// Requests over time: succeeded, refused, failed. A click on a bar selects its period.
import { useQuery } from '@tanstack/react-query';
import type { LogTimeline } from '../../../../src/panel/logs/logs.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { periodOf } from '../../parts/input/range.tsx';
import { Skeleton } from '../../parts/page/states.tsx';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import type { LogSearch } from './search.ts';
import { logsTexts } from './texts.ts';

const HEIGHT = 56;
const SLOT = 10;
const BAR = 7;

interface TimelineProps {
  readonly search: LogSearch;
  readonly onPick: (span: { from: string; to: string }) => void;
}

export function Timeline({ search, onPick }: TimelineProps) {
  const t = useTexts(logsTexts);
  const { key, range, from, to } = search;
  const timeline = useQuery({
    queryKey: ['log-timeline', key, range, from, to],
    queryFn: ({ signal }) => call('GET logs/timeline', { query: { key, ...periodOf(search, '24h') }, signal }),
    refetchInterval: 60_000,
  });
  // Keeps its space even if it cannot be loaded, so that the list below does not move.
  return (
    <div className="card mb-3 min-h-[132px] px-3 py-2.5">
      {timeline.data ? (
        <Bars timeline={timeline.data} onPick={onPick} />
      ) : timeline.isError ? (
        <p className="m-0 grid h-[110px] place-items-center text-13 text-text-2">{t.noTimeline}</p>
      ) : (
        <Skeleton className="h-[110px]" />
      )}
    </div>
  );
}

type Point = LogTimeline['points'][number];
const allOf = ({ ok, refused, failed }: Point): number => ok + refused + failed;

function Bars({
  timeline: { points, step },
  onPick,
}: {
  readonly timeline: LogTimeline;
  readonly onPick: TimelineProps['onPick'];
}) {
  const t = useTexts(logsTexts);
  const format = useFormat();
  const top = Math.max(1, ...points.map(allOf));
  const sum = (pick: (point: Point) => number) => format.number(points.reduce((all, point) => all + pick(point), 0));
  const summary = t.timelineSum(
    sum(allOf),
    sum(({ refused }) => refused),
    sum(({ failed }) => failed),
  );
  const notStored = points.reduce((all, point) => all + point.not_stored, 0);
  const name = (at: string) => (step === 'day' ? format.date(at) : format.dateTime(at));
  return (
    <figure className="m-0">
      <figcaption className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4 text-12 text-text-2">
        <span className="tabular">
          <span className="sr-only">{t.timeline}: </span>
          {summary}
          {notStored > 0 && ` · ${t.notStored(format.number(notStored))}`}
        </span>
        <Legend />
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${points.length * SLOT} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-14 w-full border-b border-line"
      >
        {points.map((point, index) => (
          <Bar
            key={point.at}
            point={point}
            x={index * SLOT}
            top={top}
            title={`${name(point.at)}: ${t.timelineSum(format.number(allOf(point)), format.number(point.refused), format.number(point.failed))}`}
            onPick={() => onPick({ from: point.at, to: endOf(points, index, step) })}
          />
        ))}
      </svg>
      <div aria-hidden className="tabular mt-1 flex justify-between text-11 text-text-3">
        {[points[0], points[Math.floor(points.length / 2)], points.at(-1)].map(
          (point, index) => point && <span key={index === 1 ? 'middle' : point.at}>{name(point.at)}</span>,
        )}
      </div>
      <Twin points={points} name={name} />
    </figure>
  );
}

/** The last instant before the next point. */
function endOf(points: readonly Point[], index: number, step: LogTimeline['step']): string {
  const next = points[index + 1];
  const end = next ? Date.parse(next.at) : Date.parse(points[index]!.at) + (step === 'day' ? 86_400_000 : 3_600_000);
  return new Date(end - 1).toISOString();
}

const KINDS = [
  ['failed', 'var(--danger)'],
  ['refused', 'var(--c3)'],
  ['ok', 'var(--c1)'],
] as const;

interface BarProps {
  readonly point: Point;
  readonly x: number;
  readonly top: number;
  readonly title: string;
  readonly onPick: () => void;
}

function Bar({ point, x, top, title, onPick }: BarProps) {
  let y = HEIGHT;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience of the pointer; the range select does the same by keyboard
    <g onClick={onPick} className="cursor-pointer [&:hover>rect:first-of-type]:fill-(--s-soon-bg)">
      <title>{title}</title>
      <rect x={x} y={0} width={SLOT} height={HEIGHT} fill="transparent" />
      {[...KINDS].reverse().map(([kind, fill]) => {
        // A minimum height, so that a single failure among thousands is visible.
        const height = point[kind] === 0 ? 0 : Math.max(1.5, (point[kind] / top) * (HEIGHT - 4));
        y -= height;
        return height === 0 ? null : <rect key={kind} x={x + (SLOT - BAR) / 2} y={y} width={BAR} height={height} fill={fill} />;
      })}
    </g>
  );
}

function Legend() {
  const t = useTexts(logsTexts);
  return (
    <ul className="m-0 flex list-none flex-wrap gap-x-3 p-0">
      {[
        [t.ok, 'bg-(--c1)'],
        [t.refused, 'bg-(--c3)'],
        [t.failed, 'bg-danger'],
      ].map(([name, look]) => (
        <li key={name} className="flex items-center gap-1.5 whitespace-nowrap">
          <span aria-hidden className={`size-2 rounded-badge forced-color-adjust-none ${look}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function Twin({ points, name }: { readonly points: readonly Point[]; readonly name: (at: string) => string }) {
  const t = useTexts(logsTexts);
  const p = useTexts(partsTexts);
  const format = useFormat();
  return (
    <details className="mt-1 text-12">
      <summary className="inline-block rounded-control py-0.5 text-text-2 hover:text-text">{p.showTable}</summary>
      <p className="my-1 text-text-2">
        {t.timelineScope} {t.pickSpan}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
      <section aria-label={t.timeline} tabIndex={0} className="max-h-60 overflow-auto">
        <table className="w-full border-collapse">
          <thead>
            <tr className="sticky top-0 bg-subtle text-text-2">
              {[t.time, t.ok, t.refused, t.failed].map((head, index) => (
                <th key={head} scope="col" className={`px-2 py-1 font-medium ${index === 0 ? 'text-start' : 'text-end'}`}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.at} className="border-t border-line">
                <th scope="row" className="tabular px-2 py-1 text-start font-normal">
                  {name(point.at)}
                </th>
                {[point.ok, point.refused, point.failed].map((count, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: three fixed columns
                  <td key={index} className="num px-2 py-1">
                    {format.number(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
