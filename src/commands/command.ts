// Shared by all commands: options, output for people or programs, one-line errors. Imports nothing of the database: the package of commands
// that work over HTTP contains it.
import { parseArgs } from 'node:util';
import { isUuid } from '../kit/ids.ts';

/** The caller's mistake: printed as one line, exit 1. */
export class UsageError extends Error {}

export interface Command {
  /** One line for each form of the command: `key create --account ID --name N …`. */
  readonly usage: readonly string[];
  /** Resolves to the exit code, 0 when nothing is returned. */
  run(args: string[]): Promise<number | undefined>;
}

type OptionKind = 'text' | 'list' | 'flag';
type OptionValues<O extends Record<string, OptionKind>> = {
  [K in keyof O]: O[K] extends 'flag' ? boolean : O[K] extends 'list' ? string[] : string | undefined;
};

/** `--amount -5` is an amount below zero, which parseArgs would take for an option. */
function joinNegatives(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    if (/^--[a-z-]+$/.test(before) && /^-\d/.test(arg)) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

/** `--name value`, `--name=value`; an unknown option or a stray word is refused by name. `--json` is known everywhere. */
export function readOptions<const O extends Record<string, OptionKind>>(
  args: string[],
  options: O,
  words: { min?: number; max?: number } = {},
): OptionValues<O> & { words: string[]; json: boolean } {
  const kinds = { ...options, json: 'flag' } as Record<string, OptionKind>;
  try {
    const { values, positionals } = parseArgs({
      args: joinNegatives(args),
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(kinds).map(([name, kind]) => [
          name,
          { type: kind === 'flag' ? 'boolean' : 'string', multiple: kind === 'list' } as const,
        ]),
      ),
    });
    if (positionals.length > (words.max ?? 0)) throw new UsageError(`unexpected argument "${positionals[words.max ?? 0]}"`);
    if (positionals.length < (words.min ?? 0)) throw new UsageError('an argument is missing, such as an id; see galeri help');
    const read = Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [
        name,
        values[name] ?? (kind === 'list' ? [] : kind === 'flag' ? false : undefined),
      ]),
    );
    return { ...read, words: positionals } as never;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError((error as Error).message.split('. ')[0]!.replace(/\n.*/s, ''));
  }
}

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} is missing`);
  return value;
}

export function accountId(value: string | undefined, name = '--account'): string {
  const id = required(value, name.replace(/^--/, '')).toLowerCase();
  if (!isUuid(id)) throw new UsageError(`${name} must be the id of an account, not "${value}"; see galeri account list`);
  return id;
}

export function integerOption(value: string | undefined, name: string, min: number, max: number): number | null {
  if (value === undefined) return null;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${value}"`);
  return number;
}

/** One JSON value for programs, text for people. */
export function print(json: boolean, value: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : text.endsWith('\n') ? text : `${text}\n`);
}

/** Rows with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Printed to stderr, and only on a terminal. */
export function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}
