// What would have ended the process during a function: uncaught exceptions and unhandled rejections.
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/** The test runner listens for the same and would count them against the file: its listeners are removed during the call. */
export async function uncaughtDuring(run: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const note = (error: unknown) => seen.push(inspect(error).split('\n')[0]!);
  const before = EVENTS.map((event) => process.listeners(event as never));
  for (const event of EVENTS) process.removeAllListeners(event).on(event, note);
  try {
    await run();
    // A rejection counts as unhandled only at the end of its turn.
    await wait(20);
  } finally {
    EVENTS.forEach((event, index) => {
      process.removeAllListeners(event);
      for (const listener of before[index]!) process.on(event, listener as never);
    });
  }
  return seen;
}
