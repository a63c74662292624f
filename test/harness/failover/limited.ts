// A caller with a limit who sends more than it: in no 60 s is more admitted, whichever nodes answer and whether or not Redis is there.
import { setTimeout as wait } from 'node:timers/promises';
import type { Caller } from './caller.ts';

const WINDOW_MS = 60_000;

export class Limited {
  readonly violations: string[] = [];
  admitted = 0;
  refused = 0;
  private readonly caller: Caller;
  private readonly key: string;
  private readonly limit: number;
  private readonly admissions: { sent: number; answered: number }[] = [];

  constructor(caller: Caller, key: string, limit: number) {
    this.caller = caller;
    this.key = key;
    this.limit = limit;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (; !isOver(); await wait(50)) {
      const sent = performance.now();
      const answer = await this.caller.ask({ method: 'GET', path: 'account', key: this.key }).catch(() => null);
      if (answer?.status === 429) this.refused += 1;
      if (answer?.status === 200) this.admit({ sent, answered: performance.now() });
    }
    if (this.admitted === 0) this.violations.push('the caller with a limit was never admitted');
  }

  /** Admitted between the two: those that were certainly admitted within one window count. */
  private admit(one: { sent: number; answered: number }): void {
    this.admitted += 1;
    this.admissions.push(one);
    while (this.admissions[0]!.sent < one.answered - WINDOW_MS) this.admissions.shift();
    if (this.admissions.length > this.limit)
      this.violations.push(
        `${this.admissions.length} requests were admitted in 60 s until ${new Date().toISOString()}, and the limit is ${this.limit}`,
      );
  }
}
