// Which outcome of a sandbox rule a typed value leads to. The rules are the server's; only their comparison is here.
import type { SandboxRule } from '../../../../src/sandbox/people/rules.ts';

export type SandboxOutcome = SandboxRule['outcomes'][number];

/** `.02`: the last two digits of an amount such as 11500.02. One digit: the end of a phone number. Letters: the beginning of an address. */
function matches(when: string, value: string): boolean {
  if (when.startsWith('.')) return value.endsWith(when);
  return /^\d$/.test(when)
    ? !value.includes('@') && value.endsWith(when)
    : value.includes('@') && value.toLowerCase().startsWith(when);
}

/** Of every other value it is the last one. */
export const outcomeOf = ({ outcomes }: SandboxRule, value: string): SandboxOutcome =>
  outcomes.find(({ when }) => when.some((one) => matches(one, value))) ?? outcomes.at(-1)!;
