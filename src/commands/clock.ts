// `clock show|advance|set`: the test clock, whether the service runs or not.
import { readConfig } from '../config.ts';
import {
  advanceTestClock,
  CLOCK_TIME,
  ClockRefusal,
  readClockTime,
  readTestClock,
  setTestClock,
  type TestClock,
} from '../domain/clock/test-clock.ts';
import type { Db } from '../kit/db.ts';
import { untilHeard } from '../postgres/heartbeats.ts';
import { type Command, print, readOptions, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

/** A process that is silent for longer has lost its database, and reads the clock when it has it again. */
const IN_FORCE_MS = 30_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const clockCommand: Command = {
  usage: ['clock show', 'clock advance 90m    (s, m, h or d)', 'clock set ISO'],
  async run([act, ...args]) {
    if (act === 'show') {
      const { json } = readOptions(args, {});
      await run(json, 'read', readTestClock);
    } else if (act === 'advance') {
      const { word, json } = oneWord(args, 'a time such as 90m or 30d');
      const milliseconds = durationOf(word);
      await run(json, 'write', (db) => advanceTestClock(db, milliseconds));
    } else if (act === 'set') {
      const { word, json } = oneWord(args, 'an instant');
      const at = readClockTime(word);
      if (at === null) throw new UsageError(`clock set takes ${CLOCK_TIME}, not "${word}"`);
      await run(json, 'write', (db) => setTestClock(db, at));
    } else throw new UsageError('clock takes show, advance or set');
    return undefined;
  },
};

async function run(json: boolean, access: 'read' | 'write', act: (db: Db) => Promise<TestClock>): Promise<void> {
  if (readConfig(process.env).testClock === false)
    throw new UsageError(
      'there is no test clock: set TEST_CLOCK=on for this command and the service (for tests and rehearsals only)',
    );
  await withDatabase(async ({ database, urls }) => {
    let clock: TestClock | undefined;
    const commit = async () => {
      clock = await database.onPlatform(access, act).catch((error) => {
        throw error instanceof ClockRefusal ? new UsageError(error.message) : error;
      });
    };
    if (access === 'read') await commit();
    else if (!(await untilHeard(urls.platformUrl, commit, IN_FORCE_MS)))
      process.stderr.write('The clock was moved, but a process on this database has not confirmed it\n');
    print(json, clock!, `${clock!.now.toISOString()} (${clock!.offset_ms} ms from real time)`);
  });
}

/** By hand, because a negative time looks like an option. */
function oneWord(args: readonly string[], what: string): { word: string; json: boolean } {
  const words = args.filter((arg) => arg !== '--json');
  if (words.length !== 1) throw new UsageError(`clock needs ${what}`);
  return { word: words[0]!, json: words.length < args.length };
}

function durationOf(text: string): number {
  const match = /^(\d{1,12})([smhd])$/.exec(text);
  if (match === null)
    throw new UsageError(`clock advance takes a time such as 45s, 90m, 12h or 30d, not "${text}"; the clock moves forward only`);
  return Number(match[1]) * UNITS[match[2]!]!;
}
