// How work grows with its input. Measured in processor time, which a busy machine affects less than wall time, and judged by
// comparing two sizes: the result does not depend on the speed of the machine.
import { type Attack, attacksOn } from './attacks.ts';

/** Eight times the input may take this many times the work; quadratic work takes sixty-four. */
const MAX_GROWTH = 24;
const SMALL = 1000;
const TIMES = 8;
/** At twice this size, exponential work would not end. */
const SHORT = 24;
/** Less than this at the larger size is not measured further: quadratic work takes many times it. */
const NOTHING_MS = 2;
const ATTEMPTS = 3;

export const textOf = ({ prefix, pump, suffix }: Attack, length: number): string =>
  prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;

type Work = (text: string) => unknown;

/** The factor by which the work grew if that is too much, otherwise null. */
export async function tooMuchGrowth(work: Work, attack: Attack, small = SMALL): Promise<number | null> {
  if ((await costOf(work, textOf(attack, SHORT), 50)) > 50) return Number.POSITIVE_INFINITY;
  const large = textOf(attack, small * TIMES);
  if ((await costOf(work, large, NOTHING_MS)) <= NOTHING_MS) return null;
  const [few, many] = [await costOf(work, textOf(attack, small), 0), await costOf(work, large, 0)];
  const growth = many / Math.max(few, 0.02);
  return growth > MAX_GROWTH ? Math.round(growth) : null;
}

/** The minimum of several attempts, in milliseconds: interruptions only add. A small enough one ends them. */
async function costOf(work: Work, text: string, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > enough; attempt += 1) {
    const before = process.cpuUsage();
    const done = work(text);
    if (done instanceof Promise) await done;
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Finds the first attack under which a pattern's work grows too fast. */
export async function worstOf(source: string, flags: string): Promise<{ attack: Attack; growth: number } | null> {
  // Every match and every place without one, as replace, split and matchAll go through a text.
  const pattern = new RegExp(source, flags.replace('y', '').includes('g') ? flags : `${flags}g`);
  for (const attack of attacksOn(source)) {
    const growth = await tooMuchGrowth((text) => text.replace(pattern, ''), attack);
    if (growth !== null) return { attack, growth };
  }
  return null;
}
