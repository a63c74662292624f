// `worker drain`: does everything that is due now, once: mails, deliveries, timed transitions, deletion of old rows.
import { databaseClock } from '../domain/clock/database-clock.ts';
import { openFiles } from '../domain/files/open-files.ts';
import { drainWork, workSettings } from '../jobs/worker.ts';
import { createLog } from '../kit/log.ts';
import { type Command, print, readOptions, UsageError } from './command.ts';
import { openWriter, withDatabase } from './with-database.ts';

export const workerCommand: Command = {
  usage: ['worker drain'],
  async run([act, ...args]) {
    if (act !== 'drain') throw new UsageError('worker takes drain');
    const { json } = readOptions(args, {});
    const done = await withDatabase(async (connected, config) => {
      const clock = await databaseClock(connected.database);
      return drainWork({
        writer: openWriter(connected, config, clock),
        ...workSettings(config),
        files: await openFiles(config),
        clock,
        log: createLog(config.logLevel, process.stderr),
      });
    });
    const lines = Object.entries(done).map(([what, count]) => `${what}: ${count}`);
    print(json, done, lines.join('\n'));
    return undefined;
  },
};
