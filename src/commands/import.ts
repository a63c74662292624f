// `import vehicles|customers`: a file of records into one account.

import { findAccount } from '../domain/accounts/accounts.ts';
import { databaseClock } from '../domain/clock/database-clock.ts';
import { ImportFileError, openImportFile } from '../domain/imports/import-file.ts';
import {
  IMPORT_KINDS,
  type ImportKind,
  type ImportSummary,
  importRows,
  importTarget,
  type RowError,
} from '../domain/imports/import-rows.ts';
import { isUuid } from '../kit/ids.ts';
import { CLI_ACTOR } from './actor.ts';
import { type Command, openWriter, print, progress, readOptions, required, table, UsageError, withDatabase } from './command.ts';

export const importCommand: Command = {
  usage: ['import vehicles|customers --account ID --file F'],
  async run([kind, ...args]) {
    if (!isImportKind(kind)) throw new UsageError('import takes vehicles or customers');
    const { account, file, json } = readOptions(args, { account: 'text', file: 'text' });
    const accountId = required(account, 'account').toLowerCase();
    if (!isUuid(accountId))
      throw new UsageError(`--account must be the id of an account, not "${account}"; see galeri account list`);
    try {
      const summary = await importFile(kind, accountId, required(file, 'file'));
      print(json, shown(summary), textOf(summary));
      return summary.failed > 0 ? 2 : 0;
    } catch (error) {
      throw error instanceof ImportFileError ? new UsageError(error.message) : error;
    }
  },
};

const isImportKind = (word: string | undefined): word is ImportKind => IMPORT_KINDS.some((kind) => kind === word);

async function importFile(kind: ImportKind, accountId: string, path: string): Promise<ImportSummary> {
  const file = await openImportFile(path);
  return withDatabase(async (connected, config) => {
    const { database, secrets } = connected;
    const account = await database.onPlatform('read', (db) => findAccount(db, accountId));
    if (account === null) throw new UsageError(`there is no account ${accountId}; see galeri account list`);
    const target = importTarget(kind, account, secrets);
    const rows = file.rows(Object.keys(target.fields));
    const clock = await databaseClock(database);
    const writer = openWriter(connected, config, clock);
    return importRows({ writer, account, kind, target, rows, clock, actor: CLI_ACTOR, progress: reporter(kind) });
  });
}

/** A line every few thousand rows. */
function reporter(kind: ImportKind): (done: number) => void {
  let told = 0;
  return (done) => {
    if (done - told < 2000) return;
    told = done;
    progress(`${done} ${kind} read`);
  };
}

const ERRORS_SHOWN = 20;

function textOf({ total, created, updated, unchanged, failed, errors, errors_left_out }: ImportSummary): string {
  const lines = [
    `${total} ${total === 1 ? 'row' : 'rows'}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`,
  ];
  if (errors.length > 0) lines.push('', table(errors.slice(0, ERRORS_SHOWN).map(cellsOf)));
  const more = errors.length + errors_left_out - ERRORS_SHOWN;
  if (more > 0) lines.push(`… and ${more} more; --json lists them`);
  return lines.join('\n');
}

const cellsOf = ({ row, field, code, message }: RowError): string[] => [`row ${row}`, field ?? '', code, message];

const shown = ({ errors_left_out, ...summary }: ImportSummary) =>
  errors_left_out > 0 ? { ...summary, errors_left_out } : summary;
