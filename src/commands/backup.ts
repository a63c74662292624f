// `backup DIR` and `restore DIR`. Unlike other commands they do not migrate first: a backup takes the database as it is, and an
// older backup is loaded into the schema of its own time.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { openFiles } from '../domain/files/open-files.ts';
import { rootSecret } from '../domain/vault/secrets.ts';
import { type BackupOptions, BackupRefusal, backUp } from '../postgres/backup.ts';
import { openEmbeddedPostgres } from '../postgres/embedded.ts';
import { findServer } from '../postgres/pooler.ts';
import { restore } from '../postgres/restore.ts';
import { type Command, print, progress, readOptions, UsageError } from './command.ts';
import { noteBackup } from './last-backup.ts';

export const backupCommand: Command = {
  usage: ['backup DIR'],
  async run(args) {
    const { words, json } = readOptions(args, {}, { min: 1, max: 1 });
    await withOptions(words[0]!, false, async (options, config) => {
      const done = await backUp(options);
      await noteBackup(config, done.directory);
      print(
        json,
        done,
        `Backed up ${done.rows} rows of ${done.tables} tables and ${done.files} files, ${size(done.bytes)}, to ${done.directory}`,
      );
      if (config.logDatabaseUrl !== null)
        note(
          'the request log and usage at LOG_DATABASE_URL are not in this backup;',
          'to back them up, run galeri backup with DATABASE_URL set to the value of LOG_DATABASE_URL',
        );
      if (done.missing_files > 0)
        note(`${done.missing_files} FILES OF RECORDS ARE MISSING FROM THE STORE; manifest.json lists them under "missing"`);
      note(
        `THE SECRET IS NOT IN THE BACKUP. Keep a copy of ${secretLocation(config)} apart from it:`,
        'without it no API key works after a restore and no encrypted personal data can be read.',
      );
    });
    return undefined;
  },
};

export const restoreCommand: Command = {
  usage: ['restore DIR [--force]'],
  async run(args) {
    const { words, json, force } = readOptions(args, { force: 'flag' }, { min: 1, max: 1 });
    await withOptions(words[0]!, force, async (options) => {
      const { skipped, ...done } = await restore({ ...options, force });
      print(
        json,
        done,
        `Restored ${done.rows} rows of ${done.tables} tables and ${done.files} files, ${size(done.bytes)}, from ${done.directory}`,
      );
      if (skipped > 0) note(`${skipped} expired lines of the request log were skipped`);
    });
    return undefined;
  },
};

async function withOptions(
  word: string,
  newSecret: boolean,
  work: (options: BackupOptions, config: Config) => Promise<void>,
): Promise<void> {
  const config = readConfig(process.env);
  const directory = resolve(word);
  const folder = join(config.dataDir, 'files');
  if (!relative(folder, directory).startsWith('..')) throw new UsageError(`the backup cannot be inside ${folder}`);
  // A missing secret is created only with --new-secret, because a new one would not fit the backup and would block the right one.
  if (config.secret === null && !newSecret && !existsSync(secretLocation(config)))
    throw new UsageError(`the secret is missing: copy the deployment's secret to ${secretLocation(config)} or GALERI_SECRET`);
  const secret = await rootSecret(config.secret, config.dataDir);
  const files = await openFiles(config);
  const embedded = config.databaseUrl === null ? await openEmbeddedPostgres({ dataDir: config.dataDir, progress }) : null;
  try {
    const adminUrl = embedded?.url ?? (await findServer(config.databaseUrl!, { acceptsStandby: true }));
    await work({ adminUrl, directory, files, secret, progress }, config);
  } catch (error) {
    throw error instanceof BackupRefusal ? new UsageError(error.message) : error;
  } finally {
    await embedded?.close();
  }
}

const secretLocation = (config: Config): string => (config.secret === null ? join(config.dataDir, 'secret') : 'GALERI_SECRET');

function note(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
