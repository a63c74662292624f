import { readConfig } from '../config.ts';
import { openEmbeddedPostgres } from '../postgres/embedded.ts';
import { type PlannedMigration, planMigrations } from '../postgres/migration-plan.ts';
import { findServer } from '../postgres/pooler.ts';
import { type Command, print, progress, readOptions } from './command.ts';
import { withDatabase } from './with-database.ts';

export const migrateCommand: Command = {
  usage: ['migrate [--check]'],
  async run(args) {
    const { json, check } = readOptions(args, { check: 'flag' });
    if (check) {
      const migrations = await planned();
      print(json, { migrations }, describe(migrations));
      return undefined;
    }
    await withDatabase(async ({ applied }) => {
      const text = applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date';
      print(json, { applied }, text);
    });
    return undefined;
  },
};

/** Not through withDatabase, which migrates. */
async function planned(): Promise<PlannedMigration[]> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== null) return planMigrations(await findServer(config.databaseUrl));
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, progress });
  try {
    return await planMigrations(embedded.url);
  } finally {
    await embedded.close();
  }
}

const MODES = { transaction: 'one transaction', concurrently: 'beside traffic', batches: 'in batches beside traffic' } as const;

function describe(migrations: readonly PlannedMigration[]): string {
  if (migrations.length === 0) return 'The database is up to date';
  return migrations
    .map(({ name, mode, locks, seconds }) => {
      const held = locks.map(({ table, lock, rows }) => `${lock} on ${table} (about ${Math.round(rows)} rows)`);
      return [`${name}: ${MODES[mode]}, ${seconds < 1 ? 'less than a second' : `about ${seconds} s`}`, ...held].join('\n  ');
    })
    .join('\n');
}
