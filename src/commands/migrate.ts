import { type Command, print, readOptions, withDatabase } from './command.ts';

export const migrateCommand: Command = {
  usage: ['migrate'],
  async run(args) {
    const { json } = readOptions(args, {});
    await withDatabase(async ({ applied }) => {
      const text = applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date';
      print(json, { applied }, text);
    });
    return undefined;
  },
};
