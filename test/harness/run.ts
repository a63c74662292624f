// `npm run harness [-- --full]`: every harness, small by default, at full size where the figures are recorded.
import { badRequests } from './bad-requests.ts';
import { type Report, report } from './report.ts';

interface Harness {
  readonly run: (seed: number, n: number, plant: boolean) => Promise<Report>;
  readonly small: number;
  readonly full: number;
}

export const HARNESSES: Readonly<Record<string, Harness>> = {
  'bad-requests': { run: badRequests, small: 3000, full: 100_000 },
};

if (import.meta.main) {
  const full = process.argv.includes('--full');
  const seed = Number(process.argv.find((word) => word.startsWith('--seed='))?.slice(7) ?? 1);
  for (const { run, small, full: whole } of Object.values(HARNESSES)) report(await run(seed, full ? whole : small, false));
}
