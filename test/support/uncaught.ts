// What would have ended the process while something ran: exceptions that nobody caught and rejections that nobody heard.
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/** The test runner listens for the same and would count them against the file: it is kept from hearing meanwhile. */
export async function uncaughtDuring(run: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const note = (error: unknown) => seen.push(inspect(error).split('\n')[0]!);
  const before = EVENTS.map((event) => process.listeners(event as never));
  for (const event of EVENTS) process.removeAllListeners(event).on(event, note);
  try {
    await run();
    // A rejection counts as unheard only once the turn it happened in is over.
    await wait(20);
  } finally {
    EVENTS.forEach((event, index) => {
      process.removeAllListeners(event);
      for (const listener of before[index]!) process.on(event, listener as never);
    });
  }
  return seen;
}
