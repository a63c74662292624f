// The result of a run, for people and for programs.
import { cpus } from 'node:os';
import { type Figure, median, reached, type Scenario, type Slice, type Slices } from './scenarios.ts';

export interface Settings {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly pinned: boolean;
  /** Size of the reply's body. */
  readonly bytes: number;
}

const NUMBERS = ['ratio', 'work', 'rps', 'p50Ms', 'p99Ms', 'cpuUs', 'databaseCpuUs', 'rssMb', 'others'] as const;

type Numbers = Record<(typeof NUMBERS)[number], number | null>;

/** Half the distance between the best and the worst round, as a share of the median. */
export const spreadOf = (rounds: readonly number[]): number => (Math.max(...rounds) - Math.min(...rounds)) / 2 / median(rounds);

function summary(slices: readonly Slice[]): Numbers & { spread: number } {
  const of = (name: (typeof NUMBERS)[number]) => {
    const values = slices.flatMap((slice) => slice[name] ?? []);
    return values.length === 0 ? null : Number(median(values).toPrecision(4));
  };
  const spread = Number(spreadOf(slices.map(({ ratio }) => ratio)).toPrecision(2));
  return { ...(Object.fromEntries(NUMBERS.map((name) => [name, of(name)])) as Numbers), spread };
}

export function reportJson(settings: Settings, chosen: readonly Scenario[], slices: Slices, found: readonly Figure[]): unknown {
  return {
    machine: { node: process.version, platform: `${process.platform} ${process.arch}`, cores: cpus().length },
    ...settings,
    scenarios: chosen.map(({ name, label }) => ({ name, label, ...summary(slices.get(name)!) })),
    figures: found.map((figure) => ({ ...figure, reached: reached(figure) })),
  };
}

export function printReport(settings: Settings, chosen: readonly Scenario[], slices: Slices, found: readonly Figure[]): void {
  const { rounds, seconds, connections, pinned, bytes } = settings;
  const where = pinned ? 'server and generator on a core each' : 'not pinned';
  console.log(`\nRatios to a bare node:http server that returns the same ${bytes} bytes from memory (= 1.00).`);
  console.log(
    `Median of ${rounds} rounds of ${seconds} s, ${connections} connections, ${where}, ${cpus().length} cores, Node ${process.version}.\n`,
  );
  const lines = chosen.map(({ name, label }) => {
    const { ratio, work, spread, rps, p50Ms, p99Ms, cpuUs, databaseCpuUs } = summary(slices.get(name)!);
    const times = [rps?.toFixed(0), p50Ms?.toFixed(1), p99Ms?.toFixed(1), cpuUs?.toFixed(0), databaseCpuUs?.toFixed(0)];
    const share = work === null ? '–' : work.toFixed(3);
    return [label, ratio!.toFixed(3), `± ${(spread * 100).toFixed(0)} %`, share, ...times.map((time) => time ?? '–')];
  });
  printTable([['server', 'ratio', 'spread', 'by CPU', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'PostgreSQL CPU µs'], ...lines]);
  const others = median([...slices.values()].flat().map((slice) => slice.others ?? 0));
  if (others > 0.1)
    console.log(`\nOther processes used ${(others * 100).toFixed(0)} % of the machine: trust "by CPU" more than "ratio".`);
  console.log('');
  const shown = found.filter(({ value }) => value !== null);
  const rows = shown.map((figure) => {
    const bound = (limit: number) => `${figure.isAtLeast ? '≥' : '≤'} ${format(limit, figure)}`;
    return [figure.label, format(figure.value!, figure), bound(figure.first), reached(figure) ? '✓' : '✗', bound(figure.then)];
  });
  printTable([['figure', 'measured', 'to reach', '', 'then'], ...rows]);
}

function format(value: number, { unit }: Figure): string {
  const digits = unit === ' MB' ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return `${value.toFixed(digits)}${unit}`;
}

/** A Markdown table, also aligned as plain text. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  console.log([line(rows[0]!), rule, ...rows.slice(1).map(line)].join('\n'));
}
