// The number format of a file: from --numbers, from the file itself, or from a prompt on the terminal. It is never guessed: 12.500 is
// twelve thousand five hundred in Turkish, and twelve and a half in many programs.
import { createInterface } from 'node:readline/promises';
import { numberTextIn } from '../domain/formats/cell-text.ts';
import { countSigns, formatTold, NUMBER_FORMATS, type NumberFormat, type NumberSigns } from '../domain/formats/number-text.ts';
import { UsageError } from './command.ts';

const FORMS = 'tr (1.234,56) or en (1,234.56)';
const MAX_TRIES = 3;

const isFormat = (text: string): text is NumberFormat => NUMBER_FORMATS.some((format) => format === text);

export function readNumbers(text: string | undefined): NumberFormat | undefined {
  if (text === undefined || isFormat(text)) return text;
  throw new UsageError(`--numbers must be ${FORMS}, not "${text}"`);
}

/** Null where every number of the file reads the same in both formats. */
export async function findNumberFormat(path: string, texts: AsyncIterable<string>): Promise<NumberFormat | null> {
  const signs: NumberSigns = { tr: false, en: false, doubtful: null };
  for await (const text of texts) countSigns(signs, numberTextIn(text) ?? text);
  const format = formatTold(signs);
  if (format !== 'unclear') return format;
  if (process.stdin.isTTY) return ask(`${path} has the number ${signs.doubtful}. Which number format does it use, ${FORMS}? `);
  throw new UsageError(
    `${path} has the number ${signs.doubtful}, which can be read in two ways: set the number format with --numbers ${FORMS}`,
  );
}

async function ask(question: string): Promise<NumberFormat> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Otherwise an end of the input (Ctrl-D) would leave the question open.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const answer = (await Promise.race([terminal.question(question), closed])).trim().toLowerCase();
      if (isFormat(answer)) return answer;
    }
  } finally {
    terminal.close();
  }
  throw new UsageError(`nothing was imported: set the number format with --numbers ${FORMS}`);
}
