// CSV as spreadsheets write it in practice, row by row. Only this file imports the CSV library.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CsvError, parse } from 'csv-parse';
import { type BadRow, badRow, MAX_ROW_LENGTH, type SourceRow, tooLong } from '../feed-row.ts';
import { declaredDelimiter, HEAD_LINES, likelyDelimiter } from './feed-guess.ts';
import { type BrokenOff, readTable, type TableLine, type TableRules } from './feed-table.ts';

export interface CsvRules extends Pick<TableRules, 'columns' | 'headerRow' | 'mappedColumns' | 'skip' | 'found' | 'line'> {
  /** The delimiter, or several candidates, of which the likeliest is used. */
  readonly delimiter: string | readonly string[];
  /** The error for a header that is too long. */
  readonly endlessHeader: () => Error;
}

/** `texts` starts from the beginning each time it is called. */
export async function* readCsv(texts: () => AsyncIterable<string>, rules: CsvRules): AsyncGenerator<SourceRow> {
  const { delimiter: rule, endlessHeader, ...table } = rules;
  const head = await headOf(texts(), typeof rule === 'string' ? null : endlessHeader);
  const declared = declaredDelimiter(head);
  const delimiter = typeof rule === 'string' ? rule : (declared ?? likelyDelimiter(head, rule));
  yield* readTable(linesOf(texts, delimiter, declared !== null), { ...table, isCounted: true });
}

async function* linesOf(
  texts: () => AsyncIterable<string>,
  delimiter: string,
  isDeclared: boolean,
): AsyncGenerator<TableLine | BrokenOff> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
    info: true,
  });
  let failure: Error | null = null;
  parser.on('error', (error) => {
    failure = error;
  });
  let records = 0;
  const read = function* (): Generator<TableLine> {
    // Records before the failing one are still yielded.
    for (let next = parser.read() as Parsed | null; next !== null; next = parser.read() as Parsed | null) {
      records += 1;
      // Excel reads the line that declares the delimiter and does not show it.
      if (isDeclared && records === 1) continue;
      const row = records + next.info.empty_lines - (isDeclared ? 1 : 0);
      if (next.record.some((cell) => cell.trim() !== '')) yield { row, cells: next.record };
    }
  };
  try {
    for await (const text of shortLines(texts())) {
      parser.write(text);
      yield* read();
      await nextTurn();
      if (failure !== null) break;
    }
    if (failure === null) parser.end();
    await nextTurn();
    yield* read();
  } catch (error) {
    if (!(error instanceof EndlessLine)) throw error;
    failure = error;
  } finally {
    parser.destroy();
  }
  const reason: Error | null = failure;
  if (reason !== null) yield { broken: (row) => lastBadRow(row, reason) };
}

interface Parsed {
  readonly record: string[];
  readonly info: { readonly empty_lines: number };
}

/** The beginning of the text. With `endless` null the length of the first line does not matter. */
async function headOf(texts: AsyncIterable<string>, endless: (() => Error) | null): Promise<string> {
  let head = '';
  let lines = 0;
  for await (const text of texts) {
    const piece = head === '' ? text.replace(/^[ \r\n]+/, '') : text;
    head += piece;
    lines += piece.split(/[\r\n]+/).length - 1;
    if (lines > HEAD_LINES || head.length > MAX_ROW_LENGTH) break;
  }
  if (endless !== null && head.split(/[\r\n]/, 1)[0]!.length > MAX_ROW_LENGTH) throw endless();
  return head;
}

class EndlessLine extends Error {}

async function* shortLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let length = 0;
  for await (const text of texts) {
    for (const [index, part] of text.split(/[\r\n]/).entries()) {
      length = index === 0 ? length + part.length : part.length;
      if (length > 2 * MAX_ROW_LENGTH) throw new EndlessLine();
    }
    yield text;
  }
}

/** After an open quote or an endless row the start of the next row is unknown. */
function lastBadRow(row: number, error: Error): BadRow {
  const isLong = error instanceof EndlessLine || (error as CsvError).code === 'CSV_MAX_RECORD_SIZE';
  const bad = isLong
    ? tooLong(row)
    : badRow(row, 'invalid_row', {
        en: 'The row is not readable, most likely a quote is opened and not closed.',
        tr: 'Satır okunamıyor; büyük olasılıkla açılan bir tırnak kapanmamış.',
      });
  const { en, tr } = bad.problem.message;
  const message = {
    en: `${en} Reading stopped here${isLong ? '; a quote may have been left open' : ''}.`,
    tr: `${tr} Okuma burada durdu${isLong ? '; bir tırnak açık kalmış olabilir' : ''}.`,
  };
  return { ...bad, problem: { ...bad.problem, message }, isLast: true };
}
