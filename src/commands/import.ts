// `import vehicles|customers|sales`: a file of records into one account.

import { findAccount } from '../domain/accounts/accounts.ts';
import { databaseClock } from '../domain/clock/database-clock.ts';
import type { NumberFormat } from '../domain/formats/number-text.ts';
import type { SourceRow } from '../domain/imports/feed-row.ts';
import { ImportFileError, openImportFile } from '../domain/imports/files/import-file.ts';
import { openSaleFile } from '../domain/imports/files/sale-file.ts';
import { numberFields } from '../domain/imports/import-target.ts';
import {
  IMPORT_KINDS,
  type ImportJob,
  type ImportKind,
  type ImportSummary,
  importRows,
  importTarget,
  type RowError,
} from '../domain/imports/targets/import-rows.ts';
import { importSales } from '../domain/imports/targets/import-sales.ts';
import type { Secrets } from '../domain/vault/secrets.ts';
import { isUuid } from '../kit/ids.ts';
import { CLI_ACTOR } from './actor.ts';
import { type Command, print, progress, readOptions, required, table, UsageError } from './command.ts';
import { findNumberFormat, readNumbers } from './import-numbers.ts';
import { openWriter, withDatabase } from './with-database.ts';

export const importCommand: Command = {
  usage: [
    'import vehicles|customers --account ID --file F [--numbers tr|en]',
    'import sales --account ID --file F [--rows F] [--numbers tr|en] [--dry-run]',
  ],
  async run([kind, ...args]) {
    if (kind !== 'sales' && !isImportKind(kind)) throw new UsageError('import takes vehicles, customers or sales');
    const options = { account: 'text', file: 'text', rows: 'text', numbers: 'text', 'dry-run': 'flag' } as const;
    const { account, file, rows, numbers: written, 'dry-run': dryRun, json } = readOptions(args, options);
    const numbers = readNumbers(written);
    if (kind !== 'sales' && (rows !== undefined || dryRun))
      throw new UsageError('--rows and --dry-run apply to import sales only');
    const accountId = required(account, 'account').toLowerCase();
    if (!isUuid(accountId))
      throw new UsageError(`--account must be the id of an account, not "${account}"; see galeri account list`);
    try {
      const path = required(file, 'file');
      const summary =
        kind === 'sales'
          ? await importSalesFile(accountId, path, rows, numbers, dryRun)
          : await importFile(kind, accountId, path, numbers);
      print(json, shown(summary), textOf(summary));
      return summary.failed > 0 ? 2 : 0;
    } catch (error) {
      throw error instanceof ImportFileError ? new UsageError(error.message) : error;
    }
  },
};

const isImportKind = (word: string | undefined): word is ImportKind => IMPORT_KINDS.some((kind) => kind === word);

async function importFile(
  kind: ImportKind,
  accountId: string,
  path: string,
  numbers: NumberFormat | undefined,
): Promise<ImportSummary> {
  const file = await openImportFile(path);
  return withAccount(accountId, async (into, secrets) => {
    const target = importTarget(kind, into.account, secrets);
    const rows = () => file.mapped(target.fields);
    const format = numbers ?? (await findNumberFormat(path, numbersIn(rows(), numberFields(target.fields))));
    const progress = reporter(kind, 2000);
    return importRows({
      ...into,
      kind,
      target: { ...target, reading: () => ({ numbers: format, days: 'day first' }) },
      rows: rows(),
      progress,
    });
  });
}

async function* numbersIn(rows: AsyncIterable<SourceRow>, columns: readonly string[]): AsyncGenerator<string> {
  for await (const row of rows)
    if ('cells' in row) for (const column of columns) if (typeof row.cells[column] === 'string') yield row.cells[column];
}

async function importSalesFile(
  accountId: string,
  path: string,
  rowsPath: string | undefined,
  numbers: NumberFormat | undefined,
  dryRun: boolean,
) {
  if (numbers !== undefined && /\.ndjson$/i.test(path)) throw new UsageError('for sales, --numbers applies to .csv files only');
  const rows = await openSaleFile(path, rowsPath, async (texts) => numbers ?? findNumberFormat(path, texts));
  return withAccount(accountId, (into) => importSales({ ...into, rows, dryRun, progress: reporter('sales', 100) }));
}

type Into = Pick<ImportJob, 'writer' | 'account' | 'clock' | 'actor'>;

function withAccount<T>(accountId: string, run: (into: Into, secrets: Secrets) => Promise<T>): Promise<T> {
  return withDatabase(async (connected, config) => {
    const { database, secrets } = connected;
    const account = await database.onPlatform('read', (db) => findAccount(db, accountId));
    if (account === null) throw new UsageError(`there is no account ${accountId}; see galeri account list`);
    const clock = await databaseClock(database);
    return run({ writer: openWriter(connected, config, clock), account, clock, actor: CLI_ACTOR }, secrets);
  });
}

/** A line every so many rows. */
function reporter(kind: ImportKind | 'sales', every: number): (done: number) => void {
  let reported = 0;
  return (done) => {
    if (done - reported < every) return;
    reported = done;
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

/** By its number in the spreadsheet, where the file is one. */
const cellsOf = ({ row, sheet_row, field, code, message }: RowError): string[] => [
  `row ${sheet_row ?? row}`,
  field ?? '',
  code,
  message,
];

const shown = ({ errors_left_out, ...summary }: ImportSummary) =>
  errors_left_out > 0 ? { ...summary, errors_left_out } : summary;
