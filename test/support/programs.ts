// Programs of the operating system that some tests need.
import { spawnSync } from 'node:child_process';

/** For `describe.skipIf`: true, with a warning, if it is not installed. In CI a missing program is a failure. */
export function isMissing(program: string, args: readonly string[]): boolean {
  if (spawnSync(program, args).error === undefined || process.env.CI) return false;
  console.warn(`SKIPPED: ${program} is not on PATH, so the tests that need it do not run`);
  return true;
}
