// `vault reseal`: after a change of the vault's key, encrypts all values of other keys again with the new one.
import { resealAll } from '../domain/reseal.ts';
import { type Command, print, readOptions, table, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const vaultCommand: Command = {
  usage: ['vault reseal'],
  async run([act, ...args]) {
    if (act !== 'reseal') throw new UsageError('vault takes reseal');
    const { json } = readOptions(args, {});
    const done = await withDatabase(({ database, secrets }) => resealAll(database, secrets));
    const lines = Object.entries(done).map(([name, count]) => [name, String(count)]);
    print(json, done, `${table([['TABLE', 'RE-ENCRYPTED'], ...lines])}\n\nAll values are encrypted with the current key.`);
    return undefined;
  },
};
