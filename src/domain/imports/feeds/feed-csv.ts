// CSV as spreadsheets write it in practice, row by row. Only this file imports the CSV library.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CsvError, parse } from 'csv-parse';
import { type BadRow, badRow, MAX_ROW_LENGTH, type SourceRow, tooLong } from '../feed-row.ts';

export interface CsvRules {
  /** The delimiter, or several candidates, of which the most frequent in the header is used. */
  readonly delimiter: string | readonly string[];
  /** The column names from the header: cells of a column named '' must be empty, cells of a null column are skipped. */
  readonly columns: (header: readonly string[]) => readonly (string | null)[];
  /** The error for a header that is too long. */
  readonly endlessHeader: () => Error;
}

/** `texts` starts from the beginning each time it is called. */
export async function* readCsv(texts: () => AsyncIterable<string>, rules: CsvRules): AsyncGenerator<SourceRow> {
  const { delimiter } = rules;
  const parser = parse({
    delimiter: typeof delimiter === 'string' ? delimiter : await findDelimiter(texts(), delimiter, rules.endlessHeader),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
  });
  let failure: Error | null = null;
  parser.on('error', (error) => {
    failure = error;
  });
  let columns: readonly (string | null)[] | null = null;
  let row = 0;
  const read = function* (): Generator<SourceRow> {
    // Records before the failing one are still yielded.
    for (let cells = parser.read() as string[] | null; cells !== null; cells = parser.read() as string[] | null) {
      if (columns === null) columns = rules.columns(cells.map((cell) => cell.trim()));
      else if (cells.some((cell) => cell.trim() !== '')) {
        row += 1;
        yield rowOfCells(row, columns, cells);
      }
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
  if (failure !== null) yield lastBadRow(row + 1, failure);
}

/** The candidate that occurs most often in the header, because column names rarely contain one. */
export async function findDelimiter(
  texts: AsyncIterable<string>,
  delimiters: readonly string[],
  endless: () => Error,
): Promise<string> {
  let head = '';
  for await (const text of texts) {
    const piece = head === '' ? text.replace(/^[ \r\n]+/, '') : text;
    head += piece;
    if (/[\r\n]/.test(piece) || head.length > MAX_ROW_LENGTH) break;
  }
  const line = head.split(/[\r\n]/, 1)[0]!;
  if (line.length > MAX_ROW_LENGTH) throw endless();
  const count = (delimiter: string) => line.split(delimiter).length;
  return delimiters.toSorted((one, other) => count(other) - count(one))[0]!;
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

function rowOfCells(row: number, columns: readonly (string | null)[], cells: readonly string[]): SourceRow {
  if (cells.length !== columns.length) {
    const [found, wanted] = [cells.length, columns.length];
    return badRow(row, 'wrong_cell_count', {
      en: `The row has ${found} cells where the header has ${wanted}`,
      tr: `Satırda ${found} hücre var, başlıkta ${wanted}`,
    });
  }
  const given: Record<string, unknown> = Object.create(null);
  for (const [index, column] of columns.entries()) {
    const text = cells[index]!.trim();
    if (text === '' || column === null) continue;
    if (column === '') {
      return badRow(row, 'unknown_field', {
        en: `Cell ${index + 1} holds something, but its column has no name`,
        tr: `${index + 1}. hücre dolu, ama sütununun adı yok`,
      });
    }
    given[column] = text;
  }
  return { row, given };
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
