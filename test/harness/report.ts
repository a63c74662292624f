// The interface of every harness: --seed, --n, --plant; one JSON line; exit 1 on a violation.
import { parseArgs } from 'node:util';

export interface Report {
  readonly name: string;
  readonly seed: number;
  readonly n: number;
  readonly violations: readonly string[];
  readonly figure: Readonly<Record<string, unknown>>;
}

export function readArguments(defaults: { n: number }): { seed: number; n: number; plant: boolean } {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, n: { type: 'string' }, plant: { type: 'boolean' } } });
  return { seed: Number(values.seed ?? 1), n: Number(values.n ?? defaults.n), plant: values.plant ?? false };
}

export function report(result: Report): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (result.violations.length > 0) process.exitCode = 1;
}

export function spread(milliseconds: readonly number[]): { p50: number; p95: number; max: number } {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}
